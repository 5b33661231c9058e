//! How long GitHub asks to wait when it limits requests.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aurumcode_provider_http::Reply;
use aurumcode_provider_http::header::HeaderMap;

/// The wait that GitHub's documentation asks for where the answer states none. It doubles with each
/// refusal of the same request.
const UNSTATED: Duration = Duration::from_mins(1);

/// Returns the wait, or nothing when it is no limit that the request ran into. `refusals` counts
/// those of the same request before.
pub(super) fn asked_for(reply: &Reply, now: SystemTime, refusals: u32) -> Option<Duration> {
    let status = reply.status.as_u16();
    if !matches!(status, 403 | 429) {
        return None;
    }
    if let Some(seconds) = number(&reply.headers, "retry-after") {
        return Some(Duration::from_secs(seconds));
    }
    if number(&reply.headers, "x-ratelimit-remaining") == Some(0)
        && let Some(reset) = number(&reply.headers, "x-ratelimit-reset")
    {
        let reset = UNIX_EPOCH.checked_add(Duration::from_secs(reset))?;
        // The clocks of two machines differ a little.
        let wait = reset.duration_since(now).unwrap_or_default();
        return Some(wait.saturating_add(Duration::from_secs(1)));
    }
    let words = String::from_utf8_lossy(&reply.body).to_lowercase();
    (status == 429 || words.contains("rate limit"))
        .then(|| UNSTATED.saturating_mul(1 << refusals.min(8)))
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use aurumcode_provider_http::header::{HeaderName, HeaderValue};
    use aurumcode_provider_http::{StatusCode, Url};

    use super::*;

    fn wait(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Option<u64> {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        let reply = Reply {
            status: StatusCode::from_u16(status).unwrap(),
            headers,
            body: body.as_bytes().to_vec(),
            url: Url::parse("http://h").unwrap(),
            credentials_withheld: false,
        };
        let now = UNIX_EPOCH + Duration::from_secs(1000);
        asked_for(&reply, now, 1).map(|wait| wait.as_secs())
    }

    #[test]
    fn a_limit_is_told_from_a_missing_right() {
        assert_eq!(wait(403, &[], "Resource not accessible"), None);
        assert_eq!(wait(404, &[("retry-after", "3")], ""), None);
        assert_eq!(wait(403, &[("retry-after", "3")], ""), Some(3));
        let spent = |left, reset| {
            [
                ("x-ratelimit-remaining", left),
                ("x-ratelimit-reset", reset),
            ]
        };
        assert_eq!(wait(403, &spent("0", "1030"), ""), Some(31));
        assert_eq!(wait(429, &spent("0", "7"), ""), Some(1));
        assert_eq!(wait(403, &spent("12", "1030"), "forbidden"), None);
        let secondary = "You have exceeded a secondary rate limit.";
        assert_eq!(wait(403, &spent("12", "1030"), secondary), Some(120));
        assert_eq!(wait(429, &[("retry-after", "soon")], ""), Some(120));
    }
}
