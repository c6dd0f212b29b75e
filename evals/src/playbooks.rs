//! Thirty topics for a workspace: playbooks of the kind that people write, of our own writing.
//!
//! Half of them go by words of everyday talk, so that questions about people's lives make some of them active; the other half
//! are about work that nobody in the data sets does, and lie there as most topics do. None knows anything of a data set.

/// A topic.
struct Playbook {
    name: &'static str,
    keywords: &'static str,
    description: &'static str,
    rules: [&'static str; 4],
}

const fn playbook(
    name: &'static str,
    keywords: &'static str,
    description: &'static str,
    rules: [&'static str; 4],
) -> Playbook {
    Playbook { name, keywords, description, rules }
}

/// Paths and texts of all of them.
pub(crate) fn files() -> Vec<(String, String)> {
    let file = |one: &Playbook| {
        let Playbook { name, keywords, description, rules } = one;
        let rules: String = rules.iter().map(|rule| format!("- {rule}\n")).collect();
        let text = format!(
            "---\ntype: topic\ndescription: {description}\ntriggers:\n  - {{type: keywords, words: [{keywords}]}}\n---\n# {description}\n\n{rules}"
        );
        (format!("topics/{name}.md"), text)
    };
    PLAYBOOKS.iter().map(file).collect()
}

const PLAYBOOKS: [Playbook; 30] = [
    // Of everyday talk.
    playbook(
        "travel",
        "trip, travel, vacation, visit, hike, camping, beach",
        "Planning a trip or a visit",
        [
            "Name the dates and the places first, with the weekday, and say which of them are fixed.",
            "Ask for the budget before suggesting where to stay; offer three places at most.",
            "Keep tickets and opening hours in one list, with the day on which each was looked up.",
            "Say what has to be booked today and what can wait for a week.",
        ],
    ),
    playbook(
        "books",
        "book, books, read, reading, author, novel",
        "Books and reading",
        [
            "Give title and author together, and whether it was read, begun or only recommended.",
            "Never tell how a story ends unless the question asks for it.",
            "Recommend by what was liked before, one title with one sentence of reason.",
            "Keep the list of what is borrowed, from whom and until when.",
        ],
    ),
    playbook(
        "pets",
        "dog, dogs, cat, pet, pets, puppy, kitten",
        "Caring for the pets",
        [
            "Call an animal by its name, and say whose it is where several people have one.",
            "Anything about food, medicine or injuries is checked with the vet; say so.",
            "Keep dates of vaccinations and the weight at each visit.",
            "Before a trip, ask who looks after the animals.",
        ],
    ),
    playbook(
        "family",
        "family, kids, children, mother, mom, father, dad, sister, brother, grandma",
        "Family matters",
        [
            "Say how people are related before saying what they did.",
            "What one member of the family told in confidence is not repeated to another.",
            "Birthdays and anniversaries are named with the year, if it is known.",
            "For a visit, list who comes, when and what they do not eat.",
        ],
    ),
    playbook(
        "food",
        "cook, cooking, recipe, recipes, food, dinner, meal, restaurant, bake",
        "Cooking and eating out",
        [
            "Give amounts in grams and for the number of people that eat.",
            "Check allergies and dislikes of every guest before naming a dish.",
            "A recipe is a list of things and a list of steps, nothing else.",
            "Of restaurants, say what was good there the last time and what it cost.",
        ],
    ),
    playbook(
        "music",
        "music, song, songs, band, concert, guitar, piano, violin, instrument",
        "Music, concerts and practice",
        [
            "Name the piece and who plays it; a band's name is written as the band writes it.",
            "Concerts have a date, a place and somebody who comes along: ask for what is missing.",
            "Practice is noted in minutes a day, with one thing that went better.",
            "Do not quote more than a line of a song.",
        ],
    ),
    playbook(
        "art",
        "art, painting, paint, paintings, pottery, draw, drawing, photo, photography, sculpture",
        "Making art",
        [
            "Say what it shows, in what it is made and when it was finished.",
            "Works that are for sale have a price in the list; others are not for sale.",
            "Shows need a title, a wall plan and labels two weeks before they open.",
            "Give criticism as a question about one place in the picture.",
        ],
    ),
    playbook(
        "games",
        "game, games, gaming, tournament, play, console, chess",
        "Games and tournaments",
        [
            "Tell results as place, number of players and date.",
            "Before a tournament, list the rules that differ from the usual ones.",
            "Suggest games by how many play and how long they have.",
            "Keep hints in three steps: a direction, a place, the solution.",
        ],
    ),
    playbook(
        "films",
        "movie, movies, film, films, series, watch, screenplay, script",
        "Films, series and scripts",
        [
            "Give the year with the title, and where it can be seen.",
            "No spoilers beyond the first ten minutes.",
            "Scripts are in the standard format: scene heading, action, dialogue.",
            "Of feedback on a script keep what two readers said, and who they are.",
        ],
    ),
    playbook(
        "health",
        "health, doctor, sick, sleep, stress, therapy, mental health, yoga",
        "Health and rest",
        [
            "Give no diagnosis; name the symptom, since when it is there, and whom to ask.",
            "Medicine is listed with dose, time of day and who prescribed it.",
            "Appointments come with the question that should be asked there.",
            "Speak of mental health as plainly as of a broken arm.",
        ],
    ),
    playbook(
        "sports",
        "run, running, race, gym, basketball, soccer, team, training, workout, marathon, exercise",
        "Sports and training",
        [
            "Name distance, time and how it felt, in that order.",
            "A plan is for one week, with two days of rest.",
            "After an injury nothing is planned until somebody who knows has said yes.",
            "Results of the team come with the opponent and the date.",
        ],
    ),
    playbook(
        "celebrations",
        "birthday, party, wedding, gift, celebrate, anniversary, present, Christmas",
        "Birthdays, parties and gifts",
        [
            "List what was given in the last three years before suggesting a gift.",
            "A party has a host, a day, a place and a number of guests.",
            "Write invitations in the tone of who sends them, four sentences at most.",
            "Thank-you notes are due within a week.",
        ],
    ),
    playbook(
        "home",
        "house, home, apartment, move, moved, garden, plants, furniture",
        "House, garden and moving",
        [
            "Measure before buying: width, height, and the width of the door.",
            "For a move keep one list for each room, and what is still missing.",
            "Repairs are noted with date, who did them and what they cost.",
            "Plants are watered by the list on the kitchen door.",
        ],
    ),
    playbook(
        "career",
        "job, work, career, interview, business, store, studio, colleague",
        "Job, career and business",
        [
            "Say what is decided and what is only being thought about.",
            "Applications have a table: where, sent on, answered on, next step.",
            "Numbers of the business are given for the month, compared with the month before.",
            "Nothing about a colleague leaves this conversation.",
        ],
    ),
    playbook(
        "friends",
        "friend, friends, support, group, volunteer, community, charity",
        "Friends, groups and volunteering",
        [
            "Name people in full at their first mention.",
            "For a meeting give day, place and who was asked.",
            "Volunteering has hours: keep them by month.",
            "When somebody is sad, listen first and plan afterwards.",
        ],
    ),
    // Of work that lies idle.
    playbook(
        "deploys",
        "kubernetes, rollout, canary, helm chart, staging cluster",
        "Rolling out to the cluster",
        [
            "Run the migration on staging first and wait for its check.",
            "Ten percent for half an hour, then half, then all.",
            "Roll back at once when errors double; look for the cause afterwards.",
            "Write who rolled out what into the log of the day.",
        ],
    ),
    playbook(
        "invoices",
        "invoice, invoices, VAT, dunning, net thirty",
        "Invoices and reminders",
        [
            "Every invoice has a number without gaps, a date and the tax rate.",
            "The first reminder is friendly and comes after ten days.",
            "Amounts above five thousand need a second pair of eyes.",
            "Payments are matched on Fridays.",
        ],
    ),
    playbook(
        "incidents",
        "pager, outage, postmortem, severity one, on-call",
        "When production is down",
        [
            "Name one person who leads and one who writes.",
            "Tell customers within fifteen minutes, even if only that we look.",
            "Fix by going back before fixing forward.",
            "The review asks what made it possible, never who.",
        ],
    ),
    playbook(
        "database",
        "postgres, vacuum, replica lag, deadlock, query plan",
        "Care of the database",
        [
            "Look at the plan before adding an index.",
            "No lock longer than a second during the day.",
            "Restore last night's backup every Monday, and time it.",
            "A migration can be run twice without harm.",
        ],
    ),
    playbook(
        "contracts",
        "contract clause, indemnity, non-disclosure, counterparty, redline",
        "Reading contracts",
        [
            "List terms that differ from ours, with the page.",
            "Liability without a limit is never accepted.",
            "Dates by which somebody may leave go into the calendar.",
            "What a lawyer has to see is marked, not decided.",
        ],
    ),
    playbook(
        "hiring",
        "candidate scorecard, headcount, recruiter, job requisition",
        "Hiring for the team",
        [
            "The same five questions to everybody.",
            "Notes are written before talking to the others.",
            "Answer within three working days, also with a no.",
            "Offers need the band and the start date.",
        ],
    ),
    playbook(
        "releases",
        "changelog, semver, release candidate, tag the build",
        "Releasing a version",
        [
            "The changelog is written for those who update, not for those who wrote it.",
            "Nothing is tagged that did not pass the whole run.",
            "Two days of rest before a major version goes out.",
            "Old versions get security fixes for a year.",
        ],
    ),
    playbook(
        "security",
        "CVE, vulnerability, penetration test, key rotation, phishing",
        "Security reports",
        [
            "Answer a report within a day and thank for it.",
            "Say nothing in public before the fix is out.",
            "Keys are changed when somebody leaves, the same day.",
            "Rate by what an attacker gains, not by how clever it is.",
        ],
    ),
    playbook(
        "analytics",
        "dashboard, funnel, cohort, churn rate, conversion",
        "Numbers for the week",
        [
            "A number comes with the one of last week and the one of last year.",
            "Say how many there are before saying how many percent.",
            "A change below the noise is no change.",
            "The query is linked below the chart.",
        ],
    ),
    playbook(
        "translations",
        "localization, glossary term, source string, gettext",
        "Translating the product",
        [
            "Terms of the glossary are never varied.",
            "Length matters on buttons: at most a third longer than the source.",
            "Numbers and dates follow the language of the reader.",
            "Ask for a picture where a string says nothing by itself.",
        ],
    ),
    playbook(
        "logistics",
        "warehouse, pallet, customs form, freight, bill of lading",
        "Shipping goods",
        [
            "Weigh and measure each pallet before the truck is ordered.",
            "Customs papers go ahead of the goods by two days.",
            "Damage is photographed before anything is unpacked.",
            "The driver signs for the number of pieces.",
        ],
    ),
    playbook(
        "laboratory",
        "assay, pipette, reagent, centrifuge, sample batch",
        "Work in the laboratory",
        [
            "Label first, fill afterwards.",
            "A reagent without a date of opening is thrown away.",
            "Controls run with every batch, and their values are kept.",
            "Write down what went wrong in the words of the moment.",
        ],
    ),
    playbook(
        "beekeeping",
        "hive, queen bee, varroa, apiary, honey super",
        "Looking after the hives",
        [
            "Open a hive above twelve degrees and without wind.",
            "Mites are counted every third week.",
            "Sugar water is given in the evening.",
            "The queen's year is on the lid, in its colour.",
        ],
    ),
    playbook(
        "sailing",
        "rigging, tide table, mooring, spinnaker, harbor master",
        "Before leaving the harbor",
        [
            "Look at the tide and the wind for the way back, too.",
            "Life vests are on before the lines are off.",
            "Tell somebody ashore when we will be back.",
            "Fuel, water and the radio are checked in this order.",
        ],
    ),
    playbook(
        "tax",
        "tax return, deduction, withholding, fiscal year, depreciation",
        "The yearly tax return",
        [
            "Receipts are sorted by month before anything is added up.",
            "What is private in part is divided by a rule that is written down.",
            "The deadline is the end of July; the extension is asked for in May.",
            "Keep everything for ten years.",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use rem_mind::attention::topics::{Nobody, TopicMessage};

    #[test]
    fn all_are_topics_and_everyday_talk_makes_some_active() {
        let workspace = rem_testkit::Workspace::new();
        for (path, text) in files() {
            workspace.write(&path, text);
        }
        let memory = workspace.open();
        assert_eq!(memory.topics().unwrap().topics().len(), 30);
        let check = memory.check_topics().unwrap();
        assert!(check.is_well() && check.unusable == 0, "{check:?}");
        let active = |text: &str| -> Vec<String> {
            let message = TopicMessage { text, ..TopicMessage::default() };
            let matches = memory.match_topics(&message, &Nobody).unwrap();
            matches.active().map(|topic| topic.name.clone()).collect()
        };
        assert_eq!(active("Which recipe did Mira cook for dinner?"), ["food"]);
        assert_eq!(active("When does the ferry leave?"), [""; 0]);
    }
}
