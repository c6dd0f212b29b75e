//! Which words find what: inflected words of short notes, tags of entries, words of like meaning, and what finds nothing.

use super::*;

#[test]
fn a_word_of_like_meaning_is_no_better_a_find_than_the_word_itself() {
    let mut store = Store::new(&[("note/lisbon.md", "The conference in Lisbon is booked for spring.\n")]);
    for number in 0..20 {
        let text = format!("Meeting with Ann about topic{number}, at length.\n");
        store.write(&format!("note/{number}.md"), text.as_bytes());
    }
    assert_ne!(store.paths("meeting")[0], "note/lisbon.md");
    let mut store = Store::new(&[("note/windmill.md", "The windmill lost its rotor.\n")]);
    for number in 0..400 {
        store.write(
            &format!("note/{number}.md"),
            format!("The turbine rotor number{number} turns.\n").as_bytes(),
        );
    }
    let query = Query { text: "turbine".to_owned(), ..Query::default() };
    let found = store.ask(&query).0.results;
    assert!(found.len() == query.limit && found[0].path != "note/windmill.md", "{:?}", found[0]);
    // Where the word stands nowhere the related one is all there is.
    let store =
        Store::new(&[("note/windmill.md", "The windmill lost its rotor.\n"), ("note/x.md", "Tea.\n")]);
    assert_eq!(store.paths("turbine"), ["note/windmill.md"]);
}

#[test]
fn short_notes_are_found_by_other_forms_of_their_words() {
    for (note, questions) in [
        ("Wir verkaufen unsere alten Stühle.", &["Stuhl", "alter Stuhl"][..]),
        ("Meine Tochter sammelt Bücher.", &["Buch", "welches Buch"]),
        ("Fahrräder und Häuser", &["Fahrrad", "Haus"]),
        ("Unsere Katze schläft.", &["die Katze", "Katzen sind da"]),
        ("Мы продали старую машину.", &["машина"]),
        ("Vendimos las sillas de mi abuela.", &["silla"]),
        ("The harbors are quiet", &["harbor", "harbors", "quiet harbor"]),
        ("Die hard", &["die hard", "hard"]),
        ("let parser = Parser::new();", &["parsers", "parser"]),
        ("Chairs", &["chair"]),
        ("Müller", &["Muller", "Müller"]),
    ] {
        let store = Store::new(&[
            ("note/a.md", &format!("{note}\n")),
            ("note/b.md", "Tea at noon with the others.\n"),
        ]);
        for question in questions {
            assert_eq!(store.paths(question), ["note/a.md"], "{question}");
            assert_eq!(store.grepped(question), ["note/a.md"], "{question}");
        }
    }
}

#[test]
fn a_word_that_tells_no_language_is_stemmed_by_those_of_the_files() {
    let store = Store::new(&[("note/a.md", "Unsere Katze schläft.\n")]);
    assert_eq!(store.paths("Katzen"), ["note/a.md"]);
}

#[test]
fn entries_are_found_by_the_tags_and_agents_of_their_own() {
    let store = Store::new(&[
        (
            "list/facts.md",
            "# Facts\n- Lena keeps a parrot. <!-- id:a | source:user-explicit | tags:Bird, pet -->\n- A parrot eats nuts. <!-- id:b | source:agent scout -->\n",
        ),
        (
            "episode/2026-11-29.md",
            "# 2026-11-29\n\n## 10:00 | event | tags:[parrot, urlaub] | source:user-explicit\nThe parrot sang.\n\n## 11:00 | event | tags:[noise]\nThe parrot slept.\n",
        ),
        ("note/a.md", "---\ntags: urlaub, meer\n---\nThe parrot by the sea.\n"),
        ("conversation/2026-11-30.md", "# Talk\n\n## 10:00 — user\nparrot <!-- tags:bird -->\n"),
    ]);
    let of = |tags: &[&str], scopes: &[&str]| -> Vec<String> {
        let query = Query {
            text: "parrot".to_owned(),
            tags: tags.iter().map(ToString::to_string).collect(),
            scopes: scopes.iter().map(|scope| scope.parse().expect("a scope")).collect(),
            min_score: 0.0,
            ..Query::default()
        };
        let lines = |answer: Answer| {
            let mut lines: Vec<String> =
                answer.results.into_iter().map(|hit| format!("{}:{}", hit.path, hit.end_line)).collect();
            lines.sort();
            lines
        };
        let found = lines(store.ask(&query).0);
        assert_eq!(
            lines(grep(&every(&store.sources()), &query, LIMIT).expect("a good query")),
            found,
            "{tags:?}"
        );
        found
    };
    assert_eq!(of(&["bird"], &[]), ["list/facts.md:2"]);
    assert_eq!(of(&["#pet"], &["tag:bird"]), ["list/facts.md:2"]);
    assert_eq!(of(&["urlaub"], &[]), ["episode/2026-11-29.md:4", "note/a.md:4"]);
    assert_eq!(of(&["meer"], &[]), ["note/a.md:4"]);
    assert_eq!(of(&[], &["agent:scout"]), ["list/facts.md:3"]);
    let scopes = vec![Scope::any("agent", ["Nobody", "Scout"])];
    let query = Query { text: "parrot".to_owned(), scopes, min_score: 0.0, ..Query::default() };
    assert_eq!(store.ask(&query).0.results.len(), 1);
    let index = Index::open(&store.database(), LIMIT).expect("opens");
    assert!(index.filed_under("agent").expect("read").iter().eq(["scout"]));
    assert!(of(&["sea"], &[]).is_empty() && of(&[], &["agent:main"]).is_empty());
}

