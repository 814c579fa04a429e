//! Aligning bodies: edges or middles of their outlines on one line, or equal gaps between them.

use super::edit::Edit;
use crate::model::{BodyId, World};
use crate::workbench::stage::framing::points;
use glam::DVec2;

/// The line on which bodies are aligned, or how they are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Left edges, at the leftmost.
    Left,
    /// Middles, above each other.
    Centre,
    /// Right edges, at the rightmost.
    Right,
    /// Upper edges, at the highest.
    Top,
    /// Middles, beside each other.
    Middle,
    /// Lower edges, at the lowest.
    Bottom,
    /// Middles at equal distances from left to right.
    SpreadAcross,
    /// Middles at equal distances from below upwards.
    SpreadUp,
}

impl Alignment {
    /// All of them, in the order of their buttons.
    pub const ALL: [Self; 8] = [
        Self::Left,
        Self::Centre,
        Self::Right,
        Self::Top,
        Self::Middle,
        Self::Bottom,
        Self::SpreadAcross,
        Self::SpreadUp,
    ];

    /// What its button does, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left edges",
            Self::Centre => "middles above each other",
            Self::Right => "right edges",
            Self::Top => "upper edges",
            Self::Middle => "middles beside each other",
            Self::Bottom => "lower edges",
            Self::SpreadAcross => "equal distances across",
            Self::SpreadUp => "equal distances upwards",
        }
    }

    /// The shifts that align these bodies.
    pub fn edit(self, world: &World, bodies: &[BodyId]) -> Edit {
        let boxes: Vec<(BodyId, [DVec2; 2])> =
            bodies.iter().filter_map(|id| Some((*id, outline(world, *id)?))).collect();
        let low = boxes.iter().map(|(_, [low, _])| *low).fold(DVec2::INFINITY, DVec2::min);
        let high = boxes.iter().map(|(_, [_, high])| *high).fold(DVec2::NEG_INFINITY, DVec2::max);
        let middle = 0.5 * (low + high);
        let by = |[own_low, own_high]: [DVec2; 2]| {
            let own = 0.5 * (own_low + own_high);
            match self {
                Self::Left => DVec2::new(low.x - own_low.x, 0.0),
                Self::Centre => DVec2::new(middle.x - own.x, 0.0),
                Self::Right => DVec2::new(high.x - own_high.x, 0.0),
                Self::Top => DVec2::new(0.0, high.y - own_high.y),
                Self::Middle => DVec2::new(0.0, middle.y - own.y),
                Self::Bottom => DVec2::new(0.0, low.y - own_low.y),
                Self::SpreadAcross => DVec2::new(spread(&boxes, own, |at| at.x), 0.0),
                Self::SpreadUp => DVec2::new(0.0, spread(&boxes, own, |at| at.y)),
            }
        };
        Edit::Shift(boxes.iter().map(|(id, sides)| (*id, by(*sides).extend(0.0))).collect())
    }
}

/// How far a body with its middle at `own` moves along an axis so that all middles are at equal distances between the
/// outermost, m.
fn spread(boxes: &[(BodyId, [DVec2; 2])], own: DVec2, axis: impl Fn(DVec2) -> f64) -> f64 {
    let mut middles: Vec<f64> = boxes.iter().map(|(_, [low, high])| axis(0.5 * (*low + *high))).collect();
    middles.sort_by(f64::total_cmp);
    let place = middles.partition_point(|other| *other < axis(own));
    match middles.as_slice() {
        [first, .., last] => first + (last - first) * place as f64 / (middles.len() - 1) as f64 - axis(own),
        _ => 0.0,
    }
}

/// The lowest and the highest coordinates of a body's outline, m; none of a body that has no end.
pub fn outline(world: &World, id: BodyId) -> Option<[DVec2; 2]> {
    let points = points(world, world.index_of(id)?);
    let low = points.iter().copied().reduce(DVec2::min)?;
    let high = points.iter().copied().reduce(DVec2::max)?;
    Some([low, high])
}
