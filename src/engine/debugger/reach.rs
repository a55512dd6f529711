use super::{Clause, Name};
use crate::engine::{expression::Comparison, game::Game, search::Event};

/// The plies and remaining depths at which a breakpoint may hold, a bit each; the last bit stands for all that have none
/// of their own. Most events are ruled out by it before anything else is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub plies: u64,
    pub depths: u64,
}

const LAST: u32 = u64::BITS - 1;

impl Reach {
    /// Everywhere.
    pub const ALL: Self = Self { plies: u64::MAX, depths: u64::MAX };

    /// The bit of a ply or a depth.
    #[inline]
    pub const fn only(number: u32) -> u64 {
        1 << if number < LAST { number } else { LAST }
    }

    /// Whether an event is within reach.
    #[inline]
    pub const fn covers(self, event: &Event) -> bool {
        self.plies & Self::only(event.ply) != 0 && self.depths & Self::only(event.depth as u32) != 0
    }

    /// Excludes the plies and depths that a condition excludes.
    pub fn narrow<G: Game>(&mut self, clause: &Clause<G>) {
        match clause {
            Clause::All(parts) => parts.iter().for_each(|part| self.narrow(part)),
            Clause::Test(Name::Ply, comparison, constant) => {
                self.plies &= bits(*comparison, *constant);
            }
            Clause::Test(Name::Depth, comparison, constant) => {
                self.depths &= bits(*comparison, *constant);
            }
            _ => {}
        }
    }
}

/// The numbers for which a comparison holds.
fn bits(comparison: Comparison, constant: f64) -> u64 {
    (0..LAST)
        .filter(|number| comparison.holds(f64::from(*number), constant))
        .fold(Reach::only(LAST), |bits, number| bits | Reach::only(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{debugger::Names, expression, morris::Morris};

    fn reach(text: &str) -> Reach {
        let mut reach = Reach::ALL;
        let clause = expression::condition(text, &Names(&Morris::default())).unwrap();
        reach.narrow::<Morris>(&clause);
        reach
    }

    #[test]
    fn plies_and_depths_are_bits() {
        let far = 1 << 63;
        assert_eq!(reach("ply == 2 and alpha > 0").plies, far | 0b100);
        assert_eq!(reach("2 >= ply and ply != 1").plies, far | 0b101);
        assert_eq!(reach("depth < 1").depths, far | 1);
        assert_eq!(reach("ply > 70").plies, far);
        assert_eq!(Reach::only(70), far);
    }

    #[test]
    fn what_is_not_required_rules_nothing_out() {
        for text in ["ply == 2 or depth == 1", "not ply == 2", "ply + 1 == 3"] {
            assert_eq!(reach(text), Reach::ALL, "{text}");
        }
    }
}
