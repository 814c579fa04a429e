//! Two numbers side by side, and vectors of the plane and 2×2 matrices of two things at once: every number is a
//! [`Pair`], the first thing's and the second's.
//!
//! Every operation is that of each number alone, with its rounding; a processor that has registers for two makes it
//! once, without moving a number from one place of a register to the other.

use super::vectors::largest;
use std::ops::{Add, Neg, Sub};
pub use wide::f64x2 as Pair;

/// The second number first.
#[inline(always)]
pub fn crossed(pair: Pair) -> Pair {
    let [first, second] = pair.to_array();
    Pair::new([second, first])
}

/// (x, y).
#[derive(Clone, Copy, Debug, Default)]
pub struct Vector {
    pub x: Pair,
    pub y: Pair,
}

/// A symmetric matrix.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symmetric {
    pub xx: Pair,
    pub xy: Pair,
    pub yy: Pair,
}

/// A matrix by its rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    pub x: Vector,
    pub y: Vector,
}

impl Vector {
    /// The vectors of two things.
    #[inline(always)]
    pub fn beside([[x, y], [u, v]]: [[f64; 2]; 2]) -> Self {
        Self { x: Pair::new([x, u]), y: Pair::new([y, v]) }
    }

    /// The scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> Pair {
        self.x * other.x + self.y * other.y
    }

    /// Each number times `factor`.
    #[inline(always)]
    pub fn times(self, factor: Pair) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

/// What is done with each number by itself.
macro_rules! each_number {
    ($($name:ident { $($x:ident),* })*) => {$(
        impl Add for $name {
            type Output = Self;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { $($x: self.$x + other.$x),* }
            }
        }

        impl Sub for $name {
            type Output = Self;

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { $($x: self.$x - other.$x),* }
            }
        }

        impl $name {
            /// The second thing's numbers first.
            #[inline(always)]
            pub fn crossed(self) -> Self {
                Self { $($x: crossed(self.$x)),* }
            }
        }
    )*};
}
each_number!(Vector { x, y } Symmetric { xx, xy, yy });

impl Neg for Vector {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

impl Symmetric {
    /// A v.
    #[inline(always)]
    pub fn times(self, v: Vector) -> Vector {
        let Self { xx, xy, yy } = self;
        Vector { x: xx * v.x + xy * v.y, y: xy * v.x + yy * v.y }
    }

    /// The determinant.
    #[inline(always)]
    pub fn determinant(self) -> Pair {
        self.xx * self.yy - self.xy * self.xy
    }

    /// Its adjugate times `factor`: the inverse, if that is one over the determinant.
    #[inline(always)]
    pub fn adjugate(self, factor: Pair) -> Self {
        Self { xx: self.yy * factor, xy: -(self.xy * factor), yy: self.xx * factor }
    }
}

impl Block {
    /// B S.
    #[inline(always)]
    pub fn times(self, s: Symmetric) -> Self {
        Self { x: s.times(self.x), y: s.times(self.y) }
    }

    /// B v.
    #[inline(always)]
    pub fn on(self, v: Vector) -> Vector {
        Vector { x: self.x.dot(v), y: self.y.dot(v) }
    }

    /// Bᵀ v.
    #[inline(always)]
    pub fn transposed_on(self, v: Vector) -> Vector {
        self.x.times(v.x) + self.y.times(v.y)
    }

    /// B Cᵀ where that is symmetric.
    #[inline(always)]
    pub fn symmetric_with(self, c: Self) -> Symmetric {
        Symmetric { xx: self.x.dot(c.x), xy: self.y.dot(c.x), yy: self.y.dot(c.y) }
    }
}

/// The largest magnitude of the numbers taken so far, NaN if any is NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargestPair {
    most: Pair,
    /// Not zero where a number was NaN.
    lost: Pair,
}

impl LargestPair {
    /// Takes two more numbers.
    #[inline(always)]
    pub fn take(&mut self, pair: Pair) {
        self.most = pair.abs().fast_max(self.most);
        self.lost |= pair.simd_ne(pair);
    }

    /// The largest magnitude; 0 of no numbers.
    #[inline]
    pub fn largest(self) -> f64 {
        let lost = self.lost.to_array().into_iter().any(|mask| mask.to_bits() != 0);
        if lost { f64::NAN } else { largest(self.most.to_array()) }
    }
}
