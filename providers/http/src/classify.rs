//! The one reading of a refusal: status, vendor codes, words and headers in, a typed error out,
//! with a message that reads like help.

use std::fmt::Write as _;
use std::time::Duration;

use aurumcode_core::provider::{Billing, ErrorKind, ProviderError};
use aurumcode_core::text;

use crate::words::excerpt;
use crate::{Asked, Key, Refusal};

/// Returns what a refusal means.
pub fn classify(refusal: &Refusal, asked: &Asked<'_>) -> ProviderError {
    let kind = kind(refusal);
    let (mut message, remedy) = help(kind, refusal, asked);
    if refusal.status != 200 {
        let _ = write!(message, " (HTTP {})", refusal.status);
    }
    if let Some(remedy) = remedy {
        message.push_str(": ");
        message.push_str(&remedy);
    }
    let words = excerpt(&refusal.message, asked.redactor);
    if !words.is_empty() {
        message.push_str("; the server says: ");
        message.push_str(&words);
    }
    let code = refusal.code().map(|code| excerpt(code, asked.redactor));
    ProviderError {
        kind,
        message,
        status: Some(refusal.status),
        code,
        billing: billing(refusal.status),
    }
}

/// A request that was refused before any work costs nothing; of any other nobody can say.
fn billing(status: u16) -> Billing {
    match status {
        408 => Billing::Unknown,
        300..500 => Billing::NotBilled,
        _ => Billing::Unknown,
    }
}

fn kind(refusal: &Refusal) -> ErrorKind {
    let status = refusal.status;
    let retry_after = refusal.wait;
    // A server that is failing by itself may say anything; a client's error needs a status that
    // blames the client. An error inside an answer has none, and only its words count.
    let blames_client = !(500..600).contains(&status);
    if blames_client && is_too_long(refusal) {
        return ErrorKind::TooLong {
            limit_tokens: window(refusal),
        };
    }
    if blames_client && is_quota(refusal) {
        return ErrorKind::QuotaExhausted;
    }
    if refusal.has_code(&RATE_CODES) && blames_client {
        return ErrorKind::RateLimited { retry_after };
    }
    if refusal.has_code(&OVERLOAD_CODES) {
        return ErrorKind::Overloaded { retry_after };
    }
    match status {
        401 => ErrorKind::Authentication,
        _ if blames_client && is_bad_key(refusal) => ErrorKind::Authentication,
        403 => ErrorKind::Permission,
        200 | 400 | 404 | 410 | 422 if is_unknown_model(refusal) => ErrorKind::ModelNotFound,
        200 => ErrorKind::BadResponse,
        408 | 504 | 524 => ErrorKind::Timeout,
        429 => ErrorKind::RateLimited { retry_after },
        // What is not implemented will not be a moment later.
        501 | 505 => ErrorKind::Rejected,
        500.. => ErrorKind::Overloaded { retry_after },
        _ => ErrorKind::Rejected,
    }
}

const RATE_CODES: [&str; 6] = [
    "rate_limit_error",
    "rate_limit_exceeded",
    "ratelimiterror",
    "throttlingexception",
    "throttling_error",
    "too_many_requests",
];

const OVERLOAD_CODES: [&str; 5] = [
    "engine_overloaded",
    "engine_overloaded_error",
    "model_overloaded",
    "overloaded_error",
    "server_overloaded",
];

fn is_too_long(refusal: &Refusal) -> bool {
    const CODES: [&str; 5] = [
        "context_length_exceeded",
        "context_window_exceeded",
        "exceed_context_size_error",
        "request_too_large",
        "string_above_max_length",
    ];
    const WORDS: [&str; 14] = [
        "contextwindowexceedederror",
        "context_length_exceeded",
        "exceeds the available context size",
        "exceeds the context window",
        "exceeds the maximum number of tokens allowed",
        "exceeds the model's context",
        "exceeds the model's maximum context",
        "input is too long for",
        "longer than the model's context",
        "maximum context length",
        "prompt is too long",
        "reduce the length of the",
        "request too large for",
        "too large for model with",
    ];
    refusal.status == 413 || refusal.has_code(&CODES) || refusal.says(&WORDS)
}

fn is_quota(refusal: &Refusal) -> bool {
    const CODES: [&str; 6] = [
        "billing_hard_limit_reached",
        "billing_not_active",
        "budget_exceeded",
        "exceeded_current_quota_error",
        "insufficient_quota",
        "insufficient_user_quota",
    ];
    const WORDS: [&str; 4] = [
        "budget has been exceeded",
        "credit balance is too low",
        "insufficient balance",
        "insufficient credits",
    ];
    let words = refusal.status == 402 || refusal.has_code(&CODES) || refusal.says(&WORDS);
    // One vendor uses these words for its limits by the minute too, and then names a wait.
    words || (refusal.says(&["exceeded your current quota"]) && refusal.wait.is_none())
}

fn is_bad_key(refusal: &Refusal) -> bool {
    const CODES: [&str; 4] = [
        "api_key_invalid",
        "authentication_error",
        "invalid_api_key",
        "unauthenticated",
    ];
    const WORDS: [&str; 5] = [
        "api key not valid",
        "incorrect api key",
        "invalid api key",
        "no api key passed in",
        // What one proxy answers to a key that it has no table to look up in.
        "no connected db",
    ];
    refusal.has_code(&CODES) || refusal.says(&WORDS)
}

