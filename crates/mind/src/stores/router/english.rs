//! English: which wording shows which signal. Patterns match the plain form (`plain`).

use super::reader::Tense;
use super::signal::Signal::{self, *};

/// Wording and what it shows.
pub(super) const CUES: &[(Signal, &str)] = &[
    // Nothing to remember.
    (Question, r" \? $"),
    (
        Question,
        r"^ (?:what|who|where|when|why|how|which|whose|is|are|does|do|did|can|could|should|would|will|has|have)(?:'s|'re)? (?:[^ ]+ ){1,14}\? ",
    ),
    (
        Question,
        r"^ (?:what's|who's|where's|how's|how many|how much|how long|how come|any idea|wonder|i wonder|do you know|is there|are there|is it|wonder(?:ing)? (?:if|whether)) ",
    ),
    (
        Question,
        r"^ (?:so |and |but |hey )?(?:what|why|how|who|where|when) (?:do|does|did|is|are|was|were|can|could|should|would|will|about|if|on earth|the hell) ",
    ),
    (
        OneOff,
        r"^ (?:(?:and|ok|okay|hey|so|now|please|pls|also) ,? ?)*(?:can|could|would|will) (?:you|u) (?:please |just |also |quickly )*(?:[a-z]+) ",
    ),
    (
        OneOff,
        r"^ (?:(?:ok|okay|hey|so|now|and|please|pls|just) ,? ?)*(?:give|show|tell|make|write|draft|translate|summari[sz]e|rewrite|rephrase|shorten|list|open|close|fix|generate|find|search|look up|explain|delete|remove|rename|convert|sort|add|create|draw|compute|calculate|play|suggest|compare|check|read|run|rerun|try|set|turn|move|copy|undo|put|format|scroll|go back|send|print|count|proofread|book|order|stop|start) (?:me |us |it |that |this |these |those |the |a |an |my |all |out |for )",
    ),
    (
        Chatter,
        r"^ (?:oh|ah|aha|ha|ok|okay|haha+|hah|hm+|mm+|yeah|nah|ugh|lol|lmao|wow|hey|hi|hello|cool|awesome|thanks|thank you|thx|ty|cheers|sorry|nope|yep|yup|phew|whoa|alright|good (?:morning|night|evening|afternoon)|never mind|nvm|brb|omg|oops|welp|argh|meh|yay|ouch|gosh|damn|no no|so anyway|anyway|just testing|testing|to be honest|interesting) ",
    ),
    (
        Chatter,
        r"^ (?:well|yes|no|nice|great|perfect|sure|right|fine|so|good|honestly|true|exactly|wait|hold on|hang on|and) [,.!-] ",
    ),
    (
        Chatter,
        r"^ (?:nice|great|perfect|lovely|brilliant|excellent|good|what a|such a|so|how) (?:[^ ]+ ){1,4}! $",
    ),
    (
        Chatter,
        r" (?:thanks|thank you|thx|lol|haha+|(?:sounds|looks|smells|feels) like|ta|cheers|you're a star|you're the best|good job|well done|love it|that worked|works now|makes sense|got it|my bad|never mind|just kidding|let me think|no worries|no problem|give me a (?:sec|minute|moment)|not sure yet|hang on|hold on a|bear with me|talk (?:later|soon)|see you|so tired|i'd (?:kill|sell|give|die) (?:[^ ]+ ){0,4}for|weather|fair enough|anyway ,|i could (?:sleep|eat|use|kill)|i'm dying|can't wait|no idea|who knows|whatever|fingers crossed|here we go|i'm (?:so )?(?:bored|hungry|tired|knackered|sleepy|starving)|need (?:a )?coffee|what a day|funny how|weather today) ",
    ),
    (Chatter, r" (?:remember|recall) (?:that|the|when) (?:[^ ]+ ){0,6}\?"),
    (WhatIf, r" if (?:i|we|you|he|she|they|it) (?:were|was|had|won|could|lived|ever) .*(?:'d|would|could) "),
    (
        WhatIf,
        r" (?:i|we|it|they|you)'d .* if (?:i|we|you|he|she|they|it) (?:were|was|had|won|could) |^ (?:imagine|suppose|what if|pretend|maybe (?:i|we) (?:should|could|might|will)|i wish|wouldn't it be|one day i might|maybe (?:one day|someday)|in another life|i (?:might|may) (?:[^ ]+ ){1,8}(?:some ?day|one day|sometime)|would be (?:nice|fun|cool)|let's say|say we) ",
    ),
    // Kept for good.
    (
        Permanent,
        r" (?:keep|store|save|remember|hold on to|hold onto|hang on to|preserve|retain|pin|know|carry)(?: [^ ]+){0,5} (?:forever|for ever|permanently|for good|always|for life|indefinitely|for all time|as long as you (?:exist|run|live)|no matter what|until the end|till the end|eternally)[ ,.:]",
    ),
    (
        Permanent,
        r" (?:never|don't ever|do not ever|mustn't ever|must never|must not ever|should never|shouldn't ever|can never|may never|not ever|never ever)(?: ever| be| get| let)* (?:forget|forgotten|archived?|faded?|delete|deleted|lose|lost|drop|dropped|purged?|purge|decay|erased?|expire|removed?|pruned?|forgets?|overwritten|discard(?:ed)?|cleaned|this one (?:go|slip)|that one (?:go|slip|fade)|this (?:go|slip|fade)|that (?:go|slip|fade)|it (?:go|slip|fade))(?: out| up| away)?[ ,.:]",
    ),
    (
        Permanent,
        r" (?:pin (?:this|that|it)|(?:until|till) (?:the day )?i die|(?:has to|have to|must|should|needs to) (?:outlive|outlast|survive)(?: [^ ]+){0,4}|outlives?|(?:mark|flag|file|tag)(?: [^ ]+)? as permanent|whatever (?:else )?(?:you|gets|happens|else)(?: [^ ]+){0,3}|(?:to|into|in|for) the vault|carve (?:this|that|it)|set (?:this|that) in stone|etch (?:this|that|it)|engrave|burn (?:this|that|it) (?:in|into)|permanent (?:memory|record|note|entry)|permanent :|for (?:all )?eternity|for all time|undeletable|survive (?:every|any|all)|exempt from|don't let (?:this|that|it) (?:fade|go|decay|expire|slip|get)|let (?:this|that|it) (?:one )?(?:never )?(?:fade|decay)|protect (?:this|that|it) from|(?:ten|twenty|thirty|fifty|a hundred|\d+) years from now|for the rest of (?:my|your|our) (?:life|lives|days)|as long as (?:i|you|we) live|however (?:long|many|much|often) (?:it|time|years|you|we)|no matter how (?:often|long|many|much)|(?:every|any|no|each) clean-?up|keep forever|forever :|for ever :|never expires|never to be (?:deleted|forgotten|removed|archived)|not (?:to )?be (?:deleted|archived|forgotten)|under no circumstances (?:forget|delete|lose|drop)|never forget)[ ,.:]",
    ),
    (
        Permanent,
        r" (?:(?:lock|keep|file|store|save|hold|put)(?: [^ ]+){0,3} for good|don't you (?:ever|dare)(?: ever)? forget|(?:preserved|kept|stored|saved|remembered|retained) (?:indefinitely|forever|permanently|for good|for life|always))[ ,.:]",
    ),
    (Permanent, r" (?:store|save|keep|remember|note) (?:this |that |it )?permanently "),
    (
        Vivid,
        r" (?:i|we|he|she|they)(?:'ll| will| shall|'d| would| can| could)? (?:never|always|not ever) (?:forget|forgot|remember) ",
    ),
    // Rules for the assistant.
    (
        Always,
        r" (?:always|never|every time|each time|at all times|without exception|no matter|ever|only|any time|anytime|by default|from now on|going forward|in future|in the future|from here on|unless|instead of|at most|at least|no more than|strictly|under no circumstances|no exceptions) ",
    ),
    (
        Manner,
        r" (?:answer|answers|reply|replies|respond|responses?|write to me|address me|call me|talk to me|speak to me|tone|emojis?|emoticons?|bullet points?|bullets|tables|markdown|summari[sz]e|jargon|sugarcoat|apologi[sz]e|hedge|flatter|praise|spelling|units|formatting|code blocks?|comments|commits?|diffs?|ask me|ask (?:first|before)|check with me|confirm with me|wait for my|my ok|my okay|my go-ahead|my approval|my permission|on my behalf|in my name|tell me|show me|warn me|remind me|cite|quote|source|sources|links?|guess|invent|make things up|make up|suggest(?:ions?)?|recommend|explain|answer first|straight to the point|short answers?|long answers?|step by step) ",
    ),
    (Manner, r"^ (?:please )?(?:don't|do not|never|always|stop|no more) (?:ever )?[a-z]+ "),
    (
        Manner,
        r" (?:prices?|dates?|times|numbers|amounts|temperatures|distances|names|titles|money|currency|currencies|lengths?|weights?) (?:[^ ]+ ){0,3}(?:in|as|with|go) |^ (?:no|not|never) (?:[^ ]+ ){0,4}(?:spoilers?|emojis?|disclaimers?|exclamation|apologies|compliments?|small talk|filler|slang|jokes?|lists?|bullets?|tables|abbreviations|anglicisms|puns) | (?:disclaimers?|compliments?|spoilers?|caveats?|wording|preamble|small talk|paragraph number|screenshots?|drafts?|exclamation marks?|british|american) ",
    ),
    (Addressed, r" (?:you|your|you're|you'll|you've|yourself|please|pls) "),
    (
        Addressed,
        r"^ (?:(?:please|and|so|also|ok|from now on|in future|going forward|in general|generally|if [^,]+|when [^,]+|whenever [^,]+|unless [^,]+|before [^,]+) ,? ?)*(?:don't|do not|never|always|keep|use|answer|reply|respond|write|give|show|tell|ask|call|address|skip|avoid|stop|leave|put|print|wait|stick to|quote|cite|treat|assume|refer|format|round|start|end|spell|translate|explain|summari[sz]e|double-check|check|say|speak|talk|warn|mention|no|be|make sure|mark|follow|remember to|copy me|include|add|attach|drop|ping|convert|drop|refuse|sign|propose|offer|list|let me|limit|confirm|hold off) ",
    ),
    (
        Condition,
        r"(?:^|[,.:]) (?:if|when|whenever|unless|before|once|as soon as|every time|each time|any time|should) ",
    ),
    (
        Condition,
        r" (?:if|when|whenever|unless|before) (?:i|you|it|the|a|an|we|anything|something|there|nobody|in|not) ",
    ),
    // The user.
    (
        Taste,
        r" i (?:really |just |do |generally |much |still |always |usually |actually |honestly |strongly |'d rather |tend to )*(?:like|love|hate|prefer|enjoy|dislike|loathe|adore|detest|favou?r|can't stand|cannot stand|can't bear|can't abide|don't like|don't eat|don't drink|don't do|don't use|don't want|don't care for|don't touch|do not eat|do not drink|never eat|never drink|never touch|never wear|eat|drink|avoid|can't (?:eat|drink|read|work|sleep|focus|think)|am a fan|won't (?:eat|touch|use|drink|fly)|take my|have no patience for|only (?:use|eat|drink|read|buy|wear|fly|take|listen|work|watch|like|write)) ",
    ),
    (Taste, r" (?:please|if possible|if you can|any day|any time) (?:[.,!] )?$"),
    (
        Taste,
        r" (?:i'm (?:fine|happy|ok|okay|good) with|i don't mind|i can't do|i don't do|i'll take (?:[^ ]+ ){1,4}over|i could never|my (?:comfort|idea of|weakness|kind of)|i'm allergic|nothing (?:beats|better)|gives? me energy|drains me|i'm terrible at|i struggle with|i sleep better|i work best|i think best|i learn best|works better for me|easier for me|on principle|i refuse|i boycott|no (?:sugar|milk|dairy|meat|gluten|pork|alcohol|mushrooms|onions|garlic|nuts)|decaf|oat milk|window seat|hurts?|i'd rather|i would rather|i'd take|means nothing to me|drives me (?:mad|nuts|crazy|up the wall)|gets on my nerves|that's how i roll|my favou?rites?|favou?rite|my go-to|not a fan|big fan|i'm a (?:fan|sucker)|makes me (?:sick|nervous|gag|sad|happy|anxious|cringe)|is my thing|isn't my thing|don't get along|off my plate|off the menu|off limits for me|doesn't agree with me|(?:makes?|make) (?:me|my)|gives? me (?:a headache|headaches|hives|the creeps|anxiety)|only way i|helps me|calms me|bores me|annoys me|irritates me|distracts? me|relaxes me|i swear by|i live on|i can't live without|i can do without|lost on me|wasted on me|not for me|(?:[^ ]+ ){1,3}over (?:[^ ]+ ){1,3}(?:whenever|always|every|any)|not my thing|works best for me|suits me|any day|over anything|beats|puts me off|i'm (?:more )?of a|i'm not into|i'm into|i'm partial|i'm picky|i'm fussy|i'm a (?:vegetarian|vegan|morning person|night owl|tea|coffee)|vegetarian|vegan|for me ,|for me :|for me [,.]|rather than|tastes? (?:like|of)|dark mode|light mode|tabs over|spaces over|please no|no thanks to|without sugar|black coffee|window seat|aisle seat|can't get enough|i find (?:[^ ]+ ){1,6}(?:hard|easier|easy|annoying|ugly|unreadable|distracting|exhausting|tiring|better|soothing)|give me (?:[^ ]+ ){1,4}over) ",
    ),
    (
        Habit,
        r" (?:now it's|these days it's|nothing else|swore off|sworn off|gave up|given up|quit smoking|back (?:in|on|to|with) (?:[^ ]+ ){1,3}for good|from now on|never again|no more (?:[^ ]+ ){1,3}for me|keeps me up|stick (?:to|with)|sticking (?:to|with)|i'm done with|done with|switched (?:to|back to) (?:[^ ]+ ){1,4}(?:for good|and|since)|haven't looked back|not going back|won't go back|never going back|i only|for everything|my default|whenever there's a choice|given the choice|if there's a choice|only ever|i always|i never|i usually|these days i only) ",
    ),
    (
        Identity,
        r" (?:i'm|i am|im) (?:[^ ]+ly )?(?:a|an|the|from|based|originally|married|divorced|single|widowed|born|left-handed|right-handed|colou?r-?blind|deaf|blind|dyslexic|autistic|retired|self-employed|freelance|half|\d+|in my|on the|fluent|bilingual|native|pregnant|\w+ish|german|french|dutch) ",
    ),
    (
        Identity,
        r" (?:i've (?:been|worked|run|got) (?:[^ ]+ ){0,3}(?:for|since|as|kids|years|children)|i (?:retired|graduated|studied|trained|majored)|i'm (?:the|one of)|i'm on (?:the|a) |my (?:parents|family) (?:are|is|come|came)|my (?:phd|degree|team|company|shop|firm|practice) |i'm (?:called|known)|known as|stay-at-home|single (?:mum|mom|dad|parent)|born in|raised in|i (?:live|work|run|teach|lead|study|grew up|was born|was raised|speak|own|come from|manage|head|freelance|moved|share a|go by|have (?:a|an|two|three|four|one|five|twin) (?:[^ ]+ )?(?:kids?|children|sons?|daughters?|brothers?|sisters?|dogs?|cats?|twins?|degree|phd))|my (?:name|surname|first name|last name|full name|nickname|pronouns|job|day job|profession|birthday|native|mother tongue|first language|time ?zone|title|role|background|wife and i|husband and i)|pronouns|name's|call me|i was born and raised|for a living|by trade|by training|by profession|years old|mother of|father of|(?:two|three|four|my) kids|working out of|our kids|parent of|i've been (?:a|an|deaf|blind|vegan|vegetarian|married|divorced|with|in|living|working|teaching)|since birth|isn't my first language|i've lived|answer to|grew up|^ as (?:a|an|the) (?:[^ ]+ ){1,5}i|two kids|mum of|dad of|my home|night shifts?|i do (?:[^ ]+ ){1,4}for) ",
    ),
    (
        Health,
        r" (?:allerg(?:y|ic|ies)|diabet(?:es|ic)|coeliac|celiac|asthma(?:tic)?|epilep(?:sy|tic)|intoleran(?:t|ce)|migraines|insulin|wheelchair|hearing aid|adhd|dyslexi[ac]|chronic|epipen|anaphyla[^ ]+|pacemaker|bad (?:back|knee|knees)|blood pressure|medication|arthritis|colou?r-?blind|lactose|gluten|hard of hearing|deaf|my (?:left|right) (?:ear|eye|knee|hand)) ",
    ),
    (
        Now,
        r" (?:right now|these days|at the moment|currently|this (?:week|month|quarter|term|semester|season|year|sprint|summer|winter|spring|autumn)|lately|all of (?:january|february|march|april|may|june|july|august|september|october|november|december)|all (?:week|month|summer|winter|spring|autumn|quarter|term)|until (?:[^ ]+ ){1,3}(?:is|are)|for now|for the (?:moment|time being)|until (?:the end of|end of|the|mid|early|late|january|february|march|april|may|june|july|august|september|october|november|december)|at present|presently|nowadays|all my|still|most of my|my weeks|my days|my evenings|every evening|every waking|till) ",
    ),
    (
        Absorbed,
        r" (?:takes priority|all hands|crunch|sprinting|racing|cramming|rehearsing|campaign(?:ing)?|fundraising|on parental leave|on maternity leave|on sabbatical|on leave until|off sick|in rehab|nursing|caring|packing|preparing|onboarding into|settling into|new job|probation|writing up|all that matters|nothing else matters|the only thing|everything i do|all my (?:time|energy|attention|evenings|weekends)|most of my (?:time|day|days|evenings|week)|until (?:it|that|this)'s (?:done|over|out|shipped|finished)|goes (?:in)?to|every spare|every free|crunch|pager duty|on call|heads? down|revolves? around|busy with|focus(?:ed|ing)? on|my focus|top priority|number one priority|first priority|priority|blocked (?:on|by)|stuck (?:on|in|with|waiting)|waiting (?:on|for)|training for|preparing (?:for|the)|prepping|getting (?:[^ ]+ ){1,4}(?:through|ready|out|over)|working on|deep in|knee-deep|neck-deep|up to my|in the middle of|in the thick of|swamped|flat out|goes into|go into|is all about|are all about|all about the|belongs to the|everything hangs|hangs on|keeps me up|half my|has to wait|have to wait|must wait|comes first|come first|say no to|eating up|on my plate|between jobs|applying (?:to|for)|buried in|snowed under|drowning in|my afternoons|my mornings|my head is|my mind is|preoccupied|obsessed|nothing but|everything else (?:waits|can wait|has to wait|is parked|is on hold|comes second)|anything else (?:waits|can wait)|on hold|park (?:anything|everything)|holding up|eats? (?:up )?(?:all )?my|takes? (?:up )?(?:all|most) (?:of )?my|all i (?:do|think about)|consumes?|my thesis|my dissertation|job hunting|looking for a (?:flat|house|job|new)|house hunting|learning|studying for|revising for|renovating|moving house|getting ready|finishing|trying to (?:get|finish|ship)|caring for|looking after|recovering from|shapes my|the one thing|main thing|big thing|is due|deadline|launch) ",
    ),
    // What happened and what was settled.
    (
        Decided,
        r" (?:(?:has|have|had) been (?:decided|agreed|settled|approved|chosen|picked)|gets? the (?:job|contract|nod|room|budget|go-ahead)|thumbs up|go-ahead|handed in|gave notice|pulled out|backed out|backing out|bailed on|passed on the|took the|taking the|stick to the|is final|final(?:ly)? (?:chose|picked|decided|went)|on balance|weighed|after weighing|in the running|shortlist|front-?runner|majority|overruled|veto(?:ed)?|compromise|compromised|signed the|sealed|deal is|the deal|won't be (?:renewing|going|using|buying|moving|doing)|no longer going|moved the (?:launch|release|deadline|wedding|date)|the (?:date|name|colour|color|venue|vendor|supplier|stack) (?:is|will be)|renamed|rename it|switching to|switch to|moving away from|migrate to|merging the|merge the two|phase out|phasing out|end of life|sunset|keep the old|keep it simple|leave it (?:as is|at that)|it stays|they stay|stays on|stays with|we're (?:not |all )?(?:putting|calling|naming|getting|moving|selling|hiring|painting|spending|splitting|closing|opening|letting|sending|cancelling|renaming|delaying|leaving)|are (?:calling|naming|getting) |we let|that was that|that's that|it'll be (?:the|a)|(?:we|i)(?:'re|'m| are| am) not (?:going|taking|doing|buying|renewing|moving|selling|using|hiring|having|signing)|it was agreed|[a-z]+ it is [.,!]|is (?:out|off the table)|instead of [^,.]+ we|(?:and i|and me) are [a-z]+ing|back and forth|much debate|long discussion|it's settled|went for|decided|decision|deciding|decide|we agreed|agreed (?:to|on|that)|agreed|settled on|settled for|we're going with|going with|go with|went with|gone with|going for|opted|opting|landed on|chose|chosen|choosing|picked|picking|signed off|signed up for|signed it off|voted|turned down|turning down|said no to|said yes to|accepted the|rejected|resolved to|made up (?:my|our) mind|ruled out|it's settled|final answer|finali[sz]ed|approved|outcome|verdict|consensus|conclusion|concluded|committed to|commit to|greenlit|green light|called off|cancelled the|dropped (?:the|our|support)|scrapped|ditch(?:ed|ing)|postponed|pushed (?:it|the [^ ]+|to|back)|moving to|migrating to|we(?:'ll| will|'re going to| are going to)(?: not| never| just| all)? (?:use|go|keep|stick|do|take|ship|drop|switch|move|start|stay|build|buy|rent|skip|paint|call|name|cut|hire|let|leave|try|run|sell|split|pay|have|get|make|wait|support|host|write|replace|give|spend|invite|send|adopt)|we won't|i won't be|it's going to be|ended up (?:being|with|going|choosing|buying)|shook (?:hands )?on|shake on|had the last word|has the last word|couldn't agree|stays as it is|stay as they are|stays put|too (?:expensive|risky|pricey|slow|much money)|not worth|effective (?:immediately|monday|tuesday|from)|from (?:next|monday|may|june|july|january) (?:[^ ]+ ){0,2}(?:on|onwards)|supports? only|steering|with a show of hands|unanimous(?:ly)?|split the difference|cheaper one|got the (?:job|contract|order|nod|vote)|i took it|i said (?:yes|no)|took the offer|lost the vote|won the vote|over my objections|draw the line|the answer is|pulled the plug|parked the|shelved|axed|binned|froze|retire(?:d)? the|sticking with|sticking to|sticks? with|we're (?:switching|moving|dropping|keeping|sticking|not|staying|ditching|buying|taking|replacing|skipping|cutting)|won out|wins|won the|gets the nod|stays? in|kept the|call it|is off|it's a no|it is a no|no-go|after all|for the record|i'm (?:taking|quitting|leaving|not taking|keeping|switching|going to take|selling|buying)|handed in my notice|booked|plumped for|the plan is|plan is to|(?:we|i) (?:took|take) the|we (?:killed|froze|cut|dropped|picked|chose|kept)) ",
    ),
    (
        Chosen,
        r" (?:instead of|instead|rather than|over|no longer|not|in favou?r of|stays?|goes|ships? without|without|drop|out|plain|it is|for now|until) .*(?:signed off|planning|meeting|retro|standup|call|board|team|everyone|nobody objected|vote|after|legal|licence|license|costs?|price|risk|budget) ",
    ),
    (
        Chosen,
        r" (?:instead of|after all|in favou?r of|no (?:[^ ]+ ){1,3}for|rather than waiting|over the other|between (?:[^ ]+ ){1,4}and|out of the (?:two|three|four)|it is ,|then it's|it'll be|it's going to be|option [abc123]|plan [abc]) ",
    ),
    (
        Past,
        r" (?:was|were) (?:[^ ]+ )?(?:[a-z]+ed|down|out|born|late|sick|ill|there|great|awful|fun|in|at|off|stuck|taken|stolen|broken|given|told|hit|cut) ",
    ),
    (
        Past,
        r"^ (?:just |finally |so )*(?:back from|migraine|power cut|power outage|outage|blackout|dinner with|lunch with|drinks with|call with|customer call|meeting with) ",
    ),
    (
        Regular,
        r" (?:(?:every|each) (?:day|night|week|month|year|hour|morning|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter|other)|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|daily|weekly|monthly|yearly|annually|nightly|hourly|automatically|usually|normally|per (?:day|week|month|minute|hour|year)|opening hours) ",
    ),
    (
        Past,
        r" (?:has|have|he's|she's|it's|i've|we've|they've) (?:just |finally |now |already )*(?:been (?:postponed|cancelled|moved|approved|fixed|sold|stolen|accepted|rejected|delivered|promoted|fired|hired|admitted|discharged)|arrived|passed|finished|signed|sent|quit|left|resigned|died|broken|failed|crashed|booked|bought|sold|moved out|gone|come back|given birth|confirmed|started|split up) ",
    ),
    (
        Origin,
        r" (?:(?:was|were|been) (?:[^ ]+ )?(?:built|founded|established|made|designed|created|written|invented|opened|named|born)|dates (?:from|back)|goes back to|born (?:in|on)|since (?:\d{4}|the)|in (?:1[5-9]|20)\d\d|is called|are called) ",
    ),
    (
        PastTime,
        r" (?:at last|as of (?:today|this|yesterday)|last thing|a (?:week|month|year|day|minute|moment) ago|since (?:yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|this morning)|during (?:lunch|the night|the meeting)|in the night|overnight|yesterday|last (?:night|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|spring|summer|autumn|fall|winter|sprint|quarter|january|february|march|april|may|june|july|august|september|october|november|december|christmas)|this (?:morning|afternoon|evening)|today|tonight|earlier|ago|just (?:now|came|got|had|back|finished|left|heard)|the other day|over the weekend|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|back in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|in the end|finally|at (?:dawn|lunch|noon|midnight)|yesterday's|today's) ",
    ),
    (
        FutureTime,
        r" (?:tomorrow|next (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|spring|summer|autumn|fall|winter|sprint)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (?:coming|friday|saturday|sunday|monday|tuesday|wednesday|thursday|weekend)|in (?:two|three|four|five|six|\d+) (?:days|weeks|hours)|day after tomorrow|coming (?:monday|tuesday|wednesday|thursday|friday|week|weekend)|will be|i'll be|we'll be) ",
    ),
    (
        Date,
        r" (?:\d{1,2}(?:-\d{1,2})?(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*|(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec) \d{1,2}(?:st|nd|rd|th)?|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{4}-\d{2}-\d{2}|the \d{1,2}(?:st|nd|rd|th)) ",
    ),
    (
        Clock,
        r" (?:\d{1,2}:\d{2}|\d{1,2} ?(?:am|pm)|\d{1,2}(?::\d{2})?(?:am|pm)|half (?:past )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|(?:quarter|ten|five|twenty) (?:past|to)|o'clock|noon|between (?:eight|nine|ten|eleven|noon|one|two|three) and) ",
    ),
    (
        Appointment,
        r" (?:meeting|meet|visits?|coming|expecting|handover|goes? live|inspection|trip|holiday|festival|recital|rehearsal|match|race|hearing|court|haircut|mri|vaccination|movers|open day|deadline|rescheduled|(?:starts?|begins?|leaves|performs|opens|plays|moves|retires|flies|returns|departs|kicks off|is moving|moved to|is back) (?:[^ ]+ ){0,4}(?:on|at|in|next|tomorrow)|appointment|flying|travelling|traveling|leaving|cancelled|meeting|dentist|doctor's|gp|vet|flight|train leaves|wedding|funeral|party|interview|offsite|conference|kickoff|kick-off|parent-teacher|viewing|concert|exam|surgery|operation|check-up|checkup|picks? (?:me|us|him|her) up|lands|arrives?|arriving|is (?:confirmed|booked|scheduled|coming|visiting|due)|are (?:coming|visiting)|will be (?:swapped|down|replaced|delivered|closed|here|in)|maintenance window|delivery|takes place|starts (?:on|at)|reservation|table (?:for|at)|dinner with|lunch with|standup moved|demo day|housewarming|christening|graduation) ",
    ),
    // How things get done.
    (
        Step,
        r" (?:first|then|next|after that|afterwards|finally|last|lastly|before that|and then|second|once (?:that|it|this)|followed by|only then|then only|until|twice|in (?:exactly )?that order|one (?:by one|at a time)|a day later|overnight|later|at the end|again) ",
    ),
    (
        Steps,
        r" (?:first|start|begin|open|run|go|get|take|put|set|check|stop|pause) .* (?:then|after that|and then|afterwards|followed by|finally|next|only then|wait|before) ",
    ),
    (Steps, r" then .* (?:then|after that|and then|finally|last) "),
    (
        Recipe,
        r"^ (?:[a-z]{3,}ing|to [a-z]+) (?:a|an|the|your|someone|somebody|new|old|it) | (?:only|best|fastest|easiest|always) (?:[^ ]+ ){0,3}(?:if|when|by|while) (?:you|the|it)| (?:get|gets|is|are) (?:un)?(?:done|fixed|solved|handled|undone|wiped|reset|cleared|restarted|opened|made|released|restored|cleaned|removed|booked|requested|approved|ordered|installed|updated|renewed|rolled back|filed|merged) (?:[^ ]+ ){0,5}(?:with|by|via|through|from|in|before|over|using) | (?:go|goes) (?:[^ ]+ ){0,4}(?:first|then) ",
    ),
    (
        Recipe,
        r" (?:first thing|last step|step (?:one|1|two|2)|as follows|rule of thumb|start (?:by|with)|begin (?:by|with)|finish (?:by|with)|make sure to|remember to|don't forget to|so that it|until (?:it|the|they) (?:[^ ]+ ){0,3}(?:is|are|turns?|goes|stops?|clicks?|comes?|sets?|cools?|boils?)|needs (?:doing|cleaning|restarting|signing)|gets (?:cleaned|signed|restarted|approved|sent|filed)|has to be (?:signed|approved|done|run|restarted|filed|sent)|have to (?:be|go) |must be (?:signed|run|done|restarted)|without (?:\w+ing)|while (?:holding|pressing|turning|stirring)|every new|each new|day one|how to|how we|how you|how i (?:do|get|make|run|fix|deploy|clean)|the (?:trick|way|steps?|recipe|procedure|process|order|sequence|drill|routine|fix|cure|knack|only way|workaround|checklist|proper way) (?:is|to|for|goes|here)|trick is|to get (?:the|a|an|into|rid|from|your|to)|in order to|you (?:reach|get|need|have to|start|press|want to|can|must|first|just|hold|do|run|set|clean|fix|open|pull)|goes away|comes? (?:out|off) (?:best|easily|clean|easier)|comes out|works best|works only|only works|means \w+ing|is done by|gets? done by|by \w+ing|needs? (?:to be|a)|need the|workflow|procedure|runbook|playbook|steps|checklist|recipe|routine|onboarding|debugging|rotating|restoring|releasing|deploying|resetting|cleaning|setting up|for (?:expense|a new|every|each|any|a clean|a fresh)|best if|best when|provided|otherwise|or else|the other way round|in (?:exactly )?(?:this|that) order|takes the|off-hours|works like this|goes like this|here's how|that's how we|is how we|the usual way|from scratch|a new \w+ gets) ",
    ),
    (
        Recipe,
        r"(?:^|[,.:]) (?:to|before|after|for) (?:[^ ]+ ){1,8}[,:] ?(?:you |we |i |just |simply |first )?(?:run|open|press|set|use|take|pull|push|put|start|stop|check|copy|delete|edit|add|remove|turn|hold|soak|heat|boil|mix|wait|call|send|file|log|click|go|hit|rebuild|restart|export|import|apply|unplug|plug|fill|rinse|wipe|let|make|merge|tag|bump|drain|scale|get|ask|build|switch|flip|clear) ",
    ),
    (
        Recipe,
        r"^ (?:if|when|whenever|once|before|after|should) (?:[^ ]+ ){1,12}, (?:first |then |just |simply |you |we |i )*(?:run|open|press|set|use|take|pull|push|put|start|stop|check|copy|delete|edit|add|remove|turn|hold|soak|heat|boil|mix|call|file|log|click|go|hit|rebuild|restart|rerun|export|import|apply|unplug|plug|fill|rinse|wipe|let|make|merge|tag|bump|drain|scale|get|build|switch|flip|clear|kill|reset|reboot|restore|roll|ssh|flush|power|compare|send|pass|escalate|forward|write|note|notify|freeze|lock|unlock|assign|move|retry) ",
    ),
    (
        Handling,
        r" (?:run|rerun|restart|reboot|press|hold|click|type|unplug|plug|drain|flush|soak|rinse|boil|simmer|knead|stir|bake|heat|cool|wrap|wrung|rub|scrub|wipe|polish|tighten|loosen|unscrew|screw|drill|glue|sand|pause|unpause|bump|tag|merge|rebase|cherry-pick|squash|rebuild|reindex|migrate|dump|restore|export|import|rotate|revoke|publish|publishing|switching|dropping|waiting|pressing|asking|saying|copy|paste|upload|download|attach|scan|stamp|fill in|fill out|sign|countersign|print|kubectl|git|docker|make|npm|cargo|ssh|curl|sudo|apt|vacuum|checkout|pull|push|clear|wait|compare|check|bleed|prune|dilute|whisk|fold|chill|proof|rest) ",
    ),
    (Handlings, r"(?:[^ ,]+ ){2,9}, (?:[^ ,]+ ){1,8}(?:, (?:and |then )?|and |then )(?:[^ ,]+ ){1,8}"),
    // What is so.
    (
        Stative,
        r" (?:is|are|isn't|aren't|has|have|hasn't|belongs|lies|sits|takes|costs?|runs|doesn't|don't|contains|holds|opens|closes|expires?|means|weighs|measures|stands for|counts|returns?|supports?|allows?|lives|comes|goes|was built|was founded|dates|speaks|hates|loves|likes|prefers|can't|cannot|kept|valid|called|named|only|carries|listens|accepts?|requires?|teaches|studies|plays|limits?|caps?|rejects?|stores?|wants|owns|drives|keeps|faces|seats|fits) ",
    ),
    (
        Tie,
        r" (?:depends? on|dependency|relies on|uses|runs on|is built on|built with|written in|works (?:at|for|in|on|with)|reports to|belongs to|part of|is (?:[^ ]+'s|my|our|his|her) |[a-z]+'s (?:wife|husband|girlfriend|boyfriend|partner|brother|sister|son|daughter|mother|father|boss|manager|cousin|uncle|aunt|niece|nephew|landlord|neighbou?r|assistant|successor|predecessor|fianc[eé]e?|twin|ex|flatmate|mentor|colleague)|married (?:to|since)|have been married|are (?:siblings|twins|cousins|married|a couple|sisters|brothers)|lives (?:in|with|at|next)|owned by|owns|maintain(?:s|ed by)|replaced|replaces|supersedes|superseded|succeeds|succeeded|located in|hosted (?:on|in|at)|goes through|talks to|speaks|leads|manages|founded|teaches|studies|develops|prefers|consists of|is made of|contains|is on|are in|sits (?:on|behind|in)|acquired|subsidiary|fork of|wraps|calls|reads from|writes to|feeds|stores its|mentors|took over from|is the (?:[^ ]+ ){0,3}(?:for|of)) ",
    ),
    (First, r" (?:i|i'm|i've|i'll|i'd|im|ive|me|myself) "),
    (Mine, r" (?:my|mine|our) "),
    (
        Third,
        r" (?:he|she|his|her|him|mum|mom|dad|mother|father|brother|sister|wife|husband|son|daughter|aunt|uncle|cousin|grandma|grandpa|granny|nephew|niece|boss|landlord|neighbou?r|colleague|girlfriend|boyfriend|partner|flatmate|he's|she's) ",
    ),
    (We, r" (?:we|we're|we've|we'll|us|our|ours) "),
];

