//! The one client: limits of time and size, proxies, certificates, and redirects that never carry
//! a credential to another origin.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;
use std::time::Instant;

use aurumcode_core::limits::{ANSWER_BYTES, ERROR_BYTES};
use aurumcode_core::provider::{Billing, ErrorKind, ProviderError};
use aurumcode_core::text;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Certificate, Method, Response, StatusCode, Url, redirect};
use secrecy::{ExposeSecret as _, SecretString};

use crate::settings::HttpSettings;
use crate::transport::{failure, too_slow};
use crate::words::shown;

/// The most redirects that one call follows.
const REDIRECTS: usize = 5;

/// One request. What is secret of it goes to the origin of `url` and nowhere else.
#[derive(Clone)]
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// The address, without credentials.
    pub url: Url,
    /// Headers that say nothing secret.
    pub headers: HeaderMap,
    /// Headers that must not reach another origin.
    pub credentials: Vec<(HeaderName, SecretString)>,
    /// The body.
    pub body: Vec<u8>,
}

/// What came back, decompressed.
#[derive(Clone)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body: of a success whole, of anything else at most
    /// [`ERROR_BYTES`](aurumcode_core::limits::ERROR_BYTES).
    pub body: Vec<u8>,
    /// The address that answered, after redirects.
    pub url: Url,
    /// Whether a redirect led to another origin, so that the credentials stayed behind.
    pub credentials_withheld: bool,
}

impl Outgoing {
    /// Makes a request that posts this JSON and asks for JSON, without credentials.
    pub fn json(url: Url, body: impl Into<Vec<u8>>) -> Self {
        let json = HeaderValue::from_static("application/json");
        Self {
            method: Method::POST,
            url,
            headers: HeaderMap::from_iter([(ACCEPT, json.clone()), (CONTENT_TYPE, json)]),
            credentials: Vec::new(),
            body: body.into(),
        }
    }
}

impl Reply {
    /// Makes a reply that says nothing else.
    pub fn new(status: StatusCode, url: Url) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Vec::new(),
            url,
            credentials_withheld: false,
        }
    }

    /// Returns the body as text, without blanks and marks around it.
    pub fn text(&self) -> Cow<'_, str> {
        let blank = |character: char| character.is_whitespace() || character == '\u{feff}';
        match String::from_utf8_lossy(&self.body) {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(blank)),
            Cow::Owned(text) => Cow::Owned(text.trim_matches(blank).to_owned()),
        }
    }
}

/// Only what people may see: a query may hold a secret, and a body is somebody's code.
impl fmt::Debug for Outgoing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Outgoing")
            .field("method", &self.method)
            .field("url", &shown(&self.url))
            .finish_non_exhaustive()
    }
}

/// Only what people may see, as for [`Outgoing`].
impl fmt::Debug for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reply")
            .field("status", &self.status)
            .field("url", &shown(&self.url))
            .finish_non_exhaustive()
    }
}

/// The client of a run. It connects to nothing and reads no certificate before the first call.
#[derive(Debug)]
pub struct Client {
    settings: HttpSettings,
    built: OnceLock<Result<Built, ProviderError>>,
}

#[derive(Debug)]
struct Built {
    client: reqwest::Client,
    /// Why no https address can be asked, when no root certificate was found.
    without_roots: Option<String>,
}

impl Client {
    /// Makes a client.
    pub fn new(settings: HttpSettings) -> Self {
        Self {
            settings,
            built: OnceLock::new(),
        }
    }

    /// Sends a request, follows redirects and reads the reply, all within the time limit. Whatever
    /// status comes back is a reply; only no whole reply is an error.
    pub async fn exchange(&self, outgoing: &Outgoing) -> Result<Reply, ProviderError> {
        let built = match self.built.get_or_init(|| build(&self.settings)) {
            Ok(built) => built,
            Err(error) => return Err(error.clone()),
        };
        let endpoint = shown(&outgoing.url);
        let started = Instant::now();
        let limit = self.settings.total;
        let outcome = match tokio::time::timeout(limit, follow(built, outgoing)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(too_slow(&endpoint, limit)),
        };
        let milliseconds = started.elapsed().as_millis();
        let method = outgoing.method.as_str();
        match &outcome {
            Ok(reply) => tracing::debug!(
                method,
                url = %endpoint,
                status = reply.status.as_u16(),
                bytes = reply.body.len(),
                milliseconds,
                "answered"
            ),
            Err(error) => tracing::debug!(
                method,
                url = %endpoint,
                kind = ?error.kind,
                milliseconds,
                "failed"
            ),
        }
        outcome
    }
}

fn build(settings: &HttpSettings) -> Result<Built, ProviderError> {
    // A program that has installed a provider of its own keeps it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let plain = || {
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("aurumcode/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(settings.connect)
            .redirect(redirect::Policy::none())
            .referer(false)
            .no_proxy();
        for proxy in &settings.proxies {
            builder = builder.proxy(proxy.clone());
        }
        builder
    };
    let trusting = match roots(settings) {
        Ok(Some(roots)) => plain()
            .tls_certs_only(roots)
            .build()
            .map_err(|error| cause(&error)),
        Ok(None) => plain().build().map_err(|error| cause(&error)),
        Err(cause) => Err(cause),
    };
    match trusting {
        Ok(client) => Ok(Built {
            client,
            without_roots: None,
        }),
        // A machine without certificates can still ask a server of its own over http.
        Err(cause) => match plain().tls_certs_only([]).build() {
            Ok(client) => Ok(Built {
                client,
                without_roots: Some(cause),
            }),
            Err(error) => Err(ProviderError::new(
                ErrorKind::Setup,
                format!("no HTTP client can be made here: {}", self::cause(&error)),
            )),
        },
    }
}

