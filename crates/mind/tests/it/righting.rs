//! Corrections of what the agent has just said, and what is kept of them afterwards.

use jiff::SignedDuration;
use rem_format::transcript::Role;
use rem_mind::Memory;
use rem_mind::attention::Observation;
use rem_mind::attention::topics::Nobody;
use rem_mind::identity::Verdict;
use rem_mind::lifecycle::mine::MineRequest;
use rem_mind::transcripts::SessionEnd;
use rem_testkit::{Workspace, machine_time};

use crate::support::{believing, talk};

fn observe(memory: &Memory, session: &str, role: Role, text: &str) -> Option<String> {
    let observed = memory.observe(&Observation::new(session, role, text), &Nobody, machine_time()).unwrap();
    let correction = observed.correction.filter(|correction| correction.verdict == Verdict::Corrected)?;
    correction.right
}

#[test]
fn what_the_agent_has_just_said_wrongly_is_put_right_in_few_words() {
    for (said, message, right) in [
        ("会议在星期一。", "错了,会议在星期六。", "会议在星期六"),
        ("发布会在三月五日。", "不对,发布会在三月八日。", "发布会在三月八日"),
        ("您的妹妹住在上海。", "不对,我妹妹住在广州。", "我妹妹住在广州"),
        ("张伟住在上海。", "不对,他住在广州。", "张伟住在广州"),
        ("服务器的端口是8080。", "错了,是9090。", "服务器的端口是9090"),
        ("서버 포트는 8080입니다.", "틀렸어, 9090이야.", "서버 포트는 9090입니다"),
        ("Ihr Zug fährt um 8 Uhr.", "Nein, der Zug fährt um 9 Uhr.", "der Zug fährt um 9 Uhr"),
        ("Jonas ist 34 Jahre alt.", "Nein, er ist 36.", "Jonas ist 36 Jahre alt"),
        ("The meeting is on Monday.", "No, the meeting is on Saturday.", "the meeting is on Saturday"),
    ] {
        let workspace = Workspace::new();
        observe(workspace.memory(), "s", Role::Agent, said);
        assert_eq!(
            observe(workspace.memory(), "s", Role::User, message).as_deref(),
            Some(right),
            "{said} {message}"
        );
    }
    for (said, message) in [
        ("会议在星期一。", "不对,先开灯。"),
        ("张伟住在上海。", "不对,他不知道。"),
        ("我会说英语。", "其实我会说法语。"),
        ("Ihr Zug fährt um 8 Uhr.", "Nein, der Bus fährt um 9 Uhr."),
        ("서버 포트는 8080입니다.", "아니, 3개야."),
    ] {
        let workspace = Workspace::new();
        observe(workspace.memory(), "s", Role::Agent, said);
        assert_eq!(observe(workspace.memory(), "s", Role::User, message), None, "{said} {message}");
    }
}

#[test]
fn of_not_this_but_that_the_right_half_is_kept_and_the_next_correction_ends_it() {
    for (first, second, old, new) in [
        (
            "No, that's wrong: Mira doesn't work at Bosch, she works at Audi.",
            "No, wrong: Mira works at BMW.",
            "Mira works at Audi",
            "Mira works at BMW",
        ),
        (
            "Nein, das ist falsch: Mira wohnt nicht in Ulm, sie wohnt in Bonn.",
            "Nein, falsch: Mira wohnt in Kiel.",
            "Mira wohnt in Bonn",
            "Mira wohnt in Kiel",
        ),
        (
            "不对，错了：米拉不住在乌尔姆，她住在波恩。",
            "错了：米拉住在基尔。",
            "米拉住在波恩",
            "米拉住在基尔",
        ),
    ] {
        let workspace = believing(Workspace::new());
        for (session, said) in [("s1", first), ("s2", second)] {
            observe(workspace.memory(), session, Role::User, said);
            observe(workspace.memory(), session, Role::Agent, "Ok.");
            workspace.memory().end_session(session, &SessionEnd::default()).unwrap();
            workspace.memory().mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
            workspace.advance(SignedDuration::from_hours(24));
        }
        let lines: Vec<String> = workspace
            .files()
            .iter()
            .filter(|(path, _)| path.contains("entities/person") || path.ends_with("facts.md"))
            .flat_map(|(_, bytes)| {
                String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        let current: Vec<&String> = lines
            .iter()
            .filter(|line| line.starts_with("- ") && !line.starts_with("- ~~") && !line.contains("[["))
            .collect();
        assert!(current.iter().any(|line| line.contains(new)), "{lines:#?}");
        assert!(!current.iter().any(|line| line.contains(old)), "{current:#?}");
        assert!(lines.iter().any(|line| line.contains(&format!("~~{old}"))), "{lines:#?}");
    }
}

#[test]
fn words_of_complaint_are_no_part_of_what_is_kept() {
    for (message, kept) in [
        ("不对,错了:张伟住在北京。", "张伟住在北京"),
        ("아니, 틀렸어: 지수는 부산에 살아.", "지수는 부산에 살아"),
        ("Nein, falsch, das stimmt nicht: Jonas wohnt in Ulm.", "Jonas wohnt in Ulm"),
        ("No, that's wrong, no: Jonas lives in Ulm.", "Jonas lives in Ulm"),
    ] {
        let workspace = believing(Workspace::new());
        let said = format!("user: {message}");
        talk(&workspace, "s1", "2026-02-20T09:00:00Z", &["user: Hello!", "agent: Hi.", &said, "agent: Ok."]);
        let outcome = workspace.memory().mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
        let texts: Vec<&str> =
            outcome.mined.iter().flat_map(|mined| &mined.memories).map(|each| each.text.as_str()).collect();
        let stripped = |text: &&str| text.trim_end_matches(['.', '。']) == kept;
        assert!(texts.iter().any(stripped), "{message}: {outcome:#?}");
        let complaints = ["错了", "틀렸", "falsch", "wrong"];
        assert!(!texts.iter().any(|text| complaints.iter().any(|word| text.contains(word))), "{texts:?}");
    }
}
