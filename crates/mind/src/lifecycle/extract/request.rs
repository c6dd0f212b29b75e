//! Requests to remember that stand around what is to be remembered or point back at it, and what leads into a correction.
//!
//! `points_back`: "please remember this" says nothing itself; the sentence before it is meant. `unwrapped`: the statement inside
//! "내 생일은 5월 3일이라는 걸 기억해 줘". `with_code`: "remember that the build command is:" over a line of code is one sentence.
//! Looks at one message; what the router knows of requests before a statement stays there.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::wordings;
use crate::identity;
use crate::patterns::constant;
use crate::stores::router;
use crate::wording::{Language, Plain};

/// Asks for remembering and says nothing else, in plain form.
static POINTS_BACK: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"^ ?(?:(?:(?:please|pls|so|and|ok|okay|just|always|also|do|can you|could you|will you|would you|you should|,|\.) )*",
        r"(?:(?:remember|don't forget|do not forget|never forget|note|make a note of|save|store|write down|jot down) (?:this|that|it|these|those)(?: one| fact| down)*|(?:keep|bear) (?:this|that|it) in mind|(?:write|note|jot) (?:this|that|it) down|make a note)",
        r"(?: (?:, )?(?:please|pls|ok|okay|for (?:later|me|next time|the future)|too))*",
        r"|(?:(?:bitte|und|also|ok|okay|ja|,) )*(?:(?:merk|merke|notier|notiere|behalt|behalte|speicher|speichere|schreib)(?: (?:es|dir|das|dies|mir|bitte|mal|unbedingt|gut|auf|ab|so|im kopf|im hinterkopf))+|merk's dir|(?:das |dies |bitte )*vergiss (?:das |es |bitte )*nicht|denk (?:bitte )?(?:daran|dran)|(?:(?:das|dies|bitte|unbedingt) )+(?:merken|notieren|behalten|nicht vergessen)|nicht vergessen)(?: ,? ?bitte)?",
        r"|(?:(?:이거|이걸|이건|이것|이것을|이것도|이 점|이 점을|이 점은|이 사실을|그거|그걸|그건|그 점|그 점을|꼭|좀|제발|잘|그리고|아|반드시|,) )*(?:(?:기억|메모|저장|기록|명심)(?:해|하세요|해요|하자|해줘|해둬|해주세요|해두세요|해줘요)?(?: (?:줘|둬|놔|주세요|두세요|줘요|둘래|줄래|주실래요|주십시오))?|잊지 (?:마|마세요|말아|말아요|말아줘|말아 줘|말아 주세요|말 것|마요)|적어 ?(?:둬|줘|놔|주세요|두세요))",
        r"|(?:这一点|这点|这个|这件事|这些)?(?:请|麻烦|帮我|给我|你要|你|一定要|千万|务必|要|也|替我)*(?:记住|记得|记下来|记下|记一下|记着|别忘了|不要忘了|别忘记|不要忘记|牢记|记好|记录一下)(?:这一点|这点|这个|这些|这件事|这事|它|哦|喔|啊|呀|了|一下|下来|吧)*)",
        r"[ .!?~…,:ㅋㅎ]*$"
    ))
});
/// The user says that they will remember, and asks nothing, in plain form.
static PROMISE: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r" (?:i'll|i will|i'm going to|i am going to) (?:[a-z]+ )?(?:(?:keep|bear) (?:[^ ]+ ){1,5}in mind|remember (?:that|this|it|these|those) (?:[,.!]|next|when)) ",
        r"| (?:ich (?:werde|behalte|merke)|(?:merke|behalte) ich) (?:[^ ]+ ){0,4}(?:mir|merken|im (?:kopf|hinterkopf|gedächtnis)) ",
        r"|(?:기억|명심)할게|(?:기억|명심)하겠|我(?:一定)?会(?:记住|记得|记下)|我记(?:住|下)了"
    ))
});
/// The same after a statement: "I can't eat nuts, please remember that".
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?i)\s*[,;，；–—-]\s*(?:(?:so |and )?(?:please )?(?:remember|don't forget|note) (?:this|that|it)|(?:bitte )?merk(?:e)? (?:dir|es dir) das(?: bitte)?|(?:请|千万|一定要)*(?:记住|别忘了|记下来)(?:这一点|这点|哦|了)*)\s*[.!。！]*$",
    )
});
/// A Korean statement inside a request: the end of the statement is its first or second group.
static KOREAN_INSIDE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^(.{3,}?)(?:(이?라)|([가-힣]다))(?:(?:는|란) ?(?:걸|거|것|것을|것도|거를|점|점을|사실|사실을)|고)[ ,]*(?:꼭|좀|잘|반드시|제발|잊지 말고|[ ,])*(?:(?:기억|메모|저장|기록|명심|참고)해 ?(?:줘|둬|놔|줘요|주세요|두세요|주실래요|줄래|둘래)?|잊지 ?(?:마|마세요|말아 ?줘|말아 ?주세요)|적어 ?(?:둬|줘|놔))[\s.!?~]*$",
    )
});
/// A Korean request before a statement.
static KOREAN_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^(?:꼭|좀|이거|이것|이건|이 점|그리고|[ ,])*(?:기억|메모|기록|명심)해 ?(?:줘|둬|놔|줘요|주세요|두세요)? ?[:：,] ?(.{4,})$",
    )
});
/// A Chinese request before what the user says of themselves, without a sign between.
static CHINESE_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^(?:请|麻烦|帮我|你要|一定要|千万|务必)*(?:记住|记得|记一下|记下|别忘了|不要忘了|别忘记)(?:一下)?(?:(?:这一点|这点|这件事|这个)[:：,，] ?)?(我.{3,})$",
    )
});
/// Leads into what is right.
static COMPLAINT: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?i)^(?:(?:no|nope|sorry|wait|oh|hm+|actually|nein|moment|halt|ach|아니야|아니요|아니|잠깐만?|不|等等)[,，.。]? *)*(?:(?:that|this|it|which)(?:'s|’s| is| was) (?:wrong|not right|not correct|not true|incorrect|false|a mistake|outdated|out of date|no longer (?:true|right|correct))|you(?:'re|’re| are) wrong|wrong|correction",
        r"|das (?:ist|war) (?:so )?(?:falsch|nicht richtig|nicht korrekt|ein fehler|veraltet)|das stimmt (?:so )?nicht(?: mehr)?|falsch|korrektur",
        r"|(?:그건|그거|이건|그게|그거는)? ?(?:틀렸(?:어요?|네요?|잖아요?|다)|틀렸습니다|틀려요?|잘못됐어요?|잘못이야|사실이 아니야|사실이 아니에요)|정정",
        r"|(?:这|那|这个|那个)?(?:不对|是错的|错了)|说错了|[你您]?[记搞弄]错了|[你您]错了|更正)",
        r"\s*(?:[:：,，;；]|[–—]| - )\s*"
    ))
});
/// Denies once more.
static NO: LazyLock<Regex> = LazyLock::new(|| {
    constant(r"(?i)^(?:no|nope|actually|nein|아니요?|아니야|아뇨|不|不是)\s*[:：,，;；!！–—]\s*")
});
/// What it is not, after what it is.
static NOT_THIS: LazyLock<Regex> = LazyLock::new(|| {
    constant(r"(?i)\s*[,，]\s*(?:and )?(?:not|nicht|kein\w{0,2}|不是|而不是)\s*[^,，;；]{1,40}?[.!。！]*$")
});
static NOT_THIS_BEFORE: LazyLock<Regex> = LazyLock::new(|| constant(r"\S+(?:이|가) 아니라,? "));
/// One figure and not another: nobody who says so teaches the difference.
static NOT_THAT_FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?i)\d[^\s,，]*\s*[,，]\s*(?:and )?(?:not|nicht|不是|而不是)\s*[^\s,，]*\d[^\s,，]*$|\d[^\s,，]*(?:이|가) 아니라,? \S*\d",
    )
});
/// Says of what follows that it was learned.
static LESSON: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?i)^(?:lessons? ?(?:learned|learnt)?|lektion(?: gelernt)?|lehre(?: daraus)?|gelernt|교훈|배운 점|教训|经验教训) ?[:：]",
    )
});

