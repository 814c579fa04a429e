//! The gap φ of a pair of features, with its derivatives: the constraint function of a contact.
//!
//! d = x_b − x_a between the centres of mass, r_a and r_b the arms to the two surface points, n the unit normal from
//! a to b at the angle θ, t = perp(n). With h_a, h_b the support functions of the two features about the centres
//! of mass in the bodies' axes, everything is one function of θ and of the poses:
//!
//! ```text
//! s(θ, q) = n·d − h_a(θ − θ_a) − h_b(θ + π − θ_b)
//!
//! s_θ     = t·(d + r_b − r_a)                       s_θθ   = −n·d − h_a'' − h_b''
//! s_x     = −n, n                                   s_θx   = −t, t
//! s_θa    = t·r_a = −r_a × n                        s_θθa  =  h_a'' = −s_θaθa
//! s_θb    = −t·r_b = r_b × n                        s_θθb  =  h_b'' = −s_θbθb
//! h_a''   = ρ_a − n·r_a ,   h_b'' = ρ_b + n·r_b     (ρ: radius of curvature, see `feature`)
//! ```
//!
//! The kinds of contact differ in what determines θ:
//!
//! * **face**: n belongs to a face and turns with its body, θ̇ = ω_face. φ = n·(p_other − p_face). The arm of the
//!   face's body goes to the foot of the other's point. The face itself drops out (h'' = 0 for its body).
//! * **vertex with vertex**: φ = max s = |p_b − p_a| − r_a − r_b, n along p_b − p_a.
//! * **curve** with vertex or curve: φ = max_θ s, see `normal`.
//!
//! At a maximum s_θ = 0, so in all of them, with both surface points on one line along n,
//!
//! ```text
//! J   = [ −n , −r_a × n | n , r_b × n ]
//! θ̇   = ω_face ,   or   −(s_θq v)/s_θθ              since s_θ(θ(q), q) = 0
//! k   = s_θθ θ̇² + 2 θ̇ (s_θq v) + vᵀ s_qq v
//!     = s_θθ θ̇² + 2 θ̇ (t·(v_b − v_a) + h_a'' ω_a + h_b'' ω_b) − h_a'' ω_a² − h_b'' ω_b²
//! ```
//!
//! which for a face is Trefny's n·(p̈_b − p̈_a) + 2 ṅ·(ṗ_b − ṗ_a) and for the others vᵀ(∂²φ/∂q²)v. At a free maximum
//! s_θθ = −(φ + ρ_a + ρ_b), the distance of the two centres of curvature; where it vanishes (concentric circles)
//! φ has no second derivative, and the normal is taken not to turn.
//!
//! **The tangential row** is the relative velocity along t of the bodies' points half way between the two surfaces, at the
//! arms m_a = r_a + ½φ n and m_b = m_a − d. With n·m_a = h_a + ½φ and n·m_b = −h_b − ½φ,
//!
//! ```text
//! J_t v   = t·(v_b − v_a) + (n·m_b) ω_b − (n·m_a) ω_a
//! J̇_t v   = −θ̇ n·(v_b − v_a) + (n·m_b)˙ ω_b − (n·m_a)˙ ω_a                     since ṫ = −θ̇ n
//! (n·m_a)˙ = t·r_a (θ̇ − ω_a) + ½φ̇ ,   (n·m_b)˙ = t·r_b (θ̇ − ω_b) − ½φ̇         h_a' = t·r_a ,  h_b' = −t·r_b
//! ```
//!
//! which is (N v)_q v of a contact that rolls or sticks, a non-holonomic constraint J_t v = 0.

use super::feature::{Feature, Profile, Surface};
use super::normal;
use crate::model::{Body, ContactId, Frame};
use glam::{DVec2, DVec3};

/// Two features that touch or may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Bodies, pieces and features.
    pub id: ContactId,
    /// Indices of body a and body b.
    pub(crate) indices: [u32; 2],
    /// The normal at detection: it tells from which side the features met, and is where the search for the common
    /// normal of curves starts.
    pub normal: DVec2,
    /// Whether something else is in the way: who comes as far all the same is stopped, and does not rebound.
    pub late: bool,
}

/// A contact's gap and its derivatives at a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// φ, m.
    pub phi: f64,
    /// n, from body a to body b.
    pub normal: DVec2,
    /// Half way between the two surface points, in the world, m.
    pub point: DVec2,
    /// ∂φ/∂(x, y, θ) of body a.
    pub ja: DVec3,
    /// ∂φ/∂(x, y, θ) of body b.
    pub jb: DVec3,
    /// The row of t·(v_b − v_a) at the point, t = perp(n): body a's part.
    pub ta: DVec3,
    /// Body b's part of the tangential row.
    pub tb: DVec3,
    /// φ̈ less J v̇ at the frames' velocities, m/s².
    pub k: f64,
    /// J̇_t v: the rate of the tangential velocity at the frames' velocities, less J_t v̇, m/s².
    pub kt: f64,
}

impl Contact {
    /// Indices of body a and body b.
    pub fn bodies(&self) -> [usize; 2] {
        self.indices.map(|body| body as usize)
    }

