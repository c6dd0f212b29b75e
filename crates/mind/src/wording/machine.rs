//! What a machine wrote: logs, stack traces, code, commands with their output.

use std::sync::LazyLock;

use regex::Regex;

/// Lines that a machine wrote: time stamps with levels, stack traces, code, commands with their output.
pub(crate) static MACHINE: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
    Regex::new(
        r"(?m-u)^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d|\[?\d\d:\d\d:\d\d[\].,\s]|\[?\d{1,4}[/.]\d{1,2}[/.]\d{2,4}[T ,]+\d\d:\d\d:\d\d|\[?[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d|\d\d-\d\d \d\d:\d\d:\d\d|[IWEF]\d{4} \d\d:\d\d:\d\d|\[ *\d+\.\d{3,}\] |\d{10}(?:\.\d+|\d{3})? |\[(?i:error|warn|warning|info|debug|trace|notice|verbose)\]|(?:error|warn|info|debug|event|wait|ready|notice) +- |(?:warn|debug|verbose|silly): |<\d{1,3}>|[\w.-]*\d +\| |[\w.-]+\[[\w.-]+\]: |(?:\d\d:\d\d |[\w.-]+[.:\[/][\w.\[\]/:-]* +|\[[\w .:/-]{1,40}\] )(?:- )?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b|Traceback \(most recent|\s*at [\w.$<>]+\(|File \x22|error(?:\[E\d+\])?:|fatal:|panic:|thread '|npm ERR!|\$ |>>> |#include|import \w+;?$|(?:pub )?fn \w+\(|def \w+\(|class \w+[:({]|function \w*\(|(?:const|let|var) \w+ =|SELECT (?u:.*) FROM |<\?xml|<!DOCTYPE|\{\s*\x22|HTTP/\d|(?:GET|POST|PUT|DELETE) /|\d{1,3}(?:\.\d{1,3}){3} - )|Exception in thread|[A-Za-z]+(?:Error|Exception): |\b(?:level|lvl|severity)=\w+|exit(?:ed with)? (?:code|status) \d+\s*$|\[(?:ERROR|WARN|INFO|DEBUG)\]",
    )
    .expect("a constant pattern")
});
