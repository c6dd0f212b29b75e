//! German. Cues match the plain form (`crate::wording`); names and projects the text as it was written.

use super::super::mark::Mark::*;
use super::{Cue, Table};

pub(super) const TABLE: Table = Table {
    cues: &[AGAINST, MUSING, NOT_SO, DECIDED, SETTLED, LEARNED, DONE, PERSONS, FACTS],
    fillers: " ok okay jo jap jep jup na naja ach aha oh hm hmm äh ähm und danke merci bitte übrigens btw moin hallo hi hey lol haha hihi ups mensch \
        tja puh boah ",
    replies: " ja nee ne nein nö also so dann gut super prima klar klaro stimmt genau passt richtig egal eigentlich halt mal doch schön fein cool \
        perfekt top läuft noch eins warte moment sorry einverstanden abgemacht wichtig ist ",
    request: r"^ (?:(?:oh|ok|und|ach|,) )*(?:kannst|könntest) du (?:dir |bitte |auch )*(?:merken|notieren|aufschreiben) (?:, |dass |: )+",
    reasons: &[
        r" (?:weil|da|denn|damit|sonst|schließlich|nachdem) ((?:[^ ]+ ){2,40})$",
        r" (?:wegen) ((?:[^ ]+ ){1,20})$",
    ],
    names: &[
        r"\b(?:Frau|Herrn?|Dr\.|Prof\.|Tante|Onkel|Oma|Opa|Schwester|Pfarrer|Pastor|Trainer) (?:Dr\. )?(\p{Lu}[\p{L}-]+)",
        r"\b(?i:meine?[rmn]?|unsere?[rmn]?|ihre?[rmn]?|seine?[rmn]?|die|der) (?:\p{Ll}+ ){0,2}(?:\p{Lu}?\p{L}*)(?i:schwester|bruder|mutter|vater|mama|papa|sohn|tochter|frau|mann|partner|partnerin|freundin|freund|nachbarin|nachbar|kollegin|kollege|chefin|chef|mitbewohnerin|mitbewohner|vermieterin|vermieter|cousine|cousin|tante|onkel|nichte|neffe|oma|opa|patenkind|hund|hündin|katze|kater|kaninchen|pferd|lehrerin|lehrer|trainerin|trainer|hausmeisterin|hausmeister|ärztin|arzt|tierärztin|tierarzt|azubi|praktikantin|praktikant|kleine|kleiner|große|großer) (\p{Lu}\p{L}+)",
        r"\bein(?:e|er)? (\p{Lu}\p{Ll}+) (?:eingebaut|gemacht|gebaut)",
        r"(?:^|[,;:(] |\b(?:und|dass|weil|da|die|der|wenn|aber) )(\p{Lu}\p{Ll}+) (?:ist (?:die|der|das|unsere?|meine?|seine?|ihre?|allergisch|vegan|veganerin|vegetarierin|vegetarier|gegen|für|neu)|hat (?:eine|nur|kein|keine|angst|Zugriff|Diabetes|Zöliakie|am)|mag|hasst|liebt|verträgt|isst|trinkt|kann|darf|wohnt|arbeitet|leitet|macht|spielt|singt|spricht|kümmert|will|braucht|wird|kommt|unterrichtet|kennt|fährt|übernimmt|Zugriff)\b",
        r"\b(?:mit|von|bei|für|an|auch|heißt|namens|frag|frage|fragt|ist|und|wie) (\p{Lu}\p{Ll}+)(?: (?:hat|ist|macht|Zugriff|und ich|aus)|,? (?:der|die|das|unser|unsere|mein|meine|er|sie|zweite|erste|zweiter|erster) \p{L})",
        r"^(?:\p{Ll}+,? )?(\p{Lu}\p{Ll}{2,}), (?:der|die|unser|unsere|mein|meine|er|sie|zweite|erste)\b",
    ],
    nobody: " Geburtstag Der Die Das Ein Eine Es Ich Du Er Sie Wir Ihr Man Und Oder Aber Wenn Dann Da Hier Dort So Ja Nein Ok Bitte Danke Montag Dienstag \
        Mittwoch Donnerstag Freitag Samstag Sonntag Januar Februar März April Mai Juni Juli August September Oktober November Dezember \
        Heute Morgen Gestern Uhr Haus Hause Wohnung Küche Bad Garten Keller Auto Schule Arbeit Firma Verein Plan Team Stadt Geld Konto \
        Kind Kinder Leute Zeit Tag Woche Monat Jahr Ende Anfang Wasser Strom Gas Heizung Mein Meine Unser Unsere Sein Seine Dieser Diese \
        Alles Nichts Keiner Jeder Niemand Jemand Erst Immer Nie Nur Auch Noch Schon Wichtig Achtung Excel Word Python Postgres Rust Docker \
        Linux Windows Google Zucker Milch Fleisch Brot Kaffee Abgabe Termin Schlüssel Was Wer Wie Wo Wann Warum Gut Stimmt Klar Moin Hallo ",
    projects: &[
        r"(?:`|\x22|„)([^`\x22“”\n]{2,30})(?:`|\x22|“|”)",
        r"(?i:app|programm|projekt|laden|verein|seite|dienst|werkzeug)\b[^.!?\n]{0,40} (?:namens|heißt|heisst) (\p{Lu}[\p{L}\p{N}-]{2,24})",
        r"\b[Pp]rojekt (\p{Lu}[\p{L}\p{N}-]+)",
        r"\b(?:namens|heißt|an|am|bei) (\p{Lu}[\p{Ll}\p{N}-]+) (?:weiter|arbeiten|gearbeitet)",
    ],
};