/// Whether a sentence in plain form only asks for remembering what was said before it.
pub(super) fn points_back(plain: &str) -> bool {
    POINTS_BACK.is_match(plain)
}

/// Whether a sentence is headed as a lesson.
pub(super) fn is_headed_lesson(text: &str) -> bool {
    LESSON.is_match(text)
}

/// The statement that stands inside a request, where it has to be taken out of it.
pub(super) fn unwrapped(text: &str, language: Language) -> Option<String> {
    if let Some(tail) = TAIL.find(text).filter(|tail| text[..tail.start()].chars().nth(5).is_some()) {
        return Some(text[..tail.start()].to_owned());
    }
    match language {
        Language::English => None,
        Language::German => verb_second(text),
        Language::Korean => korean(text),
        Language::Chinese => CHINESE_BEFORE.captures(text).map(|found| found[1].to_owned()),
    }
}

fn korean(text: &str) -> Option<String> {
    if let Some(found) = KOREAN_BEFORE.captures(text) {
        return Some(found[1].to_owned());
    }
    let found = KOREAN_INSIDE.captures(text)?;
    let said = &found[1];
    let end = match (found.get(2), found.get(3)) {
        (Some(copula), _) if copula.as_str() == "이라" => "이다",
        (Some(_), _) if !said.ends_with(|sign: char| ('가'..='힣').contains(&sign)) => "이다",
        (Some(_), _) => "다",
        (_, ending) => ending?.as_str(),
    };
    Some(format!("{said}{end}"))
}

