//! German: triggers, and what is ordinary talk all the same. Patterns match the plain form (`wording`).

mod vetoes;

use super::Family::{Forget, Memory, Question, RecallFailure, Reflection, SoftCorrection};
use super::about::About;
use super::explicit;
use super::wordings::{Table, Trigger};
use vetoes::{SUBJECTS, VETOES};

pub(super) const TABLE: Table = Table {
    triggers: &[TRIGGERS],
    vetoes: VETOES,
    subjects: SUBJECTS,
    explicit: explicit::GERMAN,
    borrowed: r" (?:übersetz(?:e|en|t)?|korrigier(?:e|en)? (?:bitte |mal |mir )*(?:den|diesen|das|diese|die|meinen|folgenden?) (?:text|satz|brief|mail|absatz|grammatik|rechtschreibung)|formulier(?:e|en)? {w4}um|umformulieren|kürze (?:den|diesen)|lektorier(?:e|en)?|(?:holpert|reimt sich|klingt|passt|liest sich) (?:das|der|dieser|die|dieses) ?(?:text|vers|gedicht|strophe|so)?|wie klingt (?:das|dieser|diese|mein)|(?:mein|ein|folgendes|dieses) (?:gedicht|liedtext|vers|songtext|entwurf)|(?:schreib|schreibe|erfinde|mach|gib) (?:mir )?(?:bitte |mal )*(?:ein|eine|einen) {w2}(?:gedicht|dialog|beispieldialog|geschichte|szene|vorlage|testdaten|lied|spruch|slogan)|auf (?:diese|die|folgende) (?:mail|e-mail|nachricht) {w4}antworten) ",
    pieces: PIECES,
    about: About {
        leading: " dass ob bitte mir dir mal nicht an über ",
        instead_of: &[" nicht ", " statt ", " anstatt ", " anstelle ", " und nicht "],
        opening: &[
            "mein", "meine", "meinen", "meinem", "meiner", "meines", "unser", "unsere", "unseren", "unserem",
            "unserer", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "einem", "ich", "wir",
            "er", "was", "wer", "wo", "wie", "wann", "welche", "alles", "alle",
        ],
        closing: &[
            " in dein ",
            " in deine ",
            " in deinen ",
            " in deinem ",
            " in deiner ",
            " aus deinem ",
            " aus deinen ",
            " auf ",
            " fest ",
            " irgendwo ",
        ],
        trailing: " bitte mal doch jetzt gut sicher irgendwo schon gestern vorhin bereits wieder noch für mich danke gesagt erzählt ok okay hast hat das ist stimmt so nicht mehr falsch veraltet ",
    },
};

