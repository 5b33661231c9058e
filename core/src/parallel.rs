//! The same work on many items, on all cores, with the results in the order of the items.

use std::convert::Infallible;
use std::num::NonZero;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// For how many items a further thread is started; for fewer it costs more than it brings.
const ITEMS_PER_THREAD: usize = 32;

/// The most threads, so that what one item takes of memory and of open files is there a few times at
/// most.
const MOST_THREADS: usize = 8;

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
/// threads cannot share and what is too dear to make anew for each item; a further thread that has
/// none is left out. After an error no further item is begun.
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
    let threads = items.len().div_ceil(ITEMS_PER_THREAD).min(MOST_THREADS);
    on_threads(threads.min(cores), items, start, work)
}

fn on_threads<T, S, R, E>(
    threads: usize,
    items: &[T],
    start: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&mut S, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    T: Sync,
    R: Send,
    E: Send,
{
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
        // A thread that the system does not give, or that has no state, is one thread less.
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
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = (0..count).map(|item| item * 2).collect();
            assert_eq!(map(&items, |item| item * 2), doubled);
            let by_four = on_threads(4, &items, || Ok::<_, ()>(2), |two, item| Ok(item * *two));
            assert_eq!(by_four, Ok(doubled));
        }
    }

    #[test]
    fn what_two_threads_did_in_turn_is_put_in_order() {
        // Each of the threads does one of the first two items and one of the last two.
        let both = Barrier::new(2);
        let work = |(): &mut (), item: &usize| {
            both.wait();
            Ok::<_, ()>(*item)
        };
        let items = [0, 1, 2, 3];
        assert_eq!(on_threads(2, &items, || Ok(()), work), Ok(items.to_vec()));
    }

    #[test]
    fn the_error_of_the_first_item_counts_also_when_it_comes_later() {
        // The barrier is passed when another thread has met the later error.
        let later_failed = Barrier::new(2);
        let work = |(): &mut (), item: &usize| match item {
            1 => {
                later_failed.wait();
                Err(1)
            }
            2 => {
                later_failed.wait();
                Err(2)
            }
            item => Ok(*item),
        };
        assert_eq!(on_threads(2, &[0, 1, 2, 3], || Ok(()), work), Err(1));
        assert_eq!(
            on_threads(
                1,
                &[0, 3, 2, 1],
                || Ok(()),
                |(), item| { if *item == 2 { Err(*item) } else { Ok(*item) } }
            ),
            Err(2)
        );
    }

    #[test]
    fn a_thread_without_a_state_is_left_out() {
        let states = AtomicUsize::new(0);
        let main = thread::current().id();
        let start = || {
            states.fetch_add(1, Ordering::Relaxed);
            if thread::current().id() == main {
                Ok(())
            } else {
                Err("none")
            }
        };
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(
            on_threads(4, &items, start, |(), item| Ok(*item)),
            Ok(items.clone())
        );
        assert_eq!(states.into_inner(), 4);
        let no_state = || Err::<(), _>("none");
        assert_eq!(
            on_threads(4, &items, no_state, |(), item| Ok(*item)),
            Err("none")
        );
    }
}
