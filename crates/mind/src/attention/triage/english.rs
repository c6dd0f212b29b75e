//! English: triggers, and what is ordinary talk all the same. Patterns match the plain form (`wording`).

use super::Family::{Forget, Memory, Question, RecallFailure, Reflection, SoftCorrection};
use super::about::About;
use super::wordings::{Table, Trigger, Veto};

pub(super) const TABLE: Table = Table {
    triggers: TRIGGERS,
    vetoes: VETOES,
    borrowed: r" (?:translate|proofread|paraphrase|rephrase|reword|rewrite|polish|(?:fix|correct|check) (?:the|my|this) (?:grammar|spelling|text|letter|mail|email|paragraph)|(?:does|do|is|are|how does|how do) (?:this|these|the|my|that) {w3}(?:scan|rhyme|rhymes|sound|read|flow|verse|stanza|poem|lyrics|lines|chorus|letter|paragraph|prompt|draft|any good)|feedback on (?:this|my)|(?:here's|this is|here is) (?:my|a|the|our) (?:poem|draft|lyrics|script|letter|story|dialogue)|(?:summari[sz]e|shorten) (?:this|the following)|(?:write|draft|make|generate|give me) {w3}(?:fixture|dialogue|scene|template|test data|example messages|slogan|caption|poem|story|song|tagline)|(?:make|does) (?:this|that|my) {w3}(?:sound|less|more)) ",
    pieces: PIECES,
    about: About {
        leading: " that this about when and to is it please pls me you so if of on ",
        instead_of: &[" not ", " rather than ", " instead of ", " and not ", " , you "],
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
        "polite",
        r"(?:(?:please|pls|plz|and|so|also|ok|okay|hey|oh|now|just|always|then|well|btw|but|can you|could you|would you|will you|you should|you must|make sure to|make sure you|be sure to|i want you to|i need you to|i'd like you to|i would like you to|let's|do|kindly|maybe|ah|right|actually|yes|no|dear|thanks|great) ,? ?)*",
    ),
    (
        "end",
        r"(?:please|pls|plz|for me|for later|now|then|too|thanks|thx|ok|once and for all|for good|permanently|somewhere|down|properly|this time|,|- |lol)",
    ),
];