/// Prefixes that leave a German verb when it moves.
const SEPARABLE: [&str; 20] = [
    "ab", "an", "auf", "aus", "bei", "ein", "fern", "fest", "her", "hin", "los", "mit", "nach", "teil", "um",
    "vor", "weg", "weiter", "zu", "zurück",
];

/// "Merk dir, dass ich bei Siemens arbeite" is "Ich arbeite bei Siemens".
fn verb_second(text: &str) -> Option<String> {
    let plain = Plain::of(text);
    let after = wordings::after_request(&plain.text, Language::German).and_then(|after| plain.origin(after));
    let rest = after.map_or_else(|| router::without_request(text), |after| &text[after..]);
    let asked = &text[..text.len() - rest.len()];
    let said = rest.trim_end_matches(['.', '!', '?', ' ']);
    let words: Vec<&str> = said.split_whitespace().collect();
    let [first, middle @ .., verb] = &words[..] else { return None };
    let is_clause = asked.trim_end().ends_with("dass") && *first == "ich" && !middle.is_empty();
    let is_verb = verb.chars().all(char::is_lowercase)
        && !SEPARABLE.iter().any(|prefix| verb.strip_prefix(prefix).is_some_and(|rest| rest.len() > 2));
    let is_one =
        !said.contains([',', ';', ':']) && !middle.iter().any(|word| matches!(*word, "und" | "oder"));
    (is_clause && is_verb && is_one).then(|| format!("Ich {verb} {}", middle.join(" ")))
}

/// Whether a sentence says that what was said or noted is wrong, and nothing else.
pub(super) fn is_complaint(text: &str) -> bool {
    let sentence = text.trim_end().trim_end_matches(['.', '!', '。', '！', '~']);
    COMPLAINT.find(&format!("{sentence},")).is_some_and(|found| found.end() > sentence.len())
}

/// What is right, after words that say that something was wrong, once or more; nothing where a sentence does not begin with those. Of "not this
/// but that" it is that.
pub(super) fn corrected(text: &str) -> Option<String> {
    let Some(first) = COMPLAINT.find(text) else {
        return NO.find(text).and_then(|no| identity::said_instead(&text[no.end()..]));
    };
    let mut right = &text[first.end()..];
    while let Some(next) = COMPLAINT.find(right).or_else(|| NO.find(right)) {
        right = &right[next.end()..];
    }
    if let Some(instead) = identity::said_instead(right) {
        return Some(instead);
    }
    let right = NOT_THIS.replace(right, "");
    let right = NOT_THIS_BEFORE.replace(&right, "");
    (right.chars().count() > 3).then(|| right.into_owned())
}

