//! English. Cues match the plain form (`crate::wording`); names and projects the text as it was written.

use super::super::mark::Mark::*;
use super::{Cue, Table};

pub(super) const TABLE: Table = Table {
    cues: &[AGAINST, MUSING, NOT_SO, DECIDED, SETTLED, LEARNED, DONE, PERSONS, FACTS],
    fillers: " ok okay k kk so and also oh ah ahh aha hm hmm hmmm mm yeah yep yup ugh lol lmao haha hahaha \
        hah heh btw anyway please pls plz thanks thx ty hey hi hello fyi damn wow yay oof meh ",
    replies: " well yes no nope nah right true sure fine great good nice cool perfect wait actually honestly alright exactly agreed then but \
        just now sorry though too either of course hang on hold important one more thing listen look by the way also lastly again ",
    request: r"^ (?:(?:oh|ok|and|also|hey|,) )*(?:can|could|will|would) you (?:please |also )*(?:remember|note|keep in mind|bear in mind|save|make a note|write down) (?:that |down that |: )+",
    reasons: &[
        r" (?:because|since|given that|seeing that|seeing as|considering that|considering|due to|on account of) (?:of )?((?:[^ ]+ ){2,40})$",
        r" ,? (?:so that|so) ((?:it|they|he|she|we|you|i|nobody|no one|everyone|the|people) (?:[^ ]+ ){2,30})$",
        r" ,? as ((?:it|they|he|she|we|i|nobody|the) (?:[^ ]+ ){2,30})$",
    ],
    names: &[
        r"^(?:\p{Ll}+,? )?(\p{Lu}\p{Ll}+) (?:from|in|at) \p{Ll}+ (?:is|does|has|can|knows|handles)\b",
        r"^(?:\p{Ll}+,? )?(\p{Lu}\p{Ll}+), (?:he|she|they|who)\b",
        r"\b(?:Dr|Mrs|Mr|Ms|Miss|Prof|Professor|Sister|Father|Coach|Auntie|Aunt|Uncle|Grandma|Grandpa)\.? ((?:\p{Lu}[\p{L}'-]+)(?: \p{Lu}[\p{L}'-]+)?)",
        r"\b(?i:my|our|his|her|their) (?:\p{Ll}+[ -]){0,3}?(?:sister|brother|mum|mom|mother|dad|father|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|friend|mate|neighbou?r|colleague|co-?worker|boss|manager|flatmate|roommate|housemate|landlord|landlady|cousin|aunt|uncle|niece|nephew|grandma|grandpa|gran|nan|grandmother|grandfather|godson|goddaughter|stepson|stepdaughter|kid|toddler|baby|twin|dog|cat|rabbit|horse|pony|parrot|puppy|kitten|hamster|tortoise|teacher|tutor|coach|trainer|dentist|doctor|vet|therapist|accountant|lawyer|adviser|advisor|supervisor|mentor|assistant|intern|apprentice|student|babysitter|nanny|cleaner|gardener|plumber|electrician|builder|carpenter|roofer|mechanic|bassist|drummer|guitarist|singer|pianist|player|lead|cofounder|co-founder|designer|developer|dev|engineer|editor|caretaker|client|customer|tenant|ex|chair|treasurer|secretary|husband's|buddy),? (\p{Lu}[\p{L}'-]*\p{Ll})",
        r"\b(\p{Lu}\p{Ll}[\p{L}-]*)(?:'s (?:birthday|allergy|doctor|teacher|mum|dad|mother|father|wife|husband|partner|favourite|favorite|school|eyesight|hearing)|'s scared|'s afraid|'s allergic|(?:'s| is| was|,) (?:my|our|his|her|the|a|an|in|on|from|allergic|vegan|vegetarian|deaf|blind|scared|afraid|left-handed|colou?r))\b",
        r"\b(\p{Lu}\p{Ll}[\p{L}-]*) (?:can|could|would|hates|loves|likes|prefers|can't|cannot|won't|doesn't|never|always|only|uses|has|needs|works|lives|plays|speaks|runs|wants|does|gets|owns|looks|takes|handles|writes|teaches|leads|eats|drinks|sings|sleeps|knows|turns|studies|is|was|and|will)\b",
        r"\b(?:with|to|from|by|ask|call|ping|email|text|tell|that's|contact|is|for|named|called|about|at|named|meet) (\p{Lu}\p{Ll}[\p{L}-]*(?: \p{Lu}\p{Ll}[\p{L}-]+)?)\b",
    ],
    nobody: " I I'm I've I'd I'll Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays \
        Saturdays Sundays January February March April May June July August September October November December The This That It We He \
        She They You My Our His Her OK Ok Okay Yes No Not Nope If So And But Or When While Then There Here What Who Where Why How Which \
        Everyone Everything Everybody Nobody Nothing Someone Somebody Anyone All Both Each One Two Also Just Please Thanks Never Always \
        Only Sure Right Postgres Python Rust Docker Linux Windows Mac GitHub Git Google Excel Slack English German French Spanish Dutch \
        Italian Polish Christmas Easter Well True Hmm Oh Lol Today Tomorrow Yesterday Same Next Last Good Great Nice As In On At For From \
        To With By After Before Because Since Let Budget Rent Parking Check Keep Put Use Make Most Some Any These Those A An Its Mine \
        Mum's Dad's Half Perfect Agreed Decided Deal Fine Cool Plan Option SQLite MySQL Redis Kafka React Node Java Go TypeScript Actually \
        Honestly Basically Anyway Hey Hi Hello Sorry Finally Maybe Perhaps Otherwise Meanwhile Usually Morning Evening \
        this that these those it them everything something anything here there now ever good real sure ",
    projects: &[
        r"(?:`|\x22|“)([^`\x22”\n]{2,30})(?:`|\x22|”)(?: \p{Ll}+)? (?:repo|repository|project|api|app|service|site|website|tool|game|shop|library|crate|package|script|bot|plugin|cli|server|firmware|dashboard|thesis|book|podcast|newsletter|needs|is)\b",
        r"(?i:project|repo|repository|app|tool|service|called|named) (?:`|\x22|“)([^`\x22”\n]{2,30})(?:`|\x22|”)",
        r"(?i:back on|working on|work on|know about|continue with|back to|busy with|started on) (?:the |my |our )?`?(\p{L}[\p{L}\p{N}-]{2,24})`?(?:,| (?:project|repo|app|api|so far|again|today|now)\b)",
        r"(?i:for|on) (?:the |my |our )?`?(\p{L}[\p{L}\p{N}-]{2,24})`? (?:project|repo|app|api)\b",
        r"\b[Pp]roject (\p{Lu}[\p{L}\p{N}-]+)",
        r"(?:project|program|programme|app|tool|shop|site|website|service|system|library|bot|game|band|club|co-op)\b[^.!?\n]{0,60} (?:called|named) (\p{Lu}[\p{L}\p{N}-]{2,24})",
        r"\b(?:[Oo]ur|[Mm]y) (?:\p{Ll}+[ -]){0,3}(?:project|app|tool|shop|band|club|co-op|site|system|bot|game|podcast|blog),? (?:called |named )?(\p{Lu}[\p{L}\p{N}-]{2,24})",
        r"(?i:working name|working title) (?:is|:) (\p{Lu}[\p{L}\p{N}-]{2,24})",
        r"(\p{Lu}[\p{L}\p{N}-]{2,24}) \((?:our|the|my) (?:\p{Ll}+ ){0,3}(?:system|app|tool|site|website|server|project|service|program|shop)\b",
    ],
};

