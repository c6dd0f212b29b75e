//! The built-in rules: a table, one line of judgement each.
//!
//! `anchor` is what the single prefilter pass looks for (the pattern itself when empty); it must match whenever
//! `pattern` does. Word boundaries are ASCII ones, so that text of any script is scanned at full speed. A rule
//! whose prefix proves a secret accepts any match; the others ask `checks`.

use super::checks::{self, Check};

/// A rule that ships with the program.
pub(super) struct BuiltIn {
    pub(super) name: &'static str,
    anchor: &'static str,
    pub(super) pattern: &'static str,
    pub(super) check: Check,
}

impl BuiltIn {
    /// What it is looked for by.
    pub(super) fn anchor(&self) -> &'static str {
        if self.anchor.is_empty() { self.pattern } else { self.anchor }
    }
}

const fn prefixed(name: &'static str, anchor: &'static str, pattern: &'static str) -> BuiltIn {
    BuiltIn { name, anchor, pattern, check: Check::Always }
}

const fn checked(
    name: &'static str,
    anchor: &'static str,
    pattern: &'static str,
    test: fn(&str) -> bool,
) -> BuiltIn {
    BuiltIn { name, anchor, pattern, check: Check::When(test) }
}

/// Earlier rules win over later ones that start at the same place and are as long.
pub(super) const BUILT_IN: &[BuiltIn] = &[
    // Private keys, whole or cut off before their end; line breaks may be the two characters `\n`.
    prefixed(
        "private-key",
        "-----BEGIN ",
        r"(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-]|--[^-])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
    ),
    prefixed(
        "private-key",
        "-----BEGIN ",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})+",
    ),
    prefixed(
        "private-key",
        "Private-Lines: ",
        r"Private-Lines: [0-9]+(?P<secret>(?:\s+[A-Za-z0-9+/=]{16,})+)",
    ),
    prefixed("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    // Clouds.
    prefixed("aws-access-key-id", "", r"(?-u:\b)(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?-u:\b)"),
    checked(
        "aws-secret-key",
        "(?i-u:aws|secret_?access)",
        r#"(?i-u:(?:aws|secret_?access)[a-z0-9_ .-]{0,40}\\?["']?\s*(?:=>|[:=]|is)\s*\\?["']?)(?P<secret>[A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)"#,
        checks::cloud_secret,
    ),
    prefixed("google-api-key", "AIza", r"(?-u:\b)AIza[0-9A-Za-z_-]{35,}"),
    prefixed("google-oauth-token", "ya29", r"(?-u:\b)ya29\.[0-9A-Za-z_-]{20,}"),
    prefixed("google-oauth-secret", "GOCSPX-", r"(?-u:\b)GOCSPX-[0-9A-Za-z_-]{20,}"),
    prefixed(
        "google-private-key-id",
        "private_key_id",
        r#"private_key_id\\?"\s*:\s*\\?"(?P<secret>[0-9a-f]{40})"#,
    ),
    prefixed(
        "azure-storage-key",
        "(?i-u:AccountKey|SharedAccessKey)",
        r"(?i-u:AccountKey|SharedAccessKey)\s*=\s*(?P<secret>[A-Za-z0-9+/]{40,90}={0,2})",
    ),
    prefixed("azure-sas-signature", "[?&]sig=", r"[?&]sig=(?P<secret>[A-Za-z0-9%+/]{40,60}(?:%3D|=)?)"),
    checked(
        "azure-client-secret",
        "[0-9]Q~",
        r"(?P<secret>[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})",
        checks::random,
    ),
    prefixed("digitalocean-token", "_v1_", r"(?-u:\b)do[opr]_v1_[0-9a-f]{64,}"),
    prefixed("cloudflare-token", "v1.0-", r"(?-u:\b)v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}"),
    prefixed("heroku-key", "HRKU-", r"(?-u:\b)HRKU-[0-9A-Za-z_-]{30,}"),
    prefixed("databricks-token", "dapi", r"(?-u:\b)dapi[0-9a-f]{32}(?-u:\b)"),
    prefixed("vault-token", "hv[sb]", r"(?-u:\b)hv[sb]\.[A-Za-z0-9_-]{24,}"),
    prefixed(
        "supabase-token",
        "sbp_|sb_secret_",
        r"(?-u:\b)(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})",
    ),
    // Code hosts and package registries.
    prefixed(
        "github-token",
        "gh[pousr]_|github_pat_",
        r"(?:(?-u:\b)gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})",
    ),
    prefixed(
        "gitlab-token",
        "gl[a-z]{2,8}-",
        r"(?-u:\b)gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,}",
    ),
    checked("atlassian-token", "ATATT3", r"(?-u:\b)ATATT3[A-Za-z0-9_=-]{40,}", checks::random),
    prefixed("npm-token", "npm_", r"(?-u:\b)npm_[A-Za-z0-9]{36}(?-u:\b)"),
    // `rem serve`'s own.
    prefixed("rem-token", "rem_", r"(?-u:\b)rem_[0-9a-f]{64,}"),
    prefixed("pypi-token", "pypi-A", r"(?-u:\b)pypi-A[A-Za-z0-9_-]{40,}"),
    checked("crates-io-token", "cio", r"(?-u:\b)cio[A-Za-z0-9]{32}(?-u:\b)", checks::random),
    prefixed("rubygems-token", "rubygems_", r"(?-u:\b)rubygems_[0-9a-f]{48,}"),
    prefixed("docker-token", "dckr_[a-z]{2,4}_", r"(?-u:\b)dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    prefixed("postman-key", "PMAK-", r"(?-u:\b)PMAK-[0-9a-f]{24}-[0-9a-f]{34,}"),
    // Models.
    prefixed("anthropic-key", "sk-ant-", r"(?-u:\b)sk-ant-[A-Za-z0-9_-]{20,}"),
    prefixed("openrouter-key", "sk-or-", r"(?-u:\b)sk-or-v1-[0-9a-f]{32,}"),
    checked(
        "openai-key",
        "sk-",
        r"(?-u:\b)sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})",
        checks::random,
    ),
    checked("huggingface-token", "hf_", r"(?-u:\b)hf_[A-Za-z0-9]{30,}", checks::random_letters),
    checked("groq-key", "gsk_", r"(?-u:\b)gsk_[A-Za-z0-9]{40,}", checks::random),
    checked("xai-key", "xai-", r"(?-u:\b)xai-[A-Za-z0-9]{60,}", checks::random),
    checked("replicate-token", "r8_", r"(?-u:\b)r8_[A-Za-z0-9]{37,}", checks::random),
    checked("perplexity-key", "pplx-", r"(?-u:\b)pplx-[A-Za-z0-9]{40,}", checks::random),
    // Talk, payment and mail.
    prefixed(
        "slack-token",
        "xox[a-z]-|xapp-|xoxe",
        r"(?-u:\b)(?:xox[abeoprs](?:\.xox[abp])?-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{20,})",
    ),
    prefixed(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/(?P<secret>[A-Za-z0-9+/]{30,})",
    ),
    checked(
        "discord-token",
        r"[MNO][A-Za-z0-9_-]{22,27}\.",
        r"(?-u:\b)[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
        checks::discord_token,
    ),
    prefixed(
        "discord-webhook",
        "api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/[0-9]+/(?P<secret>[A-Za-z0-9_-]{40,})",
    ),
    checked(
        "telegram-token",
        r"[0-9]{8,10}:A",
        r"(?:^|[^A-Za-z0-9_])(?:bot)?(?P<secret>[0-9]{8,10}:A[A-Za-z0-9_-]{34})(?:[^A-Za-z0-9_-]|$)",
        checks::random,
    ),
    prefixed("stripe-key", "[sr]k_(?:live|test|prod)_", r"(?-u:\b)[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    prefixed("webhook-secret", "whsec_", r"(?-u:\b)whsec_[A-Za-z0-9+/=_-]{24,}"),
    prefixed(
        "square-token",
        "sq0|EAAA",
        r"(?-u:\b)(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60})",
    ),
    prefixed("shopify-token", "shp[a-z]{2}_", r"(?-u:\b)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"),
    prefixed("sendgrid-key", r"SG\.", r"(?-u:\b)SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,}"),
    checked("twilio-key", "SK[0-9a-f]{8}", r"(?-u:\b)SK[0-9a-f]{32}(?-u:\b)", checks::random),
    prefixed("mailgun-key", "key-[0-9a-f]{8}", r"(?-u:\b)key-[0-9a-f]{32}(?-u:\b)"),
    prefixed("mailchimp-key", "-us[0-9]", r"(?-u:\b)[0-9a-f]{32}-us[0-9]{1,2}(?-u:\b)"),
    checked(
        "airtable-token",
        r"pat[A-Za-z0-9]{14}\.",
        r"(?-u:\b)pat[A-Za-z0-9]{14}\.[0-9a-f]{64,}",
        checks::random,
    ),
    checked("notion-token", "ntn_|secret_", r"(?-u:\b)(?:ntn|secret)_[A-Za-z0-9]{40,}", checks::random),
    prefixed("linear-key", "lin_", r"(?-u:\b)lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    prefixed("figma-token", "figd_", r"(?-u:\b)figd_[A-Za-z0-9_-]{36,}"),
    prefixed(
        "grafana-token",
        "glsa_|glc_",
        r"(?-u:\b)(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,})",
    ),
    // Shapes that any service uses.
    checked(
        "json-web-token",
        "eyJ",
        r"(?-u:\b)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){1,3}",
        checks::json_web_token,
    ),
    checked(
        "bearer-token",
        "(?i-u:bearer)",
        r"(?i-u:(?-u:\b)bearer)\s+(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)",
        checks::random,
    ),
    checked(
        "basic-credentials",
        "(?i-u:basic )",
        r"(?i-u:authorization)\\?[\x22']?\s*[:=]\s*\\?[\x22']?(?i-u:basic)\s+(?P<secret>[A-Za-z0-9+/]{6,}={0,2})",
        checks::basic_credentials,
    ),
    checked(
        "connection-password",
        r"[a-zA-Z]://[^\s:/?#@]{0,100}:[^\s/]",
        r#"(?-u:\b)[a-zA-Z][a-zA-Z0-9+.-]{1,24}://[^\s:/?#@"'<>`]{0,100}:(?P<secret>[^\s/?"'<>`]{1,200})@[^\s@]"#,
        checks::address_password,
    ),
    checked(
        "assigned-password",
        r#"(?:(?i-u:passw(?:or)?d|passwort|passphrase|passcode|pwd|contrasena|mot de passe)|contraseña|비밀번호|비번|パスワード|密码|密碼)(?:_[A-Za-z0-9_]{1,20}|[0-9]{1,3})?\\?["'`*]{0,3}\s*(?:=>|:=|[:=：])"#,
        r#"(?x)
        (?:(?i-u:passw(?:or)?d|passwort|passphrase|passcode|pwd|contrasena|mot\x20de\x20passe)
            |contraseña|비밀번호|비번|パスワード|密码|密碼)
        (?:_[A-Za-z0-9_]{1,20}|[0-9]{1,3})? \\?["'`*]{0,3} [\x20\t]* (?:=>|:=|[:=：]) \*{0,2} [\x20\t]*
        \\?["'`]? (?P<secret> [^\s"'`,;<>\\{}=:] [^\s"'`,;<>\\{}]{5,200} )"#,
        checks::assigned_password,
    ),
    checked(
        "environment-secret",
        r"(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]{0,20}=",
        r#"(?-u:\b)[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]{0,20}=["']?(?P<secret>[^\s"'`,;<>\\{}=][^\s"'`,;<>\\{}]{5,200})"#,
        checks::environment_value,
    ),
    checked(
        "assigned-secret",
        r#"(?i-u:secret|credential|token|(?:api|access|auth|private|secret|encryption|signing)[ _-]?key)(?:_[A-Za-z0-9_]{1,20}|[0-9]{1,3}|s)?\\?["'`*]{0,3}\s*(?:=>|:=|[:=：])"#,
        r#"(?x)
        (?i-u:secret|credential|token|(?:api|access|auth|private|secret|encryption|signing)[\x20_-]?key)
        (?:_[A-Za-z0-9_]{1,20}|[0-9]{1,3}|s)? \\?["'`*]{0,3} [\x20\t]* (?:=>|:=|[:=：]) \*{0,2} [\x20\t]*
        (?i-u:(?:bearer|basic|token)\s+)?
        \\?["'`]? (?P<secret> [^\s"'`,;<>\\{}=:] [^\s"'`,;<>\\{}]{7,200} )"#,
        checks::assigned_token,
    ),
    checked(
        "quoted-passphrase",
        r#"(?i-u:passw(?:or)?d|passphrase)\\?["']?\s*(?:=>|:=|[:=])\s*\\?["']"#,
        r#"(?i-u:passw(?:or)?d|passphrase)\\?["']?\s*(?:=>|:=|[:=])\s*\\?"(?P<secret>[^"\n]{8,200})""#,
        checks::assigned_password,
    ),
    checked(
        "command-line-secret",
        "--(?:password|passwd|token|secret|api-key|apikey|auth-token|access-token)[ =]",
        r#"--(?:password|passwd|token|secret|api-key|apikey|auth-token|access-token)[ =]\s*["']?(?P<secret>[^\s"'`]{6,200})"#,
        checks::assigned_password,
    ),
    checked(
        "command-line-credentials",
        "(?:-u|--user)[ =]",
        r#"curl[^\n]{0,300}?\s(?:-u|--user)[ =]\s*["']?[^\s:"']{1,100}:(?P<secret>[^\s"'`]{1,200})"#,
        checks::address_password,
    ),
    checked(
        "netrc-password",
        r"(?i-u:login)\s+\S+\s+(?i-u:password)\s",
        r"(?i-u:login)\s+\S+\s+(?i-u:password)\s+(?P<secret>\S{4,200})",
        checks::address_password,
    ),
    checked(
        "spoken-password",
        r"(?i-u:passw(?:or)?d|passphrase|passcode)\s+(?i-u:is|was)",
        r#"(?i-u:passw(?:or)?d|passphrase|passcode)\s+(?i-u:is|was)\s*(?i-u:now|set to)?:?\s+["'`]?(?P<secret>[^\s"'`,]{6,200})"#,
        checks::assigned_password,
    ),
    BuiltIn {
        name: "payment-card",
        anchor: r"[0-9](?:[ -]?[0-9]){12}",
        pattern: r"(?:^|[^0-9A-Za-z._/-])(?P<secret>[0-9](?:[ -]?[0-9]){12,200})(?:[^0-9A-Za-z_/-]|$)",
        check: Check::Within(checks::payment_cards),
    },
];