fn is_unknown_model(refusal: &Refusal) -> bool {
    const CODES: [&str; 5] = [
        "deploymentnotfound",
        "invalid_model",
        "model_not_available",
        "model_not_found",
        "model_not_supported",
    ];
    const WORDS: [&str; 8] = [
        "deployment does not exist",
        "invalid model",
        "model does not exist",
        "model not found",
        "no such model",
        "not a valid model",
        "unknown model",
        "has been decommissioned",
    ];
    if refusal.has_code(&CODES)
        || refusal.says(&WORDS)
        || refusal.parameter.as_deref() == Some("model")
    {
        return true;
    }
    let missing = [
        "does not exist",
        "not found",
        "deprecated",
        "retired",
        "no longer",
    ];
    matches!(refusal.status, 404 | 410)
        && !refusal.is_page
        && refusal.says(&["model"])
        && refusal.says(&missing)
}

/// Returns the window in tokens, where the server names it.
fn window(refusal: &Refusal) -> Option<u64> {
    const LEADS: [&str; 10] = [
        "maximum context length is",
        "maximum context length of",
        "context length of only",
        "number of tokens allowed",
        "available context size",
        "context window of",
        "context size of",
        "context length is",
        "tokens >",
        "limit",
    ];
    let message = refusal.message.to_lowercase();
    refusal.window.or_else(|| {
        LEADS
            .iter()
            .find_map(|lead| number_after(&message, lead))
            .filter(|window| *window > 0)
    })
}

/// Returns the number that follows `lead` with no more than a few signs between them.
fn number_after(words: &str, lead: &str) -> Option<u64> {
    const SIGNS: &[char] = &[' ', '(', ':', '=', '`', '\''];
    words.match_indices(lead).find_map(|(at, _)| {
        let rest = words.get(at + lead.len()..)?.trim_start_matches(SIGNS);
        let end = rest
            .find(|character: char| !(character.is_ascii_digit() || character == ','))
            .unwrap_or(rest.len());
        rest.get(..end)?.replace(',', "").parse().ok()
    })
}

/// Returns what happened and, where there is something to do, the remedy.
fn help(kind: ErrorKind, refusal: &Refusal, asked: &Asked<'_>) -> (String, Option<String>) {
    let Asked {
        endpoint,
        api,
        model,
        key,
        url_variable,
        model_setting,
        redactor: _,
    } = *asked;
    let model = text::quoted(model.as_str());
    // A source that takes no key can only ask another endpoint.
    let (is_sent, key_remedy) = match key {
        Key::None => (false, format!("check {url_variable}")),
        Key::Unset(variable) => (false, format!("set {variable}")),
        Key::Sent(variable) => (true, format!("check {variable}")),
    };
    match kind {
        ErrorKind::Authentication if is_sent => {
            (format!("{endpoint} refuses the key"), Some(key_remedy))
        }
        ErrorKind::Authentication => (format!("{endpoint} asks for a key"), Some(key_remedy)),
        ErrorKind::Permission if is_sent => (
            format!("{endpoint} does not allow this key to use the model {model}"),
            Some("use another key or another model".to_owned()),
        ),
        ErrorKind::Permission => (
            format!("{endpoint} does not allow the use of the model {model} without a key"),
            Some(key_remedy),
        ),
        ErrorKind::ModelNotFound => (
            format!("{endpoint} does not serve a model named {model}"),
            Some(format!("name one that it serves with {model_setting}")),
        ),
        ErrorKind::RateLimited { retry_after } => (
            format!("{endpoint} has had too many requests{}", after(retry_after)),
            None,
        ),
        ErrorKind::QuotaExhausted | ErrorKind::BudgetExhausted => (
            format!("the account's quota at {endpoint} is used up"),
            Some("check its plan and billing".to_owned()),
        ),
        ErrorKind::Overloaded { retry_after } => (
            format!("{endpoint} is overloaded or failing{}", after(retry_after)),
            None,
        ),
        ErrorKind::TooLong { limit_tokens } => (
            match limit_tokens {
                Some(limit) => format!(
                    "the request is longer than the {limit} tokens that {endpoint} takes for the model {model}"
                ),
                None => {
                    format!("the request is longer than {endpoint} takes for the model {model}")
                }
            },
            None,
        ),
        ErrorKind::Timeout => (
            format!("{endpoint} did not get an answer from the model {model} in time"),
            None,
        ),
        ErrorKind::Rejected if refusal.status == 404 || refusal.status == 405 => (
            format!("nothing that speaks {api} answers at {endpoint}"),
            Some(format!("check {url_variable}")),
        ),
        ErrorKind::Rejected if (300..400).contains(&refusal.status) => (
            format!("{endpoint} points to another address"),
            Some(format!("set {url_variable} to it")),
        ),
        ErrorKind::Rejected => (format!("{endpoint} rejects the request"), None),
        ErrorKind::Transport | ErrorKind::BadResponse | ErrorKind::Setup => (
            format!("{endpoint} answered with an error instead of an answer"),
            None,
        ),
    }
}

fn after(wait: Option<Duration>) -> String {
    match wait {
        Some(wait) => format!(" and asks to wait {} s", wait.as_secs_f64()),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