const AGAINST: &[Cue] = &[
    (Asks, r" \? (?:[^\pL\pN]* )?$"),
    (
        Asks,
        r"^ (?:(?:ok|okay|so|and|but|hm+|well|hey|also|oh|btw|lol|haha|,|\.) )*(?:(?:what|who|where|when|why|how|which|whose)(?: (?:much|many|long|often|else|kind|about|to))? (?:do|does|did|is|are|was|were|can|could|should|would|will|about|if|on|much|many|long|else|we'd) |what's |how's |who's |where's |(?:is|are|does|do|did|was|were|can|could|should|would|will|shall|has|have) (?:i|you|we|it|that|this|there|they|he|she|the|my|our|anyone|anybody) |any (?:idea|ideas|chance|thoughts) )",
    ),
    (
        Asks,
        r" (?:should i|should we|shall i|shall we|could we|could i|can i|can we|what if|how about|what about|do you (?:think|know)|does (?:it|that|this)|is (?:it|that|this|there) (?:[^ ]+ ){1,8}\?|wonder(?:ing)? (?:if|whether|how|what)|not sure (?:if|whether|how)|any idea|thoughts \?|right \?|no \?|or \?) ",
    ),
    (
        Supposes,
        r" (?:suppose|supposing|imagine|what if|pretend|hypothetically|in theory|theoretically|let's say|let us say|say we|assuming|if only|if (?:i|we|you|they|he|she|it|the|there|somebody|someone|my|our) (?:[^ ]+ ){0,3}(?:were|was|had|could|would|did|got|ever|won|went|came|offered|dropped|gave)) ",
    ),
    (
        Supposes,
        r" (?:(?:i|we|he|she|it|they|you|that|there|who)'d|would|wouldn't) (?:[^ ]+ ){0,12}if | if (?:[^ ]+ ){1,12}(?:'d|would|wouldn't|i'd|we'd|could|might) ",
    ),
    (
        Hedges,
        r" (?:maybe|perhaps|possibly|probably|i guess|i suppose|might|not sure|not certain|no idea|dunno|don't know|i think so|thinking (?:aloud|out loud|about|of)|i was thinking|was thinking|some ?day|one day|eventually|would be (?:nice|cool|great|fun|lovely|good)|it'd be|i wish|wish|hopefully|hope|i'd (?:like|love|hire|buy|want|say|go|never|probably|do|take)|we'd|wanna|tempted|toying with|considering|could (?:also|always|just|maybe|do|use|go|be)|we could|i could|think about it|sleep on it|let me think|haven't decided|not decided|undecided|can't decide|open question|to be decided|tbd|we'll see|we shall see|let's see|leaning towards?|just dreaming|dreaming|in another life|if i'm lucky|fingers crossed|should probably|i should|might as well see|idk) ",
    ),
    (Hedges, r" (?:later maybe|another time|not now|not yet|another day|for another day|not today) "),
    (
        Reports,
        r" (?:they|he|she|who|everyone else|the (?:board|council|school|company|landlord|club|committee|government|city|bank|other [a-z]+)) (?:[a-z]+ )?(?:have |has |had |'ve )?(?:all )?(?:decided|agreed|chose|chosen|voted) | they've (?:[a-z]+ )?(?:decided|agreed|chosen) ",
    ),
    (
        Reports,
        r" (?:(?:he|she|they|it|who|which|(?:[^ ]+ )?(?:ad|advert|article|page|website|site|packet|label|box|wiki|wikipedia|blog|post|mail|email|letter|book|manual|docs|readme|commit|message|brochure|leaflet|sign|poster|forum|review|guide|newsletter|landlord|landlady|colleague|boss|neighbou?r|manager|agent|agency|company|competitor|supplier|friend|brother|sister|mum|mom|dad|doctor|vet|teacher|client|customer|somebody|someone|people|guy|lady|man|woman|kid|kids)) (?:also )?(?:says?|said|claims?|claimed|wrote|writes|states?|stated|announced|insists?|insisted|argues?|argued|swears?|swore|told me|told us|recommends?|advises|advised|suggests?|suggested|promised|mentioned|reckons?|thinks?|decided|wants? to|want to)|according to|i read|read somewhere|read that|i heard|heard that|apparently|supposedly|allegedly|rumou?r|quote|quoting|wrote :|says :|said :|told me :|they want|they decided|he decided|she decided) ",
    ),
    (Reports, r" (?:this is what|here's what|here is what) (?:[^ ]+ ){1,4}(?:sent|wrote|said|posted) "),
    (
        Tells,
        r" (?:limerick|haiku|poem|riddle|lyrics|the (?:story|novel|film|movie|episode|series|plot|villain|hero|heroine|protagonist|character|dragon|wizard|princess|narrator)|in the (?:game|book|film|movie|show|story|series)|once upon|my character|joke|punchline|crosswords?|clues?|knock knock|dungeon|role-?play|just kidding|kidding|jk|in my dream|dreamt|dreamed) ",
    ),
    (
        Moment,
        r" (?:right now|just now|at the moment|this minute|in a (?:minute|sec|second|moment|bit)|brb|be right back|gotta|i'm (?:on the|off|leaving|heading|going|back|about|just|still|out|here|home|so|too|really|very|getting|running|starting|sitting|waiting|trying|confused|tired|bored|hungry|stuck|sure|not sure|done|ready)|off to|talk (?:later|soon)|see you|tonight|on my way|running late|i'll be (?:home|back|there|late)|(?:an|same|[0-9]+) errors?|the error (?:message|says|is|comes|again)|error [0-9]+|fails|failing|still red|crashes|exception|line [0-9]+|let me (?:ask|check|think|see|try)|ask my|battery|took ages|is slow|it's raining|it's late|good night|bye|catch a (?:train|bus|flight)|just (?:ran|tried|tested|checked|sent|called|asked|got|saw|did)|seconds|let's (?:see|look|start|begin|finish|continue|check|talk|get started|get going|move on|get back|wrap|stop here|try|test|debug|have a look|go over|go through|not)|first let's|for a (?:minute|moment|sec)|next up|pushing|sending) ",
    ),
    (
        Chore,
        r"^ (?:(?:ok|okay|k|yes|yeah|yep|sure|great|good|nice|cool|perfect|thanks|thx|hey|so|and|now|first|oh|also|then|right|well|hm+|please|pls|just|can you|could you|would you|will you|go|,|\.|!|-) )*(?:give|show|tell|make|write|draft|translate|summari[sz]e|rewrite|rephrase|shorten|list|open|close|fix|generate|find|search|look|explain|delete|remove|rename|convert|sort|add|create|draw|compute|calculate|suggest|compare|check|read|run|rerun|try|turn|move|copy|undo|format|scroll|send|print|count|proofread|put|post|set up|set|strip|help|plan|describe|review|start|stop|continue|carry on|go ahead|go on|build|deploy|install|download|upload|export|import|test|debug|refactor|merge|commit|push|revert|leave|repeat|replace|change|update|insert|fill|sum|round|colou?r|highlight|save|load|ask me|quiz me|remind me|sketch|mark|do it|do that|polish|word|turn|come up with|provide|brainstorm|outline|elaborate|recommend|act as) (?:[^ ]+ )",
    ),
    (
        Chore,
        r" (?:can|could|would|will) you (?:please |just |also |maybe )*(?:[a-z]+) | (?:i|we) (?:want|need|would like) (?:you )?to (?:fill|write|plan|make|build|draft|sort|clean|word|understand|know|write down) | i need (?:a|an|some|help) | (?:need|want|have) to (?:fill in|plan|write|draft|prepare|sort out) | (?:put|write|add) (?:that|this|it) (?:on|in|into|down|to) | help me ",
    ),
    (
        Secret,
        r" (?:password|passwd|passphrase|pin|api key|secret key|access token|token|secret|login code) (?:is|was|:|=) ",
    ),
    (
        Moment,
        r" i'm (?:in|on|at) an? [a-z]+ | i have to (?:be|go|leave|run) | again (?:[.!,] )?$| the (?:page|build|test|app|script) (?:loads|takes|runs|hangs|works) ",
    ),
    (
        Remarks,
        r" (?:is|are|looks?|seems?) (?:way |far |really |so |very |a bit |just )?(?:inhuman|early|late|crazy|awful|great|terrible|fine|nice|perfect|enough|ok|okay|ridiculous|expensive|cheap|ugly|cute|funny|weird|annoying|wrong|broken|slow) [,.!]| i (?:like|love|prefer) (?:the|this|that|it|your) |(?:first|second|last|other|new|old) (?:sentence|version|draft|one|paragraph|title|option) (?:better|more) ",
    ),
    (
        Remarks,
        r" (?:you're (?:a|the|right|welcome|good|great)|you are (?:a|the|right)|good (?:catch|point|idea|call|job|bot)|well done|nice one|love it|looks (?:good|great|fine|nice)|sounds (?:good|great|fine)|that (?:works|helps|worked)|makes sense|interesting|fair enough|got it|too real|noted|i see) ",
    ),
];

