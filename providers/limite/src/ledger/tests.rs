use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use proptest::prelude::*;
use tokio::sync::oneshot;

use super::*;

fn ceiling(text: &str) -> Ceiling {
    Ceiling::parse(text).unwrap()
}

fn money(text: &str) -> Money {
    ceiling(text).amount()
}

/// A task that is polled only after it was woken, so that a lost wake-up shows as a task that
/// never ends.
struct Task<'a> {
    future: Pin<Box<dyn Future<Output = Result<(), Refusal>> + 'a>>,
    woken: Arc<Flag>,
    outcome: Option<oneshot::Sender<Outcome>>,
}

#[derive(Default)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl<'a> Task<'a> {
    /// Makes a call that reserves `cost` and stays open until it is told how it ended.
    fn new(ledger: &'a Ledger, cost: Money) -> Self {
        let (sender, receiver) = oneshot::channel();
        let future = async move {
            let reservation = ledger.reserve(|_| cost).await?;
            let outcome = receiver.await.unwrap_or(Outcome::Unknown);
            reservation.close(outcome);
            Ok(())
        };
        Self {
            future: Box::pin(future),
            woken: Arc::new(Flag(AtomicBool::new(true))),
            outcome: Some(sender),
        }
    }

    fn end(&mut self, outcome: Outcome) {
        if let Some(sender) = self.outcome.take() {
            let _ = sender.send(outcome);
        }
    }

    fn poll_if_woken(&mut self) -> Option<Result<(), Refusal>> {
        if !self.woken.0.swap(false, Ordering::SeqCst) {
            return None;
        }
        let waker = Waker::from(Arc::clone(&self.woken));
        match self.future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }
}

#[test]
fn a_call_that_does_not_fit_waits_for_its_turn() {
    let ledger = Ledger::new(ceiling("10"));
    let mut first = Task::new(&ledger, money("6"));
    let mut second = Task::new(&ledger, money("6"));
    let mut third = Task::new(&ledger, money("1"));
    for task in [&mut first, &mut second, &mut third] {
        assert_eq!(task.poll_if_woken(), None);
    }
    assert_eq!(
        ledger.account().open,
        1,
        "the third waits behind the second"
    );

    first.end(Outcome::Estimated(money("3")));
    assert_eq!(first.poll_if_woken(), Some(Ok(())));
    assert_eq!(second.poll_if_woken(), None);
    assert_eq!(third.poll_if_woken(), None);
    assert_eq!(ledger.account().spent, money("3"));
    assert_eq!(ledger.account().reserved, money("7"));
    assert_eq!(ledger.account().open, 2);
}

#[test]
fn a_call_is_refused_when_nothing_is_open() {
    let ledger = Ledger::new(ceiling("10"));
    let mut first = Task::new(&ledger, money("6"));
    let mut second = Task::new(&ledger, money("6"));
    let mut third = Task::new(&ledger, money("1"));
    for task in [&mut first, &mut second, &mut third] {
        task.poll_if_woken();
    }
    first.end(Outcome::Unknown);
    first.poll_if_woken();
    let refusal = |cost| {
        Some(Err(Refusal {
            cost: money(cost),
            spent: Some(money("6")),
        }))
    };
    assert_eq!(second.poll_if_woken(), refusal("6"));
    assert_eq!(
        third.poll_if_woken(),
        refusal("1"),
        "it would fit, but the run has stopped"
    );
}

#[test]
fn a_call_that_was_not_billed_gives_everything_back() {
    let ledger = Ledger::new(ceiling("10"));
    let mut first = Task::new(&ledger, money("10"));
    first.poll_if_woken();
    first.end(Outcome::Free);
    assert_eq!(first.poll_if_woken(), Some(Ok(())));
    let mut second = Task::new(&ledger, money("10.5"));
    assert_eq!(
        second.poll_if_woken(),
        Some(Err(Refusal {
            cost: money("10.5"),
            spent: None,
        }))
    );
}

#[test]
fn a_call_that_goes_away_while_it_waits_leaves_its_place() {
    let ledger = Ledger::new(ceiling("10"));
    let mut first = Task::new(&ledger, money("6"));
    let mut second = Task::new(&ledger, money("6"));
    let mut third = Task::new(&ledger, money("1"));
    for task in [&mut first, &mut second, &mut third] {
        task.poll_if_woken();
    }
    drop(second);
    assert_eq!(third.poll_if_woken(), None);
    assert_eq!(ledger.account().reserved, money("7"));
}

