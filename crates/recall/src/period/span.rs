//! Where in a question its days are named: what is looked for is the rest.

use std::ops::Range;

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::{Period, months, named, period, weekdays};
use crate::analyzer::{fold, is_ideograph};

/// In longer questions the place is not sought.
const MOST_PIECES: usize = 64;

/// The shortest piece of a text that names the same days as the whole, as far as taking words off both ends finds it.
pub(crate) fn span(text: &str, today: Date, days: Period) -> Option<Range<usize>> {
    let starts = pieces(text);
    if starts.len() > MOST_PIECES {
        return None;
    }
    let is_same = |range: Range<usize>| period(&text[range], today) == Some(days);
    let first = starts.iter().skip(1).take_while(|start| is_same(**start..text.len())).last();
    let start = *first.or(starts.first())?;
    let end = starts.iter().rev().take_while(|end| **end > start && is_same(start..**end)).last();
    let end = end.copied().unwrap_or(text.len());
    let (start, end) = with_its_week(text, &starts, (start, end), today, &is_same);
    Some(start..start + text[start..end].trim_end().len())
}

/// A day of the week with the words beside it that say of which week it is, where it is the same day without them: "last Tuesday".
fn with_its_week(
    text: &str,
    starts: &[usize],
    (start, end): (usize, usize),
    today: Date,
    is_same: &dyn Fn(Range<usize>) -> bool,
) -> (usize, usize) {
    let folded = fold(&text[start..end]);
    if !weekdays::is_named(&folded, &named::words_of(&folded), today) {
        return (start, end);
    }
    let belongs = |piece: Range<usize>| weekdays::belongs(&fold(text[piece].trim_end()));
    let (before, after) = starts.split_at(starts.partition_point(|at| *at < start));
    let start = before.iter().rev().fold((start, true), |(start, goes_on), at| {
        let goes_on = goes_on && belongs(*at..start) && is_same(*at..end);
        (if goes_on { *at } else { start }, goes_on)
    });
    let ends = after.iter().skip(1).copied().chain([text.len()]).filter(|at| *at > end);
    let end = ends.fold((end, true), |(end, goes_on), at| {
        let goes_on = goes_on && belongs(end..at) && is_same(start.0..at);
        (if goes_on { at } else { end }, goes_on)
    });
    (start.0, end.0)
}

/// Whether a piece names its days by a calendar, as what was written of them would: "March 2025", "on Monday", "3월"; "last week" and
/// "three days ago" do not.
pub(crate) fn is_of_calendar(piece: &str, today: Date, days: Period) -> bool {
    let folded = fold(piece);
    let words = named::words_of(&folded);
    // What a word excludes of the days it names is not what was written of them.
    let named = named::moment(&folded, today, true);
    if named.is_none_or(|(first, last)| first > days.1 || last < days.0) {
        return false;
    }
    let elsewhere = today.checked_sub(401.days()).ok();
    elsewhere.is_some_and(|elsewhere| period(piece, elsewhere) == Some(days))
        || words.iter().any(|word| months::month_named(word).is_some())
        || weekdays::is_by_name(&folded, &words, today)
        || folded.contains(['월', '月'])
            && weekdays::in_signs(&folded, today).is_none()
            && !["개월", "个月", "個月", "か月", "ヶ月", "カ月"].iter().any(|unit| folded.contains(unit))
}

/// Where the words and ideographs of a text begin.
fn pieces(text: &str) -> Vec<usize> {
    let (mut starts, mut before) = (Vec::new(), ' ');
    for (at, each) in text.char_indices() {
        let is_sign = |each: char| each.is_whitespace();
        if !is_sign(each) && (is_sign(before) || is_ideograph(each) || is_ideograph(before)) {
            starts.push(at);
        }
        before = each;
    }
    starts
}
