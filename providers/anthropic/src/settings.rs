//! What the variables of a run say about the API, read once and checked.

use aurumcode_core::provider::{
    BuildContext, Limits, ModelId, ProviderError, Unready, Variable, token_limits,
};
use aurumcode_provider_http::secrecy::SecretString;
use aurumcode_provider_http::{HttpSettings, Url, endpoint_url, refuse_credentials};

/// The variable that holds the key.
pub(crate) const API_KEY: &str = "ANTHROPIC_API_KEY";

/// The variable that holds the URL.
pub(crate) const BASE_URL: &str = "ANTHROPIC_BASE_URL";

/// The variable that names the model.
const MODEL: &str = "LLM_MODEL";

const DEFAULT_BASE: &str = "https://api.anthropic.com";

/// The variables of its own.
pub(crate) const OWN: [Variable; 3] = [
    Variable {
        name: API_KEY,
        help: "the key of Anthropic's API",
        secret: true,
    },
    Variable {
        name: BASE_URL,
        help: "the base URL of the Messages API (https://api.anthropic.com)",
        secret: false,
    },
    Variable {
        name: MODEL,
        help: "the model that reviews, unless --modelo names one",
        secret: false,
    },
];

/// What the variables say.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The address of the operation.
    pub(crate) url: Url,
    /// The base as people know it.
    pub(crate) shown: String,
    pub(crate) key: SecretString,
    pub(crate) model: ModelId,
    pub(crate) limits: Limits,
    pub(crate) http: HttpSettings,
}

impl Settings {
    pub(crate) fn read(context: &BuildContext<'_>) -> Result<Self, Unready> {
        let environment = context.environment;
        let Some(key) = environment.trimmed(API_KEY) else {
            return Err(Unready::NotMine(format!("set {API_KEY}")));
        };
        let key = aurumcode_provider_http::key(API_KEY, key)?;
        let named = context.model.cloned();
        let Some(model) = named.or_else(|| environment.trimmed(MODEL).map(ModelId::new)) else {
            return Err(Unready::NotMine(format!(
                "name a model with --modelo anthropic:<model> or {MODEL}"
            )));
        };
        let base = environment.trimmed(BASE_URL);
        let base = base.as_deref().unwrap_or(DEFAULT_BASE);
        let (url, shown) = address(base)?;
        Ok(Self {
            url,
            shown,
            key,
            model,
            limits: token_limits(environment)?,
            http: HttpSettings::read(environment)?,
        })
    }
}

/// Returns the address of the operation and the base for people. The base is taken with or without
/// `/v1` and a slash at its end.
fn address(base: &str) -> Result<(Url, String), ProviderError> {
    let mut url = endpoint_url(BASE_URL, base, DEFAULT_BASE)?;
    refuse_credentials(BASE_URL, &url)?;
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/v1").unwrap_or(path).to_owned();
    url.set_path(&path);
    let shown = aurumcode_provider_http::shown(&url);
    let shown = shown.trim_end_matches('/').to_owned();
    url.set_path(&format!("{path}/v1/messages"));
    Ok((url, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_base_gives_one_address() {
        for (base, url, shown) in [
            ("https://h", "https://h/v1/messages", "https://h"),
            ("https://h/", "https://h/v1/messages", "https://h"),
            ("https://h/v1/", "https://h/v1/messages", "https://h"),
            (
                "http://h:1/proxy/v1",
                "http://h:1/proxy/v1/messages",
                "http://h:1/proxy",
            ),
        ] {
            let (address, for_people) = address(base).unwrap();
            assert_eq!(
                (address.as_str(), for_people.as_str()),
                (url, shown),
                "{base}"
            );
        }
    }
}
