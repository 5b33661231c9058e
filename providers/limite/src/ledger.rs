//! What a run has spent and what it has reserved, never above the ceiling together.
//!
//! A call reserves its largest cost before it is sent. Whoever comes first is served first: the
//! one whose turn it is waits while other calls are open, because each of them may give something
//! back, and is refused once none is.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::money::{Ceiling, Money};
use crate::tokens::Ratio;

/// How a call ended, as far as money is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It cost nothing.
    Free,
    /// The endpoint counted its tokens.
    Reported {
        /// What they cost.
        cost: Money,
        /// What they say about the size of tokens.
        ratio: Option<Ratio>,
    },
    /// There is an answer, and nobody counted its tokens.
    Estimated(Money),
    /// Nobody knows whether it was billed: all that was reserved counts as spent.
    Unknown,
}

/// Why a call may not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What the call could have cost.
    pub(crate) cost: Money,
    /// What was spent by then, or nothing where no call has been billed.
    pub(crate) spent: Option<Money>,
}

/// The figures of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Account {
    /// What the calls so far have cost.
    pub(crate) spent: Money,
    /// What the open calls could cost.
    pub(crate) reserved: Money,
    /// How many calls are open.
    pub(crate) open: u64,
    /// How many calls were wanted, allowed or not.
    pub(crate) wanted: u64,
    /// How many calls were billed, or could have been.
    pub(crate) billed: u64,
    /// How many answers came without a count of their tokens.
    pub(crate) estimated: u64,
    /// How many calls ended without a word about their cost.
    pub(crate) unknown: u64,
    /// What was reserved for those.
    pub(crate) unknown_cost: Money,
    /// Whether a call was refused; then all later ones are.
    refused: bool,
    /// The most tokens a byte that an endpoint has counted.
    ratio: Option<Ratio>,
}

/// The money of one run.
#[derive(Debug)]
pub(crate) struct Ledger {
    ceiling: Ceiling,
    account: Mutex<Account>,
    /// Held by the one call that may reserve next; it hands itself on in order of arrival, also
    /// when the one that holds it or waits for it goes away.
    turn: tokio::sync::Mutex<()>,
    /// Wakes the holder of the turn. It keeps one wake-up for a holder that is not waiting yet.
    closed: Notify,
}

impl Ledger {
    /// Starts with nothing spent.
    pub(crate) fn new(ceiling: Ceiling) -> Self {
        Self {
            ceiling,
            account: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            closed: Notify::new(),
        }
    }

    /// Returns the ceiling.
    pub(crate) fn ceiling(&self) -> &Ceiling {
        &self.ceiling
    }

    /// Returns the figures by now.
    pub(crate) fn account(&self) -> Account {
        *self.lock()
    }

    /// Reserves what a call could cost, given what has been measured by then.
    pub(crate) async fn reserve(
        &self,
        cost: impl Fn(Option<Ratio>) -> Money,
    ) -> Result<Reservation<'_>, Refusal> {
        let _turn = self.turn.lock().await;
        self.lock().wanted += 1;
        loop {
            if let Some(decision) = self.try_reserve(&cost) {
                return decision;
            }
            self.closed.notified().await;
        }
    }

    /// Decides about a call, or not yet.
    fn try_reserve(
        &self,
        cost: impl Fn(Option<Ratio>) -> Money,
    ) -> Option<Result<Reservation<'_>, Refusal>> {
        let mut account = self.lock();
        let amount = cost(account.ratio);
        let left = self
            .ceiling
            .amount()
            .minus(account.spent)
            .minus(account.reserved);
        if !account.refused && amount <= left {
            account.reserved = account.reserved.plus(amount);
            account.open += 1;
            return Some(Ok(Reservation {
                ledger: self,
                amount,
                outcome: Outcome::Unknown,
            }));
        }
        if account.open > 0 {
            return None;
        }
        // A smaller call that comes later may fit, but which one that is would be chance.
        account.refused = true;
        Some(Err(Refusal {
            cost: amount,
            spent: (account.billed > 0).then_some(account.spent),
        }))
    }

    fn close(&self, amount: Money, outcome: Outcome) {
        let mut account = self.lock();
        account.open = account.open.saturating_sub(1);
        account.reserved = account.reserved.minus(amount);
        account.billed += u64::from(outcome != Outcome::Free);
        let cost = match outcome {
            Outcome::Free => Money::ZERO,
            Outcome::Reported { cost, ratio } => {
                account.ratio = match (account.ratio, ratio) {
                    (Some(known), Some(new)) => Some(known.larger(new)),
                    (known, new) => known.or(new),
                };
                cost
            }
            Outcome::Estimated(cost) => {
                account.estimated += 1;
                cost
            }
            Outcome::Unknown => {
                account.unknown += 1;
                account.unknown_cost = account.unknown_cost.plus(amount);
                amount
            }
        };
        account.spent = account.spent.plus(cost);
        drop(account);
        self.closed.notify_one();
    }

    /// Every change of the figures is whole, so a panic elsewhere leaves none of them half done.
    fn lock(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is put aside for an open call. Dropping it counts all of it as spent: a call whose future
/// is gone may have been sent.
#[derive(Debug)]
pub(crate) struct Reservation<'a> {
    ledger: &'a Ledger,
    amount: Money,
    outcome: Outcome,
}

impl Reservation<'_> {
    /// Says how the call ended.
    pub(crate) fn close(mut self, outcome: Outcome) {
        self.outcome = outcome;
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.ledger.close(self.amount, self.outcome);
    }
}

#[cfg(test)]
mod tests;