/// What is thought, wished or planned of this talk alone, and what the user has been doing lately.
const MUSING: &[Cue] = &[
    (
        News,
        r" (?:i|we) (?:just|recently|finally) [a-z]+ | (?:i've|we've|i have|we have) (?:(?:also|actually|really|already|recently|just) )*(?:been [a-z]+ing|recently|just|started|completed|finished) | recently | lately ",
    ),
    (
        Muses,
        r" (?:i'm|i am|i was|i've been|i have been) (?:(?:also|really|very|still|particularly|especially|just|actually|definitely|quite|so|more|now|currently|kind of|a bit) )*(?:interested in (?:learning|exploring|hearing|knowing|understanding|finding|seeing|getting|trying|the|that|this|your|those|these)|curious|intrigued|excited|thrilled|looking forward|looking for (?:some|a few|any|more|something|recommendations|advice|tips|ideas|suggestions|ways|information|inspiration)|looking (?:to|into) (?:learn|update|improve|get|find|explore|try|understand)|wondering|thinking|meaning to|considering|feeling|glad|happy to|open to|eager|trying to (?:find|figure|decide|learn|understand|see)) ",
    ),
    (
        Muses,
        r" (?:i'd|i would) (?:(?:also|really|just) )*(?:like|love|want|be (?:interested|happy|glad|curious)) (?:to|in) (?:(?:also|really|just) )*(?:know|knowing|learn|learning|ask|explore|exploring|hear|hearing|see|understand|find|discuss|talk|read) | i (?:(?:also|really|just|do) )*(?:want|wanted) to (?:know|learn|ask|understand|hear|mention|share) | i (?:(?:also|really) )*(?:appreciate|like the idea|love the idea|feel like|wonder|noticed) | (?:i've|i have) (?:also )?heard (?:of|about|great|good|that) ",
    ),
    (
        Muses,
        r" (?:i'll|i will|i think i'll|i think i will) (?:(?:definitely|also|probably|just|then|try to|start by|be sure to) )*(?:check (?:out|it|them|that|those|if|some)|look (?:into|at|up)|try|see (?:if|how|what|whether)|explore|exploring|consider|reach out|give (?:[^ ]+ )a|keep (?:[^ ]+ ){0,3}(?:in mind|posted)|let you know|think about|make sure|be sure|do (?:some|more) research|experiment|play around|treat myself|follow (?:a|your|that)|identifying|incorporate) ",
    ),
    (
        Muses,
        r"^ (?:(?:oh|ah|wow|well|yes|yeah|yep|ok|okay|thanks|and|but|so|,|\.|!) )*(?:it's|it is|that's|that is|this is) (?:(?:also|really|very|so|quite|pretty|definitely|always) )*(?:interesting|fascinating|concerning|disappointing|inspiring|exciting|amazing|understandable|good to (?:know|hear|see)|great to (?:know|hear|see)|nice to (?:know|hear|see)|sad|shocking|surprising) | it seems (?:like|that|to) ",
    ),
    (
        Muses,
        r" (?:in|for|with) (?:this|the next|your next|your) (?:reply|answer|response|message|question|prompt|conversation|chat|essay|story) ",
    ),
];

