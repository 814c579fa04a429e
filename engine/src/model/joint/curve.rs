//! Plane curves as zero sets of a function g(ξ, η) that measures the distance from them to first order.
//!
//! | curve | f(ξ, η) | f > 0 |
//! |---|---|---|
//! | line | η | left of the ξ axis |
//! | circle | √(ξ² + η²) − R | outside |
//! | ellipse | ½ (ξ²/a² + η²/b² − 1) | outside |
//! | parabola | η − c ξ² | above |
//! | cycloid | η − Y(ξ), with ξ = r (φ + sin φ), Y = r (1 − cos φ) | above |
//! | graph | η − Y(ξ), with Y a natural cubic spline | above |
//!
//! g = f/|∇f| has the curve as its zero set, and there |∇g| = 1: it is the distance from the curve to first order, in m, whatever
//! units f has (of line and circle it is the distance itself). With w = |∇f|⁻¹, H the second derivatives of f and D = u·∇ the
//! derivative along a direction u,
//!
//! ```text
//! ∇g   = w ∇f + f ∇w ,   ∇w = −w³ H ∇f
//! D²g  = w uᵀHu + 2 Df Dw + f D²w ,   Dw = −½ w³ Ds ,   D²w = ¾ w⁵ (Ds)² − ½ w³ D²s ,   s = |∇f|²
//! Ds   = 2 ∇f·H u ,   D²s = 2 |H u|² + 2 ∇f·T(u, u) ,   T the third derivatives
//! ```
//!
//! **Why no foot point.** The point of a curve nearest to a given one is not unique where the curve comes back near itself, as
//! an ellipse or a cycloid does, so that its parameter would be a state of its own, to be saved and taken back with every step.
//! The value of f is a function of the place alone, and of ξ there is one point of a graph or of a cycloid: φ + sin φ grows
//! with φ.
//!
//! **Cycloid.** φ is found from ξ by Newton's method between bounds. At the cusps, ξ = ±π r and every 2π r further, the curvature
//! is infinite; cos φ/2 is taken as 1e-8 at least there. With t = tan φ/2 and c = cos φ/2: Y′ = t,
//! Y″ = 1/(4 r c⁴), Y‴ = t/(4 r² c⁶).
//!
//! **Graph.** The spline is C²: between the points (ξᵢ, ηᵢ) a cubic, with Y″ = 0 at both ends, beyond which it goes on along its
//! tangents, so that there Y″ is continuous, too [de Boor, *A Practical Guide to Splines*].

use crate::model::error::{ModelError, finite_vector, fitting, positive};
use glam::DVec2;
use std::f64::consts::{PI, TAU};

/// A plane curve in a frame of its own.
///
/// ```
/// use driftlab::model::joint::Curve;
/// use glam::DVec2;
///
/// let ellipse = Curve::Ellipse { semi_axes: DVec2::new(2.0, 1.0) };
/// assert_eq!(ellipse.distance(DVec2::new(2.0, 0.0)), 0.0);
/// assert!(ellipse.distance(DVec2::new(0.0, 0.5)) < 0.0); // inside
/// assert_eq!(ellipse.point(0.0), DVec2::new(2.0, 0.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Curve {
    /// The ξ axis.
    Line,
    /// About the origin.
    Circle {
        /// R, m.
        radius: f64,
    },
    /// About the origin, along the axes.
    Ellipse {
        /// a and b, m.
        semi_axes: DVec2,
    },
    /// η = c ξ².
    Parabola {
        /// c, 1/m: half the curvature at the vertex.
        coefficient: f64,
    },
    /// The path of a point on the rim of a circle that rolls along a line above it, lowest at the origin.
    Cycloid {
        /// r of the circle, m.
        radius: f64,
    },
    /// η = Y(ξ) through given points.
    Graph(Spline),
}

/// g at a point, its gradient, and its second derivative along a direction.
pub(super) struct Level {
    pub g: f64,
    pub gradient: DVec2,
    pub second: f64,
}

/// f at a point with its derivatives: the gradient, the second ones ∂²/∂ξ², ∂²/∂η² (all curves have ∂²/∂ξ∂η = 0), and
/// ∂³/∂ξ³, beside which all third ones are zero.
struct Function {
    f: f64,
    gradient: DVec2,
    second: DVec2,
    third: f64,
}

impl Function {
    /// η − Y from Y and its derivatives.
    fn above(eta: f64, [y, first, second, third]: [f64; 4]) -> Self {
        Self {
            f: eta - y,
            gradient: DVec2::new(-first, 1.0),
            second: DVec2::new(-second, 0.0),
            third: -third,
        }
    }

