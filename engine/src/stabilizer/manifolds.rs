//! Contacts between the same two pieces, one or two, visited together: friction at both points, then their normal impulses.
//!
//! Of two points the normal impulses are found at once, the block solver of Box2D 2.4. With a the λ_n so far, A = J M⁻¹Jᵀ of the two
//! rows and u = J v + b − A a,
//!
//! ```text
//! A x + u ≥ 0 ,   x ≥ 0 ,   xᵀ(A x + u) = 0
//! ```
//!
//! is solved by trying its four cases: both push, the first alone, the second alone, none [Catto, `b2ContactSolver`, 2.4.1]. Where A is
//! near to singular, and where the block solver is off, the two are visited one after the other.

use super::sequential::Sequence;
use super::swept::{Law, Source, Swept};
use crate::detect::Contact;
use glam::DVec3;
use std::ops::Range;

/// Largest condition number of A, roughly [Box2D 2.4.1: `k_maxConditionNumber`].
const MOST_CONDITION: f64 = 1000.0;

impl Sequence {
    /// Groups the contacts by the pieces that touch.
    pub fn group(&mut self, contacts: &[Contact]) {
        self.manifolds.clear();
        let mut last = None;
        for (place, swept) in self.constraints.iter().enumerate() {
            let Source::Contact(index) = swept.source else { continue };
            let id = contacts[index].id;
            let pieces = Some((id.bodies, id.pieces));
            match self.manifolds.last_mut() {
                Some(manifold) if last == pieces => manifold.end = place + 1,
                _ => self.manifolds.push(place..place + 1),
            }
            last = pieces;
        }
    }

    /// Visits the contacts of one group; `block` solves two normal rows at once.
    pub fn solve_manifold(
        &mut self,
        manifold: Range<usize>,
        block: bool,
        weight: &[DVec3],
        v: &mut [DVec3],
    ) {
        let points = &mut self.constraints[manifold];
        points.iter_mut().for_each(|point| point.solve_friction(weight, v));
        if let ([a, b], true) = (&mut *points, block)
            && solve_two(a, b, weight, v)
        {
            return;
        }
        points.iter_mut().for_each(|point| point.solve_rows(weight, v));
    }
}

/// Solves two normal rows at once; whether it could.
fn solve_two(a: &mut Swept, b: &mut Swept, weight: &[DVec3], v: &mut [DVec3]) -> bool {
    let [aa, bb] = [&*a, &*b].map(|point| point.block.mass(0, 0, weight));
    let ab = a.block.coupling(&b.block, weight);
    let determinant = aa * bb - ab * ab;
    if a.law != Law::Push || b.law != Law::Push || aa * aa >= MOST_CONDITION * determinant {
        return false;
    }
    let [la, lb] = [a.lambda[0], b.lambda[0]];
    let ua = a.block.rates(v)[0] + a.bias[0] - (aa * la + ab * lb);
    let ub = b.block.rates(v)[0] + b.bias[0] - (ab * la + bb * lb);
    let both = [(ab * ub - bb * ua) / determinant, (ab * ua - aa * ub) / determinant];
    let cases = [
        (both, both[0] >= 0.0 && both[1] >= 0.0),
        ([-ua / aa, 0.0], ua <= 0.0 && ub - ab * ua / aa >= 0.0),
        ([0.0, -ub / bb], ub <= 0.0 && ua - ab * ub / bb >= 0.0),
        ([0.0; 2], ua >= 0.0 && ub >= 0.0),
    ];
    let Some((x, _)) = cases.into_iter().find(|(_, holds)| *holds) else { return false };
    for (point, x) in [a, b].into_iter().zip(x) {
        point.block.push(&[x - point.lambda[0], 0.0, 0.0], weight, v);
        point.lambda[0] = x;
    }
    true
}