/// What is only claimed, or is not so.
const NOT_SO: &[Cue] = &[
    (
        Claimed,
        r" (?:claims|claimed|alleges|alleged|pretends|asserts|asserted) (?:[,:] )?(?:that )?(?:(?:we|i|we've|i've|we'd|we're|we'll|i'd|i'll)|our|my) ",
    ),
    (
        Claimed,
        r" (?:says|thinks|believes|insists|reckons|writes|states|swears|tells (?:me|us)|assumes|argues|suggests) (?:[,:] )?(?:that )?(?:we|i|we've|i've|we'd|we're|we'll|i'd|i'll) (?:(?:have|had|are|all|already|now|just|finally|both|also) ){0,2}(?:decided|agreed|settled|chose|picked|voted|opted|approved|going (?:with|to)|go with|switch(?:ed|ing)? to|mov(?:e|ed|ing) to|us(?:e|ed|ing)|will|want(?:ed)? to|should) ",
    ),
    (
        Claimed,
        r"(?:^|[,.;:]) (?:(?:[^ iw,.;:][^ ]*|i[^ '][^ ]*|w[^ e][^ ]*|we[^ '][^ ]*) ){1,4}(?:said|thought|believed|insisted|reckoned|wrote|stated|swore|told (?:me|us|him|her|them|everyone|everybody)|assumed|argued|suggested|mentioned) (?:[,:] )?(?:that )?(?:we|i|we've|i've|we'd|we're|we'll|i'd|i'll) (?:(?:have|had|are|all|already|now|just|finally|both|also) ){0,2}(?:decided|agreed|settled|chose|picked|voted|opted|approved|going (?:with|to)|go with|switch(?:ed|ing)? to|mov(?:e|ed|ing) to|us(?:e|ed|ing)|will|want(?:ed)? to|should) ",
    ),
    (
        Denied,
        r" (?:(?:it's|it is) (?:(?:just|simply|totally|completely|absolutely|plain|plainly|obviously|definitely|clearly|all|so|a) )*(?:false|wrong|untrue|incorrect|not true|not right|not correct|not so|not the case|nonsense|rubbish|bullshit|bs|lie|lying|mistaken|made up|invented)|it isn't (?:true|the case|right|correct|so)) (?:, )?(?:that|to say) ",
    ),
    (
        Denied,
        r"^ (?:[^ ]+ ){3,}(?:but|which|though|although|however|yet|and|[,;–—-]) (?:(?:however|of course|in fact|actually|,) )*(?:(?:that's|that is|it's|it is|this is|which is|is|he's|he is|she's|she is|they're|they are) (?:(?:just|simply|totally|completely|absolutely|plain|plainly|obviously|definitely|clearly|all|so|a) )*(?:false|wrong|untrue|incorrect|not true|not right|not correct|not so|not the case|nonsense|rubbish|bullshit|bs|lie|lying|mistaken|made up|invented)|(?:(?:that|this|it|which) )?isn't (?:true|right|correct|so|the case)|(?:that|it|which) never happened|(?:we|i) (?:never did|didn't|did not|did no such thing)(?: (?:that|so))?) (?:[.!] )*$",
    ),
    (
        Denied,
        r" (?:we|i|we've|i've|nobody|no one) (?:have |had )?never (?:ever |really |actually )?(?:decided|said|approved|voted|agreed to) | (?:we|i|nobody|no one) (?:didn't|did not|never did) (?:ever |really |actually )?(?:decide|agree to|approve) | no (?:such )?decision (?:has been |was |had been )(?:made|taken) ",
    ),
    (
        Denies,
        r"^ (?:(?:no|nope|but|and|well|actually|sorry|oh|hm+|of course|which|,) )*(?:(?:that's|that is|this is|it's|it is|is|he's|he is|she's|she is|they're|they are) (?:(?:just|simply|totally|completely|absolutely|plain|plainly|obviously|definitely|clearly|all|so|a) )*(?:(?:false|wrong|untrue|incorrect|not true|not right|not correct|not so|not the case|nonsense|rubbish|bullshit|bs|lie|lying|mistaken|made up|invented)|not what (?:we|i) (?:[a-z]+ )?(?:said|decided|agreed(?: on)?))|(?:that|this|it) isn't (?:true|right|correct|so|the case|what (?:we|i) (?:said|decided|agreed(?: on)?))|(?:that|it) (?:never happened|did not happen|didn't happen)|nonsense|rubbish|bullshit|untrue|false|not true|wrong|we (?:never did|did not|didn't|did no such thing|never (?:decided|agreed|said)(?: (?:to )?(?:that|this|it|so|any such thing|anything|anything of the kind))?)|no such thing) (?:(?:at all|though|of course|either) )?(?:[.!] )*$",
    ),
];

/// What was decided, so plainly that nothing else can be meant.
const DECIDED: &[Cue] = &[
    (
        Decides,
        r" (?:we|we've|we have) (?:(?:now|just|finally|all|also|already|both|unanimously|officially) ){0,2}(?:decided|agreed|settled|opted|voted|chosen|chose|resolved) (?:to|on|for|that|against|in favou?r) ",
    ),
    (
        Decides,
        r" (?:we|we've|we have|i|i've|i have) (?:(?:now|just|finally|also|already) ){0,2}(?:changed|switched|swapped|replaced) (?:the|our|my|from) (?:[^ ]+ ){1,6}(?:instead of|rather than|in place of) ",
    ),
    (
        Decides,
        r" (?:we|we've|we have|we're|we are) (?:(?:now|just|finally|also|already) ){0,2}(?:(?:switched|switching|swapped|swapping|migrated|migrating|moved|moving) (?:our (?:[^ ]+ ){1,4})?from (?:[^ ]+ ){1,4}to|(?:changed|changing|switched|switching) (?:the|our) (?:[^ ]+ ){1,4}(?:from (?:[^ ]+ ){1,4})?to|(?:moved|moving|postponed|brought forward) (?:the|our) (?:[^ ]+ ){1,4}to (?:[0-9][^ ]*|[^ ]+days?|january|february|march|april|may|june|july|august|september|october|november|december)) ",
    ),
    (
        Decides,
        r" (?:we're|we are) (?:(?:now|also|all) ){0,2}(?:replacing|swapping) (?:[^ ]+ ){1,4}(?:with|by|for) ",
    ),
    (
        Decides,
        r" (?:from now on|from (?:today|tomorrow|(?:next|this) [^ ]+|[^ ]+day|january|february|march|april|may|june|july|august|september|october|november|december) on(?:wards?)?|as of (?:now|today|tomorrow|next [^ ]+|[^ ]+day)|henceforth|starting (?:today|tomorrow|next [^ ]+|[^ ]+day|in [^ ]+)) (?:, )?(?:we|we'll|our) ",
    ),
];