/// What is right of a sentence that tells one figure from another ("the port is 6000, not 5433").
pub(super) fn right_figure(text: &str) -> Option<String> {
    let said = NO.find(text).map_or(text, |no| &text[no.end()..]);
    let sentence = said.trim_end_matches(['.', '!', '。', '！', ' ']);
    NOT_THAT_FIGURE.is_match(sentence).then(|| {
        let right = NOT_THIS.replace(sentence, "");
        NOT_THIS_BEFORE.replace(&right, "").into_owned()
    })
}

/// A line of code in a fence is no longer than this where it ends a sentence.
const LONGEST_CODE: usize = 160;

/// The message with the only line of a fence put after the request that it completes: "remember that the build command is:". Lines
/// keep their numbers.
pub(super) fn with_code(text: &str) -> Cow<'_, str> {
    if !text.contains("```") {
        return Cow::Borrowed(text);
    }
    let mut lines: Vec<Cow<'_, str>> = text.split('\n').map(Cow::Borrowed).collect();
    let mut at = 0;
    while at + 1 < lines.len() {
        let open = (at + 1..lines.len()).find(|next| !lines[*next].trim().is_empty());
        let asks =
            open.filter(|open| lines[*open].trim_start().starts_with("```") && asks_for_next(&lines[at]));
        let Some(open) = asks else {
            at += 1;
            continue;
        };
        let close =
            (open + 1..lines.len()).find(|end| lines[*end].trim() == "```").unwrap_or(lines.len() - 1);
        if let [code] = &lines[open + 1..close]
            && (1..=LONGEST_CODE).contains(&code.trim().len())
            && !code.contains('`')
        {
            lines[at] = Cow::Owned(format!("{} `{}`", lines[at].trim_end(), code.trim()));
            lines[open..=close].fill(Cow::Borrowed(""));
        }
        at = close + 1;
    }
    Cow::Owned(lines.join("\n"))
}

/// Whether the last sentence of a line asks for remembering what follows the line.
fn asks_for_next(line: &str) -> bool {
    let line = line.trim();
    let last = line.rsplit(['.', '!', '?', '。']).next().unwrap_or_default().trim();
    line.ends_with([':', '：']) && router::without_request(last) != last
}

