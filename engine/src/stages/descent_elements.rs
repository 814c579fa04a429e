//! The rows of a constraint other than a contact in a descent (`descent.rs`): C, J and G at the poses that the bodies have
//! reached.
//!
//! ```text
//! joint            C = g(q) − α g(q⁻)                          limit    C = φ(q) − α min(φ(q⁻), 0) ,  f ≤ 0
//! motor, friction  C = x(q) − x(q⁻) − h ẋ ,  |f| ≤ F_max       non-holonomic   C = N(q)(q − q⁻) − h v₀(t + h)
//! spring, soft joint, suspension, grab, motor that holds a position   C = s(q)
//! ```

use super::dual_row::{DualRow, Rates};
use super::motion::StepContext;
use super::sequential_constraint::{MOST, clamp, clamp_length};
use crate::constraint::{Clock, Condition, Constraint, Row, Touch};
use crate::model::joint::Unit;
use crate::model::{Frame, JointKind, Piece, Softness, Spring, World};
use glam::{DVec2, DVec3};

/// A constraint other than a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub source: Constraint,
    /// Its bodies; where it has no third and fourth, the first two again.
    pub ends: [usize; 4],
    pub size: usize,
    pub rows: [DualRow; MOST],
    /// What a driven length adds to g by the step's end, m.
    pub wound: f64,
    /// The largest norm of f, N.
    pub most: f64,
    /// Restitution, φ̇ at the start, and the speed below which there is none, of a limit.
    pub rebound: [f64; 3],
    /// The impulse of its rebound, N s, which λ does not contain.
    pub rebounded: f64,
}

/// The rows of a constraint at a pose: g, and J at one body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Posed {
    pub count: usize,
    pub g: [f64; MOST],
    pub j: [DVec3; MOST],
}

/// C, f, the stiffness κ in the solve, and the motion since the start, of each row; whether f is at its bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forces {
    pub c: [f64; MOST],
    pub f: [f64; MOST],
    pub gain: [f64; MOST],
    pub moved: [f64; MOST],
    pub bounded: bool,
}

/// Metres per unit of a joint's row that is an angle: the square of the joined bodies' sides, |s_a + s_b|², of the box around the
/// shapes of each in its own axes [the authors' code]; of a body without shapes those of a rod with its mass and inertia. 1 of
/// all others.
fn arm_of(source: Constraint, row: &Row, world: &World) -> f64 {
    let is_joint = matches!(source, Constraint::Joint(_) | Constraint::SoftJoint(_));
    if row.unit != Unit::Radian || !is_joint {
        return 1.0;
    }
    let sides = |body: usize| {
        let body = &world.bodies()[body];
        let boxes = body.pieces().iter().map(bounds);
        let around = boxes.reduce(|[low, high], [other, top]| [low.min(other), high.max(top)]);
        match around {
            Some([low, high]) if (high - low).is_finite() => high - low,
            _ if body.is_dynamic() && body.inverse_mass().z > 0.0 => {
                let w = body.inverse_mass();
                DVec2::new((12.0 * w.x / w.z).sqrt(), 0.0)
            }
            _ => DVec2::ZERO,
        }
    };
    let arm = (sides(row.a) + sides(row.b)).length_squared();
    if arm > 0.0 && arm.is_finite() { arm } else { 1.0 }
}

/// The columns of a spring's ∇²C at `body` as the authors' code has them: with (I − n nᵀ/ℓ²)/ℓ in place of (I − n nᵀ)/ℓ, and the
/// lever of the second anchor of the other sign. `None` of a spring that is not along a line.
fn columns_of(spring: &Spring, frames: &[Frame], body: usize) -> Option<DVec3> {
    if spring.rest_angle.is_some() || spring.rest_length == 0.0 {
        return None;
    }
    let bodies = spring.bodies();
    let levers = [0, 1].map(|side| frames[bodies[side]].rotation.apply(spring.anchors[side]));
    let d = frames[bodies[1]].position + levers[1] - frames[bodies[0]].position - levers[0];
    let length = d.length();
    if length == 0.0 {
        return Some(DVec3::ZERO);
    }
    let (n, lever) = (d / length, levers[usize::from(bodies[0] != body)]);
    let (side, scale) = (lever.perp(), 1.0 / (length * length));
    let [x, y] = [DVec2::X, DVec2::Y].map(|axis| (axis - scale * n.dot(axis) * n) / length);
    let across = (side - scale * n.dot(side) * n) / length;
    let turned = across.extend(side.dot(across) + n.dot(lever));
    Some(DVec3::new(x.extend(across.x).length(), y.extend(across.y).length(), turned.length()))
}