const AGAINST: &[Cue] = &[
    (Asks, r" \? (?:[^\pL\pN]* )?$"),
    (
        Asks,
        r"^ (?:(?:ok|und|aber|hm+|äh|also|,) )*(?:was|wer|wo|wann|warum|wieso|weshalb|wie|welche[rsnm]?|wohin|woher|womit|soll|sollen|sollte|sollten|kann|könnte|könnten|können|hast|habt|ist|sind|gibt|geht|darf|muss|kannst|könntest|taugt|weißt|meinst|findest|lohnt) (?:du|man|es|das|der|die|er|sie|ihr|eigentlich|denn|mein|meine|unser|ein|eine|viel|viele|lange|wäre|mal|genau|jetzt) ",
    ),
    (
        Asks,
        r" (?:soll ich|sollen wir|sollten wir|könnte man|könnten wir|kann man|was wäre|was meinst|was hältst|oder lieber|frage mich|weiß nicht ob|ob das) ",
    ),
    (
        Supposes,
        r" (?:angenommen|stell dir vor|mal angenommen|rein theoretisch|theoretisch|gesetzt den fall|was wäre wenn|wenn (?:[^ ]+ ){0,8}(?:hätte|hätten|wäre|wären|würde|würden|könnte|könnten|gäbe|käme|ginge)|(?:hätte|wäre|würde|könnte)[nt]? (?:[^ ]+ ){0,10}wenn|falls (?:[^ ]+ ){0,6}(?:sollte|sollten)) ",
    ),
    (
        Hedges,
        r" (?:vielleicht|eventuell|möglicherweise|womöglich|wahrscheinlich|irgendwann|eines tages|mal sehen|mal schauen|mal gucken|keine ahnung|weiß (?:noch )?nicht|weiss nicht|nicht sicher|ich glaube|glaub|überlege|überlegen|überleg|würde gern|würde gerne|hätte gern|hätte gerne|wäre schön|wär schön|wäre toll|wäre cool|wär toll|wünsch|wünsche|träume|träum|hoffe|hoffentlich|könnte man|könnten wir|wir könnten|ich könnte|später mal|später vielleicht|noch offen|offen lassen|schwanke|tendiere|am liebsten|eher nicht|sollte ich|müsste ich|müsste mal|müsste man|nicht jetzt|noch nicht|ein andermal|wohl|spinne|spinn) ",
    ),
    (
        Reports,
        r" (?:sie|die|der [^ ]+|die [^ ]+) (?:haben|hat|habe) (?:[^ ]+ ){0,6}(?:beschlossen|entschieden|vereinbart)|wir sollen | soll ich immer ",
    ),
    (
        Reports,
        r" (?:(?:er|sie|es|man|die|der|mein [^ ]+|meine [^ ]+|unser [^ ]+|unsere [^ ]+) (?:sagt|sagte|meint|meinte|schreibt|schrieb|behauptet|behauptete|findet|fand|glaubt|empfiehlt|empfahl|verspricht|versprach|erzählt|erzählte|will|wollen)|(?:sagt|meint|schreibt|behauptet|steht) (?:der|die|das|mein|meine|unser|unsere|im|in|auf|er|sie)|laut|angeblich|hab gelesen|habe gelesen|hab gehört|habe gehört|gelesen dass|gehört dass|im netz steht|steht :|schreibt :|schrieb :|sagt :|hat (?:mir )?(?:geschrieben|gesagt|gemeint|behauptet)|es wurde beschlossen|wurde entschieden) ",
    ),
    (
        Tells,
        r" (?:geschichte|gutenachtgeschichte|gedicht|märchen|witz|rätsel|roman|im film|in der serie|im spiel|im buch|drache|drachen|ritter|prinzessin|hexe|figur|held|heldin|bösewicht|reim|reime|quatsch|scherz|spaß beiseite|nur spaß|kleiner scherz|geträumt) ",
    ),
    (
        Moment,
        r" (?:gerade|grad eben|grade|eben mal|im moment|momentan|gleich|sofort|kurz mal|bin (?:gleich|im|am|auf|unterwegs|weg|müde|fertig|so weit|gespannt|dran|dabei|raus|zurück|wieder)|muss (?:los|weg|gleich|jetzt)|bis (?:gleich|später|morgen|dann)|feierabend|gute nacht|tschüss|heute abend|schau mer|schauen wir|lass uns (?:erst|mal|kurz|jetzt|anfangen|weiter)|dauert|sekunden|regnet|mach ich (?:gleich|später|morgen)|hunger|hab hunger|abendessen) ",
    ),
    (
        Moment,
        r" (?:fehler|fehlermeldung|absturz|stürzt ab|zeile [0-9]+|warnung|frag erst|frage erst|muss erst fragen) ",
    ),
    (
        Chore,
        r"^ (?:(?:ok|okay|ja|jo|gut|super|prima|danke|bitte|und|dann|also|mal|hm|nee|,|\.|!) )*(?:gib|zeig|zeige|sag|erzähl|erzähle|erklär|erkläre|mach|mache|schreib|schreibe|schick|schicke|formulier|formuliere|übersetz|übersetze|kürz|kürze|fass|fasse|such|suche|find|finde|lösch|lösche|benenn|öffne|öffnen|schau|guck|prüf|prüfe|rechne|vergleich|vergleiche|liste|erstell|erstelle|entwirf|füg|füge|setz|setze|stell|stelle|leg|lege|starte|druck|drucke|nimm|trag|trage|pack|packe|häng|hänge|lies|hilf|korrigier|korrigiere|sortier|sortiere|ändere|ersetz|ersetze|weiter|los|ergänz|ergänze) ",
    ),
    (
        Chore,
        r" (?:kannst du|könntest du|würdest du|magst du|hilfst du|hilf mir|mach mir|schreib mir|kannst mir|brauche (?:einen|eine|ein) |muss (?:[^ ]+ ){0,4}(?:schreiben|planen|ausfüllen)|möchte (?:[^ ]+ ){0,5}(?:schreiben|planen|verstehen|wissen)|will (?:[^ ]+ ){0,5}(?:schreiben|planen|verstehen|wissen)|bitte (?:nur |noch |einmal )?(?:[^ ]+ ){0,4}(?:erklären|prüfen|schreiben|übersetzen|kürzen|zusammenfassen|formulieren|ausdrucken|löschen)) ",
    ),
    (
        Secret,
        r" (?:passwort|kennwort|pin|zugangscode|token|schlüsselwort|passphrase) (?:ist|lautet|war|:|=) ",
    ),
    (Moment, r" mir ist | schon wieder | dauert noch "),
    (
        Remarks,
        r" (?:ist|sind|klingt|sieht) (?:ja |doch |echt |viel |zu |so |ganz )*(?:gut|schlecht|super|toll|teuer|billig|früh|spät|lang|kurz|blöd|doof|schön|hässlich|komisch|falsch|kaputt|langsam) [,.!]| gefällt mir ",
    ),
    (
        Remarks,
        r" (?:gute idee|gut gemacht|sehr gut|schöne idee|hast recht|du hast recht|stimmt|danke|perfekt|super|klingt gut|verstehe|interessant) ",
    ),
];

