//! Settings: every byte that is somebody else's stays, and taking out undoes putting in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rem_hosts::Host;
use rem_hosts::connect::{Change, ConnectError, Place, Plan, Scope, backup_of, connect, disconnect};

pub(crate) const SCOPES: [Scope; 2] = [Scope::User, Scope::Project];
pub(crate) const WITH_FILES: [Host; 4] = [Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Cursor];

pub(crate) struct Scene {
    pub(crate) folder: tempfile::TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn place(&self, host: Host, scope: Scope) -> Place {
        Place {
            host,
            scope,
            home: self.folder.path().join("home"),
            own_folder: None,
            project: self.folder.path().join("project"),
            program: "/opt/my tools/rem".to_owned(),
            workspace: Some(PathBuf::from("/home/ada/memory")),
            agent: None,
            own: self.folder.path().join("own"),
        }
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let at = self.folder.path().join(path);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(&at, text).unwrap();
        at
    }

    /// Every file with its bytes.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        rem_testkit::files(self.folder.path())
    }
}

pub(crate) fn changes(plan: Plan) -> Vec<Change> {
    match plan {
        Plan::Files(changes) => changes,
        Plan::Commands { commands, .. } => panic!("{commands:?}"),
    }
}

pub(crate) fn carry_out(plan: Plan) {
    for change in changes(plan) {
        change.carry_out().unwrap();
    }
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn where_there_is_nothing_files_are_made_and_go_again() {
    for host in WITH_FILES {
        for scope in SCOPES {
            let scene = Scene::new();
            let place = scene.place(host, scope);
            carry_out(connect(&place).unwrap());
            let made = scene.files();
            assert!(!made.is_empty());
            for text in made.values() {
                assert!(String::from_utf8_lossy(text).contains("/opt/my tools/rem"), "{host}");
            }
            carry_out(connect(&place).unwrap());
            assert_eq!(scene.files(), made, "{host}: connecting twice is connecting once");
            carry_out(disconnect(&place).unwrap());
            assert_eq!(scene.files(), BTreeMap::new(), "{host}");
            carry_out(disconnect(&place).unwrap());
        }
    }
}

#[test]
fn what_is_written_is_what_each_host_reads() {
    let scene = Scene::new();
    for host in WITH_FILES {
        carry_out(connect(&scene.place(host, Scope::User)).unwrap());
    }
    let json = |path: &str| -> serde_json::Value {
        serde_json::from_str(&read(&scene.folder.path().join("home").join(path))).unwrap()
    };
    let command = |host: &str| format!("'/opt/my tools/rem' -C /home/ada/memory hook {host}");
    let claude = json(".claude/settings.json");
    let handler = serde_json::json!([{ "hooks": [{ "type": "command", "command": command("claude-code"), "timeout": 10 }] }]);
    for event in ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"] {
        assert_eq!(claude["hooks"][event], handler, "{event}");
    }
    let mut writing = handler;
    writing[0]["matcher"] = "Write|Edit|MultiEdit|NotebookEdit|Bash".into();
    assert_eq!(claude["hooks"]["PostToolUse"], writing);
    let server =
        serde_json::json!({ "command": "/opt/my tools/rem", "args": ["-C", "/home/ada/memory", "mcp"] });
    assert_eq!(json(".claude.json")["mcpServers"]["rem"], server);
    assert_eq!(json(".codex/hooks.json")["hooks"]["Stop"][0]["hooks"][0]["command"], command("codex"));
    assert_eq!(
        read(&scene.folder.path().join("home/.codex/config.toml")),
        "[mcp_servers.rem]\ncommand = \"/opt/my tools/rem\"\nargs = [\"-C\", \"/home/ada/memory\", \"mcp\"]\n"
    );
    let gemini = json(".gemini/settings.json");
    assert_eq!(gemini["hooks"]["BeforeAgent"][0]["hooks"][0]["timeout"], 10_000);
    assert_eq!(gemini["mcpServers"]["rem"], server);
    let cursor = json(".cursor/hooks.json");
    assert_eq!(cursor["version"], 1);
    assert_eq!(cursor["hooks"]["beforeSubmitPrompt"], serde_json::json!([{ "command": command("cursor") }]));
    let Plan::Commands { commands, .. } = connect(&scene.place(Host::OpenClaw, Scope::User)).unwrap() else {
        panic!()
    };
    assert!(
        commands[0].starts_with("openclaw mcp add rem --command '/opt/my tools/rem' --arg -C"),
        "{commands:?}"
    );
}

