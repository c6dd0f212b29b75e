//! What is so, and what is not: tastes, habits and states turned round, what is said besides, and remarks that are no values.

use super::values::wrong;
use super::*;

#[test]
fn a_remark_about_a_value_takes_no_place() {
    let rows = [
        ("My name is hard to pronounce", "My name is Jon"),
        ("My name is often misspelled", "My name is Jon"),
        ("My name is on the list", "My name is Jon"),
        ("제 이름은 발음하기 어렵습니다", "제 이름은 김민수입니다"),
        ("My favorite color is hard to match", "My favorite color is blue"),
        ("The price of the pro plan is under discussion", "The price of the pro plan is 15 EUR"),
        ("Mein Name ist oft falsch geschrieben", "Mein Name ist Jan"),
        ("专业版的价格是待定", "专业版的价格是15欧元"),
    ];
    assert_eq!(wrong(&rows, Comparison::Apart), []);
    let turned = rows.map(|(new, known)| (known, new));
    assert_eq!(wrong(&turned, Comparison::Apart), []);
}

#[test]
fn what_is_said_besides_ends_nothing() {
    let rows = [
        ("Mira also works at Globex", "Mira works at Acme"),
        ("Mira works at Globex too", "Mira works at Acme"),
        ("Mira works at Globex as well", "Mira works at Acme"),
        ("I also work at Globex", "I work at Acme"),
        ("Mira also lives in Bonn", "Mira lives in Ulm"),
        ("Mira now also lives in Bonn", "Mira lives in Ulm"),
        ("Ada is also our team lead", "Bob is our team lead"),
        ("Mira arbeitet auch bei Globex", "Mira arbeitet bei Acme"),
    ];
    assert_eq!(wrong(&rows, Comparison::Apart), []);
    assert_eq!(compare("Mira works at Globex", "Mira works at Acme"), Comparison::Replaces);
    assert_eq!(compare("The rent is too high", "The rent is 900 euros"), Comparison::Apart);
}

#[test]
fn tastes_and_states_are_turned_round_in_every_language() {
    let rows = [
        ("我不喜欢咖啡", "我喜欢咖啡"),
        ("我喜欢咖啡", "我不喜欢咖啡"),
        ("我讨厌爵士乐", "我喜欢爵士乐"),
        ("我喜欢爵士乐", "我讨厌爵士乐"),
        ("我吃肉", "我不吃肉"),
        ("我现在不吃肉了", "我吃肉"),
        ("我没有猫", "我有猫"),
        ("服务器备份客户数据", "服务器没有备份客户数据"),
        ("没有人可以进实验室", "所有人都可以进实验室"),
        ("나는 커피를 싫어한다", "나는 커피를 좋아한다"),
        ("나는 커피를 좋아한다", "나는 커피를 싫어한다"),
        ("저는 커피를 좋아하지 않아요", "저는 커피를 좋아해요"),
        ("나는 재즈를 좋아하지 않는다", "나는 재즈를 좋아한다"),
        ("저는 고수를 좋아해요", "저는 고수를 싫어해요"),
        ("나는 아침 회의를 선호하지 않는다", "나는 아침 회의를 선호한다"),
        ("나는 고기를 안 먹어", "저는 고기를 먹어요"),
        ("저는 이제 커피는 안 마셔요", "나는 커피를 마신다"),
        ("지민은 의사가 아니다", "지민은 의사이다"),
        ("I never use vim", "I always use vim"),
        ("Ich nutze nie vim", "Ich nutze immer vim"),
        ("No one may enter the lab", "Everyone may enter the lab"),
        ("Niemand darf ins Labor", "Jeder darf ins Labor"),
        ("Backups are unencrypted", "Backups are encrypted"),
        ("Die Backups sind unverschlüsselt", "Die Backups sind verschlüsselt"),
        ("Ich bevorzuge ausführliche Antworten", "Ich bevorzuge kurze Antworten"),
    ];
    assert_eq!(wrong(&rows, Comparison::Replaces), []);
}

#[test]
fn levels_of_speech_say_the_same() {
    let rows = [
        ("저는 커피를 좋아합니다", "저는 커피를 좋아해요"),
        ("나는 커피를 좋아한다", "저는 커피를 좋아해요"),
        ("나는 커피 좋아해", "저는 커피를 좋아해요"),
        ("저는 고기를 안 먹어요", "나는 고기를 먹지 않는다"),
        ("나는 커피를 싫어한다", "저는 커피를 좋아하지 않아요"),
        ("지민은 매일 수영합니다", "지민은 매일 수영한다"),
    ];
    assert_eq!(wrong(&rows, Comparison::Same), []);
}