const SETTLED: &[Cue] = &[
    (
        Notes,
        r" (?:noted|recorded|saved|corrected|updated|understood|got it|agreed|removed|added|changed (?:to|that)|i'll (?:note|remember|keep|use|put|add|set|make|point|write|leave|start|stop|stick)|it stays|that goes|goes on the) ",
    ),
    (Alternatives, r" (?:could|can|either|might) (?:[^ ]+ ){1,10}or (?:[^ ]+ )"),
    (Alternatives, r" or (?:[^ ]+ ){1,12}\? "),
    (
        Settles,
        r" (?:let's|lets|let us) (?:just |then |do it and |all |both |rather |simply )*(?:go|use|do|take|keep|stick|make it|say|switch|move|drop|skip|call it|book|stay|buy|pick|choose|settle|stop using|ditch|plant|paint|name|serve|sell|ship|host|store|rent|order|invite|meet|put|have) (?:[^ ]+ )",
    ),
    (
        Settles,
        r" (?:we're|we are|i'm|i am|we'll|we will|i'll|i will|we won't|i won't|we shall|we|i) (?:now |then |just |only |all |both |definitely |not |still |simply )*(?:going (?:with|for|to use|to keep|to take|ahead with)|go with|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:with|on|at)|switch(?:ing|ed)? to|moving to|move to|moved to|keep(?:ing)?|dropp?(?:ing|ed)?|ditch(?:ing|ed)?|us(?:e|ing)|skip(?:ping)?|ship(?:ping)?|tak(?:e|ing)|cut(?:ting)?|buy(?:ing)?|plant(?:ing)?|opt(?:ing|ed)? for|chos(?:e|en)|pick(?:ed|ing)?|settled? (?:on|for)|agreed (?:on|to)|decided|end with|open with|start with|close with|do worldwide|replac(?:e|ing)|book(?:ing|ed)?|cancel(?:ling|led|ing|ed)?|sell(?:ing)?|rent(?:ing)?|hir(?:e|ing)|offer(?:ing)?|serv(?:e|ing)|limit(?:ing)?|charge|charging|support(?:ing)?|invit(?:e|ing)|postpon(?:e|ing|ed)|mov(?:e|ing)|painting|hosting|launch(?:ing)?|signed) (?:[^ ]+ )",
    ),
    (
        Settles,
        r" (?:decided|decision (?:is|made|:)|final decision|it's settled|that's settled|settled|final answer|it's final|done deal|it's a deal|it's decided|agreed :|we agreed|verdict :|the decision|i've decided|we've decided|made up my mind|we have a winner|signed off on|approved|locked in) ",
    ),
    (Settles, r" (?:[^ ]+ ){1,6}it is (?:[,.!-]|then|$)| (?:[^ ]+ ){1,6}it is $"),
    (
        Settles,
        r" (?:from today|as of (?:today|now|next)|starting (?:today|monday|next|from)|effective (?:today|immediately|from)|for good) ",
    ),
    (
        Settles,
        r"^ (?:(?:ok|okay|k|yes|yeah|yep|hm+|so|and|right|alright|no|nope|fine|then|,|\.|!) )*(?:go (?:with|for)|make it|stick with|use|keep|take|drop|scrap|no more|skip|forget the|kill the|cancel) (?:[^ ]+ ){1,8}(?:instead|then|for (?:now|the|this|all)|after all|,) ",
    ),
    (
        Settles,
        r" (?:instead of|rather than|over) (?:[^ ]+ ){1,6}(?:from now on|then|it is|this (?:year|time|season|term)) | (?:goes?|stays?|moves?) (?:into|in|to|on|with|out|for) (?:[^ ]+ ){1,5}(?:this (?:year|time|season|term|summer|winter|spring|autumn)|then|for good|from) | (?:gets|get) (?:[^ ]+ ){1,5}(?:from (?:today|now|monday)|too ,) ",
    ),
    (
        Settles,
        r" (?:only|[0-9]+|integers|metric|in (?:[^ ]+ )?(?:cents|euros|grams|utc)) ,? (?:please|pls) [.,!]| throughout[ ,.]",
    ),
    (
        Picks,
        r"^ (?:(?:ok|okay|k|yes|yeah|yep|hm+|so|and|right|alright|fine|good|great|cool|perfect|true|agreed|sure|,|\.|!|:) )+(?:[^ ]+ )",
    ),
    (
        Picks,
        r" (?:then|it is|please|fine|works|will do|for me) (?:[.!] )?$| (?:i'd go with|i'll go with|i'll take|the (?:first|second|third|last|former|latter)(?: one| option)?|option [abc123]|number (?:one|two|three|[123])) ",
    ),
    (
        Takes,
        r" (?:then|it is|please) (?:[,.!] |$)|^ (?:(?:ok|okay|right|fine|good|yes|,) )*(?:the )?[^ ]+ (?:one|version|option)? ?(?:then|it is)[ ,]",
    ),
    (
        Ifs,
        r"^ (?:(?:ok|and|but|so|,) )*(?:if|unless|in case) | if (?:[^ ]+ ){1,10}(?:then |we'll |i'll |will )",
    ),
    (
        Settles,
        r" (?:let's|lets) (?:[a-z]+) (?:[^ ]+ )| (?:that settles it|to sum up|final call|it's final|that's final|change of plan|made up (?:my|our) minds?|done deal|landed on|signed off|went with|ended up (?:getting|with|going|choosing|taking)|turned (?:it|them|that|the) (?:[^ ]+ )?down|turned down|called it|said (?:yes|no) to|(?:going|about) to (?:sign|use|take|keep|go|buy|sell|switch|drop|stay|rent|book|hire|skip|stop|do)) | (?:stays|stay) (?:[^ ]+ ){1,3}(?:,|\.|;|$)| (?:is|are) (?:out|off the table|in|final|fixed|set) (?:,|\.|$)| will (?:be|cost|start|run|go|get|stay) (?:[^ ]+ ){0,2}(?:[0-9]+|free|closed|open|on|in|at) ",
    ),
    (
        Settles,
        r" (?:we|i) [a-z]+ (?:[^ ]+ ){0,6}(?:instead of|rather than|, not|but not|instead) | (?:i|we) want (?:the|it|all|every|them|that|this) (?:[^ ]+ ){1,4}(?:to be|capped|limited|kept|in|at|as|without|on|off|by) | (?:it's|it is|they're|we're on) (?:[^ ]+ ){1,4}now (?:[,.]|$)| (?:one|two|three|four|five|[0-9]+) (?:[^ ]+ ){1,3}(?:max|maximum|tops|at most|per (?:[^ ]+)) (?:[,.] |$)",
    ),
    (Takes, r"^ (?:then|so|ok|okay) (?:it's|it is) "),
    (
        Settles,
        r" we (?:hired|agreed|settled|chose|picked|signed|voted|appointed|all agreed) | i've (?:cancelled|booked|decided|chosen|picked|signed|settled) ",
    ),
    (
        Settles,
        r"^ (?:(?:ok|so|yes|right|,) )*(?:going (?:with|for)|final (?:call |answer |version )?:|sold ,|deal ,|the plan (?:is|:)) | takes over (?:[^ ]+ ){1,5}(?:from|in|on) | (?:moved|moving|postponed|pushed) (?:the|it|everything|this) (?:[^ ]+ ){0,3}(?:to|until) ",
    ),
    (
        Undoes,
        r" (?:scrap|drop|dropped|dropping|ditch|ditched|cancel|cancelled|forget|scratch|skip|kill|not (?:doing|using|going|taking) (?:[^ ]+ ){0,3}(?:any ?more|after all)|got rid of|get rid of|without the|then no|so no|no more|back to|out with|called off|changed (?:my|our) minds? about|takes? back|undo) ",
    ),
    (
        Replaces,
        r" (?:no wait|wait no|wait ,|hang on|hold on|actually|instead [.,]|instead ,|instead|on second thoughts?|second thoughts|changed my mind|change of plan|scratch that|after all|forget that|no ,? let's|no ,? make it|hm+ no|no no|nah ,|make that|nevermind that|sorry ,|oh no) ",
    ),
    (
        Corrects,
        r" (?:i meant|i mean|meant to say|typo|correction|correct that|sorry ,? (?:it's|that's|not|i)|my mistake|my bad|mixed up|got (?:that|it) wrong|was wrong|not (?:[^ ]+ ){1,3}but|it's actually|actually it's|no ,? it's|oops|misread|mistyped|swapped) ",
    ),
    (
        Accepts,
        r"^ (?:(?:oh|ok|okay|ah|hm+|haha+|wow|great|,|\.|!) )*(?:yes|yeah|yep|yup|ya|sure|agreed|deal|done|perfect|absolutely|definitely|of course|exactly|go (?:for it|ahead)|do (?:it|that|so)|sounds (?:good|great|fine|perfect|right|like a plan)|good (?:idea|plan|call|thinking|point)|great (?:idea|plan|call)|nice idea|love (?:it|that)|i like (?:it|that)|let's do (?:it|that|so)|works for me|fine (?:by|with) me|that works|i'm in|please do|smart|brilliant|excellent|why not|👍|✅) ",
    ),
    (Murmurs, r"^ (?:ok|okay|k|right|fair|true|fine|makes sense|alright|cool|great|good|nice|perfect|sure) "),
    (Thus, r" (?:do (?:that|it|so)|let's do (?:that|it|this|so)|go for it|go ahead|make it so|so be it) "),
    (
        Refuses,
        r"^ (?:(?:oh|ok|ah|hm+|haha+|lol|ugh|well|,) )*(?:no|nope|nah|never|not (?:yet|now|really)|don't|rather not|i'd rather not|too (?:much|expensive|complicated)|overkill|skip) ",
    ),
    (
        Proposes,
        r" (?:i'd|i would|i'd also|i would also|i) (?:also |rather |simply |probably |still |just )*(?:suggest|propose|recommend|go (?:for|with)|keep|use|put|add|take|start|move|drop|choose|pick|make|prefer|split|store|set|leave|do|get|stick|have|write|book|ask|buy|plan|limit|let|skip|hang|place|paint|pin|wait|switch|turn) | (?:we|you) (?:could|should|can|might)(?: also| simply| just)? | (?:how|what) about | shall we | (?:would|will|should) (?:do|be (?:enough|better|simpler|safer|easier|best|cheaper|the)|suffice|help|work|save|spare|suit) | (?:is|are) (?:enough|better|safer|simpler|easier|best|cheaper|the (?:usual|safest|better|simplest)|nicer|a good)| suits? | my (?:suggestion|proposal|recommendation|pick|advice)| (?:suggestion|proposal|recommendation) : | better | why not ",
    ),
    (Suggests, r" (?:shall we|how about|what about|why not|should we|could we|what if we) "),
    (
        Offers,
        r" (?:shall|should|may|can|could) i | (?:do you )?want me to | i (?:can|could) (?:also )?(?:write|draft|draw|make|add|prepare|do|fix|look|check|remove|strip|create|set up|translate|put) | would you like me ",
    ),
    (
        Points,
        r"^ (?:shall|should|could|can) we (?:do|try|keep|add|make|go) (?:that|this|it|so) \? |^ (?:shall|should) i (?:do|add|set|put|make|note) (?:that|this|it|so)(?: [^ ]+){0,3} \? |^ (?:ok|okay|agreed|deal|what do you think|sound good|does that (?:work|suit)|how does that sound) ",
    ),
];

