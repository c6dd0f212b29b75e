//! Code in a message, and the language it is in.
//!
//! Code is what stands in a fence, and what is indented by four columns after an empty line and looks like code. A fence's label
//! says the language; without one the signs of the language do, where at least two of them are there.

use std::ops::Range;

/// A piece of code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// Where it stands, without its fence.
    pub(super) span: Range<usize>,
    /// Its language in lower case; empty where nothing tells.
    pub(super) language: String,
}

/// Every piece of code, in order.
pub(super) fn pieces(text: &str) -> Vec<Code> {
    let mut found = Vec::new();
    let mut fence: Option<(char, usize, String, usize)> = None;
    let mut indented: Option<Range<usize>> = None;
    let mut is_after_blank = true;
    let mut at = 0;
    let close = |indented: &mut Option<Range<usize>>, found: &mut Vec<Code>| {
        if let Some(span) = indented.take().filter(|span| looks_like_code(&text[span.clone()])) {
            found.push(Code { language: guess(&text[span.clone()]), span });
        }
    };
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_start_matches(' ');
        let mark = bare.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let run = mark.map_or(0, |mark| bare.chars().take_while(|each| *each == mark).count());
        if let Some((open, least, label, from)) = &fence {
            if mark == Some(*open) && run >= *least && bare[run..].trim().is_empty() {
                found.push(piece(text, *from..start, label));
                fence = None;
            }
            continue;
        }
        if let Some(mark) = mark.filter(|_| run >= 3) {
            close(&mut indented, &mut found);
            let label = bare[run..].split_whitespace().next().unwrap_or_default();
            fence = Some((mark, run, normal(label.trim_matches(['{', '}', '.'])), at));
            continue;
        }
        let is_blank = line.trim().is_empty();
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        match &mut indented {
            Some(span) if is_indented => span.end = at,
            Some(_) if is_blank => {}
            Some(_) => close(&mut indented, &mut found),
            None if is_indented && !is_blank && is_after_blank => indented = Some(start..at),
            None => {}
        }
        is_after_blank = is_blank;
    }
    match fence {
        // A fence that nobody closed reaches to the end.
        Some((_, _, label, from)) => found.push(piece(text, from..text.len(), &label)),
        None => close(&mut indented, &mut found),
    }
    found
}

fn piece(text: &str, span: Range<usize>, label: &str) -> Code {
    let language = if label.is_empty() { guess(&text[span.clone()]) } else { label.to_owned() };
    Code { span, language }
}

/// One name for each language: what labels and topics call it otherwise.
pub(super) fn normal(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    match name.as_str() {
        "py" | "python3" | "py3" => "python",
        "js" | "jsx" | "node" | "mjs" => "javascript",
        "ts" | "tsx" => "typescript",
        "rs" => "rust",
        "sh" | "bash" | "zsh" | "fish" | "console" | "shell-session" => "shell",
        "golang" => "go",
        "c++" | "cc" | "cxx" | "hpp" => "cpp",
        "c#" | "cs" => "csharp",
        "rb" => "ruby",
        "kt" | "kts" => "kotlin",
        "yml" => "yaml",
        "htm" | "xhtml" => "html",
        "postgres" | "postgresql" | "mysql" | "sqlite" | "plsql" => "sql",
        "ps1" | "pwsh" => "powershell",
        "md" => "markdown",
        "text" | "txt" | "plain" | "plaintext" | "none" => "",
        _ => return name,
    }
    .to_owned()
}

