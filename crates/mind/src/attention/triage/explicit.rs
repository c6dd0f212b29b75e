//! What asks the agent in so many words to keep, to correct or to let go, whatever the rest of the sentence is about: "remember that the
//! server listens on port 8081" is no talk about ports.

use super::Family::{Forget, Memory, RecallFailure, Reflection, SoftCorrection};
use super::wordings::Veto;

pub(super) const ENGLISH: &[Veto] = &[
    (
        &[Memory],
        r"^ {polite}(?:(?:remember|memori[sz]e|don't forget|do not forget|never forget|keep in mind|bear in mind|make a note|take note) ,? ?(?:that|:) |note that (?:i|we|my|our) |(?:important|decision|for the record|note to self) : |(?:we|we've|we have) (?:both |all |finally |now |just )*(?:agreed|decided) (?:to|that|on) |(?:the|our) plan is to )",
    ),
    (
        &[RecallFailure, SoftCorrection],
        r"^ {polite}(?:(?:i|i've|i have) (?:just |already |literally |clearly )*told you |no ,? ?(?:that's|thats|that is) (?:wrong|not right|not correct|incorrect|not true) |how (?:many times|often) (?:do|did|must|should|have) i (?:have to |need to |got to )?(?:tell|told|say|said|repeat) )",
    ),
    (
        &[Forget],
        r"^ {polite}(?:forget (?:what|everything|all|anything|whatever) (?:that )?(?:i|we|you) |(?:delete|erase|remove|clear|wipe|drop) (?:the|your|that|this|all|any) (?:memory|memories|notes?|entry|entries|records?) (?:of|about|on|that|with|for) )",
    ),
    (
        &[Reflection],
        r"^ {polite}(?:clean up|tidy up|tidy|clean out|sort out|sort|consolidate|condense|organi[sz]e|go over|go through|review|reflect on) your (?:memory|memories|notes?) ",
    ),
];

pub(super) const GERMAN: &[Veto] = &[
    (
        &[Memory],
        r"^ (?:(?:bitte|und|also|ok|okay|hey|ach|dann|jetzt|noch|,) )*(?:(?:merk|merke|merkt|notier|notiere) (?:dir|euch) ?(?:mal |bitte |das |gut )*(?:,|:)? |(?:vergiss|vergesst) (?:bitte )?nicht ,? ?dass |denk (?:bitte )?(?:daran|dran) ,? ?dass |(?:wichtig|entscheidung|beschluss) : |wir haben (?:uns )?(?:[^ ]+ ){0,2}(?:entschieden|beschlossen|geeinigt) )",
    ),
    (
        &[RecallFailure, SoftCorrection],
        r"^ (?:(?:bitte|und|also|hey|,) )*(?:(?:das )?(?:hab|habe) ich dir (?:doch )?(?:schon|bereits) |nein ,? ?das (?:ist falsch|ist nicht richtig|stimmt nicht) |wie oft (?:muss|soll) ich dir )",
    ),
    (
        &[Forget],
        r"^ (?:(?:bitte|und|also|hey|,) )*(?:vergiss ,? ?(?:was|alles , was|alles was) (?:ich|wir|du) |(?:lösch|lösche|entfern|entferne|streich|streiche) (?:die|deine|den|alle) (?:erinnerung|erinnerungen|notiz|notizen|eintrag|einträge) )",
    ),
];

pub(super) const KOREAN: &[Veto] = &[(
    &[Memory],
    r"(?:기억해|기억해 ?줘|기억해 ?둬|기억해 ?두세요|기억해 ?주세요|기억하세요|메모해 ?줘|메모해 ?둬|명심해) ?[.!]? ?$",
)];

pub(super) const CHINESE: &[Veto] = &[
    (
        &[Memory],
        r"^ ?(?:请|請|麻烦|你|要|一定|一定要|帮我|幫我|好好)*(?:记住|記住|记下来|記下來|记一下|記一下|牢记) ?(?:[:,，：]|[^了吗嗎么密])",
    ),
    (
        &[RecallFailure, SoftCorrection],
        r"^ ?(?:不|不对|不是)[ ,，]*(?:那|这|這)?(?:不对|不對|错了|錯了|是错的)",
    ),
];