/// What is thought, wished or planned of this talk alone, and what the user has been doing lately.
const MUSING: &[Cue] = &[
    (News, r" (?:gerade erst|endlich|in letzter zeit|seit kurzem|seit neuestem) "),
    (
        Muses,
        r" (?:ich bin|bin ich) (?:[^ ]+ ){0,2}(?:gespannt|neugierig|auf der suche) | ich suche (?:[^ ]+ ){0,2}(?:tipps|ideen|empfehlungen|rat|etwas|vorschläge|anregungen|informationen) | (?:frage|freue) (?:ich )?mich | (?:das|es) (?:würde mich interessieren|interessiert mich) | ich (?:denke (?:gerade )?(?:darüber|daran)|überlege|hoffe|fühle mich) ",
    ),
    (
        Muses,
        r" (?:ich )?(?:würde|möchte|will) (?:ich )?(?:[^ ]+ ){0,8}(?:wissen|erfahren|verstehen|hören|dazulernen|ausprobieren) | (?:ich werde|werde ich|ich) (?:[^ ]+ ){0,6}(?:ausprobieren|anschauen|nachsehen|im hinterkopf|mal versuchen|durchlesen) | (?:schau|schaue) (?:ich )?mir (?:[^ ]+ ){0,4}(?:an|mal) ",
    ),
    (
        Muses,
        r"^ (?:(?:oh|ah|ach|ja|ok|okay|danke|und|aber|also|,|\.|!) )*(?:das|es) (?:ist|klingt) (?:[^ ]+ ){0,2}(?:interessant|spannend|faszinierend|erstaunlich|überraschend|gut zu wissen|schön zu (?:hören|wissen)) ",
    ),
    (
        Muses,
        r" (?:in|für|bei) (?:dieser|diese|deiner|deine|der nächsten|die nächste) (?:antwort|frage|nachricht|unterhaltung) ",
    ),
];