const CLAUDE: &str = r#"// My settings.
{
	"model": "opus", // the large one
	/* Hooks of my own */
	"hooks": {
		"Stop": [
			// rings a bell
			{ "hooks": [ { "type": "command", "command": "bell" } ] }, // keep
		],
		"Notification": [],
	},
	"permissions": { "allow": ["Bash(ls:*)"] },
}
// the end
"#;

const CODEX: &str = "# What I use.\nmodel = \"gpt\"   # the small one\nnotify = [\n  \"bell\", # loud\n]\n\n[mcp_servers.docs]   # theirs\ncommand = 'docs'\n\n[profiles.fast]\nmodel = \"mini\"\n# the end\n";

#[test]
fn settings_that_a_person_keeps_elsewhere_are_found_there() {
    let scene = Scene::new();
    let place = |host, scope| Place {
        own_folder: Some(scene.folder.path().join("elsewhere")),
        ..scene.place(host, scope)
    };
    for host in [Host::ClaudeCode, Host::Codex] {
        carry_out(connect(&place(host, Scope::User)).unwrap());
    }
    let files: Vec<String> = scene.files().into_keys().collect();
    assert_eq!(
        files,
        [
            "elsewhere/.claude.json",
            "elsewhere/config.toml",
            "elsewhere/hooks.json",
            "elsewhere/settings.json"
        ]
    );
    // A project's settings lie in the project all the same.
    let changes = changes(connect(&place(Host::ClaudeCode, Scope::Project)).unwrap());
    assert!(changes.iter().all(|change| change.path.starts_with(scene.folder.path().join("project"))));
}

#[test]
fn comments_and_hooks_of_others_stay_where_they_are() {
    let scene = Scene::new();
    let claude = scene.write("home/.claude/settings.json", CLAUDE);
    let codex = scene.write("home/.codex/config.toml", CODEX);
    let before = scene.files();
    for host in [Host::ClaudeCode, Host::Codex] {
        carry_out(connect(&scene.place(host, Scope::User)).unwrap());
    }
    for (path, text) in [(&claude, CLAUDE), (&codex, CODEX)] {
        let now = read(path);
        for line in text.lines() {
            assert!(now.contains(line.trim_end_matches(',')), "{line}\n{now}");
        }
        assert_eq!(read(&backup_of(path)), text);
    }
    assert!(read(&claude).contains("hook claude-code"), "{}", read(&claude));
    for host in [Host::ClaudeCode, Host::Codex] {
        carry_out(disconnect(&scene.place(host, Scope::User)).unwrap());
    }
    assert_eq!(scene.files(), before);
}

#[test]
fn what_was_changed_since_it_was_connected_is_kept_when_it_is_disconnected() {
    let scene = Scene::new();
    let claude = scene.write("home/.claude/settings.json", CLAUDE);
    let codex = scene.write("home/.codex/config.toml", CODEX);
    for host in [Host::ClaudeCode, Host::Codex] {
        carry_out(connect(&scene.place(host, Scope::User)).unwrap());
    }
    std::fs::write(&claude, read(&claude).replace("\"opus\"", "\"haiku\"")).unwrap();
    std::fs::write(&codex, read(&codex).replace("\"mini\"", "\"nano\"")).unwrap();
    for host in [Host::ClaudeCode, Host::Codex] {
        carry_out(disconnect(&scene.place(host, Scope::User)).unwrap());
    }
    assert_eq!(read(&claude), CLAUDE.replace("\"opus\"", "\"haiku\""));
    assert_eq!(read(&codex), CODEX.replace("\"mini\"", "\"nano\""));
}

