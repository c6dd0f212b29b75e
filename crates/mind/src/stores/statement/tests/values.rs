//! Another value of what has one at a time, in everyday sentences: roles, dates, places, names, numbers.

use super::*;

pub(super) fn wrong(
    rows: &[(&'static str, &'static str)],
    expected: Comparison,
) -> Vec<(&'static str, &'static str, Comparison)> {
    let compared = rows.iter().map(|(new, known)| (*new, *known, compare(new, known)));
    compared.filter(|row| row.2 != expected).collect()
}

#[test]
fn another_value_takes_the_place_of_the_first() {
    let rows = [
        // Roles.
        ("The team lead is now Ada", "Bob is our team lead"),
        ("Ada is our team lead now", "Our team lead is Bob"),
        ("Ada is the new team lead", "The team lead is Bob Meyer"),
        ("Ada Lovelace took over as CTO", "The CTO is Bob"),
        ("Harbor's CEO is Mira", "Tom is the CEO of Harbor"),
        ("My manager is Ada", "Bob is my manager"),
        ("Ada leads the team now", "Bob is our team lead"),
        ("I am the team lead now", "Bob is our team lead"),
        ("Ada ist jetzt unsere Teamleiterin", "Bob ist unser Teamleiter"),
        ("Unsere Chefin ist jetzt Ada", "Bob ist unser Chef"),
        ("이제 민수가 우리 팀장이야", "지훈이가 우리 팀장이야"),
        ("우리 팀장은 이제 민수야", "지훈이 우리 팀장이야"),
        ("李娜现在是我们的组长", "张伟是我们的组长"),
        ("我们的经理现在是李娜", "张伟是我们的经理"),
        // Dates.
        ("The launch is in June", "The launch is in May"),
        ("The launch is on June 5", "The launch is on May 3"),
        ("The launch has been moved to June", "The launch is in May"),
        ("The launch is in Q4", "The launch is in Q3"),
        ("We moved the launch to June", "The launch is in May"),
        ("We launch in June", "The launch is in May"),
        ("Der Start ist am 5. Juni", "Der Start ist am 3. Mai"),
        ("Der Launch wurde auf Juni verschoben", "Der Launch ist im Mai"),
        ("출시는 6월이야", "출시는 5월이야"),
        ("출시는 6월 5일로 미뤄졌어", "출시는 5월 3일이야"),
        ("发布会改到6月3日了", "发布会在5月3日"),
        ("The release deadline is in June", "The release deadline is May 3"),
        ("The meeting has been moved to Friday", "The meeting is on Monday"),
        ("Das Meeting wurde auf Freitag verschoben", "Das Meeting ist am Montag"),
        ("会议改到周五了", "会议在周一"),
        ("The standup was moved to 10:00", "The standup is at 9:30"),
        // Places.
        ("Our office moved to Leipzig", "Our office is in Kiel"),
        ("Our office is in Leipzig now", "Our office is in Kiel"),
        ("Unser Büro ist nach Leipzig umgezogen", "Unser Büro ist in Kiel"),
        // Names.
        ("The project is now called Borealis", "The project is called Atlas"),
        ("The project was renamed to Borealis", "The project is called Atlas"),
        ("Das Projekt heißt jetzt Borealis", "Das Projekt heißt Atlas"),
        ("项目改名为北极了", "项目叫阿特拉斯"),
        // Where somebody is reached.
        ("My new number is 555-0199", "My phone number is 555-0100"),
        ("My phone number changed to 555-0199", "My phone number is 555-0100"),
        ("Anna's email address is now anna@new.example", "Anna's e-mail is anna@old.example"),
        ("Meine Adresse ist jetzt Hafenstr. 2", "Meine Adresse ist Marktweg 1"),
        ("내 전화번호는 010-2222로 바뀌었어", "내 전화번호는 010-1111이야"),
        ("我的电话换成了222", "我的电话是111"),
        // Prices, counts, versions.
        ("The ticket costs 12 euros", "The ticket costs 10 euros"),
        ("구독료는 월 12유로야", "구독료는 월 10유로야"),
        ("门票12元", "门票10元"),
        ("We are 6 people now", "We are 5 people"),
        ("There are 6 of us now", "We are five"),
        ("We're six now", "We are 5 people"),
        ("Our team has 6 members", "Our team has 5 people"),
        ("Wir sind jetzt zu sechst", "Wir sind 5 Leute"),
        ("우리는 6명이야", "우리는 다섯 명이야"),
        ("我们有6个人", "我们有五个人"),
        ("We upgraded to Postgres 16", "We use Postgres 15"),
        ("Atlas was upgraded to Postgres 16", "Atlas uses Postgres 15"),
        ("Wir haben auf Postgres 16 aktualisiert", "Wir nutzen Postgres 15"),
    ];
    assert_eq!(wrong(&rows, Comparison::Replaces), []);
}

#[test]
fn the_same_value_in_other_words_is_no_other() {
    let rows = [
        ("Bob is our team lead", "Our team lead is Bob"),
        ("The launch is on May 3", "The launch is on 3 May"),
        ("The launch is on May 3rd", "The launch is in May"),
        ("My birthday is on May 3", "My birthday is May 3"),
        ("내 생일은 5월 3일이야", "내 생일은 5월 3일"),
        ("우리는 5명이야", "우리는 다섯 명이야"),
        ("Our team has 5 members", "Our team has 5 people"),
    ];
    assert_eq!(wrong(&rows, Comparison::Same), []);
    let fuller = Statement::new("The launch is on May 3");
    assert!(fuller.is_fuller_than(&Statement::new("The launch is in May")));
}

