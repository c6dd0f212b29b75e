//! What is invented: a tale of the user's own, and a role that they play. Nothing in it is so.
//!
//! A tale ends with its message; a game goes on until somebody says that it is over.

use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::constant;

/// Where a tale begins: "my story:", "in my novel, the hero says".
static TALE: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?i)\b(?:(?:novel|short story|story|tale|screenplay|fan ?fic(?:tion)?|script|comic|scene|chapter|campaign|song|poem|lyrics|joke)\b(?:[^.!?\n]{0,40}[:：]|[^.!?\n]{0,40}\b(?:hero|heroine|protagonist|villain|character|narrator|wizard|knight|king|queen|detective|dragon|he|she|they)\b[^.!?\n]{0,20}\b(?:says?|said|thinks?|tells?|decides?|lives?)\b)",
        r"|(?:the |my |our )?(?:hero|heroine|protagonist|villain|narrator|wizard|knight|dragon|main character) (?:says?|said|thinks?|shouts?|tells?|decides?)\b",
        r"|(?:roman|geschichte|märchen|drehbuch|kapitel|szene|gedicht|lied|witz)\b(?:[^.!?\n]{0,40}[:：]|[^.!?\n]{0,40}\b(?:held|heldin|figur|hauptfigur|zauberer|ritter|könig|königin|kommissar\w*|drache)\b)",
        r"|(?:held|heldin|hauptfigur|zauberer|ritter|drache) (?:sagt|denkt|ruft|beschließt)\b)",
        r"|(?:소설|동화|시나리오|대본|이야기)[^.!?\n]{0,20}(?:주인공|등장인물|마법사|기사|용사|악당|[:：])|(?:주인공|마법사|용사)[이가은는] [^.!?\n]{0,20}(?:말|생각)",
        r"|(?:小说|故事|童话|剧本|台词)[^。！？\n]{0,16}(?:主人公|主角|人物|角色|英雄|巫师|骑士|[:：])|(?:主人公|主角|巫师|骑士|英雄)(?:说|想|喊)"
    ))
});
/// Where a game of roles begins.
static PLAY: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?i)\b(?:role[- ]?play(?:ing)?|text adventure|dungeon master|d&d|dnd)\b|\blet(?:'s|’s| us) (?:pretend|imagine|play (?:a |an |some |pretend|that|cops))",
        r"|\b(?:pretend|imagine) (?:that )?(?:i'm|i’m|i am|you're|you’re|you are|we're|we’re|we are)\b|\bi(?:'ll|’ll| will)? (?:be|play) (?:the|a|an) (?:pirate|wizard|knight|king|queen|detective|dragon|villain|hero|captain|customer|patient|elf|thief)\b",
        r"|\brollenspiel\b|\bstell dir vor,? (?:ich bin|du bist|wir (?:sind|wären)|ich wäre|du wärst)|\b(?:tun wir|tu) (?:mal )?so,? als\b|\blass uns (?:ein spiel )?(?:so tun|spielen)\b",
        r"|역할극|롤플레이|상황극|역할 ?놀이|(?:이라고|라고|인|한|하는) 척 ?(?:하|해)|角色扮演|(?:我|你)(?:来|们)?扮演|假装(?:我|你)|(?:咱们|我们)(?:来)?玩"
    ))
});
/// Where it is over.
static OVER: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?i)\b(?:out of character|ooc|(?:end of|enough|stop|end|quit|leave|done with|over with) (?:the |this |with the |of the )?(?:game|role[- ]?play(?:ing)?|pretending|story)|back to (?:reality|work|business|normal|the real)|game over|in real life|seriously now)\b",
        r"|\b(?:spiel|rollenspiel) (?:ist )?(?:zu ende|beendet|vorbei|aus)\b|\bgenug gespielt\b|\bzurück zur (?:arbeit|realität|sache)|\bim ernst jetzt\b",
        r"|(?:역할극|게임|롤플레이|상황극)[은는이가을를 ]*(?:끝|그만|종료)|현실로|(?:游戏|角色扮演|扮演)(?:结束|到此)|不玩了|回到(?:现实|正题)|言归正传"
    ))
});

/// Where in a message a tale begins that goes on to its end.
pub(super) fn tale_at(text: &str) -> Option<usize> {
    TALE.find(text).map(|found| found.start())
}

/// Whether a game of roles goes on after a message, where it did or did not before; and whether the message is part of it.
pub(super) fn plays(text: &str, plays: bool) -> (bool, bool) {
    match (plays, OVER.is_match(text)) {
        (true, true) => (false, false),
        (true, false) => (true, true),
        (false, _) => {
            let begins = PLAY.is_match(text);
            (begins, begins)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tales_and_games_are_told_from_talk_of_them() {
        for text in [
            "In my novel, the hero says: I live in Mordor. We decided that he dies.",
            "My story: the wizard says we decided to attack at dawn. I live in the Black Tower.",
            "In meinem Roman sagt der Held: Ich wohne in Mordor.",
            "내 소설에서 주인공이 말한다: 나는 모르도르에 산다.",
            "我的小说里主人公说：我住在魔都。",
        ] {
            assert!(tale_at(text).is_some(), "{text}");
        }
        for text in [
            "My novel is due in May, and my editor is called Ruth.",
            "I live in Mordor Street and write novels.",
            "Mein Roman erscheint im Mai.",
            "소설을 쓰고 있어.",
            "我在写小说。",
            "The story behind this port is short.",
            "My sister tells stories.",
        ] {
            assert_eq!(tale_at(text), None, "{text}");
            assert_eq!(plays(text, false), (false, false), "{text}");
        }
        for text in [
            "Let's role-play: you are a pirate, I am Captain Blood.",
            "Pretend I'm a customer.",
            "Stell dir vor, ich bin ein Pirat.",
            "역할극 하자. 나는 해적이야.",
            "我们来角色扮演，我是海盗。",
        ] {
            assert_eq!(plays(text, false), (true, true), "{text}");
        }
        assert_eq!(plays("I live on the ship.", true), (true, true));
        assert_eq!(plays("OK, enough of the game. I live in Bonn.", true), (false, false));
    }
}
