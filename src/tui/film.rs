//! The last seconds of the screen, for `picture film`.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use ratatui::buffer::Buffer;

use crate::picture::Shot;

/// How long a film goes back.
pub const LENGTH: Duration = Duration::from_secs(10);
/// The least time between two screens of a film. With ten a second, a film of a large screen stays below 50 MB of memory.
const STEP: Duration = Duration::from_millis(100);
/// How long a film shows its last screen.
const REST: f64 = 2.0;

/// The screens of the last seconds, each with the time since which it was shown.
#[derive(Debug, Default)]
pub struct Film {
    screens: VecDeque<(Instant, Buffer)>,
}

impl Film {
    /// Notes a screen that is shown from now on.
    pub fn add(&mut self, screen: &Buffer, now: Instant) {
        match self.screens.back_mut() {
            Some((_, last)) if last == screen => {}
            Some((since, last)) if now.duration_since(*since) < STEP => last.clone_from(screen),
            _ => self.screens.push_back((now, screen.clone())),
        }
        // A screen goes when the next one was shown before the film begins.
        while self.screens.get(1).is_some_and(|(next, _)| now.duration_since(*next) >= LENGTH) {
            self.screens.pop_front();
        }
    }

    /// The screens of the size of the last one, with the time for which each was shown.
    pub fn shots(&self, now: Instant) -> Vec<Shot> {
        let Some((_, last)) = self.screens.back() else {
            return Vec::new();
        };
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

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;

    fn screen(text: &str) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 1));
        buffer.set_string(0, 0, text, ratatui::style::Style::new());
        buffer
    }

    #[test]
    fn a_film_has_the_last_ten_seconds() {
        let begin = Instant::now();
        let at = |tenths: u64| begin + STEP * u32::try_from(tenths).unwrap_or(u32::MAX);
        let mut film = Film::default();
        for tenths in 0..150 {
            film.add(&screen(&(tenths / 3).to_string()), at(tenths));
        }
        let shots = film.shots(at(150));
        let whole: f64 = shots.iter().map(|shot| shot.seconds).sum();
        assert!((whole - 9.7 - REST).abs() < 0.01, "{whole}");
        assert_eq!(shots.last().map(|shot| shot.screen.clone()), Some(screen("49")));
        assert!(shots.iter().all(|shot| shot.seconds > 0.0));
        film.add(&Buffer::empty(Rect::new(0, 0, 9, 1)), at(151));
        assert_eq!(film.shots(at(152)).len(), 1, "screens of another size are left out");
    }

    #[test]
    fn screens_in_quick_succession_are_one() {
        let begin = Instant::now();
        let mut film = Film::default();
        for millis in 0..95 {
            film.add(&screen(&millis.to_string()), begin + Duration::from_millis(millis));
        }
        let shots = film.shots(begin + STEP);
        assert_eq!(shots.len(), 1);
        assert_eq!(shots[0].screen, screen("94"), "the last one is kept");
    }
}