/// Reads the root certificates that the user names, in place of the system's.
fn roots(settings: &HttpSettings) -> Result<Option<Vec<Certificate>>, String> {
    const MOST_BYTES: u64 = 16 * 1024 * 1024;
    let Some(path) = &settings.roots else {
        return Ok(None);
    };
    let named = format!(
        "SSL_CERT_FILE={}",
        text::path(path.as_os_str().as_encoded_bytes())
    );
    let read = || {
        use std::io::Read as _;
        let mut bytes = Vec::new();
        std::fs::File::open(path)?
            .take(MOST_BYTES)
            .read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    let bytes = read().map_err(|error| format!("reading {named}: {error}"))?;
    let roots = Certificate::from_pem_bundle(&bytes).unwrap_or_default();
    if roots.is_empty() {
        Err(format!("{named} holds no certificate in PEM form"))
    } else {
        Ok(Some(roots))
    }
}

fn cause(error: &reqwest::Error) -> String {
    use std::error::Error as _;
    let cause = error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string);
    text::one_line(&cause).into_owned()
}

async fn follow(built: &Built, outgoing: &Outgoing) -> Result<Reply, ProviderError> {
    let mut url = outgoing.url.clone();
    let mut withheld = false;
    for _ in 0..=REDIRECTS {
        let response = send(built, outgoing, &url, withheld).await?;
        let Some(next) = target(&response, &outgoing.method, &url) else {
            return read(response, url, withheld).await;
        };
        if url.scheme() == "https" && next.scheme() != "https" {
            return Err(refused_redirect(&url, &next, "which is not encrypted"));
        }
        // Once another origin had a say, no later address gets the credentials back.
        withheld = withheld || !same_owner(&outgoing.url, &next);
        url = next;
    }
    Err(refused_redirect(
        &outgoing.url,
        &url,
        "after too many redirects",
    ))
}

async fn send(
    built: &Built,
    outgoing: &Outgoing,
    url: &Url,
    withheld: bool,
) -> Result<Response, ProviderError> {
    let endpoint = shown(url);
    if let (Some(cause), "https") = (&built.without_roots, url.scheme()) {
        return Err(ProviderError::new(
            ErrorKind::Setup,
            format!(
                "no certificate of {endpoint} can be checked ({cause}): install the system's root \
                 certificates (ca-certificates), or set SSL_CERT_FILE to a PEM file"
            ),
        ));
    }
    let mut headers = outgoing.headers.clone();
    if !withheld {
        for (name, value) in &outgoing.credentials {
            let Ok(mut value) = HeaderValue::from_str(value.expose_secret()) else {
                return Err(ProviderError::new(
                    ErrorKind::Setup,
                    format!(
                        "the value of the header {name} holds characters that no header can hold"
                    ),
                ));
            };
            value.set_sensitive(true);
            headers.insert(name.clone(), value);
        }
    }
    built
        .client
        .request(outgoing.method.clone(), url.clone())
        .headers(headers)
        .body(outgoing.body.clone())
        .send()
        .await
        .map_err(|error| failure(&error, &endpoint))
}

/// Returns where a redirect leads that keeps the method and can be followed.
fn target(response: &Response, method: &Method, url: &Url) -> Option<Url> {
    let keeps_method = match response.status().as_u16() {
        307 | 308 => true,
        301..=303 => method == Method::GET,
        _ => false,
    };
    if !keeps_method {
        return None;
    }
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let mut next = url.join(location).ok()?;
    if !matches!(next.scheme(), "http" | "https") {
        return None;
    }
    // Credentials that a server puts into an address are not the user's.
    let _ = next.set_username("");
    let _ = next.set_password(None);
    next.set_fragment(None);
    Some(next)
}

/// Returns whether what may be said to `first` may be said to `next`: the same origin, or the same
/// host over https instead of http, both on their usual ports.
fn same_owner(first: &Url, next: &Url) -> bool {
    let upgraded = first.scheme() == "http"
        && next.scheme() == "https"
        && first.port().is_none()
        && next.port().is_none()
        && first.host() == next.host();
    upgraded || first.origin() == next.origin()
}

fn refused_redirect(from: &Url, to: &Url, why: &str) -> ProviderError {
    ProviderError::new(
        ErrorKind::Rejected,
        format!(
            "{} redirects to {} {why}; it was not followed",
            shown(from),
            shown(to)
        ),
    )
}

async fn read(mut response: Response, url: Url, withheld: bool) -> Result<Reply, ProviderError> {
    let status = response.status();
    let headers = response.headers().clone();
    let limit = if status.is_success() {
        ANSWER_BYTES
    } else {
        ERROR_BYTES
    };
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => break,
            // The status has said all that matters; its body only explains.
            Err(_) if !status.is_success() => break,
            Err(error) => return Err(failure(&error, &shown(&url))),
        }
        if body.len() > limit {
            if status.is_success() {
                return Err(ProviderError::new(
                    ErrorKind::BadResponse,
                    format!("the answer of {} is longer than {limit} bytes", shown(&url)),
                )
                .billed(Billing::Unknown));
            }
            body.truncate(limit);
            break;
        }
    }
    Ok(Reply {
        status,
        headers,
        body,
        url,
        credentials_withheld: withheld,
    })
}

#[cfg(test)]
mod tests;
