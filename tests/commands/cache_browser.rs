//! Listing the cache: conditions, orders, pages and histograms, compared with the entries.

use std::ops::Range;

use strum::VariantNames as _;

use crate::plain::PLAIN;
use plyscope::{
    command::Shell,
    engine::{
        game::Keyed,
        morris::{Key, Morris, Position},
        session::{
            AnySession, Session,
            cache::{CacheList, Sort},
            reply::Score,
            search::StopReport,
        },
        table::Entry,
    },
};

fn session(settings: &[(&str, &str)]) -> Box<dyn AnySession> {
    let mut session: Box<dyn AnySession> =
        Box::new(Session::new(Morris::default(), <_>::default()));
    session.set_settings(&[&PLAIN, settings].concat()).unwrap();
    session.set_position("wb.w.bw./.b.w..b./w..b.w.. w 0 0").unwrap();
    session.value(5, None, None).unwrap();
    session
}

fn listed(
    session: &dyn AnySession,
    condition: Option<&str>,
    sort: Sort,
    page: Range<usize>,
) -> CacheList {
    session.cache_list(condition.as_slice(), sort, page).unwrap()
}

/// Entries as reported, with their positions.
type Row = (Keyed<Key>, Entry, Position);

fn rows(list: &CacheList) -> Vec<Row> {
    let row = |entry: &plyscope::engine::session::cache::EntryReport| {
        let key: Key = entry.key.split(':').next().unwrap().parse().unwrap();
        let depth = entry.depth.unwrap();
        let plain = Entry {
            value: entry.value,
            window: entry.window,
            depth: entry.depth,
            ..Entry::default()
        };
        (Keyed { key, depth }, plain, key.position())
    };
    list.entries.iter().map(row).collect()
}

/// A condition as text and as a function.
type Condition<'a> = (&'a str, &'a dyn Fn(&Row) -> bool);

#[test]
fn conditions_select_the_entries_they_describe() {
    let session = session(&[("memo", "interval")]);
    let all = listed(&*session, None, Sort::Table, 0..usize::MAX);
    assert!(all.total > 1000, "{}", all.total);
    let side = |p: &Position| p.side();
    let stones = |p: &Position, other: bool| {
        let side = if other { side(p).other() } else { side(p) };
        p.stones(side).len()
    };
    let value = |entry: &Entry| entry.value.get();
    let conditions: [Condition<'_>; 9] = [
        ("depth>=2 and value<0 and stones=11", &|(at, entry, p)| {
            at.depth >= 2 && value(entry) < 0.0 && stones(p, false) + stones(p, true) == 11
        }),
        ("depth = 0 or depth = 3", &|(at, ..)| at.depth == 0 || at.depth == 3),
        ("not value >= 0", &|(_, entry, _)| value(entry) < 0.0),
        ("bound = lower and depth = 1", &|(at, entry, _)| {
            at.depth == 1 && entry.window.unwrap().fails_high(entry.value)
        }),
        ("own > other", &|(_, _, p)| stones(p, false) > stones(p, true)),
        ("beta - alpha < 2", &|(_, entry, _)| {
            let window = entry.window.unwrap();
            window.beta.get() - window.alpha.get() < 2.0
        }),
        ("mills >= 3", &|(_, _, p)| p.in_mills(p.side()).len() >= 3),
        ("hand > 0", &|_| false),
        ("key = 00 and key != 001", &|(at, ..)| {
            let key = at.key.to_string();
            key.starts_with("00") && !key.starts_with("001")
        }),
    ];
    let everything = rows(&all);
    for (condition, holds) in conditions {
        let found = listed(&*session, Some(condition), Sort::Table, 0..usize::MAX);
        let wanted: Vec<_> = everything.iter().filter(|row| holds(row)).copied().collect();
        assert_eq!(rows(&found), wanted, "{condition}");
        let filter = [condition];
        assert_eq!((found.matching, found.total), (wanted.len(), all.total));
        let histogram = session.cache_histogram(&filter, 7).unwrap();
        assert_eq!(histogram.matching, wanted.len());
        let of_values: usize = histogram.by_value.iter().map(|bucket| bucket.entries).sum();
        let of_depths: usize = histogram.breakdown.by_depth.iter().map(|line| line.entries).sum();
        assert_eq!((of_values, of_depths), (wanted.len(), wanted.len()));
    }
    let state = &all.entries[7].state.clone().unwrap();
    let condition = format!("state = \"{state}\"");
    let found = listed(&*session, Some(&condition), Sort::Table, 0..usize::MAX);
    assert!(!found.entries.is_empty());
    assert!(found.entries.iter().all(|entry| entry.state.as_ref() == Some(state)));
}

