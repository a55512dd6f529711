use super::{
    Clause, Name, Scene,
    glance::{Glance, hash_of},
};
use crate::engine::{
    expression::{Comparison, Facts},
    game::{Game, Key},
};

/// What is cheap to tell of the places where a breakpoint may hold: most events are ruled out by it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outline {
    /// The plies, a bit each; the last bit stands for all that have none of their own.
    pub plies: u64,
    /// The remaining depths, likewise.
    pub depths: u64,
    /// Comparisons that must hold.
    tests: [Option<Test>; 2],
    /// It is enough that one of them does.
    either: bool,
    /// The hashes of the keys of the positions it is about, where it is about some.
    pub positions: Option<Vec<u64>>,
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

/// How many places there are for plies.
pub(super) const PLACES: usize = u64::BITS as usize;

impl Default for Outline {
    fn default() -> Self {
        Self {
            plies: u64::MAX,
            depths: u64::MAX,
            tests: [None; 2],
            either: false,
            positions: None,
        }
    }
}

impl Outline {
    /// The bit of a ply or a depth.
    #[inline]
    pub fn only(number: u32) -> u64 {
        1 << Self::place(number)
    }

    /// The place of that bit.
    #[inline]
    pub fn place(number: u32) -> usize {
        number.min(LAST) as usize
    }

    /// Leaves out what a condition does.
    pub fn narrow<G: Game>(&mut self, clause: &Clause<G>) {
        if let Clause::Any(parts) = clause {
            if let [Clause::Test(a, is, to), Clause::Test(b, is_so, to_this)] = &**parts {
                self.tests = [Test::new(*a, *is, *to), Test::new(*b, *is_so, *to_this)].map(Some);
                self.either = true;
            }
        } else {
            self.narrow_further(clause);
        }
    }

    fn narrow_further<G: Game>(&mut self, clause: &Clause<G>) {
        match clause {
            Clause::All(parts) => parts.iter().for_each(|part| self.narrow_further(part)),
            Clause::Test(Name::Ply, comparison, constant) => {
                self.plies &= bits(*comparison, *constant);
            }
            Clause::Test(Name::Depth, comparison, constant) => {
                self.depths &= bits(*comparison, *constant);
            }
            Clause::Test(name, comparison, constant) => {
                if let Some(room) = self.tests.iter_mut().find(|test| test.is_none()) {
                    *room = Some(Test::new(*name, *comparison, *constant));
                }
            }
            _ => {}
        }
    }

    /// Leaves out all but the positions with one of these keys, under [`KeyScheme::Colour`].
    pub fn narrow_to<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) {
        let keys = keys.into_iter().map(hash_of);
        self.positions = Some(match &self.positions {
            Some(before) => keys.filter(|key| before.contains(key)).collect(),
            None => keys.collect(),
        });
    }

    /// Leaves out the plies above one, and, unless those below a line are meant, those beneath it.
    pub fn narrow_to_line(&mut self, length: u32, below: bool) {
        let only = Self::only(length);
        self.plies &= if below { !(only - 1) } else { only };
    }

    /// First looks, of which one lets pass whatever it does not rule out.
    pub fn glances(&self) -> impl Iterator<Item = Glance> {
        let sifted = self.positions.is_some();
        let [first, second] = self.tests;
        let first = first.filter(|_| !sifted);
        let second = second.filter(|_| self.either);
        let first = first.map_or(Glance::open(sifted), Test::glance);
        let depths = self.depths;
        [Some(first), second.map(Test::glance)]
            .into_iter()
            .flatten()
            .map(move |glance| Glance { depths, ..glance })
    }

    /// Whether it leaves an event in; positions are left to the breakpoint itself.
    pub fn may_hold<G: Game>(&self, scene: &Scene<'_, G>) -> bool {
        self.plies & Self::only(scene.event.ply) != 0
            && self.depths & Self::only(scene.event.depth.into()) != 0
            && self.tests_hold(scene)
    }

    fn tests_hold<G: Game>(&self, scene: &Scene<'_, G>) -> bool {
        let holds = |test: Option<Test>| test.is_none_or(|test| test.holds(scene));
        let [first, second] = self.tests;
        if self.either {
            holds(first) || holds(second)
        } else {
            holds(first) && holds(second)
        }
    }
}

impl Test {
    const fn new(name: Name, comparison: Comparison, constant: f64) -> Self {
        Self {
            name,
            wanted: signs(comparison),
            constant,
        }
    }

    /// Lets pass whatever it holds for.
    fn glance(self) -> Glance {
        let Self {
            name,
            wanted,
            constant,
        } = self;
        let open = Glance::open(false);
        match wanted {
            0b001 | 0b011 => Glance {
                name,
                below: constant,
                above: f64::NAN,
                ..open
            },
            0b100 | 0b110 => Glance {
                name,
                above: constant,
                ..open
            },
            0b010 => Glance {
                name,
                above: f64::NAN,
                equal: constant,
                ..open
            },
            _ => open,
        }
    }

    /// Whether it holds.
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
        for text in [
            "ply == 2 or depth == 1 or alpha > 0",
            "not ply == 2",
            "ply + 1 == 3",
            "ply == 2 or not depth == 1",
        ] {
            assert_eq!(outline(text), Outline::default(), "{text}");
        }
    }
}
