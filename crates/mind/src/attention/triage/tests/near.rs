//! Wordings beside each other: what asks something of the memory, and what sounds like it and does not.

use super::*;

/// Each text with the families that must be found.
const MEANT: &[(&[Family], &str)] = &[
    (&[Memory], "Please remember: I'm allergic to nuts."),
    (&[Memory], "Please remember my sister is called Ines."),
    (&[Memory], "Please, remember that I'm vegan."),
    (&[Memory], "Hey, please note that my office is in Ghent."),
    (&[Memory], "Can you remember that I'm vegan?"),
    (&[Memory], "Could you please remember that my landlord is called Brandt?"),
    (&[Memory], "Please memorise this list."),
    (&[Memory], "Kannst du dir merken, dass ich vegan bin?"),
    (&[Memory], "Bitte merk dir: ich esse keine Nüsse."),
    (&[Memory], "나 채식주의자인 거 기억해 줄래?"),
    (&[Memory], "제 생일은 5월 3일이에요, 기억해 주세요."),
    (&[Memory], "你能记住我不吃香菜吗？"),
    (&[Memory], "你能帮我记住：我对坚果过敏。"),
    (&[RecallFailure], "I told you my name."),
    (&[RecallFailure], "I told you my dog's name!"),
    (&[RecallFailure], "I told you that I don't eat meat."),
    (&[RecallFailure], "But I told you I'm vegan."),
    (&[RecallFailure], "Ich hab dir doch meinen Namen gesagt."),
    (&[RecallFailure], "내 이름 말해 줬잖아."),
    (&[RecallFailure], "我告诉过你我的名字。"),
    (&[RecallFailure], "How many times do I have to tell you?"),
    (&[RecallFailure], "How many times have I told you that I'm vegan?"),
    (&[RecallFailure], "How often must I repeat my address?"),
    (&[RecallFailure], "Wie oft muss ich dir das noch sagen?"),
    (&[RecallFailure], "몇 번을 말해야 알아들어?"),
    (&[RecallFailure], "你又忘了我的名字。"),
    (&[SoftCorrection], "Nein, ich heiße Ida."),
    (&[SoftCorrection], "Nein, ich wohne in Kiel."),
    (&[SoftCorrection], "아니, 내 이름은 이다야."),
    (&[SoftCorrection], "不，我叫伊达。"),
    (&[SoftCorrection], "We use pnpm now, not npm."),
    (&[SoftCorrection], "I drink tea now, not coffee."),
    (&[SoftCorrection], "The team works with Linear these days, not Jira."),
    (&[SoftCorrection], "Wir nutzen jetzt pnpm, nicht npm."),
    (&[SoftCorrection], "이제 npm 말고 pnpm 써."),
    (&[SoftCorrection], "我们现在用pnpm，不用npm了。"),
    (&[Forget], "删掉你对我的记忆"),
    (&[Forget], "删除关于我的一切"),
    (&[Forget], "清除你记住的东西"),
    (&[Forget], "Delete your memory of me."),
    (&[Forget], "Lösch deine Erinnerungen an mich."),
    (&[Forget], "나에 대한 기억을 지워 줘."),
    (&[Forget], "忘了我说的地址吧。"),
    (&[Forget], "I don't want you to remember that."),
    (&[Forget], "Don't remember that."),
    (&[Forget], "Vergiss meine alte Adresse."),
    (&[Forget], "내 주소는 잊어 줘."),
    (&[Question], "내 생일 기억해?"),
    (&[Question], "Have I told you my name?"),
    (&[Question], "Can you remember what my sister is called?"),
];

/// Each text with families of which none may be found.
const NOT_MEANT: &[(&[Family], &str)] = &[
    (&[Forget], "I don't remember that at all."),
    (&[Forget], "We never keep that in stock."),
    (&[Forget], "She didn't save it, sadly."),
    (&[Forget], "你又忘了我说的话。"),
    (&[Forget], "你怎么忘了关于我的事？"),
    (&[Forget], "你忘了我的名字。"),
    (&[Forget], "算了，忘了它吧。"),
    (&[Forget], "忘了它吧"),
    (&[Forget], "됐어, 그냥 잊어버려."),
    (&[Forget], "删掉这一行"),
    (&[Forget], "删除内存缓存"),
    (&[RecallFailure, Memory], "You should know better."),
    (&[RecallFailure, Memory], "You should have known better than that."),
    (&[RecallFailure], "How many times did Rome win?"),
    (&[RecallFailure], "How often do we water the plants?"),
    (&[RecallFailure], "How many times can I reuse the filter?"),
    (&[RecallFailure], "Wie oft hab ich Urlaub?"),
    (&[RecallFailure], "스쿼트는 몇 번 해야 돼?"),
    (&[RecallFailure], "Have I told you my name?"),
    (&[Memory], "You remember that we met in May."),
    (&[Memory], "Do you remember that my sister is called Ines?"),
    (&[RecallFailure], "Delete everything I told you about my ex."),
    (&[RecallFailure], "Use the address I gave you, my new one."),
    (&[RecallFailure], "If I told you my name, would you keep it?"),
    (&[RecallFailure], "I told you my story, now tell me yours."),
    (&[Memory], "내 생일 기억해?"),
    (&[Memory], "제 이름 기억하시나요?"),
    (&[Memory], "你记得我的生日吗？"),
    (&[Memory], "记得我的名字吗？"),
    (&[Memory], "Can you remember that film I mentioned?"),
    (&[Question], "Can you remember that I'm vegan?"),
    (&[SoftCorrection], "Do it now, not later."),
    (&[SoftCorrection], "We use the lift now, not later."),
    (&[SoftCorrection, RecallFailure], "Nein, ich heiße das nicht gut."),
    (&[SoftCorrection], "不，谢谢。"),
];

