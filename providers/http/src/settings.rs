//! The settings of the client, read from the variables of a run.

use std::path::PathBuf;
use std::time::Duration;

use aurumcode_core::provider::{Environment, SetupError, Variable};
use reqwest::{NoProxy, Proxy};

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
