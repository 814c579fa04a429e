//! Two pins side by side, one of either half of a chain: what is read off their rows, and what elimination makes of it. The equations are in
//! `pins.rs`.

use super::halves::{NONE, Place};
use crate::lcp::mixed::problem::{Law, MixedRow};
use crate::math::{Block, Pair, Symmetric, Vector, crossed};
use glam::DVec3;

/// Beside it no mass counts, and its square is a number.
const ABSENT: f64 = 1e100;

/// Two pins, one of either half; of the middle of a chain the same pin, as it is seen from either half.
#[derive(Clone, Copy, Debug)]
pub(super) struct PinPair {
    pub place: [Place; 2],
    /// −1 where J leads from the inner body to the outer one.
    sign: Pair,
    /// Where there is no pin, P⁻¹ is 0, and so is λ: 1 or 0, and what A is more by, so that no pivot is small.
    pub present: Pair,
    absent: Pair,
    /// z of the outer body and of the inner one, m.
    pub outer_arm: Vector,
    pub inner_arm: Vector,
    /// b.
    pub bias: Vector,
    /// W of the outer body.
    pub mass: Pair,
    pub inertia: Pair,
    /// A_xx and A_yy.
    pub diagonal: Vector,
    /// P⁻¹, and L of the pins before.
    pub inverse: Symmetric,
    pub from_before: Block,
    /// P⁻¹ y.
    pub reduced: Vector,
    pub lambda: Vector,
}

/// The bodies at one end of two pins: W, and v.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bodies {
    pub mass: Pair,
    pub inertia: Pair,
    pub v: Vector,
    pub spin: Pair,
}

/// The numbers in which the rows of two pins differ, for x and y: the third columns of J at a and at b, m, and the right-hand side b.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PinRows {
    pub a: [f64; 2],
    pub b: [f64; 2],
    pub bias: [f64; 2],
}

impl PinRows {
    /// Those of a pin's rows.
    #[inline(always)]
    pub fn of([x, y]: &[MixedRow; 2]) -> Self {
        Self { a: [x.ja.z, y.ja.z], b: [x.jb.z, y.jb.z], bias: [x.bias, y.bias] }
    }
}

impl Bodies {
    /// Those of the given places; where there is none, one that cannot be moved.
    #[inline(always)]
    pub fn read(places: [u32; 2], weight: &[DVec3], v: &[DVec3]) -> Self {
        let of = |body: u32| {
            let body = body as usize;
            match (weight.get(body), v.get(body)) {
                (Some(w), Some(v)) => (w.x, w.z, *v),
                _ => (0.0, 0.0, DVec3::ZERO),
            }
        };
        let [(m, i, v), (n, j, u)] = places.map(of);
        let v_of = Vector { x: Pair::new([v.x, u.x]), y: Pair::new([v.y, u.y]) };
        Self { mass: Pair::new([m, n]), inertia: Pair::new([i, j]), v: v_of, spin: Pair::new([v.z, u.z]) }
    }

    /// As seen from the other half.
    #[inline(always)]
    pub fn crossed(self) -> Self {
        let Self { mass, inertia, v, spin } = self;
        Self { mass: crossed(mass), inertia: crossed(inertia), v: v.crossed(), spin: crossed(spin) }
    }
}

impl PinPair {
    /// Pins whose numbers are not read yet.
    pub fn new(place: [Place; 2]) -> Self {
        let sign = place.map(|place| if place.reversed { -1.0 } else { 1.0 });
        let present = place.map(|place| if place.pin == NONE { 0.0 } else { 1.0 });
        let absent = present.map(|present| if present > 0.0 { 0.0 } else { ABSENT });
        Self {
            place,
            sign: Pair::new(sign),
            present: Pair::new(present),
            absent: Pair::new(absent),
            outer_arm: Vector::default(),
            inner_arm: Vector::default(),
            bias: Vector::default(),
            mass: Pair::ZERO,
            inertia: Pair::ZERO,
            diagonal: Vector::default(),
            inverse: Symmetric::default(),
            from_before: Block::default(),
            reduced: Vector::default(),
            lambda: Vector::default(),
        }
    }

