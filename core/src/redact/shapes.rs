//! The shapes of the tokens that services hand out, as data.
//!
//! A token is first found by a literal that stands in it (`lead`), in one pass for all shapes, and
//! only then judged by its pattern, so that the many shapes cost nothing where none of them is.

use std::sync::{LazyLock, OnceLock};

use regex::bytes::Regex;

use super::bytes::at;

/// A token shape of one service.
pub(super) struct Shape {
    /// What the token is, in the words of the service.
    pub(super) kind: &'static str,
    /// The literals of which one stands in every such token.
    pub(super) leads: &'static [&'static str],
    /// The fewest and the most bytes of the match that stand before the lead.
    before: (usize, usize),
    /// Whether the token has to begin where a word begins, because its lead is short.
    word: bool,
    /// The pattern. Where it has a group, the group is the secret and not the whole.
    pattern: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

/// The most bytes after a lead that belong to a token.
const TOKEN_BYTES: usize = 8192;

impl Shape {
    fn new(kind: &'static str, leads: &'static [&'static str], pattern: &'static str) -> Self {
        Self {
            kind,
            leads,
            before: (0, 0),
            word: false,
            pattern,
            compiled: OnceLock::new(),
        }
    }

    fn word(mut self) -> Self {
        self.word = true;
        self
    }

    fn before(mut self, fewest: usize, most: usize) -> Self {
        self.before = (fewest, most);
        self
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled
            .get_or_init(|| Regex::new(&format!(r"(?-u)\A(?:{})", self.pattern)).ok())
            .as_ref()
    }

    /// Returns the span of the secret whose lead stands at `lead` in `text`.
    pub(super) fn find(&self, text: &[u8], lead: usize) -> Option<(usize, usize)> {
        let (fewest, most) = self.before;
        let mut starts = lead.saturating_sub(most)..=lead.checked_sub(fewest)?;
        let to = lead.saturating_add(TOKEN_BYTES).min(text.len());
        if self.word && most == 0 && !begins_word(text, lead) {
            return None;
        }
        let regex = self.regex()?;
        let (start, whole) = starts.find_map(|start| {
            let found = regex.find(text.get(start..to)?)?;
            Some((start, found))
        })?;
        let end = start + whole.end();
        if self.word && !begins_word(text, start) || at(text, end).is_ascii_alphanumeric() {
            return None;
        }
        if regex.captures_len() == 1 {
            return Some((start, end));
        }
        let secret = regex.captures(text.get(start..end)?)?.get(1)?;
        Some((start + secret.start(), start + secret.end()))
    }
}

/// Returns whether a word can begin at `position`: no letter, digit or underscore stands before
/// it, or those belong to an escape such as `\n` or `%3D`.
pub(super) fn begins_word(text: &[u8], position: usize) -> bool {
    let before = |back: usize| {
        position
            .checked_sub(back)
            .map_or(0, |place| at(text, place))
    };
    let last = before(1);
    if !(last.is_ascii_alphanumeric() || last == b'_') {
        return true;
    }
    matches!(last, b'n' | b'r' | b't') && before(2) == b'\\'
        || before(3) == b'%' && before(2).is_ascii_hexdigit() && last.is_ascii_hexdigit()
}

/// Every shape that is known.
#[rustfmt::skip] // One line for each shape reads as the table that it is.
pub(super) static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| vec![
    // Clouds.
    Shape::new("AWS access key id", &["AKIA", "ASIA", "ABIA", "ACCA"], "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}").word(),
    Shape::new("AWS Bedrock key", &["ABSK"], "ABSK[A-Za-z0-9+/]{60,}={0,2}").word(),
    Shape::new("Google API key", &["AIza"], "AIza[A-Za-z0-9_-]{30,}").word(),
    Shape::new("Google OAuth token", &["ya29."], r"ya29\.[A-Za-z0-9_.-]{20,}").word(),
    Shape::new("Google OAuth client secret", &["GOCSPX-"], "GOCSPX-[A-Za-z0-9_-]{20,}").word(),
    Shape::new("Google OAuth refresh token", &["1//0"], "1//0[A-Za-z0-9_-]{30,}").word(),
    Shape::new("Azure storage key", &["AccountKey=", "SharedAccessKey=", "accountkey=", "sharedaccesskey="], "(?i:accountkey|sharedaccesskey)=([A-Za-z0-9+/]{20,}={0,2})"),
    Shape::new("Azure client secret", &["Q~"], r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40}").before(4, 4).word(),
    Shape::new("Azure DevOps token", &["AZDO"], "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}").before(76, 76).word(),
    Shape::new("Azure API key", &["JQQJ99"], "[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{20,40}").before(40, 60).word(),
    Shape::new("Alibaba access key", &["LTAI"], "LTAI[A-Za-z0-9]{12,24}").word(),
    Shape::new("Tencent secret id", &["AKID"], "AKID[A-Za-z0-9]{32}").word(),
    Shape::new("DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[A-Za-z0-9]{32,}"),
    Shape::new("Heroku key", &["HRKU-"], "HRKU-[A-Za-z0-9_-]{30,}").word(),
    Shape::new("Fly.io token", &["fo1_", "fm1_", "fm1r_", "fm1a_", "fm2_"], "f(?:o1|m[12][ar]?)_[A-Za-z0-9+/=_,-]{40,}").word(),
    Shape::new("Cloudflare origin key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{140,}").word(),
    Shape::new("Netlify token", &["nfp_"], "nfp_[A-Za-z0-9]{30,}").word(),
    Shape::new("Render key", &["rnd_"], "rnd_[A-Za-z0-9]{28,}").word(),
    Shape::new("Supabase token", &["sbp_", "sb_secret_"], "(?:sbp_[a-f0-9]{40,}|sb_secret_[A-Za-z0-9_-]{20,})").word(),
    Shape::new("PlanetScale token", &["pscale_"], "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,}").word(),
    Shape::new("Tailscale key", &["tskey-"], "tskey-[a-z]+-[A-Za-z0-9-]{16,}").word(),
    Shape::new("Databricks token", &["dapi"], "dapi[a-f0-9]{32}(?:-[0-9])?").word(),
    Shape::new("Dynatrace token", &["dt0c01.", "dt0s01."], r"dt0[cs]01\.[A-Z0-9]{24}\.[A-Z0-9]{60,}").word(),
    Shape::new("OpenShift token", &["sha256~"], "sha256~[A-Za-z0-9_-]{43}").word(),
    // Code hosts, registries and build servers.
    Shape::new("GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9_]{20,}"),
    Shape::new("GitHub fine-grained token", &["github_pat_"], "github_pat_[A-Za-z0-9_]{20,}"),
    Shape::new("GitLab token", &["glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-", "gloas-", "glffct-", "glwt-"], "gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|imt|agent|oas|ffct|wt)-[A-Za-z0-9_-]{16,}(?:\\.[A-Za-z0-9_-]+)*"),
    Shape::new("GitLab runner token", &["GR1348941"], "GR1348941[A-Za-z0-9_-]{20,}").word(),
    Shape::new("Bitbucket token", &["ATBB"], "ATBB[A-Za-z0-9]{24,}").word(),
    Shape::new("Atlassian token", &["ATATT3", "ATCTT3"], "AT[AC]TT3[A-Za-z0-9_=-]{40,}").word(),
    Shape::new("npm token", &["npm_"], "npm_[A-Za-z0-9]{30,}").word(),
    Shape::new("PyPI token", &["pypi-Ag"], "pypi-Ag[A-Za-z0-9_-]{20,}"),
    Shape::new("RubyGems key", &["rubygems_"], "rubygems_[a-f0-9]{40,}"),
    Shape::new("crates.io token", &["cio"], "cio[A-Za-z0-9]{32}").word(),
    Shape::new("NuGet key", &["oy2"], "oy2[a-z0-9]{43}").word(),
    Shape::new("Docker token", &["dckr_pat_", "dckr_oat_"], "dckr_[po]at_[A-Za-z0-9_-]{20,}"),
    Shape::new("Artifactory key", &["AKCp"], "AKCp[A-Za-z0-9]{60,}").word(),
    Shape::new("Terraform Cloud token", &[".atlasv1."], r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}").before(14, 14),
    Shape::new("Pulumi token", &["pul-"], "pul-[a-f0-9]{40}").word(),
    Shape::new("Buildkite token", &["bkua_"], "bkua_[a-z0-9]{40}").word(),
    Shape::new("CircleCI token", &["CCIPAT_", "CCIPRJ_"], "CCI(?:PAT|PRJ)_[A-Za-z0-9_]{30,}").word(),
    Shape::new("Sonar token", &["squ_", "sqp_", "sqa_"], "sq[upa]_[a-f0-9]{40}").word(),
    Shape::new("Sourcegraph token", &["sgp_"], "sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}").word(),
    Shape::new("Prefect key", &["pnu_"], "pnu_[A-Za-z0-9]{36}").word(),
    Shape::new("Infracost key", &["ico-"], "ico-[A-Za-z0-9]{32}").word(),
    // Models.
    Shape::new("Anthropic key", &["sk-ant-"], "sk-ant-[A-Za-z0-9_-]{16,}").word(),
    Shape::new("OpenRouter key", &["sk-or-"], "sk-or-(?:v1-)?[A-Za-z0-9]{20,}").word(),
    Shape::new("OpenAI key", &["sk-"], "sk-(?:(?:proj|svcacct|admin|service|None|live|test)-[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{20,})").word(),
    Shape::new("Hugging Face token", &["hf_", "api_org_"], "(?:hf|api_org)_[A-Za-z0-9]{24,}").word(),
    Shape::new("Groq key", &["gsk_"], "gsk_[A-Za-z0-9]{32,}").word(),
    Shape::new("xAI key", &["xai-"], "xai-[A-Za-z0-9]{40,}").word(),
    Shape::new("Perplexity key", &["pplx-"], "pplx-[A-Za-z0-9]{32,}").word(),
    Shape::new("Replicate token", &["r8_"], "r8_[A-Za-z0-9]{30,}").word(),
    Shape::new("NVIDIA key", &["nvapi-"], "nvapi-[A-Za-z0-9_-]{40,}").word(),
    Shape::new("Fireworks key", &["fw_"], "fw_[A-Za-z0-9]{20,}").word(),
    Shape::new("Tavily key", &["tvly-"], "tvly-[A-Za-z0-9-]{20,}").word(),
    Shape::new("Pinecone key", &["pcsk_"], "pcsk_[A-Za-z0-9_]{40,}").word(),
    Shape::new("LangSmith key", &["lsv2_"], "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}").word(),
    Shape::new("ElevenLabs key", &["sk_"], "sk_[a-f0-9]{40,}").word(),
    // Messages and mail.
    Shape::new("Slack token", &["xoxa-", "xoxb-", "xoxp-", "xoxo-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-", "xoxe."], r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9%-]{10,}"),
    Shape::new("Slack app token", &["xapp-"], "xapp-[0-9]-[A-Za-z0-9-]{10,}").word(),
    Shape::new("Slack webhook", &["hooks.slack.com/"], r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})"),
    Shape::new("Teams webhook", &["webhook.office.com/"], r"webhook\.office\.com/webhookb2/([A-Za-z0-9/@_-]{32,})"),
    Shape::new("Discord webhook", &["/api/webhooks/"], "/api/webhooks/([0-9]{15,22}/[A-Za-z0-9_-]{30,})"),
    Shape::new("Discord bot token", &["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"], r"(?:M[Tjz]|N[DTjz]|O[DT])[AEIMQUYcgk][A-Za-z0-9_-]{20,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}").word(),
    Shape::new("Telegram bot token", &[":AA"], "[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}").before(8, 10),
    Shape::new("Twilio key", &["SK"], "SK[a-f0-9]{32}").word(),
    Shape::new("Twilio account id", &["AC"], "AC[a-f0-9]{32}").word(),
    Shape::new("SendGrid key", &["SG."], r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}").word(),
    Shape::new("Mailgun key", &["key-"], "key-[a-f0-9]{32}").word(),
    Shape::new("Mailchimp key", &["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"], "[a-f0-9]{32}-us[0-9]{1,2}").before(32, 32).word(),
    Shape::new("Brevo key", &["xkeysib-", "xsmtpsib-"], "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}").word(),
    Shape::new("Resend key", &["re_"], "re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}").word(),
    Shape::new("HubSpot token", &["pat-na", "pat-eu"], "pat-(?:na|eu)[0-9]-[a-f0-9]{8}-[a-f0-9-]{27}").word(),
    // Money and shops.
    Shape::new("Stripe key", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}").word(),
    Shape::new("Stripe webhook secret", &["whsec_"], "whsec_[A-Za-z0-9+/=]{20,}").word(),
    Shape::new("Square token", &["sq0atp-", "sq0csp-", "sq0idp-"], "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}"),
    Shape::new("Square access token", &["EAAA"], "EAAA[A-Za-z0-9_-]{60}").word(),
    Shape::new("Facebook token", &["EAA"], "EAA[A-Za-z0-9]{60,}").word(),
    Shape::new("Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"], "shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}"),
    Shape::new("Plaid token", &["access-sandbox-", "access-development-", "access-production-"], "access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{27}").word(),
    Shape::new("EasyPost key", &["EZAK", "EZTK"], "EZ[AT]K[A-Za-z0-9]{54}").word(),
    Shape::new("Flutterwave key", &["FLWSECK"], "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?").word(),
    Shape::new("Shippo token", &["shippo_live_", "shippo_test_"], "shippo_(?:live|test)_[a-f0-9]{40}").word(),
    Shape::new("Duffel token", &["duffel_live_", "duffel_test_"], "duffel_(?:live|test)_[A-Za-z0-9_=-]{30,}").word(),
    // Tools.
    Shape::new("Vault token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{20,}").word(),
    Shape::new("Grafana token", &["glsa_", "glc_"], "(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,2})").word(),
    Shape::new("Grafana key", &["eyJrIjoi"], "eyJrIjoi[A-Za-z0-9]{40,}={0,2}").word(),
    Shape::new("Linear key", &["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
    Shape::new("Notion token", &["secret_", "ntn_"], "(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})").word(),
    Shape::new("Postman key", &["PMAK-"], "PMAK-[a-f0-9]{24}-[a-f0-9]{34}").word(),
    Shape::new("Doppler token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{32,}").word(),
    Shape::new("age key", &["AGE-SECRET-KEY-1", "AGE-PLUGIN-"], "AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]+)-1[A-Z0-9]{40,}"),
    Shape::new("Sentry token", &["sntrys_", "sntryu_"], "sntry[su]_[A-Za-z0-9+/=_]{40,}"),
    Shape::new("New Relic key", &["NRAK-", "NRAA-", "NRII-", "NRRA-", "NRJS-"], "NR(?:AK|AA|II|RA|JS)-[A-Za-z0-9_-]{19,}").word(),
    Shape::new("Figma token", &["figd_", "figu_"], "fig[du]_[A-Za-z0-9_-]{30,}").word(),
    Shape::new("Airtable token", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}").word(),
    Shape::new("Dropbox token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}").word(),
    Shape::new("Typeform token", &["tfp_"], "tfp_[A-Za-z0-9_.=-]{40,}").word(),
    Shape::new("Contentful token", &["CFPAT-"], "CFPAT-[A-Za-z0-9_-]{40,}").word(),
    Shape::new("Adafruit key", &["aio_"], "aio_[A-Za-z0-9]{28}").word(),
    Shape::new("ReadMe key", &["rdme_"], "rdme_[a-z0-9]{70}").word(),
    Shape::new("LaunchDarkly key", &["sdk-", "api-"], "(?:sdk|api)-[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9]{4}-[a-f0-9]{12}").word(),
    Shape::new("1Password token", &["ops_eyJ"], "ops_eyJ[A-Za-z0-9+/=_-]{40,}").word(),
    Shape::new("Mapbox secret token", &["sk.eyJ"], r"sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}").word(),
    Shape::new("JSON web token", &["eyJ"], r"eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}").word(),
    Shape::new("nostr key", &["nsec1"], "nsec1[a-z0-9]{58}").word(),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for shape in SHAPES.iter() {
            assert!(shape.regex().is_some(), "{}", shape.kind);
        }
    }
}
