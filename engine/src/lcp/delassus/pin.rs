//! One pin of a chain: what is read off its rows, how it is coupled to its parent, what its λ moves. Its equations are in `pins.rs`.

use crate::lcp::mixed::problem::{Law, MixedRow};
use crate::math::{Columns, Equations, Pair, crossed, twice};
use glam::DVec3;

/// A pin, with the numbers of its two rows in the order of elimination, and how it is coupled to its parent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pin {
    /// Its place among the pins of the problem.
    pub place: u32,
    bodies: [u32; 2],
    /// Whether its second row, that of y, comes first.
    crossed: bool,
    coupling: Coupling,
    /// m⁻¹ of body a and of body b, for either row.
    pub inverse_mass: [Pair; 2],
    /// z of body a and of body b, m, and I⁻¹ z.
    lever: [Pair; 2],
    turned: [Pair; 2],
    /// A_ii and r_i.
    pub diagonal: Pair,
    pub rhs: Pair,
}

/// How a pin is coupled to its parent; of the last one of a chain without meaning.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coupling {
    /// Whether the body that they share is its b, and whether that of its parent.
    pub at_b: bool,
    pub at_b_of_parent: bool,
    /// Whether the parent's rows are the later ones in the problem.
    pub down: bool,
    /// The columns of ±1, with −0, which adds nothing, in place of its zeros.
    pub signs: Columns,
}

impl Pin {
    /// A pin whose numbers are not read yet.
    pub fn new(place: u32, bodies: [u32; 2], crossed: bool, coupling: Coupling) -> Self {
        Self { place, bodies, crossed, coupling, ..Self::default() }
    }

    /// Numbers of x and y in the order of elimination, or back.
    #[inline(always)]
    pub fn in_order(&self, pair: Pair) -> Pair {
        if self.crossed { crossed(pair) } else { pair }
    }

    /// Reads levers, A_cc and r off its rows; nothing where they are not those of a pin between its bodies.
    #[inline(always)]
    pub fn read(
        &mut self,
        [x, y]: &[MixedRow; 2],
        weight: &[DVec3],
        free: &[DVec3],
        at_rest: bool,
    ) -> Option<Equations> {
        let [a, b] = self.bodies.map(|body| body as usize);
        if unlike_pin([x, y], [a, b]) {
            return None;
        }
        let ([wa, wb], [va, vb]) = ([*weight.get(a)?, *weight.get(b)?], [free.get(a)?, free.get(b)?]);
        let [first, second] = if self.crossed { [y, x] } else { [x, y] };
        let lever @ [za, zb] = [Pair::new([first.ja.z, second.ja.z]), Pair::new([first.jb.z, second.jb.z])];
        let turned @ [ta, tb] = [Pair::splat(wa.z) * za, Pair::splat(wb.z) * zb];
        let bias = Pair::new([first.bias, second.bias]);
        let (mut wa, mut wb) = (Pair::new([wa.x, wa.y]), Pair::new([wb.x, wb.y]));
        let (mut on_a, mut on_b) = (Pair::new([va.x, va.y]), Pair::new([vb.x, vb.y]));
        if self.crossed {
            (wa, wb) = (crossed(wa), crossed(wb));
            (on_a, on_b) = (crossed(on_a), crossed(on_b));
        }
        self.rhs = if at_rest {
            -bias
        } else {
            let rate = (za * Pair::splat(va.z) - on_a) + (on_b + zb * Pair::splat(vb.z));
            -(rate + bias)
        };
        (self.inverse_mass, self.lever, self.turned) = ([wa, wb], lever, turned);
        self.diagonal = (wa + za * ta) + (wb + zb * tb);
        // z_y t_x.
        let [over, under] = (za * crossed(ta) + zb * crossed(tb)).to_array();
        let below = if self.crossed { over } else { under };
        Some(Equations { diagonal: self.diagonal, below, rhs: self.rhs })
    }

    /// A_pc of it and its parent: z of the rows that are later in the problem times I⁻¹ z of the earlier ones.
    #[inline(always)]
    pub fn coupled(&self, parent: &Self) -> Columns {
        let Coupling { at_b, at_b_of_parent, down, signs } = self.coupling;
        let (own, other) = (usize::from(at_b), usize::from(at_b_of_parent));
        let weight = parent.inverse_mass[other];
        let (rows, columns) = if down {
            (parent.lever[other], self.turned[own])
        } else {
            (parent.turned[other], self.lever[own])
        };
        let [first, second] = twice(columns);
        [signs[0] * weight + rows * first, signs[1] * weight + rows * second]
    }

    /// v ← v + W Jᵀλ; returns λ of x and y.
    #[inline(always)]
    pub fn push(&self, found: Pair, v: &mut [DVec3]) -> [f64; 2] {
        let [a, b] = self.bodies.map(|body| body as usize);
        let ([wa, wb], [ta, tb]) = (self.inverse_mass, self.turned);
        let (mut on_a, mut on_b, mut lambda) = (wa * found, wb * found, found);
        let (mut turn_a, mut turn_b) = (ta * found, tb * found);
        if self.crossed {
            (on_a, on_b, lambda) = (crossed(on_a), crossed(on_b), crossed(lambda));
            (turn_a, turn_b) = (crossed(turn_a), crossed(turn_b));
        }
        if let Some(v) = v.get_mut(a) {
            let ([x, y], [first, second]) = (on_a.to_array(), turn_a.to_array());
            *v = DVec3::new(v.x - x, v.y - y, v.z + first + second);
        }
        if let Some(v) = v.get_mut(b) {
            let ([x, y], [first, second]) = (on_b.to_array(), turn_b.to_array());
            *v = DVec3::new(v.x + x, v.y + y, v.z + first + second);
        }
        lambda.to_array()
    }
}

/// Whether they are other rows than those of a pin between the given bodies, which are known to the bit; without a branch, since nearly
/// all are.
#[inline(always)]
fn unlike_pin([x, y]: [&MixedRow; 2], [a, b]: [usize; 2]) -> bool {
    let plane = |j: DVec3| Pair::new([j.x, j.y]);
    let (right, up) = (Pair::new([1.0, 0.0]), Pair::new([0.0, 1.0]));
    let (left, down) = (Pair::new([-1.0, 0.0]), Pair::new([0.0, -1.0]));
    let differing =
        (plane(x.ja) ^ left) | (plane(x.jb) ^ right) | (plane(y.ja) ^ down) | (plane(y.jb) ^ up);
    let [first, second] = differing.to_array().map(f64::to_bits);
    let elsewhere = ((x.a ^ a) | (y.a ^ a) | (x.b ^ b) | (y.b ^ b)) as u64;
    let compliant = x.compliance.to_bits() | y.compliance.to_bits();
    let unequal = (x.law != Law::Equation) | (y.law != Law::Equation);
    first | second | elsewhere | compliant | u64::from(unequal) != 0
}