/// The corners of the box around a piece in its body's axes, m; infinite of a half plane.
fn bounds(piece: &Piece) -> [DVec2; 2] {
    match piece {
        Piece::Core(core) => {
            let low = core.vertices.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let high = core.vertices.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            [low - core.radius, high + core.radius]
        }
        _ => [-1.0, 1.0].map(|side| DVec2::splat(side * piece.bounding_radius())),
    }
}

impl Element {
    /// The rows of `source` at the start of a step, at these frames; `limit` is that of a limit, and `numbers` what is
    /// remembered.
    pub fn new(
        source: Constraint,
        context: &StepContext<'_>,
        frames: &[Frame],
        limit: Option<&Touch>,
        numbers: Option<&[f64]>,
        rates: &Rates,
    ) -> Self {
        let (world, h) = (context.world, context.h);
        let [a, b] = source.bodies(world, &[]);
        let [c, d] = source.further(world).unwrap_or([a, b]);
        let end = Clock::at(context.end());
        let mut own = Self {
            source,
            ends: [a, b, c, d],
            size: 0,
            rows: [DualRow::default(); MOST],
            wound: source.length_terms(world, end).map_or(0.0, |[g, ..]| g),
            most: source.most_force(world).unwrap_or(f64::INFINITY),
            rebound: limit.map_or([0.0; 3], |own| [own.restitution, own.approach, own.rebound_speed]),
            rebounded: 0.0,
        };
        let speed = match source {
            Constraint::Motor(joint) => [world.joints()[joint].mean_speed(context.time, h), 0.0, 0.0],
            _ => source.speed(world, context.end()),
        };
        let condition = source.condition();
        let frame = |body: usize| &frames[body];
        source.each_row(world, &[], frame, |row| {
            let at = own.size;
            let arm = arm_of(source, &row, world);
            let softness = match condition {
                Condition::Compliant => Some(source.softness(world, row.unit).unwrap_or(Softness::NONE)),
                Condition::Speed => source.servo(world, frame, &row).map(|(softness, _)| softness),
                _ => None,
            };
            let start = if condition == Condition::Velocity { 0.0 } else { arm * row.g };
            let mut dual = DualRow { start, travel: arm * h * speed[at], arm, ..DualRow::default() };
            if let Some(Softness { stiffness, damping }) = softness {
                (dual.stiffness, dual.damping) = (stiffness / (arm * arm), damping / (arm * arm));
            }
            let [lambda, penalty] = numbers.map_or([0.0; 2], |own| [own[at], own[MOST + at]]);
            dual.warm_start(lambda, penalty, rates);
            own.rows[at] = dual;
            own.size += 1;
        });
        own
    }

    /// g and J at `body` of each row; a non-holonomic row has J d, d = h u, in place of g.
    #[inline]
    pub fn at(&self, world: &World, frames: &[Frame], body: usize, (u, h): (&[DVec3], f64)) -> Posed {
        let mut posed = Posed::default();
        if let Constraint::Joint(index) = self.source
            && let joint = &world.joints()[index]
            && let JointKind::Hinge(hinge) = &joint.kind
        {
            let [a, b] = joint.bodies();
            let [[gx, ax, bx, _], [gy, ay, by, _]] = hinge.posed(&frames[a], &frames[b]);
            (posed.count, posed.g) = (2, [gx, gy, 0.0]);
            let (sign, x, y) = if body == a { (-1.0, ax, ay) } else { (1.0, bx, by) };
            posed.j = [DVec3::new(sign, 0.0, x), DVec3::new(0.0, sign, y), DVec3::ZERO];
            return posed;
        }
        let travels = self.source.condition() == Condition::Velocity;
        self.source.each_row(
            world,
            &[],
            |body| &frames[body],
            |row| {
                let (at, arm) = (posed.count, self.rows[posed.count].arm);
                posed.g[at] = if travels { h * row.rate(u) } else { arm * (row.g + self.wound) };
                posed.j[at] = row.arms().filter(|(own, _)| *own == body).map(|(_, j)| arm * j).sum();
                posed.count += 1;
            },
        );
        posed
    }

