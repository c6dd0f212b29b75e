//! What is ordinary talk all the same.

use super::super::Family::{Forget, Memory, Question, RecallFailure, Reflection, SoftCorrection};
use super::super::wordings::Veto;

pub(super) const VETOES: &[Veto] = &[
    (
        &[Forget, Reflection],
        r" (?:nie|niemals|nicht|keinesfalls|egal wie|auch wenn du) (?:[^ ]+ )?(?:vergessen|gelöscht|löschen|lösche|lösch|streichen|aufräumst|aufräumen)(?: |$)",
    ),
    (
        &[Memory],
        r" (?:vergiss|vergesst|denk|denkt|denke|vergessen sie) (?:[^ ]+ ){0,12}zu [^ ]+(?:n|en|eln|ern)(?: |$)",
    ),
    (
        &[Memory],
        r" (?:dass|da) (?:ich|wir) (?:gleich|gerade|grad|grade|noch|jetzt|eben|nur|bald|sofort|momentan|im moment) ",
    ),
    (
        &[Memory],
        r" (?:ich|er|sie|wir|man|kann mir|konnte mir|könnte mir|kannst du mir|merkt man|man merkt) (?:[^ ]+ ){0,4}(?:merke|merkt|merken|merkte|nicht merken|kaum merken|schlecht merken) ",
    ),
    (
        &[Memory],
        r" (?:(?:nicht|nichts|nie|brauchst|kein|keine|nirgends|weder) (?:[^ ]+ ){0,4}(?:merken|speichern|notieren|behalten|aufheben|festhalten)|(?:als|in eine|in einer|in der|in die|unter) (?:datei|pdf|csv|json|variable|tabelle|liste|funktion|ordner|utf-8)|{wh} (?:[^ ]+ ){0,6}(?:gespeichert|gemerkt|notiert)|merkzettel für|vorlage|überschriften?|steht auf|hast du (?:[^ ]+ ){0,6}(?:gespeichert|gemerkt|notiert)|{wh} (?:davon |soll |sollte )?(?:gehört|kommt|muss)|(?:er|sie|meine? [^ ]+|chef|lehrer) (?:sagt|meint|sagte|meinte)) ",
    ),
    (&[Memory], r"^ (?:{wh}|weißt|hast|kennst|gibt|soll|sollte|warum) (?:[^ ]+ )*\? $"),
    (&[Memory, Forget], r" (?:vergiss|vergessen) (?:das passwort|die zeit|den wind) "),
    (
        &[SoftCorrection],
        r" (?:eigentlich|nein|nee|nö|ne) ,? ?(?:(?:ist|das|es|sind) (?:[^ ]+ )?(?:alles |schon |ja |doch |ganz |so |auch |nicht |noch |der |die |das |ein |kein )*(?:gut|okay|ok|fein|schön|egal|prima|toll|super|nett|komisch|lustig|blöd|klar|richtig|einfach|schade|schlimm|halb so wild|bug|witz|frage|absicht|der witz|so|das problem|gewollt|schwer|möglich)|alles) ",
    ),
    (
        &[SoftCorrection],
        r"^ (?:{wh}|ist|sind|kann|kannst|könnte|könntest|soll|sollte|darf|hat|haben|habe|gibt|muss|wird|lohnt|willst|magst|würdest) (?:[^ ]+ )*\? $",
    ),
    (
        &[SoftCorrection],
        r" (?:ich|wir) (?:hab|habe|haben|bin|sind) (?:[^ ]+ ){0,5}(?:in [^ ]+ umgestiegen|die datei|den ordner|das fenster|die zeile|den import|umgestiegen und|verschoben und|geändert und|die tür|den herd|angefangen zu|aufgehört zu|angefangen mit) ",
    ),
    (
        &[SoftCorrection],
        r" (?:(?:brauchst|musst) du|jetzt (?:gerade|grad|erst mal|erstmal|mal|noch|im (?:ice|zug|bus|auto))|sitze jetzt|jetzt los|stimmt ,|das wlan|im ice|regnet|schneit|wetter|es ist jetzt|halb (?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)|nicht mehr (?:lange|weit|lang|warten|aushalten|hören|sehen|weiter|lustig|feierlich)|kann nicht mehr|wenn|falls|ob|gedicht|roman|kapitel|figur|film|spiel|partie|doch nicht so schlimm|akku|geht nicht mehr) ",
    ),
    (
        &[RecallFailure],
        r" (?:meine? (?:frau|mann|mutter|vater|mama|papa|chefin?|lehrerin?|kollegin?|kollege|oma|opa|freundin?|schwester|bruder|sohn|tochter|nachbarin?)|mutti|unterricht|schule|seminar|vorlesung|buchclub|lesekreis|meeting|besprechung|im büro|vermieter|hausverwaltung|unsere app|die app|der server|hochzeitstag|(?:er|sie) (?:sagt|hat gesagt|sagte|meinte)|roman|gedicht|lied|film|szene|figur|laut) (?:[^ ]+ ){0,14}",
    ),
    (
        &[RecallFailure, SoftCorrection],
        r" (?:ich|wir) (?:heiße|heisse|heißen) (?:das|es|dies|die|den|diese|diesen|sowas|so) (?:[^ ]+ ){0,4}(?:gut|willkommen) ",
    ),
    (
        &[SoftCorrection],
        r" (?:jetzt|nun) (?:[^ ,.?!]+ ){0,5}, ?(?:und )?nicht (?:morgen|später|erst|nachher|gleich|irgendwann|übermorgen|nur) ",
    ),
    (
        &[RecallFailure],
        r" (?:wie oft (?:muss|soll|sollte) (?:ich|man) (?:die|den|das|meine?n?|einen?|eine|im|am|pro|gießen)|du hast (?:[^ ]+ ){0,3}(?:ein|eine|einen|das|die|den) (?:[^ ]+ ){0,2}(?:semikolon|komma|klammer|import|punkt|anhang|zeile) (?:[^ ]+ )*vergessen) ",
    ),
    (
        &[Forget],
        r" (?:vergiss (?:es|nicht|das nicht|bitte nicht|nie|ja nicht|bloß nicht|mein nicht)|nicht vergessen|vergissmeinnicht|recht auf vergessenwerden|vergess ich|vergesse ich|tabelle|tabellen|spalte|spalten|zeile|zeilen|datei|dateien|ordner|branch|commit|datenbank|funktion|variable|kommentare|leerzeichen|import|cache|container|server|index|warnungen|absatz|satz|wörter|wort|bild|hintergrund|flecken|fleck|rost|unkraut|tapete|schimmel|ameisen|kunde|kunden|shop|webshop|leak|passwort vergessen|kannst du vergessen [.!]) ",
    ),
    (&[Forget], r"^ (?:{wh}|kann ich|darf ich|soll ich|muss ich) (?:[^ ]+ )*\? $"),
    (
        &[Question],
        r" (?:hatten wir doch|hab ich doch|alpakas|formel|mein (?:code|skript|test|server|rechner|laptop|router|build|programm|fehler|browser|handy so)|meine (?:app|funktion|abfrage|seite|konfiguration|schleife)|unser (?:code|server|build)|unsere (?:app|seite)|sollen wir|soll ich|sollte ich|würdest du|empfiehlst|damals in der schule|telefonnummern|früher|kann ich|können wir|muss ich|kriege ich|bekomme ich|mache ich|woran kann's) ",
    ),
];

