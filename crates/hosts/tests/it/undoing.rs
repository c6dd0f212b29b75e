//! Taking out of settings what was put in: what somebody else's is stays, beside them and within.

use std::path::Path;

use rem_hosts::Host;
use rem_hosts::connect::{Plan, Scope, backup_of, connect, disconnect};

use crate::connecting::{SCOPES, Scene, WITH_FILES, carry_out, changes, read};

#[test]
fn a_file_that_has_the_name_of_a_backup_is_neither_written_over_nor_taken_away() {
    let scene = Scene::new();
    let settings = "{\n  \"model\": \"opus\"\n}\n";
    let at = scene.write("home/.claude/settings.json", settings);
    let own = scene.write("home/.claude/settings.json.before-rem", "{\"mine\": 1}\n");
    scene.write("home/.claude/settings.json.before-rem.txt", "a note");
    let before = scene.files();
    let place = scene.place(Host::ClaudeCode, Scope::User);
    let plan = connect(&place).unwrap();
    let backup = changes(plan.clone())[0].backup.clone().unwrap();
    assert_eq!(backup, scene.folder.path().join("home/.claude/settings.json.before-rem.2"));
    carry_out(plan);
    assert_eq!((read(&own).as_str(), read(&backup).as_str()), ("{\"mine\": 1}\n", settings));
    // Connected again after somebody took it out by hand: each backup stays.
    std::fs::write(&at, settings).unwrap();
    carry_out(connect(&place).unwrap());
    assert!(scene.folder.path().join("home/.claude/settings.json.before-rem.3").exists());
    std::fs::remove_file(scene.folder.path().join("home/.claude/settings.json.before-rem.3")).unwrap();
    carry_out(disconnect(&place).unwrap());
    assert_eq!(scene.files(), before);
}

#[test]
fn a_backup_of_other_bytes_than_those_restored_stays() {
    let scene = Scene::new();
    let at = scene.write("home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    let place = scene.place(Host::ClaudeCode, Scope::User);
    carry_out(connect(&place).unwrap());
    let plan = disconnect(&place).unwrap();
    std::fs::write(backup_of(&at), "something of mine\n").unwrap();
    carry_out(plan);
    assert_eq!(read(&backup_of(&at)), "something of mine\n");
    assert_eq!(read(&at), "{\n  \"model\": \"opus\"\n}\n");
}

#[test]
fn the_spacing_of_settings_stays_where_they_were_changed_since() {
    for (before, from, to) in [
        ("{\"model\":\"opus\",\"list\":[1,2]}", "\"opus\"", "\"haiku\""),
        ("{\"model\": \"opus\"}\n", "\"opus\"", "\"haiku\""),
        (
            "{ \"env\": { \"A\": \"1\" }, \"mcpServers\": { \"docs\": { \"command\": \"docs\" } } }",
            "\"1\"",
            "\"2\"",
        ),
        (
            "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"bell\"}]}]},\"a\":1}",
            "bell",
            "gong",
        ),
        ("{\n\t\"model\" : \"opus\" // the large one\n}\n", "opus", "haiku"),
    ] {
        let scene = Scene::new();
        let at = scene.write("home/.gemini/settings.json", before);
        let place = scene.place(Host::Gemini, Scope::User);
        carry_out(connect(&place).unwrap());
        std::fs::write(&at, read(&at).replacen(from, to, 1)).unwrap();
        carry_out(disconnect(&place).unwrap());
        assert_eq!(read(&at), before.replacen(from, to, 1));
    }
}

#[test]
fn folders_that_were_made_go_with_what_was_made_in_them() {
    for host in WITH_FILES {
        for scope in SCOPES {
            let scene = Scene::new();
            let place = scene.place(host, scope);
            carry_out(connect(&place).unwrap());
            carry_out(disconnect(&place).unwrap());
            let base = if scope == Scope::User { &place.home } else { &place.project };
            let left: Vec<_> = std::fs::read_dir(base).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert!(left.is_empty(), "{host} {left:?}");

            let kept = scene
                .write(&format!("{}/.{host}/notes.md", base.file_name().unwrap().to_string_lossy()), "mine");
            carry_out(connect(&place).unwrap());
            carry_out(disconnect(&place).unwrap());
            assert!(kept.exists());
        }
    }
}

#[test]
fn the_plugin_of_a_host_that_keeps_its_settings_itself_is_written_out_and_goes_again() {
    let scene = Scene::new();
    let place = scene.place(Host::OpenClaw, Scope::User);
    let planned = |plan| match plan {
        Plan::Commands { commands, files } => (commands, files),
        Plan::Files(files) => panic!("{files:?}"),
    };
    let (commands, files) = planned(connect(&place).unwrap());
    files.iter().for_each(|file| file.carry_out().unwrap());
    let folder = commands[1].strip_prefix("openclaw plugins install --link ").unwrap();
    let package: serde_json::Value =
        serde_json::from_str(&read(&Path::new(folder).join("package.json"))).unwrap();
    let entry = package["openclaw"]["extensions"][0].as_str().unwrap();
    assert!(read(&Path::new(folder).join(entry)).contains("./rem.js"));
    // What it has of an older version is brought up to date.
    let made = scene.files();
    scene.write("own/openclaw/index.js", "// old");
    planned(connect(&place).unwrap()).1.iter().for_each(|file| file.carry_out().unwrap());
    assert_eq!(scene.files(), made);
    planned(disconnect(&place).unwrap()).1.iter().for_each(|file| file.carry_out().unwrap());
    assert!(!Path::new(folder).exists());
}
