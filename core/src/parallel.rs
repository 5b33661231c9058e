//! The same work on many items, on all cores, with the results in the order of the items.

use std::convert::Infallible;
use std::num::NonZero;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// For how many items a further thread is started; for fewer it costs more than it brings.
const ITEMS_PER_THREAD: usize = 32;

/// The stack of a further thread: as large as that of a main thread, so that work which recurses
/// ends the same way on any of them.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Applies `work` to every item and returns the results in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let start = || Ok::<_, Infallible>(());
    let Ok(results) = try_map(items, start, |(), item| Ok(work(item)));
    results
}

/// Applies `work` to every item and returns the results in the order of the items, or the error of
/// the first item, in that order, that has one.
///
/// Every thread makes one state of its own with `start` and hands it to all of its work, for what
/// threads cannot share and what is too dear to make anew for each item. After an error no further
/// item is begun.
pub fn try_map<T, S, R, E>(
    items: &[T],
    start: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&mut S, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    T: Sync,
    R: Send,
    E: Send,
{
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(items.len().div_ceil(ITEMS_PER_THREAD));
    if threads <= 1 {
        let mut state = start()?;
        return items.iter().map(|item| work(&mut state, item)).collect();
    }
    // Each thread takes the next item when it is done with one. So neighbours, which often have much
    // in common, are worked on at the same time, and no thread is left with all the large ones.
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let share = || {
        let mut state = start()?;
        let mut results = Vec::with_capacity(items.len() / threads + 1);
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(&mut state, item);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            results.push((index, result));
        }
        Ok(results)
    };
    let mut results = thread::scope(|scope| {
        // A thread that the system does not give, or that cannot make its state, is one thread less.
        let further = || thread::Builder::new().stack_size(STACK_BYTES);
        let others: Vec<_> = (1..threads)
            .filter_map(|_| further().spawn_scoped(scope, share).ok())
            .collect();
        let mut results = share()?;
        for other in others {
            match other.join() {
                Ok(more) => results.extend(more.unwrap_or_default()),
                Err(panicked) => panic::resume_unwind(panicked),
            }
        }
        Ok(results)
    })?;
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of items for which one thread, a second one, and many have work.
    const COUNTS: [usize; 5] = [0, 1, ITEMS_PER_THREAD, ITEMS_PER_THREAD + 1, 1000];

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        for count in COUNTS {
            let items: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = (0..count).map(|item| item * 2).collect();
            assert_eq!(map(&items, |item| item * 2), doubled);
        }
    }

    #[test]
    fn the_first_error_counts_whoever_meets_it() {
        for count in COUNTS {
            let items: Vec<usize> = (0..count).collect();
            let first_odd = try_map(
                &items,
                || Ok(()),
                |(), item| if item % 2 == 1 { Err(*item) } else { Ok(*item) },
            );
            let right = if count > 1 { Err(1) } else { Ok(items) };
            assert_eq!(first_odd, right);
            let not_started = try_map(&[0; 100], || Err::<(), _>("no"), |(), item| Ok(*item));
            assert_eq!(not_started, Err("no"));
        }
    }

    #[test]
    fn a_state_is_used_for_all_items_of_its_thread() {
        let items = [(); 1000];
        let starts = AtomicUsize::new(0);
        let start = || Ok::<_, Infallible>(starts.fetch_add(1, Ordering::Relaxed));
        let Ok(states) = try_map(&items, start, |state, ()| Ok(*state));
        let starts = starts.into_inner();
        assert!(states.iter().all(|state| *state < starts));
        assert!(starts <= thread::available_parallelism().unwrap().get());
    }
}