/// What is only claimed, or is not so.
const NOT_SO: &[Cue] = &[
    (
        Hedges,
        r" noch (?:nichts|nicht|keine|keinen) (?:[^ ]+ ){0,4}(?:entschieden|beschlossen|festgelegt|vereinbart|geeinigt|entscheidung|beschluss) ",
    ),
    (
        Claimed,
        r" (?:behauptet|behauptete|behaupten|behaupteten) (?:[^ ]+ ){0,3}[,:] (?:[^ ]+ ){0,3}(?:wir|ich|unsere?|meine?) ",
    ),
    (
        Claimed,
        r" (?:sagt|meint|glaubt|denkt|schreibt|erzählt|(?:hat|hatte) (?:[^ ]+ ){0,3}(?:gesagt|gemeint|geschrieben|erzählt|behauptet)|(?:[^ iw][^ ]*|i[^ c][^ ]*|w[^ i][^ ]*) (?:sagte|meinte|glaubte|dachte|schrieb|erzählte)) (?:[^ ]+ ){0,3}[,:] (?:dass )?(?:wir|ich) (?:[^ ]+ ){0,12}(?:beschlossen|entschieden|vereinbart|geeinigt|ausgemacht|abgemacht|nehmen|nehme|wechseln|bleiben|verkaufen|kaufen|benutzen|umsteigen|umziehen) ",
    ),
    (
        Denied,
        r" (?:stimmt (?:[^ ]+ ){0,2}nicht|(?:ist|sei) (?:[^ ]+ ){0,2}(?:falsch|gelogen|quatsch|unsinn|blödsinn|schwachsinn|nicht wahr|unwahr|nicht richtig|nicht korrekt|erfunden|ein irrtum|eine lüge|nicht so)) , dass ",
    ),
    (
        Denied,
        r"^ (?:[^ ]+ ){3,}(?:aber|doch|und|[,;–—-]) (?:(?:das|was|es|er|sie|dies|aber|doch) )*(?:stimmt (?:[^ ]+ ){0,2}nicht|ist (?:[^ ]+ ){0,2}(?:falsch|gelogen|quatsch|unsinn|blödsinn|schwachsinn|nicht wahr|unwahr|nicht richtig|nicht korrekt|erfunden|ein irrtum|eine lüge|nicht so)|quatsch|unsinn|blödsinn|(?:[^ ]+ ){0,2}nicht stimmt|(?:falsch|gelogen|quatsch|unsinn|blödsinn|schwachsinn|nicht wahr|unwahr|nicht richtig|nicht korrekt|erfunden|ein irrtum|eine lüge|nicht so) ist) (?:[.!] )*$",
    ),
    (
        Denied,
        r" (?:nie|niemals|nicht) (?:so |das |etwas )?(?:beschlossen|entschieden|vereinbart|abgemacht|ausgemacht) ",
    ),
    (
        Denies,
        r"^ (?:(?:nein|nee|ne|nö|aber|und|doch|ach|also|tja|,) )*(?:(?:das|dies|es) (?:ist|sind) (?:(?:aber|so|doch|einfach|völlig|total|völliger|totaler|kompletter|reiner|natürlich|schlicht|schlichtweg|absolut|ja|gar|alles) )*(?:falsch|gelogen|quatsch|unsinn|blödsinn|schwachsinn|nicht wahr|unwahr|nicht richtig|nicht korrekt|erfunden|ein irrtum|eine lüge|nicht so)|(?:das |es )?stimmt (?:(?:aber|so|doch|einfach|gar|überhaupt|natürlich|ja) )*nicht|(?:so ein )?(?:quatsch|unsinn|blödsinn)|gelogen|falsch|(?:er|sie|es) irrt(?: sich)?|(?:das |so )?haben wir (?:so |das )?(?:nie|nicht|niemals)(?: (?:so )?(?:beschlossen|gesagt|entschieden|vereinbart))?) (?:[.!] )*$",
    ),
];

/// What was decided, so plainly that nothing else can be meant.
const DECIDED: &[Cue] = &[
    (
        Decides,
        r" (?:wir haben|haben wir) (?:[^ ]+ ){0,8}(?:beschlossen|entschieden|vereinbart|ausgemacht|festgelegt|geeinigt|abgestimmt) | (?:wir haben|haben wir) uns (?:[^ ]+ ){0,3}(?:für|auf|gegen) (?:[^ ]+ ){1,8}(?:entschieden|geeinigt|festgelegt|verständigt) ",
    ),
    (
        Decides,
        r" (?:wir|ich) (?:haben|habe|hab) (?:(?:jetzt|nun|endlich|auch|schon) ){0,2}(?:den|die|das|unseren|unsere|unser|von) (?:[^ ]+ ){1,6}(?:gewechselt|getauscht|ausgetauscht|ersetzt|umgestellt|geändert) (?:[:,;–-] )?(?:[^ ]+ ){0,6}(?:statt|anstatt|anstelle|anstatt von|zu|zur|zum|auf|durch) ",
    ),
    (
        Decides,
        r" (?:wir|ich) (?:haben|habe|hab) (?:[^ ]+ ){1,6}(?:durch|auf|von) (?:[^ ]+ ){1,5}(?:ersetzt|umgestellt|gewechselt|ausgetauscht) ",
    ),
    (
        Decides,
        r" (?:ab (?:jetzt|sofort|heute|morgen|nächste[rmn]? [^ ]+|[^ ]+tag|[^ ]+tags|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|von (?:nun|jetzt|heute) an|künftig|zukünftig|in zukunft|fortan) (?:[^ ]+ )(?:wir|unser|unsere) ",
    ),
];

