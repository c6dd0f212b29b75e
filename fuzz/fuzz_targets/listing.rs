//! Any list is kept; a line that is added is known again, and taken out it leaves the others as they were.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::listing::Listing;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut listing) = Listing::parse(Some(bytes), "project_index", "Active Projects") else { return };
    let words = |listing: &Listing| -> Vec<(String, String)> {
        listing.lines().into_iter().map(|line| (line.name, line.description)).collect()
    };
    let before = words(&listing);
    if before.iter().any(|(name, _)| name == "added-by-fuzzing") {
        return;
    }
    if listing.add("added-by-fuzzing", "a map of the coast").is_err() {
        assert_eq!(words(&listing), before);
        return;
    }
    let known = [("added-by-fuzzing".to_owned(), "a map of the coast".to_owned())];
    listing.fit(&known, 64);
    let ours = listing.lines().into_iter().find(|line| line.name == "added-by-fuzzing");
    let ours = ours.expect("the line that was added");
    assert!(ours.is_ours("a map of the coast"));
    listing.remove(&ours);
    assert_eq!(words(&listing), before);
});
