//! The secret shapes, drawn at run time.

use aurumcode_core::redact::MARKER;

use crate::{draw, surroundings};

/// A secret, what is left of it, and where it is put.
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) masked: String,
    pub(crate) surroundings: &'static [&'static str],
}

/// Tokens that are told by their own shape. A part between `<` and `>` is the secret; without one,
/// the whole is.
const TOKENS: &[(&str, &str)] = &[
    ("AWS access key id", "AKIA{u16}"),
    ("AWS temporary key id", "ASIA{u16}"),
    ("GitHub classic", "ghp_{A36}"),
    ("GitHub OAuth", "gho_{A36}"),
    ("GitHub app", "ghs_{A36}"),
    ("GitHub refresh", "ghr_{A36}"),
    ("GitHub fine-grained", "github_pat_{A22}_{A59}"),
    ("GitLab personal", "glpat-{w20}"),
    ("GitLab deploy", "gldt-{w20}"),
    ("GitLab runner", "glrt-{w20}"),
    ("OpenAI project", "sk-proj-{w74}"),
    ("OpenAI legacy", "sk-{A48}"),
    ("Anthropic", "sk-ant-api03-{w93}"),
    ("OpenRouter", "sk-or-v1-{h64}"),
    ("Google API", "AIza{w35}"),
    ("Google OAuth access", "ya29.{w60}"),
    ("Google client secret", "GOCSPX-{w28}"),
    ("Slack bot", "xoxb-{d12}-{d13}-{A24}"),
    ("Slack user", "xoxp-{d12}-{d12}-{d12}-{h32}"),
    ("Slack app", "xapp-1-A{u10}-{d13}-{h64}"),
    (
        "Slack webhook",
        "https://hooks.slack.com/services/<T{u8}/B{u8}/{A24}>",
    ),
    (
        "Discord webhook",
        "https://discord.com/api/webhooks/<{d18}/{w68}>",
    ),
    ("Discord bot", "MTE{A23}.G{A5}.{A38}"),
    ("Stripe live", "sk_live_{A24}"),
    ("Stripe test", "sk_test_{A24}"),
    ("Stripe restricted", "rk_live_{A24}"),
    ("Stripe webhook", "whsec_{A32}"),
    ("npm", "npm_{A36}"),
    ("PyPI", "pypi-AgEIcHlwaS5vcmc{w70}"),
    ("Hugging Face", "hf_{A34}"),
    ("DigitalOcean", "dop_v1_{h64}"),
    (
        "Azure storage",
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=<{A86}==>;EndpointSuffix=core.windows.net",
    ),
    ("Azure client secret", "{A3}8Q~{A34}"),
    ("Twilio key", "SK{h32}"),
    ("Twilio account", "AC{h32}"),
    ("SendGrid", "SG.{w22}.{w43}"),
    ("JWT", "eyJ{A34}.eyJ{A40}.{w43}"),
    ("Shopify", "shpat_{h32}"),
    ("Mailgun", "key-{h32}"),
    ("Mailchimp", "{h32}-us12"),
    ("Telegram", "{d10}:AA{A33}"),
    ("Square", "sq0atp-{w22}"),
    ("Databricks", "dapi{h32}"),
    ("Vault", "hvs.{w90}"),
    ("Grafana", "glsa_{A32}_{h8}"),
    ("Linear", "lin_api_{A40}"),
    ("Notion", "ntn_{A46}"),
    ("Notion legacy", "secret_{A43}"),
    ("Postman", "PMAK-{h24}-{h34}"),
    ("Doppler", "dp.pt.{A43}"),
    ("age", "AGE-SECRET-KEY-1{u58}"),
    ("Sentry", "sntryu_{h64}"),
    ("New Relic", "NRAK-{u27}"),
    ("Figma", "figd_{A40}"),
    ("Airtable", "pat{A14}.{h64}"),
    ("Atlassian", "ATATT3{A180}"),
    ("Docker", "dckr_pat_{A27}"),
    ("RubyGems", "rubygems_{h48}"),
    ("crates.io", "cio{A32}"),
    ("Terraform Cloud", "{A14}.atlasv1.{A67}"),
    ("Pulumi", "pul-{h40}"),
    ("Supabase", "sbp_{h40}"),
    ("PlanetScale", "pscale_tkn_{A43}"),
    ("Tailscale", "tskey-auth-{A16}-{A32}"),
    ("Groq", "gsk_{A52}"),
    ("xAI", "xai-{A80}"),
    ("Replicate", "r8_{A37}"),
    ("NVIDIA", "nvapi-{A64}"),
    ("Brevo", "xkeysib-{h64}-{A16}"),
    ("HubSpot", "pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("Plaid", "access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("Sonar", "squ_{h40}"),
    ("Buildkite", "bkua_{a40}"),
    ("Facebook", "EAA{A100}"),
    ("Alibaba", "LTAI{A20}"),
];

/// Values that only a name gives away, in quotes.
const QUOTED: &[(&str, &str)] = &[
    ("drawn value", "{A24}"),
    ("AWS secret key", "{b40}"),
    ("hexadecimal", "{h40}"),
    ("UUID as a key", "{h8}-{h4}-4{h3}-a{h3}-{h12}"),
    ("short password", "hunter2"),
    ("word as a password", "swordfish"),
    ("password with symbols", "P@ss-w0rd!{d2}"),
    ("password with dollar", "$9{A8}$x"),
    ("passphrase", "correct horse battery staple"),
    ("password that ends in EXAMPLE", "{A10}EXAMPLEKEY"),
    ("base64", "{A30}=="),
];

/// Values with an escaped quote inside of them.
const ESCAPED: &[(&str, &str)] = &[("escaped quote inside", "ab\\\"cd\\\\{A8}")];

/// Values that only a name gives away, without quotes.
const BARE: &[(&str, &str)] = &[
    ("bare drawn value", "{A24}"),
    ("bare hexadecimal", "{h32}"),
    ("bare short password", "hunter2"),
    ("bare password with symbols", "s3cr3t-{a6}!"),
];

const HEADERS: &[(&str, &str)] = &[
    ("bearer", "Bearer <{A30}>"),
    ("bearer, short", "Bearer <abc123>"),
    ("basic", "Basic <dXNlcjpw{A10}>"),
    ("token", "token <{h40}>"),
    ("api key", "ApiKey <{A32}>"),
    ("no scheme", "<{A32}>"),
    (
        "AWS signature",
        "AWS4-HMAC-SHA256 <Credential=abc/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature={h64}>",
    ),
];

const COOKIES: &[(&str, &str)] = &[
    ("session cookie", "session=<{A32}>"),
    ("short cookie", "sid=<s{d6}>"),
];

const URLS: &[(&str, &str)] = &[
    (
        "PostgreSQL URL",
        "postgres://<bob:{A12}>@db.example.com:5432/shop?sslmode=require",
    ),
    ("Redis URL", "redis://<:{A20}>@cache.example.com:6379/0"),
    (
        "MongoDB URL",
        "mongodb+srv://<bob:hunter2>@a.example.net,b.example.net/x",
    ),
    ("AMQP URL", "amqp://<guest:guest>@mq:5672/%2f"),
    ("web URL with user", "https://<bob:pw{A8}>@example.com/path"),
    (
        "web URL with token",
        "https://<{A24}>@example.com/org/repo.git",
    ),
    (
        "password with at sign",
        "mysql://<root:p@ss{A4}>@localhost/db",
    ),
    (
        "query parameter",
        "https://example.com/v1/items?api_key=<{A24}>&page=2",
    ),
    (
        "signed URL",
        "https://s3.example.com/b/k?X-Amz-Expires=60&X-Amz-Signature=<{h64}>",
    ),
    (
        "JDBC URL",
        "jdbc:postgresql://db:5432/shop?user=bob&password=<{A14}>",
    ),
    (
        "SAS URL",
        "https://x.blob.example.net/c?sv=2022-11-02&sp=r&sig=<{A40}%3D>",
    ),
];

const COMMANDS: &[(&str, &str)] = &[
    ("curl user", "-u <bob:{A12}>"),
    ("curl user in quotes", "--user '<bob:{A12}>'"),
];

const KEYS: &[&str] = &[
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
];

/// Returns the lines of a key block with so many lines of body.
pub(crate) fn key_lines(label: &str, body: usize) -> Vec<String> {
    let dashes = "-".repeat(5);
    let mut lines = vec![format!("{dashes}BEGIN {label}{dashes}")];
    for number in 0..body.saturating_sub(1) {
        lines.push(draw::text(&format!("{number}{{b63}}")));
    }
    lines.push(draw::text("{A30}=="));
    lines.push(format!("{dashes}END {label}{dashes}"));
    lines
}

fn shapes<'a>(
    list: &'a [(&'a str, &'a str)],
    surroundings: &'static [&'static str],
) -> impl Iterator<Item = Shape> + 'a {
    list.iter().map(move |(name, template)| {
        let drawn = draw::text(template);
        let (text, masked) = match (drawn.split_once('<'), drawn.rsplit_once('>')) {
            (Some((before, _)), Some((_, after))) => (
                drawn.replace(['<', '>'], ""),
                format!("{before}{MARKER}{after}"),
            ),
            _ => (drawn, MARKER.to_owned()),
        };
        Shape {
            name: (*name).to_owned(),
            text,
            masked,
            surroundings,
        }
    })
}

