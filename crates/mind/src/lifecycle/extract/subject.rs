//! Of whom a sentence speaks by its own words: "I" and "my" are always the user, and what has a subject of its own does not go on
//! with whoever was named before.
//!
//! Looks at the plain form of one sentence. Must not know what was said before (`context` does).

use crate::wording::{Language, contains};

/// Words that make the user the subject, wherever they stand.
const KOREAN_SUBJECTS: &str = " 나는 난 나도 나만 나 내가 나의 저는 저도 저만 제가 저의 저희는 저희가 저희도 우리는 우리가 우린 나한테는 나한텐 나에게는 나에겐 \
    저한테는 저한텐 저에게는 저에겐 내게는 ";
const KOREAN_OWNERS: &str = " 내 제 나의 저의 저희 우리 ";
/// After these Chinese words "I" is no subject: "helps me", "taller than me".
const CHINESE_BEFORE_OBJECTS: &str = "帮给教对跟和是在陪替比让找为向从于把被与像等带送借离离催劝骗爱";
/// Between an owner and what is owned there are no more words.
const OWNED: usize = 3;

/// Whether a Korean or Chinese sentence says itself whom it is about, so that nobody named before is meant.
pub(super) fn has_own_subject(plain: &str, language: Language) -> bool {
    match language {
        Language::English | Language::German => true,
        Language::Korean => korean_subject(plain),
        Language::Chinese => chinese_subjects(plain).next().is_some(),
    }
}

/// Words that stand for what was spoken of before.
const POINTING: &str = " it it's its it'd that's they they're she she's he he's es er sie ";

/// Whether a sentence says what it is about, rather than pointing at it or leaving it out.
pub(super) fn is_told(plain: &str, language: Language) -> bool {
    let mut words = plain.split_ascii_whitespace().filter(|word| is_word(word));
    match language {
        Language::English | Language::German => words.next().is_some_and(|word| !contains(POINTING, word)),
        Language::Korean => {
            korean_subject(plain) || words.any(|word| word.ends_with(['은', '는', '이', '가', '도']))
        }
        Language::Chinese => {
            !plain.trim_start().starts_with(['是', '他', '她', '它', '这', '那', '在', '住'])
        }
    }
}

fn korean_subject(plain: &str) -> bool {
    let words: Vec<&str> = plain.split_ascii_whitespace().filter(|word| is_word(word)).collect();
    let owns_subject = |at: usize| {
        contains(KOREAN_OWNERS, words[at])
            && words
                .iter()
                .skip(at + 1)
                .take(OWNED)
                .any(|word| word.ends_with(['은', '는', '이', '가', '도']))
    };
    // "전" is "before" elsewhere.
    words.first() == Some(&"전")
        || (0..words.len()).any(|at| contains(KOREAN_SUBJECTS, words[at]) || owns_subject(at))
}

/// Where "I" stands as a subject or an owner.
fn chinese_subjects(plain: &str) -> impl Iterator<Item = usize> {
    plain.match_indices(['我', '咱']).map(|found| found.0).filter(|at| {
        let mut before = plain[..*at].chars().rev();
        match before.next() {
            // "lives next to me", but not "remember that I".
            Some('住') => before.next() == Some('记'),
            Some(sign) => !CHINESE_BEFORE_OBJECTS.contains(sign),
            None => true,
        }
    })
}

fn is_word(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

/// Whether a sentence, after a request to remember it, begins with "I": the user and nobody else is the subject.
pub(super) fn begins_with_user(plain: &str, language: Language) -> bool {
    let mut words = plain.split_ascii_whitespace().filter(|word| is_word(word));
    let first = words.next().unwrap_or_default();
    match language {
        Language::English => contains(" i i'm i've i'll i'd im ", first),
        Language::German => first == "ich",
        Language::Korean => contains(KOREAN_SUBJECTS, first),
        Language::Chinese => {
            let text = plain.trim_start();
            text.starts_with('我') && !text.starts_with("我的") && !text.starts_with("我家")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_of_its_own_is_told_from_me_as_an_object() {
        for (plain, language, is_own) in [
            (" 请记住我对花生过敏 . ", Language::Chinese, true),
            (" 我住在上海 , 有两个孩子 . ", Language::Chinese, true),
            (" 在我们公司当会计 . ", Language::Chinese, false),
            (" 帮我管账 . ", Language::Chinese, false),
            (" 住我家隔壁 . ", Language::Chinese, false),
            (" 不吃海鲜 . ", Language::Chinese, false),
            (" 저는 서울에서 변호사로 일해요 . ", Language::Korean, true),
            (" 내 생일은 5월 3일이다 . ", Language::Korean, true),
            (" 제 남동생은 축구를 좋아해요 . ", Language::Korean, true),
            (" 매운 걸 못 먹어요 . ", Language::Korean, false),
            (" 제 아내예요 . ", Language::Korean, false),
            (" 우리 회사에서 일해요 . ", Language::Korean, false),
            (" 저에게 피아노를 가르쳐요 . ", Language::Korean, false),
        ] {
            assert_eq!(has_own_subject(plain, language), is_own, "{plain}");
        }
    }
}