/// Whether the user only says that they will remember: "I'll keep that in mind".
pub(super) fn is_promise(plain: &str) -> bool {
    PROMISE.is_match(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_points_back_is_told_from_one_that_says_something() {
        for text in [
            "Please remember this.",
            "Remember that!",
            "Keep that in mind, please.",
            "Bitte merk dir das.",
            "Vergiss das bitte nicht.",
            "꼭 기억해 주세요.",
            "이거 잊지 마!",
            "请记住这一点。",
            "别忘了哦",
        ] {
            assert!(points_back(&Plain::of(text).text), "{text}");
        }
        for text in [
            "Remember that I work at Siemens.",
            "Remember this book?",
            "Merk dir das Datum der Feier.",
            "내 생일을 기억해 줘.",
            "기억해 줘: 빨간 선은 A 포트에 연결해야 해.",
            "请记住我对花生过敏。",
            "Note it in the changelog.",
        ] {
            assert!(!points_back(&Plain::of(text).text), "{text}");
        }
    }

    #[test]
    fn a_statement_is_taken_out_of_the_request_around_it() {
        for (text, language, statement) in [
            ("내 생일은 5월 3일이라는 걸 기억해 줘.", Language::Korean, Some("내 생일은 5월 3일이다")),
            ("내 차 번호는 1234라는 것을 기억해 줘", Language::Korean, Some("내 차 번호는 1234이다")),
            ("나는 녹차를 좋아한다는 걸 꼭 기억해 주세요.", Language::Korean, Some("나는 녹차를 좋아한다")),
            (
                "기억해 줘: 빨간 선은 A 포트에 연결해야 해.",
                Language::Korean,
                Some("빨간 선은 A 포트에 연결해야 해."),
            ),
            ("내 생일을 기억해?", Language::Korean, None),
            (
                "Merke dir bitte, dass ich bei Siemens arbeite.",
                Language::German,
                Some("Ich arbeite bei Siemens"),
            ),
            ("Merk dir, dass ich früh aufstehe.", Language::German, None),
            ("Merk dir, dass ich Tee mag und Kaffee hasse.", Language::German, None),
            ("Ich weiß, dass ich bei Siemens arbeite.", Language::German, None),
            ("请记住我对花生过敏。", Language::Chinese, Some("我对花生过敏。")),
            ("I can't eat nuts, please remember that.", Language::English, Some("I can't eat nuts")),
            ("Remember that I can't eat nuts.", Language::English, None),
        ] {
            assert_eq!(unwrapped(text, language).as_deref(), statement, "{text}");
        }
    }

    #[test]
    fn what_is_right_is_left_of_a_correction() {
        for (text, right) in [
            (
                "That's wrong: the staging server is called harbor-2, not harbor-1.",
                Some("the staging server is called harbor-2"),
            ),
            (
                "Das stimmt nicht, der Server heißt harbor-2, nicht harbor-1.",
                Some("der Server heißt harbor-2"),
            ),
            (
                "그건 틀렸어, 스테이징 서버는 harbor-1이 아니라 harbor-2야.",
                Some("스테이징 서버는 harbor-2야"),
            ),
            ("不对,测试服务器叫harbor-2,不是harbor-1。", Some("测试服务器叫harbor-2")),
            ("不对，测试端口是6000，不是5433。", Some("测试端口是6000")),
            ("不对,错了:张伟住在北京。", Some("张伟住在北京。")),
            ("不,你搞错了:张伟住在北京。", Some("张伟住在北京。")),
            ("아니, 틀렸어: 미라는 부산에 살아.", Some("미라는 부산에 살아.")),
            ("틀렸어, 그건 잘못됐어: 미라는 부산에 살아.", Some("미라는 부산에 살아.")),
            ("Nein, falsch, das stimmt nicht: Mira wohnt in Ulm.", Some("Mira wohnt in Ulm.")),
            ("No, wrong, no: Mira lives in Ulm.", Some("Mira lives in Ulm.")),
            ("No, that's wrong: Mira doesn't work at Bosch, she works at Audi.", Some("Mira works at Audi")),
            (
                "Nein, falsch: Mira arbeitet nicht bei Bosch, sondern bei Audi.",
                Some("Mira arbeitet bei Audi"),
            ),
            ("틀렸어: 미라는 보쉬에 안 살아, 아우디에 살아.", Some("미라는 아우디에 살아")),
            ("不对，错了：米拉不住在乌尔姆，她住在波恩。", Some("米拉住在波恩")),
            ("No, Mira doesn't work at Bosch, she works at Audi.", Some("Mira works at Audi")),
            ("Nein, Mira arbeitet nicht bei Bosch, sondern bei Audi.", Some("Mira arbeitet bei Audi")),
            ("아니, 미라는 울름에 안 살아, 본에 살아.", Some("미라는 본에 살아")),
            ("不，米拉不住在乌尔姆，她住在波恩。", Some("米拉住在波恩")),
            ("No, we don't deploy on Fridays.", None),
            ("That's wrong.", None),
            ("The staging server is called harbor-2, not harbor-1.", None),
        ] {
            assert_eq!(corrected(text).as_deref(), right, "{text}");
        }
    }

    #[test]
    fn of_one_figure_and_not_another_the_right_one_is_left() {
        for (text, right) in [
            ("No, the staging port is 6000, not 5433.", Some("the staging port is 6000")),
            ("Der Staging-Port ist 6000, nicht 5433.", Some("Der Staging-Port ist 6000")),
            ("스테이징 포트는 5433이 아니라 6000이에요.", Some("스테이징 포트는 6000이에요")),
            ("测试端口是6000，不是5433。", Some("测试端口是6000")),
            (
                "The staging server is called harbor-2, not harbor-1.",
                Some("The staging server is called harbor-2"),
            ),
            ("The build takes 20 minutes, not the tests.", None),
            ("The staging server is called Otter, not Beaver.", None),
        ] {
            assert_eq!(right_figure(text).as_deref(), right, "{text}");
        }
    }

    #[test]
    fn a_line_of_code_ends_the_request_above_it() {
        let text = "Remember that the build command is:\n\n```sh\nmake -j4 all\n```\nthanks";
        assert_eq!(with_code(text), "Remember that the build command is: `make -j4 all`\n\n\n\n\nthanks");
        for other in ["Run this:\n```\nmake\n```", "Remember that it is:\n```\na\nb\n```"] {
            assert_eq!(with_code(other), other);
        }
    }
}