    /// φ of the same two features, and its derivatives, with the bodies at `a` and `b`.
    ///
    /// # Panics
    /// If `bodies` are not those that the contact was found on.
    pub fn gap(&self, bodies: &[Body], a: &Frame, b: &Frame) -> Gap {
        /// Length, relative to the arms, below which the centres of curvature coincide.
        const COINCIDENT: f64 = 1e-12;
        let d = b.position - a.position;
        // The arms, h'' of both sides, and the angular velocity, rad/s, of the body whose face determines the normal;
        // none where the largest separation does. Relative to a's centre of mass, so that a scene far from the origin
        // loses no more digits than d has. Of a polygon its edge, a face with point and normal, or a vertex, a profile
        // that is one point; of an ellipse its curve.
        let (n, phi, [r_a, r_b], [bend_a, bend_b], turning) =
            match (self.surface(0, bodies, a, DVec2::ZERO), self.surface(1, bodies, b, d)) {
                (Surface::Face(foot, n), Surface::Profile(other)) => {
                    let p = other.support(-n);
                    let phi = n.dot(p.point - foot);
                    let r_b = p.point - d;
                    let bends = [0.0, p.curvature + n.dot(r_b)];
                    (n, phi, [p.point - phi * n, r_b], bends, Some(a.angular))
                }
                (Surface::Profile(other), Surface::Face(foot, outward)) => {
                    let n = -outward;
                    let p = other.support(n);
                    let phi = n.dot(foot - p.point);
                    let bends = [p.curvature - n.dot(p.point), 0.0];
                    (n, phi, [p.point, p.point + phi * n - d], bends, Some(b.angular))
                }
                (Surface::Profile(pa), Surface::Profile(pb)) => {
                    let n = self.common_normal(&pa, &pb);
                    let (sa, sb) = (pa.support(n), pb.support(-n));
                    let r_b = sb.point - d;
                    let bends = [sa.curvature - n.dot(sa.point), sb.curvature + n.dot(r_b)];
                    (n, n.dot(sb.point - sa.point), [sa.point, r_b], bends, None)
                }
                (Surface::Face(..), Surface::Face(..)) => unreachable!("two faces are no contact"),
            };
        let t = n.perp();
        let curvature = -n.dot(d) - bend_a - bend_b;
        let slip = t.dot(b.linear - a.linear) + bend_a * a.angular + bend_b * b.angular;
        let size = d.length() + r_a.length() + r_b.length();
        let rate = match turning {
            Some(angular) => angular,
            None if curvature.abs() > COINCIDENT * size => -slip / curvature,
            None => 0.0,
        };
        let k = curvature * rate * rate + 2.0 * rate * slip
            - bend_a * a.angular * a.angular
            - bend_b * b.angular * b.angular;
        let m_a = r_a + 0.5 * phi * n;
        let m_b = m_a - d;
        let apart = n.dot(b.linear - a.linear);
        let phi_dot = apart + r_b.perp_dot(n) * b.angular - r_a.perp_dot(n) * a.angular;
        let height_a = t.dot(r_a) * (rate - a.angular) + 0.5 * phi_dot;
        let height_b = t.dot(r_b) * (rate - b.angular) - 0.5 * phi_dot;
        let kt = height_b * b.angular - height_a * a.angular - rate * apart;
        Gap {
            phi,
            normal: n,
            point: a.position + m_a,
            ja: -n.extend(r_a.perp_dot(n)),
            jb: n.extend(r_b.perp_dot(n)),
            ta: -t.extend(m_a.perp_dot(t)),
            tb: t.extend(m_b.perp_dot(t)),
            k,
            kt,
        }
    }

    /// Whether `other` has the same gap at any pose.
    pub fn is_like(&self, other: &Self) -> bool {
        let faces = |code: u32| matches!(Feature::from_code(code), Feature::Edge(_));
        // A face has its own normal; of others the one at detection decides.
        let bits = |normal: DVec2| normal.to_array().map(f64::to_bits);
        self.id == other.id
            && (self.id.features.into_iter().any(faces) || bits(self.normal) == bits(other.normal))
    }

    /// The surface of one side, whose body's centre of mass is at `at`.
    #[inline(always)]
    fn surface(&self, side: usize, bodies: &[Body], frame: &Frame, at: DVec2) -> Surface {
        let piece = &bodies[self.indices[side] as usize].pieces()[self.id.pieces[side] as usize];
        Surface::of(piece, Feature::from_code(self.id.features[side]), frame.rotation, at)
    }

    /// The direction of the largest separation, in the valley that the contact was found in.
    fn common_normal(&self, a: &Profile, b: &Profile) -> DVec2 {
        match (a, b) {
            (Profile::Round { center: p, .. }, Profile::Round { center: q, .. }) => {
                let n = normal::direction(*p, *q, self.normal);
                // The centres may have passed each other since detection: φ = −|p_b − p_a| − r_a − r_b then continues
                // smoothly.
                if n.dot(self.normal) < 0.0 { -n } else { n }
            }
            _ => normal::climb(a, b, self.normal),
        }
    }
}
