//! The layer: ask, and when that failed in a way that can pass, wait and ask again.

use std::time::{Duration, SystemTime};

use aurumcode_core::async_trait;
use aurumcode_core::provider::{
    Completion, Effect, Layer, Limits, Note, Plan, Provider, ProviderError, Request, RetryAdvice,
    Run,
};
use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};

use crate::settings::{MAX_TIME, MAX_WAIT, Settings};

/// The first wait where the server asks for none, without its random part.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Waits and asks again when that can help.
#[derive(Debug)]
pub(crate) struct Retry {
    settings: Settings,
}

/// Why a call that could get better is not made again.
enum End {
    /// It was made as often as allowed.
    Attempts,
    /// The server asks for a longer wait than allowed.
    LongWait(Duration),
    /// The next attempt would start too late.
    Time,
}

impl Retry {
    /// Asks again within these ends.
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Returns growing waits. A wait and its random part, which is no longer than the wait, stay
    /// below the longest wait together.
    fn backoff(&self, seed: u64) -> ExponentialBackoff {
        let longest = self.settings.max_wait / 2;
        ExponentialBuilder::new()
            .with_min_delay(FIRST_WAIT.min(longest))
            .with_max_delay(longest)
            .without_max_times()
            .with_jitter()
            .with_jitter_seed(seed)
            .build()
    }

    /// Decides what to do after an attempt that failed this long after the first one began.
    fn next_wait(
        &self,
        attempt: u32,
        asked: Option<Duration>,
        elapsed: Duration,
        backoff: &mut ExponentialBackoff,
    ) -> Result<Duration, End> {
        let Settings {
            attempts,
            max_wait,
            max_time,
        } = self.settings;
        if attempt >= attempts {
            return Err(End::Attempts);
        }
        // A server that asks for no wait at all would be asked again before it had changed.
        let asked = asked.filter(|wait| !wait.is_zero());
        if let Some(wait) = asked.filter(|wait| *wait > max_wait) {
            return Err(End::LongWait(wait));
        }
        let wait = asked.or_else(|| backoff.next()).ok_or(End::Attempts)?;
        if elapsed.saturating_add(wait) > max_time {
            return Err(End::Time);
        }
        Ok(wait)
    }

    /// Adds to a failure how often the call was made and why it is not made again. Where one
    /// attempt is all that is allowed, there is nothing to add.
    fn ended(&self, mut error: ProviderError, attempt: u32, end: &End) -> ProviderError {
        let tried = if attempt == 1 {
            "tried once".to_owned()
        } else {
            format!("tried {attempt} times")
        };
        let why = match end {
            End::Attempts if attempt == 1 => return error,
            End::Attempts => tried,
            End::LongWait(wait) => format!(
                "{tried}; the server asks to wait {}, and {} allows {}",
                seconds(*wait),
                MAX_WAIT.name,
                seconds(self.settings.max_wait)
            ),
            End::Time => format!(
                "{tried}; another attempt would start later than the {} that {} allows",
                seconds(self.settings.max_time),
                MAX_TIME.name
            ),
        };
        error.message = format!("{} ({why})", error.message);
        error
    }

    fn note(&self, request: &Request, error: &ProviderError, wait: Duration, next: u32) -> Note {
        let call = request.call;
        let which = if call.of > 1 {
            format!("call {} of {}: ", call.number, call.of)
        } else {
            String::new()
        };
        Note::normal(format!(
            "{which}{error}; asking again in {} (attempt {next} of {})",
            seconds(wait),
            self.settings.attempts
        ))
    }
}

#[async_trait]
impl Layer for Retry {
    fn effect(&self) -> Effect {
        Effect::Transparent
    }

    fn narrow(&self, inner: Limits) -> Limits {
        inner
    }

    fn preflight(&self, _plan: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
        Ok(Vec::new())
    }

    async fn call(
        &self,
        request: &Request,
        next: &dyn Provider,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        let started = run.now();
        let mut backoff = self.backoff(run.random());
        let mut waited = Duration::ZERO;
        let mut attempt = 1;
        loop {
            let error = match next.complete(request, run).await {
                Ok(completion) => return Ok(completion),
                Err(error) => error,
            };
            let RetryAdvice::After(asked) = error.retry_advice() else {
                return Err(error);
            };
            let elapsed = since(started, run.now()).max(waited);
            let wait = match self.next_wait(attempt, asked, elapsed, &mut backoff) {
                Ok(wait) => wait,
                Err(end) => return Err(self.ended(error, attempt, &end)),
            };
            attempt += 1;
            run.note(self.note(request, &error, wait, attempt));
            run.sleep(wait).await;
            waited = waited.saturating_add(wait);
        }
    }

    fn settle(&self) -> Vec<Note> {
        Vec::new()
    }
}

/// Returns the time between two times of day, or none when the clock was set back.
fn since(started: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(started).unwrap_or_default()
}

/// Writes seconds with at most one digit after the point, rounded up, so that no wait is `0 s`.
fn seconds(duration: Duration) -> String {
    let tenths = duration.as_nanos().div_ceil(100_000_000);
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} s"),
        (whole, tenth) => format!("{whole}.{tenth} s"),
    }
}

#[cfg(test)]
mod tests;
