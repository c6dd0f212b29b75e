//! Entries for this program that a person wrote by hand, or added to: nothing of theirs is lost, neither by connecting nor by taking out.

use std::path::{Path, PathBuf};

use rem_hosts::Host;
use rem_hosts::connect::{Plan, Scope, backup_of, connect, disconnect};

use crate::connecting::{Scene, carry_out, changes, read};

const CODEX: &str = "model = \"o3\"\n\n[mcp_servers.rem] # my memory\n# the build of last week\ncommand = \"/old/rem\" # by hand\nargs = [\n  \"-C\", # where it lies\n  \"/home/ada/notes\",\n  \"mcp\",\n]\n\n[mcp_servers.rem.env]\nREM_MODELS_SERVER_KEY = \"secret\"\n";
const CURSOR: &str = "{\n  \"mcpServers\": {\n    \"rem\": {\n      // by hand\n      \"command\": \"/old/rem\",\n      \"args\": [\"-C\", \"/home/ada/notes\", \"mcp\"],\n      \"env\": { \"REM_MODELS_SERVER_KEY\": \"secret\" }\n    }\n  }\n}\n";

fn by_hand() -> [(Host, &'static str, &'static str); 2] {
    [(Host::Codex, "home/.codex/config.toml", CODEX), (Host::Cursor, "home/.cursor/mcp.json", CURSOR)]
}

/// The backups of a file, which all hold what they are named for.
fn backups(at: &Path) -> Vec<String> {
    let name = backup_of(at).file_name().unwrap().to_string_lossy().into_owned();
    let entries = std::fs::read_dir(at.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let mut backups: Vec<PathBuf> =
        entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&name)).collect();
    backups.sort();
    backups.iter().map(|path| read(path)).collect()
}

#[test]
fn connecting_keeps_what_a_person_said_of_the_server_and_what_it_was() {
    for (host, file, mine) in by_hand() {
        let scene = Scene::new();
        let at = scene.write(file, mine);
        let place = scene.place(host, Scope::User);
        carry_out(connect(&place).unwrap());
        let connected = read(&at);
        let (program, workspace) = ("\"/opt/my tools/rem\"", "\"/home/ada/memory\"");
        assert!(connected.contains(program) && connected.contains(workspace), "{connected}");
        let kept = mine.replace("\"/old/rem\"", program).replace("\"/home/ada/notes\"", workspace);
        for line in kept.lines() {
            let is_list = line.contains("\"args\"");
            assert!(is_list || connected.lines().any(|each| each == line), "{line:?} is gone: {connected}");
        }
        assert_eq!(backups(&at), [mine], "{host}");
        carry_out(connect(&place).unwrap());
        assert_eq!((read(&at), backups(&at)), (connected, vec![mine.to_owned()]), "{host}");
    }
}

#[test]
fn taking_out_what_a_person_wrote_keeps_it_aside() {
    for (host, file, mine) in by_hand() {
        let scene = Scene::new();
        let at = scene.write(file, mine);
        let place = scene.place(host, Scope::User);
        carry_out(disconnect(&place).unwrap());
        let left = if at.exists() { read(&at) } else { String::new() };
        assert!(!left.contains("/old/rem"), "{left}");
        assert_eq!(left.contains("model = "), mine.contains("model = "), "{left}");
        assert_eq!(backups(&at), [mine], "{host}");

        let scene = Scene::new();
        let at = scene.write(file, mine);
        let place = scene.place(host, Scope::User);
        carry_out(connect(&place).unwrap());
        let connected = read(&at);
        carry_out(disconnect(&place).unwrap());
        assert!(!at.exists() || !read(&at).contains("secret"), "{host}");
        assert!(backups(&at).contains(&mine.to_owned()), "{host}: {:?} of {connected}", backups(&at));
    }
}

#[test]
fn what_a_person_added_to_a_file_that_was_made_is_kept_aside_when_it_goes() {
    let scene = Scene::new();
    let place = scene.place(Host::Codex, Scope::User);
    carry_out(connect(&place).unwrap());
    let at = scene.folder.path().join("home/.codex/config.toml");
    let added = read(&at) + "env = { RUST_LOG = \"debug\" }\n";
    std::fs::write(&at, &added).unwrap();
    carry_out(disconnect(&place).unwrap());
    assert!(!at.exists() || !read(&at).contains("RUST_LOG"));
    assert_eq!(backups(&at), [added]);
}

#[test]
fn the_home_folder_stays_where_it_lies_in_the_project() {
    let scene = Scene::new();
    let mut place = scene.place(Host::ClaudeCode, Scope::User);
    place.project = scene.folder.path().to_owned();
    std::fs::create_dir(&place.home).unwrap();
    carry_out(connect(&place).unwrap());
    carry_out(disconnect(&place).unwrap());
    assert!(place.home.exists() && scene.files().is_empty(), "{:?}", scene.files());
}

#[test]
fn a_host_that_keeps_its_settings_itself_is_told_the_same_memory_for_plugin_and_server() {
    let scene = Scene::new();
    let Plan::Commands { commands, .. } = connect(&scene.place(Host::OpenClaw, Scope::User)).unwrap() else {
        panic!("it has no file of settings")
    };
    let workspace = |command: &String| command.contains("/home/ada/memory");
    assert!(commands.iter().any(|each| each.starts_with("openclaw mcp add rem ") && workspace(each)));
    let told = "openclaw config set plugins.entries.remembrancer.config.workspace ";
    assert!(commands.iter().any(|each| each.starts_with(told) && workspace(each)), "{commands:?}");
    let told = "openclaw config set plugins.entries.remembrancer.config.program ";
    assert!(commands.iter().any(|each| each.starts_with(told) && each.contains("/opt/my tools/rem")));
}

#[test]
fn where_each_call_finds_its_workspace_no_command_names_one() {
    let scene = Scene::new();
    let mut place = scene.place(Host::OpenClaw, Scope::User);
    place.workspace = None;
    let Plan::Commands { commands, .. } = connect(&place).unwrap() else {
        panic!("it has no file of settings")
    };
    assert!(!commands.iter().any(|each| each.contains("config.workspace")), "{commands:?}");
    assert_eq!(changes(connect(&scene.place(Host::Codex, Scope::User)).unwrap()).len(), 2);
}
