//! Speed of the full screen: a frame at the largest size, and a key while a search runs with a million entries.

#![allow(clippy::expect_used)] // a bench without its search has nothing to say

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::Event;
use ratatui::{Terminal, backend::TestBackend};

use plyscope::{
    command::Shell,
    engine::session::search::Run,
    tui::{
        app::App,
        draw,
        driver::{Driver, SLICE},
        keys::KeyPress,
        state::By,
    },
};

const SIZE: (u16, u16) = (200, 60);
const ENTRIES: usize = 1_000_000;

/// A screen with a running search that has filled the cache.
fn searching() -> Driver {
    let mut app = App::usual();
    app.state.size = SIZE;
    let mut driver = Driver::new(Shell::default(), app);
    driver
        .app
        .state
        .submit("play a1 d1 b2; search set depth=40 budget=off max_size=100000000", By::Typing);
    driver.settle();
    driver.app.state.submit("search run", By::Typing);
    driver.step();
    let outcome = driver.shell.advance();
    driver.ran(outcome.as_ref());
    let entries =
        |driver: &Driver| driver.app.state.data.get::<Run>().map_or(0, |run| run.cache.entries);
    while entries(&driver) < ENTRIES {
        driver.search(SLICE);
    }
    driver
}

fn screen(c: &mut Criterion) {
    let mut driver = searching();
    let mut terminal =
        Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).expect("a backend in memory");
    if let Ok(mut emulator) = driver.app.state.emulator.lock() {
        emulator.process(b"morris> search run\r\n");
    }
    c.bench_function("frame 200x60", |b| {
        b.iter(|| {
            terminal
                .draw(|frame| draw::draw(frame, black_box(&driver.app)))
                .map(|_| ())
                .expect("drawn");
        });
    });
    let key = "f6".parse::<KeyPress>().expect("a key");
    c.bench_function("a slice, a lookup, a key and its frame over a million entries", |b| {
        b.iter(|| {
            driver.search(SLICE);
            driver.look_up(false);
            driver.app.event(&Event::Key(key.into()));
            driver.app.state.effects.clear();
            terminal.draw(|frame| draw::draw(frame, &driver.app)).map(|_| ()).expect("drawn");
        });
    });
    assert!(driver.app.state.searching && driver.app.state.areas().of("cache").is_some());
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = screen
}
criterion_main!(benches);