#[test]
fn a_call_that_goes_away_after_sending_counts_as_spent() {
    let ledger = Ledger::new(ceiling("10"));
    let mut first = Task::new(&ledger, money("6"));
    first.poll_if_woken();
    drop(first);
    let account = ledger.account();
    assert_eq!((account.spent, account.reserved), (money("6"), Money::ZERO));
    assert_eq!((account.unknown, account.unknown_cost), (1, money("6")));
}

#[test]
fn more_than_was_reserved_is_recorded_and_stops_the_run() {
    let ledger = Ledger::new(ceiling("10"));
    let mut first = Task::new(&ledger, money("1"));
    first.poll_if_woken();
    first.end(Outcome::Reported {
        cost: money("11"),
        ratio: None,
    });
    first.poll_if_woken();
    assert_eq!(ledger.account().spent, money("11"));
    let mut second = Task::new(&ledger, money("0.001"));
    assert_eq!(
        second.poll_if_woken(),
        Some(Err(Refusal {
            cost: money("0.001"),
            spent: Some(money("11")),
        }))
    );
}

/// What a driver of many calls does next; numbers choose among the calls that there are.
#[derive(Debug, Clone)]
enum Step {
    Start { cents: u32 },
    Poll(prop::sample::Index),
    End(prop::sample::Index, Ending),
    Drop(prop::sample::Index),
}

#[derive(Debug, Clone, Copy)]
enum Ending {
    Free,
    Unknown,
    /// Percents of what was reserved.
    Part(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let ending = prop_oneof![
        Just(Ending::Free),
        Just(Ending::Unknown),
        (0_u64..=100).prop_map(Ending::Part),
    ];
    prop_oneof![
        3 => (1_u32..=40).prop_map(|cents| Step::Start { cents }),
        6 => any::<prop::sample::Index>().prop_map(Step::Poll),
        3 => (any::<prop::sample::Index>(), ending)
            .prop_map(|(index, ending)| Step::End(index, ending)),
        1 => any::<prop::sample::Index>().prop_map(Step::Drop),
    ]
}

proptest! {
    #[test]
    fn no_interleaving_passes_the_ceiling_or_hangs(steps in prop::collection::vec(step(), 0..120)) {
        let limit = money("1");
        let ledger = Ledger::new(ceiling("1"));
        let mut tasks: VecDeque<(Task<'_>, u32)> = VecDeque::new();
        for step in steps {
            if let Step::Start { cents } = step {
                let cost = money(&format!("{cents}e-2"));
                tasks.push_back((Task::new(&ledger, cost), cents));
            } else if !tasks.is_empty() {
                match step {
                    Step::Start { .. } => {}
                    Step::Poll(index) => {
                        let at = index.index(tasks.len());
                        if tasks[at].0.poll_if_woken().is_some() {
                            tasks.remove(at);
                        }
                    }
                    Step::End(index, ending) => {
                        let at = index.index(tasks.len());
                        let (task, cents) = &mut tasks[at];
                        task.end(match ending {
                            Ending::Free => Outcome::Free,
                            Ending::Unknown => Outcome::Unknown,
                            Ending::Part(0) => Outcome::Estimated(Money::ZERO),
                            Ending::Part(percent) => Outcome::Estimated(money(&format!(
                                "{}e-4",
                                percent * u64::from(*cents)
                            ))),
                        });
                    }
                    Step::Drop(index) => {
                        tasks.remove(index.index(tasks.len()));
                    }
                }
            }
            let account = ledger.account();
            prop_assert!(account.spent.plus(account.reserved) <= limit);
        }
        for (task, _) in &mut tasks {
            task.end(Outcome::Free);
        }
        // Each round at least one task goes on; a round in which none is woken would be a hang.
        while !tasks.is_empty() {
            prop_assert!(tasks.iter().any(|(task, _)| task.woken.0.load(Ordering::SeqCst)), "nobody is woken");
            for _ in 0..tasks.len() {
                if let Some((mut task, cents)) = tasks.pop_front()
                    && task.poll_if_woken().is_none()
                {
                    tasks.push_back((task, cents));
                }
                let account = ledger.account();
                prop_assert!(account.spent.plus(account.reserved) <= limit);
            }
        }
        let account = ledger.account();
        prop_assert_eq!((account.open, account.reserved), (0, Money::ZERO));
    }
}
