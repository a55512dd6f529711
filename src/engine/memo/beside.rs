use crate::engine::game::Packed;

/// What a table keeps of its records only while somebody asks for it, at the records' places.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// How often each was used.
    pub(super) uses: Option<Vec<u32>>,
    /// The position each was written for.
    pub(super) states: Option<Vec<Packed>>,
}

/// What is kept of one record.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub(super) uses: u32,
    pub(super) state: Packed,
}

impl Side {
    /// Of a record never used, written for nobody knows which position.
    pub(super) const BLANK: Self = Self {
        uses: 0,
        state: Packed::UNKNOWN,
    };
}

/// Does the same to each list that is kept.
macro_rules! each {
    ($self:ident, $list:ident => $does:expr) => {{
        if let Some($list) = &mut $self.uses {
            $does;
        }
        if let Some($list) = &mut $self.states {
            $does;
        }
    }};
}

impl Beside {
    /// Bytes that one record takes here.
    pub(super) fn each(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, |_| size_of::<u32>());
        uses + self.states.as_ref().map_or(0, |_| size_of::<Packed>())
    }

    /// Bytes as allocated.
    pub(super) fn bytes(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        let states = self.states.as_ref().map_or(0, Vec::capacity) * size_of::<Packed>();
        uses + states
    }

    /// Bytes in use.
    pub(super) fn weight(&self) -> usize {
        let uses = self.uses.as_ref().map_or(0, Vec::len) * size_of::<u32>();
        let states = self.states.as_ref().map_or(0, Vec::len) * size_of::<Packed>();
        uses + states
    }

    pub(super) fn is_kept(&self) -> bool {
        self.uses.is_some() || self.states.is_some()
    }

    /// What is kept at a place.
    pub(super) fn at(&self, place: usize) -> Side {
        let uses = self.uses.as_ref().map(|uses| uses[place]);
        let state = self.states.as_ref().map(|states| states[place]);
        Side {
            uses: uses.unwrap_or(0),
            state: state.unwrap_or(Packed::UNKNOWN),
        }
    }

    /// Keeps lists or none, each with so many records.
    pub(super) fn ask(&mut self, uses: bool, states: bool, len: usize) {
        if uses != self.uses.is_some() {
            self.uses = uses.then(|| vec![0; len]);
        }
        if states != self.states.is_some() {
            self.states = states.then(|| vec![Packed::UNKNOWN; len]);
        }
    }

    pub(super) fn push(&mut self, side: Side) {
        if let Some(uses) = &mut self.uses {
            uses.push(side.uses);
        }
        if let Some(states) = &mut self.states {
            states.push(side.state);
        }
    }

    pub(super) fn insert(&mut self, place: usize, side: Side) {
        if let Some(uses) = &mut self.uses {
            uses.insert(place, side.uses);
        }
        if let Some(states) = &mut self.states {
            states.insert(place, side.state);
        }
    }

    pub(super) fn remove(&mut self, place: usize) -> Side {
        let side = self.at(place);
        each!(self, list => {
            list.remove(place);
        });
        side
    }

    pub(super) fn reserve_exact(&mut self, more: usize) {
        each!(self, list => list.reserve_exact(more));
    }

    pub(super) fn truncate(&mut self, len: usize) {
        each!(self, list => list.truncate(len));
    }

    pub(super) fn shrink_to(&mut self, len: usize) {
        each!(self, list => list.shrink_to(len));
    }

    /// As many records as there are now; new ones are blank.
    pub(super) fn resize(&mut self, len: usize) {
        if let Some(uses) = &mut self.uses {
            uses.resize(len, Side::BLANK.uses);
        }
        if let Some(states) = &mut self.states {
            states.resize(len, Side::BLANK.state);
        }
    }

    /// Keeps the places that are marked.
    pub(super) fn retain(&mut self, kept: &[bool]) {
        each!(self, list => {
            let mut kept = kept.iter();
            list.retain(|_| kept.next().copied().unwrap_or(false));
        });
    }

    /// The same lists, with nothing in them.
    pub(super) fn take(&mut self) -> Self {
        Self {
            uses: self.uses.as_mut().map(std::mem::take),
            states: self.states.as_mut().map(std::mem::take),
        }
    }

    /// Takes what is kept here from what was kept before, blank where nothing was.
    pub(super) fn restore(&mut self, before: Self, len: usize) {
        let (uses, states) = (self.uses.is_some(), self.states.is_some());
        *self = before;
        self.ask(uses, states, len);
    }
}