fn key_shapes() -> impl Iterator<Item = Shape> {
    KEYS.iter().flat_map(|label| {
        let lines = key_lines(label, 5);
        let block = Shape {
            name: format!("{label} block"),
            text: lines.join("\n"),
            masked: vec![MARKER; lines.len()].join("\n"),
            surroundings: surroundings::BLOCK,
        };
        let escaped = Shape {
            name: format!("{label} on one line"),
            text: lines.join("\\n"),
            masked: MARKER.to_owned(),
            surroundings: surroundings::TOKEN,
        };
        let indented: Vec<String> = lines.iter().map(|line| format!("    {line}")).collect();
        let indented = Shape {
            name: format!("{label} indented, with carriage returns"),
            text: indented.join("\r\n"),
            masked: vec![format!("    {MARKER}"); lines.len()].join("\r\n"),
            surroundings: surroundings::BLOCK,
        };
        let quoted: Vec<String> = lines
            .iter()
            .map(|line| format!("  \"{line}\\n\" +"))
            .collect();
        let quoted = Shape {
            name: format!("{label} in joined texts"),
            text: quoted.join("\n"),
            masked: vec![format!("  \"{MARKER}\\n\" +"); lines.len()].join("\n"),
            surroundings: surroundings::BLOCK,
        };
        [block, escaped, indented, quoted]
    })
}

/// Returns all shapes.
pub(crate) fn all() -> Vec<Shape> {
    shapes(TOKENS, surroundings::TOKEN)
        .chain(shapes(QUOTED, surroundings::QUOTED))
        .chain(shapes(ESCAPED, surroundings::ESCAPED))
        .chain(shapes(BARE, surroundings::BARE))
        .chain(shapes(HEADERS, surroundings::HEADER))
        .chain(shapes(COOKIES, surroundings::COOKIE))
        .chain(shapes(URLS, surroundings::URL))
        .chain(shapes(COMMANDS, surroundings::COMMAND))
        .chain(key_shapes())
        .collect()
}