const SETTLED: &[Cue] = &[
    (
        Notes,
        r" (?:notiert|vermerkt|gemerkt|verstanden|korrigiert|geändert|festgehalten|eingetragen|gestrichen|merke ich mir|steht so|kommt (?:auf|in) (?:die|den|das)|trage ich|ich (?:trage|notiere|merke|schreibe|halte|nehme|setze|ändere)|alles klar|einverstanden) ",
    ),
    (Alternatives, r" oder (?:[^ ]+ ){1,12}\? "),
    (
        Settles,
        r" (?:(?:wir|ich) (?:dann |jetzt |also |doch |lieber |nur |nur noch |einfach )*(?:nehmen|nehme|nehm|machen|mache|bleiben|bleibe|bleib|benutzen|verwenden|nutzen|kaufen|kaufe|fahren|fliegen|streichen|streiche|lassen|lasse|behalten|behalte|gehen mit|setzen auf|verzichten|verzichte|feiern|mieten|buchen|stellen|verlegen|verschieben|wechseln|steigen|ziehen|bauen|pflanzen|backen|spielen|schreiben|veröffentlichen|schließen|öffnen|verkaufen|liefern|treffen|fangen)|(?:nehmen|machen|bleiben|kaufen|fahren|lassen|behalten|benutzen|verwenden|nutzen|buchen|streichen|verschieben|feiern|mieten|gehen|setzen|verzichten|wechseln|stellen|spielen|starten|beginnen) wir|(?:nehme|nehm|mach|mache|bleib|bleibe|kauf|kaufe|behalte|lass|lasse|buche|fahr|fahre) ich|bleibt (?:es )?(?:bei|beim|dabei|so)|wird (?:es )?(?:also|jetzt|dann|nun)|es wird|dann (?:doch|eben|also|halt)|kommt (?:an|in|auf|ins|unter|neben|zu|zum|zur) (?:die|den|das|dem|der|[^ ]+)|fliegt raus|fällt weg) ",
    ),
    (
        Settles,
        r" (?:entschieden|beschlossen|beschluss|entscheidung|entschluss|steht fest|abgemacht|ist fix|ist gesetzt|festgelegt|geeinigt|einigen uns|vereinbart|ausgemacht|verbindlich|haben wir uns (?:[^ ]+ ){1,6}entschieden|ab (?:heute|morgen|sofort|montag|mai|juni)|endgültig) ",
    ),
    (
        Settles,
        r" (?:kein|keine|keinen|nur|nie) (?:[^ ]+ ){1,6}(?:mehr|dieses jahr|diesmal)[ ,.]|^ (?:(?:ok|okay|gut|nee|nein|also|dann|,) )*(?:kein|keine|keinen) (?:[^ ]+ ){1,3}$",
    ),
    (
        Settles,
        r" (?:statt|anstatt|anstelle|lieber) (?:[^ ]+ ){1,8}(?:dann|doch|also) | (?:passt|gekauft|nehmen wir|genommen) (?:[.!] )?$",
    ),
    (
        Picks,
        r"^ (?:(?:ok|okay|ja|jo|jap|gut|super|prima|klar|also|dann|hm+|genau|stimmt|einverstanden|abgemacht|passt|schön|,|\.|!|:) )+(?:[^ ]+ )",
    ),
    (
        Picks,
        r" (?:passt|also|bitte|dann|geht klar|reicht|in ordnung) (?:[.!] )?$| (?:das erste|das zweite|das dritte|die erste|die zweite|variante [abc123]|option [abc123]|letzteres|ersteres) ",
    ),
    (Takes, r"^ (?:(?:ok|okay|gut|ja|also|na|fein|,) )*dann (?:[^ ]+ )| (?:dann|also|bitte) (?:[.!] )?$"),
    (Ifs, r"^ (?:(?:ok|und|aber|,) )*(?:wenn|falls|sofern) "),
    (
        Settles,
        r" wir [a-zäöüß]+n (?:[^ ]+ ){0,6}(?:nicht|nur|kein|keine|keinen|statt|ohne|jetzt|doch|dann|also|stattdessen) | wird (?:[^ ]+ ){0,6}(?:verlegt|verschoben|gestrichen|ersetzt|abgeschafft|genommen|gestellt|gekauft|umgestellt|vorgezogen|geändert)| (?:gibt es|gibts) nur noch | hab(?:e)? mich für | haben uns für | (?:zugesagt|abgelehnt|unterschrieben|gekündigt|bestellt|gebucht|dabei bleibt's|bleibt es|bleibt so) ",
    ),
    (
        Undoes,
        r" (?:streich|streichen|streiche|gestrichen|doch kein|doch keine|doch keinen|doch nicht|kein [^ ]+ mehr|keine [^ ]+ mehr|fällt aus|fällt weg|abgesagt|absagen|verworfen|verwerfen|vergiss|weg mit|raus mit|fliegt raus|ohne den|abschaffen|abgeschafft|rückgängig) ",
    ),
    (
        Replaces,
        r"^ (?:(?:ach|hm|ok|,) )*(?:nee|ne|nein|moment|warte|stopp) | (?:dann doch|doch lieber|lieber doch|stattdessen|sondern|anders|umentschieden|anders überlegt|andersrum|zurück zu|kommando zurück|ach nee|ach nein) ",
    ),
    (
        Corrects,
        r" (?:äh|ähm|zahlendreher|tippfehler|vertippt|verschrieben|korrektur|ich meine|ich meinte|meinte|falsch|sorry|ups|verwechselt|vertan|stimmt nicht|muss heißen|berichtigt|richtig ist|genauer gesagt) ",
    ),
    (
        Accepts,
        r"^ (?:(?:oh|ok|ach|hm+|haha+|,|\.|!) )*(?:ja|jo|jap|jep|jawohl|klar|gerne|gern|einverstanden|abgemacht|passt|genau|gute idee|guter plan|sehr gut|find ich gut|klingt gut|mach das|mach so|machen wir|so machen wir's|so machen wir|stimmt|unbedingt|von mir aus|meinetwegen|läuft|deal|👍|✅) ",
    ),
    (Murmurs, r"^ (?:ok|okay|gut|super|prima|perfekt|top|stimmt|schön|aha|ah) "),
    (
        Thus,
        r" (?:so machen wir's|machen wir's|machen wir so|so machen wir|machen wir das|mach das|mach so|mach mal|nur zu) ",
    ),
    (
        Refuses,
        r"^ (?:(?:oh|ok|ach|hm+|haha+|lol|,) )*(?:nein|nee|ne|nö|lieber nicht|nicht nötig|bloß nicht|auf keinen fall|quatsch|zu teuer|zu viel|noch nicht|brauch ich nicht|brauchen wir nicht) ",
    ),
    (
        Proposes,
        r" (?:schlage|schlag|vorschlag|empfehle|empfehlung|würde (?:ich|auch|außerdem|eher|an|das|die|den)|ich würde|würd ich|könnten wir|könntest du|könnte man|sollten wir|wie wäre|wie wär|genügt|reicht|genügen|reichen|wäre (?:besser|sinnvoll|einfacher|bequemer|gut|sicherer|günstiger)|ist (?:besser|einfacher|sicherer|günstiger|üblich|praktischer)|am besten|am einfachsten|besser|lieber|bietet sich an|rate|in die|ins|auf den|auf die|an die) ",
    ),
    (Suggests, r" (?:sollen wir|wollen wir|wie wäre|wie wär|warum nicht|was hältst du|sollten wir) "),
    (Offers, r" (?:soll ich|darf ich|kann ich|ich kann|möchtest du dass ich) "),
    (
        Points,
        r"^ (?:sollen wir|soll ich|wollen wir|machen wir) (?:das|es|so|dies)(?: [^ ]+){0,4} \? |^ (?:einverstanden|passt das|was meinst du|ok|in ordnung|wäre das (?:ok|was|recht)|gut so) ",
    ),
];