/// Signs by which a language is known; none of them is common in prose.
const SIGNS: &[(&str, &[&str])] = &[
    (
        "rust",
        &[
            "fn ",
            "let mut ",
            "impl ",
            "pub fn",
            "::<",
            "&mut ",
            "#[derive",
            "match ",
            "-> Result",
            ".unwrap()",
            "println!",
        ],
    ),
    (
        "python",
        &[
            "def ",
            "elif ",
            "import ",
            "self.",
            "print(",
            "__init__",
            "except ",
            "lambda ",
            "if __name__",
            "None",
        ],
    ),
    (
        "typescript",
        &["interface ", ": string", ": number", "export type", "as const", ": boolean", "readonly "],
    ),
    (
        "javascript",
        &[
            "const ",
            "=> ",
            "function ",
            "console.log",
            "===",
            "document.",
            "require(",
            "await ",
            "export default",
        ],
    ),
    ("go", &["func ", ":= ", "package ", "fmt.", "if err != nil", "chan ", "go func"]),
    ("java", &["public class", "public static", "System.out", "private ", "@Override", "new ", "throws "]),
    ("csharp", &["using System", "namespace ", "Console.Write", "public async Task", "string "]),
    ("cpp", &["std::", "#include <", "cout <<", "template <", "nullptr", "int main("]),
    ("c", &["#include <", "printf(", "malloc(", "int main(", "char *", "sizeof("]),
    (
        "sql",
        &[
            "SELECT ",
            "FROM ",
            "WHERE ",
            "INSERT INTO",
            "JOIN ",
            "CREATE TABLE",
            "GROUP BY",
            "select ",
            " from ",
        ],
    ),
    (
        "shell",
        &["#!/bin/", "sudo ", "$(", "echo ", "export ", " | grep", "fi\n", "done\n", "apt-get ", "curl "],
    ),
    ("html", &["</", "<div", "<html", "<!DOCTYPE", "<span", "class=\""]),
    ("ruby", &["def ", "end\n", "puts ", "require '", "attr_accessor", ".each do"]),
    ("php", &["<?php", "$this->", "echo $", "function "]),
];

/// The language with the most signs; nothing below two.
fn guess(code: &str) -> String {
    let count = |signs: &[&str]| signs.iter().filter(|sign| code.contains(**sign)).count();
    let mut best = ("", 1);
    for (language, signs) in SIGNS {
        let found = count(signs);
        if found > best.1 {
            best = (language, found);
        }
    }
    best.0.to_owned()
}

/// Whether indented lines are code rather than a quotation or a list: most of them end or stand together as code does.
fn looks_like_code(text: &str) -> bool {
    let is_code = |line: &str| {
        let line = line.trim();
        line.ends_with(['{', '}', ';', ')', ']', ',', ':', '\\'])
            || line.contains(" = ")
            || line.contains("()")
            || line.contains("=> ")
            || line.starts_with(['#', '$', '<', '@'])
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let (code, all) = lines.fold((0, 0), |(code, all), line| (code + usize::from(is_code(line)), all + 1));
    all > 0 && code * 2 >= all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn languages(text: &str) -> Vec<String> {
        pieces(text).into_iter().map(|code| code.language).collect()
    }

    #[test]
    fn fences_say_their_language_or_their_signs_do() {
        assert_eq!(languages("See:\n```py\nx = 1\n```\n"), ["python"]);
        assert_eq!(languages("~~~\nfn main() {\n    let mut x = 1;\n}\n~~~"), ["rust"]);
        assert_eq!(languages("```\nSELECT a FROM b WHERE c = 1\n```"), ["sql"]);
        assert_eq!(languages("```\nnothing in particular\n```"), [""]);
        assert_eq!(languages("````\n```rs\n````\nand\n```go\nx"), ["", "go"]);
    }

    #[test]
    fn indented_code_is_code_and_an_indented_list_is_not() {
        assert_eq!(languages("Try this:\n\n    def f():\n        print(self.x)\n\nThanks"), ["python"]);
        assert!(languages("Buy:\n\n    milk and honey\n    some bread\n").is_empty());
        assert!(languages("A line of prose\n    that is continued;\n").is_empty());
        assert!(languages("`inline` code and ``` three ticks").is_empty());
    }

    proptest! {
        #[test]
        fn pieces_lie_in_the_text_and_in_order(text in "[`~ a\n가{};\t]{0,80}") {
            let mut last = 0;
            for code in pieces(&text) {
                prop_assert!(code.span.start >= last && code.span.end <= text.len());
                prop_assert!(text.get(code.span.clone()).is_some());
                last = code.span.end;
            }
        }
    }
}