    /// Their outer bodies.
    #[inline(always)]
    pub fn outer(&self) -> [u32; 2] {
        self.place.map(|place| place.outer)
    }

    /// Reads arms and b off their rows, with the signs of J from the outer body to the inner one. `rows(pin)` is absent for a pin that does not exist.
    #[inline(always)]
    pub fn read(&mut self, rows: impl Fn(usize) -> Option<PinRows>) {
        let [first, second] = self.place.map(|Place { pin, reversed, .. }| {
            let PinRows { a, b, bias } = rows(pin as usize).unwrap_or_default();
            let (a, b) = if reversed { (b, a) } else { (a, b) };
            PinRows { a, b, bias }
        });
        let pair = |one: [f64; 2], other: [f64; 2]| {
            Vector { x: Pair::new([one[0], other[0]]), y: Pair::new([one[1], other[1]]) }.times(self.sign)
        };
        self.outer_arm = pair(first.a, second.a);
        self.inner_arm = pair(first.b, second.b);
        self.bias = pair(first.bias, second.bias);
    }

    /// A_cc.
    #[inline(always)]
    pub fn own(&self, outer: &Bodies, inner: &Bodies) -> Symmetric {
        let (out, into) = (self.outer_arm, self.inner_arm);
        let (turned_out, turned_in) = (out.times(outer.inertia), into.times(inner.inertia));
        let mass = outer.mass + inner.mass + self.absent;
        Symmetric {
            xx: mass + out.x * turned_out.x + into.x * turned_in.x,
            xy: out.y * turned_out.x + into.y * turned_in.x,
            yy: mass + out.y * turned_out.y + into.y * turned_in.y,
        }
    }

    /// J v.
    #[inline(always)]
    pub fn rate(&self, outer: &Bodies, inner: &Bodies) -> Vector {
        (inner.v - outer.v) + self.outer_arm.times(outer.spin) + self.inner_arm.times(inner.spin)
    }

    /// λ of x and y by the rows of either pin.
    #[inline(always)]
    pub fn by_pin(&self, lambda: Vector) -> [[f64; 2]; 2] {
        let Vector { x, y } = lambda.times(self.sign);
        let ([x, u], [y, v]) = (x.to_array(), y.to_array());
        [[x, y], [u, v]]
    }

    /// The numbers `of` either pin, as J from the outer body to the inner one has them.
    #[inline(always)]
    pub fn of_pins(&self, of: impl Fn(usize) -> [f64; 2]) -> Vector {
        let [[x, y], [u, v]] = self.place.map(|place| of(place.pin as usize));
        Vector { x: Pair::new([x, u]), y: Pair::new([y, v]) }.times(self.sign)
    }
}

/// Whether they are other rows than those of a pin; without a branch, since nearly all are.
#[inline(always)]
pub(super) fn unlike_pin([x, y]: &[MixedRow; 2]) -> bool {
    let plane = |j: DVec3| Pair::new([j.x, j.y]);
    let (right, up) = (Pair::new([1.0, 0.0]), Pair::new([0.0, 1.0]));
    let (left, down) = (Pair::new([-1.0, 0.0]), Pair::new([0.0, -1.0]));
    let differing =
        (plane(x.ja) ^ left) | (plane(x.jb) ^ right) | (plane(y.ja) ^ down) | (plane(y.jb) ^ up);
    let [first, second] = differing.to_array().map(f64::to_bits);
    let compliant = x.compliance.to_bits() | y.compliance.to_bits();
    let unequal = (x.law != Law::Equation) | (y.law != Law::Equation);
    first | second | compliant | u64::from(unequal) != 0
}
