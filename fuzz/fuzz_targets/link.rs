//! Links lie where they say, any file keeps its bytes when none leads elsewhere, and any page of the graph is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::graph_index::GraphIndex;
use rem_format::link::{has_heading, key, links, plain_links, relinked};

fuzz_target!(|bytes: &[u8]| {
    for link in links(bytes) {
        assert!(bytes[link.bytes.clone()].starts_with(b"[[") && bytes[link.bytes.clone()].ends_with(b"]]"));
        assert!(link.bytes.start < link.target.start && link.target.end < link.bytes.end);
        let _ = (key(link.target_in(bytes)), link.heading_in(bytes).map(|heading| has_heading(bytes, heading)));
    }
    for link in plain_links(bytes) {
        assert!(link.bytes.start < link.target.start && link.target.end < link.bytes.end);
    }
    assert_eq!(relinked(bytes, |_, _| None), bytes);
    assert_eq!(relinked(bytes, |_, target| Some(target.to_owned())), bytes);
    if let Some(page) = GraphIndex::parse(&String::from_utf8_lossy(bytes)) {
        assert!(GraphIndex::parse(&page.render()).is_some());
    }
});