#[test]
fn another_program_or_workspace_takes_the_place_of_the_one_that_was_connected() {
    let scene = Scene::new();
    let claude = scene.write("home/.claude/settings.json", CLAUDE);
    let mut place = scene.place(Host::ClaudeCode, Scope::User);
    carry_out(connect(&place).unwrap());
    let first = read(&claude);
    place.program = "/usr/bin/rem".to_owned();
    place.workspace = None;
    carry_out(connect(&place).unwrap());
    let second = read(&claude);
    assert!(!second.contains("my tools") && second.contains("/usr/bin/rem hook claude-code"), "{second}");
    assert_eq!(first.matches("hook claude-code").count(), second.matches("hook claude-code").count());
    carry_out(disconnect(&place).unwrap());
    assert_eq!(read(&claude), CLAUDE);
}

#[test]
fn hooks_and_servers_of_others_that_look_like_ours_stay() {
    let home = Scene::new();
    let hooks = |command: &str| {
        format!(
            "{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": \"{command}\"}}]}}]}}}}\n"
        )
    };
    for command in [
        "/opt/remote-sync/bin/agent hook claude-code",
        "cat /tmp/reminders.txt | mytool hook claude-code",
        "REM_AGENT=bob rem hook claude-code",
        "rem hook claude-code; other",
    ] {
        let path = home.write("home/.claude/settings.json", &hooks(command));
        let place = home.place(Host::ClaudeCode, Scope::User);
        carry_out(connect(&place).unwrap());
        assert!(read(&path).contains(command), "{command}");
        assert_eq!(read(&backup_of(&path)), hooks(command));
        carry_out(disconnect(&place).unwrap());
        assert_eq!(read(&path), hooks(command));
    }

    let json = "{\"mcpServers\": {\"rem\": {\"type\": \"http\", \"url\": \"https://rem.example\"}}}\n";
    let path = home.write("home/.claude.json", json);
    let place = home.place(Host::ClaudeCode, Scope::User);
    let error = connect(&place).unwrap_err().to_string();
    assert!(error.contains("another server"), "{error}");
    carry_out(disconnect(&place).unwrap());
    assert_eq!(read(&path), json);

    let toml =
        "[mcp_servers.rem] # theirs\nurl = \"https://rem.example\"\n\n[mcp_servers.rem.env]\nKEY = \"x\"\n";
    let path = home.write("home/.codex/config.toml", toml);
    let place = home.place(Host::Codex, Scope::User);
    assert!(connect(&place).unwrap_err().to_string().contains("another server"));
    carry_out(disconnect(&place).unwrap());
    assert_eq!(read(&path), toml);
}

#[test]
fn line_ends_and_comments_of_toml_stay() {
    let home = Scene::new();
    for before in [
        "# head\r\nmodel = \"gpt\"\r\n\r\n[profiles.fast]\r\nmodel = \"nano\"\r\n# tail\r\n",
        "# nothing but this\n",
        "a = 1\r\nb = 2\nc = 3\r\n",
        "mcp_servers = { docs = { command = \"docs\" } } # inline\n",
    ] {
        let path = home.write("home/.codex/config.toml", before);
        let place = home.place(Host::Codex, Scope::User);
        carry_out(connect(&place).unwrap());
        let connected = read(&path);
        assert!(connected.starts_with(before) || before.contains("inline"), "{connected:?}");
        assert!(
            !before.contains("head") || connected.matches('\n').count() == connected.matches("\r\n").count()
        );
        // Changed since, so that it is taken out and not put back.
        std::fs::write(&path, connected.replacen("# ", "# my ", 1)).unwrap();
        carry_out(disconnect(&place).unwrap());
        assert_eq!(read(&path), before.replacen("# ", "# my ", 1), "{connected:?}");
        std::fs::remove_file(backup_of(&path)).ok();
    }
}

#[test]
fn taking_it_out_needs_not_the_workspace_that_it_was_connected_with() {
    let home = Scene::new();
    let before = "{\"z\":1}";
    let path = home.write("home/.claude/settings.json", before);
    let place = home.place(Host::ClaudeCode, Scope::User);
    carry_out(connect(&place).unwrap());
    let elsewhere = Place { workspace: None, program: "/elsewhere/rem".to_owned(), ..place };
    carry_out(disconnect(&elsewhere).unwrap());
    assert_eq!(read(&path), before);
    assert!(!backup_of(&path).exists() && !home.files().keys().any(|name| name.ends_with(".claude.json")));
}