    /// g = f/|∇f|, with its second derivative along `u`.
    fn normalized(&self, u: DVec2) -> Level {
        let Self { f, gradient, second, third } = *self;
        let size = gradient.length();
        if size == 0.0 {
            // The middle of an ellipse: any direction leads out.
            return Level { g: f, gradient: DVec2::X, second: 0.0 };
        }
        let w = 1.0 / size;
        let normal = w * gradient;
        let bent = second * u;
        // By w, so that nothing overflows where |∇f| is great: Dw/w = −n·Hu w, and so on.
        let slope = w * normal.dot(bent);
        let curvature = w * w * bent.length_squared() + w * normal.x * third * u.x * u.x;
        let g = w * f;
        Level {
            g,
            gradient: normal - g * w * (second * normal),
            second: w * bent.dot(u) - 2.0 * normal.dot(u) * slope + g * (3.0 * slope * slope - curvature),
        }
    }
}

impl Curve {
    /// Its name in scene files.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Circle { .. } => "circle",
            Self::Ellipse { .. } => "ellipse",
            Self::Parabola { .. } => "parabola",
            Self::Cycloid { .. } => "cycloid",
            Self::Graph(_) => "graph",
        }
    }

    /// g at a point of the curve's frame, m: its distance from the curve to first order, positive outside or above.
    pub fn distance(&self, point: DVec2) -> f64 {
        self.level(point, DVec2::ZERO).g
    }

    /// A point of the curve: at the angle `s` of a circle, at (a cos s, b sin s) of an ellipse, at φ = s of a cycloid, and at ξ =
    /// s of the others.
    pub fn point(&self, s: f64) -> DVec2 {
        let (sin, cos) = libm::sincos(s);
        match self {
            Self::Line => DVec2::new(s, 0.0),
            Self::Circle { radius } => *radius * DVec2::new(cos, sin),
            Self::Ellipse { semi_axes } => *semi_axes * DVec2::new(cos, sin),
            Self::Parabola { coefficient } => DVec2::new(s, coefficient * s * s),
            Self::Cycloid { radius } => *radius * DVec2::new(s + sin, 1.0 - cos),
            Self::Graph(spline) => DVec2::new(s, spline.at(s)[0]),
        }
    }

    /// The values of `s` at which [`Curve::point`] begins and ends; none of a line and a parabola, which have no end.
    pub fn span(&self) -> Option<[f64; 2]> {
        match self {
            Self::Line | Self::Parabola { .. } => None,
            Self::Circle { .. } | Self::Ellipse { .. } => Some([0.0, TAU]),
            Self::Cycloid { .. } => Some([-PI, PI]),
            Self::Graph(spline) => Some([spline.points.first()?.x, spline.points.last()?.x]),
        }
    }

    /// g, ∇g, and uᵀ(∂²g)u.
    pub(super) fn level(&self, at: DVec2, u: DVec2) -> Level {
        match self {
            Self::Line => Level { g: at.y, gradient: DVec2::Y, second: 0.0 },
            Self::Circle { radius } => {
                let r = at.length();
                let n = if r > 0.0 { at / r } else { DVec2::X };
                let across = n.perp_dot(u);
                let second = if r > 0.0 { across * across / r } else { 0.0 };
                Level { g: r - radius, gradient: n, second }
            }
            Self::Ellipse { semi_axes } => {
                let scaled = at / *semi_axes;
                let f = 0.5 * (scaled.length_squared() - 1.0);
                let second = 1.0 / (*semi_axes * *semi_axes);
                Function { f, gradient: scaled / *semi_axes, second, third: 0.0 }.normalized(u)
            }
            Self::Parabola { coefficient: c } => {
                let y = [c * at.x * at.x, 2.0 * c * at.x, 2.0 * c, 0.0];
                Function::above(at.y, y).normalized(u)
            }
            Self::Cycloid { radius } => Function::above(at.y, cycloid(*radius, at.x)).normalized(u),
            Self::Graph(spline) => Function::above(at.y, spline.at(at.x)).normalized(u),
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        match self {
            Self::Line => Ok(()),
            Self::Circle { radius } | Self::Cycloid { radius } => positive("radius of the curve", *radius),
            Self::Ellipse { semi_axes } => {
                positive("semi-axis of the curve", semi_axes.x)?;
                positive("semi-axis of the curve", semi_axes.y)
            }
            Self::Parabola { coefficient } => {
                let fits = coefficient.is_finite() && *coefficient != 0.0;
                fitting(fits, "coefficient of the parabola", "a finite number other than 0", *coefficient)
            }
            Self::Graph(spline) => Spline::new(spline.points.clone()).map(drop),
        }
    }
}

