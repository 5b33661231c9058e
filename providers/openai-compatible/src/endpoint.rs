//! Where to ask: one address out of the many ways in which people write a base URL.

use std::fmt::{self, Write as _};
use std::net::IpAddr;

use aurumcode_core::provider::ProviderError;
use aurumcode_core::text;
use aurumcode_provider_http::secrecy::{ExposeSecret as _, SecretString};
use aurumcode_provider_http::{Url, endpoint_url};
use percent_encoding::percent_decode_str;

use crate::settings::{digest, names_a_secret};

/// The variable that holds the URL.
pub(crate) const BASE_URL: &str = "LLM_BASE_URL";

/// What follows the base in the address of every endpoint of this kind.
const OPERATION: &str = "/chat/completions";

/// An endpoint's address and what it says about how to ask.
#[derive(Clone)]
pub(crate) struct Address {
    /// The whole address, without credentials.
    url: Url,
    /// The base as the user gave it, without credentials and query, for people.
    shown: String,
    /// Whether the user gave a host and no path, so that `/v1` may be missing.
    is_bare: bool,
    /// Whether the endpoint is a deployment of Azure's, which takes the key in a header of its own.
    is_azure: bool,
    /// User and password, when the URL has them.
    user: Option<(String, SecretString)>,
}

/// Only what people may see: the query may hold a secret.
impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Address").field(&self.shown).finish()
    }
}

impl Address {
    /// Reads a base URL: with or without a trailing slash, `/v1`, a prefix, a query, or the whole
    /// address of the operation.
    pub(crate) fn read(base: &str) -> Result<Self, ProviderError> {
        let mut url = endpoint_url(BASE_URL, base, "https://api.openai.com/v1")?;
        let user = user(&url);
        // Both fail only for URLs without a host.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_fragment(None);

        let segments: Vec<&str> = url
            .path()
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        let path = segments.join("/");
        let is_bare = path.is_empty();
        let is_azure = is_azure(&url, &path);
        let mut shown = url.clone();
        shown.set_query(None);
        shown.set_path(&path);
        let shown = text::one_line(shown.as_str().trim_end_matches('/')).into_owned();
        let whole = format!("/{path}");
        if whole.ends_with(OPERATION) {
            url.set_path(&whole);
        } else {
            url.set_path(&format!("{}{OPERATION}", whole.trim_end_matches('/')));
        }
        Ok(Self {
            url,
            shown,
            is_bare,
            is_azure,
            user,
        })
    }

    /// Returns the address to ask.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the address under `/v1`, when the user gave a host alone.
    pub(crate) fn under_v1(&self) -> Option<Url> {
        let mut url = self.url.clone();
        url.set_path(&format!("/v1{OPERATION}"));
        self.is_bare.then_some(url)
    }

    /// Returns the base as people may see it.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns whether the key goes into the header `api-key`.
    pub(crate) fn is_azure(&self) -> bool {
        self.is_azure
    }

    /// Returns the user and the password of the URL.
    pub(crate) fn user(&self) -> Option<(&str, &SecretString)> {
        let (name, password) = self.user.as_ref()?;
        Some((name, password))
    }

    /// Returns whether the endpoint is on this machine or in a private network, where no key is
    /// needed: a loopback or private address, or a host name without a dot.
    pub(crate) fn is_local(&self) -> bool {
        let host = self.url.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = address.parse::<IpAddr>() {
            return match address.to_canonical() {
                IpAddr::V4(address) => {
                    address.is_loopback()
                        || address.is_private()
                        || address.is_link_local()
                        || address.is_unspecified()
                }
                IpAddr::V6(address) => {
                    address.is_loopback()
                        || address.is_unique_local()
                        || address.is_unicast_link_local()
                        || address.is_unspecified()
                }
            };
        }
        let name = host.trim_end_matches('.');
        !name.contains('.') || name.ends_with(".localhost")
    }

    /// Returns the address as far as it may change the answer, for the identity. What may be a
    /// secret of the query is left out when its name says so, and is a digest otherwise.
    pub(crate) fn identity(&self) -> String {
        let mut url = self.url.clone();
        url.set_query(None);
        let mut identity = url.to_string();
        for (name, value) in self.url.query_pairs() {
            let value = match &*name {
                "api-version" => value.into_owned(),
                name if names_a_secret(name) => continue,
                _ => digest(value.as_bytes()),
            };
            let _ = write!(identity, " {name}={value}");
        }
        identity
    }

    /// Returns what must never leave the process.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let query = self.url.query_pairs();
        let mut secrets: Vec<String> = query
            .filter(|(name, _)| names_a_secret(name))
            .map(|(_, value)| value.into_owned())
            .collect();
        if let Some((_, password)) = &self.user {
            secrets.push(password.expose_secret().to_owned());
        }
        secrets
    }
}

fn user(url: &Url) -> Option<(String, SecretString)> {
    let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    let password = url.password().unwrap_or_default();
    if url.username().is_empty() && password.is_empty() {
        return None;
    }
    Some((decoded(url.username()), decoded(password).into()))
}

