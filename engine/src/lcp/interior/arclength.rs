//! The central path round a fold, by arc length.
//!
//! From the present pairs, with their products p and gaps r⁰, a separate path starts at τ = 1:
//!
//! ```text
//! x s = τ p ,   gap = τ r⁰          for every pair; a solution at τ = 0
//! ```
//!
//! **Predictor**: dz/dτ from H; the step goes where τ falls if det H > 0 and where it grows if det H < 0, which is the
//! same sense along the curve, and is so long that no variable changes by more than the share h of itself.
//!
//! **Corrector**: Newton's steps on the path's equations and on the plane through the predicted point across the tangent,
//! with τ unknown: that system is regular at the fold, where H is not. With dz = a + b dτ from two solutions with H,
//!
//! ```text
//! dτ = −(n·a) / (n·b + n_τ) ,   n = tangent, every component by the square of its variable
//! ```
//!
//! n·a of the correction and n·b of the tangent are sums over all pairs but those of equations, which have no bound to be
//! measured by.
//!
//! **Control of the share h**, by the size of a correction: the largest change of a variable, relative to itself.
//!
//! | case | action |
//! |---|---|
//! | a correction of more than 0.7, or of more than half of the one before | the correction is dropped; h × 0.4 from the same origin |
//! | a correction of at most 0.2 | the point is close enough to the path: the next step begins there |
//! | one correction was enough | h × 2, at most 0.9: beyond 1 a variable could change its sign |
//! | h ≥ 0.3 | the last factors serve for the next tangent as well |
//! | h < 1e-4 | the method gives up |
//! | two steps in a row of h ≥ 0.5 with falling τ, behind a turn | the path is past the fold: a stretch of ordinary steps follows |
//! | four such steps without a turn | there is no fold: likewise |
//!
//! Sources: [Keller 1977]; [Allgower & Georg 1990, §2 and §6].

use super::Interior;
use super::cell::ComplementaryPair;
use crate::lcp::body_space::BodySpace;
use crate::lcp::problem::mixed::MixedProblem;

/// The share h: its first value, that of a well centred step; the largest, short of 1, where a variable could change its sign;
/// the least, at which a path to τ = 0 would take 1e4 steps and more; its factors after good and bad predictions: two bad ones
/// undo more than two good ones.
const FIRST_SHARE: f64 = 0.3;
const LARGEST_SHARE: f64 = 0.9;
const LEAST_SHARE: f64 = 1e-4;
const GROWTH: f64 = 2.0;
const BACK_OFF: f64 = 0.4;
/// Corrections, relative to the variables: the size small enough for the next step, since on the way a digit of the path is
/// enough; the largest that is made at all, short of 1, where a variable would vanish; the largest ratio of a correction to the
/// one before: Newton's steps that do not even halve do not converge.
const SMALL: f64 = 0.2;
const LARGE: f64 = 0.7;
const CONTRACTION: f64 = 0.5;
/// With h at least this, its first value, the tangent before the last correction serves for the next step, which saves a
/// factorisation.
const STALE_SHARE: f64 = 0.3;
/// Steps of at least this share nearly halve τ: this many in a row lead out of a fold, or without a turn show that there is none.
const LONG_SHARE: f64 = 0.5;
const LONG_AFTER_FOLD: usize = 2;
const LONG_WITHOUT: usize = 4;
/// Largest τ, which is 1 where the path began: at a million times that, the path has turned back for good.
const LARGEST_TAU: f64 = 1e6;
/// Factorisations beyond the limit of the effort that a fold in progress may take: half of those of the full effort.
const EXTRA: usize = 60;

/// The data of the path for each pair.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ArclengthPair {
    /// x s and the gap at τ = 1.
    product: f64,
    gap: f64,
    /// (x, s) where the present step began, the tangent there, and the correction at fixed τ.
    origin: [f64; 2],
    tangent: [f64; 2],
    correction: [f64; 2],
}

impl ArclengthPair {
    /// Returns the scalar product of a direction with the tangent, each relative to the variables.
    fn across(&self, direction: [f64; 2]) -> f64 {
        let [x, s] = self.origin;
        direction[0] * self.tangent[0] / (x * x) + direction[1] * self.tangent[1] / (s * s)
    }
}

/// Returns the largest change of (x, s) relative to themselves.
fn relative(pair: &ComplementaryPair, direction: [f64; 2]) -> f64 {
    (direction[0] / pair.x).abs().max((direction[1] / pair.s).abs())
}