/// What a sentence is about that makes it ordinary talk, unless it says in so many words what is wanted.
pub(super) const SUBJECTS: &[Veto] = &[
    (
        &[Memory, SoftCorrection, RecallFailure],
        r" (?:funktion|funktionen|variablen?|parameter|kompiliert|kompilieren|compiler|semikolon|klammern?|komma|kommasetzung|schleife|rekursion|regex|syntax|linter|clippy|kein bug|bug|bugs|test|tests|testfall|unittests?|merge-?konflikt|rebase|zeile [0-9]+|port [0-9]+|localhost|src|import|importe|imports|import angepasst|den pr|pull request|commit|branch|datei|dateien|ordner|checkbox|cookie|borrow|checker|guard|memory leak|speicherleck|heap|cache|deployt gerade|build|server läuft|läuft wieder|funktioniert jetzt|geht jetzt|geht wieder) ",
    ),
    (
        &[Reflection],
        r" (?:roman|aufsatz|novelle|erzähler|erzählers|gedicht|kapitel|figur|buch|artikel|film|wörter|skript|oberstufe|hausaufgabe|spiegel|licht|therapeutin?|tagebuch|tabellen|spalten|csv|pdf|code|funktion|klasse|modul|parser|repo|leck|leak|heap|cache|dateien|ordner|festplatte|git|commits|tests|clippy|kredite?|vertrag|folien|präsentation) ",
    ),
];