#[test]
fn what_only_looks_like_another_value_takes_no_place() {
    let rows = [
        // Another subject, another holder.
        ("The marketing lead is now Ada", "Bob is our team lead"),
        ("Ada is the CTO of Kestrel", "Bob is the CTO of Harbor"),
        ("Their team lead is Ada", "Our team lead is Bob"),
        ("Her manager is Ada", "My manager is Bob"),
        ("Tom's manager is Ada", "My manager is Bob"),
        ("Ada is the deputy team lead", "Bob is our team lead"),
        ("Ada is a team lead", "Bob is our team lead"),
        ("Ada is one of our team leads", "Bob is our team lead"),
        // Plural.
        ("Ada is my colleague", "Bob is my colleague"),
        ("Ada is our engineer", "Bob is our engineer"),
        ("My sister is called Ida", "My sister is called Ines"),
        ("Mein Hund heißt Rex", "Mein Hund heißt Bello"),
        ("我们的同事是李娜", "我们的同事是张伟"),
        // Another time.
        ("Ada was our team lead", "Bob is our team lead"),
        ("In 2019 Ada was our team lead", "Bob is our team lead"),
        ("Ada is our team lead this week", "Bob is our team lead"),
        ("The launch is in June 2027", "The launch is in May 2026"),
        ("The launch was in April", "The launch is in May"),
        ("My trip is in June", "My trip is in May"),
        ("The meeting is on Friday", "The meeting is on Monday"),
        ("The fair ends in June", "The fair starts in May"),
        ("Mein Urlaub ist im Juni", "Mein Urlaub ist im Mai"),
        // Asked, or not sure.
        ("Is Ada our team lead now?", "Bob is our team lead"),
        ("Who is our team lead now?", "Bob is our team lead"),
        ("Maybe Ada is our team lead now", "Bob is our team lead"),
        ("If Ada is our team lead now, I leave", "Bob is our team lead"),
        ("Ada might be our team lead", "Bob is our team lead"),
        ("Is the launch in June?", "The launch is in May"),
        ("The launch might be in June", "The launch is in May"),
        ("Vielleicht ist der Launch im Juni", "Der Launch ist im Mai"),
        ("아마 출시는 6월이야", "출시는 5월이야"),
        ("如果发布会在6月3日", "发布会在5月3日"),
        // No value.
        ("Our team lead is on holiday", "Our team lead is Bob"),
        ("Our team lead is great", "Our team lead is Bob"),
        ("우리 팀장은 천재야", "우리 팀장은 민수야"),
        ("우리 팀장은 바쁘다", "우리 팀장은 민수야"),
        ("我们的经理很忙", "我们的经理是张伟"),
        ("The launch is in Berlin", "The launch is in May"),
        ("The office is in good shape", "The office is in Kiel"),
        ("We are 5 minutes late", "We are 6 people"),
        ("We are 2 for dinner", "We are 6 people"),
        ("My work email is ada@work.example", "My email is ada@home.example"),
        ("My mobile number is 555-0199", "My phone number is 555-0100"),
        ("The bus ticket costs 3 euros", "The train ticket costs 10 euros"),
        ("Atlas uses Redis 7", "Atlas uses Postgres 15"),
        ("We upgraded to Redis 7", "We use Postgres 15"),
    ];
    let compared = rows.iter().map(|(new, known)| (*new, *known, compare(new, known)));
    let wrong: Vec<_> = compared.filter(|row| row.2 == Comparison::Replaces).collect();
    assert_eq!(wrong, []);
}

#[test]
fn the_day_of_something_is_one_day_of_the_week() {
    let rows = [
        ("The release day is Thursday", "The release day is Tuesday"),
        ("Release day is Thursday", "The release day is Tuesday"),
        ("Our release day was moved to Thursday", "Our release day is Tuesday"),
        ("The release is on Thursday", "The release is on Tuesday"),
        ("Der Release-Tag ist Donnerstag", "Der Release-Tag ist Dienstag"),
        ("Unser Liefertag ist jetzt Donnerstag", "Unser Liefertag ist Dienstag"),
        ("배포 요일은 목요일이다", "배포 요일은 화요일이다"),
        ("배포일은 이제 목요일이에요", "배포일은 화요일이에요"),
        ("发布日是周四", "发布日是周二"),
        ("我们的发布日改到周四了", "我们的发布日是周二"),
    ];
    assert_eq!(wrong(&rows, Comparison::Replaces), []);
    let beside = [
        ("The stand-up is on Thursday", "The stand-up is on Tuesday"),
        ("The rehearsal day is Thursday", "The release day is Tuesday"),
        ("The holiday is on Thursday", "The holiday is on Tuesday"),
        ("Der Ruhetag ist Donnerstag", "Der Ruhetag ist Dienstag"),
        ("스탠드업은 목요일이에요", "스탠드업은 화요일이에요"),
        ("站会是周四", "站会是周二"),
    ];
    assert_eq!(wrong(&beside, Comparison::Apart), []);
    for (new, known) in [beside[0], beside[4], beside[5]] {
        assert!(Statement::new(new).may_contradict(&Statement::new(known)), "{new}: a person is asked");
    }
}