const LEARNED: &[Cue] = &[
    (
        Learned,
        r" (?:gelernt|lerne|lehre|lektion|merke|gemerkt|mitgenommen|nie wieder|nie mehr|fehler war|mein fehler|unser fehler|hinterher|im nachhinein|nächstes mal|beim nächsten mal|hätte (?:ich|man|wir) (?:[^ ]+ ){0,6}(?:sollen|müssen)|hätten wir (?:[^ ]+ ){0,6}(?:sollen|müssen)|ging schief|geht (?:einfach )?schief|schiefgegangen|schief gegangen|schiefging|bewährt|hat sich bewährt|gut funktioniert|hat geholfen|aus erfahrung|erfahrung|schmerzhaft|teuer bezahlt|auf die nase|reingefallen|aus schaden|zahlt sich aus|ausgezahlt|bringt (?:[^ ]+ ){0,4}(?:gar )?nichts|dann klappt|seitdem klappt|das ergebnis sieht man|einmal reicht|passiert mir nicht (?:noch|mehr)|fazit) ",
    ),
    (
        Learned,
        r" (?:hätte ich (?:mal|doch|nur|bloß)|hätten wir (?:mal|doch|nur|bloß)|fürs nächste mal|nie wieder so|machen wir nie wieder|(?:seitdem|seither) weiß ich|passiert nicht noch|passiert mir nicht|war ein fehler|war keine gute idee|besser (?:geklappt|funktioniert|gelaufen)|klappt (?:viel |deutlich )?besser|geht (?:viel |deutlich )?besser|viel besser (?:war|ist)|seit wir|hat uns gerettet|hat gerettet|weiß ich jetzt|jetzt weiß ich) ",
    ),
    (
        Incident,
        r" (?:letzte[nsr]? (?:jahr|mal|woche|monat|sommer|winter|herbst|frühjahr|ostern|weihnachten)|letztes jahr|voriges jahr|damals|beim letzten mal|neulich|kaputt|verloren|vergessen|schiefgelaufen|verschimmelt|verbrannt|verpasst|gebrochen|eingegangen|abgestürzt|ausgefallen|überschwemmt|beschwert|ärger|chaos|katastrophe|umsonst|reklamation|reklamationen|gestritten|geplatzt|vorgänger|vermasselt|verdorben|gefroren|zu spät) ",
    ),
];

const DONE: &[Cue] = &[
    (
        Rule,
        r" (?:ab jetzt|ab sofort|von jetzt an|ab heute|künftig|in zukunft|zukünftig|fortan|grundsätzlich|prinzipiell|regel|die regel|so machen wir das|so mache ich das|so handhaben|ausnahmslos|ohne ausnahme|jedes mal|jedesmal|vor jeder|vor jedem|nach jeder|nach jedem|bei jeder|bei jedem|bitte (?:[^ ]+ ){0,3}(?:kein|keine|keinen|immer|nie)|auch wenn wir|zahle ich nicht|wird nicht mehr|erst fragen|vorher fragen|nicht ohne) ",
    ),
    (
        Rules,
        r"^ (?:(?:und|,) )*(?:so machen wir das|so mache ich das|so läuft das|das ist (?:die regel|bei uns regel|unsere regel|der ablauf)|das gilt) ",
    ),
    (
        Ordered,
        r"^ (?:(?:und|also|,) )*(?:wenn|vor|nach|bei|für|zum|zur|falls) (?:[^ ]+ ){1,9}: (?:[^ ]+ ){1,12}, (?:[^ ]+ ){1,12}",
    ),
    (Rule, r" (?:wir|ich) (?:[^ ]+ ){1,3}(?:immer|nie) | (?:gehen|geht|kommt|kommen|wird|werden) immer "),
    (
        Must,
        r" (?:immer|nie|niemals|muss|müssen|darf|dürfen|stets|mindestens|höchstens|spätestens|frühestens|keinesfalls|auf keinen fall|unbedingt|zwingend|erst wenn|erst nach|erst dann) ",
    ),
    (
        Ordered,
        r" 1 \. .* 2 \. | (?:erst|zuerst|zunächst|als erstes|vorher) .* (?:dann|danach|anschließend|und dann|zum schluss|zuletzt|erst nach) | dann .* (?:dann|danach|zum schluss|zuletzt|am ende) ",
    ),
    (
        Ordered,
        r" (?:ablauf|reihenfolge|vorgehen|schritte|checkliste|rezept|routine|prozedere|der weg|so geht das|so gehts) .*, .*",
    ),
];