/// How a past tense shows in a word.
pub(super) const PAST: Tense = Tense {
    verbs: " went came got had saw met broke fell told rang left lost found won bought sold sent gave took brought spent drove flew \
        ran ate slept threw said wrote caught blew burnt quit stole cut hit shook told began woke became held kept thought sang sat \
        stood swam wore tore froze chose knew grew drew hung stuck struck rose fled fought taught sank sprang forgave lit paid laid \
        heard felt led understood forgot did were was built dealt bit hid beat bet burst set ",
    ending: "ed",
    no_verbs: " included need feed speed seed indeed hundred exceed proceed breed bleed embed united naked sacred wicked based \
        detailed advanced related married divorced retired allergic limited unlimited embedded ",
    not_after: " i've we've you've they've is are am be been being was were get gets got the a an my our his her their its your this that these those by of in and or \
        isn't aren't has have had having not to as with very no one two three all any every each called i'm it's he's she's they're \
        we're you're never ",
};

/// Phrases that ask for remembering and are no part of what is remembered. Matched at the beginning of the plain form.
pub(super) const TRIGGERS: &str = r"^ (?:(?:please|pls|hey|ok|okay|so|and|oh|just) ,? ?)*(?:(?:remember|note|make a note|take note|bear in mind|keep in mind|don't forget|do not forget|fyi|for your information|save this|save that|write (?:this|that) down|make a note of this|remember this|note this|note to self|important|for future reference|fyi for later|for later|for reference|for the record|just so you know|jot (?:this|that) down|store this|heads up|log this|take a note)(?: for later)?(?: please)? ?(?:(?:[:,-] ?)+(?:that )?|that )|(?:keep in mind|fyi|fyi for later|for future reference|for the record|don't forget|remember) )";