const LEARNED: &[Cue] = &[
    (
        Learned,
        r" (?:lessons? (?:learned|learnt|here|from|for|is|was|:)|the lesson|a lesson|my lesson|learned (?:the hard way|that|from|my lesson|to|not|it|this)|learnt (?:the hard way|that|from|my lesson|to|not|it|this)|the hard way|never again|(?:won't|will not|not|never) (?:[^ ]+ ){1,10}again|what (?:worked|helped|saved|did the trick|went wrong|works)(?: [^ ]+){0,3} (?:was|is|were)|worked (?:really |very |so )?well|turns out|turned out|takeaway|take-away|note to self|next time|in hindsight|hindsight|should have|should've|shouldn't have|moral of|rule of thumb (?:now|since)|wish i'd|wish we'd|i know now|now i know|we know now|what i took from|taught (?:me|us)|mistake (?:was|i made|we made)|big mistake|the trick (?:is|was)|the key was|made the difference|makes all the difference|paid off|pays off|don't (?:ever )?make (?:that|this) mistake|is how (?:[^ ]+ ){1,5}(?:leak|leaks|break|breaks|get|gets|fail|fails|die|dies|happen|happens)|lost (?:[^ ]+ ){1,5}(?:because|since|that way)) ",
    ),
    (
        Learned,
        r" (?:won't happen (?:again|twice)|never (?:doing|do) that again|works? (?:much |so much |way |far |a lot |really )*better|worked (?:much |so much |way |far |a lot )*better|(?:[a-z]+ing|having) (?:[^ ]+ ){1,10}(?:saved|helped|paid off|made it worse|made all|was a mistake|backfired)|mistake was|the mistake|my fault was|i (?:trusted|assumed|thought) (?:[^ ]+ ){1,12}(?:but|and then|and it|until)|is (?:a )?(?:bad|good|terrible|great) idea|only found out|found out (?:the hard way|that|too late)|from experience|in my experience|keep doing that|do that again|would have (?:saved|caught|helped|prevented)|if (?:i|we) had (?:[^ ]+ ){1,10}would have) ",
    ),
    (Learned, r"^ (?:(?:so|and|,) )*(?:learned|learnt|lesson|moral|takeaway|note to self) ?:"),
    (
        Incident,
        r" (?:bit us|bit me|bitten|saved us|saved me|been burned|last (?:year|time|week|month|summer|winter|spring|autumn|fall|christmas|season|term|march|april|may|june|july|august|september|october|november|december|january|february|release|migration|event|fair|trip)|the first time|back then|once ,|the year before|two years ago|a year ago|years ago|killed us|went wrong|broke|broken|crashed|failed|ruined|spoiled|burnt|burned|lost|leaked|flooded|refunds?|complain(?:ed|ts?)|disaster|nightmare|mess|stood there|got stuck|ran out|overslept|forgot|missed|died|rotted|cracked|tunneled|locked up|cost us|cost me|outage|rollback took|sick|soggy|burn) ",
    ),
];

const DONE: &[Cue] = &[
    (
        Rule,
        r" (?:from now on|going forward|from here on|in (?:the )?future|henceforth|that's the rule|the rule (?:is|at|here|for)|our rule|house rule|rule :|my rule|as a rule|that's how (?:we|i)|that is how (?:we|i)|how we do it|the way we do|we do it (?:that|this) way|no exceptions|without exception|policy|convention|(?:squash|merge|rebase) (?:[^ ]+ )?only|whenever you|every time you|before (?:every|each|any)|after (?:every|each|any)|for every|on every|(?:no|not) (?:[^ ]+ ){1,6}any ?more|any other way|only ever|unless i (?:say|ask)|without asking|ask (?:me )?(?:first|before)) ",
    ),
    (
        Rules,
        r"^ (?:(?:and|so|,) )*(?:that's|that is|this is|it's) (?:the (?:rule|drill|routine|order|policy)|how (?:we|i) (?:do|run|handle)|my (?:rule|routine)|our (?:rule|routine|policy)) ",
    ),
    (Rule, r" we (?:always|never) |^ (?:always|never) "),
    (
        Ordered,
        r"^ (?:(?:and|so|,) )*(?:if|when|before|after|to|for|the way|how) (?:[^ ]+ ){1,9}: (?:[^ ]+ ){1,12}, (?:[^ ]+ ){1,12}",
    ),
    (
        Rule,
        r" (?:the |house |our |my )?rule (?:here|at home|is|of the house)? ?:| for every (?:[^ ]+ ){1,3}(?:i|we) (?:want|need) ",
    ),
    (Must, r" (?:whoever|i want|we need) "),
    (
        Must,
        r" (?:always|never|must|mustn't|must not|has to|have to|needs to|need to|no (?:[^ ]+ ){1,4}without|only (?:after|with|when|if|then)|at least|at most|no (?:more|longer|later) than|every time|each time|not before|not until|should always|should never|under no circumstances|make sure) |(?:^|[,.:] )(?:don't|do not) ",
    ),
    (
        Ordered,
        r" 1 \. .* 2 \. | (?:first|start with|starts? with|begin with|begins with) .* (?:then|after that|next|and then|afterwards|finally|followed by|only then|last) | then .* then | then .* (?:finally|lastly|at the end|last step|and last)| (?:step one|step 1) .* ",
    ),
    (
        Ordered,
        r" (?:order is|the order|in this order|in that order|goes? like this|go like this|works like this|routine is|steps (?:are|:)|the drill|procedure is|the process|checklist|recipe (?:is|:)|routine :) .*, .*, | (?:before|after) (?:every|each|any) (?:[^ ]+ ){1,4}(?:[,:] |we |i |you )(?:[^ ]+ ){2,20}(?:,|and) ",
    ),
    (Ordered, r" (?:first|then) .*, .*(?:then|finally|last|never|and) .*"),
];