#[test]
fn all_pages_together_are_the_whole_list() {
    let session = session(&[("memo", "interval")]);
    for sort in [Sort::Table, Sort::Key, Sort::Depth, Sort::Value, Sort::Uses] {
        for condition in [None, Some("value != 0")] {
            let whole = listed(&*session, condition, sort, 0..usize::MAX);
            assert_eq!(whole.entries.len(), whole.matching);
            let mut together = Vec::new();
            for offset in (0..whole.matching + 97).step_by(97) {
                let page = offset..offset + 97;
                let part = listed(&*session, condition, sort, page);
                assert_eq!((part.matching, part.offset), (whole.matching, offset));
                together.extend(part.entries);
            }
            assert_eq!(together, whole.entries, "{sort:?} {condition:?}");
        }
    }
    let by_value = listed(&*session, None, Sort::Value, 0..usize::MAX);
    assert!(by_value.entries.is_sorted_by(|a, b| a.value >= b.value));
    let by_depth = listed(&*session, None, Sort::Depth, 0..usize::MAX);
    assert!(by_depth.entries.is_sorted_by(|a, b| a.depth >= b.depth));
}

#[test]
fn the_commands_orders_equal_the_caches() {
    let (list, _) = plyscope::command::table().exact(&["cache", "list"]).unwrap();
    let sort = list.params.iter().find(|param| param.name == "sort").unwrap();
    let named: Vec<_> = sort.choices.iter().map(|order| order.name).collect();
    assert_eq!(named, Sort::VARIANTS);
}

#[test]
fn only_matching_entries_are_removed() {
    let mut session = session(&[("memo", "interval")]);
    let all = listed(&*session, None, Sort::Table, 0..usize::MAX);
    let filter = ["depth=0 and value<=0"];
    let removed = session.cache_remove_where(&filter).unwrap();
    let remaining = listed(&*session, None, Sort::Table, 0..usize::MAX);
    let kept =
        all.entries.iter().filter(|entry| !(entry.depth == Some(0) && entry.value <= Score::ZERO));
    let kept: Vec<_> = kept.cloned().collect();
    assert_eq!(remaining.entries, kept);
    assert_eq!((removed.removed, removed.entries), (all.total - kept.len(), kept.len()));
    // Removed entries are not found again, the others are.
    assert!(session.cache_get(&kept[0].key).unwrap().entry.is_some());
}

#[test]
fn values_fall_into_buckets_that_cover_them() {
    let session = session(&[("memo", "bound")]);
    let histogram = session.cache_histogram(&[], 4).unwrap();
    assert_eq!(histogram.by_value.len(), 4);
    let edges = histogram.by_value.windows(2);
    assert!(edges.into_iter().all(|pair| pair[0].to == pair[1].from));
    for bucket in &histogram.by_value {
        let condition = format!("value >= {} and value < {}", bucket.from, bucket.to);
        let inside = listed(&*session, Some(&condition), Sort::Table, 0..0).matching;
        let last = histogram.by_value.last() == Some(bucket);
        assert!(inside == bucket.entries || last && inside <= bucket.entries);
    }
}

fn failure(shell: &mut Shell, line: &str) -> (String, Option<usize>) {
    let failure = shell.run_line(line).pop().unwrap().expect_err(line);
    let place = failure.place.as_ref().map(|place| place.column);
    (failure.fault.to_string(), place)
}