#[test]
fn what_asks_something_is_found_and_what_sounds_like_it_is_not() {
    let mut wrong = Vec::new();
    for (families, text) in MEANT {
        let found = read(text);
        wrong.extend(
            families
                .iter()
                .filter(|family| !found.has(**family))
                .map(|family| (*text, *family, "missed", String::new())),
        );
    }
    for (families, text) in NOT_MEANT {
        let matches = read(text).matches.into_iter().filter(|found| families.contains(&found.family));
        wrong.extend(matches.map(|found| (*text, found.family, "fired", found.pattern)));
    }
    assert_eq!(wrong, []);
}

#[test]
fn pasted_lines_of_logs_do_not_fire() {
    let mut fired = Vec::new();
    for line in [
        "2026/03/02 11:04:17 note: remember that ttl is gone",
        "[info] don't forget that the cache is cold",
        "warn  - remember that pages/ is deprecated",
        "debug: we decided to retry",
        "W0302 11:04:17.123456   12 server.go:61] remember that this is deprecated",
        "web-1  | remember that this is not for production",
        "sshd[1234]: remember that root login is off",
        "[   12.345678] usb: remember that this port is slow",
        "com.acme.App WARN remember that ttl is gone",
        "app[web.1]: INFO we agreed on protocol 2",
        "[main] INFO remember that ttl is gone",
        "Mon Mar  2 11:04:17 2026 remember that this host is old",
        "03-02 11:04:17.123  1234  5678 W Tag: remember that ttl is gone",
        "1772449457 remember that ttl is gone",
        "[2026/03/02 11:04:17] remember that ttl is gone",
    ] {
        fired.extend(read(line).matches.into_iter().map(|found| (line, found.pattern)));
    }
    assert_eq!(fired, []);
    for said in [
        "Remember that the meeting on 3/2/2026 is off.",
        "1. remember that I'm vegan",
        "Info: remember that I'm vegan",
        "Mon Cheri is a sweet, remember that I hate it",
    ] {
        assert!(read(said).has(Memory), "{said}");
    }
}

#[test]
fn what_a_trigger_refers_to_is_whole() {
    let mut wrong = Vec::new();
    for (text, pattern, expected) in [
        ("You forgot my name.", "you forgot", "my name"),
        ("Forget my old address.", "forget about", "my old address"),
        ("Ignore what I said about the budget.", "ignore what I said", "what I said about the budget"),
        ("Please remember my sister is called Ines.", "remember:", "my sister is called Ines"),
        ("Please save my address somewhere safe.", "keep it somewhere", "my address"),
        ("Put my sister's name into your notes.", "in your notes", "my sister's name"),
        ("I told you my dog's name.", "I told you my", "my dog's name"),
        ("We use pnpm now, not npm.", "X now, not Y", "We use pnpm now"),
        ("The team lead is Bob now.", "it's … now", "The team lead is Bob now"),
        ("The code is 4711. Save that please.", "keep it", "The code is 4711"),
        ("Vergiss meine alte Adresse.", "vergiss", "meine alte Adresse"),
        ("아까 내 이름 말했잖아.", "아까 말했잖아", "내 이름"),
        ("忘了我说的地址吧。", "忘掉", "我说的地址吧"),
    ] {
        let found = read(text).matches.into_iter().find(|found| found.pattern == pattern);
        let found = found.map_or_else(|| "no trigger".to_owned(), |found| found.about);
        if found != expected {
            wrong.push((text, expected, found));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn patterns_that_are_compiled_are_no_slowness() {
    assert_eq!(slowness(Duration::from_millis(40), 50, true), None);
    let said = slowness(Duration::from_millis(75), 50, true);
    assert!(said.is_some_and(|said| said.contains("75 ms") && said.contains("custom patterns")));
    assert!(slowness(Duration::from_millis(75), 50, false).is_some_and(|said| !said.contains("custom")));
    let before = time_compiling();
    std::thread::spawn(|| {
        let _ = read("Remember that I eat fish.");
    })
    .join()
    .unwrap();
    assert_eq!(time_compiling(), before);
}