const PERSONS: &[Cue] = &[
    (
        Kin,
        r" (?:meine?[rnm]?|unsere?[rnm]?|ihre?[rnm]?|seine?[rnm]?|die|der|oma|opa|tante|onkel) (?:[a-zäöüß]+ ){0,2}(?:[a-zäöüß]*)(?:schwester|bruder|mutter|vater|mama|papa|sohn|tochter|frau|mann|partner|partnerin|freundin|freund|nachbarin|nachbar|kollegin|kollege|chefin|chef|mitbewohnerin|mitbewohner|vermieterin|vermieter|cousine|cousin|tante|onkel|nichte|neffe|oma|opa|hund|katze|kater|pferd|lehrerin|lehrer|trainerin|trainer|hausmeister|hausmeisterin|ärztin|arzt|tierärztin|tierarzt|kinder|kleine|großeltern|eltern) | oma | opa ",
    ),
    (Pronoun, r" (?:er|sie|ihr|ihm|ihn|ihre|seine|der|die) "),
    (
        Role,
        r" (?:ist|war|wird|,|die ist|der ist|als) (?:[a-zäöüß-]+ ){0,3}(?:[a-zäöüß-]*)(?:schwester|bruder|mutter|vater|sohn|tochter|partner|partnerin|freundin|freund|nachbarin|nachbar|kollegin|kollege|chefin|chef|leiterin|leiter|vorsitzende|vorsitzender|vorstand|kassenwart|kassenwartin|schriftführer|schriftführerin|hausmeister|hausmeisterin|vermieter|vermieterin|ärztin|arzt|hausärztin|hausarzt|tierarzt|tierärztin|lehrerin|lehrer|trainer|trainerin|betreuer|betreuerin|ansprechpartner|ansprechpartnerin|entwickler|entwicklerin|designer|designerin|ingenieur|ingenieurin|elektriker|elektrikerin|installateur|klempner|gärtner|gärtnerin|anwalt|anwältin|steuerberater|steuerberaterin|sachbearbeiter|sachbearbeiterin|azubi|praktikant|praktikantin|student|studentin|dirigent|dirigentin|sopran|tenor|bass|alt|souffleuse|regisseur|regisseurin|techniker|technikerin|beleuchter|fahrer|fahrerin|köchin|koch|bäcker|bäckerin|imker|imkerin|patenkind|cousine|cousin|tante|onkel|oma|opa|mitbewohner|mitbewohnerin|zuständig|verantwortlich|schulleiter|schulleiterin|klassensprecher|klassensprecherin|hebamme|pfleger|pflegerin|therapeut|therapeutin) ",
    ),
    (
        Role,
        r" (?:kümmert sich|ist zuständig|zuständig für|verantwortlich für|leitet|betreut|arbeitet (?:bei|als|in|im|an)|wohnt (?:in|im|bei|am|an|über|unter|neben)|studiert|unterrichtet|macht (?:die|den|das|bei)|hat zugriff|hat (?:den|die) schlüssel|heißt|spielt (?:die|den|im|in|bei)|singt|verwaltet|führt die|pflegt|ist mit (?:[^ ]+ ){1,3}verheiratet|zieht (?:nach|zu)) ",
    ),
    (
        Role,
        r" (?:heißt|der ist|die ist|er ist|sie ist) (?:unser|unsere|mein|meine|der|die|ein|eine|bei|im|in) | heißt ",
    ),
    (
        Own,
        r" ich bin (?:[a-zäöüß]+ ){0,2}[a-zäöüß-]*(?:erin|iker|ikerin|istin|ologe|ologin|schwester|pfleger|meister|leiter|lehrer|arbeiter|fahrer|bauer|händler|macher|helfer|wirt|wirtin) ",
    ),
    (Trait, r" (?:hört|sieht) (?:schlecht|nichts|kaum|schwer) "),
    (Trait, r" wird (?:[^ ]+ ){0,3}[0-9]+ "),
    (
        Trait,
        r" (?:allergisch|allergie|allergien|vegan|veganer|veganerin|vegetarisch|vegetarier|vegetarierin|verträgt (?:kein|keine|keinen|nicht|nur)|unverträglichkeit|intoleranz|laktose|gluten|zöliakie|diabetes|diabetiker|diabetikerin|asthma|epilepsie|rollstuhl|schwerhörig|hörgerät|farbenblind|farbschwäche|rot-grün-schwäche|legasthenie|blind|taub|schwanger|höhenangst|angst vor|seekrank|reisekrank|hasst|liebt|mag (?:kein|keine|keinen|nicht|nur|gern|am)|mag|isst (?:kein|keine|keinen|nur|nicht)|trinkt (?:kein|keine|keinen|nur|nicht)|kann (?:kein|keine|keinen|nicht (?:gut )?(?:schwimmen|lesen|fahren|sehen|hören|laufen|gehen|stehen|schlafen))|geburtstag|geboren|wird [0-9]+|ist [0-9]+ jahre|jahre alt|linkshänder|linkshänderin|lieblings[a-zäöüß]+|bevorzugt|trägt eine brille|schlafwandelt|herzschrittmacher|heuschnupfen|migräne|knie|bandscheibe|will (?:nur|keine|kein)) ",
    ),
    (
        Own,
        r" (?:ich bin|bin ich|bin) (?:[a-zäöüß]+ ){0,3}(?:[a-zäöüß-]*)(?:lehrer|lehrerin|arzt|ärztin|therapeut|therapeutin|pfleger|krankenpfleger|pflegerin|krankenschwester|entwickler|entwicklerin|programmierer|ingenieur|ingenieurin|student|studentin|kassenwart|kassenwartin|vorstand|vorsitzende|vorsitzender|leiter|leiterin|meister|meisterin|bäcker|bäckerin|koch|köchin|imker|imkerin|gärtner|gärtnerin|tischler|tischlerin|schreiner|elektriker|mechaniker|fahrer|fahrerin|musiker|musikerin|sänger|sängerin|dirigent|dirigentin|rentner|rentnerin|vegetarier|vegetarierin|veganer|veganerin|linkshänder|linkshänderin|anfänger|anfängerin|vater|mutter|freiberufler|freiberuflerin|selbständig|selbstständig|schichtarbeiter|allergisch|farbenblind|schwerhörig|schwanger|anwalt|anwältin|hebamme|förster|försterin|trainer|trainerin|regisseur|regisseurin|lagerist|lageristin|buchhalter|buchhalterin|diabetiker|diabetikerin|frühaufsteher|nachteule|hausmeister|architekt|architektin|designer|designerin) ",
    ),
    (
        Own,
        r" (?:ich (?:arbeite|wohne|lebe|unterrichte|studiere|leite|spiele|singe|trinke|esse|vertrage|mag|hasse|liebe|trage|schlafe|lese|koche|pendle|bevorzuge)|(?:esse|trinke|mag|vertrage|arbeite|wohne) ich|ich hab(?:e)? (?:[^ ]+ ){0,3}(?:allergie|zöliakie|diabetes|asthma|rückenprobleme|kinder|töchter|söhne|hund|katze|katzen|höhenangst)|mein (?:name|geburtstag|beruf|knie|rücken)|meine (?:muttersprache|augen|knie)|nenn mich|sag (?:ruhig )?du) ",
    ),
];