#[test]
fn what_says_nothing_answers_nothing() {
    let store = Store::new(&[
        (
            "conversation/2026-11-30.md",
            "---\nsession_id: a1b2\nchannel: cli\nstarted: 2026-11-30T10:00:00Z\n---\n# Talk\n\n## 10:00 — user\nThe kayak is blue.\n",
        ),
        ("note/zh.md", "项目的数据库迁移计划\n"),
        ("entity/kayak.md", "# Kayak\n\n<!-- Type: thing -->\n\n## Facts\n"),
    ]);
    for text in ["zzzqqqxx", "12345", "qwxzv 98765"] {
        assert!(store.paths(text).is_empty(), "{text}: {:?}", store.paths(text));
    }
    // A page without a word of its own sets no measure for the others.
    let query = Query { text: "kayak".to_owned(), ..Query::default() };
    let found = store.ask(&query).0.results;
    assert_eq!((found[0].path.as_str(), found.len()), ("conversation/2026-11-30.md", 1));
    assert!((found[0].score - 1.0).abs() < 1e-9);
}

#[test]
fn a_folder_is_a_path_however_it_is_written() {
    let store = sample();
    let of = |path: &str| {
        let paths = vec![path.to_owned()];
        let query = Query { text: "migration plan".to_owned(), paths, min_score: 0.0, ..Query::default() };
        store.ask(&query).0.results.into_iter().map(|hit| hit.path).collect::<Vec<_>>()
    };
    for path in [
        "journal",
        "journal/",
        "./journal/",
        "journal/**",
        "journal/2026-03-19.md",
        "./journal/2026-03-19.md",
    ] {
        assert_eq!(of(path), ["journal/2026-03-19.md"], "{path}");
    }
    assert!(of("jour").is_empty() && of("journal/2026").is_empty());
    for scope in ["folder:journal", "folder:./journal/", "folder:journal/"] {
        assert_eq!(scope.parse::<Scope>().ok(), Some(Scope::Folder("journal".to_owned())), "{scope}");
    }
    assert!("folder:./".parse::<Scope>().is_err());
}