    /// C and f of each row, with what else the rows ask for.
    pub fn forces(&self, posed: &Posed, alpha: f64, rates: &Rates, h: f64) -> Forces {
        let Forces { mut c, mut f, mut gain, mut moved, .. } = Forces::default();
        let unilateral = self.source.is_unilateral();
        let condition = self.source.condition();
        for (i, row) in self.rows.iter().enumerate().take(posed.count) {
            let g = posed.g[i];
            moved[i] = g - row.start - row.travel;
            c[i] = match condition {
                Condition::Position => g - alpha * row.start,
                Condition::Unilateral => g - alpha * row.start.min(0.0),
                Condition::Velocity => moved[i],
                // One that holds a position is a spring.
                Condition::Speed if row.stiffness.is_infinite() => moved[i],
                Condition::Speed | Condition::Compliant => g,
            };
            (f[i], gain[i]) = row.force(c[i], moved[i], rates, h);
            if unilateral && f[i] > 0.0 {
                f[i] = 0.0;
            }
        }
        let f_rows = &mut f[..posed.count];
        let bounded = f_rows.iter().map(|f| f * f).sum::<f64>() >= self.most * self.most;
        match f_rows {
            [only] => *only = clamp(*only, self.most),
            all => clamp_length(all, self.most),
        }
        Forces { c, f, gain, moved, bounded }
    }

    /// G at `body`: the lengths of the columns of ∇²C, each times |f|.
    pub fn curvature(
        &self,
        world: &World,
        frames: &[Frame],
        body: usize,
        posed: &Posed,
        f: &[f64; MOST],
    ) -> DVec3 {
        let coincides = match self.source {
            Constraint::Joint(index) | Constraint::SoftJoint(index) => {
                matches!(world.joints()[index].kind, JointKind::Hinge(_) | JointKind::Weld(_))
            }
            Constraint::Grab => true,
            Constraint::Spring(index) => match columns_of(&world.springs()[index], frames, body) {
                Some(columns) => return f[0].abs() * columns,
                None => posed.count == 2,
            },
            _ => false,
        };
        if coincides {
            // ∂²g/∂θ² of the row along x is the lever of the one along y, and the other way round.
            let turned = f[0].abs() * posed.j[1].z.abs() + f[1].abs() * posed.j[0].z.abs();
            return DVec3::new(0.0, 0.0, turned);
        }
        if f.iter().all(|f| *f == 0.0) || self.source.condition() == Condition::Velocity {
            return DVec3::ZERO;
        }
        // k = vᵀ ∇²g v at six velocities of the body.
        let bend = |v: DVec3| {
            let mut k = [0.0; MOST];
            let frame = |other: usize| {
                let own = frames[other];
                if other == body { Frame { linear: v.truncate(), angular: v.z, ..own } } else { own }
            };
            let mut count = 0;
            self.source.each_row(world, &[], frame, |row| {
                k[count] = self.rows[count].arm * row.k;
                count += 1;
            });
            k
        };
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let pure = axes.map(bend);
        let mut columns = DVec3::ZERO;
        let mixed = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| (i, j, bend(axes[i] + axes[j])));
        for (row, f) in f.iter().enumerate().take(posed.count) {
            let mut squares = [0, 1, 2].map(|i| pure[i][row] * pure[i][row]);
            for (i, j, both) in &mixed {
                let entry = 0.5 * (both[row] - pure[*i][row] - pure[*j][row]);
                squares[*i] += entry * entry;
                squares[*j] += entry * entry;
            }
            columns += f.abs() * DVec3::from_array(squares.map(f64::sqrt));
        }
        columns
    }
}

impl Element {
    /// Its bodies, each once, with their places.
    pub fn sides(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let ends = self.ends;
        ends.into_iter().enumerate().filter(move |(side, body)| !ends[..*side].contains(body))
    }

    /// The place of a body among them.
    pub fn side(&self, body: usize) -> usize {
        side_of(self.ends, body)
    }
}

/// The place of a body among up to four.
pub(super) fn side_of(ends: [usize; 4], body: usize) -> usize {
    ends.iter().position(|own| *own == body).unwrap_or_default()
}
