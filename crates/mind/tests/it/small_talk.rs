//! What is said in a talk and holds only there is nobody's memory; what is decided plainly is one, however briefly it is said.

use rem_mind::lifecycle::extract::{ExtractionKind, extract};

use crate::extracting::talk;

/// What is taken of a message besides the journal: kinds and texts.
fn found(message: &str) -> Vec<(ExtractionKind, String)> {
    let all = extract(&talk(&[message, "I see.", "ok"])).into_iter();
    let all = all.filter(|each| each.kind != ExtractionKind::Journal);
    all.map(|each| (each.kind, each.text)).collect()
}

#[test]
fn what_is_thought_or_planned_of_the_talk_alone_is_not_kept() {
    for message in [
        "I'm curious about the beginner classes at the pottery studio.",
        "I'm looking for some advice on repotting an old ficus.",
        "I'd love to learn more about the history of tide mills.",
        "I'll definitely keep those points in mind.",
        "I think I'll check out the second museum you mentioned.",
        "It's fascinating that bees can count to four.",
        "I appreciate the long explanation.",
        "I'll bear your advice in mind when I choose a kiln.",
        "I want you to be concise in this reply.",
        "Ich bin gespannt auf deine Vorschläge.",
        "Ich suche ein paar Tipps für den Umzug.",
        "Das ist wirklich spannend, dass Bienen zählen können.",
        "Bitte fasse dich in dieser Antwort kurz.",
        "도자기 수업이 어떤지 궁금해요.",
        "말씀하신 두 번째 박물관을 찾아볼게요.",
        "이번 답변은 짧게 해 주세요.",
        "我很好奇这种茶是怎么做的。",
        "我会试试你说的第二家博物馆。",
        "这次回答请简短一点。",
    ] {
        assert_eq!(found(message), [], "{message}");
    }
}

#[test]
fn what_holds_beyond_the_talk_is_kept() {
    for message in [
        "I'm allergic to penicillin.",
        "My sister Carla is a vet in Ulm.",
        "Remember that I'm curious about tide mills.",
        "From now on please answer in German.",
        "Lesson learned: I should never water the ficus twice a week.",
        "Ich bin allergisch gegen Penicillin.",
        "저는 페니실린 알레르기가 있어요.",
        "我对青霉素过敏。",
    ] {
        assert_ne!(found(message), [], "{message}");
    }
}

#[test]
fn what_is_decided_plainly_is_a_decision() {
    for message in [
        "We changed the roofer: Hallman instead of Petri.",
        "We've switched our payroll from Abacus to Datev.",
        "From now on we rehearse on Wednesdays.",
        "We agreed on the larger tent for the summer party.",
        "We're replacing the print edition with a newsletter.",
        "Ab jetzt proben wir mittwochs.",
        "Wir haben den Dachdecker gewechselt: Hallmann statt Petri.",
        "Wir haben beschlossen, das Lager in Neuss zu schließen.",
        "Künftig tagt unser Vorstand alle zwei Wochen.",
        "연습은 수요일에 하기로 했습니다.",
        "여름 축제에는 큰 천막을 쓰기로 결정했어요.",
        "급여 프로그램을 더존으로 바꿨습니다.",
        "我们决定用大帐篷办夏日聚会。",
        "我们把屋顶工换成了老周。",
        "以后我们每周三排练。",
    ] {
        let found = found(message);
        assert!(found.iter().any(|each| each.0 == ExtractionKind::Decision), "{message}: {found:?}");
    }
}

#[test]
fn what_only_sounds_like_a_decision_is_none() {
    for message in [
        "We changed the tyre and drove on.",
        "He changed the subject instead of answering.",
        "From now on it only gets colder.",
        "We moved the sofa to the wall.",
        "Did we decide to use the large tent?",
        "We have not decided on a tent yet.",
        "They decided to close the bakery.",
        "Wir haben das Thema gewechselt.",
        "Ab jetzt wird es wärmer.",
        "Wir haben noch nichts entschieden.",
        "천막을 쓰기로 했어요?",
        "아직 결정하지 못했어요.",
        "他们决定关掉面包店。",
        "我们还没决定用哪个帐篷。",
        "要不要换成大帐篷？",
        "我的朋友决定辞职。",
    ] {
        let found = found(message);
        assert!(found.iter().all(|each| each.0 != ExtractionKind::Decision), "{message}: {found:?}");
    }
}
