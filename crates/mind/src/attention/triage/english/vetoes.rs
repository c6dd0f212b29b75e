//! What is ordinary talk all the same.

use super::super::Family::{Forget, Memory, Question, RecallFailure, Reflection, SoftCorrection};
use super::super::wordings::Veto;

pub(super) const VETOES: &[Veto] = &[
    (
        &[Forget, Reflection],
        r" (?:whatever you|even if you|no matter (?:what|how)|(?:never|not|don't|do not|must not) (?:[^ ]+ )?(?:delete|remove|erase|be deleted|be removed|drop|forget)|never allowed|not allowed) ",
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
    (
        &[SoftCorrection],
        r" now ,? ?(?:and )?not (?:later|tomorrow|tonight|then|in an?|in [0-9]+|next|yesterday|when|if|just|only) ",
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
        r" (?:you|they|he|she|we|i) (?:(?:really|just) )?(?:should|ought to|must) (?:have )?(?:know|known) better ",
    ),
    // What somebody mentioned is asked for, not to be kept.
    (
        &[Memory],
        r" (?:can|could) you (?:still |even )*remember that (?:[^ ]+ ){1,3}(?:i|we) (?:[^ ]+ )?(?:mentioned|told|said|liked|wanted|talked|discussed|read|saw|bought|asked|recommended|used) (?:[^ ]+ )*\? $",
    ),
    (
        &[Question],
        r"^ {polite}(?:can|could|will|would) you (?:please |also |always |just )*(?:remember|memori[sz]e|note|keep in mind|bear in mind) ,? ?(?:this|: |that (?:i|i'm|i've|my|we|we're|our|the|he|she|it|it's|they|there|from|on|in|[^ ]+ (?:is|are|was|has|have|lives|works|likes|hates|prefers|uses|and)) )(?:[^ ]+ )*\? $",
    ),
    (
        &[Memory],
        r" (?:do you|don't you|did you|can't|cannot|couldn't|could not|don't|do not|didn't|doesn't|never|hardly|barely|won't|will not|wouldn't|does|to help me|people|kids|who|anyone|anybody|everyone|you'll|i'll) (?:you |even |still |really |always |never |ever |all |just |only |i |we |him |her )*(?:remember|memori[sz]e|recall|keep in mind) {w9}(?:\?|formula|for the life of me|clearly|fondly|days|when|being|back when|[.!,]) $",
    ),
    (
        &[Memory],
        r"(?:^ (?:hey |so |ok |well |and |, )*you| (?:i|we|he|she|they|(?:do|did|don't|didn't|if|as|when|what|how|maybe|hope|whether) you)) (?:(?:can't|cannot|couldn't|don't|didn't|never|still|just|hardly|vaguely|barely|dimly|fondly|do|will always|always|clearly|suddenly|really|even) )*remember ",
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
    // A text that somebody wants to write.
    (
        &[Memory],
        r" (?:let's|let us|we should|we need to|we have to|i should|i'll|i will) (?:{w2})?(?:write|note|jot) down (?:how|the steps|the rules|a|an|some) ",
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
    (
        &[RecallFailure],
        r"(?:^ (?:have|did)| (?:if|what if|when|once|after|because|since|before|until|whenever|unless|suppose|imagine|glad|as|hope)) i (?:have |had |ever |just )?(?:told|gave|showed) (?:you|u) ",
    ),
    (
        &[RecallFailure],
        r" i (?:did |have |had )?(?:told|gave|showed) (?:you|u|ya) (?:about )?(?:my|our) (?:{w2})?(?:story|stories|side|secrets?|opinion|thoughts?|view|reasons?|joke|life story) ",
    ),
    // Ordinary uses of words of forgetting.
    (
        &[Forget],
        r" (?:i|we|he|she|they|you|people|who|nobody) (?:(?:still|really|honestly|actually|just|also|even|usually|normally|sadly|apparently) )*(?:don't|dont|do not|didn't|did not|doesn't|never|can't|cannot|couldn't|won't) (?:(?:even|really|actually|usually|normally|ever|always) )*(?:remember|recall|keep|store|save|retain|record|log|note|put|hang on|hold on) ",
    ),
    (
        &[Forget],
        r" (?:forget (?:about )?it [,.!]|forget it ,|don't forget|dont forget|do not forget|never forget|didn't forget|can't forget|won't forget|not forget|let me forget|let you forget|easy to forget|i forget|i forgot|we forget|people forget|mice|rats|users? forget|forget gate|right to be forgotten|forget-me-not|forget me not|git forget|lest we forget|forgetful|forget how to|forget whether|unforgettable|should i forget|does [^ ]+ forget|will [^ ]+ forget|forget everything \?) ",
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

/// What a sentence is about that makes it ordinary talk, unless it says in so many words what is wanted.
pub(super) const SUBJECTS: &[Veto] = &[
    // The task at hand: code, files, machines.
    (
        &[Memory, SoftCorrection, RecallFailure],
        r" (?:function|functions|returns?|variables?|parameters?|arguments?|null|none|nullable|compiles?|compiling|compiled|semicolons?|bracket|brackets|comma|braces?|loops?|recursion|recursive|regex|syntax|stack trace|segfault|linter|lint|lints?|clippy|valgrind|utf-8|constructor|enum|struct|boolean|async|await|mutex|div|css|html|checkbox|dropdown|tooltip|cookie|unit tests?|test suite|test case|test fails?|failing test|tests? (?:pass|passes|fail|failed|run|is|are)|the tests?|stacktrace|merge conflict|rebase|line [0-9]+|lines [0-9]+|localhost|stdout|stderr|src|readme|lock ?file|pointer|off by one|off-by-one|typo in|the imports?|the build|it builds|the diff|a bug|the bug|not a bug|feature not) ",
    ),
    (
        &[Forget],
        r" (?:table|tables|columns?|rows?|foreign keys?|database|db|migrations?|schema|branch|branches|commits?|repo|files|(?:the|this|that|a|an) file|folder|folders|directory|git|lints?|warnings?|errors?|imports?|whitespace|spaces|function|functions|variable|variables|class|method|code|script|comments?|console|logs|cache|docker|container|images?|pixels?|background|paragraph|sentence|words?|formatting|css|html|json|spreadsheet|cells?|pods?|server|cluster|queue|index|null|nulls|duplicate rows|line [0-9]+|lines? [0-9]+|typos?|stain|stains|rust|weeds?|wallpaper|ants|mold|mould|moss|song|article|art|shop|customer|customers|app|browser|cookies|token|tokens|session cookie) ",
    ),
    // Reflection as an exercise, tidying of other things.
    (
        &[Reflection],
        r" (?:novel|essay|poem|chapter|character|book|article|film|movie|narrator|words|homework|assignment|spoilers|protagonist|in the mirror|light|therapist|journaling prompts|spreadsheets?|columns?|rows|sheets|csv|pdfs?|code|function|class|module|parser|repo|repository|leaks?|valgrind|heap|bytes|cache|files|folder|disk|ram|loans?|debts?|credit|git|commits?|css|tests?|paper|mice|rats|brains? of|linter|imports?|contract|clauses?|slides?|presentation|thesis statement|mirror|c|py|rs|js|cpp) ",
    ),
];
