//! A tool call in a few words.
//!
//! Owns what of a call's arguments says most: the command, the file, the pattern, the address. Large arguments (a
//! whole file to write) are read past, not copied. Must not keep more than a line can hold.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::json::{Fields, Raw, Text, brief, read};

/// Characters that are kept of arguments and results; the transcript's line holds fewer.
pub(super) const KEPT: usize = 320;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    command: Raw<'a>,
    #[serde(borrow)]
    cmd: Raw<'a>,
    #[serde(borrow)]
    file_path: Text<'a>,
    #[serde(borrow, rename = "filePath")]
    file_path_camel: Text<'a>,
    #[serde(borrow)]
    notebook_path: Text<'a>,
    #[serde(borrow)]
    path: Text<'a>,
    #[serde(borrow)]
    pattern: Text<'a>,
    #[serde(borrow)]
    query: Text<'a>,
    #[serde(borrow)]
    url: Text<'a>,
    #[serde(borrow)]
    description: Text<'a>,
    #[serde(borrow)]
    subject: Text<'a>,
    #[serde(borrow)]
    skill: Text<'a>,
    #[serde(borrow)]
    prompt: Raw<'a>,
    #[serde(borrow)]
    code: Raw<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
}

/// What a call was asked to do. Arguments may be an object, or a string that holds one.
pub(super) fn summary(arguments: Raw<'_>) -> String {
    let Some(raw) = arguments.map(RawValue::get) else { return String::new() };
    if raw.starts_with('"') {
        // Arguments as a string: JSON if they look like it, otherwise words or a patch.
        let Ok(text) = serde_json::from_str::<String>(raw) else { return String::new() };
        return match serde_json::from_str::<&RawValue>(text.trim()) {
            Ok(inner) if inner.get().starts_with('{') => summary_of_object(Some(inner)),
            _ => text.chars().take(KEPT).collect(),
        };
    }
    summary_of_object(arguments)
}

fn summary_of_object(arguments: Raw<'_>) -> String {
    let Some(fields) = read::<Arguments<'_>>(arguments) else { return brief(arguments, KEPT) };
    if let Some(command) = fields.command.or(fields.cmd) {
        return command_line(command);
    }
    let path = [&fields.file_path, &fields.file_path_camel, &fields.notebook_path, &fields.path]
        .into_iter()
        .find_map(Text::get);
    let said = [&fields.pattern, &fields.query, &fields.url].into_iter().find_map(Text::get);
    match (said, path) {
        (Some(said), Some(path)) => return format!("{said} in {path}"),
        (Some(words), None) | (None, Some(words)) => return words.to_owned(),
        (None, None) => {}
    }
    if let Some(words) = [&fields.description, &fields.subject, &fields.skill].into_iter().find_map(Text::get)
    {
        return words.to_owned();
    }
    match [fields.prompt, fields.code, fields.input].into_iter().find(Option::is_some) {
        Some(words) => brief(words, KEPT),
        None => match arguments.map(RawValue::get) {
            Some("{}" | "null") | None => String::new(),
            Some(raw) => raw.chars().take(KEPT).collect(),
        },
    }
}

/// A command as one line; the shell that wraps it is left out.
fn command_line(command: &RawValue) -> String {
    let Ok(words) = serde_json::from_str::<Vec<String>>(command.get()) else {
        return brief(Some(command), KEPT);
    };
    match words.as_slice() {
        [shell, flag, line] if shell.ends_with("sh") && flag.starts_with('-') => line.clone(),
        words => words.join(" "),
    }
}

/// A tool's result in brief; an error says so.
pub(super) fn result(content: Raw<'_>, is_error: bool) -> String {
    let text = unwrapped(content).unwrap_or_else(|| brief(content, KEPT));
    let text = text.trim();
    match (is_error, text.is_empty()) {
        (true, true) => "error".to_owned(),
        (true, false) => format!("error: {text}"),
        (false, _) => text.to_owned(),
    }
}

/// Some hosts write a result as a string that holds an object with the output.
fn unwrapped(content: Raw<'_>) -> Option<String> {
    let raw = content?.get();
    if !raw.starts_with("\"{") || raw.len() > 1 << 20 {
        return None;
    }
    let text: String = serde_json::from_str(raw).ok()?;
    let inner: &RawValue = serde_json::from_str(&text).ok()?;
    Some(brief(Some(inner), KEPT))
}

/// How a file inside a message is called: its name, or its kind. Nothing for a block that is no file.
pub(super) fn file_name(block: &Fields<'_>) -> Option<String> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Place<'a> {
        #[serde(borrow)]
        media_type: Text<'a>,
        #[serde(borrow, rename = "mimeType")]
        mime_type: Text<'a>,
        #[serde(borrow)]
        url: Text<'a>,
        #[serde(borrow, rename = "fileUri")]
        file_uri: Text<'a>,
    }
    let place: Place<'_> = [block.source, block.inline_data, block.file_data, block.image_url]
        .into_iter()
        .find_map(read)
        .unwrap_or_default();
    let address = [&place.url, &place.file_uri].into_iter().find_map(Text::owned);
    let address = address.or_else(|| read::<String>(block.image_url)).filter(|url| !url.starts_with("data:"));
    let media = [&place.media_type, &place.mime_type, &block.mime_type].into_iter().find_map(Text::owned);
    let named = block.title.owned().or_else(|| block.asset_pointer.owned()).or(address);
    match block.kind.or_empty() {
        "image" | "document" | "input_image" | "input_file" | "file" | "audio" | "input_audio" => Some(
            named.or(media).unwrap_or_else(|| block.kind.or_empty().trim_start_matches("input_").to_owned()),
        ),
        _ if block.inline_data.is_some() || block.file_data.is_some() => {
            Some(named.or(media).unwrap_or_else(|| "file".to_owned()))
        }
        _ => block.asset_pointer.owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw<'_> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn a_call_is_summed_up_by_what_it_does() {
        assert_eq!(summary(raw(r#"{"command":"ls -l","description":"List"}"#)), "ls -l");
        assert_eq!(summary(raw(r#"{"command":["bash","-lc","cargo test"]}"#)), "cargo test");
        assert_eq!(summary(raw(r#"{"file_path":"/a.rs","content":"long"}"#)), "/a.rs");
        assert_eq!(summary(raw(r#"{"pattern":"TODO","path":"src"}"#)), "TODO in src");
        assert_eq!(summary(raw(r#""{\"cmd\":\"ls\"}""#)), "ls");
        assert_eq!(summary(raw(r#""*** Begin Patch""#)), "*** Begin Patch");
        assert_eq!(summary(raw(r#"{"text":"hello","to":"es"}"#)), r#"{"text":"hello","to":"es"}"#);
        assert_eq!(summary(raw("{}")), "");
    }

    #[test]
    fn a_result_is_its_start_and_an_error_says_so() {
        assert_eq!(result(raw(r#""ok\n""#), false), "ok");
        assert_eq!(result(raw(r#""denied""#), true), "error: denied");
        assert_eq!(result(raw(r#""{\"output\":\"a.txt\",\"metadata\":{}}""#), false), "a.txt");
    }
}