/// Y of a cycloid at ξ, with its first three derivatives.
fn cycloid(r: f64, xi: f64) -> [f64; 4] {
    /// Least cos φ/2.
    const CUSP: f64 = 1e-8;
    /// Bisection alone would need as many for all digits.
    const MOST: usize = 60;
    // One arch is as the others.
    let arch = libm::round(xi / (TAU * r));
    let wanted = xi / r - TAU * arch;
    let (mut low, mut high) = (-PI, PI);
    let mut phi = 0.5 * wanted;
    for _ in 0..MOST {
        let left = phi + libm::sin(phi) - wanted;
        if left == 0.0 {
            break;
        }
        if left > 0.0 {
            high = phi
        } else {
            low = phi
        }
        let newton = phi - left / (1.0 + libm::cos(phi));
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if next == phi {
            break;
        }
        phi = next;
    }
    let (sin, cos) = libm::sincos(0.5 * phi);
    let c = cos.max(CUSP);
    let t = sin / c;
    let square = 1.0 / (c * c);
    [2.0 * r * sin * sin, t, 0.25 * square * square / r, 0.25 * t * square * square * square / (r * r)]
}

/// A natural cubic spline through points with ascending ξ.
///
/// ```
/// use driftlab::model::joint::{Curve, Spline};
/// use glam::DVec2;
///
/// let hill = Spline::new([[0.0, 0.0], [1.0, 0.5], [2.0, 0.0]].map(DVec2::from_array).to_vec())?;
/// assert_eq!(Curve::Graph(hill).distance(DVec2::new(1.0, 0.5)), 0.0);
/// assert!(Spline::new(vec![DVec2::ZERO, DVec2::ZERO]).is_err()); // ξ does not ascend
/// # Ok::<(), driftlab::model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<DVec2>", into = "Vec<DVec2>"))]
pub struct Spline {
    points: Vec<DVec2>,
    /// Y″ at each point.
    bending: Vec<f64>,
}

impl Spline {
    /// The spline through these points, m.
    ///
    /// # Errors
    /// Fewer than two points, ones that are not finite, or whose first coordinates do not ascend.
    pub fn new(points: Vec<DVec2>) -> Result<Self, ModelError> {
        let count = points.len();
        fitting(count > 1, "number of points of a curve", "2 or more", count as f64)?;
        points.iter().try_for_each(|point| finite_vector("point of a curve", *point))?;
        for pair in points.windows(2) {
            let apart = pair[1].x - pair[0].x;
            fitting(apart > 0.0, "x of a curve's points", "ascending from point to point", pair[1].x)?;
        }
        // Y′ is continuous: lᵢ Mᵢ₋₁ + 2 (lᵢ + lᵢ₊₁) Mᵢ + lᵢ₊₁ Mᵢ₊₁ = 6 (slopeᵢ₊₁ − slopeᵢ), M = 0 at both ends; by elimination.
        let mut bending = vec![0.0; count];
        let mut above = vec![0.0; count];
        for i in 1..count - 1 {
            let (before, after) = (points[i] - points[i - 1], points[i + 1] - points[i]);
            let pivot = 2.0 * (before.x + after.x) - before.x * above[i - 1];
            above[i] = after.x / pivot;
            let right = 6.0 * (after.y / after.x - before.y / before.x);
            bending[i] = (right - before.x * bending[i - 1]) / pivot;
        }
        for i in (1..count - 1).rev() {
            bending[i] -= above[i] * bending[i + 1];
        }
        bending.iter().try_for_each(|own| {
            fitting(own.is_finite(), "curvature of a curve", "finite: its points lie too close", *own)
        })?;
        Ok(Self { points, bending })
    }

    /// The points, m.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// Y and its first three derivatives at ξ.
    fn at(&self, xi: f64) -> [f64; 4] {
        let Self { points, bending } = self;
        let last = points.len() - 1;
        let i = points.partition_point(|point| point.x <= xi).clamp(1, last);
        let (from, to, low, high) = (points[i - 1], points[i], bending[i - 1], bending[i]);
        let length = to.x - from.x;
        let slope = (to.y - from.y) / length;
        let inside = xi.clamp(from.x, to.x);
        let (x, rest) = (inside - from.x, to.x - inside);
        let third = (high - low) / length;
        let second = low + third * x;
        let first = slope - length * (2.0 * low + high) / 6.0 + x * (low + 0.5 * third * x);
        let y = from.y + x * (slope - rest * (low + second + high) / 6.0);
        let beyond = xi - inside;
        if beyond == 0.0 { [y, first, second, third] } else { [y + first * beyond, first, 0.0, 0.0] }
    }
}

impl TryFrom<Vec<DVec2>> for Spline {
    type Error = ModelError;

    fn try_from(points: Vec<DVec2>) -> Result<Self, ModelError> {
        Self::new(points)
    }
}

impl From<Spline> for Vec<DVec2> {
    fn from(spline: Spline) -> Self {
        spline.points
    }
}
