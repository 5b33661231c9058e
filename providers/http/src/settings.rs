//! The settings of the client, read from the variables of a run.

use std::path::PathBuf;
use std::time::Duration;

use aurumcode_core::provider::{Environment, ErrorKind, ProviderError, SetupError, Variable};
use reqwest::header::HeaderValue;
use reqwest::{NoProxy, Proxy, Url};
use secrecy::SecretString;

/// How long making a connection may take unless the user says otherwise.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long one call may take, from the connection to the last byte of the answer, unless the user
/// says otherwise.
pub const TOTAL_TIMEOUT: Duration = Duration::from_mins(5);

/// What is never asked through a proxy: a proxy cannot reach this machine's own services.
const LOOPBACK: &str = "localhost,127.0.0.0/8,::1";

/// The variables that [`HttpSettings::read`] reads, for a source to declare beside its own.
pub const VARIABLES: [Variable; 7] = [
    Variable {
        name: "AURUMCODE_CONNECT_TIMEOUT",
        help: "how long making a connection may take, in seconds (10)",
        secret: false,
    },
    Variable {
        name: "AURUMCODE_HTTP_TIMEOUT",
        help: "how long one call may take from connection to last byte, in seconds (300)",
        secret: false,
    },
    Variable {
        name: "HTTP_PROXY",
        help: "the proxy for http URLs; loopback addresses never go through a proxy",
        secret: false,
    },
    Variable {
        name: "HTTPS_PROXY",
        help: "the proxy for https URLs",
        secret: false,
    },
    Variable {
        name: "ALL_PROXY",
        help: "the proxy for URLs that no other proxy variable covers",
        secret: false,
    },
    Variable {
        name: "NO_PROXY",
        help: "hosts, domains, addresses and networks that no proxy is used for, with commas between them",
        secret: false,
    },
    Variable {
        name: "SSL_CERT_FILE",
        help: "a PEM file of root certificates to trust in place of the system's",
        secret: false,
    },
];

/// The client's settings.
#[derive(Clone)]
pub struct HttpSettings {
    pub(crate) connect: Duration,
    pub(crate) total: Duration,
    pub(crate) proxies: Vec<Proxy>,
    pub(crate) roots: Option<PathBuf>,
}

impl HttpSettings {
    /// Reads the settings. A value that cannot be used is an error that names its variable.
    pub fn read(environment: &Environment) -> Result<Self, SetupError> {
        let limit = |name| environment.seconds(name);
        Ok(Self {
            connect: limit("AURUMCODE_CONNECT_TIMEOUT")?.unwrap_or(CONNECT_TIMEOUT),
            total: limit("AURUMCODE_HTTP_TIMEOUT")?.unwrap_or(TOTAL_TIMEOUT),
            proxies: proxies(environment)?,
            roots: environment.raw("SSL_CERT_FILE").map(PathBuf::from),
        })
    }
}

/// Says nothing of the proxies, whose URLs may hold a password.
impl std::fmt::Debug for HttpSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            connect,
            total,
            proxies,
            roots,
        } = self;
        formatter
            .debug_struct("HttpSettings")
            .field("connect", connect)
            .field("total", total)
            .field("proxies", &proxies.len())
            .field("roots", roots)
            .finish()
    }
}