#[test]
fn broken_settings_are_refused_with_their_place_and_stay() {
    for (host, path, text, place) in [
        (
            Host::ClaudeCode,
            "home/.claude/settings.json",
            "{\n  \"model\": \"opus\"\n  \"x\": 1\n}\n",
            "line 2 column 18",
        ),
        (Host::ClaudeCode, "home/.claude/settings.json", "{\"hooks\": []}", "\"hooks\""),
        (Host::ClaudeCode, "home/.claude/settings.json", "{\"hooks\": {\"Stop\": {}}}", "\"Stop\""),
        (Host::ClaudeCode, "home/.claude.json", "{\"mcpServers\": {\"rem\": 1}}", "\"rem\""),
        (Host::Gemini, "home/.gemini/settings.json", "[]", "no object"),
        (Host::Codex, "home/.codex/config.toml", "model = \"x\"\nmodel = \"y\"\n", "line 2"),
        (Host::Codex, "home/.codex/config.toml", "mcp_servers = 1\n", "mcp_servers"),
    ] {
        let scene = Scene::new();
        let at = scene.write(path, text);
        let error = connect(&scene.place(host, Scope::User)).unwrap_err();
        assert!(matches!(error, ConnectError::Broken { .. }) && error.to_string().contains(place), "{error}");
        assert!(error.to_string().contains(path.rsplit('/').next().unwrap()), "{error}");
        assert_eq!((read(&at).as_str(), scene.files().len()), (text, 1));
    }
}

#[test]
fn a_file_that_changes_in_the_meantime_is_left_alone() {
    let scene = Scene::new();
    let claude = scene.write("home/.claude/settings.json", CLAUDE);
    let plan = connect(&scene.place(Host::ClaudeCode, Scope::User)).unwrap();
    std::fs::write(&claude, "{}").unwrap();
    let error = changes(plan)[0].carry_out().unwrap_err();
    assert!(matches!(error, ConnectError::Changed { .. }), "{error}");
    assert_eq!(read(&claude), "{}");
}

#[test]
#[cfg(unix)]
fn a_link_is_followed_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let scene = Scene::new();
    let real = scene.write("dotfiles/claude.json", "{}\n");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    let link = scene.folder.path().join("home/.claude.json");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&real, &link).unwrap();
    carry_out(connect(&scene.place(Host::ClaudeCode, Scope::User)).unwrap());
    assert!(link.is_symlink() && read(&real).contains("mcpServers"));
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&real), mode(&backup_of(&link))), (0o600, 0o600));
    carry_out(disconnect(&scene.place(Host::ClaudeCode, Scope::User)).unwrap());
    assert_eq!(read(&real), "{}\n");
}

#[test]
fn the_program_may_have_any_name_and_be_told_an_agent() {
    for program in ["/opt/rem-0.1.0", "/opt/memory tool", "C:\\tools\\rem.exe"] {
        for host in WITH_FILES {
            let scene = Scene::new();
            let place = Place { program: program.to_owned(), ..scene.place(host, Scope::User) };
            carry_out(connect(&place).unwrap());
            let made = scene.files();
            carry_out(connect(&place).unwrap());
            assert_eq!(scene.files(), made, "{host} {program}");
            carry_out(disconnect(&place).unwrap());
            assert_eq!(scene.files(), BTreeMap::new(), "{host} {program}");
        }
    }
    // Another version takes the place of the one before, and leaves the agent that is named there.
    let scene = Scene::new();
    let bob = Place { agent: Some("bob".to_owned()), ..scene.place(Host::Codex, Scope::User) };
    carry_out(connect(&Place { program: "/opt/rem-0.1.0".to_owned(), ..bob.clone() }).unwrap());
    carry_out(connect(&Place { agent: None, ..bob.clone() }).unwrap());
    let hooks = read(&scene.folder.path().join("home/.codex/hooks.json"));
    assert!(
        hooks.contains("-C /home/ada/memory --agent bob hook codex") && !hooks.contains("0.1.0"),
        "{hooks}"
    );
    let toml = read(&scene.folder.path().join("home/.codex/config.toml"));
    assert!(toml.contains("\"--agent\", \"bob\", \"mcp\"") && !toml.contains("0.1.0"), "{toml}");
    carry_out(connect(&Place { agent: Some("eve".to_owned()), ..bob.clone() }).unwrap());
    assert!(read(&scene.folder.path().join("home/.codex/hooks.json")).contains("--agent eve hook codex"));
    carry_out(disconnect(&bob).unwrap());
    assert_eq!(scene.files(), BTreeMap::new());
}

