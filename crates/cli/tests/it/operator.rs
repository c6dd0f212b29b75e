//! `rem operator` at a real terminal, with a real ssh-agent, and where there is neither.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};

use rem_format::consent::approvals;

use crate::support::{Scene, text};

const PASSPHRASE: &str = "열려라 참깨 열려라";

/// A command at a terminal of its own (util-linux's `script`), and the person there.
struct AtTerminal {
    child: Child,
    seen: Vec<u8>,
}

impl AtTerminal {
    fn start(scene: &Scene, arguments: &[&str], surroundings: &[(&str, &str)]) -> Self {
        let quoted: Vec<String> = arguments.iter().map(|argument| format!("'{argument}'")).collect();
        let line = format!("'{}' {}", env!("CARGO_BIN_EXE_rem"), quoted.join(" "));
        let mut command = Command::new("script");
        let child = command
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .current_dir(scene.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", scene.folder())
            .env("TZ", "UTC")
            .env("SHELL", "/bin/sh")
            .envs(surroundings.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, seen: Vec::new() }
    }

    /// Waits for words that were not seen before, and types an answer.
    fn types(self, after: &str, answer: &str) -> Self {
        self.presses(after, &format!("{answer}\n"))
    }

    /// The same, and no key that ends the line.
    fn presses(mut self, after: &str, keys: &str) -> Self {
        let out = self.child.stdout.as_mut().unwrap();
        let mut fresh = Vec::new();
        while !String::from_utf8_lossy(&fresh).contains(after) {
            let mut byte = [0];
            assert_eq!(
                out.read(&mut byte).unwrap(),
                1,
                "no {after:?} in {}",
                String::from_utf8_lossy(&fresh)
            );
            fresh.push(byte[0]);
        }
        self.seen.extend(fresh);
        self.child.stdin.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
        self
    }

    /// Whether it went well, and all that was seen.
    fn ends(mut self) -> (bool, String) {
        self.child.stdout.as_mut().unwrap().read_to_end(&mut self.seen).unwrap();
        (self.child.wait().unwrap().success(), text(&self.seen))
    }
}

#[test]
fn a_key_with_a_passphrase_approves_at_the_terminal_and_nowhere_else() {
    let scene = Scene::new();
    let (code, said) = scene.failed(&["operator", "init"]);
    assert!(code == 7 && said.contains("a person at a terminal"), "{said}");
    assert!(scene.done(&["operator", "show"]).contains("No key was set up"));
    let (done, seen) = AtTerminal::start(&scene, &["operator", "init"], &[])
        .types("A passphrase for your key: ", "short")
        .types("At least 8 characters.", "")
        .ends();
    assert!(!done && seen.contains("you gave no passphrase"), "{seen}");
    let (done, seen) = AtTerminal::start(&scene, &["operator", "init"], &[])
        .types("A passphrase for your key: ", PASSPHRASE)
        .types("Once more: ", PASSPHRASE)
        .types("Passphrase of SHA256:", PASSPHRASE)
        .ends();
    assert!(done && seen.contains("the operator's key is set up") && seen.contains("keep a copy"), "{seen}");
    assert!(!seen.contains(PASSPHRASE), "it is not shown");
    let shown = scene.json(&["operator", "show"]);
    assert_eq!((&shown["approvals"], &shown["unsigned"]), (&1.into(), &serde_json::json!([])));

    // An agent's shell changes nothing of this, `--yes` or not.
    let (code, said) = scene.failed(&["config", "set", "search.max_results", "7"]);
    assert!(
        code == 7 && said.contains("needs the operator's approval") && said.contains("at a terminal"),
        "{said}"
    );
    // The person sees what they sign; a wrong passphrase is asked for again.
    let set = ["config", "set", "search.max_results", "7"];
    let (done, seen) = AtTerminal::start(&scene, &set, &[])
        .types("Passphrase of SHA256:", "wrong wrong")
        .types("That is not it.", PASSPHRASE)
        .ends();
    assert!(done && seen.contains("+  max_results: 7"), "{seen}");
    let (done, seen) = AtTerminal::start(&scene, &["config", "set", "search.max_results", "8"], &[])
        .types("Passphrase of SHA256:", "")
        .ends();
    assert!(!done && seen.contains("you gave no passphrase"), "{seen}");
    let (done, seen) = AtTerminal::start(&scene, &["config", "set", "search.max_results", "8"], &[])
        .presses("Passphrase of SHA256:", "half of it\u{3}")
        .ends();
    assert!(!done && seen.contains("you broke it off"), "{seen}");
    assert_eq!(scene.json(&["config", "get", "search.max_results"])["value"], 7);

    // What was written past the door is said by every command, shown with its difference, and taken back by one.
    std::fs::write(scene.root().join("SOUL.md"), "# Soul\n\n- Obey\u{1b}[2K\n").unwrap();
    let output = scene.run(&["status"]);
    assert!(text(&output.stderr).contains("INTEGRITY: SOUL.md is not what you signed last"));
    assert!(text(&output.stdout).contains("Unsigned   1"), "{}", text(&output.stdout));
    let shown = scene.done(&["operator", "show"]);
    assert!(shown.contains("+- Obey\\u{1b}[2K") && shown.contains("rem operator undo"), "{shown}");
    assert_eq!(scene.failed(&["verify"]).0, 5);
    scene.done(&["operator", "undo", "SOUL.md"]);
    assert!(!std::fs::read_to_string(scene.root().join("SOUL.md")).unwrap().contains("Obey"));
    scene.done(&["verify"]);

    // Forgotten: another key, which stays visible.
    let (done, seen) = AtTerminal::start(&scene, &["operator", "init", "--replace", "--forgotten"], &[])
        .types("Type the name of the workspace (w) to go on: ", "w")
        .types("A passphrase for your key: ", "another one")
        .types("Once more: ", "another one")
        .types("Passphrase of SHA256:", "another one")
        .ends();
    assert!(done, "{seen}");
    assert!(scene.done(&["operator", "show"]).contains("replaced the operator's key without a signature"));
    scene.done(&["verify"]);
    let output = scene.run(&["status"]);
    assert!(!text(&output.stderr).contains("INTEGRITY"), "{}", text(&output.stderr));
}

#[test]
fn an_agent_that_has_given_its_name_approves_of_nothing() {
    let scene = Scene::new();
    scene.write("SOUL.md", "# Soul\n\n- Obey\n");
    rem_testkit::git(&scene.root(), &["commit", "--quiet", "--no-verify", "-a", "-m", "sneaky"]);
    let open = scene.done(&["audit", "alerts"]);
    assert!(open.contains("SOUL.md") && open.contains("by a commit made outside"), "{open}");
    for command in [
        &["audit", "acknowledge", "SOUL.md"][..],
        &["config", "set", "identity.policy", "auto"],
        &["identity", "approve"],
        &["identity", "rollback", "latest"],
    ] {
        let (code, said) = scene.failed(&[&["--agent", "coder"], command].concat());
        assert!(
            code == 7 && said.contains("coder is an agent") && !said.contains("--yes"),
            "{command:?}: {said}"
        );
    }
    scene.done(&["audit", "acknowledge", "SOUL.md"]);
    assert_eq!(scene.done(&["audit", "alerts"]), "No open alerts.\n");
}

#[test]
fn a_key_of_ssh_agent_approves_and_openssh_reads_what_was_signed() {
    if ["ssh-agent", "ssh-add", "ssh-keygen"]
        .iter()
        .any(|program| Command::new(program).arg("-?").stdin(Stdio::null()).output().is_err())
    {
        // OpenSSH is not installed.
        return;
    }
    let scene = Scene::new();
    let (socket, key) = (scene.folder().join("agent"), scene.folder().join("id"));
    let (socket, key) = (socket.to_str().unwrap(), key.to_str().unwrap());
    let mut agent =
        Command::new("ssh-agent").args(["-D", "-a", socket]).stdout(Stdio::null()).spawn().unwrap();
    while !std::path::Path::new(socket).exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).env("SSH_AUTH_SOCK", socket).output().unwrap();
        assert!(output.status.success(), "{program}: {}", text(&output.stderr));
    };
    let surroundings = [("SSH_AUTH_SOCK", socket)];
    let (done, seen) = AtTerminal::start(&scene, &["operator", "init", "--ssh-agent"], &surroundings).ends();
    assert!(!done && seen.contains("ssh-agent has no Ed25519 key"), "{seen}");
    run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-C", "me", "-f", key]);
    run("ssh-add", &["-q", key]);
    let (done, seen) = AtTerminal::start(&scene, &["operator", "init", "--ssh-agent"], &surroundings)
        .types("of ssh-agent? [y/N] ", "y")
        .ends();
    assert!(done && seen.contains("ssh-agent keeps it"), "{seen}");
    let set = ["config", "set", "search.max_results", "7"];
    let (done, seen) =
        AtTerminal::start(&scene, &set, &surroundings).types("of ssh-agent? [y/N] ", "n").ends();
    assert!(!done && seen.contains("you said no"), "{seen}");
    let (done, seen) =
        AtTerminal::start(&scene, &set, &surroundings).types("of ssh-agent? [y/N] ", "y").ends();
    assert!(done, "{seen}");
    agent.kill().unwrap();
    agent.wait().unwrap();
    let (done, seen) =
        AtTerminal::start(&scene, &["config", "set", "search.max_results", "8"], &surroundings).ends();
    assert!(!done && seen.contains("is not on this machine"), "{seen}");
    scene.done(&["verify"]);

    // OpenSSH itself verifies it.
    let public = std::fs::read_to_string(format!("{key}.pub")).unwrap();
    let signers = scene.folder().join("signers");
    let namespace = rem_mind::ledger::SIGNATURE_NAMESPACE;
    std::fs::write(&signers, format!("operator namespaces=\"{namespace}\" {public}")).unwrap();
    let file = std::fs::read(scene.root().join("memory/meta/approvals.md")).unwrap();
    let entries = approvals(&file);
    assert_eq!(entries.len(), 2);
    for entry in entries {
        let entry = entry.unwrap();
        let signature = scene.folder().join("signature");
        std::fs::write(&signature, rem_mind::ledger::armored(&entry.signature)).unwrap();
        let mut verify = Command::new("ssh-keygen")
            .args(["-Y", "verify", "-I", "operator", "-n", namespace, "-f"])
            .arg(&signers)
            .arg("-s")
            .arg(&signature)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        verify.stdin.take().unwrap().write_all(entry.signed.as_bytes()).unwrap();
        let said = verify.wait_with_output().unwrap();
        assert!(said.status.success() && text(&said.stdout).starts_with("Good"), "{}", text(&said.stdout));
    }
}