const TRIGGERS: &[Trigger] = &[
    // To be kept.
    (Memory, "remember that", "P7 M8.1", r" remember (?:that|this|these|it) "),
    (Memory, "remember when", "P7", r" remember when "),
    (
        Memory,
        "don't forget",
        "P7 M8.1",
        r" (?:don'?t|do not|never|mustn't|must not) (?:you )?(?:ever )?forget (?:that|this|these|it|about|how|who|what|where|when|:|,|my|our|we|i|i'm|the|-|!|\.) ",
    ),
    (Memory, "important:", "P7 M8.1", r"(?:^|[.,!;-]|also|very|and) important : "),
    (Memory, "decision:", "P7", r"(?:^|[.,!;-]|our|final|the|new|[0-9]) decisions? : "),
    (
        Memory,
        "we agreed",
        "P7",
        r" we(?:'ve| have| had)? (?:all |both |now |finally |just )?agreed (?:that|on|to|not|it|we|i|:|nobody|no|the|each|every) ?",
    ),
    (Memory, "the plan is", "P7", r" the plan is (?:to|that|now|:|for|we|as follows|the|still) "),
    (Memory, "note to self", "P7", r" note to (?:self|myself|ourselves|yourself) "),
    (Memory, "keep in mind", "M8.1", r" (?:keep|bear|have) (?:it |this |that |these |them |{w3})?in mind "),
    (Memory, "note that", "M8.1", r"^{polite} note (?:that|this|it|these|down|:|,) "),
    (
        Memory,
        "for future reference",
        "M8.1",
        r" for (?:future|later|your|further|my) (?:reference|records?|information|notes|files|memory|use) ",
    ),
    (
        Memory,
        "save this",
        "M8.1",
        r" (?:save|store) (?:this|that|these|it|the following|the new [^ ]+|the [^ ]+) (?:[.,:!]|for|in|to|somewhere|and|so|please|pls|as (?:a|the|my)|with|under|now|-|about|tip|one) ",
    ),
    (
        Memory,
        "fyi for later",
        "M8.1",
        r" (?:fyi|for your information) ,? ?(?:for later|for next time|for the future|for future) ",
    ),
    (
        Memory,
        "remember:",
        "",
        r"^{polite} remember (?:,|:|-|my|our|i|i'm|we|we're|to always|for|his|her|their|the|all|how|who|which|what|where|next time|also|from now on) ",
    ),
    (
        Memory,
        "keep it",
        "",
        r"(?:^|[,;-]|please|pls|and|then|just|so|to|can you|could you|or|but)(?: {polite}| ){keep} (?:it|this|that|these|those|them|this one|the lot|all of it|everything|both|one) (?:{end} )*(?:$|[.!?,;:-] )",
    ),
    (
        Memory,
        "keep it somewhere",
        "",
        r" {keep} {w9}(?:somewhere|someplace|some place|on file|on record|permanently|for good|long-term|for keeps|where you(?:'ll| will| can)) ",
    ),
    (
        Memory,
        "write it down",
        "",
        r" (?:jot|write|note|take|put|get|scribble) (?:it|this|that|these|them|{w5})?down (?:in|somewhere|for|please|pls|[.,:!?-]|that|this|once|then|where|as|$)",
    ),
    (
        Memory,
        "jot down",
        "",
        r" (?:jot down|write down|note down|make a (?:mental |quick )?note|take (?:a )?note|make note|mark down|scribble down) ",
    ),
    (
        Memory,
        "in your notes",
        "",
        r" (?:{keep}|goes|belongs|have|get|want|need|like|write|make sure|put|reflect|copy|move) {w9}(?:in|into|to|on|under|among|for|that|with) {mem} ",
    ),
    (
        Memory,
        "your notes should say",
        "",
        r" (?:for|make sure|see that|have) {mem} (?:say|says|show|reflect|know|have|:|\() ",
    ),
    (
        Memory,
        "commit to memory",
        "",
        r" (?:commit|burn|etch|add|save|write|put|file) {w6}(?:to|into|in) (?:long-term |permanent |your |the )*memory ",
    ),
    (
        Memory,
        "memorize",
        "",
        r"^{polite} (?:memori[sz]e|take note|hold on to|hang on to|hang onto|hold onto) ",
    ),
    (
        Memory,
        "hold on to it",
        "",
        r" (?:{polite}|and then |to )(?:hold on to|hang on to|hang onto|hold onto) (?:it|this|that|one|the|these|them|those|what|:) ",
    ),
    (
        Memory,
        "keep this one",
        "",
        r" (?:keep|hold|hang) (?:on to )?(?:this|that|these|the new|the following|just|only)(?: [^ ]+)? (?:one|ones|list|version|instead|thing) ",
    ),
    (
        Memory,
        "from now on",
        "",
        r" (?:from (?:now|here|today|this day|this point|here on|now on) ?(?:on|onwards?|out|forward)?|going forward|in (?:the )?future|henceforth|from here on out) ,? ?(?:please|pls|i|i'd|i'm|always|never|use|give|call|write|don't|do not|only|you|keep|we|answer|reply|my|all|no|let's|when|be|stop|every|the|treat|assume|it's|it is|metric) ",
    ),
    (
        Memory,
        "from now on, at the end",
        "",
        r" (?:always|never|please|call me|use|write|only|don't|stop) {w9}(?:from (?:now|here) on(?: out)?|going forward|in future|in the future|every time from now) ",
    ),
    (
        Memory,
        "have it for later",
        "",
        r" (?:have|keep|know|need|use|want|got|useful|handy) {w4}(?:for later|for next time|later on|in later sessions|next session|for the next session|for future (?:sessions|chats|conversations|use)|around) ",
    ),
    (
        Memory,
        "you should know",
        "",
        r" (?:you (?:should|ought to|must|need to|have to|might want to) (?:also )?(?:know|be aware|keep in mind)|i (?:want|need) you to (?:know|remember|keep|retain|hold)|i'd like you to (?:know|remember|keep|have|retain)|for the record|for your long-term|so (?:that )?you (?:know|have it|remember|don't forget|won't forget)|just so you know) ",
    ),
    (
        Memory,
        "worth keeping",
        "",
        r" (?:worth|good) (?:keeping|remembering|saving|storing|noting|to keep|to remember) ",
    ),
    (
        Memory,
        "we decided",
        "",
        r" (?:we|we've|we have) (?:all |both |now |finally |just |also )*(?:decided|settled|resolved) (?:on|to|that|it|for|against|not|we|:) ",
    ),
    (
        Memory,
        "add to your memory",
        "",
        r" (?:add|make) (?:a |an |this |that |it |one )?(?:memory|reminder|entry|note)(?: entry)? (?:that|of|about|:|saying|for|to) ",
    ),
    (
        Memory,
        "note for later",
        "",
        r" (?:note|memo|reminder|one|something) for (?:later|the future|next time|the record|yourself|your files|your notes|your memory) ",
    ),
    (
        Memory,
        "remember for next time",
        "",
        r" (?:remember|keep|know|have|save|store|note) {w6}(?:next time|in the next session|for tomorrow's session|across sessions|between sessions|survives|after a restart) ",
    ),
    // Was said before and not remembered.
    (
        RecallFailure,
        "I already told you",
        "P7",
        r" i(?:'ve| have|'d| had)? (?:{w1})?(?:already|just|literally|clearly|explicitly|definitely|specifically|distinctly|only just) (?:{w1})?{said} (?:you|u|ya|that|this|it|all|as much|so|exactly) ",
    ),
    (
        RecallFailure,
        "I've told you this",
        "",
        r" (?:i already {said}|i(?:'ve| have) (?:told|explained to|shown|given) (?:you|u) (?:this|that|about|my|it|what|where|who|how|so|all)|why do i (?:always |still |even |keep having to )?(?:have to |need to )?(?:repeat|keep telling|keep explaining|tell you|explain)|(?:are|were) you (?:even )?(?:listening|paying attention)) ",
    ),
    (
        RecallFailure,
        "you don't remember",
        "",
        r" (?:you|u) (?:really |honestly |just |clearly |still |apparently |obviously |actually )*(?:don't|dont|do not|can't|cannot|didn't|no longer|never) (?:even |really |seem to |actually )?(?:remember|recall|kept|saved|stored|wrote|noted|know (?:who|what|where|my|which|me)) (?:[^ ]+ )?",
    ),
    (
        RecallFailure,
        "I told you before",
        "P7",
        r" i(?:'ve| have|'d| had| must have)? (?:already |just |really |surely )*(?:{said}|said|went over|went through|been over|been through) (?:you|u|this|that|it|all|so|them|to you|as much) (?:{w9})?{ago} ",
    ),
    (
        RecallFailure,
        "I told you, like, three times",
        "",
        r" (?:i|i've|i have|we've|we have) (?:{w1})?(?:{said}|corrected|reminded|been) {w6}(?:times|twice|a hundred times|umpteen|over and over|again and again) ",
    ),
    (
        RecallFailure,
        "we talked about this",
        "P7",
        r" we(?:'ve| have|'d| had)? (?:{w1})?(?:talked|discussed|went over|gone over|spoke|spoken|been over|been through|covered|already settled|already had) (?:about |through )?(?:this|that|it|all this|all that|all of this|exactly this) ",
    ),
    (
        RecallFailure,
        "you forgot",
        "P7",
        r" (?:you|u) (?:(?:just|already|completely|totally|clearly|apparently|obviously|really|honestly|have|then|again|always|seem to have|must have|'ve|even|what|did) )*(?:forgot|forgotten|forget) (?:again|already|my|our|that|what|about|everything|it|this|which|who|where|me|all|how|the|i|we|[.?!,])",
    ),
    (
        RecallFailure,
        "you've forgotten",
        "",
        r" (?:you've|youve|have you|did you|don't tell me you) (?:(?:just|already|completely|totally|really|honestly|seriously|again|all|even|you've) )*(?:forgot|forgotten|forget|lost|mislaid|dropped|wiped|erased|blanked) (?:again|already|my|our|that|what|about|everything|it|this|all|who|where|me|which|how|the|i|we|[.?!,])",
    ),
    (
        RecallFailure,
        "remember when I said",
        "P7",
        r" (?:remember|recall) (?:when|that|what|how) (?:i|we) (?:said|told|mentioned|explained|asked|agreed|went) ",
    ),
    (
        RecallFailure,
        "I mentioned this before",
        "P7",
        r" i(?:'ve| have|'d| had)? (?:already |just |even |also )*(?:mentioned|brought up|raised|noted|stated|explained) (?:this|that|it|all this|so) (?:{w3})?(?:before|earlier|already|yesterday|last|previously|twice|this|on|at|[0-9]+|several|many|in|when|the) ",
    ),
    (
        RecallFailure,
        "no, I said",
        "P7",
        r"(?:^|[.,!?;]|but|ugh|hey) (?:no|nope|nah) ,? ?(?:no ,? ?)*(?:i (?:said|told|asked|meant to say|wrote)|my [^ ]+ (?:is|was|are|isn't|name)) ",
    ),
    (
        RecallFailure,
        "how many times",
        "P7",
        r" how (?:many times|often) (?:do|did|must|have|should|will|are|am|can|does|i|we) (?:i|we|you|one|now|told|gonna|going)? ?",
    ),
    (
        RecallFailure,
        "don't you remember",
        "P7",
        r" (?:don't|dont|do not|didn't|can't|cant|won't|couldn't) (?:you|u) (?:even |really |still |just |at all )?(?:remember|recall|know that by now|keep|hold on to|retain|get it|write) ",
    ),
    (
        RecallFailure,
        "as I said",
        "",
        r" (?:as|like) i(?:'ve| have|'d| had)? (?:already |just |once |always |clearly |literally )*(?:said|explained|mentioned|told|pointed|wrote|noted|described|keep saying|was saying|keep telling) (?:you|u|before|earlier|already|yesterday|last|when|at|on|out|in|,|twice|many|several|this|above|[0-9]+|\.|:) ",
    ),
    (
        RecallFailure,
        "you keep doing it",
        "",
        r" (?:you|u) (?:(?:just|still|always|somehow) )*(?:keep|kept|keeps) (?:on )?(?:forgetting|asking|writing|calling|saying|getting|mixing|using|confusing|making|losing|suggesting|telling|coming|putting|spelling|addressing|treating|assuming|insisting|recommending|sending|booking|offering|dropping|going back) ",
    ),
    (
        RecallFailure,
        "you asked already",
        "",
        r" (?:you|u)(?:'ve| have)? (?:already |just |literally )*(?:ask|asked) (?:me )?(?:this|that|it|for (?:it|that|this)|the same|about (?:it|this|that)|already|again|exactly) (?:{w5})?(?:already|yesterday|before|last|again|earlier|twice|times|this morning|question|ago|on|thing) ",
    ),
    (
        RecallFailure,
        "why do you ask again",
        "",
        r" (?:why (?:are|do|did) you (?:asking|ask|still ask)|stop asking|asking me (?:again|that again|this again)|asked? (?:me )?again|do we (?:really )?have to (?:go|do) (?:over|through) (?:this|that|it)|do i (?:really )?have to (?:explain|repeat|tell|say)|must i (?:explain|repeat|tell|say)) {w6}(?:again|already|every|each|what|when|if|me) ",
    ),
    (
        RecallFailure,
        "the third time",
        "",
        r" (?:(?:second|third|fourth|fifth|sixth|tenth|hundredth|umpteenth|nth|[0-9]+(?:nd|rd|th)) time|every single time|time and again) (?:now )?(?:that )?,? ?(?:i'm|im|i am|i've|i have|i had|i|you|you've|today|this week|we|now) (?:{w3})?(?:telling|explaining|saying|said|told|asked|ask|asking|explain|explained|tell|say|repeat|repeating|had to|have to|start|correct|forget|forgot|get|got|mention|mentioned|correcting|spell|introduce) ",
    ),
    (
        RecallFailure,
        "do I have to repeat",
        "",
        r" (?:i|we) (?:shouldn't|should not|don't want to|hate to|hate having to|hate|have to|had to|keep having to|always have to|need to) (?:have to |keep |be )?(?:repeat|repeating|re-explain|explaining|explain|tell|telling|say|remind|reminding|correct) (?:myself|this|that|it|you|all|everything|the same) (?:{w3})?(?:again|every|each|over|all|twice|time|of|\.|,)",
    ),
    (
        RecallFailure,
        "you promised to remember",
        "",
        r" (?:you|u) (?:(?:even|had|really) )*(?:promised|claimed|swore|assured|said you'd|said you would|were supposed|were going|were meant|told me you'd|agreed) (?:me |to me )?(?:{w4})?(?:remember|hold|keep|note|store|save|write|noted|written|saved|stored|remembered|log|record|got it|had it|not to) ",
    ),
    (
        RecallFailure,
        "memory like a sieve",
        "",
        r" (?:memory (?:like|of) a|goldfish|sieve|amnesia|dementia|alzheimer's|in one ear) ",
    ),
    (
        RecallFailure,
        "you mix them up again",
        "",
        r" (?:you're|you are|youre|you've|you|u) (?:(?:have|just|always|still|again|once more) )*(?:mix|mixing|mixed|confuse|confusing|confused|swap|swapping|swapped|muddle|muddling|muddled|getting|got) {w5}(?:up|again|wrong again|confused|the wrong way|mixed up|backwards) ",
    ),
    (
        RecallFailure,
        "wrong again",
        "",
        r" (?:wrong (?:[^ ]+ )?again|again the wrong|still wrong|same mistake (?:again|as)|again you|not again|(?:just )?like last time|same as last time|we've been here before|here we go again|back to square one|again with the|once again you|yet again) ",
    ),
    (
        RecallFailure,
        "you lost it again",
        "",
        r" (?:you|you've|u) (?:(?:have|just|already|somehow|apparently|completely) )*(?:lost|dropped|wiped|erased|missed|ignored|dropped the ball on|lose) (?:my|our|it|that|this|what|everything|all|track) (?:{w4})?(?:again|already|once more|twice|overnight|i|we|of|everything) ",
    ),
    (
        RecallFailure,
        "as if we had never met",
        "",
        r" (?:as if|as though|like) (?:you|we|i|it|none|nothing)(?:'d|'ve|'re)? ?(?:had |have |were |hadn't |has )?(?:never|just|only just|not|for the first time|of that|of it|ever|happened|hadn't|strangers|meeting) ",
    ),
    (
        RecallFailure,
        "did it evaporate",
        "",
        r" (?:(?:did|has|have|is|was|does) (?:everything|all|anything|what|nothing|none|that|it|our|my|any) (?:{w8})?(?:evaporate|evaporated|vanish|vanished|disappear|disappeared|lost|gone|wiped|slip|slipped|nothing stick|stick|stuck|register|sink in)|what happened to (?:everything|what|all|the (?:notes|list|things?)) (?:i|we|you)|(?:didn't|did not|doesn't|never|won't) (?:seem to )?(?:stick|sink in|register|sunk in|stuck)) ",
    ),
    (
        RecallFailure,
        "didn't I tell you",
        "",
        r" (?:didn't|did not|didnt|haven't|hadn't|have i not|did i not) (?:i|we) (?:already |just |literally )*(?:tell|told|say|said|mention|mentioned|explain|explained|give|given|agree|agreed|discuss|discussed|go over|gone over|went|cover|covered|settle|settled|talk|talked|just|make|spell|ask|asked) ",
    ),
    (
        RecallFailure,
        "you should know this",
        "",
        r" (?:you (?:should|ought to) (?:really |have )?(?:know|known|remember|remembered|have had|have) (?:this|that|it|all|my|our|by now|already|better)|you (?:knew|had) (?:this|that|it|my|our|all) (?:{w6})?(?:yesterday|last|on {day}|before|this morning|earlier|today|once|ago)|(?:on {day}|yesterday|last week|this morning|last time) you (?:still )?(?:knew|had it|remembered)|still (?:don't|didn't|haven't|not|no) (?:know|remember|got|idea|clue|remembered|learned|in your|sunk)|how (?:is|are|can|could|do|come) (?:this|that|you|it|we) (?:{w2})?(?:still|not|don't|forget|have forgotten|no longer)|(?:you|u) {w3}no (?:clue|idea|memory|recollection) (?:who|what|of|where|about) (?:{w4})?(?:i|we|my|our|is|are|was|that|it|him|her)|(?:don't|do not) (?:tell|say to) me you(?:'ve| have)? (?:forgot|forgotten|don't|lost|no)|by now you|(?:and )?now you (?:ask|claim|act|say|don't|tell|pretend|want)|act(?:ing)? (?:as if|like) you|you have no (?:idea|memory|clue|record|recollection)|once (?:more|again) ,? (?:and )?for (?:good|the record|you|the)) ",
    ),
    (
        RecallFailure,
        "we spent an hour on this",
        "",
        r" (?:we|i) (?:spent|sat|worked|wasted) (?:{w6})?(?:hours?|evening|morning|afternoon|day|session|week|minutes|night) (?:{w5})?(?:on|over|with|going|explaining|telling|for|getting|teaching|walking) ",
    ),
    // Known, and different now.
    (
        SoftCorrection,
        "actually, it's",
        "P7",
        r" actual?ly ,? ?(?:(?:it's|its|it was|it is|that's|that was|that is|he's|she's|they're|the|my|our|i'm|i am|i was|we're|we are|i've|we've)|(?:i|we|he|she|they) (?:now |only |just |never |don't |do not |no longer |have |had |already )*(?:moved|changed|switched|live|work|use|used|prefer|go|went|have|had|started|stopped|left|quit|was|were|meant|said|dropped|sold|got|take|took|pushed|call|decided|settled)|that (?:is|was|has|should|meeting|one)) ",
    ),
    (
        SoftCorrection,
        "no, it's",
        "P7",
        r"(?:^|[.!?,;]|hm|ah|oh|sorry) (?:no|nope|nah) ,? ?(?:it's|its|it is|it was|that's|that is|the|he's|she's|they're|his|her|their|not|we're|we|on) ",
    ),
    (
        SoftCorrection,
        "no, I meant",
        "",
        r"(?:^|[.!?,;]|sorry|oh) (?:no|nope|nah) ,? ?(?:no ,? ?)*i (?:said|meant|asked for|wrote) ",
    ),
    (
        SoftCorrection,
        "I changed",
        "P7",
        r" (?:i|we)(?:'ve| have|'d)? (?:just |now |recently |also |since |finally |actually |already |since |all )*(?:changed|switched|moved|updated|stopped|started) ",
    ),
    (
        SoftCorrection,
        "that's wrong",
        "P7",
        r" (?:that's|that is|thats|this is|it's|which is|those are|you're|your notes? (?:is|are)|that) (?:just |now |plain |not |all |simply |badly |long |way |totally |completely |actually |quite )*(?:wrong|outdated|out of date|out-of-date|old|incorrect|stale|no longer (?:true|right|correct|valid|current|the case)|not (?:right|true|correct|the case) ?(?:any ?more)?|dated|obsolete|old news|history now|changed) ",
    ),
    (
        SoftCorrection,
        "it's … now",
        "P7",
        r" (?:it's|its|it is|he's|she's|they're|we're|i'm|that's|name's|is|are|am) (?:[^ .?!]+ ){1,6}(?:now|these days|nowadays|by now|since [^ .?!]+) (?:$|[.,!;?-] |actually|btw|by the way|,)",
    ),
    (
        SoftCorrection,
        "not any more",
        "",
        r" (?:isn't|aren't|wasn't|not|no|don't|doesn't|do not|does not|won't|hasn't|haven't) {w9}(?:any ?more|any longer|these days|nowadays|since [^ ]+) ",
    ),
    (
        SoftCorrection,
        "no longer",
        "",
        r" (?:(?:i|we|he|she|they|it|i'm|we're|he's|she's|it's|they're|that's|[^ ]+ (?:is|are|has|does|was|were)|my [^ ]+|our [^ ]+|the [^ ]+) (?:am |are |is )?no longer|used to be|used to {w5}but) ",
    ),
    (
        SoftCorrection,
        "X, not Y",
        "",
        r" (?:is|was|it's|its|that's|are|i'm|we're|he's|she's|name's|on|at|called|said|meant|lives?) (?:[^ .?!]+ ){1,5},? ?(?:and )?(?:not|rather than|instead of) (?:(?:on|at|in|to|the|a|an|with|for|my|by) )*(?:[^ .?!,]+ ){1,3}(?:$|[.!,;?(-])",
    ),
    (
        SoftCorrection,
        "not Y but X",
        "",
        r" (?:isn't|wasn't|aren't|not) (?:[^ .?!,]+ ){1,4}(?:but|, (?:but|it's|its|it is|that's|they're|anymore ,)) ",
    ),
    (
        SoftCorrection,
        "instead of",
        "",
        r" (?:now|changed|switched|moved|went|it's|is|are|use|using|uses|on|to|at|going) {w5}(?:instead of|rather than|in place of|and not) ",
    ),
    (
        SoftCorrection,
        "correction:",
        "",
        r" (?:(?:small|quick|slight|minor|one|little|tiny|another|important) (?:correction|fix|update|change|amendment)|correction|i stand corrected|scratch that ,|i misspoke|i mistyped|my mistake|my bad|typo on my|sorry ,? i meant|i meant|i meant to say|i was wrong|i got (?:it|that|this) wrong|i gave you the wrong|to correct|let me correct|i need to correct|one thing to (?:fix|correct)|update (?:on|:)|news :) ",
    ),
    (
        SoftCorrection,
        "you have it wrong",
        "",
        r" (?:you(?:'ve| have)? (?:got|have|had|put|wrote|written|still have|noted|recorded|saved|said|thought|think|remember|stored|listed|keep) {w8}(?:wrong|old|mixed up|backwards|outdated|stale|out of date|the other way|incorrect|incorrectly|not right|down as)|you've put|(?:in|per) your notes {w6}(?:wrong|old|outdated|stale)|your (?:notes?|picture|information|info|version|records?|memory|entry|data|facts?) {w6}(?:wrong|dated|outdated|stale|old|out of date|behind|incorrect|off)|you (?:have|got|have down) {w6}(?:is|are) (?:stale|old|wrong|outdated|dated|gone|expired)) ",
    ),
    (
        SoftCorrection,
        "should be",
        "",
        r" (?:it|that|this|name|which|spelled|spelt|they|he|she|date|number|address) (?:should|shouldn't|ought to|must) (?:be|say|read|not be|now be|have been) ",
    ),
    (
        SoftCorrection,
        "has changed to",
        "",
        r" (?:has|have|had|was|were|is|are|got|been|'s|we|they|i|it's|it|he|she) (?:(?:just|now|been|since|all|also|recently|had to|finally) )*(?:changed|moved|put off|postponed|pushed|rescheduled|renamed|replaced|shifted|brought forward|bumped|upgraded|transferred|reassigned|migrated|extended) (?:{w3})?(?:to|from|until|till|into|back to) ",
    ),
    (
        SoftCorrection,
        "got replaced",
        "",
        r" (?:got|was|were|been) (?:replaced|renamed|postponed|rescheduled|reassigned|put off|pushed back|brought forward|moved up) ",
    ),
    (
        SoftCorrection,
        "my new number is",
        "",
        r" (?:my|our|his|her|their|the) new (?:[^ ]+ )?(?:address|number|phone|email|mail|job|boss|title|name|surname|team|manager|doctor|dentist|role|employer|company|password|deadline|date|time|office|room|plan|lead) (?:is|:|will be|are)",
    ),
    (
        SoftCorrection,
        "is now called",
        "",
        r" (?:it's|is|are|we're|i'm|he's|she's|they're) now (?:called|known as|named|at [0-9]|on {day}|in [^ ]+ instead|my|our|the (?:new|lead|head|owner|main)|with [^ ]+ instead|based|living|working|using|spelled|married|due|run by|owned by) ",
    ),
    (
        SoftCorrection,
        "I've given up",
        "",
        r" (?:i|we|i've|we've|i have|we have|he|she|he's|she's|they|they've) (?:(?:just|now|recently|since|finally|have|had|also|actually|both) )*(?:quit|ditched|dropped|gave up|given up|sold|left|married|divorced|retired|renamed|cancelled|canceled|broke up|split up|got rid of|resigned|been promoted|got promoted|got married|got a new|bought a new|moved in|moved out|moved to|moved back|swapped|traded|replaced|went vegan|went back to|gone back to|bought|changed my mind|changed our minds?|got divorced|graduated) ",
    ),
    (
        SoftCorrection,
        "left, and another is",
        "",
        r" (?:left|quit|resigned|retired|is gone|are gone|moved on|has left|have left|is out) (?:,|;|and) (?:and |so |now )*(?:[^ ]+ (?:[^ ]+ )?(?:is|takes|took|does|has|will|runs|leads|are|becomes)) ",
    ),
    (
        SoftCorrection,
        "we're on it now",
        "",
        r" (?:as of (?:today|now|yesterday|{day}|this week|this month|last (?:week|month|night|year)|next (?:week|month|year)) ,?|since the (?:wedding|move|divorce|switch|merger|split|reorg|birth|operation|accident|renovation)|(?:since|from) (?:last )?(?:summer|winter|spring|autumn|january|february|march|april|may|june|july|august|september|october|november|december) (?:$|[.,!;])|(?:takes|took|taking|has taken|is taking) over|(?:i'm|we're|im) (?:now |back |going |finally )*(?:on|at|using|with|in|off|over to|going with) [^ ]+ (?:now|instead|again)|(?:we're|i'm|we are) (?:off [^ ]+ (?:as|since|now|for|and|,)|(?:going|sticking) with {w4}after all|done with|moving to|switching to)) ",
    ),
    // No longer to be kept.
    (
        Forget,
        "forget about",
        "M8.1",
        r"(?:^{polite}| (?:please|just|so|then|can you|could you|you can|you may|you should|you could|let's|better|now|and|,) )(?: |, )?forget (?:about|all about|that|what|everything|all|my|our|whatever|anything|i|we|the (?:thing|bit|part|stuff|whole|old|address|number|name|fact|story|plan|idea|note|notes|trip|meeting|appointment|deadline)|ever) ",
    ),
    (
        Forget,
        "please forget",
        "",
        r" (?:please|can you|could you|you can|you may|feel free to|go ahead and|kindly) (?:now |just |safely |completely |all )*forget (?:[^ ]+ )",
    ),
    (
        Forget,
        "I don't want you to keep it",
        "",
        r" (?:don't|do not|never) want you (?:to )?(?:remember|keep|store|hold|save|retain|know|record|remembering|keeping|storing|holding|saving) ",
    ),
    (
        Forget,
        "never mind about",
        "M8.1",
        r" (?:never mind|nevermind|nvm) (?:about|what i (?:said|told|wrote)|the (?:thing|bit|part) about|my) ",
    ),
    (
        Forget,
        "disregard",
        "M8.1",
        r" disregard (?:what|everything|that|my|all|anything|the (?:thing|bit|part|last|previous|earlier|old|address|date|note|message|info|information|plan)|it|this) ",
    ),
    (
        Forget,
        "no longer relevant",
        "M8.1",
        r" (?:that's|that is|thats|is|are|it's|isn't|aren't|not) (?:no longer|not|now) ?(?:relevant|needed|of (?:any )?(?:use|interest|relevance)|important|worth keeping|irrelevant)(?: any ?more)? ",
    ),
    (
        Forget,
        "scratch that",
        "M8.1",
        r" (?:scratch|strike|scrap) (?:that|this|what|everything|the (?:bit|part|thing|last|plan|note|idea)|my|all|it) ",
    ),
    (
        Forget,
        "ignore what I said",
        "M8.1",
        r" (?:ignore|discount|unhear|unsee|overlook) (?:what|everything|anything|whatever|all|the (?:thing|bit|part|stuff)) (?:that )?(?:i|i've|we|about) ",
    ),
    (
        Forget,
        "remove from memory",
        "M8.1",
        r" (?:{kill}|take|cut|get) {w9}(?:from|out of|off) (?:{mem}|memory|my (?:file|profile|records?|plans?|list|calendar|data|notes)|our (?:plans|notes|list)|file|record|what you (?:know|have|remember)|the record|everything you) ",
    ),
    (
        Forget,
        "delete the memory about",
        "M8.1",
        r" {kill} (?:[^ ]+ ){0,4}(?:memory|memories|memo|notes?|entry|entries|records?|facts?|info|information|details|stuff|things?|bits?|parts?|lines?|data|everything|anything|whatever|all|reminder|reference) (?:{w4})?(?:about|on|of|regarding|concerning|with|related|i|you|we|that|from|to do|where) ",
    ),
    (
        Forget,
        "delete what you know",
        "",
        r" {kill} {w9}(?:you|you've|u) (?:(?:have|still|'ve|might|may) )*(?:know|have|got|noted|stored|saved|remember|keep|kept|recorded|learned|learnt|wrote|written|hold|remembered|collected|gathered) ",
    ),
    (
        Forget,
        "delete what I told you",
        "",
        r" {kill} {w5}(?:what|everything|anything|whatever|all|that|the things?|stuff|things|all that) (?:{w3})?(?:i|i've|we|we've) (?:ever |just |once |said |had )*(?:said|told|typed|wrote|mentioned|shared|sent|gave|talked|discussed|confided) ",
    ),
    (
        Forget,
        "what I told you, delete it",
        "",
        r" (?:what|everything|anything|whatever|all|stuff|things?) (?:{w2})?(?:i|i've|we|we've) (?:ever |just |once )*(?:said|told|typed|wrote|mentioned|shared|sent|gave|confided) {w9}{kill} (?:it|that|all|them|everything|this|again|please) ",
    ),
    (
        Forget,
        "it can go",
        "",
        r" (?:bit|part|thing|stuff|notes?|entry|entries|anything|everything|whatever|info|information|one|memory|memories|list|address|record|records|reminder|line|details|data|that|those|these|it|plans?) (?:[^ ]+ ){0,12}(?:can|has to|have to|should|must|may|needs to|need to|could) (?:all |now |just |also |really |safely |please )*(?:go (?:now |too |away )?(?:[.,!;?:]|and|she|he|they|we|i|because|please|for)|be (?:deleted|dropped|removed|forgotten|erased|binned|scrapped|tossed|wiped|cleared|purged|discarded|thrown out|thrown away|struck|taken out|cut)) ",
    ),
    (
        Forget,
        "the old one",
        "",
        r" {kill} (?:the|my|our|that|those) (?:old|previous|earlier|outdated|former|obsolete) [^ ]+ ",
    ),
    (
        Forget,
        "whatever is obsolete",
        "",
        r" {kill} (?:whatever|anything|what|everything|all)(?: that)?(?:'s| is|'re| are| has| have| you| isn't) ",
    ),
    (
        Forget,
        "pretend I never said",
        "",
        r" (?:(?:pretend|act as if|act like|as if|assume|imagine|like) (?:that )?(?:i|we|it|that|this) (?:had |have )?(?:never|didn't|hadn't|did not|had not)|i (?:never|didn't) (?:said|say|told|tell|mentioned|mention) (?:that|this|it|you|anything) ,? ?(?:ok|okay|right|got it|\.|,)|(?:i )?shouldn't have (?:told|said|mentioned|shared|brought|typed|written)|wish i hadn't (?:told|said|mentioned|shared)) ",
    ),
    (
        Forget,
        "no need to remember",
        "",
        r" (?:(?:no|there's no|there is no|without any) (?:need|reason|point)(?: for you)? (?:to|in) |(?:you )?(?:needn't|need not|don't need to|don't have to|can stop|should stop|no longer (?:have|need) to|may stop|must not|mustn't|shouldn't|should not) |stop )(?:be )?(?:remember|remembering|keep|keeping|track|tracking|store|storing|hold|holding|save|saving|retain|retaining|record|recording|remind|reminding|hang|hanging|carry|carrying) (?:{w4})?(?:track|it|this|that|them|my|our|on|about|me|any|the|anything|what|where|of) ",
    ),
    (
        Forget,
        "don't keep that",
        "",
        r" (?:don't|dont|do not|never|please don't|not to) (?:ever )?(?:hang on to|hold on to|hang onto|hold onto|keep|store|save|remember|retain|record|log|write down|note down|memori[sz]e|note|put) (?:it|this|that|any|my|our|what|those|these|anything|them|the last) (?:{w5})?(?:[.,!;?]|please|pls|anywhere|in|on|about|down|around|i|$)",
    ),
    (
        Forget,
        "nothing of it on file",
        "",
        r" (?:(?:(?:want|like|wish|want there to be) (?:nothing|no|none)|(?:don't|do not) want (?:anything|any|that|this|it|my|our)) {w9}(?:on file|in {mem}|stored|saved|kept|remembered|on record|in there|recorded)|(?:must|should|may|can) not (?:be )?(?:stored|kept|remembered|saved|on file|recorded)|(?:is|are) (?:no|not) (?:of )?(?:any |your )?(?:use|business)|none of your business) ",
    ),
    (
        Forget,
        "get it out of your memory",
        "",
        r" (?:unlearn|unremember|forget it ever|wipe (?:it|that|this|them|all)|erase (?:it|that|this|them|all|every)|delete (?:it|that|this|them|all of)|purge (?:it|that|this|them|the|all)|take (?:it|that|this|them|all) (?:back )?out|get (?:it|that|this|them) out of|lose the|drop the|clear out|off your books|blot) (?:{w4})?(?:[.,!?;]|from|please|pls|notes?|memory|memories|entry|entries|thing|part|bit|all|again|for good|of it|lol) ",
    ),
    // To be gone over.
    (
        Reflection,
        "reflect on",
        "M8.1",
        r" reflect (?:back )?(?:on|upon|over) (?:this|today|today's|our|the (?:last|past|session|day|week|month|conversation|things|chat|talks?)|what|everything|all|your|how (?:we|you|our)|last|past|yesterday|these|recent|where we|where you) ",
    ),
    (
        Reflection,
        "consolidate your memories",
        "M8.1",
        r" (?:consolidate|condense|compact|compress|distil|distill|merge|dedupe|deduplicate|de-duplicate|squash|squeeze|boil|roll|fold|combine|summari[sz]e|defrag|reorgani[sz]e|organi[sz]e|restructure|reconcile|integrate|digest|archive|prune|trim|shrink|link|group) {w6}(?:{mem}|(?:day's|daily|nightly|week's|weekly|[a-z]+) (?:entries|notes|logs?|memories)|memories|what you(?:'ve| have)? (?:know|learned|learnt|got|stored|kept|saved|noted)) ",
    ),
    (
        Reflection,
        "review your memories",
        "M8.1",
        r" (?:review|revisit|re-?read|audit|check|go (?:back )?(?:over|through)|look (?:back )?(?:over|through|at)|sift through|sort through|comb through|walk through|read (?:back )?(?:over|through)|inspect|examine|cross-check|scan|work through|run through|take stock of|weed through) {w3}(?:{mem}|memories|(?:all|everything|what|anything|whatever) (?:that )?(?:you|you've|u) (?:'ve |have )?(?:know|kept|stored|saved|got|have|noted|learned|remember|recorded|written|collected)|your entries|entries (?:on|about)) ",
    ),
    (
        Reflection,
        "clean up your memory",
        "M8.1",
        r" (?:clean|tidy|sort|clear|straighten|spring-clean|declutter|spruce|weed|freshen|neaten|refresh|defrag|defragment|spring clean|groom|garden) (?:up |out |through )?(?:{w2})?(?:{mem}|memories|what you(?:'ve| have) (?:stored|saved|got|kept|noted)|everything you(?:'ve| have)) ",
    ),
    (
        Reflection,
        "memory review",
        "",
        r" (?:(?:memory|memroy|memories|notes?) (?:review|cleanup|clean-up|clean up|consolidation|check|check-up|pass|sweep|audit|maintenance|housekeeping|tidy-up|round|compaction|hygiene)|(?:do|run|start|trigger|kick off|time for|need|launch|perform|schedule|have) {w5}(?:reflection|consolidation|housekeeping|self-review|retrospective|introspection|stock-?taking|spring clean|spring cleaning|nightly (?:digest|run|job|pass|task|routine)|weekly (?:review|digest|summary))) ",
    ),
    (
        Reflection,
        "gone over",
        "",
        r" {w2}{mem} {w6}(?:gone (?:over|through)|reviewed|tidied|sorted|cleaned(?: up)?|merged|condensed|consolidated|deduped|pruned|checked|looked over|looked through|a mess|cluttered|messy|duplicated|mixed|in order|up to scratch) ",
    ),
    (
        Reflection,
        "look back over our sessions",
        "",
        r" (?:look|think|go|read|cast your mind|reflect|looking|thinking|going|step) (?:back )?(?:over|on|through|at|to|across|about|and) {w4}(?:{ours}|this (?:week|month|quarter|year|session|project)) {w4}(?:{chats}|weeks?|months?|days?|quarter|years?|session|project|together|so far) ",
    ),
    (
        Reflection,
        "take stock",
        "",
        r" (?:take stock|draw (?:a )?(?:conclusions?|lessons?)|lessons? (?:learned|learnt|worth)|(?:what|everything|all|things) (?:that )?(?:you've|you have|have you|we've|we have|did you|have we|did we) (?:learned|learnt)|(?:sum up|recap|wrap up|summari[sz]e|review|digest|debrief|retrospect) {w3}(?:{chats}|this session|this week|the week|our week|the month|the day|today) {w6}(?:and|for|into|to|lessons?|worth|keep|memory|notes)|let {w6}sink in|what (?:patterns?|themes?|lessons?) (?:do|did|can|have|are|keep)|(?:patterns?|themes?) (?:in|across|from) (?:what|our|my|the last)|step back and (?:think|look|reflect|review)) ",
    ),
    (
        Reflection,
        "merge the duplicates",
        "",
        r" (?:merge|fold|combine|join|unify|collapse|link|weed out|clear out|sort out|remove|group|bring|pull|condense|squash) (?:{w4})?(?:duplicates|doubles|dupes|double ones|duplicate (?:entries|notes|ones|memories)|overlapping|contradictions|ones that belong together|what belongs together|entries|notes|into one entry|into one page|into one note|into a single) (?:{w2})?(?:together|into|[.,!?;]|that|and|$|so|on|in|about|please)",
    ),
    (
        Reflection,
        "dedupe",
        "",
        r" (?:dedupe|deduplicate|de-dupe|defrag|defragment|spring-clean|declutter|housekeeping) {w4}(?:notes?|memory|memories|brain|head|entries|mind|store) ",
    ),
    (
        Reflection,
        "condense into",
        "",
        r" (?:condense|squash|compress|boil|distil|distill|merge|shrink|squeeze|roll up|roll|boil) (?:it|them|that|all|this|everything|those|these|the [^ ]+ entries)(?: all)? (?:down|into|to|together|in) ",
    ),
    (
        Reflection,
        "are there contradictions",
        "",
        r" (?:contradictions?|duplicates?|inconsistenc(?:y|ies)|overlaps?|doubles|redundan(?:t|cies)) (?:{w5})?(?:in|between|among|within|on) (?:{w3})(?:{mem}|your (?:entries|notes)|what you) ",
    ),
    // What is remembered is asked.
    (
        Question,
        "what do you remember about",
        "M8.1",
        r" (?:what|what's|whatever|how much|anything|everything) {w3}(?:do|can|did|would|have|else do|all do) (?:you|u) (?:still |already |actually |really |even |all )?(?:remember|recall|remembered) {w2}(?:about|of|from|on|regarding|when|that|to|\?|,)",
    ),
    (
        Question,
        "what do you know about me",
        "",
        r" (?:{wh}|how much|how many|what all|list|tell me|show me|give me|name|recite|recap) {w5}(?:do|did|have|can|would|else|everything|all|what|anything|which|whatever|the things?) {w2}(?:you|u|you've|ya) (?:still |actually |already |really |currently |even |'ve |have )*(?:know|have|got|remember|recall|keep|kept|hold|store|stored|saved|noted|recorded|learned|learnt|written|think) {w5}{us} ",
    ),
    (
        Question,
        "everything you know about me",
        "",
        r" (?:list|tell me|show me|give me|recite|dump|print|name|share|spill|sum up|recap|repeat|summari[sz]e) {w3}(?:everything|all|what|whatever|anything) (?:that )?(?:you|u|you've) (?:know|have|got|remember|stored|saved|noted|learned|kept|recall|have (?:stored|saved|noted)) {w2}(?:about|on|of|regarding|for|from|concerning) {us} ",
    ),
    (
        Question,
        "do you remember my",
        "",
        r" (?:do|can|could|would|will) (?:you|u) (?:still |even |happen to |by any chance |perhaps |maybe |also )*(?:remember|recall|know|have|look up|find|dig up|dig out|pull up|tell me|recollect) {w9}{us} {w9}\? ",
    ),
    (
        Question,
        "can you recall",
        "",
        r" (?:(?:can|could|do) you (?:still )?(?:recall|recollect)|do you (?:still|happen to) (?:know|have|remember)) (?:{wh}|the|if|whether|my|our|that|anything|me) {w9}",
    ),
    (
        Question,
        "have I told you",
        "",
        r" (?:have|did|had|haven't|hadn't|didn't) (?:i|we) (?:ever |already |actually |once |previously |not )*(?:tell|told|mention|mentioned|say|said|give|given|gave|share|shared|talk|talked|speak|spoken|discuss|discussed|introduce|introduced|explain|explained|name|named|complain|complained|bring up|brought up|save|saved|ask you to) {w9}(?:you|u|about|where|what|which|who|how|that|when|why|my|our|it|this) {w9}\? ",
    ),
    (
        Question,
        "remind me what",
        "",
        r" (?:remind me|jog my memory|refresh my memory|help me remember|i forget|i forgot|i've forgotten|i can't remember|i don't remember|can't recall) (?:again )?[,:-]? ?(?:again ,? )?(?:please ,? )?(?:{wh}|which|of (?:what|the|my|our|who)|if (?:i|we)|whether (?:i|we)|how|on what|about (?:what|the|my|our)|the name) {w9}(?:{us}|again|was|were|is|did|had)(?: |\?)",
    ),
    (
        Question,
        "what's my",
        "",
        r" {wh}(?:'s|s| is| was| are| were|'re| do| did|) (?:my|our) (?:[^ ]+ ){1,5}(?:again|called|name|birthday|address|number|size|anniversary|doctor|dentist|again)? ?(?:[^ ]+ ){0,2}\? ",
    ),
    (
        Question,
        "what was it again",
        "",
        r"(?:^|[.,!?;:-]|hey|so|ok|and) (?:{polite}|hey |so |wait |sorry |ok )?{wh} (?:[^ ]+ ){1,9}(?:again|back then|the other day|last time|already|once more|at the time) (?:\?|$|[.,])",
    ),
    (
        Question,
        "what did I say",
        "",
        r" (?:{wh}|{wh} {w5})(?:did|had|have|was it|was it that|was that|were|was the [^ ]+|were the [^ ]+|is the [^ ]+|things?|ones?|books?|place) (?:that )?(?:i|we) (?:{w2})?(?:say|said|siad|tell|told|mention|mentioned|want|wanted|ask|asked|give|gave|decide|decided|pick|picked|promise|promised|choose|chose|chosen|call|called|settle|settled|agree|agreed|discuss|discussed|talk|talked|plan|planned|name|named|end up|last|use|used|recommend|liked|like|prefer|write|wrote|buy|bought|go with|went|land|landed|talking|note|noted|drop|dropped|switch|change|changed|set|leave|left|book|booked|meet|met|need|needed|cook|order|ordered|put|store|save|saved) ",
    ),
    (
        Question,
        "why did we",
        "",
        r" (?:why|when|where|how|with whom|to whom|by when|since when) (?:did|had|have|was it|is it|was it that) (?:we|i) (?:{w2})?(?:last|decide|decided|choose|chose|drop|dropped|pick|picked|agree|agreed|settle|settled|switch|switched|move|moved|meet|met|stop|stopped|start|started|complain|complained|talk|talked|go with|went with|rule|ruled|end up|reject|rejected|postpone|postponed|discuss|discussed|visit|visited|buy|bought|say|said|tell|told) {w9}",
    ),
    (
        Question,
        "what do I drive",
        "",
        r" (?:what|which|where|who|what's|how many) {w4}(?:do|did|does|am|was) (?:i|my (?:wife|husband|partner|son|daughter|sister|brother|mother|father|mom|mum|dad|dog|cat|boss|kids|parents|team)) (?:usually |normally |always |actually |again |prefer to |like to |currently |still )*(?:drive|live|work|like|prefer|own|use|speak|play|drink|eat|take|wear|go|hate|love|avoid|collect|ride|study|bank|shop|allergic|want|need|called|born|from|do for) {w5}\? ",
    ),
    (
        Question,
        "in your notes?",
        "",
        r" (?:(?:anything|something|what|what's|whats|what's|who|who's|which|how much|how many|is|are|was|got|have|any|where|does|do|did) {w9}(?:in|from|to|on|say in|down in|say|per|according to) (?:{mem}|ur (?:head|notes)|record|file)|(?:who|what|which|when|where|how) (?:am|is|are|do|did) {w6}(?:down as|on file|on record)|(?:do|did) (?:your|ur) notes (?:{w3})(?:say|tell|have|mention|show|know|contain)|what (?:do|does) (?:your|ur) (?:notes|memory|records) (?:say|tell|have)|according to (?:your|ur) (?:notes|memory|records)) {w9}",
    ),
    (
        Question,
        "what have you kept",
        "",
        r" (?:(?:what|which|how much|what all|how many|who) {w4}(?:have|did|do|has|are|'ve) (?:you|u) (?:(?:actually|still|now|all|already|currently|exactly|even|really) )*(?:kept|stored|saved|noted|got stored|got saved|got noted|written down|recorded|remembered|retained|got about|got on|got down|have on|have about|have for (?:me|us|my|our)|have down|have in|have of|have from|have stored|know of|got|holding|hold)|(?:tell|show) me what (?:you've got|you have|you know|you remember|you've kept|you've stored)|what (?:you've|you have) got (?:on|about|in|for)|then what (?:is|was) it) {w9}",
    ),
    (
        Question,
        "which do you think I use",
        "",
        r" (?:{wh}) {w4}(?:do|would|did) you (?:think|believe|have me|have down|say|reckon|assume) (?:{w2})(?:i|i'm|we|my|our|me|is my|am) ",
    ),
    (
        Question,
        "do you still have",
        "",
        r" (?:do|did|don't|have) you (?:still |perhaps |maybe |happen to |by any chance |by chance |ever )*(?:have|got|keep|save|saved|store|stored|note|noted|record|write down|written down|kept|know) (?:the|my|our|that|any|a|it|this|anything|something|down|what|which|who|where|when) {w9}(?:{us}|about|on|of|from|for|somewhere|saved|stored|notes?|noted|handy|still|around) {w9}\? ",
    ),
];