#[test]
fn faults_point_into_the_condition() {
    let mut shell = Shell::default();
    for (line, words, column) in [
        ("cache list dpeth>2", "did you mean `depth`", 12),
        ("cache list depth>2 and", "missing at the end", 23),
        ("cache list --where \"bound=lowre\"", "`lowre` is not a bound", 20),
        ("cache remove --where \"depth\"", "compare it", 22),
        ("cache histogram state=nowhere", "", 23),
    ] {
        let (message, place) = failure(&mut shell, line);
        assert!(message.contains(words), "{line}: {message}");
        assert_eq!(place, Some(column), "{line}: {message}");
    }
    shell.run_line("search set memo=rote");
    let (message, _) = failure(&mut shell, "cache list depth>2");
    assert!(message.contains("depth"), "{message}");
    let (message, _) = failure(&mut shell, "cache remove");
    assert!(message.contains("--where"), "{message}");
    let (message, _) = failure(&mut shell, "cache remove here:1 --where \"value>0\"");
    assert!(message.contains("not both"), "{message}");
}

#[test]
fn conditions_given_in_both_ways_are_joined() {
    let mut shell = Shell::default();
    shell.run_line("position set w.b...../.w....../....b... w 7 7; search value --depth 3");
    let mut count = |line: &str| {
        let response = shell.run_line(line).pop().unwrap().unwrap();
        let count: Option<&CacheList> = response.reply.downcast_ref();
        count.unwrap().matching
    };
    let joined = count("cache list --limit 0 depth=1 or depth=2 --where \"value<0\"");
    assert_eq!(joined, count("cache list --limit 0 (depth=1 or depth=2) and value<0"));
    assert!(joined > 0 && joined < count("cache list --limit 0 depth=1 or depth=2"));
    assert_eq!(count("cache list --limit 0 --depth 1"), count("cache list --limit 0 depth=1"));
}

/// Conditions take values as the list shows them, and as the search has them.
#[test]
fn conditions_take_values_as_they_are_shown() {
    let chess = "game chess; play e4 e5 Bc4 Nc6 Qh5; search set depth=3; search run";
    let morris = "search set depth=4; search run";
    for (setup, pairs) in [
        (
            chess,
            [
                ("value<-0.80", "value<-80"),
                ("value>=+1.5", "value>=150"),
                ("value=#1", "value=99998"),
            ],
        ),
        (
            morris,
            [
                ("value<=-0.0", "value<=0"),
                ("value>=+0.02", "value>=0.02"),
                ("value<win", "value<1"),
            ],
        ),
    ] {
        let mut shell = Shell::default();
        shell.run_line(setup);
        let mut count = |condition: &str| {
            let list = shell.run_line(&format!("cache list --limit 0 --where \"{condition}\""));
            list.into_iter()
                .next_back()
                .unwrap()
                .unwrap()
                .reply
                .downcast_ref::<CacheList>()
                .unwrap()
                .matching
        };
        for (shown, own) in pairs {
            assert_eq!(count(shown), count(own), "{shown}");
            assert!(count(shown) > 0, "{shown}");
        }
        let depths = ["depth>=1.5", "depth>1"].map(&mut count);
        assert_eq!(depths[0], depths[1], "only values have a scale");
    }
}

/// A saved condition is read on the scale of its own game.
#[test]
fn a_saved_condition_on_values_keeps_its_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pawns.ply");
    let mut shell = Shell::default();
    let set = "game chess; play e4 e5 Bc4 Nc6 Qh5; search set depth=3; break if value < -3.00";
    let mut stop = |lines: &str| {
        let response = shell.run_line(lines).pop().unwrap().unwrap();
        let stop = response.reply.downcast_ref::<StopReport>().unwrap();
        let event = stop.event.as_ref().unwrap();
        (event.index, event.value.unwrap().get())
    };
    let first = stop(&format!("{set}; session save {}; continue", file.display()));
    let again = stop(&format!("game morris; session load {}; continue", file.display()));
    assert_eq!(first, again);
    assert!(first.1 < -300.0, "{first:?}");
}
