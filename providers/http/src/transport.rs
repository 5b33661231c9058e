//! What went wrong on the way: no connection, no trust, no time, no whole answer.

use std::error::Error;
use std::time::Duration;

use aurumcode_core::provider::{Billing, ErrorKind, ProviderError};
use aurumcode_core::text;

/// Returns the typed error of a call that did not bring a whole reply from `endpoint`.
pub(crate) fn failure(error: &reqwest::Error, endpoint: &str) -> ProviderError {
    let cause = cause(error);
    let sent = !error.is_connect();
    let (kind, message) = if let Some(trust) = distrust(error) {
        (
            ErrorKind::Setup,
            format!(
                "the certificate of {endpoint} is not trusted ({trust}): set SSL_CERT_FILE to a \
                 PEM file with the root certificate that signed it"
            ),
        )
    } else if error.is_timeout() {
        (
            ErrorKind::Timeout,
            format!(
                "no connection to {endpoint} in time: check that the server runs, or set \
                 AURUMCODE_CONNECT_TIMEOUT to more seconds"
            ),
        )
    } else if error.is_connect() {
        (
            ErrorKind::Transport,
            format!(
                "cannot connect to {endpoint} ({cause}): check that the server runs and that its address is right"
            ),
        )
    } else if is_garbled(error) {
        (
            ErrorKind::BadResponse,
            format!("the answer of {endpoint} cannot be decompressed ({cause})"),
        )
    } else {
        (
            ErrorKind::Transport,
            format!(
                "the connection to {endpoint} broke before the whole answer was here ({cause})"
            ),
        )
    };
    let billing = if sent {
        Billing::Unknown
    } else {
        Billing::NotBilled
    };
    ProviderError::new(kind, message).billed(billing)
}

/// Returns the error of a call that took longer than allowed.
pub(crate) fn too_slow(endpoint: &str, limit: Duration) -> ProviderError {
    ProviderError::new(
        ErrorKind::Timeout,
        format!(
            "no whole answer from {endpoint} within {} s: set AURUMCODE_HTTP_TIMEOUT to more \
             seconds for a slow model",
            limit.as_secs_f64()
        ),
    )
    .billed(Billing::Unknown)
}

/// Returns the innermost cause, which says what happened and holds no URL.
fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let words = match innermost.downcast_ref::<reqwest::Error>() {
        // The outermost error is the only one that would name the URL with its query.
        Some(_) => "no cause is stated".to_owned(),
        None => innermost.to_string(),
    };
    text::one_line(&words).into_owned()
}

/// Returns whether the bytes that came are not what their compression says. The client calls every
/// failure behind a compressed answer one of decoding, a cut line too.
fn is_garbled(error: &reqwest::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput};
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<std::io::Error>() {
            return matches!(error.kind(), InvalidData | InvalidInput);
        }
        next = error.source();
    }
    false
}

/// Returns why the server's certificate is not trusted, when that is what happened. It will not
/// be trusted a moment later either.
fn distrust(error: &reqwest::Error) -> Option<String> {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(error @ rustls::Error::InvalidCertificate(_)) = error.downcast_ref() {
            return Some(text::one_line(&error.to_string()).into_owned());
        }
        // An I/O error shows the source of what it wraps and hides what it wraps, which may be
        // another I/O error.
        let wrapped = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        next = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    None
}
