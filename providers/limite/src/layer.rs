//! The layer: an estimate before the run, a reservation around each call, the sum at the end.

use aurumcode_core::async_trait;
use aurumcode_core::provider::{
    Billing, Completion, Effect, ErrorKind, Layer, Limits, ModelId, Note, Plan, Provider,
    ProviderError, Request, Run, Usage,
};

use crate::ledger::{Ledger, Outcome, Refusal};
use crate::money::{Ceiling, Money};
use crate::prices::{self, Prices};
use crate::tokens::{self, Ratio};

/// How many tokens an answer may have unless the user sets a cap.
const OUTPUT_TOKENS: u32 = 3000;

/// Meters every call of a run against one ceiling.
#[derive(Debug)]
pub(crate) struct Metering {
    /// What tells two metered models apart.
    fingerprint: String,
    prices: Prices,
    ledger: Ledger,
}

impl Metering {
    /// Meters with these prices. `asked` is the model that the user named on the command line,
    /// `answers` the one that answers.
    pub(crate) fn new(
        ceiling: Ceiling,
        prices: Prices,
        asked: Option<&ModelId>,
        answers: &ModelId,
    ) -> Self {
        let asked = asked.map_or("default", ModelId::as_str);
        let answers = answers.as_str();
        Self {
            // With its length, the first name cannot run into the second.
            fingerprint: format!("{}:{asked}:{answers}", asked.len()),
            prices,
            ledger: Ledger::new(ceiling),
        }
    }

    /// Returns what a call can cost at most, as far as that is known before it is made.
    fn largest_cost(&self, prompt_bytes: u64, cap: u32, ratio: Option<Ratio>) -> Money {
        self.prices.cost(Usage {
            input_tokens: Ratio::tokens_in(ratio, prompt_bytes),
            output_tokens: u64::from(cap),
        })
    }

    fn outcome(&self, prompt_bytes: u64, result: &Result<Completion, ProviderError>) -> Outcome {
        let reported = |usage: Usage| Outcome::Reported {
            cost: self.prices.cost(usage),
            ratio: Ratio::measured(usage.input_tokens, prompt_bytes),
        };
        match result {
            Ok(completion) => completion.usage.map_or_else(
                || {
                    Outcome::Estimated(self.prices.cost(Usage {
                        input_tokens: tokens::in_bytes(prompt_bytes),
                        output_tokens: tokens::in_bytes(completion.text.len() as u64),
                    }))
                },
                reported,
            ),
            Err(error) => match error.billing {
                Billing::NotBilled => Outcome::Free,
                Billing::Unknown => Outcome::Unknown,
                Billing::Reported(usage) => reported(usage),
            },
        }
    }

    fn refusal(&self, request: &Request, cap: u32, refusal: Refusal) -> ProviderError {
        let ceiling = self.ledger.ceiling();
        let message = match refusal.spent {
            Some(spent) => format!(
                "stopped before call {} of {}: {spent} of --limite {ceiling} spent",
                request.call.number, request.call.of
            ),
            None => format!(
                "refusing to call the model: the request's cost would exceed --limite {ceiling}; nothing was spent ({})",
                self.could_cost(request, cap, refusal.cost)
            ),
        };
        ProviderError::new(ErrorKind::BudgetExhausted, message)
    }

    /// Says what a call could cost, and why, to the last digit: a rounded figure can look as if it
    /// were the ceiling itself.
    fn could_cost(&self, request: &Request, cap: u32, cost: Money) -> String {
        format!(
            "a prompt of {} bytes at {} per 1000 tokens and an answer of up to {cap} tokens at {} per 1000 could cost {}",
            request.prompt.bytes(),
            self.prices.input,
            self.prices.output,
            cost.exact()
        )
    }
}

#[async_trait]
impl Layer for Metering {
    /// The ceiling is no part of it: it decides whether a call is made, never what is answered.
    fn effect(&self) -> Effect {
        Effect::Shapes {
            name: "metered model".to_owned(),
            fingerprint: self.fingerprint.clone(),
        }
    }

    fn narrow(&self, inner: Limits) -> Limits {
        Limits {
            output_tokens: inner.output_tokens.or(Some(OUTPUT_TOKENS)),
            ..inner
        }
    }

    fn preflight(&self, plan: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
        let bytes = plan
            .file_bytes
            .iter()
            .fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
        let estimate = self.prices.cost(Usage {
            input_tokens: tokens::in_bytes(bytes),
            output_tokens: u64::from(OUTPUT_TOKENS) * u64::from(plan.calls),
        });
        let mut notes = vec![Note::normal(format!(
            "estimated cost {estimate}, diff-only pre-flight (--limite {})",
            self.ledger.ceiling()
        ))];
        if self.prices.assumed {
            notes.push(Note::normal(format!(
                "prices are assumed for model {}: {} per 1000 tokens in, {} per 1000 tokens out; set {} and {} to what it costs",
                aurumcode_core::text::quoted(plan.model.as_str()),
                self.prices.input,
                self.prices.output,
                prices::INPUT.name,
                prices::OUTPUT.name,
            )));
        }
        Ok(notes)
    }

    async fn call(
        &self,
        request: &Request,
        next: &dyn Provider,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        // The cap that is reserved is the cap that is sent, also for a request that came without.
        let cap = request.output_cap.unwrap_or(OUTPUT_TOKENS);
        let capped;
        let request = if request.output_cap.is_some() {
            request
        } else {
            capped = Request {
                output_cap: Some(cap),
                ..request.clone()
            };
            &capped
        };
        let bytes = request.prompt.bytes();
        let reservation = self
            .ledger
            .reserve(|ratio| self.largest_cost(bytes, cap, ratio))
            .await
            .map_err(|refusal| {
                if refusal.spent.is_some() {
                    run.note(Note::detail(self.could_cost(request, cap, refusal.cost)));
                }
                self.refusal(request, cap, refusal)
            })?;
        let result = next.complete(request, run).await;
        reservation.close(self.outcome(bytes, &result));
        result
    }

    fn settle(&self) -> Vec<Note> {
        let account = self.ledger.account();
        let ceiling = self.ledger.ceiling();
        // A run that ended at its first call says why, and that nothing was spent is part of it.
        if account.wanted > 0 && account.billed == 0 {
            return Vec::new();
        }
        let mut lines = vec![format!(
            "actual cost {} (--limite {ceiling})",
            account.spent
        )];
        if account.estimated > 0 {
            lines.push(format!(
                "no usage was reported for {} of {} call(s): their cost is estimated, with 4 bytes of prompt and answer for a token",
                account.estimated, account.billed
            ));
        }
        if account.unknown > 0 {
            lines.push(format!(
                "{} of {} call(s) ended without a word about their cost: the {} that they could have cost count as spent",
                account.unknown, account.billed, account.unknown_cost
            ));
        }
        if account.spent > ceiling.amount() {
            lines.push(format!(
                "the actual cost passed --limite by {}: more tokens were counted than a call was expected to need",
                account.spent.minus(ceiling.amount()).exact()
            ));
        }
        lines.into_iter().map(Note::normal).collect()
    }
}

#[cfg(test)]
mod tests;
