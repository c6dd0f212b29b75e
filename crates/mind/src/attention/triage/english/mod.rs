//! English: triggers, and what is ordinary talk all the same. Patterns match the plain form (`wording`).

mod complaints;
mod requests;
mod vetoes;

use super::about::About;
use super::explicit;
use super::wordings::Table;

pub(super) const TABLE: Table = Table {
    triggers: &[requests::TRIGGERS, complaints::TRIGGERS],
    vetoes: vetoes::VETOES,
    subjects: vetoes::SUBJECTS,
    explicit: explicit::ENGLISH,
    borrowed: r" (?:translate|proofread|paraphrase|rephrase|reword|rewrite|polish|(?:fix|correct|check) (?:the|my|this) (?:grammar|spelling|text|letter|mail|email|paragraph)|(?:does|do|is|are|how does|how do) (?:this|these|the|my|that) {w3}(?:scan|rhyme|rhymes|sound|read|flow|verse|stanza|poem|lyrics|lines|chorus|letter|paragraph|prompt|draft|any good)|feedback on (?:this|my)|(?:here's|this is|here is) (?:my|a|the|our) (?:poem|draft|lyrics|script|letter|story|dialogue)|(?:summari[sz]e|shorten) (?:this|the following)|(?:write|draft|make|generate|give me) {w3}(?:fixture|dialogue|scene|template|test data|example messages|slogan|caption|poem|story|song|tagline)|(?:make|does) (?:this|that|my) {w3}(?:sound|less|more)) ",
    pieces: PIECES,
    about: About {
        leading: " that this about when and to is it please pls me you so if of on ",
        instead_of: &[" not ", " rather than ", " instead of ", " and not ", " , you "],
        opening: &[
            "my",
            "our",
            "his",
            "her",
            "their",
            "the",
            "a",
            "an",
            "i",
            "we",
            "i'm",
            "i've",
            "we're",
            "we've",
            "he",
            "she",
            "they",
            "what",
            "who",
            "where",
            "how",
            "which",
            "everything",
            "anything",
            "whatever",
            "all",
            "those",
            "these",
        ],
        closing: &[
            " in your ",
            " into your ",
            " to your ",
            " from your ",
            " out of your ",
            " somewhere ",
            " down ",
            " in the notes ",
        ],
        trailing: " please pls plz somewhere safe safely down now then again already before too thanks thanx ok okay permanently properly twice yesterday earlier for me once more will you that's thats that is it's this wrong outdated incorrect stale old right correct not true any anymore ",
    },
};

const PIECES: &[(&str, &str)] = &[
    // The memory itself, as something of the agent's.
    (
        "mem",
        r"(?:your|ur|yr|the) (?:own |long-term |longterm |long term |short-term |permanent |persistent |private |personal |whole |entire |internal |saved |stored |daily |old |little |working )*(?:memory|memories|memroy|memoires|notes?|notebook|notepad|head|brain|mind|records?|store|storage|knowledge(?: base)?|memory (?:store|file|bank|files)|data ?bank|log ?book|journal|entries)",
    ),
    (
        "ours",
        r"(?:our|these|those|this week's|the last|the past|last|past|recent|all our|today's|this session's|yesterday's)",
    ),
    ("chats", r"(?:conversations?|chats?|sessions?|talks|discussions?|exchanges?|messages)"),
    (
        "keep",
        r"(?:remember|memori[sz]e|note|save|store|record|log|keep|retain|write|jot|put|file|add|stash|commit|preserve|tuck|stick|pin|enter|hold|leave)",
    ),
    ("keepup", r"(?:hold on to|hang on to|hang onto|hold onto|make a note of|take note of|make note of)"),
    (
        "kill",
        r"(?:forget|delete|erase|remove|drop|purge|wipe|strike|scrub|unlearn|discard|ditch|toss|clear|dump|bin|nuke|get rid of|throw out|throw away|throw|take out|cross out|cross off|let go of|expunge|chuck out|chuck|scrap|trash|clean out)",
    ),
    ("day", r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"),
    (
        "ago",
        r"(?:yesterday|earlier|before|already|previously|last (?:time|week|month|night|session|year|{day})|this (?:morning|week|afternoon)|the other day|on {day}|just now|(?:a|two|three|five|ten|[0-9]+|some|a few|a couple of) (?:seconds?|minutes?|hours?|days?|weeks?|messages?) ago|twice|(?:two|three|four|five|six|ten|several|many|multiple|a few|a hundred|a thousand|a million|umpteen|[0-9]+) times|over and over|repeatedly|at length|in (?:great )?detail|at the (?:start|beginning)|when we (?:set|started|began|first))",
    ),
    (
        "said",
        r"(?:told|said|mentioned|explained|gave|given|showed|shown|shared|answered|spelled|spelt|pointed|corrected|described|listed|walked|sent|dictated|typed|stated|repeated|clarified)",
    ),
    ("wh", r"(?:what|what's|whats|which|who|who's|whose|where|where's|when|when's|why|how|how's)"),
    ("us", r"(?:i|i've|i'd|i'm|we|we've|we'd|we're|my|our|me|us)"),
    (
        "tell",
        r"(?:(?:have|need|got|going|supposed|meant|gonna|do) (?:to )?(?:{w2})?)?(?:tell|told|telling|say|said|saying|repeat|repeated|explain|explained|remind|reminded|correct|corrected|mention|mentioned|ask|asked|spell|spelled|spelt|go over|gone over|been over|go through|been through|write|type|give|given|answer|answered)",
    ),
    (
        "polite",
        r"(?:(?:please|pls|plz|and|so|also|ok|okay|hey|oh|now|just|always|then|well|btw|but|can you|could you|would you|will you|you should|you must|make sure to|make sure you|be sure to|i want you to|i need you to|i'd like you to|i would like you to|let's|do|kindly|maybe|ah|right|actually|yes|no|dear|thanks|great) ,? ?)*",
    ),
    (
        "end",
        r"(?:please|pls|plz|for me|for later|now|then|too|thanks|thx|ok|once and for all|for good|permanently|somewhere|down|properly|this time|,|- |lol)",
    ),
];
