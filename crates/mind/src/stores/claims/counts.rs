//! How many there are of something that has one size at a time, and what something costs, in the languages whose numbers take a word of what
//! is counted.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::{Claim, about_of, number_of, patterns};
use crate::patterns::Patterns;

/// People, however they are called where they are counted.
const PEOPLE: &str = "people|persons|of us|members|employees|heads|strong|leute|personen|mitarbeiter|mitglieder|명|사람|个人|人|位";

pub(super) static SHAPES: LazyLock<Patterns> = LazyLock::new(|| {
    let number = r"(?P<value>\d+|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zweit|dritt|viert|fünft|sechst|siebt)";
    let shapes = [
        format!(r"(?i)^(?P<we>we|wir)(?:'re| are| have| sind| haben)(?: now| jetzt| nun)?(?: zu)? {number}(?: (?P<thing>{PEOPLE}))?(?: now| jetzt)?$"),
        format!(r"(?i)^there(?:'re| are)(?: now)? {number} (?P<we>of us)(?: now)?$"),
        format!(r"(?i)^(?:the|our|my|das|unser|unsere|die) (?P<about>(?:[\p{{L}}-]+ )?(?:team|company|firma|group|gruppe|crew|club|verein|department|abteilung))(?: is| has| hat| ist| consists of| besteht aus)(?: now| jetzt| nun)? {number} (?P<thing>{PEOPLE})(?: now| jetzt)?$"),
        r"^(?:우리 |저희 )?(?P<about>[가-힣A-Za-z ]{1,20}?)(?:은|는|이|가) (?:이제 |지금은? |현재 )?(?:모두 |총 )?(?P<value>\d+|[두세네]|다섯|여섯|일곱|여덟|아홉|열) ?(?P<thing>명|사람)(?:이야|이에요|예요|입니다|이다|이 됐어|이 되었어|이 있어)?$".to_owned(),
        r"^(?P<about>[가-힣A-Za-z ]{1,20}?)(?:은|는|이|가) (?:이제 |지금은? |현재 )?(?P<per>월|한 달에|연|1년에|하루에)?\s?(?P<value>\d[\d,.]*) ?(?P<thing>원|만 ?원|달러|유로)(?:이야|이에요|예요|입니다|이다|야|다)?$".to_owned(),
        r"^(?P<about>我们|我们团队|团队|我们公司|公司|我们组)(?:现在|目前)?(?:一共|总共|共)?(?:有|是)(?P<value>\d+|[两二三四五六七八九十]) ?(?P<thing>个人|人|位|名(?:成员|员工)?)了?$".to_owned(),
        r"^(?P<about>[\p{Han}A-Za-z]{1,12}?)(?:现在|目前)?(?:的价格)?(?:是|要|卖|为)?(?P<per>每月|一个月|每年|一年)?(?P<value>\d[\d,.]*) ?(?P<thing>元|块钱?|欧元|美元|欧)了?$".to_owned(),
    ];
    patterns("counts", shapes.into())
});

/// How many a text says there are.
pub(super) fn claim(text: &str) -> Option<Claim> {
    let found = SHAPES.find_map(text, |_, found| Some(found))?;
    let value = number(&found["value"])?;
    let is_we = found.name("we").is_some()
        || found.name("about").is_some_and(|about| matches!(about.as_str(), "우리" | "저희" | "我们"));
    let mut about = match found.name("about") {
        Some(about) if !is_we => about_of(about.as_str(), false)?,
        _ => BTreeSet::from(["(we)".to_owned()]),
    };
    let thing = found.name("thing").map_or("people", |thing| thing.as_str());
    let is_people =
        PEOPLE.split('|').any(|people| people.eq_ignore_ascii_case(thing)) || thing.starts_with('名');
    about.insert(if is_people { "(size)".to_owned() } else { format!("(costs {thing})") });
    about.extend(found.name("per").map(|per| per.as_str().to_owned()));
    Some(Claim { about, value, has_more: false, is_loose: false })
}

fn number(text: &str) -> Option<String> {
    const EAST: [&[&str]; 9] = [
        &["두", "两", "二", "zweit"],
        &["세", "三", "dritt"],
        &["네", "四", "viert"],
        &["다섯", "五", "fünft"],
        &["여섯", "六", "sechst"],
        &["일곱", "七", "siebt"],
        &["여덟", "八"],
        &["아홉", "九"],
        &["열", "十"],
    ];
    let text = text.to_lowercase().replace(',', "");
    let east = EAST.iter().position(|words| words.contains(&text.as_str())).map(|at| (at + 2).to_string());
    east.or_else(|| number_of(&text))
}
