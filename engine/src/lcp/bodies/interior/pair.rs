//! A complementary pair on its way to x s = 0.

/// x ≥ 0 and s ≥ 0 of one inequality, one of them an impulse, the other a velocity. An equation's λ is the x of a pair
/// with s = 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    pub x: f64,
    pub s: f64,
    /// x s times this is the square of a velocity.
    pub unit: f64,
    /// What the linear equation for s lacks.
    pub gap: f64,
    /// Right-hand sides of Newton's step: s dx + x ds = c, and what the linear equation for ds lacks, r.
    pub c: f64,
    pub r: f64,
    /// The direction that they give.
    pub dx: f64,
    pub ds: f64,
}

impl Pair {
    pub fn new(x: f64, s: f64, unit: f64) -> Self {
        Self { x, s, unit, ..Self::default() }
    }

    /// Whether it is the λ of an equation, which has no sign.
    pub fn is_free(&self) -> bool {
        self.s == 0.0
    }

    /// x s in (m/s)² after a step t.
    pub fn product(&self, t: f64) -> f64 {
        (self.x + t * self.dx) * (self.s + t * self.ds) * self.unit
    }

    /// Shortens the step t to the one that makes x or s zero.
    pub fn shorten(&self, t: &mut f64) {
        for (x, dx) in [(self.x, self.dx), (self.s, self.ds)] {
            if x + *t * dx < 0.0 {
                *t = -x / dx;
            }
        }
    }

    /// (x, s) ← (x, s) + t (dx, ds).
    pub fn advance(&mut self, t: f64) {
        self.x += t * self.dx;
        self.s += t * self.ds;
    }
}