const PIECES: &[(&str, &str)] = &[
    (
        "mem",
        r"(?:dein(?:em|en|e|er|es)?|ihr(?:em|en|e)?|den|die|das|dem|im|ins) (?:eigene[nrs]? |internen |ganzen |gesamten |alten |bisherigen )*(?:gedächtnis(?:ses)?|langzeitgedächtnis|speicher|langzeitspeicher|notizen|notizbuch|aufzeichnungen|erinnerungen|einträgen?|kopf|unterlagen|merkliste|wissen|notiz|akten|gedächtnisspeicher|datenbank|merkzettel)",
    ),
    ("dir", r"(?:dir|ihnen|euch|dirs|dir's)"),
    ("du", r"(?:du|sie|ihr)"),
    (
        "fill",
        r"(?:(?:bitte|mal|doch|dir|es|das|dies|dir das|endlich|auch|noch|ruhig|gleich|kurz|jetzt|einfach|ein für alle mal|gut|unbedingt|dauerhaft|für immer|mir|dann|also|so|irgendwo|sich|für später|folgendes|schon|nun|bloß|ja|einmal) )*",
    ),
    (
        "ago",
        r"(?:gestern|vorhin|vorher|eben|neulich|letztens|letzte(?:s|n|r)? (?:mal|woche|monat|nacht|sitzung|mittwoch|montag|dienstag|donnerstag|freitag|samstag|sonntag)|heute (?:morgen|früh|vormittag)|schon (?:mal|einmal|längst|x-mal|oft|öfter|so oft|hundertmal|tausendmal|gesagt|mehrfach|zweimal|dreimal|fünfmal|zigmal|ein paar ?mal|wieder)|bereits|längst|mehrfach|mehrmals|zweimal|dreimal|viermal|fünfmal|zehnmal|hundertmal|zigmal|x-mal|zum (?:zweiten|dritten|vierten|fünften|sechsten|zehnten|hundertsten|x-ten|wiederholten) mal|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|vor (?:ein paar|einer|zwei|drei|einigen) (?:minuten|stunden|tagen|wochen|stunde|minute|woche)|ausführlich|lang und breit|damals)",
    ),
    (
        "said",
        r"(?:gesagt|erzählt|erklärt|erwähnt|genannt|mitgeteilt|geschrieben|gezeigt|beschrieben|diktiert|gegeben|verraten|beantwortet|durchgekaut|aufgezählt|geschickt|klargemacht|hingewiesen|angesprochen|besprochen)",
    ),
    ("day", r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"),
    (
        "wh",
        r"(?:was|welche[rsnm]?|wer|wen|wem|wie|wo|wann|warum|wieso|weshalb|wofür|wogegen|womit|wohin|woher|worauf|worüber|wieviel|wie viele?|wovon|worum|an welchem|in welche[mrn]?|auf welche[mrn]?|bei wem|mit wem|von wem)",
    ),
    ("my", r"(?:ich|mich|mir|mein(?:e|en|em|er|es)?|wir|uns|unser(?:e|en|em|er|es)?)"),
];

const TRIGGERS: &[Trigger] = &[
    // To be kept.
    (
        Memory,
        "merk dir",
        "",
        r" (?:merk|merke|merken|merkt|präg|präge|prägen) (?:sie )?{fill}(?:dir|ihnen|sich|euch|dir's|dirs)(?: |$)",
    ),
    (
        Memory,
        "bitte merken",
        "",
        r" (?:(?:bitte|gut|unbedingt|dauerhaft|mal|kurz|das|dir|dies|folgendes|für später|zu|sollst du dir|musst du dir|kannst du dir|solltest du dir) )+{fill}(?:merken|einprägen|notieren|abspeichern|vormerken|behalten|speichern|aufschreiben|festhalten)(?: |$)",
    ),
    (
        Memory,
        "notier dir",
        "",
        r" (?:notier|notiere|notieren|notier's|schreib|schreibe|schreiben|schreib's|speicher|speichere|speichern|speicher's|vermerk|vermerke|vermerken|hinterleg|hinterlege|hinterlegen|trag|trage|leg|lege|heb|hebe|halt|halte|halten|halt's|nimm|pack|packe|behalt|behalte|behalten|bewahr|bewahre|sicher|sichere) (?:[^ ]+ ){0,12}(?:auf|ab|fest|ein|hinter die ohren|in {mem}|{mem}|dauerhaft|dir|dir's|im kopf|in erinnerung|im hinterkopf|für später|für nächstes mal|für die zukunft|weg|so ab)(?: |$)",
    ),
    (
        Memory,
        "vergiss nicht",
        "",
        r" (?:vergiss|vergesst|vergessen sie) (?:[^ ]+ )?(?:nicht|nie|niemals|ja nicht|bloß nicht) ?(?:dass|:|,|-|!|wann|wo|wie|wer|was|mein|meine|unser|unsere|\.)",
    ),
    (
        Memory,
        "denk dran",
        "",
        r" (?:denk|denke|denkt|denken sie) (?:bitte |immer |auch |künftig |in zukunft )*(?:dran|daran|bitte daran) (?:,? ?)(?:dass|:|-)",
    ),
    (Memory, "wichtig:", "", r"(?:^|[.,!;-]|sehr|ganz|und|noch|auch) wichtig : "),
    (
        Memory,
        "entscheidung:",
        "",
        r"(?:^|[.,!;-]|unsere|die|neue|finale|[0-9]) (?:entscheidung|beschluss|beschlossen|festlegung) : ",
    ),
    (
        Memory,
        "wir haben vereinbart",
        "",
        r" (?:wir (?:haben|hatten) (?:uns )?(?:[^ ]+ ){0,8}(?:vereinbart|geeinigt|beschlossen|entschieden|ausgemacht|abgemacht|festgelegt)|(?:haben|hatten) wir (?:uns )?(?:gestern |heute |jetzt |nun |gemeinsam )*(?:vereinbart|geeinigt|beschlossen|ausgemacht|abgemacht|festgelegt)|der plan (?:ist|lautet|steht) (?:jetzt |nun |, )?(?:dass|:|zu|folgender|,|wir)|(?:es )?bleibt dabei :)(?: |$)",
    ),
    (
        Memory,
        "notiz an mich",
        "",
        r" (?:notiz|memo|merker|merkposten|erinnerung) (?:an|für) (?:mich|dich|uns|später|die zukunft|künftige) ",
    ),
    (
        Memory,
        "behalte im hinterkopf",
        "",
        r" (?:behalt|behalte|behalten|hab|habe|halt|halte) (?:[^ ]+ ){0,6}(?:im (?:hinterkopf|kopf|gedächtnis|blick)|in erinnerung|im auge) ",
    ),
    (
        Memory,
        "fürs Protokoll",
        "",
        r" (?:fürs protokoll|für die (?:akten|zukunft|notizen)|für (?:deine|die) (?:unterlagen|notizen|akten)|für später|fürs nächste mal|für künftige) ?(?::|,|-) ",
    ),
    (
        Memory,
        "ab jetzt",
        "",
        r" (?:ab (?:jetzt|sofort|heute|nun|morgen)|von (?:jetzt|nun|heute) an|künftig|in zukunft|zukünftig|fortan) (?:bitte |immer |nur |nie |keine? |gilt|will|möchte|nutz|verwend|schreib|antwort|nenn|du|alles|alle|sollst|soll|nicht|kein|wieder|mir|mich|auf|in|bitte|[^ ]+st ?|[^ ]+ du)",
    ),
    (
        Memory,
        "bitte künftig",
        "",
        r"(?:^| bitte| immer| antworte?| schreibe?| nenne?| nutze?| verwende?) (?:[^ ]+ ){0,6}(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|künftig|in zukunft|zukünftig) (?:bitte |immer |nur |nie |keine |nicht )",
    ),
    (
        Memory,
        "in deine notizen",
        "",
        r" (?:gehört|kommt|muss|soll|sollte|bitte|schreib|pack|nimm|trag|leg|übernimm|speicher|halt|ablegen|aufnehmen|eintragen|festhalten|vermerk) (?:[^ ]+ ){0,9}(?:in|ins|im|zu) {mem} ",
    ),
    (
        Memory,
        "du sollst wissen",
        "",
        r" (?:du (?:solltest|sollst|musst) (?:[^ ]+ ){0,3}wissen|damit du (?:es|das|bescheid|dir|'s)|ich (?:will|möchte|hätte gern) ,? ?dass du (?:[^ ]+ ){0,6}(?:weißt|merkst|behältst|speicherst|notierst|hast)|nur damit du|gut zu wissen für|noch weißt|noch hast)(?: |$)",
    ),
    (
        Memory,
        "speichern",
        "",
        r" (?:so |dauerhaft |fest |das |es |bitte |dir |ruhig |langfristig |irgendwo )+(?:abspeichern|abspeicherst|speichern|ablegen|hinterlegen|notieren|vermerken|festhalten|einprägen|aufheben|eintragen|aufbewahren|behalten) ",
    ),
    (
        Memory,
        "speicher das",
        "",
        r"^ (?:bitte |und |also |ok ,? ?)*(?:speicher|speichere|notier|notiere|vermerk|vermerke) (?:dir |bitte |mal |es |auch )*(?::|,|das|dass|es|\.|mein|meine|unser|unsere|diese|dieses|diesen|folgendes) ",
    ),
    (Memory, "nicht vergessen:", "", r"(?:^|[.,!;-]|bitte|und) nicht vergessen ?(?::|, dass|-) "),
    (Memory, "heb auf", "", r" (?:heb|hebe|heben sie) (?:[^ ]+ ){0,8}auf "),
    // Was said before and not remembered.
    (
        RecallFailure,
        "hab ich dir gesagt",
        "",
        r" (?:hab|habe|hab's|hatte|hatt|habs) (?:ich(?:'s)?|ich's) (?:[^ ]+ ){0,8}(?:{said})(?: |$)",
    ),
    (
        RecallFailure,
        "ich hab dir gesagt",
        "",
        r" ich (?:hab|habe|hab's|hatte|hatt's|habs|hatt) (?:[^ ]+ ){0,2}(?:dir|ihnen|euch|es|das|doch|dir's) (?:[^ ]+ ){0,9}(?:{said}|gefühlt)(?: |$)",
    ),
    (
        RecallFailure,
        "wie gesagt",
        "",
        r" wie (?:ich )?(?:(?:schon|bereits|vorhin|gestern|oben|eben|mehrfach|dir|neulich|ja) )+(?:ja )?(?:gesagt|erwähnt|erklärt|geschrieben|besprochen|erzählt|angesprochen|sagte|erwähnte|erzählte|meinte) ",
    ),
    (
        RecallFailure,
        "hatten wir schon",
        "",
        r" (?:(?:hatten|haben|hattn) wir (?:[^ ]+ ){0,8}(?:schon|doch|längst|bereits|eben erst|alles)(?: [^ ]+){0,4}|wir (?:haben|hatten) (?:[^ ]+ )?(?:das|darüber|drüber|dies|es|davon|über das) (?:[^ ]+ ){0,5}(?:schon|doch|längst|bereits|geklärt|besprochen|gesprochen|durchgekaut|durchgesprochen|gehabt))(?: |$)",
    ),
    (
        RecallFailure,
        "du hast vergessen",
        "",
        r" (?:hast du|du hast|haben sie|hast) (?:[^ ]+ ){0,7}(?:vergessen|verlernt|verbummelt|verschlampt|verdrängt|verloren|entfallen)(?: |$)",
    ),
    (
        RecallFailure,
        "du vergisst",
        "",
        r" (?:(?:du|sie) (?:vergisst|vergessen|verlierst|verwechselst|verwechseln|bringst|fragst|schreibst|sagst|nennst|machst|kommst|behauptest|nimmst|weißt|wusstest|rechnest|schlägst) (?:[^ ]+ ){0,6}(?:immer wieder|ständig|dauernd|jedes mal|jedesmal|schon wieder|wieder|andauernd|immer noch|durcheinander|nichts mehr|nicht mehr|noch immer|ständig)|(?:vergisst|verwechselst|fragst|schreibst|weißt|nennst|machst) du (?:[^ ]+ ){0,6}(?:immer wieder|ständig|dauernd|jedes mal|jedesmal|schon wieder|wieder|andauernd|immer noch|durcheinander|nichts mehr|nicht mehr|noch immer))(?: |$)",
    ),
    (
        RecallFailure,
        "schon wieder",
        "",
        r" (?:schon wieder|wieder mal|wieder einmal|immer noch|noch immer|abermals) (?:[^ ]+ ){0,3}(?:vergessen|falsch|weg|verwechselt|durcheinander|gefragt|gelöscht|verloren|derselbe fehler|die gleiche frage|dieselbe frage|das gleiche|das falsche|die falsche|nicht gemerkt)(?: |$)",
    ),
    (
        RecallFailure,
        "wie oft",
        "",
        r" (?:wie oft|wie viele male|wieviele male|wie viel mal) (?:muss|soll|denn|noch|hab|habe|will|wollen|müssen|sollen|jetzt|hatte) (?:[^ ]+ ){0,9}(?:{said}|sagen|erzählen|erklären|wiederholen|erwähnen|nennen|mitteilen|korrigieren|verbessern|schreiben|fragen|noch|gebeten|korrigiert|wiederholt|buchstabieren)(?: |$)",
    ),
    (
        RecallFailure,
        "erinnerst du dich nicht",
        "",
        r" (?:erinnerst du dich (?:[^ ]+ ){0,3}(?:nicht|gar nicht|etwa)|weißt du (?:das |es |denn |etwa |das denn |wirklich |echt )*(?:nicht mehr|gar nichts? mehr|nichts mehr|schon nicht mehr)|hast du (?:[^ ]+ ){0,5}(?:nicht (?:gemerkt|gespeichert|notiert|behalten)|nichts (?:gemerkt|behalten|gespeichert))|warum (?:weißt|merkst|fragst|hast) du (?:[^ ]+ ){0,6}(?:nicht|wieder|nochmal|noch mal|schon|immer|erneut))(?: |$)",
    ),
    (
        RecallFailure,
        "nein, ich sagte",
        "",
        r" (?:nein|nee|nö|ne|mann|doch) ,? ?(?:ich (?:sagte|hab gesagt|habe gesagt|meinte|hatte gesagt|heiße|heisse)|mein[e]? [^ ]+ (?:heißt|ist|sind)) ",
    ),
    (
        RecallFailure,
        "zum dritten Mal",
        "",
        r" (?:zum (?:zweiten|dritten|vierten|fünften|sechsten|zehnten|hundertsten|tausendsten|x-ten|wiederholten|gefühlt [^ ]+|[0-9]+)|(?:bestimmt|gefühlt|sicher) zum [^ ]+) ?\.? ?(?:mal|male)(?: |$)",
    ),
    (
        RecallFailure,
        "Gedächtnis wie ein Sieb",
        "",
        r" (?:gedächtnis wie (?:ein|'n|n) [^ ]+|wie ein sieb|goldfisch|demenz|alzheimer|amnesie|bei null an(?:fangen|gefangen)?|gegen (?:eine|'ne|die) wand) ",
    ),
    (
        RecallFailure,
        "als hätten wir nie",
        "",
        r" als (?:hätten|hätte|wäre|wären|hättest) (?:wir|ich|du|das) (?:[^ ]+ ){0,4}(?:nie|noch nie|nicht|zum ersten|gestern erst|erst)(?: |$)",
    ),
    (
        RecallFailure,
        "du hattest versprochen",
        "",
        r" (?:du (?:hast|hattest) (?:[^ ]+ ){0,3}(?:versprochen|zugesagt|behauptet|gesagt|zugesichert)|hattest du (?:[^ ]+ ){0,3}versprochen) (?:[^ ]+ ){0,9}(?:merken|merkst|gemerkt|notiert|gespeichert|behalten|speichern|aufzuschreiben|notieren|notierst)(?: |$)",
    ),
    (
        RecallFailure,
        "das solltest du wissen",
        "",
        r" (?:(?:das|es) (?:solltest|müsstest|weißt) du (?:[^ ]+ ){0,4}(?:wissen|noch wissen|eigentlich|längst)|das weißt du doch|wusstest du (?:[^ ]+ ){0,3}(?:noch|doch)|gestern wusstest du|muss ich (?:[^ ]+ ){0,4}(?:jedes ?mal|immer wieder|schon wieder|wieder|nochmal|noch mal|erneut)(?: [^ ]+){0,6})(?: |$)",
    ),
    (
        RecallFailure,
        "fragst du schon wieder",
        "",
        r" (?:das |danach |mich |du )*(?:fragst|fragtest|gefragt) (?:du )?(?:mich )?(?:[^ ]+ ){0,5}(?:schon wieder|schon|wieder|gestern|erst|nochmal|noch mal|jedes mal|erneut)(?: |$)",
    ),
    // Known, and different now.
    (
        SoftCorrection,
        "eigentlich",
        "",
        r" (?:eigentlich|tatsächlich|in wahrheit|genau genommen) (?:ist|sind|war|heißt|heißen|wohne|wohnen|arbeite|arbeiten|haben wir|nutze|nutzen|es|wird|liegt|kommt|beginnt) ",
    ),
    (
        SoftCorrection,
        "nein, das ist",
        "",
        r"(?:^|[.!?,;]) (?:nein|nee|nö|ne|stopp|halt|moment) ,? ?(?:(?:das|es|er|sie|die|der|wir|am|im|um|nicht|mein[e]?|unser[e]?) (?:ist|war|sind|heißt|heißen|liegt|wohnt|kommt|beginnt|findet|[^ ]+ (?:ist|heißt|war|sind))|(?:ich|wir) (?:heiße|heisse|heißen|wohne|wohnen|arbeite|arbeiten|nutze|nutzen))(?: |$)",
    ),
    (
        SoftCorrection,
        "inzwischen",
        "",
        r" (?:inzwischen|mittlerweile|neuerdings|jetzt|nun|seit (?:{day}|gestern|heute|letzter|letztem|dem|der|einer|einem|ein paar|kurzem|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|ende|anfang|mitte)(?: [^ ]+)?) (?:(?:nehm|nehme|nutz|nutze|nutzen|benutz|benutze|verwende|verwenden|wohn|wohne|wohnen|arbeite|arbeiten|bin|sind|heiß|heiße|heißt|fahre|fahren|trinke|esse|hab|habe|haben|läuft|laufen|ist|gilt|mach|mache|machen|setze|setzen|leitet|übernimmt|spiele|lerne|studiere|geh|gehe|gehen|lebe|leben|schreib|schreibe|programmiere|kommt|findet|steht|liegt) (?:[^ ]+ )?)(?:ich|wir|er|sie|es|[^ ]+) ",
    ),
    (
        SoftCorrection,
        "X jetzt, nicht Y",
        "",
        r" (?:ich|wir|er|sie) (?:[^ ,]+ ){1,2}(?:jetzt|nun|inzwischen|mittlerweile|neuerdings) (?:[^ ,.?!]+ ){1,5}, ?(?:und )?(?:nicht|kein|keine|keinen) (?:mehr )?(?:[^ .?!,]+ ){1,3}(?:$|[.!,;?(-])",
    ),
    (
        SoftCorrection,
        "nicht mehr",
        "",
        r" (?:(?:ich|wir|er|sie|das|die|der|es|stimmt|gilt|ist|sind|bin|wohne|wohnen|arbeite|arbeitet|arbeiten|nutze|nutzen|heißt|esse|trinke|läuft|findet|fahre|mache|machen|hat|haben|habe|hab) (?:[^ ]+ ){0,8}(?:nicht mehr|nicht länger|keine?n? [^ ]+ mehr|kein mehr|nie mehr)|stimmt (?:so |nimmer |ja )*(?:nicht|nimmer)(?: mehr)?|(?:ist|sind) (?:[^ ]+ )?(?:veraltet|überholt|hinfällig|passé|geschichte|falsch|nicht richtig|alt|von gestern|nicht korrekt|nicht aktuell))(?: |$)",
    ),
    (
        SoftCorrection,
        "X, nicht Y",
        "",
        r" (?:ist|sind|heißt|heißen|am|um|im|in|bei|auf|mit|war|wird|wohnt|wohne|kommt|beginnt|fängt|meinte|auf|für|liegt|gleis|nummer|zimmer|raum) (?:[^ .?!]+ ){1,6}(?:, |und |, und )nicht (?:mehr )?(?:(?:am|um|im|in|der|die|das|den|dem|erst|schon|bei|mit|auf|zum|zur|für) )*(?:[^ .?!,]+ ){1,2}(?:$|[.!,;?(-])",
    ),
    (SoftCorrection, "nicht Y, sondern X", "", r" (?:nicht|kein|keine|keinen) (?:[^ .?!]+ ){1,7}sondern "),
    (
        SoftCorrection,
        "statt",
        "",
        r" (?:(?:jetzt|inzwischen|nun|ab|künftig|nehm|nehme|nutze|nutzen|ist|sind|wird|heißt|auf|zu|mit|um) (?:[^ .?!]+ ){0,7}(?:statt|anstatt|anstelle|und nicht mehr))(?: |$)",
    ),
    (
        SoftCorrection,
        "Korrektur",
        "",
        r" (?:(?:kleine|kurze|noch eine|eine) (?:korrektur|berichtigung|änderung|anmerkung zur korrektur)|korrektur|berichtigung|ich (?:hab|habe) mich (?:vertan|verschrieben|vertippt|geirrt|versprochen|verguckt|verlesen)|(?:da|das) (?:hab|habe) ich mich (?:vertan|geirrt)|da (?:hab|habe) ich (?:was |etwas )?falsch|mein fehler|ich meinte|gemeint war|muss (?:ich )?(?:mich )?korrigieren|update :|neuigkeit :|richtigstellung) ?(?::|,|-|\.|und|[^ ]+)",
    ),
    (
        SoftCorrection,
        "hat sich geändert",
        "",
        r" (?:hat|haben|ist|sind|wurde|wurden|bin|habe|hab) (?:[^ ]+ ){0,9}(?:geändert|umgezogen|gewechselt|verschoben|verlegt|umbenannt|umgestellt|umgestiegen|ersetzt|abgelöst|gekündigt|getrennt|geheiratet|verkauft|aufgehört|angefangen|aufgegeben|befördert|ausgezogen|eingezogen|weggezogen|vertagt|vorgezogen|abgeschafft|übernommen|gestorben|gelöscht worden|umgeschwenkt|ausgestiegen|umgezogen)(?: |$)",
    ),
    (
        SoftCorrection,
        "jetzt doch",
        "",
        r" (?:jetzt doch|nun doch|doch lieber|doch wieder|jetzt lieber) (?:[^ ]+ ){0,6}",
    ),
    (
        SoftCorrection,
        "du hast falsch",
        "",
        r" (?:(?:du hast|hast du|da steht|steht) (?:[^ ]+ ){0,9}(?:falsch|veraltet|alte[rsn]?|verwechselt|vertauscht|durcheinander)|(?:du|sie) (?:verwechselst|verwechseln|vertauschst|bringst) (?:[^ ]+ ){0,6}|dein(?:e|en|er)? [^ ]+ (?:ist|sind|stimmt|stimmen) (?:[^ ]+ ){0,3}(?:veraltet|falsch|nicht|überholt))(?: |$)",
    ),
    (
        SoftCorrection,
        "heißt jetzt",
        "",
        r" (?:heißt|heißen|heiße|ist|sind|lautet|gilt|wohnt|wohne|wohnen|läuft|laufen|liegt|findet|beginnt|arbeitet|arbeite|kommt|kostet|leitet|macht|bin) (?:jetzt|nun|inzwischen|mittlerweile|neuerdings|ab sofort|seit) (?:[^ ]+ ){0,9}",
    ),
    // No longer to be kept.
    (
        Forget,
        "vergiss",
        "",
        r" (?:vergiss|vergesst|vergessen sie) (?:{fill})(?:alles|was|das (?:mit|von|über|ganze|alte|thema|gespräch)|die (?:sache|geschichte|adresse|nummer|info|idee|alte|alten)|den|meine?n?|unsere?n?|wieder|das bitte|es wieder|dass|das [^ ]+ wieder|das ganz) ",
    ),
    (
        Forget,
        "das vergiss wieder",
        "",
        r" (?:was|das|die|den|alles|dies) (?:[^ ]+ ){0,12}(?:vergiss|lösch|lösche|streich|streiche) (?:[^ ]+ ){0,6}(?:bitte|wieder|schnell|sofort|komplett|ganz|kannst|lassen|\.|$)",
    ),
    (
        Forget,
        "kannst du vergessen",
        "",
        r" (?:kannst|könntest|darfst|sollst|solltest|musst|bitte|können|könnten) (?:du |sie )?(?:[^ ]+ ){0,9}(?:vergessen|löschen|streichen|entfernen|wegwerfen|rauswerfen|verwerfen|rausnehmen|rausschmeißen|tilgen|wegschmeißen|ausradieren)(?: |$)",
    ),
    (
        Forget,
        "lösch",
        "",
        r" (?:lösch|lösche|löschen sie|streich|streiche|streichen sie|entfern|entferne|entfernen sie|schmeiß|schmeiße|wirf|werfen sie|nimm|tilge|radier|radiere|verwirf|hau|putz|schmeiss|kick) (?:[^ ]+ ){0,14}(?:weißt|hast|wissen|haben|gespeichert|notiert|gemerkt|gesagt|erzählt|geschrieben|{mem}|eintrag|einträge|notiz|notizen|erinnerung|erinnerungen|vermerk|info|infos|angaben|daten|weg|raus|heraus|wieder|dazu|darüber|davon|über mich|von mir)(?: |$)",
    ),
    (
        Forget,
        "lösch das",
        "",
        r" (?:lösch|lösche|löschen sie|streich|streiche) (?:bitte |mal |doch )*(?:das|es|alles|dies|den eintrag|die notiz)(?: bitte| wieder| komplett| ganz| alles)* [.!,]",
    ),
    (
        Forget,
        "kann weg",
        "",
        r" (?:kann|können|muss|müssen|soll|sollen|darf|sollte|sollten) (?:[^ ]+ ){0,4}(?:weg|raus|gelöscht werden|gestrichen werden|verschwinden|entfernt werden|vergessen werden|in die tonne|in den müll)(?: |$)",
    ),
    (
        Forget,
        "brauchst du nicht mehr zu merken",
        "",
        r" (?:(?:brauchst|musst|brauchen|müssen|sollst|darfst|solltest|kannst) (?:du |sie )?(?:[^ ]+ ){0,7}(?:nicht|nix|nichts|aufhören|kein) (?:[^ ]+ ){0,5}(?:merken|behalten|speichern|aufheben|wissen|notieren|erinnern|festhalten|aufbewahren|mitführen|aufzuheben)|nicht (?:mehr|länger|weiter) (?:[^ ]+ ){0,3}(?:merken|speichern|behalten|aufheben|aufbewahren|im kopf|erinnern)|(?:behalt|speicher|merk|heb|notier) (?:dir )?(?:das|es|die|den|davon|nichts|bloß|bitte)(?: [^ ]+){0,3} (?:nicht|nichts|nirgends|keinesfalls))(?: |$)",
    ),
    (
        Forget,
        "nicht mehr relevant",
        "",
        r" (?:nicht mehr|nicht länger|nimmer|keine rolle mehr|hat sich|ist) (?:[^ ]+ )?(?:relevant|aktuell|wichtig|nötig|gebraucht|von belang|erledigt|zerschlagen|hinfällig|gegenstandslos)(?: |$)",
    ),
    (
        Forget,
        "ignorier was ich sagte",
        "",
        r" (?:ignorier|ignoriere|ignorieren sie|streich|vergiss) (?:[^ ]+ ){0,3}(?:was|alles ,? was|das ,? was) (?:[^ ]+ ){0,2}ich (?:[^ ]+ )",
    ),
    (
        Forget,
        "tu so als hätte ich nie",
        "",
        r" (?:tu|tun wir|stell dich|mach|als) (?:[^ ]+ ){0,3}(?:als )?(?:hätte|hätt|hätten|wäre) (?:ich|wir|es|das|nie|[^ ]+) (?:[^ ]+ ){0,6}(?:nie|nichts|nicht)(?: |$)",
    ),
    (
        Forget,
        "hätte ich nicht sagen sollen",
        "",
        r" (?:hätt|hätte|hätt's) ich (?:[^ ]+ ){0,5}(?:nicht|nie) (?:[^ ]+ ){0,3}(?:sagen|erzählen|schreiben|erwähnen) (?:sollen|dürfen)|geht (?:dich|sie) nichts an ",
    ),
    // To be gone over.
    (
        Reflection,
        "räum dein Gedächtnis auf",
        "",
        r" (?:räum|räume|räumen|aufräumen|sortier|sortiere|sortieren|ordne|ordnen|miste|mist|ausmisten|entrümpel|entrümpeln|entrümple|bereinige|bereinigen|bereinig|putz|putze|säuber|säubere|pfleg|strukturier|strukturiere|konsolidier|konsolidiere|konsolidieren|verdichte|verdichten|komprimier|komprimiere|fass|fasse|zusammenfassen|überprüf|überprüfe|prüf|prüfe|durchforste|durchforsten|sichte|sichten|überarbeite|aktualisiere|entdopple|bring|bringe) (?:[^ ]+ ){0,8}(?:{mem}|erinnerungen|oberstübchen|gedächtnis|speicher|einträge|notizen|gespeichert hast|gemerkt hast|weißt|oberstübchen|was du (?:[^ ]+ ){0,6}(?:hast|weißt))(?: |$)",
    ),
    (
        Reflection,
        "geh durch, was du weißt",
        "",
        r" (?:geh|gehe|gehen sie|schau|schaue|schau dir|sieh|sieh dir|lies|guck|guck dir|durchgehen|durchsehen|nimm dir|arbeite|arbeit) (?:[^ ]+ ){0,8}(?:{mem}|was du|alles ,? was|alle einträge|erinnerungen|einträge|notizen|gespeichert|gemerkt) (?:[^ ]+ ){0,9}(?:durch|an|vor|hast|weißt|gespeichert|aufgeschrieben|notiert|nochmal|noch mal|zusammen)(?: |$)",
    ),
    (
        Reflection,
        "denk über unsere Gespräche nach",
        "",
        r" (?:(?:reflektier|reflektiere|reflektieren|rekapitulier|rekapituliere|resümier|resümiere) (?:[^ ]+ ){0,5}(?:unsere?n?|die letzten?|den|heutige|diese|über|was|session|sitzung|gespräche?|woche|tag)|(?:lass|lassen|lasse) (?:[^ ]+ ){0,8}(?:revue passieren|sacken|setzen|nachwirken)|(?:denk|denke|blick|blicke|schau|schaue|guck) (?:[^ ]+ ){0,8}(?:unsere?n?|die letzten?|letzten?|vergangenen?|diese[rn]?) (?:[^ ]+ ){0,6}(?:nach|zurück|an|durch)|(?:zieh|ziehe|ziehen wir|zieht) (?:[^ ]+ ){0,4}(?:bilanz|fazit|resümee|lehren|schlüsse))(?: |$)",
    ),
    (
        Reflection,
        "Rückblick",
        "",
        r" (?:mach|mache|machen wir|zeit für|starte?|führ|führe|lass uns|wir brauchen) (?:[^ ]+ ){0,4}(?:rückblick|retrospektive|rückschau|bestandsaufnahme|reflexion|frühjahrsputz|großputz|inventur|gedächtnispflege|selbstreflexion|konsolidierung|aufräumrunde)(?: |$)",
    ),
    (
        Reflection,
        "nächtlicher Lauf",
        "",
        r" (?:nächtlich(?:en|er|e|es)|nacht-?job|nachtlauf|tagesnotizen|tageslog|tagesprotokoll(?:e)?|konsolidierung(?:slauf)?|verdichtung(?:slauf)?) (?:[^ ]+ ){0,14}(?:anstoßen|starten|laufen|ausführen|anwerfen|vorziehen|durchführen|verdichten|verdichtet|zusammenfassen|sofort|jetzt|los|durch)(?: |$)",
    ),
    (
        Reflection,
        "führ zusammen",
        "",
        r" (?:führ|führe|führen|fass|fasse|leg|lege|verschmilz|merge|merg) (?:[^ ]+ ){0,8}(?:zusammen|doppelte[sn]?|dubletten|duplikate|mehrfaches|einträge)(?: |$)",
    ),
    (
        Reflection,
        "was haben wir gelernt",
        "",
        r" (?:was (?:hast du|haben wir|du) (?:[^ ]+ ){0,8}gelernt|welche (?:muster|themen|lehren|erkenntnisse)|was (?:kam|kommt|taucht) (?:[^ ]+ ){0,3}(?:immer wieder|wiederholt|ständig)|(?:wichtigsten|zentralen) (?:erkenntnisse|punkte|lehren) (?:[^ ]+ ){0,6}(?:ab|fest|leg|ins|in)|widersprüche (?:[^ ]+ ){0,4}(?:in|zwischen) {mem})(?: |$)",
    ),
    (
        Reflection,
        "destillier",
        "",
        r" (?:destillier|destilliere|verdichte|dampf|dampfe|komprimier|komprimiere|kondensier|kondensiere|schrumpf|kürz) (?:[^ ]+ ){0,9}(?:einträge|notizen|tage|wochen|monat|gespräche|erinnerungen|logs|ein|zusammen|{mem})(?: |$)",
    ),
    // What is remembered is asked.
    (
        Question,
        "was weißt du über mich",
        "",
        r" (?:was|wie viel|wieviel|was alles|alles ,? was) (?:[^ ]+ ){0,2}(?:weißt|hast|kennst|weisst|erinnerst|speicherst) du (?:[^ ]+ ){0,9}(?:{my}|gespeichert|gemerkt|notiert|im speicher|im kopf|im gedächtnis|aufgeschrieben|behalten|in {mem})(?: |$)",
    ),
    (
        Question,
        "was weißt du noch",
        "",
        r" (?:was|wie viel|wieviel) (?:weißt|erinnerst|kannst) du (?:dir |dich )?(?:noch|eigentlich noch|alles noch) (?:von|vom|über|zu|zum|zur|an)(?: |$)",
    ),
    (
        Question,
        "weißt du noch",
        "",
        r" (?:weißt|weisst|erinnerst|kennst|wissen|erinnern) (?:du|sie) (?:dich |sich )?(?:noch |eigentlich |zufällig |noch an |überhaupt )*(?:,|{wh}|ob|an|meinen?|unseren?|den|die|das) (?:[^ ]+ ){0,9}{my} (?:[^ ]+ ){0,9}\? ",
    ),
    (
        Question,
        "hab ich dir erzählt",
        "",
        r" (?:hab|habe|hatte|haben|hatten|hab's) (?:ich|wir) (?:dir |ihnen |euch )?(?:[^ ]+ ){0,4}(?:je|jemals|mal|schon mal|schon einmal|eigentlich|überhaupt|irgendwann|denn|bereits|schon|verraten|erzählt|erwähnt|gesagt) (?:[^ ]+ ){0,12}\? ",
    ),
    (
        Question,
        "wie hieß nochmal",
        "",
        r" {wh} (?:[^ ]+ ){0,6}(?:nochmal|noch mal|noch gleich|gleich nochmal|doch gleich|gleich|noch einmal|damals|nochma) (?:[^ ]+ ){0,12}",
    ),
    (
        Question,
        "wie heißt mein",
        "",
        r" {wh} (?:heißt|heißen|hieß|hießen|ist|sind|war|waren|wohnt|arbeitet|hat|haben|kommt|mag|hatte) (?:nochmal |noch |gleich |eigentlich |denn )*(?:mein|meine|meinen|meiner|unser|unsere|unseren) (?:[^ ]+ ){1,8}\? ",
    ),
    (
        Question,
        "wofür hatten wir uns entschieden",
        "",
        r" {wh} (?:[^ ]+ ){0,3}(?:hatten|haben|hatte|hab|habe|wollten|wollte|waren) (?:wir|ich) (?:[^ ]+ ){0,9}(?:entschieden|ausgemacht|vereinbart|beschlossen|besprochen|gesagt|erzählt|festgelegt|geeinigt|genannt|vor|gewählt|abgemacht|gekauft|bestellt|erwähnt|gewollt|lesen|notiert|verworfen|abgelehnt|genommen|gefunden) (?:[^ ]+ ){0,6}\? ",
    ),
    (
        Question,
        "wann hab ich zuletzt",
        "",
        r" (?:wann|wo|warum|wieso|weshalb|mit wem|wem) (?:hab|habe|haben|hatte|hatten|war|waren|bin|sind) (?:ich|wir) (?:[^ ]+ ){0,4}(?:zuletzt|das letzte mal|letztes mal|damals|eigentlich|nochmal|uns|zum ersten mal) (?:[^ ]+ ){0,9}\? ",
    ),
    (
        Question,
        "was fahre ich",
        "",
        r" (?:was für (?:ein|eine|einen)|welche[rsnm]?|wo|wie viele|was) (?:[^ ]+ ){0,2}(?:fahre|fahr|wohne|wohn|arbeite|trinke|esse|nutze|benutze|trage|mag|spiele|spreche|bevorzuge|hasse|liebe|nehme|habe|hab) ich (?:eigentlich |nochmal |am liebsten |gerne |gern |normalerweise |immer |noch )*(?:[^ ]+ ){0,2}\? ",
    ),
    (
        Question,
        "was steht in deinen Notizen",
        "",
        r" (?:(?:(?:was|wer|welche[rsn]?|wie|wo|wann) (?:steht|ist|hast|weißt|findet|liegt|hab|habe|sagen|sagt)|hast du|steht|gibt es|gibt's|findest du) (?:[^ ]+ ){0,9}(?:in {mem}|{mem}|im speicher|auf dem zettel|hinterlegt|gespeichert|notiert|abgespeichert|vermerkt))(?: [^ ]+){0,9} \? ",
    ),
    (
        Question,
        "hast du noch",
        "",
        r" (?:hast|haben|kennst) (?:du|sie) (?:noch|eigentlich noch|zufällig noch|vielleicht noch|dir|irgendwo|was|etwas|irgendwas) (?:[^ ]+ ){0,9}(?:{my}|notiert|gespeichert|gemerkt|parat|im kopf|zu|zum|zur|über|von|vom) (?:[^ ]+ ){0,9}\? ",
    ),
    (
        Question,
        "erinnere mich, was",
        "",
        r" (?:hilf mir auf die sprünge|hilf meinem gedächtnis|erinner mich|erinnere mich|sag mir nochmal|sag nochmal|sag mal|zeig mir|sag mir|liste|zähl|nenn mir|erzähl mir) (?:[^ ]+ ){0,4}(?:,|{wh}|alles|auf|mal) (?:[^ ]+ ){0,9}(?:wir|ich|du (?:[^ ]+ ){0,4}(?:weißt|hast)|über mich|mein|meine|unser|unsere)(?: |$)",
    ),
];