const PERSONS: &[Cue] = &[
    (
        Kin,
        r" (?:my|our|his|her|their) (?:[a-z-]+ ){0,3}(?:sister|brother|mum|mom|mother|dad|father|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|friend|neighbou?r|colleague|coworker|co-worker|boss|manager|flatmate|roommate|housemate|landlord|landlady|cousin|aunt|uncle|niece|nephew|grandma|grandpa|gran|nan|grandmother|grandfather|godson|goddaughter|stepson|stepdaughter|kids?|toddler|baby|twins?|dog|cat|rabbit|horse|pony|parrot|puppy|kitten|teacher|tutor|coach|trainer|dentist|doctor|vet|therapist|accountant|lawyer|supervisor|mentor|assistant|intern|apprentice|babysitter|nanny|parents|in-laws|mother-in-law|father-in-law) ",
    ),
    (Pronoun, r" (?:he|she|he's|she's|he'd|she'd|he'll|she'll|him|her|his) "),
    (
        Role,
        r"(?: |[a-z]'s )(?:is |was |she's |he's |that's |are |as |, |who's |became |becomes |being )?(?:[a-z-]+ ){0,1}(?:my|our|his|her|their|the|a|an|head|chief|in|also) (?:[a-z-]+ ){0,4}(?:sister|brother|mum|mom|mother|dad|father|son|daughter|wife|husband|partner|girlfriend|boyfriend|friend|neighbou?r|colleague|boss|manager|flatmate|roommate|landlord|landlady|cousin|aunt|uncle|niece|nephew|grandma|grandpa|teacher|tutor|coach|trainer|dentist|doctor|gp|vet|nurse|therapist|accountant|lawyer|adviser|advisor|supervisor|mentor|assistant|intern|apprentice|babysitter|cleaner|gardener|plumber|electrician|builder|carpenter|roofer|mechanic|bassist|drummer|guitarist|singer|pianist|violinist|cellist|soprano|alto|tenor|bass|conductor|designer|developer|dev|engineer|architect|editor|author|writer|caretaker|janitor|client|customer|tenant|chair|chairwoman|chairman|treasurer|secretary|president|director|ceo|cto|cfo|founder|cofounder|lead|leader|owner|maintainer|reviewer|admin|administrator|librarian|curator|photographer|baker|cook|chef|waiter|barista|farmer|beekeeper|student|professor|postdoc|researcher|scientist|analyst|consultant|contractor|contact|organi[sz]er|volunteer|best man|maid of honou?r|bridesmaid|witness|godmother|godfather|pharmacist|midwife|physio|physiotherapist|optician|surgeon|team|parks|accounts|marketing|sales|support|hr|legal|finance|infra|infrastructure|platform|operations|ops|security|tech|press|pr|board|council|department|office|shop|one who|person for|expert|guy for) ",
    ),
    (
        Role,
        r" (?:runs (?:the|our|a|his|her)|leads (?:the|our|a)|heads (?:the|our)|manages (?:the|our|a)|looks after|takes care of|is in charge of|in charge of|responsible for|handles (?:the|our|all)|does (?:the|our|all|my) [a-z]+|does (?:the|our|all) (?:[^ ]+ ){0,2}(?:labels?|books|accounts|design|photos|garden|taxes|payroll|translations?|sound|lights?|cooking|driving|website|posters?|reviews?|editing|artwork|shopping|deliveries|baking|marketing)|works (?:at|for|in|as|with|on)|teaches|studies|is studying|plays (?:the|in|for)|sings|joined (?:us|the|as|in)|started (?:in|as|on|last|with us)|retired|lives (?:in|at|with|next|above|below|on|near)|moved to|is married to|is engaged to|owns (?:the|a)|founded|maintains|contact (?:there |for (?:[^ ]+ ){1,3})?is|is (?:the )?contact|reports to|is on the (?:board|committee|council)|has the keys?) ",
    ),
    (
        Role,
        r" (?:he's|she's|he is|she is|who's|who is) (?:also |now |still )?(?:the|our|my|a|an|his|her|in|on the|from|head|chief) | is called | is (?:my|our) (?:[a-z-]+ ){0,2}[a-z-]+ [,.]",
    ),
    (
        Trait,
        r" (?:allergic|allergy|allergies|intoleran(?:t|ce)|vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|asthma(?:tic)?|wheelchair|deaf|blind|colou?r-?blind|dyslexi[ac]|autistic|adhd|pregnant|epilep(?:sy|tic)|seasick|carsick|left-handed|arthritis|insulin|hearing aid|off (?:carbs|sugar|gluten|dairy|alcohol|meat)|halal|kosher|lactose|gluten|nut allergy|hay fever|migraines?|afraid of|scared of|terrified of|hates|hate|loves|love|can't stand|cannot stand|can't (?:eat|drink|drive|swim|have|do|hear|see|climb|fly|take)|cannot (?:eat|drink|drive|swim|have)|doesn't (?:eat|drink|drive|like|speak|do|use|have|fly|tolerate|want|cook)|does not (?:eat|drink|drive|like|speak)|won't (?:eat|drink|touch|fly|use)|likes|prefers|prefer|never (?:eats|drinks|been|flies|uses|answers)|only (?:eats|drinks|speaks|uses|works|reads|answers|drink|eat|has|takes|wears|wants|likes)|drinks only|speaks (?:only |no |little |fluent )?[a-z]+|birthday|born (?:in|on)|turns [0-9]+|is [0-9]+(?: years old)?|years old|favou?rite|fussy about|picky|fond of|fan of|sensitive to|bad (?:back|knee|knees|hip)|knee|on (?:maternity|parental|sick) leave|has (?:asthma|diabetes|a fear|three|two|twins|a bad|an allergy|allergies|epilepsy|a peanut|a nut)|gets (?:seasick|grumpy|migraines|carsick|nervous|hives|sick)|sleeps (?:badly|with|in)|pronouns|nickname|goes by|call(?:s)? (?:him|her|me)) ",
    ),
    (
        Own,
        r" (?:i'm|i am|im) (?:also |actually |just |still |only |now )*(?:a|an|the) (?:[a-z-]+ ){0,4}(?:nurse|teacher|doctor|vet|engineer|developer|designer|student|architect|baker|cook|chef|farmer|beekeeper|gardener|carpenter|plumber|electrician|mechanic|driver|pilot|lawyer|accountant|writer|author|editor|journalist|photographer|musician|singer|drummer|guitarist|pianist|conductor|librarian|scientist|researcher|physicist|biologist|chemist|professor|postdoc|phd|consultant|manager|founder|freelancer|translator|therapist|physio|physiotherapist|pharmacist|midwife|dentist|optician|runner|swimmer|cyclist|vegetarian|vegan|beginner|dad|mum|mom|parent|widower|widow|pensioner|retiree|treasurer|secretary|chair|volunteer|coach|trainer|referee|tailor|potter|painter|sculptor|illustrator|florist|barista|brewer|night owl|morning person|owner|landlord|tenant|apprentice|analyst|administrator|admin|sysadmin|paramedic|firefighter|officer|soldier|sailor|fisherman|roofer|hairdresser|joiner) ",
    ),
    (
        Own,
        r" i (?:also |mostly |usually |only |always |really |just |still |currently |now |never |don't |do not |can't |cannot |absolutely )*(?:conduct|teach|work (?:as|in|at|for|from|with|nights|night|days|shifts|part-time|three|four|two|on weekends)|run a|run the|own a|live (?:in|at|with|near|on|above)|study|play (?:the|in)|sing in|speak|coach|manage a|lead a|cook (?:in|with|for)|eat (?:meat|fish|pork|dairy|gluten|eggs|nuts|breakfast|mushrooms|cheese)|drink (?:coffee|alcohol|milk|tea)|drive|wear glasses|get (?:seasick|carsick|migraines|sick)|read (?:diffs|code|on|in)|take (?:insulin|medication)|sleep|swim|have (?:a|an|two|three|four|one|diabetes|asthma|adhd|epilepsy|migraines|dyslexia|coeliac) (?:[^ ]+ ){0,3}(?:kids|children|sons|daughters|dog|dogs|cat|cats|allergy|wheelchair|degree|knee|back|ear|pacemaker)|like|love|hate|prefer|enjoy|dislike) ",
    ),
    (
        Own,
        r" (?:i'm|i am|im) (?:[a-z]+ly |quite |really |very |a bit |also )?(?:allergic|vegan|vegetarian|colou?r-?blind|left-handed|right-handed|deaf|dyslexic|diabetic|coeliac|celiac|lactose|pregnant|retired|self-employed|afraid of|scared of|based in|from|[0-9]{2} (?:years|now|and|,)|divorced|married|widowed|hard of hearing|terrible at|bad at|good at|not a fan|a fan|used to|short-sighted|on night shifts) | i'd rather | i would rather | my (?:name|birthday|pronouns|job|native language|first language|mother tongue|knees?|back|left|right|eyesight|hearing|favou?rite|doctor|blood type|shoe size) (?:[^ ]+ )| call me | (?:i've|i have) (?:been|got|had) (?:a|an|vegetarian|vegan|diabetic|asthma|diabetes|migraines) | for me (?:please|,|\.)| i only (?:[a-z]+) (?:in|on|with|the|from|decaf|after|before)",
    ),
];