const VETOES: &[Veto] = &[
    (
        &[Forget, Reflection],
        r" (?:whatever you|even if you|no matter (?:what|how)|(?:never|not|don't|do not|must not) (?:[^ ]+ )?(?:delete|remove|erase|be deleted|be removed|drop|forget)|never allowed|not allowed) ",
    ),
    // The task at hand: code, files, machines.
    (
        &[Memory, SoftCorrection, RecallFailure],
        r" (?:function|functions|returns?|variables?|parameters?|arguments?|null|none|nullable|compiles?|compiling|compiled|semicolons?|bracket|brackets|comma|braces?|loops?|recursion|recursive|regex|syntax|stack trace|segfault|linter|lint|lints?|clippy|valgrind|utf-8|constructor|enum|struct|boolean|async|await|mutex|div|css|html|checkbox|dropdown|tooltip|cookie|unit tests?|test suite|test case|test fails?|failing test|tests? (?:pass|passes|fail|failed|run|is|are)|the tests?|stacktrace|merge conflict|rebase|line [0-9]+|lines [0-9]+|port [0-9]+|localhost|stdout|stderr|src|readme|lock ?file|pointer|off by one|off-by-one|typo in|the imports?|the build|it builds|the diff|a bug|the bug|not a bug|feature not) ",
    ),
    (
        &[SoftCorrection],
        r" (?:i|we)(?:'ve| have|'d)? (?:just |now |recently |also |since |finally |actually |already )*(?:changed|switched|moved|updated|stopped|started|renamed|replaced|dropped|merged) (?:the|a|an|this|these|those|it|them|both|two|three|all|some|everything|at|by|for|line|lines|one|every|from zero|over|in the|on the|out|off|with|looking|reading|writing|typing|noticing|seeing|getting|wondering|thinking|watching|laughing|crying|running|cooking|my (?:rook|knight|bishop|queen|pawn|king|mouse|cursor|chair|foot|arm)) ",
    ),
    (
        &[SoftCorrection],
        r" (?:actual?ly|no|nope|nah) ,? ?(?:(?:it's|its|it is|it was|that's|thats|that is|i'm|we're|the [^ ]+ (?:is|was|are|looks?)|the view|i was) (?:all |just |quite |pretty |really |very |so |a bit |totally |perfectly |not |even |still |kind of |sort of |rather |only |more |much |too |working |been |my |the |a |an )*(?:fine|ok|okay|good|great|alright|amazing|awesome|nice|cool|perfect|working|true|right|funny|interesting|easy|hard|better|worse|enough|beautiful|lovely|fun|bad|okay|sure|curious|wondering|thinking|going to|not sure|possible|impossible|simple|easier|clear|broken|sad|it|all|what|why|how|where|point|problem|issue|case|best|worst|funny part|thing|idea|question|bug|feature|joke|pity|shame|relief|glad|happy|hungry|tired|done|ready|late|here|curious|cute|hilarious)|it (?:works|helps|looks|does|is fine|makes)|thanks|thank you|the view|that (?:works|helps|makes|sounds|looks|would|will)|i (?:think|like|love|want|need|just|can|could|would|guess|wonder|was thinking)) ",
    ),
    (
        &[SoftCorrection],
        r" (?:on so many levels|half past|quarter past|quarter to|o'clock|your turn|my turn|right now|pouring|raining|snowing|freezing|sunny|dark|bedtime|it's (?:late|time|over|on|up|down|back|live|all|getting|about|just|only) |works now|working now|fine now|better now|done now|fixed now|ready now|gone now|good now|clear now|running now|passing now|green now|home now|here now|there now|for now|until now|up to now|till now|what now|now what|running late|on my way|haha|as if|looks? (?:like|better)|feels?|so far) ",
    ),
    (
        &[SoftCorrection],
        r" (?:should|could|would|can|shall|may|do|does|did|is|are) (?:i|we|you|it|he|she|they|this|that|one|the|there) .*\? $",
    ),
    (
        &[SoftCorrection],
        r"^ (?:why|how|what|where|who|when|which|whose|is|are|can|could|should|would|does|do|did|isn't|aren't|doesn't|don't) .*\? $",
    ),
    (
        &[SoftCorrection],
        r"^ (?:please |can you |could you |now |then |and |so |ok |just |nope ,? |no ,? )*(?:use|write|make|give|show|try|add|explain|fix|put|return|print|rename|sort|convert|draw|generate|draft|list|keep|let|turn|have another|change|move|wrap|replace|while|for) ",
    ),
    (
        &[SoftCorrection],
        r" (?:if (?:i|we|you|the|he|she|they|not|so|that|this)|unless|in case|suppose|imagine|whether|novel|chapter|story|character|poem|film|movie|episode|recipe calls|match|game|score|weather|alpacas?|history of|in general|usually|theory|paper|hypothetically|bus|train is|traffic|jar|lid) ",
    ),
    // The present moment.
    (
        &[Memory],
        r" (?:mind|note|know|fyi|information|remember|forget) (?:,|:|-|that|this)? ?(?:that )?(?:i'm|im|i am) (?:(?:currently|just|still|only|now|right|already|kind of|sort of|really|actually|also) )*(?:standing|sitting|driving|walking|typing|about|in a|in the|at a|at the|on (?:a|the|my)|new|a beginner|a newbie|no expert|not (?:a|an|very|good|sure|really)|short|running|late|tired|in a hurry|using|working|trying|testing|doing|learning|getting|looking|writing|building|cooking|waiting|stuck|out of|here|away|half|outside) ",
    ),
    (
        &[Memory],
        r" (?:keep|bear) (?:this |that |it )?in mind (?:,? ?)(?:when you|while you|this is (?:a|an|just|only|for)|for this|here|in this|for the next|as you|during this) ",
    ),
    (&[Memory], r" forget to [^ ]+ "),
    (
        &[Memory],
        r" (?:do you|don't you|did you|can't|cannot|couldn't|could not|don't|do not|didn't|doesn't|never|hardly|barely|won't|will not|wouldn't|does|to help me|people|kids|who|anyone|anybody|everyone|you'll|i'll) (?:you |even |still |really |always |never |ever |all |just |only |i |we |him |her )*(?:remember|memori[sz]e|recall|keep in mind) {w9}(?:\?|formula|for the life of me|clearly|fondly|days|when|being|back when|[.!,]) $",
    ),
    (
        &[Memory],
        r" (?:i|we|he|she|they|you) (?:(?:can't|cannot|couldn't|don't|didn't|never|still|just|hardly|vaguely|barely|dimly|fondly|do|will always|always|clearly|suddenly|really|even) )*remember ",
    ),
    (&[Memory], r"^ (?:hey |so |and |oh |ha |haha |lol |, )*(?:you )?remember (?:[^ ]+ )*\? $"),
    (
        &[Memory],
        r" (?:the|a|an|this|that|my|your|its|their|'s|no|any|each|some) (?:save|store|record|log|note|keep|memory|file) (?:button|function|file|icon|dialog|game|point|the date|feature|method|command|leak|usage|handling) ",
    ),
    (
        &[Memory],
        r" (?:save|store|log|record|write|put|keep|add|pin|file|note) (?:this|that|it|them|these|those|the [^ ]+)? ?(?:{w4})(?:as (?:a |an )?(?:utf|pdf|csv|json|png|jpe?g|file|txt|markdown|html|zip|xml|yaml|svg|mp3|docx?|xlsx?|draft|variable|script|template)|to (?:disk|a file|the file|file|csv|json|the database|the db|clipboard|the console|stdout|my desktop|the desktop|the branch|main|the repo|the table|the list|a list|the top|the end)|in (?:a|the|an) (?:file|variable|folder|list|array|table|database|db|cell|column|box|bag|fridge|freezer|oven|pan|bowl|jar|loop|comment|header|footer|dict|map|vector|struct|function|script|spreadsheet|drawer|cupboard|document|paragraph|table|sentence|row|code)|into (?:a|the|an) [^ ]+|short|simple|brief|warm|going|it up|up|calm|quiet|running|in (?:english|german|french|bold|italics)) ",
    ),
    (
        &[Memory],
        r" (?:he|she|they|my (?:mom|mum|dad|boss|wife|husband|brother|sister|teacher|friend|colleague)|people|someone|somebody) (?:(?:always|just|still|also|even) )*(?:says?|said|claims?|claimed|thinks?|thought|told me|goes|writes|wrote) ",
    ),
    (
        &[Memory],
        r" (?:you (?:{w2})?(?:promised|claimed|swore|said)|agreed to disagree|to the letter|going forward with|in future tense|the plan is (?:pointless|good|bad|fine|stupid|great)|good decision|whose decision|template|headings?|placeholder|fixture|mock|sample|dummy|lorem|slide|slogan|poster|flyer|banner|button|label says|sign says) ",
    ),
    (
        &[Memory],
        r" (?:(?:nothing|no|none|not|never|don't|dont|do not|stop|needn't|shouldn't) (?:{w3})?(?:keep|keeping|store|storing|save|saving|hang on|hold on|remember|remembering|record|recording|note|on file|on record|retain|write down|put)|(?:delete|erase|remove|purge|wipe|forget|get rid of|take|strike|drop) {w9}(?:your (?:notes|memory|head|brain|records)|memory)|have on file|on file for|on file \?|you have (?:on|for|about)|what you have|whatever you've got|you(?:'ve| have)? (?:got |have )?(?:noted|stored|saved|written|recorded|kept)) ",
    ),
    (&[Memory], r"^ (?:{wh}|do|does|did|is|are|have|has|how much|how many|anything|any) (?:[^ ]+ )*\? $"),
    // Others than the agent, other talk than this.
    (
        &[RecallFailure],
        r" (?:book club|in class|class today|reading group|lecture|lesson|seminar|therapy|therapist|group chat|dinner|standup|stand-up|at school|in school|at church|course|podcast|conference|(?:at|in|during|after) (?:the|our|my|today's|yesterday's) (?:meeting|call|retreat|office|workshop|team|pub|party)|with (?:my|the|her|him|them|his|a) |to (?:my|the|our|him|her|them|his|a|everyone|everybody|people) (?:landlord|boss|team|wife|husband|manager|doctor|teacher|kids?|mother|father|mom|mum|dad|brother|sister|friends?|colleagues?|neighbou?rs?|customers?|clients?|plumber|bank|others?|group)|told (?:my|him|her|them|the|our|everyone|people)|my (?:mom|mum|dad|mother|father|wife|husband|boss|sister|brother|teacher|friend|colleague|son|daughter|kids?|partner|girlfriend|boyfriend|landlord|neighbou?r|manager|roommate|flatmate|grandma|grandpa|ex) (?:always |just |keeps |still )*(?:says?|said|goes|told|forgets?|forgot|asks?|asked|keeps|is|was|thinks|who)|(?:he|she|they|who) (?:said|told|forgot|asked|keeps?|always|never|goes|says?)) ",
    ),
    (
        &[RecallFailure],
        r" (?:you|u) (?:(?:just|also|then) )*forgot (?:a|an|the|to|one|some) (?:[^ ]+ )*(?:line|semicolon|comma|bracket|import|return|quote|parenthesis|colon|tag|case|test|file|link|attachment|step|minus|sign|unit|s|period|full stop|headline|title|column|row|paragraph|conclusion|close|add|handle|include|run|escape|await) ",
    ),
    (
        &[RecallFailure],
        r" how (?:many times|often) (?:do|does|did|is|can|should|will|would|are) (?:this|that|the|it|a|an|you (?:need|have)|i (?:need to|water|have to (?:water|feed|take|run|call))|we (?:need to|run|have to run)) ",
    ),
    (
        &[RecallFailure],
        r" (?:novel|play|king|queen|character|scene|lyrics|poem|verse|song|film|movie|act two|quote|meme|i told you so|no idea (?:why|how)|as i said in|on (?:this|the) (?:code|bug|draft)) ",
    ),
    // Ordinary uses of words of forgetting.
    (
        &[Forget],
        r" (?:forget (?:about )?it [,.!]|forget it ,|don't forget|dont forget|do not forget|never forget|didn't forget|can't forget|won't forget|not forget|let me forget|let you forget|easy to forget|i forget|i forgot|we forget|people forget|mice|rats|users? forget|forget gate|right to be forgotten|forget-me-not|forget me not|git forget|lest we forget|forgetful|forget how to|forget whether|unforgettable|should i forget|does [^ ]+ forget|will [^ ]+ forget|forget everything \?) ",
    ),
    (
        &[Forget],
        r" (?:table|tables|columns?|rows?|foreign keys?|database|db|migrations?|schema|branch|branches|commits?|repo|files|(?:the|this|that|a|an) file|folder|folders|directory|git|lints?|warnings?|errors?|imports?|whitespace|spaces|function|functions|variable|variables|class|method|code|script|comments?|console|logs|cache|docker|container|images?|pixels?|background|paragraph|sentence|words?|formatting|css|html|json|spreadsheet|cells?|pods?|server|cluster|queue|index|null|nulls|duplicate rows|line [0-9]+|lines? [0-9]+|typos?|stain|stains|rust|weeds?|wallpaper|ants|mold|mould|moss|song|article|art|shop|customer|customers|app|browser|cookies|token|tokens|session cookie) ",
    ),
    (
        &[Forget],
        r" (?:never mind (?:about (?:that|it|me|this) [,.!]|the weather|the rain|whose|who|how|why|where|if|,|\.|!|:|found|i)) ",
    ),
    (
        &[Forget],
        r"^ (?:how|why|what|where|which|does|is|did|can i|could i|should i|should we|when|who) (?:[^ ]+ )*\? $",
    ),
    (
        &[Forget],
        r" (?:scratch that itch|from scratch|scratch (?:that|my) (?:head|surface)|strike that balance|as if nothing|milk|butter|skin|stuffed|the cake|the trash|the bins?|dinner|lunch|laundry|novel|story|poem|narrator|character|he|she) (?:had|would|can|could|is|was|never|and|\.|,|said|forgets?|must|should|in|on|for|of|go|be) ",
    ),
    // Reflection as an exercise, tidying of other things.
    (
        &[Reflection],
        r" (?:novel|essay|poem|chapter|character|book|article|film|movie|narrator|words|homework|assignment|spoilers|protagonist|in the mirror|light|therapist|journaling prompts|spreadsheets?|columns?|rows|sheets|csv|pdfs?|code|function|class|module|parser|repo|repository|leaks?|valgrind|heap|bytes|cache|files|folder|disk|ram|loans?|debts?|credit|git|commits?|css|tests?|paper|mice|rats|brains? of|linter|imports?|contract|clauses?|slides?|presentation|thesis statement|mirror|c|py|rs|js|cpp) ",
    ),
    (
        &[Reflection],
        r"^ (?:how (?:do|does|can|could|should|would)|why (?:do|does|did)|should i|do people|is it|does|what prompts|what is|what's) (?:[^ ]+ )*\? $",
    ),
    // Questions to the world.
    (
        &[Question],
        r" (?:not in your|the difference between|difference between|take stock|boil|remind me (?:in|at|to|tomorrow|every|when (?:the|it's)|on|tonight|later)|dial-up|when phones|back in the day|good old|my (?:code|function|query|script|test|build|server|app|page|program|regex|css|browser|terminal|mistake|options|best|next|chances|laptop|pc|computer|phone (?:so|not)|wifi|error|problem|output|loop|bug|config|printer)|our (?:code|function|query|script|test|build|server|app|page|program|options|best|next|chances|error|problem|output|loop|bug|ci)|formula|for the life of me|alpacas|which one should|should (?:i|we)|would you (?:recommend|suggest)|do you know (?:how|why|if|whether|any|a (?:good|way)|of (?:any|a)|where i can|what this|what the|the difference)|this (?:code|function|error|loop|line|test|query|page|paragraph|sentence|mean)|(?:do|did|can|could|should|must|shall|have|does|would|will) (?:i|we|one) (?:have to|need to|fix|get|make|do|install|use|convert|write|set|put|call|handle|know if|know when|know whether|avoid|prevent|explain|tell (?:them|him|her|my)|say (?:to|in)|go about)) ",
    ),
];
