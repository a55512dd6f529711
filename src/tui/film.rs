//! The last seconds of the screen, for `picture film`.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use ratatui::buffer::Buffer;

use crate::picture::Shot;

/// The greatest length of a film, which shows the last seconds of the screen.
pub const LENGTH: Duration = Duration::from_secs(10);
/// The least time between two screens of a film. At ten a second, a film of a large screen takes less than 50 MB of memory.
const STEP: Duration = Duration::from_millis(100);
/// How long a film shows its last screen, in seconds.
const REST: f64 = 2.0;

/// The screens of the last seconds, each with the time at which it appeared.
#[derive(Debug, Default)]
pub struct Film {
    screens: VecDeque<(Instant, Buffer)>,
}

impl Film {
    /// Adds a screen that appears now.
    pub fn add(&mut self, screen: &Buffer, now: Instant) {
        match self.screens.back_mut() {
            Some((_, last)) if last == screen => {}
            Some((since, last)) if now.duration_since(*since) < STEP => last.clone_from(screen),
            _ => self.screens.push_back((now, screen.clone())),
        }
        // A screen is dropped once the next one has appeared before the film's beginning.
        while self.screens.get(1).is_some_and(|(next, _)| now.duration_since(*next) >= LENGTH) {
            self.screens.pop_front();
        }
    }

    /// The screens that have the size of the last one, each with the time for which it was shown.
    pub fn shots(&self, now: Instant) -> Vec<Shot> {
        let Some((_, last)) = self.screens.back() else { return Vec::new() };
        let ends = self.screens.iter().skip(1).map(|(since, _)| *since);
        let shown = self.screens.iter().zip(ends.map(Some).chain([None]));
        let shots = shown.map(|((since, screen), end)| {
            let seconds = end.map_or(REST, |end| {
                let before = now.duration_since(*since).saturating_sub(LENGTH);
                end.duration_since(*since).saturating_sub(before).as_secs_f64()
            });
            Shot { screen: screen.clone(), seconds }
        });
        shots.filter(|shot| shot.screen.area == last.area).collect()
    }
}
