//! Who gets the next permit.

use std::task::{Context, Poll, Waker};

use super::queue::{MAX_WAITING_OF_ONE, SHORT_IN_A_ROW};
use super::*;
use contact_hub_domain::ids::CompanyId;

fn company(number: u128) -> CompanyId {
    CompanyId::new(uuid::Uuid::from_u128(number))
}

fn poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    match std::pin::Pin::new(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[test]
fn freed_permits_alternate_between_companies() {
    let permits = Permits::new("test", 1, 1);
    let held = permits.take_at_once(Share::of(company(1)));
    let mut many: Vec<_> = (0..3).map(|_| Box::pin(permits.take(Share::of(company(1))))).collect();
    assert!(many.iter_mut().all(|call| poll(call).is_none()));
    let mut other = Box::pin(permits.take(Share::of(company(2))));
    assert!(poll(&mut other).is_none());
    drop(held);
    let first = poll(&mut many[0]).expect("the first that came").ok();
    assert!(poll(&mut other).is_none(), "it waits for its permit");
    drop(first);
    assert!(poll(&mut many[1]).is_none(), "its company has just had one");
    assert!(poll(&mut other).is_some(), "one call of another company goes before the rest");
}

#[test]
fn heavy_work_leaves_permits_for_other_companies_and_for_short_work() {
    let permits = Permits::new("test", 8, 6);
    let take = |share| permits.take_at_once(share);
    let one: Vec<_> = (0..5).filter_map(|_| take(Share::heavy(company(1)))).collect();
    assert_eq!(one.len(), 4);
    let two: Vec<_> = (0..5).filter_map(|_| take(Share::heavy(company(2)))).collect();
    assert_eq!(two.len(), 2);
    let short: Vec<_> = (0..5).filter_map(|_| take(Share::COMMON)).collect();
    assert_eq!(short.len(), 2);
}

#[test]
fn short_work_goes_before_heavy_work_but_not_always() {
    let permits = Permits::new("test", 1, 1);
    let mut held = permits.take_at_once(Share::COMMON);
    let waiting = |share| {
        let mut call = Box::pin(permits.take(share));
        assert!(poll(&mut call).is_none());
        call
    };
    let heavy = (1..=3).map(|n| Share::heavy(company(n)));
    let short = (0..2 * SHORT_IN_A_ROW).map(|_| Share::of(company(9)));
    let mut calls: Vec<_> = heavy.chain(short).map(|share| (share.heavy, waiting(share))).collect();
    let mut granted = Vec::new();
    while !calls.is_empty() {
        drop(held.take());
        let found = calls
            .iter_mut()
            .enumerate()
            .find_map(|(place, (_, call))| poll(call).map(|permit| (place, permit.ok())));
        let (place, permit) = found.expect("one of them gets the permit");
        granted.push(calls.remove(place).0);
        held = permit;
    }
    let of_heavy = granted.iter().enumerate().filter(|(_, is_heavy)| **is_heavy);
    let places: Vec<_> = of_heavy.map(|(place, _)| place).collect();
    assert_eq!(places, [SHORT_IN_A_ROW, 2 * SHORT_IN_A_ROW + 1, 2 * SHORT_IN_A_ROW + 2]);
}

#[test]
fn short_work_of_a_company_leaves_permits_for_others() {
    let permits = Permits::new("test", 8, 6);
    let take = |share| permits.take_at_once(share);
    let mut one: Vec<_> = (0..8).filter_map(|_| take(Share::of(company(1)))).collect();
    assert_eq!(one.len(), 6);
    assert!(take(Share::heavy(company(1))).is_none());
    let two: Vec<_> = (0..8).filter_map(|_| take(Share::of(company(2)))).collect();
    assert_eq!(two.len(), 2);
    one.pop();
    assert!(take(Share::of(company(1))).is_some());
    let small = Permits::new("test", 1, 1);
    assert!(small.take_at_once(Share::of(company(1))).is_some());
}

#[test]
fn an_abandoned_call_keeps_neither_its_place_nor_its_permit() {
    let permits = Permits::new("test", 1, 1);
    let held = permits.take_at_once(Share::COMMON);
    let mut left = Box::pin(permits.take(Share::heavy(company(1))));
    assert!(poll(&mut left).is_none());
    drop(left);
    let mut granted = Box::pin(permits.take(Share::COMMON));
    assert!(poll(&mut granted).is_none());
    drop(held);
    drop(granted);
    let state = permits.state();
    assert_eq!((state.usage.free, state.queue.is_empty()), (1, true));
}

#[test]
fn the_number_of_waiting_calls_of_a_company_is_bounded() {
    let permits = Permits::new("test", 1, 1);
    let _held = permits.take_at_once(Share::COMMON);
    let mut calls: Vec<_> =
        (0..MAX_WAITING_OF_ONE).map(|_| Box::pin(permits.take(Share::of(company(1))))).collect();
    assert!(calls.iter_mut().all(|call| poll(call).is_none()));
    let refused = poll(&mut Box::pin(permits.take(Share::of(company(1)))));
    assert!(matches!(refused, Some(Err(QueueFull))));
    assert!(poll(&mut Box::pin(permits.take(Share::of(company(2))))).is_none());
}