const FACTS: &[Cue] = &[
    (
        Place,
        r" (?:ist|sind|liegt|liegen|hängt|hängen|steht|stehen|sitzt|wohnt|kommt|kommen|lagert|läuft|parkt|befindet sich|findet statt|findest du) (?:[^ ]+ ){0,5}(?:in|im|an|am|auf|hinter|unter|unterm|neben|über|vor|bei|beim|zwischen|per|aus|vom|ins) (?:[^ ]+ )| (?:adresse|raum|zimmer|etage|stock|schublade|regal|keller|ordner|pfad|port|server|halle|tor|gleis|fach|schrank|kiste) ",
    ),
    (
        Kept,
        r" (?:hängt|hängen|liegt|liegen|lagert|lagern|steht|stehen) (?:[^ ]+ ){0,3}(?:in|im|an|am|auf|hinter|unter|unterm|neben|über|vor|bei|beim|zwischen) | (?:schlüssel|ersatzschlüssel|pass|unterlagen|ordner|werkzeug|leiter|passwort|backup|sicherung|noten|fotos|belege|rechnungen) (?:[^ ]+ ){0,4}(?:ist|sind) (?:[^ ]+ ){0,3}(?:in|im|an|am|auf|hinter|unter|unterm|neben|über|vor|bei|beim|zwischen) ",
    ),
    (
        Amount,
        r" (?:budget|miete|preis|kostet|kosten|gebühr|beitrag|beiträge|kaution|gehalt|umsatz|kapazität|limit|kontingent|euro|prozent|%|kg|kilo|gramm|liter|l|meter|m|km|cm|mm|kwh|watt|volt|grad|quadratmeter|qm|mitglieder|personen|leute|kinder|schüler|gäste|plätze|stück|exemplare|wir haben|es gibt|insgesamt|maximal|beträgt|betragen|zählerstand|gaszähler|stromzähler|zeigt) ",
    ),
    (
        Dated,
        r" (?:ist|sind|am|bis|ab|zum|beginnt|startet|endet|läuft|fällig|frist|termin|findet|um|vom|seit|kommt|öffnet|schließt|abgabe|premiere|prüfung|kassenprüfung) (?:[^ ]+ ){0,5}(?:[0-9]|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|montags|dienstags|mittwochs|donnerstags|freitags)",
    ),
    (
        States,
        r" (?:ist|sind|war|waren|hat|haben|gehört|kostet|kosten|liegt|steht|hängt|läuft|kommt|kommen|heißt|gilt|braucht|zeigt|stand|dauert|fährt|öffnet|schließt|gibt|nutzt|passt|reicht|enthält|liest|verbraucht|liefert|beginnt|endet|findet) ",
    ),
];
