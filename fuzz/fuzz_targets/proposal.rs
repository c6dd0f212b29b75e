//! Any page of proposals can be read, added to and changed, and what was there stays.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use libfuzzer_sys::fuzz_target;
use rem_format::proposal::{Change, ProposalStatus, START, append, changed, parse};

fuzz_target!(|bytes: &[u8]| {
    let found = parse(bytes);
    for placed in &found.placed {
        let number = placed.proposal.number;
        let marked = changed(
            bytes,
            &BTreeMap::from([(number, Change::Mark(ProposalStatus::Deferred, BTreeSet::new()))]),
        );
        let read = parse(&marked);
        assert_eq!(read.placed.len(), found.placed.len());
        assert!(
            read.placed.iter().any(
                |each| each.proposal.number == number && each.proposal.status == ProposalStatus::Deferred
            )
        );
        let again = append(Some(bytes), START, &placed.proposal);
        assert!(again.starts_with(bytes) || bytes.iter().all(u8::is_ascii_whitespace));
    }
    let all: BTreeMap<u64, Change> =
        found.placed.iter().map(|each| (each.proposal.number, Change::Remove)).collect();
    // What is taken out gives its number to nobody.
    assert!(parse(&changed(bytes, &all)).last >= found.last);
});