/// Reads the URL of an endpoint out of the variable `name`. The value is not quoted in errors: it
/// may hold a password.
pub fn endpoint_url(name: &str, value: &str, example: &str) -> Result<Url, ProviderError> {
    let wrong = |why: &str| {
        let message = format!("{name} {why}; give one like {example}");
        ProviderError::new(ErrorKind::Setup, message)
    };
    let url = Url::parse(value).map_err(|error| wrong(&format!("is no URL ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("does not begin with http:// or https://"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(wrong("names no host"));
    }
    Ok(url)
}

/// Refuses a URL with a user, a password or a query, which not every API takes.
pub fn refuse_credentials(name: &str, url: &Url) -> Result<(), ProviderError> {
    if url.username().is_empty() && url.password().is_none() && url.query().is_none() {
        return Ok(());
    }
    Err(ProviderError::new(
        ErrorKind::Setup,
        format!("{name} holds a user, a password or a query, and this API takes none"),
    ))
}

/// Takes the value of the variable `name` as a key.
pub fn key(name: &str, value: String) -> Result<SecretString, ProviderError> {
    if HeaderValue::from_str(&value).is_ok() {
        return Ok(value.into());
    }
    Err(ProviderError::new(
        ErrorKind::Setup,
        format!("{name} holds characters that no header can hold: check what it was copied from"),
    ))
}

type MakeProxy = fn(&str) -> reqwest::Result<Proxy>;

/// Reads the proxies. A name in small letters beats the one in capitals, as in curl.
fn proxies(environment: &Environment) -> Result<Vec<Proxy>, SetupError> {
    let either = |name: &str| {
        let small = environment.text(&name.to_lowercase());
        small.or_else(|| environment.text(name))
    };
    let mut direct = LOOPBACK.to_owned();
    if let Some(more) = either("NO_PROXY") {
        direct.push(',');
        direct.push_str(&more);
    }
    let kinds: [(&str, MakeProxy); 3] = [
        ("HTTP_PROXY", |url| Proxy::http(url)),
        ("HTTPS_PROXY", |url| Proxy::https(url)),
        ("ALL_PROXY", |url| Proxy::all(url)),
    ];
    let mut proxies = Vec::new();
    for (name, proxy) in kinds {
        let Some(url) = either(name) else { continue };
        // The value is not quoted: it may hold a password.
        let proxy = proxy(url.trim()).map_err(|_| {
            SetupError::Usage(format!(
                "{name} is no proxy URL; give one like http://proxy.example:3128"
            ))
        })?;
        proxies.push(proxy.no_proxy(NoProxy::from_string(&direct)));
    }
    Ok(proxies)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<HttpSettings, SetupError> {
        HttpSettings::read(&Environment::new(variables.iter().copied()))
    }

    #[test]
    fn limits_have_defaults_and_can_be_set() {
        let settings = read(&[]).unwrap();
        assert_eq!(
            (settings.connect, settings.total),
            (CONNECT_TIMEOUT, TOTAL_TIMEOUT)
        );
        let settings = read(&[
            ("AURUMCODE_CONNECT_TIMEOUT", " 2.5 "),
            ("AURUMCODE_HTTP_TIMEOUT", "900"),
        ])
        .unwrap();
        assert_eq!(
            (settings.connect, settings.total),
            (Duration::from_millis(2500), Duration::from_mins(15))
        );
    }

    #[test]
    fn an_endpoint_that_cannot_be_asked_is_named_and_never_quoted() {
        let read = |value: &str| {
            let url = endpoint_url("URL", value, "https://api.example")?;
            refuse_credentials("URL", &url).map(|()| url)
        };
        assert_eq!(read("https://h/v1").unwrap().as_str(), "https://h/v1");
        let example = "; give one like https://api.example";
        for (value, why) in [
            (
                "hush",
                format!("is no URL (relative URL without a base){example}"),
            ),
            (
                "hush:80",
                format!("does not begin with http:// or https://{example}"),
            ),
            (
                "https://hush@h",
                "holds a user, a password or a query, and this API takes none".to_owned(),
            ),
            (
                "https://:hush@h",
                "holds a user, a password or a query, and this API takes none".to_owned(),
            ),
            (
                "https://h?token=hush",
                "holds a user, a password or a query, and this API takes none".to_owned(),
            ),
        ] {
            assert_eq!(read(value).unwrap_err().message, format!("URL {why}"));
        }
    }

    #[test]
    fn a_broken_proxy_is_named_and_never_quoted() {
        let error = read(&[("https_proxy", "http://user:word@:x")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "HTTPS_PROXY is no proxy URL; give one like http://proxy.example:3128"
        );
        let settings = read(&[("HTTPS_PROXY", "http://user:word@proxy.example:1")]).unwrap();
        assert!(!format!("{settings:?}").contains("word"));
    }
}
