//! Any page is kept; what is added is read back, and taken out without a trace.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::annotation::Annotation;
use rem_format::entity::Entity;
use rem_format::page::Page;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut page) = Page::parse(bytes) else { return };
    assert_eq!(page.clone().into_bytes(), bytes);
    let before = page.clone();
    if page.add("Facts", "added by fuzzing", &Annotation::new().with("id", "fuzz1")).is_ok() {
        let added = page.items().iter().position(|item| item.annotation.get("id") == Some("fuzz1"));
        assert_eq!(page.items().len(), before.items().len() + 1);
        page.remove(added.expect("read back"));
    } else {
        assert_eq!(page, before);
    }
    if let Ok(entity) = Entity::parse(bytes) {
        let _ = (entity.label(), entity.aliases(), entity.facts(), entity.edges(), entity.merged_into());
    }
});