#[test]
fn entries_of_this_program_that_name_an_agent_are_its_own() {
    let scene = Scene::new();
    let hooks = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"rem --agent claude hook claude-code\"}]}]}}\n";
    let at = scene.write("home/.claude/settings.json", hooks);
    let server =
        "{\"mcpServers\": {\"rem\": {\"command\": \"rem\", \"args\": [\"mcp\", \"--agent\", \"claude\"]}}}\n";
    let servers = scene.write("home/.claude.json", server);
    let place = scene.place(Host::ClaudeCode, Scope::User);
    carry_out(connect(&place).unwrap());
    assert_eq!(read(&at).matches("--agent claude").count(), 1, "{}", read(&at));
    assert_eq!(read(&at).matches("hook claude-code").count(), 6);
    assert!(
        read(&servers).contains("\"claude\"") && read(&servers).contains("my tools"),
        "{}",
        read(&servers)
    );
    carry_out(disconnect(&place).unwrap());
    assert!(!at.exists() && !servers.exists(), "there was nothing else in them");
    for other in [
        "rem --agent claude hook codex",
        "rem --agent hook claude-code",
        "remind hook claude-code",
        "rem-x hook claude-code",
    ] {
        let text = hooks.replace("rem --agent claude hook claude-code", other);
        let at = scene.write("home/.claude/settings.json", &text);
        carry_out(disconnect(&place).unwrap());
        assert_eq!(read(&at), text, "{other}");
    }
}

#[test]
fn what_a_person_changed_of_our_entries_stays_when_it_is_connected_again() {
    let scene = Scene::new();
    let mut place = scene.place(Host::ClaudeCode, Scope::User);
    carry_out(connect(&place).unwrap());
    let at = scene.folder.path().join("home/.claude/settings.json");
    let edited =
        read(&at).replacen("\"timeout\": 10", "\"timeout\": 30", 1).replace("Write|Edit|MultiEdit", "Edit");
    std::fs::write(&at, &edited).unwrap();
    carry_out(connect(&place).unwrap());
    assert_eq!(read(&at), edited);
    place.program = "/usr/bin/rem".to_owned();
    carry_out(connect(&place).unwrap());
    assert_eq!(read(&at), edited.replace("'/opt/my tools/rem'", "/usr/bin/rem"));
}

#[test]
fn a_name_that_stands_twice_is_refused_with_its_place() {
    for text in [
        "{\"hooks\": {\"Stop\": []},\n\"hooks\": {}}\n",
        "{\"hooks\": {\"Stop\": [],\n \"Stop\": []}}\n",
        "{\"hooks\": {},\n\"h\\u006foks\": {}}\n",
    ] {
        let scene = Scene::new();
        let at = scene.write("home/.claude/settings.json", text);
        let error = connect(&scene.place(Host::ClaudeCode, Scope::User)).unwrap_err().to_string();
        assert!(error.contains("twice, again on line 2"), "{error}");
        assert_eq!(read(&at), text);
    }
    let scene = Scene::new();
    scene.write("home/.claude/settings.json", "{\"env\": {\"A\": 1, \"A\": 2}, \"x\": 1, \"x\": 2}\n");
    assert!(
        connect(&scene.place(Host::ClaudeCode, Scope::User)).is_ok(),
        "what is not ours to read may be so"
    );
}

#[test]
#[cfg(unix)]
fn a_link_to_nothing_is_followed_and_what_is_no_file_is_refused() {
    use std::os::unix::fs::symlink;
    let scene = Scene::new();
    let place = scene.place(Host::ClaudeCode, Scope::User);
    let link = scene.folder.path().join("home/.claude/settings.json");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink("../../dotfiles/settings.json", &link).unwrap();
    carry_out(connect(&place).unwrap());
    let real = scene.folder.path().join("dotfiles/settings.json");
    assert!(link.is_symlink() && read(&real).contains("hook claude-code"));
    carry_out(disconnect(&place).unwrap());
    assert!(link.is_symlink() && !real.exists());
    std::fs::remove_file(&link).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&link).status();
    if made.is_ok_and(|status| status.success()) {
        assert!(connect(&place).unwrap_err().to_string().contains("no file"));
    }
}