const FACTS: &[Cue] = &[
    (
        Place,
        r" (?:is|are|hangs?|lies|lie|sits?|stands?|lives?|goes|go|stays?|kept|stored|stored|hidden|stashed|parked|buried|located|hosted|saved|found) (?:[^ ]+ ){0,3}(?:in|at|on|behind|under|underneath|below|above|next to|beside|near|opposite|inside|outside|between|by|to|upstairs|downstairs|across|around|over|from) (?:[^ ]+ )| in the (?:[^ ]+ ){0,2}(?:drawer|cupboard|cabinet|shed|cellar|basement|attic|garage|vault|safe|folder|wiki|closet|wardrobe|kitchen|hall|fridge|freezer|box|shelf|pocket|backpack|bag|toolbox|locker|desk)| (?:folder|address|port|host|hostname|url|repo|path|room|floor|gate|platform|door|locker|shelf|drawer|building|flat|apartment|bucket|channel|branch|queue|database|server|directory) (?:is |: |number )?",
    ),
    (
        Kept,
        r" (?:hangs?|lies|lie|is kept|are kept|is stored|are stored|is hidden|are hidden|stored|stashed|live|lives) (?:[^ ]+ ){0,2}(?:in|on|behind|under|underneath|below|above|next|beside|inside|at|by|between|with|upstairs|downstairs) | (?:keys?|passports?|documents?|papers|spare|charger|manual|receipts?|tools?|ladder|password|certificate|fuse box|stopcock|meter|first aid|backups?|logs?|drawings|plans|contract|originals?|recordings?|photos|files?) (?:[^ ]+ ){0,4}(?:is|are|hang|hangs|go|goes) (?:[^ ]+ ){0,2}(?:in|on|behind|under|underneath|below|above|next|beside|inside|at|by|between|with|to) ",
    ),
    (
        Amount,
        r" (?:budget|rent|price|fee|deposit|salary|cost|costs|deductible|premium|wage|capacity|limit|quota|subscription|loan|mortgage|tuition|insurance|pays?|paid|charge|charges|holds|seats|fits|weighs|measures|we have|we've got|there are|consists of|worth|square|litres?|liters?|metres?|meters?|kilos?|kg|km|cm|mm|gb|tb|ghz|watts?|volts?|degrees|people|members|guests|students|pupils|rooms|beds|seats|copies|pieces|orders|users|employees|percent|%) ",
    ),
    (
        Kept,
        r" (?:wifi|wi-fi|network|ssid|router|fuse|valve|thermostat|boiler|stopcock|spare|toolbox) (?:name |password )?(?:is|are) (?:[^ ]+ )",
    ),
    (
        Amount,
        r" (?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|dozen) (?:people|members|rooms|beds|seats|kids|children|guests|students|players|rows|floors|staff|employees|machines|servers|nodes|desks|tables|shifts|metres|meters|litres|hours|minutes) ",
    ),
    (
        Dated,
        r" (?:is|are|starts?|begins?|ends?|opens?|closes?|due|expires?|runs out|arrives?|leaves?|lands?|takes place|happens|meets?|falls|booked|scheduled|confirmed|moved to|deadline|until|from|on|at|by|since|between) (?:[^ ]+ ){0,5}(?:[0-9]|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|noon|midnight)",
    ),
    (
        States,
        r" (?:is|are|was|isn't|aren't|has|have|had|we're|we've|it's|there's|they're|that's|i've|belongs?|takes?|costs?|runs|contains|holds|opens|closes|expires?|means|weighs|measures|supports?|comes?|goes?|gets?|needs?|wants|owns|drives|keeps|faces|seats|fits|doesn't|don't|works|lives|stands|built|made|put up|bought|uses|shows|starts|ends|leads|called|named|reads|writes|got|gets|stopped|answered) ",
    ),
];
