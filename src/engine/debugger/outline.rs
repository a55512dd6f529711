use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;

use super::{Clause, Name, Scene};
use crate::engine::{
    expression::{Comparison, Facts},
    game::{Game, Key, KeyScheme},
};

/// What is cheap to tell of the places where a breakpoint may hold: most events are ruled out by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outline {
    /// The plies, a bit each; the last bit stands for all that have none of their own.
    pub plies: u64,
    /// The remaining depths, likewise.
    pub depths: u64,
    /// Comparisons that must hold.
    tests: [Option<Test>; 2],
    /// It is enough that one of them does.
    either: bool,
    /// The [marks](mark) of the keys of the positions it is about, where it is about some.
    pub positions: u64,
}

/// A name against a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Test {
    name: Name,
    /// Which of less, equal and greater it may be, a bit each.
    wanted: u8,
    constant: f64,
}

/// A first look at an event, for several breakpoints at once: it rules out most events at little cost, and what it lets
/// pass need not hold. Limits that there are not are no numbers, which no comparison holds for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance {
    /// The marks of positions that pass; all of them where positions do not matter.
    marks: u64,
    name: Name,
    /// Numbers up to this pass.
    below: f64,
    /// Numbers from this on pass.
    above: f64,
    /// This number passes.
    equal: f64,
}

impl Glance {
    /// Lets everything pass but other positions.
    const fn open(marks: u64) -> Self {
        Self {
            marks,
            name: Name::Ply,
            below: f64::NAN,
            above: f64::NEG_INFINITY,
            equal: f64::NAN,
        }
    }

    /// Adds it to those from `start` on, together with one that asks for the same.
    pub fn add(self, glances: &mut Vec<Self>, start: usize) {
        let fits = |other: &&mut Self| {
            let both = self.marks == u64::MAX && other.marks == u64::MAX;
            let neither = self.marks != u64::MAX && other.marks != u64::MAX;
            (both || neither)
                && self.name == other.name
                && (self.equal.is_nan() || other.equal.is_nan() || self.equal == other.equal)
        };
        let Some(other) = glances[start..].iter_mut().find(fits) else {
            return glances.push(self);
        };
        // The least and the greatest of two pass over what is no number.
        other.below = other.below.max(self.below);
        other.above = other.above.min(self.above);
        if other.equal.is_nan() {
            other.equal = self.equal;
        }
        if other.marks != u64::MAX {
            other.marks |= self.marks;
        }
    }

    /// Whether an event passes. `marked` is the mark of the position's key once that has been worked out.
    #[expect(clippy::inline_always, reason = "it is what most events get")]
    #[inline(always)]
    pub fn lets_pass<G: Game>(&self, scene: &Scene<'_, G>, marked: &mut Option<u64>) -> bool {
        if self.marks != u64::MAX {
            return self.marks & position(scene, marked) != 0;
        }
        scene.number(self.name).is_some_and(|number| {
            number >= self.above || number <= self.below || number == self.equal
        })
    }
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
            positions: u64::MAX,
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
        let marks = keys.into_iter().map(mark);
        self.positions &= marks.fold(0, |marks, mark| marks | mark);
    }

    /// Leaves out the plies above one, and, unless those below a line are meant, those beneath it.
    pub fn narrow_to_line(&mut self, length: u32, below: bool) {
        let only = Self::only(length);
        self.plies &= if below { !(only - 1) } else { only };
    }

    /// First looks, of which one lets pass whatever it does not rule out.
    pub fn glances(&self) -> impl Iterator<Item = Glance> {
        let marks = self.positions;
        let [first, second] = self.tests;
        let first = first.filter(|_| marks == u64::MAX);
        let second = second.filter(|_| self.either);
        let first = first.map_or(Glance::open(marks), Test::glance);
        [Some(first), second.map(Test::glance)]
            .into_iter()
            .flatten()
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

/// The mark of the position's key: the same for all breakpoints at an event.
#[inline]
fn position<G: Game>(scene: &Scene<'_, G>, marked: &mut Option<u64>) -> u64 {
    *marked.get_or_insert_with(|| mark(scene.game.key(scene.position(), KeyScheme::Colour)))
}

/// A bit that is the same for equal keys.
#[inline]
fn mark<K: Key>(key: K) -> u64 {
    1 << (FxBuildHasher.hash_one(key) & u64::from(LAST))
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
        let open = Glance::open(u64::MAX);
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
