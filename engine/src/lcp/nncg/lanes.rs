//! Numbers side by side, one for each of the contacts that are visited together: four of double precision, eight of single
//! precision.
//!
//! Every operation is that of each number alone, with its rounding: the results are the same on every processor.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Sub};
use wide::bytemuck::cast;
use wide::{f32x4, f32x8, f64x4};

/// Most contacts side by side.
pub(super) const MOST: usize = 8;

/// Arithmetic of numbers side by side, or of the three numbers of a body.
pub(super) trait Arithmetic:
    Copy + Debug + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
    /// The same number in all places.
    fn splat(x: f64) -> Self;
}

/// Numbers side by side. What compares them returns a mask, which `choose` takes.
pub(super) trait Lanes:
    Arithmetic + Div<Output = Self> + Neg<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// How many.
    const COUNT: usize;
    /// Velocity of a body, x, y and angular; the fourth number is 0.
    type Body: Arithmetic;

    fn body(v: [f64; 3]) -> Self::Body;
    /// The velocities of these bodies.
    fn load(ends: &[u32; MOST], bodies: &[Self::Body]) -> [Self; 3];
    fn store(v: [Self; 3], ends: &[u32; MOST], bodies: &mut [Self::Body]);
    fn get(self, lane: usize) -> f64;
    fn put(&mut self, lane: usize, x: f64);
    fn abs(self) -> Self;
    fn at_least(self, other: Self) -> Self;
    fn above(self, other: Self) -> Self;
    fn choose(mask: Self, yes: Self, no: Self) -> Self;
    /// Whether a mask is set everywhere.
    fn all(self) -> bool;
}

macro_rules! lanes {
    ($lanes:ty, $number:ty, $count:literal, $body:ty, $gather:path, $scatter:path) => {
        impl Lanes for $lanes {
            const COUNT: usize = $count;
            type Body = $body;

            #[inline(always)]
            fn body([x, y, turn]: [f64; 3]) -> $body {
                <$body>::new([x as $number, y as $number, turn as $number, 0.0])
            }

            #[inline(always)]
            fn load(ends: &[u32; MOST], bodies: &[$body]) -> [Self; 3] {
                let [x, y, turn, _] = $gather(std::array::from_fn(|lane| bodies[ends[lane] as usize]));
                [x, y, turn]
            }

            #[inline(always)]
            fn store([x, y, turn]: [Self; 3], ends: &[u32; MOST], bodies: &mut [$body]) {
                let moved: [$body; $count] = $scatter([x, y, turn, Self::default()]);
                for (end, moved) in ends.iter().zip(moved) {
                    bodies[*end as usize] = moved;
                }
            }

            #[inline(always)]
            fn get(self, lane: usize) -> f64 {
                self.to_array()[lane].into()
            }

            fn put(&mut self, lane: usize, x: f64) {
                self.as_mut_array()[lane] = x as $number;
            }

            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn at_least(self, other: Self) -> Self {
                self.simd_ge(other)
            }

            #[inline(always)]
            fn above(self, other: Self) -> Self {
                self.simd_gt(other)
            }

            #[inline(always)]
            fn choose(mask: Self, yes: Self, no: Self) -> Self {
                mask.bitselect(yes, no)
            }

            #[inline(always)]
            fn all(self) -> bool {
                self.all()
            }
        }
    };
}
lanes!(f64x4, f64, 4, f64x4, f64x4::transpose, f64x4::transpose);
lanes!(f32x8, f32, 8, f32x4, gather, scatter);

/// The numbers of eight bodies, side by side.
#[inline(always)]
fn gather([a, b, c, d, e, f, g, h]: [f32x4; 8]) -> [f32x8; 4] {
    let halves = [f32x4::transpose([a, b, c, d]), f32x4::transpose([e, f, g, h])];
    std::array::from_fn(|i| cast(halves.map(|half| half[i])))
}

/// The eight bodies of numbers side by side.
#[inline(always)]
fn scatter(v: [f32x8; 4]) -> [f32x4; 8] {
    let halves: [[f32x4; 2]; 4] = v.map(cast);
    let [[a, b, c, d], [e, f, g, h]] = [0, 1].map(|half| f32x4::transpose(halves.map(|own| own[half])));
    [a, b, c, d, e, f, g, h]
}

macro_rules! arithmetic {
    ($($name:ty, $number:ty;)*) => {$(
        impl Arithmetic for $name {
            #[inline(always)]
            fn splat(x: f64) -> Self {
                Self::splat(x as $number)
            }
        }
    )*};
}
arithmetic!(f64x4, f64; f32x8, f32; f32x4, f32;);