#[test]
fn what_differs_in_a_name_a_number_or_a_not_is_all_shown_and_copies_are_counted() {
    let note = |who: &str, at: &str| {
        format!(
            "In an emergency {who} keeps the spare key for the flat in {at} and can be reached by telephone at any time of the day or night.\n"
        )
    };
    let mut store = Store::new(&[("other.md", "The key of the emergency exit.\n")]);
    for (at, (who, town)) in
        [("Anna", "Bonn"), ("Boris", "Graz"), ("Clara", "Oslo"), ("Dora", "Rome"), ("Emil", "Kiel")]
            .iter()
            .enumerate()
    {
        store.write(&format!("{at}.md"), note(who, town).as_bytes());
    }
    store.write("copy.md", format!("- **{}** <!-- id:a1 -->\n", note("Anna", "Bonn").trim()).as_bytes());
    for number in 0..5 {
        store.write(
            &format!("zh/{number}.md"),
            format!("计量器{number}号读数为三十五度每天早上八点由值班人员记录一次\n").as_bytes(),
        );
    }
    let ask = |text: &str| store.ask(&Query { text: text.to_owned(), min_score: 0.0, ..Query::default() }).0;
    let answer = ask("who keeps the spare key for an emergency");
    let paths: Vec<&str> = answer.results.iter().map(|hit| hit.path.as_str()).collect();
    assert!((0..5).all(|at| paths.contains(&format!("{at}.md").as_str()) || at == 0), "{paths:?}");
    assert_eq!(answer.left_out.repeated, 1, "{paths:?}");
    // Three stand where their scores put them; the further ones do not keep another memory from being seen.
    assert!(paths.iter().position(|path| *path == "other.md") < Some(5), "{paths:?}");
    assert!(answer.results.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(ask("计量器读数").results.len(), 5);
    assert_eq!(store.grepped("emergency spare key").len(), 6);
}

#[test]
fn every_part_of_a_score_is_shown() {
    let mut store = sample();
    store.write("notes/tea.md", "Green tea in the cellar.\n".as_bytes());
    store.write("notes/tea-2.md", "Tea in the cellar, painted green.\n".as_bytes());
    store.write("notes/head.md", "---\ntitle: green tea\n---\n# Green tea\n\nNothing of it.\n".as_bytes());
    let seed = Ranking {
        fusion: Fusion::Seed,
        bm25_weight: 0.4,
        vector_weight: 0.6,
        context: false,
        ..Ranking::default()
    };
    for ranking in [Ranking::default(), seed] {
        for mode in [Mode::Hybrid, Mode::Keyword] {
            for text in ["green tea", "atlas launch", "when did the migration start?", "latest on atlas"] {
                let query =
                    Query { text: text.to_owned(), mode, ranking, min_score: 0.0, ..Query::default() };
                let results = store.ask(&query).0.results;
                let whole = |hit: &Hit| {
                    let explain = &hit.explain;
                    let (words, meaning) = explain.weights;
                    let sum = words * explain.bm25
                        + meaning * explain.vector.unwrap_or_default()
                        + explain.context
                        + explain.bonuses.iter().map(|bonus| bonus.1).sum::<f64>();
                    let factors = explain.boosts.iter().map(|boost| boost.1).product::<f64>();
                    sum * explain.date_weight * explain.relevance * factors
                };
                let best = results.first().map(whole).unwrap_or_default();
                for hit in &results {
                    assert!((whole(hit) / best - hit.score).abs() < 1e-4, "{text} {mode:?}: {hit:#?}");
                }
            }
        }
    }
}

#[test]
fn names_of_one_letter_with_signs_are_told_apart() {
    let store = Store::new(&[
        ("note/c.md", "The firmware team writes its tools in C.\n"),
        ("note/cpp.md", "The games team writes its tools in C++.\n"),
        ("note/cs.md", "The desktop team writes its tools in C#.\n"),
    ]);
    for (text, expected) in [
        ("Which team writes tools in C?", "note/c.md"),
        ("Which team writes tools in C++?", "note/cpp.md"),
        ("Which team writes tools in C#?", "note/cs.md"),
        ("C", "note/c.md"),
        ("c++", "note/cpp.md"),
        ("C# tools", "note/cs.md"),
    ] {
        assert_eq!(store.paths(text)[0], expected, "{text}");
        assert_eq!(store.grepped(text)[0], expected, "{text}");
    }
    assert_eq!(store.grepped("C"), ["note/c.md"]);
}

#[test]
fn pictographs_are_found() {
    let store = Store::new(&[
        ("note/party.md", "We passed the audit 🎉\n"),
        ("note/family.md", "Photo album 👨‍👩‍👧‍👦 from Graz\n"),
        ("note/love.md", "She likes it ❤️ a lot, 👍🏽\n"),
        ("note/none.md", "Nothing to see here.\n"),
    ]);
    for (text, expected) in [
        ("🎉", "note/party.md"),
        ("👨‍👩‍👧‍👦", "note/family.md"),
        ("👧", "note/family.md"),
        ("❤️", "note/love.md"),
        ("❤", "note/love.md"),
        ("👍", "note/love.md"),
    ] {
        assert_eq!(store.paths(text), [expected], "{text}");
        assert_eq!(store.grepped(text), [expected], "{text}");
    }
}
