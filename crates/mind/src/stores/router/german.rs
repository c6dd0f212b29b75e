//! German: which wording shows which signal. Patterns match the plain form (`plain`).

use super::signal::Signal::{self, *};

/// Wording and what it shows.
pub(super) const CUES: &[(Signal, &str)] = &[
    // Nothing to remember.
    (Question, r" \? $"),
    (
        Question,
        r"^ (?:wie (?:spät|viel|viele|lange|geht|heißt|hoch|war)|was (?:meinst|denkst|hältst|machst|sagst|ist|sind|heißt|bedeutet|meinst)|wo|wohin|wann|warum|wieso|weshalb|welche[rsn]?|gibt es|gibt's|weißt du|stimmt es|ist das|hast du|kennst du) ",
    ),
    (
        OneOff,
        r"^ (?:(?:und|ok|okay|hey|so|jetzt|bitte|also) ,? ?)*(?:kannst|könntest|würdest|magst|kriegst) du ",
    ),
    (
        OneOff,
        r"^ (?:(?:ok|okay|hey|so|jetzt|und|bitte|nun|dann) ,? ?)*(?:gib|zeig|sag|mach|schreib|übersetz|übersetze|fass|formulier|formuliere|kürz|kürze|liste|öffne|such|suche|erkläre?|lösch|lösche|entwirf|nenn|nenne|rechne|sortier|sortiere|erstelle?|spiel|prüf|prüfe|lies|starte|stell|setz|füge?|ändere?|nimm|vergleich|vergleiche|probier|schau|guck|ersetz|ersetze|verschieb|benenn|benenne) (?:mir |uns |mal |das |den |die |dem |diese[nrs]? |eine?n? |bitte |noch |alle |es |kurz |jetzt |hier |im |in )",
    ),
    (
        Chatter,
        r"^ (?:moment|warte|tja|na|na ja|na super|na toll|schade|naja|genau|stimmt|ich könnte (?:im|sofort|jetzt|glatt|schon)) ",
    ),
    (
        Chatter,
        r"^ (?:(?:ach|ah|oh|ok|okay|haha+|hm+|tja|na|nee|nein|ja|jo|jup|ups|puh|boah|wow|hey|hi|hallo|moin|servus|super|toll|cool|klasse|prima|perfekt|danke|sorry|uff|mist|läuft|passt|guten (?:morgen|abend|tag)|gute nacht|schönen|mann|oje|krass|lol|alles (?:klar|gut)|schon gut|egal|vergiss es) )",
    ),
    (
        Chatter,
        r" (?:danke|dankeschön|vielen dank|passt schon|hat sich erledigt|lass mal|alles klar|schon gut|haha+|lol|hat geklappt|geht jetzt|klappt jetzt|funktioniert jetzt|macht nichts|kein problem|mein fehler|selbst gefunden|moment mal|warte mal|ich überleg|mal sehen|bis später|bis morgen|so müde|bin (?:ich )?(?:müde|platt|fertig|kaputt)|hab(?:e)? (?:ich )?(?:hunger|durst)|kaffee brauch|brauch(?:e)? (?:erst ?mal )?(?:einen )?kaffee|was für ein tag|keine lust|ganz schön) ",
    ),
    (
        WhatIf,
        r" (?:wäre ich|wenn ich .* wäre|hätte ich|wenn ich .* hätte|wenn .* (?:wäre|hätte|könnte|würde) , (?:würde|wäre|hätte|könnte)|stell dir vor|angenommen|würde ich (?:gern|am liebsten|mir|eine?n?)|im nächsten leben|im lotto|irgendwann mal vielleicht|man müsste) ",
    ),
    // Kept for good.
    (
        Permanent,
        r" (?:für immer|für alle zeiten?|auf ewig|ewig|dauerhaft|unlöschbar|niemals|nie wieder|auf dauer|zeitlebens|lebenslang|unter keinen umständen|auf keinen fall|nie) (?:[^ ]+ ){0,5}(?:gespeichert|speichern|behalten|merken|aufheben|aufbewahren|vergessen|löschen|gelöscht|archivieren|archiviert|verloren|verlieren|verblassen|verschwinden|entfernen|entfernt|vergiss|verfallen|rausfallen|wegwerfen|aussortier[^ ]*|ausmisten|festhalten)[ ,.:]",
    ),
    (
        Permanent,
        r" (?:vergiss (?:[^ ]+ ){0,2}(?:niemals|nie|auf keinen fall)|vergiss (?:nie|niemals)|nie(?:mals)? vergessen|pinn|pinne|anpinnen|angepinnt|festpinnen|gepinnt|pinn (?:das|dir|es)|in den tresor|tresor :|unlöschbar|unvergänglich|unauslöschlich|für alle zeit(?:en)?|auf ewig|in alle ewigkeit|für die ewigkeit|in stein|bis ans ende|solange (?:es dich gibt|du (?:läufst|existierst))|(?:zehn|zwanzig|dreißig|fünfzig|hundert|\d+) jahren noch|darf (?:nie|niemals)|darf nicht (?:gelöscht|verloren|vergessen|verschwinden)|muss (?:immer|dauerhaft|für immer)|brenn (?:dir )?(?:das )?ein|permanent (?:speichern|merken|behalten)|vor dem (?:löschen|vergessen)|ein leben lang|nie wieder (?:her|los)geben|bei (?:keinem|jedem) aufräumen|das (?:hier )?bleibt(?: [^ ]+){0,3}|egal was du (?:[^ ]+ ){0,3}(?:wegräumst|löschst|vergisst|aufräumst))[ ,.:]",
    ),
    (
        Permanent,
        r" (?:behalt|behalte|merk|merke|speicher|speichere|heb|bewahr|bewahre) (?:[^ ]+ ){0,5}(?:für immer|dauerhaft|auf dauer|ewig) ",
    ),
    (
        Vivid,
        r" (?:(?:werde|werd) ich (?:[^ ]+ ){0,4}(?:nie|nicht) (?:[^ ]+ )?vergessen|vergesse? ich (?:[^ ]+ ){0,3}(?:nie|niemals|nicht)|ich vergesse? (?:[^ ]+ ){0,5}(?:nie|niemals)|ich werde? (?:[^ ]+ ){0,8}(?:nie|niemals) (?:[^ ]+ ){0,2}vergessen|unvergesslich|dauert ewig) ",
    ),
    // Rules for the assistant.
    (
        Always,
        r" (?:immer|nie|niemals|stets|grundsätzlich|jedes ?mal|ausnahmslos|keinesfalls|auf keinen fall|nur|ausschließlich|ab jetzt|ab sofort|künftig|in zukunft|von nun an|generell|prinzipiell|ohne ausnahme|höchstens|mindestens|standardmäßig|nicht mehr|statt|bevor|außer|ständige?) ",
    ),
    (
        Manner,
        r" (?:rückfragen|zahlen|beträge|maße|preise|namen|entwürfe|mails?|zwischenfragen|spoiler|komma|tausenderpunkt|rechtschreibung|antworte|antworten|antwort|schreib|schreibe|duz|duze|siez|sieze|nenn|nenne|sprich|rede|formulier|formuliere|erklär|erkläre|frag|frage|frag (?:mich|erst|vorher)|rückfrage|emojis?|stichpunkte|tabellen?|rechenweg|ergebnis|ergebnisse|quellen?|quelle|zitier|einheiten|datum|datumsangaben|uhrzeiten|beträge|kommentare|code|codebeispiele|anglizismen|floskeln|höflichkeitsfloskeln|ton|tonfall|kurz|knapp|ausführlich|schmeichle|erfinde|rate|raten|warne|sag|sage|zeig|zeige|gendern|gendere|das du|das sie|per du|per sie|mit mir|meine zustimmung|mein ok|meinem namen|freigabe|bestätigung|vorschläge|vorschlag|verschick|verschicke|sende|schicke|lösche|löschen|pushe|committe|übersetze|hochdeutsch|deutsch|englisch) ",
    ),
    (Addressed, r" (?:du|dir|dich|dein|deine|deinen|deiner|bitte) "),
    (
        Addressed,
        r"^ (?:(?:bitte|und|ab jetzt|ab sofort|künftig|in zukunft|wenn [^,]+|bevor [^,]+|falls [^,]+) ,? ?)*(?:antworte|schreib|schreibe|duz|duze|siez|sieze|nenn|nenne|sprich|rede|formulier|formuliere|erklär|erkläre|frag|frage|benutz|benutze|verwende|nimm|nutze|lass|gib|zeig|zeige|sag|sage|mach|mache|halte|halt|verzichte|vermeide|lösche|pushe|schick|schicke|sende|warte|hör|fass|runde|rechne|zitiere|zitier|erfinde|rate|keine?n?|kein|komm|leg|prüf|prüfe|setz|setze|spar|stell|stelle|verschick|red|bleib|warne|weise|ruf|erinner|erinnere) ",
    ),
    (Condition, r"^ [a-zäöüß]+t (?:der|die|das|ein|eine|sich|es|man) [^,]{2,40}, "),
    (
        Condition,
        r" (?:wenn|falls|sobald|sofern|bevor|ehe|immer wenn|jedes mal , wenn|vor jedem|vor jeder|bei jedem|bei jeder|nach jedem|sollte|solange) ",
    ),
    // The user.
    (
        Taste,
        r" (?:ist mir (?:lieber|wichtig|egal|zu)|sind mir (?:lieber|zu)|für mich gilt|kommt mir nicht|ohne mich|ist mein|schlafe ich|arbeite ich am besten|am besten (?:arbeite|denke|lerne)|ich nehme (?:immer|nur)|haferm?ilch|koffeinfrei|laktosefrei|glutenfrei|grundsätzlich keine?n?|kein (?:zucker|fisch|schwein|alkohol)|(?:[^ ]+ ){1,3}ja , (?:[^ ]+ ){1,3}nein|tabu|kann ich nicht|bekomme ich (?:kopfweh|kopfschmerzen|bauchweh|ausschlag)|bitte nicht für mich|ist die hölle|mir zu|lese ich|höre ich|schau ich|kaufe ich|nehme ich|fahre ich|trage ich|ich (?:[^ ]+ ){0,3}(?:mag|liebe|hasse|bevorzuge|esse|ess|trinke|trink|vertrage|vertrag|kann .* nicht (?:leiden|ausstehen|ab|haben|lesen|hören|sehen|riechen)|ziehe|zieh|hätte lieber|nehme lieber|brauche?|lese|höre|schaue|nutze|benutze|arbeite (?:am )?(?:liebsten|lieber)|fahre|fliege|kaufe|buche|verzichte|meide|bestelle|koche|schlafe)|mag ich|liebe ich|hasse ich|esse ich|trinke ich|ess ich|trink ich|mir (?:ist|sind|schmeckt|schmecken|gefällt|gefallen|reicht|liegt|graut|wird)|lieblings[^ ]*|am liebsten|lieber|ist nichts für mich|sind nichts für mich|nicht mein ding|mein ding|nervt mich|nerven mich|geht mir auf|gehen mir auf|macht mich (?:nervös|wahnsinnig|verrückt|krank)|für mich (?:nur|immer|bitte|gern|keine?n?)|vegetarisch|vegetarier(?:in)?|vegan|veganer(?:in)?|keinen alkohol|kein fleisch|fensterplatz|gangplatz|dunkelmodus|wenn's geht|wenn es geht|wenn möglich|finde ich (?:[^ ]+ ){0,3}(?:furchtbar|schrecklich|besser|schöner|angenehmer|anstrengend|hässlich|unlesbar)|kann ich nicht (?:leiden|ausstehen|ab|haben|lesen|hören|sehen|riechen)|komme ich nicht klar|kriege ich kopfweh|kann mit (?:[^ ]+ ){1,4}nichts anfangen|bin (?:ich )?(?:kein|ein) fan|ich bin eher|statt zucker|ohne zucker|schwarz) ",
    ),
    (
        Habit,
        r" (?:bleibe? ich|wieder bei (?:[^ ]+ ){1,4}gelandet|ich nur noch|nur noch|nie wieder|nie mehr|kommt mir nicht mehr|seitdem|seit ich|seit mir|abgeschworen|abgewöhnt|bleibe ich bei|bleib ich bei|ich bleibe bei|aus prinzip|grundsätzlich|gewöhnlich|normalerweise|immer nur|ich immer|ich nie|umgestiegen|zurückgewechselt|zurück bei|lasse ich|lass ich|mache ich nicht mehr|mach ich nicht mehr) ",
    ),
    (
        Identity,
        r" (?:ich heiße|ich heiss|mein name|mein nachname|mein vorname|meine pronomen|ich bin (?:[^ ]+ ){0,2}(?:jahre|jahrgang|[^ ]+in|[^ ]+er|[^ ]+ist|arzt|ärztin|lehrkraft|selbstständig|freiberuflich|verheiratet|geschieden|alleinerziehend|linkshänder|rechtshänder|in rente|rentner|verwitwet|schwerhörig|gehörlos|blind|farbenblind|aufgewachsen|geboren|gebürtig[^ ]*|[^ ]*vater|[^ ]*mutter)|ich wohne|ich wohn|wohne ich|ich lebe|lebe ich|ich arbeite|arbeite ich|ich leite|leite ich|ich unterrichte|ich studiere|ich komme aus|ich stamme|ich sitze im rollstuhl|ich spreche|meine muttersprache|von beruf|beruflich|gelernte[rn]?|hauptberuflich|aufgewachsen|groß geworden|wohne aber|meine zeitzone|schreibt sich|meine kinder|zwei kinder|drei kinder|vater von|mutter von|ich habe (?:zwei|drei|vier|eine?n?) (?:kinder|söhne|töchter|sohn|tochter|hund|katzen?)|ich führe|ich betreibe|ich pendle|nachtschicht|frühschicht|schichtdienst) ",
    ),
    (
        Health,
        r" (?:allergi[^ ]*|[^ ]*allergie|[^ ]*allergiker(?:in)?|diabetes|diabetiker(?:in)?|asthma|zöliakie|epilepsie|[^ ]*intoleranz|[^ ]*unverträglichkeit|rollstuhl|hörgerät|rot-grün-schwäche|farbenblind|herzschrittmacher|migräne[^ ]*|insulin|schwerhörig|bandscheibe[^ ]*|legastheni[^ ]*|adhs|blutdruck|vertrage|bluter) ",
    ),
    (
        Now,
        r" (?:in nächster zeit|in der nächsten zeit|die nächste zeit|gerade|zurzeit|zur zeit|derzeit|momentan|im moment|aktuell|diese woche|diesen monat|dieses (?:quartal|jahr|semester|halbjahr)|bis (?:ende|mitte|anfang|zum|zur|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|zur abgabe|noch bis|abends|tagsüber|seit wochen|vorerst|in den nächsten wochen|die nächsten (?:[^ ]+ )?wochen) ",
    ),
    (
        Absorbed,
        r" (?:elternzeit|krankgeschrieben|reha|einarbeitung|probezeit|endspurt|heiße phase|auf hochtouren|alles für|jede freie minute|meine woche|meine tage|besteht (?:[^ ]+ ){0,5}nur aus|mein (?:[^ ]+ )?kopf|meine (?:[^ ]+ )?(?:energie|zeit|abende|tage|wochen)|geht sonst nichts|sonst nichts|geht (?:[^ ]+ ){0,3}in die|alle kraft|für nichts anderes|nichts anderes|eingeschränkt|kaum erreichbar|wird gerade|mitten in|mittendrin|stecke|steck|dreht sich|alles um|hintanstellen|zurückstellen|[^ ]*vorbereitung(?:en)?|hat vorrang|vorrang|oberste priorität|priorität|schwerpunkt|hauptsächlich|konzentriere|konzentrier|fokus|warte auf|wart auf|warten auf|blockiert|häng[e]? (?:an|fest|noch)|hänge|beschäftigt mich|beschäftigt|arbeite an|schreibe an|schreib an|sitze an|sitz an|lerne (?:gerade|für)|büffle|auf wohnungssuche|auf jobsuche|wohnungssuche|jobsuche|umzug|hausbau|umbau|abgabe|masterarbeit|bachelorarbeit|doktorarbeit|dissertation|prüfung|prüfungen|klausuren|alles andere|anderes (?:kann|muss)|muss warten|kann warten|liegt auf eis|frisst|kümmere mich|pflege|trainiere|bereite|ziehe um|baue|renoviere|renovieren|hochtouren) ",
    ),
    // What happened and what was settled.
    (
        Decided,
        r" (?:machen es|wir haben (?:[^ ]+ ){0,6}(?:genommen|gekauft|gewählt|verworfen|gestrichen|verschoben|behalten|bestellt)|den (?:auftrag|job|zuschlag) (?:bekommt|kriegt|hat)|bekommt den|kriegt den|nach (?:langer|langem|kurzer) (?:diskussion|überlegung|debatte|überlegen)|unterm strich|mehrheit|überstimmt|kompromiss|durchgesetzt|zieht um|bleibt(?:s)? (?:bei|dabei|beim)|bleibt alles|lassen es|soll es (?:werden|sein)|wird (?:künftig|ab)|ab (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|sofort) (?:gilt|gibt|nur|wird|läuft|nutzen|arbeiten)|unterzeichnet|besiegelt|fix|ist gesetzt|ist raus|sind raus|heißt (?:ab|künftig|jetzt)|hin und her|ist durch|sind durch|wir lassen|dagegen|dafür gestimmt|beschlossen|entschieden|entscheidung|beschluss|entschlossen|vereinbart|abgemacht|geeinigt|einigung|verständigt|festgelegt|einstimmig|abgestimmt|abstimmung|zugesagt|abgesagt|abgelehnt|angenommen|ausgewählt|gewählt|die wahl|wahl (?:ist|fiel)|fiel auf|gefallen|wir nehmen|nehmen wir|nehmen jetzt|wir gehen (?:mit|auf)|wir bleiben bei|bleibt es bei|es bleibt bei|bleibt's bei|bleiben bei|wird's|wird es|wir machen|wir steigen|steigen wir|steigen um|wir wechseln|wechseln wir|wir stellen|stellen wir|umgestellt|wir setzen|setzen wir|wir verzichten|verzichten wir|wir verschieben|verschoben|verschieben|gestrichen|streichen wir|wir streichen|fällt (?:[^ ]+ ){0,5}flach|fällt weg|fliegt raus|fliegt|raus (?:ist|fliegt)|kommt (?:[^ ]+ ){0,2}ohne|verworfen|vom tisch|durchgewunken|abgesegnet|freigegeben|grünes licht|unterschrieben|zuschlag|den zuschlag|gekündigt|festgezurrt|steht fest|fest steht|endgültig|wollen wir|doch nicht|jetzt doch|doch lieber|gemeinsam entschlossen|setzen auf|wir kaufen|waren uns einig|sich einig|geworden ,|ist es (?:[^ ]+ ){1,4}geworden|wir behalten|behalten wir|ausgeschlagen|zugeschlagen|festgelegt|gebucht|lassen wir|lassen (?:[^ ]+ ){1,4}(?:weg|fallen|bleiben)|geht an|ergebnis (?:der|vom|des)|kein (?:[^ ]+ ){1,3}mehr|ziehen wir|durchgesetzt) ",
    ),
    (
        Chosen,
        r" (?:statt|anstatt|anstelle|doch|lieber|zu teuer|nicht mehr|künftig|ohne|dafür|stattdessen|erst mit|erst im|erst ab|sondern) ",
    ),
    (
        Regular,
        r" (?:immer am|immer im|jede[nrs]? (?:tag|nacht|woche|monat|jahr|stunde|morgen|abend|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|wochentags|werktags|täglich|wöchentlich|monatlich|jährlich|nachts|automatisch|pro (?:tag|woche|monat|jahr|minute)|im (?:sommer|winter|frühling|herbst)|mittags|öffnungszeiten) ",
    ),
    (
        Origin,
        r" (?:stammt aus|stammt von|gebaut|erbaut|gegründet|geboren|jahrgang|baujahr|seit (?:1[5-9]|20)\d\d|von (?:1[5-9]|20)\d\d) ",
    ),
    (
        Past,
        r" (?:ist|sind|bin|hat|haben|hab|habe|wurde|wurden|war|waren|hatte|hatten) (?:[^ ]+ ){0,14}(?:ge[a-zäöüß]{2,}(?:t|en)|[a-zäöüß]+ge[a-zäöüß]{2,}(?:t|en)|ver[a-zäöüß]{2,}(?:t|en)|be[a-zäöüß]{2,}(?:t|en)|er[a-zäöüß]{2,}(?:t|en)|zer[a-zäöüß]{2,}(?:t|en)|ent[a-zäöüß]{2,}(?:t|en)|[a-zäöüß]+iert|geworden|durchgefallen|übernommen|angekommen|bekommen|unterschrieben|passiert) ",
    ),
    (
        Past,
        r" (?:war|waren|wurde|wurden|kam|kamen|ging|fiel|fielen|rief|sagte|fuhr|traf|trafen|hatte|hatten|gab|stand|fand|lief|brach|stürzte|platzte|riss|verlor|gewann|erzählte|meldete|musste|mussten|konnte|wollte|bekam|begann|endete|flog|lag|saß|zog|starb|meinte|durchgefallen|schluss) ",
    ),
    (
        PastTime,
        r" (?:gestern|vorgestern|heute|vorhin|eben|soeben|gerade eben|neulich|kürzlich|(?:letzte[nrs]?|vorige[nrs]?) (?:woche|monat|jahr|nacht|mal|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende|sommer|winter|herbst|frühjahr|quartal)|vergangene[nrs]?|am wochenende|heut|damals|vor (?:einer|zwei|drei|vier|fünf|ein|einem|\d+|ein paar) (?:stunden?|tagen?|wochen?|monaten?|minuten|jahren)|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|in der nacht|heute (?:früh|morgen|nacht|mittag|abend)|gestern (?:abend|nacht|früh)|endlich) ",
    ),
    (FutureTime, r"^ (?:(?:am )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) )"),
    (
        FutureTime,
        r" (?:übermorgen|morgen|nächste[nrs]?|kommende[nrs]?|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)|in (?:zwei|drei|vier|\d+) (?:tagen|wochen)|im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|heute abend) ",
    ),
    (
        Date,
        r" (?:\d{1,2}\.\d{1,2}|\d{1,2} \. (?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|apr|aug|sept?|okt|nov|dez)|\d{4}-\d{2}-\d{2}|am \d{1,2} \.|\d{1,2}\.\d{1,2}\.\d{2,4}|(?:am|vom|zum) [a-zäöüß]+ten|(?:ersten|zweiten|dritten) (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)) ",
    ),
    (
        Clock,
        r" (?:uhr|\d{1,2}:\d{2}|um (?:halb )?(?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)|viertel (?:nach|vor)|zwischen (?:acht|neun|zehn|sieben|\d+) und|mittags|gegen (?:acht|neun|zehn|elf|mittag|abend|halb|\d+)) ",
    ),
    (
        Appointment,
        r" (?:fliegen (?:wir|ich)|(?:wir|ich) fliegen?|fahren (?:wir|ich)|reisen (?:wir|ich)|kommt der|kommt die|kommen die|termin|zahnarzt[^ ]*|arzttermin|[^ ]*termin|besichtigung|vorstellungsgespräch|elternabend|hochzeit|beerdigung|taufe|handwerker|lieferung|liefert|kommt (?:am|morgen|nächste|um)|kommen (?:am|morgen|nächste|um)|landet|fliegt (?:am|nach)|abflug|abfahrt|fährt (?:am|um)|findet (?:[^ ]+ ){0,6}statt|konzert|prüfung am|op|wird (?:[^ ]+ ){0,5}(?:gemacht|geliefert|abgeholt|operiert|abgelesen|gesperrt|abgestellt|ausgetauscht|gewartet)|hat angerufen|einladung|feier|sommerfest|betriebsfest|treffen|wartungsfenster|messe) ",
    ),
    // How things get done.
    (
        Step,
        r" (?:erst|zuerst|zunächst|dann|danach|anschließend|zuletzt|zum schluss|am ende|schließlich|als erstes|als nächstes|hinterher|davor|vorher|nacheinander|der reihe nach|erst danach|wieder|dabei|über nacht|anschliessend|im anschluss|währenddessen|sobald) ",
    ),
    (
        Steps,
        r" (?:erst|zuerst|zunächst|als erstes|wird erst) .* (?:dann|danach|anschließend|zuletzt|zum schluss|und erst|schließlich|am ende|wieder) ",
    ),
    (
        Steps,
        r"^ (?:und )?(?:so|wie) [a-zäöüß]+ (?:wir|ich|man|du)(?: [^ ]+){0,6} : ?(?:1 [.)] .+ 2 [.)] |zuerst|erst|[^.:]+ ; )",
    ),
    (Recipe, r"^ (?:und )?(?:so|wie) [a-zäöüß]+ (?:wir|ich|man|du)(?: [^ ]+){0,6} : "),
    (Steps, r" (?:dann|danach) .* (?:dann|danach|anschließend|zuletzt|zum schluss|am ende|schließlich) "),
    (
        Recipe,
        r" [a-zäöüß]{3,}(?:t|en|et) man (?:[^ ]+ ){0,4}(?:mit|erst|am|durch|über|in|so|ab|aus|auf|per|nur) | nur (?:[^ ]+ ){0,3}, wenn (?:man|du)| (?:geht|gehen|kommt|kommen) (?:[^ ]+ ){0,3}(?:erst|zuerst|zunächst) | machen wir (?:[^ ]+ ){0,2}(?:mit|so|über|per) | nur gegen ",
    ),
    (
        Recipe,
        r" (?:ganz am anfang|als letztes|wichtig ist dabei|faustregel|schritt (?:eins|1|für)|zuallererst|dann erst|erst wenn|bevor man|nachdem man|ohne zu|muss (?:[^ ]+ ){0,4}(?:werden|sein|liegen|ziehen|ruhen)|werden (?:[^ ]+ ){0,3}(?:erst|zuerst|immer)|bei (?:stromausfall|fehler|störung|problemen|reklamationen|krankheit)|wie man|so geht|geht so|so geht's|so macht man|macht man|man (?:muss|nimmt|drückt|braucht|stellt|legt|gibt|zieht|dreht|sollte|kann|lässt|kommt)|am besten (?:mit|geht|erst|man|so|im|in|über)|indem|der trick|trick ist|kniff|der ablauf|ablauf|reihenfolge|vorgehen|schritte|anleitung|rezept|bei uns (?:im|so|zunächst|erst|immer|über|in)|vor jedem|vor jeder|nach jedem|nach jeder|für (?:einen neuen|eine neue|ein neues|neue)|muss man|braucht man|brauchst du|musst du|neu (?:aufbauen|starten|anlegen|aufsetzen|laden)|lässt sich|am einfachsten|sonst (?:hängt|kracht|geht|gibt|wird|klebt|bricht|fällt|läuft|klemmt|verbrennt)|weil sonst|damit (?:[^ ]+ ){1,5}nicht|nicht umgekehrt|andersrum|hilft (?:nur|es|ein|erst)|wird (?:[^ ]+ ){0,3}erst|so lange|bis (?:er|sie|es|der|die|das) (?:[^ ]+ ){1,5}(?:ist|sind|wird)|zum (?:entkalken|zurücksetzen|reinigen|putzen|starten|wechseln|einrichten|entlüften|backen|veröffentlichen)|beim (?:release|deployment|onboarding)|läuft (?:so|bei uns)|checkliste|so machen wir|machen wir so|machen wir das|machen wir es) ",
    ),
    (
        Recipe,
        r"^ (?:wenn|falls|sobald|bevor|sollte|vor|nach|beim|bei|um|zum|für) (?:[^ ]+ ){1,14}(?:erst|zuerst|dann|neu|einmal|kurz|stoppen|starten|löschen|drücken|aufbauen|leeren|prüfen|ziehen|öffnen|schließen|anhalten|setzen|stellen|spülen|lassen|ausschalten|einschalten|nachfüllen|hochladen|anrufen|melden|neustarten|schauen|drehen) ",
    ),
    (Handling, r" [a-zäöüß]{3,}(?:en|ern|eln) (?:,|und) .* [a-zäöüß]{3,}(?:en|ern|eln) (?:[.,] )?$"),
    (
        Handling,
        r" (?:starten|neustarten|stoppen|pausieren|drücken|ziehen|drehen|aufbauen|löschen|leeren|spülen|kochen|köcheln|backen|kneten|rühren|ruhen|einweichen|abkühlen|abtropfen|schneiden|lüften|einstellen|ausschalten|einschalten|anschließen|abziehen|abklemmen|aufdrehen|zudrehen|entlüften|schrauben|festziehen|kopieren|hochladen|herunterladen|runterladen|einreichen|unterschreiben|ausfüllen|abgeben|ausdrucken|scannen|mergen|taggen|pushen|deployen|migrieren|migration|exportieren|importieren|sichern|zurückspielen|einspielen|prüfen|kontrollieren|abgleichen|freischalten|freigeschaltet|gesetzt|gegen den uhrzeigersinn|im uhrzeigersinn|langsam|legen|stellen|geben|mischen|auftragen|abwischen|trocknen|schleifen|streichen|bohren|warten|git|docker|make|reindex|ssh|sudo) ",
    ),
    (Handlings, r"(?:[^ ,]+ ){2,9}, (?:[^ ,]+ ){1,8}(?:, (?:und |dann )?|und |dann )(?:[^ ,]+ ){1,8}"),
    // What is so.
    (
        Stative,
        r" (?:ist|sind|hat|haben|heißt|heissen|heißen|liegt|steht|gehört|gehören|kostet|stammt|läuft|verträgt|kennt|kann|gilt|gelten|öffnet|schließt|macht|hängt|hört|braucht|enthält|fasst|wiegt|misst|besteht|spricht|arbeitet|wohnt|lebt|mag|isst|trinkt|nimmt|akzeptiert|nutzt|verwendet|speichert|liefert|unterstützt|beträgt|dauert|passt|fährt|geburtstag|jahrgang|bedeutet|bekommt|verlangt|endet|läuft ab) ",
    ),
    (
        Tie,
        r" (?:arbeitet (?:bei|in|für|an|als|mit)|wohnt|lebt (?:in|bei|mit)|gehört (?:[^ ]+ ){0,3}(?:zu|zur|zum)|gehört|gehören|hängt (?:[^ ]+ ){0,3}(?:von|an)|basiert auf|läuft (?:auf|unter|mit)|nutzt|benutzt|verwendet|setzt auf|braucht|ist (?:mein|meine|der|die|das) (?:[^ ]+ ){0,3}(?:von|vom|der|des)|(?:ist|sind) (?:[^ ]+ ){0,4}(?:geschwister|zwillinge|verheiratet|verlobt|verwandt|verschwägert|befreundet)|verheiratet|abgelöst|löst (?:[^ ]+ ){1,4}ab|ersetzt|nachfolger(?:in)?|vorgänger(?:in)?|teil (?:von|der|des)|besteht aus|schreibt (?:nach|in)|liest aus|leitet|berichtet an|betreut|pflegt|entwickelt|wartet|untersteht|unterrichtet|studiert|spricht|patenonkel|patentante|schwager|schwägerin|cousin|cousine|chef(?:in)? von|bruder von|schwester von|tochter von|sohn von|besitzt|gegründet|liegt (?:in|im|bei|an)|steckt in|sitzt (?:in|bei)|zuständig für|tochterfirma|übernommen) ",
    ),
    (First, r" (?:ich|mir|mich|bin) "),
    (Mine, r" (?:mein|meine|meinen|meinem|meiner|unser|unsere|unserem|unseren) "),
    (
        Third,
        r" (?:er|ihn|ihm|ihr|seine?|mama|papa|mutter|vater|bruder|schwester|oma|opa|tante|onkel|frau|herr|mann|sohn|tochter|cousine?|nichte|neffe|chef|chefin|nachbar|nachbarin|kollege|kollegin|freundin|freund|schwager|schwägerin) ",
    ),
    (We, r" (?:wir|uns|unser|unsere|unseren|unserem|unserer) "),
];

/// Phrases that ask for remembering and are no part of what is remembered.
pub(super) const TRIGGERS: &str = r"^ (?:(?:bitte|hey|ok|okay|so|und|also|ach) ,? ?)*(?:(?:merk|merke|notier|notiere|schreib) (?:dir |es |das |dir das |dir mal |mal |auf )*(?:bitte |mal |auf |gut )*|vergiss (?:bitte )?nicht|nicht vergessen|denk (?:bitte )?(?:dran|daran)|behalt(?:e)? (?:bitte )?(?:im kopf|im hinterkopf)?|zur info|zur kenntnis|zur einordnung|zur erinnerung|für später|für die zukunft|nur damit du's weißt|nur damit du es weißt|damit du's weißt|damit du es weißt|wichtig|notiz|fürs protokoll|speicher (?:dir )?(?:das|bitte)*|halt (?:bitte )?fest|gut zu wissen|fyi|info) ?(?:(?:[:,-] ?)+(?:dass |wie )?|dass |(?:das|für später) ?[:,] )";