fn is_azure(url: &Url, path: &str) -> bool {
    const HOSTS: [&str; 3] = [
        ".openai.azure.com",
        ".cognitiveservices.azure.com",
        ".services.ai.azure.com",
    ];
    let host = url.host_str().unwrap_or_default();
    let has_version = url.query_pairs().any(|(name, _)| name == "api-version");
    HOSTS.iter().any(|suffix| host.ends_with(suffix))
        // Behind a gateway of the user's own the path is all that tells.
        || (has_version && path.contains("openai/deployments/"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn address(base: &str) -> Address {
        Address::read(base).unwrap()
    }

    #[test]
    fn every_way_to_write_a_base_url_gives_one_address() {
        let table = [
            ("http://h", "http://h/chat/completions", "http://h"),
            ("http://h/", "http://h/chat/completions", "http://h"),
            ("http://h/v1", "http://h/v1/chat/completions", "http://h/v1"),
            (
                "http://h/v1/",
                "http://h/v1/chat/completions",
                "http://h/v1",
            ),
            (
                " http://h//v1// ",
                "http://h/v1/chat/completions",
                "http://h/v1",
            ),
            (
                "http://h/v1/chat/completions",
                "http://h/v1/chat/completions",
                "http://h/v1/chat/completions",
            ),
            (
                "http://h/v1/chat/completions/",
                "http://h/v1/chat/completions",
                "http://h/v1/chat/completions",
            ),
            (
                "http://h/proxy/openai/v1/",
                "http://h/proxy/openai/v1/chat/completions",
                "http://h/proxy/openai/v1",
            ),
            (
                "https://h/v1?tenant=a&x=1#top",
                "https://h/v1/chat/completions?tenant=a&x=1",
                "https://h/v1",
            ),
            (
                "https://x.openai.azure.com/openai/deployments/d?api-version=2024-06-01",
                "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-06-01",
                "https://x.openai.azure.com/openai/deployments/d",
            ),
            (
                "http://user:word@h:8080/v1/",
                "http://h:8080/v1/chat/completions",
                "http://h:8080/v1",
            ),
        ];
        for (base, url, shown) in table {
            let address = address(base);
            assert_eq!(
                (address.url().as_str(), address.shown()),
                (url, shown),
                "{base}"
            );
        }
    }

    #[test]
    fn only_a_bare_host_is_tried_under_v1() {
        let under = |base: &str| address(base).under_v1().map(String::from);
        let expected = Some("http://h/v1/chat/completions?a=b".to_owned());
        assert_eq!(under("http://h?a=b"), expected);
        assert_eq!(under("http://h/?a=b"), expected);
        assert_eq!(under("http://h/v1"), None);
        assert_eq!(under("http://h/chat/completions"), None);
    }

    #[test]
    fn local_hosts_need_no_key() {
        for local in [
            "http://localhost:11434",
            "http://127.0.0.1",
            "http://127.9.9.9",
            "http://[::1]:8080",
            "http://[::ffff:127.0.0.1]",
            "http://10.1.2.3",
            "http://172.16.0.1",
            "http://192.168.1.20",
            "http://[fd00::1]",
            "http://ollama:11434",
            "http://gpu.localhost",
            "http://0.0.0.0:8000",
        ] {
            assert!(address(local).is_local(), "{local}");
        }
        for remote in [
            "https://api.openai.com/v1",
            "http://8.8.8.8",
            "http://172.32.0.1",
            "http://[2001:db8::1]",
            "http://10.example",
            "http://localhost.example",
        ] {
            assert!(!address(remote).is_local(), "{remote}");
        }
    }

    #[test]
    fn azure_is_known_by_its_host_or_by_a_deployment_with_a_version() {
        assert!(address("https://x.openai.azure.com/openai/v1").is_azure());
        assert!(address("http://gateway/openai/deployments/d?api-version=1").is_azure());
        assert!(!address("http://gateway/openai/deployments/d").is_azure());
        assert!(!address("https://openai.azure.com.example/v1").is_azure());
    }

    #[test]
    fn what_is_no_http_url_is_refused_without_quoting_it() {
        let message = |base: &str| Address::read(base).unwrap_err().message;
        insta::assert_snapshot!(
            [message("localhost:8080/v1"), message("api.example/v1"), message("http://"), message("ftp://u:word@h")].join("\n"),
            @r"
        LLM_BASE_URL does not begin with http:// or https://; give one like https://api.openai.com/v1
        LLM_BASE_URL is no URL (relative URL without a base); give one like https://api.openai.com/v1
        LLM_BASE_URL is no URL (empty host); give one like https://api.openai.com/v1
        LLM_BASE_URL does not begin with http:// or https://; give one like https://api.openai.com/v1
        "
        );
    }

    #[test]
    fn the_identity_tells_what_can_change_the_answer_and_no_secret() {
        assert_eq!(
            address("https://u:word@h/v1?api-version=3&api_key=hush&sig=hush").identity(),
            "https://h/v1/chat/completions api-version=3"
        );
        assert_ne!(
            address("https://h/v1?tenant=a").identity(),
            address("https://h/v1?tenant=b").identity()
        );
        assert!(
            !address("https://h/v1?tenant=hush")
                .identity()
                .contains("hush")
        );
    }

    proptest! {
        #[test]
        fn no_path_is_doubled(parts in proptest::collection::vec("[a-z0-9]{1,4}", 0..4), slashes in 1_usize..3) {
            let base = format!("http://h{0}{1}{0}", "/".repeat(slashes), parts.join(&"/".repeat(slashes)));
            let address = address(&base);
            let url = address.url().as_str();
            prop_assert!(!url["http://".len()..].contains("//"), "{}", url);
            prop_assert!(url.ends_with("/chat/completions"));
            // Giving the whole address asks there too.
            let whole = Address::read(url).unwrap();
            prop_assert_eq!(whole.url().as_str(), url);
        }
    }
}