#[test]
fn what_is_turned_round_of_something_else_stands_beside_it() {
    let rows = [
        ("我不喜欢茶", "我喜欢咖啡"),
        ("我不喜欢咖啡因", "我喜欢咖啡"),
        ("我喜欢茶，不喜欢咖啡", "我喜欢咖啡"),
        ("有人不喜欢咖啡", "有人喜欢咖啡"),
        ("李娜不喜欢咖啡", "我喜欢咖啡"),
        ("你喜欢咖啡吗", "我喜欢咖啡"),
        ("我喜欢爵士乐", "我喜欢咖啡"),
        ("나는 홍차를 싫어한다", "나는 커피를 좋아한다"),
        ("나는 아침에 커피를 마시지 않는다", "나는 커피를 마신다"),
        ("지민은 커피를 싫어한다", "나는 커피를 좋아한다"),
        ("나는 커피를 싫어하지 않는다", "나는 커피를 좋아한다"),
        ("나는 커피를 좋아했다", "나는 커피를 싫어한다"),
        ("어떤 사람은 커피를 싫어한다", "어떤 사람은 커피를 좋아한다"),
        ("나는 홍차를 좋아해요", "나는 커피를 좋아해요"),
        ("커피 좋아해?", "저는 커피를 싫어해요"),
        ("지민이 민수를 좋아한다", "지민을 민수가 좋아합니다"),
        ("I never use emacs", "I always use vim"),
        ("I always use vim for notes", "I never use vim for mail"),
        ("Das Unwetter kommt am Freitag", "Das Wetter kommt am Freitag"),
        ("Unless it rains we meet", "Less it rains we meet"),
    ];
    assert_eq!(wrong(&rows, Comparison::Apart), []);
}

#[test]
fn names_languages_and_places_have_one_value() {
    let rows = [
        ("Ich heiße Johannes", "Ich heiße Jan"),
        ("Mein Name ist Johannes", "Ich heiße Jan"),
        ("我叫李明", "我叫李雷"),
        ("My wife is called Evelyn", "My wife is called Eva"),
        ("Meine Frau heißt Evelyn", "Meine Frau heißt Eva"),
        ("Always answer in English", "Always answer in German"),
        ("Antworte immer auf Englisch", "Antworte immer auf Deutsch"),
        ("항상 영어로 답해 줘", "항상 한국어로 답해 줘"),
        ("请用英文回答", "请用中文回答"),
        ("The backup is stored in Dublin", "The backup is stored in Frankfurt"),
        ("Das Backup wird in Dublin gespeichert", "Das Backup wird in Frankfurt gespeichert"),
        ("백업은 더블린에 저장됩니다", "백업은 프랑크푸르트에 저장된다"),
        ("备份存放在都柏林", "备份存放在法兰克福"),
        ("The wiki is at docs.acme.com", "The wiki is at wiki.acme.com"),
        ("Das Wiki ist unter docs.acme.com erreichbar", "Das Wiki ist unter wiki.acme.com erreichbar"),
        ("위키는 docs.acme.com에 있습니다", "위키는 wiki.acme.com에 있어요"),
        ("维基在docs.acme.com", "维基在wiki.acme.com"),
        ("We switched from MySQL to Postgres for billing", "We use MySQL for billing"),
        ("Wir sind von MySQL auf Postgres umgestiegen", "Wir nutzen MySQL"),
    ];
    assert_eq!(wrong(&rows, Comparison::Replaces), []);
    let apart = [
        ("My sister is called Evelyn", "My sister is called Eva"),
        ("Ich heiße dich willkommen", "Ich heiße Jan"),
        ("我叫外卖了", "我叫李雷"),
        ("我叫小李来", "我叫李雷"),
        ("My wife is called Evelyn", "My husband is called Tom"),
        ("Always answer in short sentences", "Always answer in German"),
        ("Write code comments in English", "Always answer in German"),
        ("The backup is stored in S3", "The backup is stored in Frankfurt"),
        ("The backup is also stored in Dublin", "The backup is stored in Frankfurt"),
        ("Backups are stored in Dublin", "Backups are stored in Frankfurt"),
        ("The data is stored in Postgres", "The data is stored in Frankfurt"),
        ("백업은 서버에 저장된다", "백업은 프랑크푸르트에 저장된다"),
        ("The blog is at blog.acme.com", "The wiki is at wiki.acme.com"),
        ("The wiki is at the bottom of the page", "The wiki is at wiki.acme.com"),
        ("We switched from MySQL to Postgres for billing", "We use MySQL for search"),
        ("We switched from MySQL to Postgres for billing", "We use MySQL"),
    ];
    assert_eq!(wrong(&apart, Comparison::Apart), []);
    assert_eq!(compare("Ich heiße Jan Meyer", "Ich heiße Jan"), Comparison::Same);
}
