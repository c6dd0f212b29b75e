//! The redaction corpus: what must go, what must stay, and the properties that hold for any text.
//!
//! Secrets are put together here from parts, so that no scanner takes this file for a leak.

use proptest::prelude::*;

use super::*;
use crate::patterns::tests::Tables;

const ALPHANUMERIC: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Letters that look random but are the same on every run.
fn noise(alphabet: &str, length: usize, seed: u64) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            letters[usize::try_from(state >> 33).unwrap() % letters.len()]
        })
        .collect()
}

fn redactor() -> &'static Redactor {
    static SHARED: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(&[], &[]).unwrap());
    &SHARED
}

fn with_check_digit(digits: &str) -> String {
    let sum: u32 = digits
        .chars()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = digit.to_digit(10).unwrap();
            if place % 2 == 0 { digit * 2 / 10 + digit * 2 % 10 } else { digit }
        })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            out.push(LETTERS[usize::try_from(group >> (18 - 6 * place) & 63).unwrap()] as char);
        }
    }
    out
}

/// Texts with `{}` where a secret stands, the rule that finds it, and the secret.
fn positives() -> Vec<(&'static str, &'static str, String)> {
    let an = |length, seed| noise(ALPHANUMERIC, length, seed);
    let hex = |length, seed| noise(HEX, length, seed);
    let pem = |kind: &str, lines: usize| {
        let body = (0..lines).map(|line| an(64, 900 + line as u64)).collect::<Vec<_>>().join("\n");
        format!("-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----")
    };
    let token = format!(
        "{}.{}.{}",
        base64(br#"{"alg":"HS256","typ":"JWT"}"#),
        base64(br#"{"sub":"42","name":"Ada"}"#),
        an(43, 7)
    );
    vec![
        ("aws-access-key-id", "export AWS_ACCESS_KEY_ID={}", format!("AK{}{}", "IA", noise(UPPER, 16, 1))),
        ("aws-access-key-id", "found {} in the log", format!("AS{}{}", "IA", noise(UPPER, 16, 2))),
        ("aws-secret-key", "aws_secret_access_key = {}", an(40, 3)),
        ("aws-secret-key", "{\"SecretAccessKey\": \"{}\"}", an(40, 4)),
        ("google-api-key", "?key={}&q=1", format!("AI{}{}", "za", an(35, 5))),
        ("google-oauth-secret", "client {} here", format!("GOC{}{}", "SPX-", an(28, 6))),
        ("google-oauth-token", "token is {}", format!("ya{}{}", "29.", an(60, 8))),
        ("private-key", "\"private_key\": \"{}\"", pem("", 4).replace('\n', "\\n")),
        ("google-private-key-id", "\"private_key_id\": \"{}\"", hex(40, 9)),
        ("azure-storage-key", "AccountName=x;AccountKey={};EndpointSuffix", format!("{}==", an(86, 10))),
        ("azure-client-secret", "the app uses {} now", format!("aB3{}{}", "8Q~", an(33, 11))),
        (
            "azure-sas-signature",
            "https://x.blob.core.windows.net/c?sv=2024-01-01&sig={}",
            format!("{}%3D", an(43, 12)),
        ),
        ("github-token", "git clone with {}", format!("gh{}{}", "p_", an(36, 13))),
        ("github-token", "GITHUB_TOKEN={}", format!("gh{}{}", "s_", an(36, 14))),
        ("github-token", "use {} please", format!("github{}{}_{}", "_pat_", an(22, 15), an(59, 16))),
        ("gitlab-token", "header: {}", format!("gl{}{}", "pat-", an(20, 17))),
        (
            "slack-token",
            "bot {}",
            format!("xo{}{}", "xb-", "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"),
        ),
        (
            "slack-webhook",
            "curl https://hooks.slack.com/services/{}",
            format!("T0{}/B0{}/{}", an(8, 18), an(8, 19), an(24, 20)),
        ),
        ("stripe-key", "stripe.api_key is {}", format!("sk{}{}", "_live_", an(24, 21))),
        ("openai-key", "my key {} works", format!("sk{}{}", "-proj-", an(48, 22))),
        ("openai-key", "old key {} works", format!("sk{}{}", "-", an(48, 23))),
        ("anthropic-key", "ANTHROPIC uses {}", format!("sk{}{}", "-ant-api03-", an(80, 24))),
        ("rem-token", "Authorization: Bearer {}", format!("re{}{}", "m_", "0123456789abcdef".repeat(4))),
        ("npm-token", "//registry/:_authToken={}", format!("np{}{}", "m_", an(36, 25))),
        ("pypi-token", "twine -p {}", format!("py{}{}", "pi-AgEIcHlwaS5vcmc", an(70, 26))),
        ("huggingface-token", "login {}", format!("h{}{}", "f_", an(34, 27))),
        (
            "telegram-token",
            "https://api.telegram.org/bot{}/getMe",
            format!("{}:A{}", "7123456789", an(34, 28)),
        ),
        (
            "discord-token",
            "client.login {}",
            format!("{}.{}.{}", base64(b"1234567890123456789"), an(6, 29), an(38, 30)),
        ),
        ("sendgrid-key", "mail {}", format!("S{}{}.{}", "G.", an(22, 31), an(43, 32))),
        ("twilio-key", "twilio {}", format!("S{}{}", "K", hex(32, 33))),
        ("bearer-token", "Authorization: Bearer {}", an(40, 34)),
        ("basic-credentials", "Authorization: Basic {}", base64(b"admin:opensesame")),
        ("assigned-password", "password={}", "hunter2!x".to_owned()),
        ("assigned-password", "\"db_password\": \"{}\"", "Tr0ub4dor&3".to_owned()),
        ("assigned-password", "- **Password:** {}\n- user: ada", "blue-42-Horse".to_owned()),
        ("assigned-password", "비밀번호: {} 입니다", "seoul1988!".to_owned()),
        ("assigned-password", "PGPASSWORD={} psql", "83629471".to_owned()),
        ("environment-secret", "export SMTP_PASSWORD={} && run", "swordfish".to_owned()),
        ("environment-secret", "SESSION_SECRET='{}'", "correcthorse".to_owned()),
        ("assigned-password", "my password: {}", "hunter2".to_owned()),
        ("assigned-secret", "api_key: {}", an(32, 35)),
        ("assigned-secret", "const clientSecret = '{}';", an(28, 36)),
        ("assigned-secret", "X-Api-Key: {}", hex(32, 37)),
        ("assigned-secret", "{\\\"access_token\\\":\\\"{}\\\"}", an(30, 38)),
        ("assigned-secret", "Authorization: Token token={}", an(24, 39)),
        ("command-line-secret", "mysql -u root --password {} shop", "s3cr3t-Pw".to_owned()),
        ("command-line-credentials", "curl -s -u ada:{} https://example.org", "l0velace".to_owned()),
        ("netrc-password", "machine x login ada password {}", "l0velace".to_owned()),
        ("spoken-password", "the wifi password is {} by the way", "Sunny-day7".to_owned()),
        ("private-key", "here it is:\n{}\nthanks", pem("RSA ", 6)),
        ("private-key", "cat id_ed25519\n{}\n", pem("OPENSSH ", 3)),
        ("json-web-token", "cookie jwt {}", token),
        ("connection-password", "postgres://app:{}@db.internal:5432/shop", "S3cure".to_owned()),
        ("connection-password", "mongodb+srv://root:{}@cluster0.mongodb.net", "p@ss-w0rd".to_owned()),
        ("connection-password", "redis://:{}@localhost:6379/0", "longredispassphrase".to_owned()),
        ("connection-password", "git clone https://oauth2:{}@git.example.org/x.git", "abcdef".to_owned()),
        ("payment-card", "charge {} please", with_check_digit("411111111111111")),
        ("payment-card", "card {} exp 12/29", {
            let card = with_check_digit("555555555555444");
            format!("{} {} {} {}", &card[..4], &card[4..8], &card[8..12], &card[12..])
        }),
        ("payment-card", "amex: {}.", {
            let card = with_check_digit("37828224631000");
            format!("{}-{}-{}", &card[..4], &card[4..10], &card[10..])
        }),
        ("payment-card", "numbers 12 {} 77", {
            let card = with_check_digit("401288888888188");
            format!("{} {} {} {}", &card[..4], &card[4..8], &card[8..12], &card[12..])
        }),
        ("databricks-token", "dbx {}", format!("da{}{}", "pi", hex(32, 40))),
        ("digitalocean-token", "doctl {}", format!("do{}{}", "p_v1_", hex(64, 41))),
        ("shopify-token", "shop {}", format!("shp{}{}", "at_", hex(32, 42))),
        ("age-secret-key", "age {}", format!("AGE-SECRET{}{}", "-KEY-1", noise(UPPER, 58, 43))),
        ("vault-token", "vault {}", format!("hv{}{}", "s.", an(24, 44))),
        ("groq-key", "groq {}", format!("gs{}{}", "k_", an(52, 45))),
        ("docker-token", "docker login {}", format!("dckr{}{}", "_pat_", an(27, 46))),
        ("discord-webhook", "https://discord.com/api/webhooks/123456789012345678/{}", an(68, 47)),
        ("mailgun-key", "mg {}", format!("ke{}{}", "y-", hex(32, 48))),
        ("webhook-secret", "hook {}", format!("wh{}{}", "sec_", an(32, 49))),
    ]
}

const NEGATIVES: &[&str] = &[
    "The token budget is 4096 tokens and max_tokens: 8192 was set.",
    "password: string;\n  token?: string | null;",
    "const password = getPassword(user);",
    "password = os.environ['DB_PASSWORD']",
    "API_KEY=${API_KEY}\nSECRET=$SECRET\nTOKEN=<your-token>",
    "password: changeme",
    "password: ********",
    "api_key = \"YOUR_API_KEY_HERE_123\"",
    "Set `OPENAI_API_KEY=sk-...` in your shell.",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b\nAuthor: Ada",
    "id 0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f and 550e8400-e29b-41d4-a716-446655440000",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= integrity",
    "\"integrity\": \"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==\"",
    "call me at +49 171 1234567 or 02-1234-5678",
    "order 1234567890123456 and 4111111111111112",
    "at 1771923600000 the job 20260224100003 started",
    "isbn 978-3-16-148410-0, 9783161484100",
    "a table: 1000 2000 3000 4000 5000",
    "http://localhost:3000/@scope/pkg and http://127.0.0.1:8080",
    "https://example.org/path?a=b@c",
    "mailto:ada@example.org or ssh git@github.com:a/b.git",
    "the password is required",
    "What is the password policy? Passwords must have 12 characters.",
    "task-1234567890123456789012345678901234567890",
    "risk-averse-strategies-for-the-desk-sk-short",
    "the pattern `ghp_[A-Za-z0-9]{36}` matches GitHub tokens",
    "use `Authorization: Bearer <token>` or Bearer authentication",
    "eyJ is how a token starts; eyJhbGciOi is cut",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "Look for BEGIN PRIVATE KEY in the file.",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0kq3yqXxQz ada@host",
    "const secret = req.headers.secret",
    "if (password === confirmPassword) { token = next_token(); }",
    "let key = &gitoxide::Credentials::HELPER_STDERR2;",
    "fn token(&self) -> Token { self.token }",
    "tokenizer: bpe-openai-0.3",
    "secretary: Ada.Lovelace1815",
    "postgres://user:${DB_PASSWORD}@localhost/db and postgres://user:<password>@localhost",
    "key-value pairs, keyboard: qwerty-1, monkey: banana",
    "session_id: ses_a1b2c3d4 started: 2026-02-16T18:45:00Z",
    "비밀번호를 바꿔 주세요. 토큰은 세 개입니다.",
    "パスワードを忘れました",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "TOKEN=none PASSWORD=\nSECRET_FILE=/run/secrets/db MAX_TOKENS=4096 TOKENIZERS_PARALLELISM=false",
    "PWD=/home/ada/work2 OLDPWD=/home/ada",
    "token_type: bearer\nexpires_in: 3600",
    "let x = 0.1234567890123456; let y = 3.14159265358979",
    "v1.0-rc.2, deploy-2026-02-24T10-00-03Z, f47ac10b58cc4372a5670e02b2c3d479",
    "Bearer of bad news, the basic idea is simple",
];

#[test]
fn every_secret_of_the_corpus_is_found_by_its_rule_and_nothing_of_it_stays() {
    let redactor = redactor();
    let mut missed = Vec::new();
    let corpus = positives();
    for (rule, frame, secret) in &corpus {
        let text = frame.replacen("{}", secret, 1);
        let (out, hits) = redactor.redact(&text);
        let named = hits.iter().any(|hit| hit.rule == *rule);
        if !named || out.contains(secret.as_str()) {
            missed.push(format!("{rule}: {text} -> {out}"));
        }
    }
    assert!(
        missed.is_empty(),
        "recall {}/{}:\n{}",
        corpus.len() - missed.len(),
        corpus.len(),
        missed.join("\n")
    );
}

#[test]
fn ordinary_text_is_left_alone() {
    let redactor = redactor();
    let wrong: Vec<String> = NEGATIVES
        .iter()
        .filter_map(|text| match redactor.redact(text) {
            (Cow::Owned(out), _) => Some(format!("{text} -> {out}")),
            (Cow::Borrowed(_), _) => None,
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} touched:\n{}", wrong.len(), NEGATIVES.len(), wrong.join("\n"));
}

#[test]
fn all_secrets_of_one_text_are_found_together() {
    let redactor = redactor();
    let corpus = positives();
    let text = corpus
        .iter()
        .map(|(_, frame, secret)| frame.replacen("{}", secret, 1))
        .collect::<Vec<_>>()
        .join("\n\n");
    let (out, _) = redactor.redact(&text);
    let left: Vec<_> = corpus.iter().filter(|(_, _, secret)| out.contains(secret.as_str())).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_replacement_names_its_rule_and_keeps_the_words_around_it() {
    let secret = format!("gh{}{}", "p_", noise(ALPHANUMERIC, 36, 50));
    let redactor = redactor();
    let text = format!("한글 {secret}, and {secret}!");
    let (out, hits) = redactor.redact(&text);
    assert_eq!(out, "한글 [redacted:github-token], and [redacted:github-token]!");
    assert_eq!(hits.len(), 2);
    assert_eq!(&text[hits[1].bytes.clone()], secret);
}

#[test]
fn two_cards_with_one_space_between_them_both_go() {
    let card = with_check_digit("411111111111111");
    let (out, hits) = (redactor().redact(&format!("{card} {card}\n{card}")).0.into_owned(), 3);
    assert_eq!(out.matches("[redacted:payment-card]").count(), hits, "{out}");
}

#[test]
fn a_secret_inside_of_what_turned_out_to_be_none_is_found() {
    let out = redactor().redact("password: changeme비밀번호: seoul1988! 입니다").0.into_owned();
    assert!(!out.contains("seoul1988"), "{out}");
}

#[test]
fn a_key_cut_off_before_its_end_is_still_a_key() {
    let text = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n{}",
        noise(ALPHANUMERIC, 64, 51),
        noise(ALPHANUMERIC, 40, 52)
    );
    assert_eq!(redactor().redact(&text).0, "[redacted:private-key]");
}

#[test]
fn custom_rules_and_the_allow_list_are_obeyed() {
    let rules = [
        CustomRule { name: "badge".to_owned(), pattern: r"badge (?P<secret>B-\d{4})".to_owned() },
        CustomRule { name: "house".to_owned(), pattern: r"house-\d+".to_owned() },
    ];
    let redactor = Redactor::new(&rules, &["^house-7$".to_owned()]).unwrap();
    let (out, _) = redactor.redact("badge B-1234, house-6, house-7");
    assert_eq!(out, "badge [redacted:badge], [redacted:house], house-7");
}

#[test]
fn unusable_rules_are_refused_with_their_name() {
    let rule = |name: &str, pattern: &str| {
        Redactor::new(&[CustomRule { name: name.to_owned(), pattern: pattern.to_owned() }], &[])
            .unwrap_err()
            .to_string()
    };
    assert!(rule("a b", "x").contains("rule name `a b` is not usable"));
    assert!(rule("look", "(?=x)").contains("rule `look` has a pattern that can't be used"));
    assert!(rule("empty", "x*").contains("`empty` matches the empty text"));
    assert!(rule("huge", r"(\w{1000}){1000}").contains("rule `huge`"));
    let allow = Redactor::new(&[], &["(".to_owned()]).unwrap_err().to_string();
    assert!(allow.contains("allow list entry `(`"), "{allow}");
}

fn tables() -> Tables<'static> {
    let sections = vec![("built-in".to_owned(), &*ANCHORS)];
    Tables { file: "transcripts/redact/words.txt", words: WORDS, sections }
}

#[test]
fn the_words_of_the_anchors_are_in_their_file() {
    tables().assert_words_are_current();
}

#[test]
fn rules_found_by_their_words_are_those_that_all_anchors_together_find() {
    let secrets = positives().into_iter().map(|(_, frame, secret)| frame.replacen("{}", &secret, 1));
    let texts = secrets.chain(NEGATIVES.iter().map(|text| (*text).to_owned()));
    let texts: Vec<_> = texts.map(|text| ("built-in".to_owned(), text)).collect();
    tables().assert_answers_are_those_of_the_set(&texts);
}

#[test]
fn every_built_in_rule_compiles_and_an_anchor_is_in_all_that_its_rule_matches() {
    for (index, rule) in BUILT_IN.iter().enumerate() {
        assert!(!built_in(index).pattern.is_match(""), "{}", rule.name);
        assert!(!ANCHORS.single(index).is_match(""), "{}", rule.name);
    }
    for (_, frame, secret) in positives() {
        let text = frame.replacen("{}", &secret, 1);
        for index in (0..BUILT_IN.len()).filter(|index| built_in(*index).pattern.is_match(&text)) {
            assert!(ANCHORS.single(index).is_match(&text), "{}: {text}", BUILT_IN[index].name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_changes_nothing_more(
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), "[ \\n,;:=\"']{0,3}"), 0..5),
    ) {
        let redactor = redactor();
        let corpus = positives();
        let text = picks.iter().map(|(one, other, between)| {
            let (_, frame, secret) = one.get(&corpus);
            frame.replacen("{}", secret, 1) + between + *other.get::<&str>(NEGATIVES)
        }).collect::<String>();
        let once = redactor.redact(&text).0.into_owned();
        prop_assert_eq!(redactor.redact(&once).0, once.as_str());
    }

    #[test]
    fn what_an_anchor_matches_has_its_words(seed in any::<u64>()) {
        tables().assert_matches_have_their_words(seed);
    }

    #[test]
    fn any_text_is_scanned_and_hits_are_in_order(text in any::<String>()) {
        let redactor = redactor();
        let mut end = 0;
        for hit in redactor.hits(&text) {
            prop_assert!(hit.bytes.start >= end && text.get(hit.bytes.clone()).is_some());
            end = hit.bytes.end;
        }
    }
}
