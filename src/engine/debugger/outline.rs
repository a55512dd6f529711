use super::{Clause, Name, Scene};
use crate::engine::{
    expression::{Comparison, Facts},
    game::Game,
    search::Event,
};

/// What is cheap to tell of the places where a breakpoint may hold: most events are ruled out by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outline {
    /// The plies, a bit each; the last bit stands for all that have none of their own.
    pub plies: u64,
    /// The remaining depths, likewise.
    pub depths: u64,
    /// A comparison that must hold.
    test: Option<Test>,
}

/// A name against a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Test {
    name: Name,
    /// Which of less, equal and greater it may be, a bit each.
    wanted: u8,
    constant: f64,
}

const LAST: u32 = u64::BITS - 1;

impl Default for Outline {
    fn default() -> Self {
        Self {
            plies: u64::MAX,
            depths: u64::MAX,
            test: None,
        }
    }
}

impl Outline {
    /// The bit of a ply or a depth.
    #[inline]
    pub fn only(number: u32) -> u64 {
        1 << number.min(LAST)
    }

    /// Leaves out what a condition does.
    pub fn narrow<G: Game>(&mut self, clause: &Clause<G>) {
        match clause {
            Clause::All(parts) => parts.iter().for_each(|part| self.narrow(part)),
            Clause::Test(Name::Ply, comparison, constant) => {
                self.plies &= bits(*comparison, *constant);
            }
            Clause::Test(Name::Depth, comparison, constant) => {
                self.depths &= bits(*comparison, *constant);
            }
            Clause::Test(name, comparison, constant) => {
                self.test.get_or_insert(Test {
                    name: *name,
                    wanted: signs(*comparison),
                    constant: *constant,
                });
            }
            _ => {}
        }
    }

    /// Whether it leaves an event in.
    #[inline]
    pub fn may_hold<G: Game>(&self, event: &Event, scene: &Scene<'_, G>) -> bool {
        self.plies & Self::only(event.ply) != 0
            && self.depths & Self::only(event.depth.into()) != 0
            && self.test.is_none_or(|test| test.holds(scene))
    }
}

impl Test {
    #[inline]
    fn holds<G: Game>(self, scene: &Scene<'_, G>) -> bool {
        let Some(number) = scene.number(self.name) else {
            return false;
        };
        let less = u8::from(number < self.constant);
        let equal = u8::from(number == self.constant) << 1;
        let greater = u8::from(number > self.constant) << 2;
        (less | equal | greater) & self.wanted != 0
    }
}

const fn signs(comparison: Comparison) -> u8 {
    match comparison {
        Comparison::Less => 0b001,
        Comparison::Equal => 0b010,
        Comparison::Greater => 0b100,
        Comparison::AtMost => 0b011,
        Comparison::AtLeast => 0b110,
        Comparison::Unequal => 0b101,
    }
}

/// The numbers for which a comparison holds.
fn bits(comparison: Comparison, constant: f64) -> u64 {
    (0..LAST)
        .filter(|number| comparison.holds(f64::from(*number), constant))
        .fold(Outline::only(LAST), |bits, number| {
            bits | Outline::only(number)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{debugger::Names, expression, morris::Morris};

    fn outline(text: &str) -> Outline {
        let mut outline = Outline::default();
        let clause = expression::condition(text, &Names(&Morris::default())).unwrap();
        outline.narrow::<Morris>(&clause);
        outline
    }

    #[test]
    fn plies_and_depths_are_bits() {
        let far = 1 << 63;
        assert_eq!(outline("ply == 2 and alpha > 0").plies, far | 0b100);
        assert_eq!(outline("2 >= ply and ply != 1").plies, far | 0b101);
        assert_eq!(outline("depth < 1").depths, far | 1);
        assert_eq!(outline("ply > 70").plies, far);
        assert_eq!(Outline::only(70), far);
    }

    #[test]
    fn what_is_not_required_rules_nothing_out() {
        for text in ["ply == 2 or depth == 1", "not ply == 2", "ply + 1 == 3"] {
            assert_eq!(outline(text), Outline::default(), "{text}");
        }
    }
}