impl Interior {
    /// Follows the path until τ falls in long steps, or the residual is at most `near`; false if it gives up.
    pub(crate) fn fold(&mut self, problem: &MixedProblem, space: &mut BodySpace, near: f64) -> bool {
        self.look(problem, space);
        self.marks.clear();
        self.marks.resize(4 * self.cells.len(), ArclengthPair::default());
        self.walk(|pair, mark| (mark.product, mark.gap) = (pair.x * pair.s, pair.gap));
        let (mut tau, mut share) = (1.0, FIRST_SHARE);
        let (mut long, mut turned) = (0, false);
        // Whether det H > 0, where its factors are those of the present point.
        let mut known = None;
        while self.factorisations < self.most + EXTRA && tau < LARGEST_TAU {
            let Some(forward) = known.or_else(|| self.differentiate(problem, space)) else { return false };
            turned |= !forward;
            let mut size = 1.0 / tau;
            self.walk(|pair, _| {
                if !pair.is_free() {
                    size = size.max(relative(pair, [pair.dx, pair.ds]));
                }
            });
            let slope = if forward { -1.0 } else { 1.0 } / size;
            self.walk(|pair, mark| {
                (mark.origin, mark.tangent) = ([pair.x, pair.s], [slope * pair.dx, slope * pair.ds]);
            });
            let Some((next, corrections)) = self.correct(problem, space, tau, slope, &mut share) else {
                return false;
            };
            let forward = space.graph.lu.is_oriented();
            long = if forward && next < tau && share >= LONG_SHARE { long + 1 } else { 0 };
            tau = next;
            if space.residual <= near || long >= if turned { LONG_AFTER_FOLD } else { LONG_WITHOUT } {
                return true;
            }
            known = (share >= STALE_SHARE).then_some(forward);
            if corrections == 1 {
                share = (GROWTH * share).min(LARGEST_SHARE);
            }
        }
        false
    }

    /// Computes dz/dτ at the present pairs; returns whether det H > 0.
    fn differentiate(&mut self, problem: &MixedProblem, space: &mut BodySpace) -> Option<bool> {
        self.look(problem, space);
        if !self.factor(space) {
            return None;
        }
        self.pose(space, |_, mark| (mark.product, -mark.gap));
        Some(space.graph.lu.is_oriented())
    }

    /// Steps along the tangent and corrects to a point of the path; returns its τ and the number of corrections.
    fn correct(
        &mut self,
        problem: &MixedProblem,
        space: &mut BodySpace,
        origin: f64,
        slope: f64,
        share: &mut f64,
    ) -> Option<(f64, usize)> {
        while *share >= LEAST_SHARE {
            let t = *share;
            self.walk(|pair, mark| {
                pair.x = mark.origin[0] + t * mark.tangent[0];
                pair.s = mark.origin[1] + t * mark.tangent[1];
            });
            let (mut tau, mut last, mut corrections) = (origin + t * slope, LARGE / CONTRACTION, 0);
            loop {
                self.look(problem, space);
                if !self.factor(space) {
                    return None;
                }
                self.pose(space, |pair, mark| {
                    (mark.product * tau - pair.x * pair.s, pair.gap - tau * mark.gap)
                });
                self.walk(|pair, mark| mark.correction = [pair.dx, pair.ds]);
                self.pose(space, |_, mark| (mark.product, -mark.gap));
                let (mut a, mut b) = (0.0, slope / (origin * origin));
                self.walk(|pair, mark| {
                    if !pair.is_free() {
                        a += mark.across(mark.correction);
                        b += mark.across([pair.dx, pair.ds]);
                    }
                });
                let dtau = -a / b;
                let change = |pair: &ComplementaryPair, mark: &ArclengthPair| {
                    [mark.correction[0] + dtau * pair.dx, mark.correction[1] + dtau * pair.ds]
                };
                let mut size = (dtau / tau).abs();
                self.walk(|pair, mark| {
                    if !pair.is_free() {
                        size = size.max(relative(pair, change(pair, mark)));
                    }
                });
                // Written so that NaN does not count as shrinking.
                let shrinks = size < CONTRACTION * last;
                if !shrinks || self.factorisations > self.most + EXTRA {
                    break;
                }
                self.walk(|pair, mark| {
                    let [dx, ds] = change(pair, mark);
                    (pair.x, pair.s) = (pair.x + dx, pair.s + ds);
                });
                (tau, last, corrections) = (tau + dtau, size, corrections + 1);
                if size <= SMALL {
                    return Some((tau, corrections));
                }
            }
            *share *= BACK_OFF;
        }
        None
    }

    /// Computes dx and ds for (c, r) of every pair.
    fn pose(
        &mut self,
        space: &mut BodySpace,
        of: impl Fn(&ComplementaryPair, &ArclengthPair) -> (f64, f64),
    ) {
        self.walk(|pair, mark| (pair.c, pair.r) = of(pair, mark));
        self.direct(space, 1.0, |_| {});
    }

    /// Visits every pair with its data.
    fn walk(&mut self, mut visit: impl FnMut(&mut ComplementaryPair, &mut ArclengthPair)) {
        let Self { cells, marks, .. } = self;
        let mut marks = marks.iter_mut();
        for cell in cells {
            cell.each_mut(&mut |pair| {
                if let Some(mark) = marks.next() {
                    visit(pair, mark);
                }
            });
        }
    }
}
