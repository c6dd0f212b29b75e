//! Every command explains itself.

use std::collections::BTreeSet;

use crate::support::{Scene, text};

/// The commands that a help page lists.
fn listed(page: &str) -> Vec<String> {
    let lines = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_command_has_help_and_an_example_can_be_read_without_a_workspace() {
    let scene = Scene::empty();
    let mut pending = vec![Vec::new()];
    let mut seen = BTreeSet::new();
    while let Some(command) = pending.pop() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let page = scene.done(&arguments);
        assert!(
            page.contains("Usage: rem") && page.lines().next().is_some_and(|line| line.len() > 10),
            "{page}"
        );
        assert!(page.contains("--workspace") && page.contains("--json"), "global options: {page}");
        for name in listed(&page) {
            let mut longer = command.clone();
            longer.push(name);
            pending.push(longer);
        }
        seen.insert(command.join(" "));
    }
    for command in [
        "demo",
        "init",
        "adopt",
        "status",
        "import",
        "capture message",
        "projects note",
        "people show",
        "procedures list",
        "topics match",
        "topics activate",
        "journal add",
        "recall",
        "context",
        "index",
        "audit rebuild",
        "rollback time",
        "history learned",
        "tag daily",
        "verify",
        "doctor",
        "config set",
        "completions",
        "man",
    ] {
        assert!(seen.contains(command), "{command} is not listed: {seen:?}");
    }
}

#[test]
fn the_version_is_told_and_nothing_else() {
    let out = Scene::empty().done(&["--version"]);
    assert_eq!(out, format!("rem {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_and_the_manual_page_are_printed() {
    let scene = Scene::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(scene.done(&["completions", shell]).contains("recall"), "{shell}");
    }
    let page = scene.done(&["man"]);
    assert!(page.contains(".TH rem") && page.contains("recall"), "{page}");
}

#[test]
fn wrong_arguments_are_usage_errors_on_standard_error() {
    let scene = Scene::empty();
    for arguments in [&["frobnicate"][..], &["recall"], &["--now", "yesterday", "status"], &[]] {
        let output = scene.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{}", text(&output.stdout));
    }
}