/// A value as a person writes it, with a comment here and there.
fn written() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("\"two words\"".to_owned()),
        Just("null".to_owned()),
        Just("\"https://x.test/a//b\"".to_owned()),
        Just("[]".to_owned()),
        Just("{}".to_owned()),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        let comment = prop_oneof![
            Just(""),
            Just(" // a remark, {}\n"),
            Just(" /* a [remark] */ "),
            Just("\n\n"),
            Just("\n\t")
        ];
        prop_oneof![
            (prop::collection::vec((comment.clone(), inner.clone()), 0..3), any::<bool>()).prop_map(
                |(values, comma)| {
                    let values: Vec<String> =
                        values.into_iter().map(|(before, value)| format!("{before}{value}")).collect();
                    let comma = if comma && !values.is_empty() { "," } else { "" };
                    format!("[{}{comma}]", values.join(","))
                }
            ),
            (prop::collection::vec((comment, inner), 0..3), any::<bool>()).prop_map(|(values, comma)| {
                let values: Vec<String> = values
                    .into_iter()
                    .enumerate()
                    .map(|(at, (before, value))| format!("{before}\"key {at}\": {value}"))
                    .collect();
                let comma = if comma && !values.is_empty() { "," } else { "" };
                format!("{{{}{comma}}}", values.join(","))
            }),
        ]
    })
}

fn settings() -> impl Strategy<Value = String> {
    let hooks = prop_oneof![
        Just(String::new()),
        Just("\"hooks\": {},".to_owned()),
        Just("\"hooks\": { \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"bell\" } ] } ] }, // bell\n".to_owned()),
        Just("\n  // mine\n  \"hooks\": {\n    \"Other\": [],\n  },".to_owned()),
    ];
    let servers = prop_oneof![
        Just(String::new()),
        Just("\"mcpServers\": {\"docs\": {\"command\": \"docs\"}},".to_owned()),
        Just("\n  \"mcpServers\": { /* none yet */ },".to_owned()),
    ];
    (hooks, servers, written(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(hooks, servers, rest, crlf, end, mark)| {
            let text = format!(
                "/* head */\n{{\n  {hooks}{servers}\n  \"rest\": {rest}\n}}{}",
                if end { "\n// end\n" } else { "" }
            );
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            if mark { format!("\u{feff}{text}") } else { text }
        },
    )
}

/// The comments of a text.
fn remarks(text: &str) -> usize {
    ["// a remark, {}", "/* a [remark] */", "/* head */", "// bell", "// mine", "/* none yet */", "// end"]
        .iter()
        .map(|remark| text.matches(remark).count())
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn connecting_and_disconnecting_gives_the_same_bytes(text in settings()) {
        let scene = Scene::new();
        let at = scene.write("home/.gemini/settings.json", &text);
        let place = scene.place(Host::Gemini, Scope::User);
        carry_out(connect(&place).unwrap());
        let connected = read(&at);
        prop_assert!(connected.contains("hook gemini") && connected.contains("mcpServers"));
        prop_assert_eq!(remarks(&connected), remarks(&text));
        prop_assert!(changes(connect(&place).unwrap()).iter().all(|change| !change.is_any()));
        // Without the kept bytes nothing of a person's is lost either.
        std::fs::write(backup_of(&at), "{}").unwrap();
        let without = changes(disconnect(&place).unwrap()).remove(0).after.unwrap();
        prop_assert_eq!(remarks(&without), remarks(&text), "{}", without);
        prop_assert!(!without.contains("gemini") && without.contains("\"rest\""));
        std::fs::write(backup_of(&at), &text).unwrap();
        carry_out(disconnect(&place).unwrap());
        prop_assert_eq!(read(&at), text);
        prop_assert_eq!(scene.files().len(), 1);
    }
}
