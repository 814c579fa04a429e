//! The order of Box2D 3: constraints get colours, and those of one colour share no body that moves.
//!
//! In the order in which they are listed, a constraint between two moving bodies takes the lowest colour that neither of them
//! has, and one of a single moving body the highest [Box2D 3.2.0: `b2AssignJointColor`, `b2AddContactToGraph`]. Sweeps go from
//! the lowest to the highest, so that bodies are at rest on what does not move. What finds no colour is visited first.

/// Colours of two moving bodies, and all colours.
const BETWEEN: u32 = 20;
const ALL: u32 = 23;

/// The colours that the bodies of a step have.
#[derive(Clone, Debug, Default)]
pub struct Colors {
    /// A bit for each colour, by body.
    taken: Vec<u32>,
}

impl Colors {
    /// Begins with colourless bodies.
    pub fn begin(&mut self, bodies: usize) {
        self.taken.clear();
        self.taken.resize(bodies, 0);
    }

    /// The rank in a sweep of a constraint on these moving bodies.
    pub fn rank(&mut self, bodies: impl Iterator<Item = usize> + Clone) -> u32 {
        let taken = bodies.clone().fold(0, |all, body| all | self.taken[body]);
        let free = |color: &u32| taken & (1 << color) == 0;
        let mut others = bodies.clone();
        let color = match others.next() {
            Some(first) if others.any(|body| body != first) => (0..BETWEEN).find(free),
            _ => (1..ALL).rev().find(free),
        };
        let Some(color) = color else { return 0 };
        bodies.for_each(|body| self.taken[body] |= 1 << color);
        color + 1
    }
}
