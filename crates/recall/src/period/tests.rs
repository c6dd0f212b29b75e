use jiff::civil::date;
use proptest::prelude::*;

use super::*;

#[test]
fn what_people_say_is_understood() {
    // A Wednesday.
    let today = date(2026, 3, 18);
    for (text, expected) in [
        ("what happened on 2026-03-02?", "2026-03-02..2026-03-02"),
        ("notes of 2025-12", "2025-12-01..2025-12-31"),
        ("what did we do last week", "2026-03-09..2026-03-15"),
        ("yesterday's meeting", "2026-03-17..2026-03-17"),
        ("the day before yesterday", "2026-03-16..2026-03-16"),
        ("in March 2025", "2025-03-01..2025-03-31"),
        ("in May", "2025-05-01..2025-05-31"),
        ("on March 3rd, 2024", "2024-03-03..2024-03-03"),
        ("7 May 2023", "2023-05-07..2023-05-07"),
        ("what changed 3 weeks ago", "2026-02-23..2026-03-01"),
        ("last Friday", "2026-03-13..2026-03-13"),
        ("trips in 2023", "2023-01-01..2023-12-31"),
        ("was war letzte Woche", "2026-03-09..2026-03-15"),
        ("vor 2 Tagen", "2026-03-16..2026-03-16"),
        ("im März 2025", "2025-03-01..2025-03-31"),
        ("지난주 회의", "2026-03-09..2026-03-15"),
        ("2025년 3월 2일에", "2025-03-02..2025-03-02"),
        ("3일 전에 뭐 했지", "2026-03-15..2026-03-15"),
        ("上个月的计划", "2026-02-01..2026-02-28"),
        ("2025年3月", "2025-03-01..2025-03-31"),
        ("先週の会議", "2026-03-09..2026-03-15"),
    ] {
        let found = period(text, today).map(|(first, last)| format!("{first}..{last}"));
        assert_eq!(found.as_deref(), Some(expected), "{text}");
    }
    for text in [
        "may I march on",
        "what is the port 8080",
        "the lastweek crate",
        "who is Dana",
        "",
        "version 3.1",
        "everything but not in October",
        "nicht im Oktober 2025",
        "10월 말고 언제",
        "除了3月",
    ] {
        assert_eq!(period(text, today), None, "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_breaks_it(text in "(\\PC|[0-9년월일年月日전前 -]|ago|vor|may ){0,20}") {
        if let Some((first, last)) = period(&text, date(2026, 3, 18)) {
            prop_assert!(first <= last);
        }
    }
}

#[test]
fn figures_are_read_as_they_are_written() {
    let today = date(2026, 3, 18);
    for (text, expected) in [
        ("the minutes of 2025-03-05", "2025-03-05..2025-03-05"),
        ("2025/03/05", "2025-03-05..2025-03-05"),
        ("2025.03.05. 회의", "2025-03-05..2025-03-05"),
        ("was war am 05.03.2025?", "2025-03-05..2025-03-05"),
        ("on 5/3/2025", "2025-03-05..2025-03-05"),
        ("on 3/25/2025", "2025-03-25..2025-03-25"),
        ("im 03/2025", "2025-03-01..2025-03-31"),
        ("03.2025", "2025-03-01..2025-03-31"),
    ] {
        let found = period(text, today).map(|(first, last)| format!("{first}..{last}"));
        assert_eq!(found.as_deref(), Some(expected), "{text}");
    }
    for text in ["10.0.0.1", "ratio 16/9", "31.02.2025", "port 8080/tcp", "it weighs 3.1415", "a1/2/2025b"] {
        let found = period(text, today);
        assert!(found.is_none_or(|(first, last)| last > first), "{text}: {found:?}");
    }
}

#[test]
fn a_word_says_which_side_of_a_date_is_meant() {
    // A Wednesday.
    let today = date(2026, 3, 18);
    let shown = |(first, last): Period| {
        let open = |day: Date, end: Date| if day == end { String::new() } else { day.to_string() };
        format!("{}..{}", open(first, Date::MIN), open(last, Date::MAX))
    };
    for (text, expected) in [
        ("what did I say before March 2025?", "..2025-02-28"),
        ("vor März 2025", "..2025-02-28"),
        ("vor dem 5. März 2025", "..2025-03-04"),
        ("was war vor dem 05.03.2025", "..2025-03-04"),
        ("2025년 3월 이전", "..2025-02-28"),
        ("2025년 3월 2일 전에", "..2025-03-01"),
        ("2025年3月之前", "..2025-02-28"),
        ("2025年3月以前の会議", "..2025-02-28"),
        ("until 2024", "..2024-12-31"),
        ("bis Mai 2025", "..2025-05-31"),
        ("bis zum 5. März 2025", "..2025-03-05"),
        ("2025년 3월까지", "..2025-03-31"),
        ("截至2025年3月", "..2025-03-31"),
        ("after October 2025", "2025-11-01.."),
        ("nach dem 05.03.2025", "2025-03-06.."),
        ("since 2025", "2025-01-01.."),
        ("seit September", "2025-09-01.."),
        ("since last week", "2026-03-09.."),
        ("since Monday", "2026-03-16.."),
        ("before yesterday", "..2026-03-16"),
        ("from March 2025 on", "2025-03-01.."),
        ("2025년 3월부터", "2025-03-01.."),
        ("작년 이후", "2025-01-01.."),
        ("2025年3月以降", "2025-03-01.."),
        ("去年以来", "2025-01-01.."),
        ("between January and March 2025", "2025-01-01..2025-03-31"),
        ("between November and March 2025", "2024-11-01..2025-03-31"),
        ("zwischen Januar und März 2025", "2025-01-01..2025-03-31"),
        ("from March to May 2025", "2025-03-01..2025-05-31"),
        ("from May 2024 until March 2025", "2024-05-01..2025-03-31"),
        ("von März bis Mai 2025", "2025-03-01..2025-05-31"),
        ("since May 2024 until March 2025", "2024-05-01..2025-03-31"),
        ("between 2023 and 2024", "2023-01-01..2024-12-31"),
        ("between October and January", "2025-10-01..2026-01-31"),
        ("2025년 3월부터 5월까지", "2025-03-01..2025-05-31"),
        ("从2025年3月到5月", "2025-03-01..2025-05-31"),
        ("2025年11月から2月まで", "2025-11-01..2026-02-28"),
        ("작년 3월", "2025-03-01..2025-03-31"),
        ("去年3月", "2025-03-01..2025-03-31"),
        ("letztes Jahr im März", "2025-03-01..2025-03-31"),
        ("last year in October", "2025-10-01..2025-10-31"),
        ("two weeks ago", "2026-03-02..2026-03-08"),
        ("两周前", "2026-03-02..2026-03-08"),
        ("三天之前", "2026-03-15..2026-03-15"),
        ("2週間前に", "2026-03-02..2026-03-08"),
        ("두 달 전", "2026-01-01..2026-01-31"),
        ("vor zwei Monaten", "2026-01-01..2026-01-31"),
        ("last weekend", "2026-03-14..2026-03-15"),
        ("letztes Wochenende", "2026-03-14..2026-03-15"),
        ("지난 주말", "2026-03-14..2026-03-15"),
        ("上周末", "2026-03-14..2026-03-15"),
        ("the day before yesterday", "2026-03-16..2026-03-16"),
        // What these words say is of something else.
        ("before the meeting in March 2025", "2025-03-01..2025-03-31"),
        ("the report from March 2025", "2025-03-01..2025-03-31"),
        ("since I moved in March 2025", "2025-03-01..2025-03-31"),
        ("vor 2 Tagen", "2026-03-16..2026-03-16"),
    ] {
        let found = period(text, today).map(shown);
        assert_eq!(found.as_deref(), Some(expected), "{text}");
    }
}

proptest! {
    #[test]
    fn no_words_of_time_break_it(
        words in proptest::collection::vec(
            prop_oneof![
                Just("before"), Just("between"), Just("and"), Just("from"), Just("to"), Just("bis"), Just("vor"), Just("not"),
                Just("March"), Just("the"), Just("of"), Just("2025"), Just("5/3/2025"), Just("29.02.2024"), Just("9999"),
                Just("last year"), Just("2025년"), Just("3월"), Just("31일"), Just("부터"), Just("이전"), Just("到"), Just("前"),
                Just("1000年"), Just("两"), Just("周"), Just("on"), Just("since"), Just("0"), Just("-"),
            ],
            0..9,
        ),
        year in -9998_i16..9999,
        spaced: bool,
    ) {
        let text = words.join(if spaced { " " } else { "" });
        if let Some((first, last)) = period(&text, date(year, 2, 28)) {
            prop_assert!(first <= last, "{text}");
        }
    }
}

#[test]
fn stretches_up_to_today_quarters_and_months_of_other_languages_are_understood() {
    // A Wednesday.
    let today = date(2026, 3, 18);
    for (text, expected) in [
        ("meetings in the last 7 days", "2026-03-11..2026-03-18"),
        ("past two weeks", "2026-03-04..2026-03-18"),
        ("over the past 3 months", "2025-12-18..2026-03-18"),
        ("the last 24 hours", "2026-03-17..2026-03-18"),
        ("in the last few days", "2026-03-11..2026-03-18"),
        ("the last couple of weeks", "2026-03-04..2026-03-18"),
        ("in the last month", "2026-02-18..2026-03-18"),
        ("the past week", "2026-03-11..2026-03-18"),
        ("last month", "2026-02-01..2026-02-28"),
        ("what happened during the last week?", "2026-03-11..2026-03-18"),
        ("what was it last week?", "2026-03-09..2026-03-15"),
        ("in den letzten 14 Tagen", "2026-03-04..2026-03-18"),
        ("die letzten zwei Wochen", "2026-03-04..2026-03-18"),
        ("in den vergangenen drei Monaten", "2025-12-18..2026-03-18"),
        ("in den letzten Tagen", "2026-03-11..2026-03-18"),
        ("seit zwei Wochen", "2026-03-04..2026-03-18"),
        ("최근 3일 동안 뭐 했어?", "2026-03-15..2026-03-18"),
        ("지난 2주", "2026-03-04..2026-03-18"),
        ("지난 두 달 동안", "2026-01-18..2026-03-18"),
        ("최근 일주일", "2026-03-11..2026-03-18"),
        ("最近三天", "2026-03-15..2026-03-18"),
        ("过去两周的会议", "2026-03-04..2026-03-18"),
        ("最近3个月", "2025-12-18..2026-03-18"),
        ("過去3日間", "2026-03-15..2026-03-18"),
        ("les 7 derniers jours", "2026-03-11..2026-03-18"),
        ("los últimos tres meses", "2025-12-18..2026-03-18"),
        ("negli ultimi 7 giorni", "2026-03-11..2026-03-18"),
        ("a fortnight ago", "2026-03-02..2026-03-08"),
        ("three days ago", "2026-03-15..2026-03-15"),
        ("3일 전", "2026-03-15..2026-03-15"),
        ("Q4 2025", "2025-10-01..2025-12-31"),
        ("revenue in 2025 Q1", "2025-01-01..2025-03-31"),
        ("the fourth quarter of 2025", "2025-10-01..2025-12-31"),
        ("Q1", "2026-01-01..2026-03-31"),
        ("Q3?", "2025-07-01..2025-09-30"),
        ("im 2. Quartal 2025", "2025-04-01..2025-06-30"),
        ("last quarter", "2025-10-01..2025-12-31"),
        ("2025년 4분기", "2025-10-01..2025-12-31"),
        ("2025年第四季度", "2025-10-01..2025-12-31"),
        ("en mars 2025", "2025-03-01..2025-03-31"),
        ("le 5 mars 2025", "2025-03-05..2025-03-05"),
        ("en août", "2025-08-01..2025-08-31"),
        ("octubre de 2025", "2025-10-01..2025-10-31"),
        ("el 5 de marzo de 2025", "2025-03-05..2025-03-05"),
        ("ottobre 2025", "2025-10-01..2025-10-31"),
        ("em março de 2025", "2025-03-01..2025-03-31"),
        ("三月", "2026-03-01..2026-03-31"),
        ("去年十二月", "2025-12-01..2025-12-31"),
        ("二〇二五年三月五日", "2025-03-05..2025-03-05"),
        ("since Q4 2025", "2025-10-01.."),
        ("after the fourth quarter of 2025", "2026-01-01.."),
    ] {
        let open = |day: Date, end: Date| if day == end { String::new() } else { day.to_string() };
        let found = period(text, today);
        let found =
            found.map(|(first, last)| format!("{}..{}", open(first, Date::MIN), open(last, Date::MAX)));
        assert_eq!(found.as_deref(), Some(expected), "{text}");
    }
    for text in [
        "the last 7 boxes",
        "a Mars bar",
        "life on Mars",
        "Marco came",
        "ask Marco 5 times",
        "mayo on bread",
        "the first quarter of the moon's face costs q5",
        "the last of us",
        "not in the last 7 days",
        "这三个人",
        "三月里的小雨 is not 三年",
    ] {
        let found = period(text, today);
        let is_quarter = text.contains("quarter") || text.contains("三月里");
        assert!(is_quarter || found.is_none(), "{text}: {found:?}");
    }
}

#[test]
fn the_place_of_the_days_is_found() {
    let today = date(2026, 3, 18);
    for (text, expected, is_of_calendar) in [
        ("What did we do yesterday?", "yesterday?", false),
        ("meeting after 2025-10-05 in Rome", "after 2025-10-05", false),
        ("meeting on 2025-10-05 in Rome", "2025-10-05", true),
        ("어제 뭐 했지?", "어제", false),
        ("昨天做了什么", "昨天", false),
        ("what was in March 2025", "March 2025", true),
        ("in den letzten 14 Tagen", "letzten 14 Tagen", false),
        ("최근 3일 동안 뭐 했어?", "최근 3일", false),
        ("the boiler the day before yesterday", "day before yesterday", false),
        ("vor März 2025 das Treffen", "vor März 2025", false),
        ("last Monday at Ann's", "last Monday", false),
        ("what did we do on Tuesday last week?", "on Tuesday last week?", false),
        ("letzte Woche am Dienstag das Treffen", "letzte Woche am Dienstag", false),
        ("the boiler on Monday", "on Monday", true),
        ("지난 월요일 회의", "지난 월요일", false),
        ("월요일 회의", "월요일", true),
        ("上周一的会议", "上周一的", false),
        ("the weekend trip", "the weekend", true),
        ("2025년 3월 회의", "2025년 3월", true),
    ] {
        let days = period(text, today).expect(text);
        let place = span(text, today, days).expect(text);
        assert_eq!(&text[place.clone()], expected, "{text}");
        assert_eq!(is_of_calendar_of(text, today), is_of_calendar, "{text}");
    }
}

fn is_of_calendar_of(text: &str, today: Date) -> bool {
    let days = period(text, today).expect(text);
    let place = span(text, today, days).expect(text);
    is_of_calendar(&text[place], today, days)
}

#[test]
fn days_and_ends_of_a_week_are_understood() {
    // A Monday.
    let today = date(2026, 11, 30);
    for (text, expected) in [
        ("What happened last Tuesday?", "2026-11-24..2026-11-24"),
        ("last Sunday", "2026-11-29..2026-11-29"),
        ("what did we do on Tuesday last week", "2026-11-24..2026-11-24"),
        ("last week on Friday", "2026-11-27..2026-11-27"),
        ("Monday of last week", "2026-11-23..2026-11-23"),
        ("Tuesday two weeks ago", "2026-11-17..2026-11-17"),
        ("letzte Woche am Dienstag", "2026-11-24..2026-11-24"),
        ("Dienstag vor zwei Wochen", "2026-11-17..2026-11-17"),
        ("지난 화요일에 뭐 했어?", "2026-11-24..2026-11-24"),
        ("화요일에 뭐 했어?", "2026-11-24..2026-11-24"),
        ("지난주 화요일", "2026-11-24..2026-11-24"),
        ("이번 주 월요일", "2026-11-30..2026-11-30"),
        ("지지난주 금요일", "2026-11-20..2026-11-20"),
        ("星期二", "2026-11-24..2026-11-24"),
        ("周二做了什么", "2026-11-24..2026-11-24"),
        ("礼拜二", "2026-11-24..2026-11-24"),
        ("上周二我们做了什么", "2026-11-24..2026-11-24"),
        ("上个星期天", "2026-11-29..2026-11-29"),
        ("上上周五", "2026-11-20..2026-11-20"),
        ("这周二", "2026-12-01..2026-12-01"),
        ("先週の火曜日", "2026-11-24..2026-11-24"),
        ("what did we do on the weekend?", "2026-11-28..2026-11-29"),
        ("am Wochenende", "2026-11-28..2026-11-29"),
        ("주말에 뭐 했어?", "2026-11-28..2026-11-29"),
        ("周末做了什么", "2026-11-28..2026-11-29"),
        ("这周末", "2026-11-28..2026-11-29"),
        ("what did we say last week about Monday", "2026-11-23..2026-11-29"),
        ("昨天说周二", "2026-11-29..2026-11-29"),
        ("上周日程", "2026-11-23..2026-11-29"),
    ] {
        let found = period(text, today).map(|(first, last)| format!("{first}..{last}"));
        assert_eq!(found.as_deref(), Some(expected), "{text}");
    }
    // A Wednesday: the weekend to come has not begun, and it was Tuesday yesterday.
    let today = date(2026, 12, 2);
    assert_eq!(period("the weekend", today), Some((date(2026, 11, 28), date(2026, 11, 29))));
    assert_eq!(period("last Tuesday", today), Some((date(2026, 12, 1), date(2026, 12, 1))));
    assert_eq!(period("上周二", today), Some((date(2026, 11, 24), date(2026, 11, 24))));
    assert_eq!(period("since last Tuesday", today), Some((date(2026, 12, 1), Date::MAX)));
    assert_eq!(period("화요일부터", today), Some((date(2026, 12, 1), Date::MAX)));
    for text in ["every Monday", "매주 화요일", "화요일마다", "每周二", "一周一次", "周恩来"]
    {
        assert_eq!(period(text, today), None, "{text}");
    }
}
