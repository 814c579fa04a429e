//! Box2D's joints as those of a scene, and the impulses of each.

use serde_json::{Map, Value, json};

use super::names::{Named, Names, Placed, turn};
use super::told::{Joint, JointKind, Key, Moment, Reading, Spring};

/// Takes a joint in, and writes it as a scene states it to `joints` and `springs`.
pub fn add(
    names: &mut Names,
    key: Key,
    joint: Joint,
    moments: &[Option<Moment>],
    joints: &mut Vec<Value>,
    springs: &mut Vec<Value>,
) {
    let mut placed = Placed { key, joint, number: None, spring: None, gone: false };
    let numbers = joint.bodies.map(|body| names.body(body));
    if let [Some(a), Some(b)] = numbers
        && let [Some(place_a), Some(place_b)] = [moments[a], moments[b]]
    {
        let mut left_out = Vec::new();
        let [one, other] = [&names.bodies[a], &names.bodies[b]];
        let pair = Pair { joint: &joint, bodies: [one, other], moments: [place_a, place_b] };
        if one.is_dynamic() || other.is_dynamic() {
            let (told, spring) = pair.told(&mut left_out);
            if let Some(told) = told {
                placed.number = Some(names.joint_count);
                joints.push(told);
            }
            if let Some(spring) = spring {
                placed.spring = Some(names.spring_count);
                springs.push(spring);
            }
        }
        names.joint_count += usize::from(placed.number.is_some());
        names.spring_count += usize::from(placed.spring.is_some());
        for sentence in left_out {
            names.leave_out(sentence);
        }
    }
    names.add_joint(placed);
}

struct Pair<'a> {
    joint: &'a Joint,
    bodies: [&'a Named; 2],
    moments: [Moment; 2],
}

impl Pair<'_> {
    fn told(&self, left_out: &mut Vec<String>) -> (Option<Value>, Option<Value>) {
        let between = format!("between {} and {}", self.bodies[0].name, self.bodies[1].name);
        match self.joint.kind {
            JointKind::Revolute { limits, motor, spring } => {
                let mut told = self.start("hinge");
                insert_limits(&mut told, limits);
                if limits.is_some() {
                    told.insert("limits_from".into(), json!(self.reference()));
                }
                insert_motor(&mut told, motor, "max_torque");
                let spring = spring.map(|spring| {
                    left_out.push(format!(
                        "the impulse of the spring in the joint {between}: Box2D does not tell it"
                    ));
                    self.torsion(spring)
                });
                (Some(told.into()), spring)
            }
            JointKind::Prismatic { limits, motor, spring } => {
                let mut told = self.start("slider");
                told.insert("axis".into(), json!(self.axis()));
                told.insert("reference_angle".into(), json!(self.reference()));
                insert_limits(&mut told, limits);
                insert_motor(&mut told, motor, "max_force");
                if spring.is_some() {
                    left_out.push(format!(
                        "the spring in the slider {between}, whose impulse Box2D does not tell"
                    ));
                }
                (Some(told.into()), None)
            }
            JointKind::Wheel { limits, motor, spring } => {
                let mut told = self.start(if spring.is_some() { "wheel" } else { "slot" });
                told.insert("axis".into(), json!(self.axis()));
                if let Some(spring) = spring {
                    told.insert("frequency".into(), json!(spring.hertz));
                    told.insert("damping_ratio".into(), json!(spring.damping_ratio));
                }
                insert_limits(&mut told, limits);
                if spring.is_some() {
                    insert_motor(&mut told, motor, "max_torque");
                } else if motor.is_some() {
                    left_out.push(format!("the motor of the wheel without a spring {between}"));
                }
                (Some(told.into()), None)
            }
            JointKind::Distance { length, limits, motor, spring } => {
                if motor && spring.is_some() {
                    left_out.push(format!("the motor of the distance {between}"));
                }
                let Some(spring) = spring else {
                    let mut told = self.start("distance");
                    told.insert("length".into(), json!(length));
                    return (Some(told.into()), None);
                };
                let limited = limits.map(|[shortest, longest]| {
                    let mut told = self.start("distance");
                    let longest = (longest < 1e5).then_some(longest);
                    told.insert("limits".into(), json!([shortest, longest]));
                    told.into()
                });
                (limited, Some(self.spring(spring)))
            }
            JointKind::Weld { linear, angular } => {
                let mut told = self.start("weld");
                told.insert("reference_angle".into(), json!(self.reference()));
                if linear[0] > 0.0 && angular[0] > 0.0 {
                    told.insert("softness".into(), self.softness(linear, angular));
                } else if linear[0] > 0.0 || angular[0] > 0.0 {
                    left_out.push(format!("the softness of the weld {between}, of which a part is rigid"));
                }
                (Some(told.into()), None)
            }
            JointKind::Motor => {
                left_out.push(format!(
                    "a motor joint {between}, such as a mouse: its impulses are those of a hand"
                ));
                (None, None)
            }
            JointKind::Filter => {
                left_out.push(format!("a filter joint {between}: the two do not collide"));
                (None, None)
            }
        }
    }

    fn start(&self, kind: &str) -> Map<String, Value> {
        let mut told = Map::new();
        told.insert("joint".into(), json!(kind));
        told.insert("bodies".into(), json!([self.bodies[0].name, self.bodies[1].name]));
        told.insert("anchor_a".into(), json!(self.joint.anchors[0]));
        told.insert("anchor_b".into(), json!(self.joint.anchors[1]));
        if self.joint.collide {
            told.insert("collide_connected".into(), json!(true));
        }
        told
    }

    /// θ_b − θ_a at which the frames are parallel, rad.
    fn reference(&self) -> f64 {
        let now = self.moments[1].angle() - self.moments[0].angle();
        now - turn(now + self.joint.angles[1] - self.joint.angles[0])
    }

    /// The first frame's x axis in the world.
    fn axis(&self) -> [f64; 2] {
        let angle = self.moments[0].angle() + self.joint.angles[0];
        [angle.cos(), angle.sin()]
    }

    fn inverse(value: f64, body: &Named) -> f64 {
        if body.is_dynamic() && value > 0.0 { 1.0 / value } else { 0.0 }
    }

    /// The moment of inertia, kg m², that a turn of one body against the other has.
    fn inertia(&self) -> f64 {
        1.0 / self.bodies.iter().map(|body| Self::inverse(body.body.inertia, body)).sum::<f64>()
    }

    /// The mass, kg, that a change of the anchors' distance has.
    fn mass(&self) -> f64 {
        let points = [0, 1].map(|side| self.moments[side].point(self.joint.anchors[side]));
        let d = [points[1][0] - points[0][0], points[1][1] - points[0][1]];
        let length = d[0].hypot(d[1]).max(1e-12);
        1.0 / (0..2)
            .map(|side| {
                let (body, center) = (self.bodies[side], self.moments[side].center);
                let r = [points[side][0] - center[0], points[side][1] - center[1]];
                let lever = (r[0] * d[1] - r[1] * d[0]) / length;
                Self::inverse(body.body.mass, body) + Self::inverse(body.body.inertia, body) * lever * lever
            })
            .sum::<f64>()
    }

    /// Box2D's k = m ω², c = 2 ζ m ω, of the mass that the two bodies have as placed.
    fn constants(mass: f64, hertz: f64, damping_ratio: f64) -> [f64; 2] {
        let rate = std::f64::consts::TAU * hertz;
        [mass * rate * rate, 2.0 * damping_ratio * mass * rate]
    }

    fn torsion(&self, spring: Spring) -> Value {
        let [stiffness, damping] = Self::constants(self.inertia(), spring.hertz, spring.damping_ratio);
        json!({
            "bodies": [self.bodies[0].name, self.bodies[1].name],
            "anchor": self.moments[1].point(self.joint.anchors[1]),
            "stiffness": stiffness, "damping": damping, "rest_angle": self.reference() + spring.target
        })
    }

    fn spring(&self, spring: Spring) -> Value {
        let [stiffness, damping] = Self::constants(self.mass(), spring.hertz, spring.damping_ratio);
        json!({
            "bodies": [self.bodies[0].name, self.bodies[1].name],
            "anchor_a": self.joint.anchors[0], "anchor_b": self.joint.anchors[1],
            "stiffness": stiffness, "damping": damping, "rest_length": spring.target
        })
    }

    fn softness(&self, linear: [f64; 2], angular: [f64; 2]) -> Value {
        let mass = 1.0 / self.bodies.iter().map(|body| Self::inverse(body.body.mass, body)).sum::<f64>();
        let [stiffness, damping] = Self::constants(mass, linear[0], linear[1]);
        let [angular_stiffness, angular_damping] = Self::constants(self.inertia(), angular[0], angular[1]);
        json!({
            "stiffness": stiffness, "damping": damping,
            "angular_stiffness": angular_stiffness, "angular_damping": angular_damping
        })
    }
}

fn insert_limits(told: &mut Map<String, Value>, limits: Option<[f64; 2]>) {
    if let Some(limits) = limits {
        told.insert("limits".into(), json!(limits));
    }
}

fn insert_motor(told: &mut Map<String, Value>, motor: Option<[f64; 2]>, most: &str) {
    if let Some([speed, largest]) = motor {
        told.insert("motor".into(), json!({"speed": speed, most: largest}));
    }
}

/// The force that a joint had in the substep, N. Box2D tells that of a distance joint along the axis that it has after the
/// substep, and that of sliders and wheels in the first body's axes after it; it acted in those before it.
fn acting(joint: &Joint, reading: &Reading, [a, b]: [[f64; 2]; 2], turned: f64) -> [f64; 2] {
    let [fx, fy] = reading.force;
    match joint.kind {
        JointKind::Distance { .. } => {
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            let length = dx.hypot(dy);
            let sign = if fx * dx + fy * dy < 0.0 { -1.0 } else { 1.0 };
            if length > 0.0 {
                [dx, dy].map(|part| sign * fx.hypot(fy) * part / length)
            } else {
                reading.force
            }
        }
        JointKind::Prismatic { .. } | JointKind::Wheel { .. } => {
            let (s, c) = turned.sin_cos();
            [c * fx + s * fy, c * fy - s * fx]
        }
        _ => reading.force,
    }
}

/// Impulses of a joint over a step, N s and N m s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// On the second body.
    pub impulse: [f64; 2],
    /// Moments on both about their centres of mass, with that of the motor.
    pub moments: [f64; 2],
    /// The motor's part along the coordinate.
    pub motor: f64,
    /// Its moments and, of a slider, its impulse on the second body.
    pub motor_moments: [f64; 2],
    /// Its impulse on the second body.
    pub motor_impulse: [f64; 2],
    /// The torque that is neither the motor's nor the force's: of a revolute joint that of its limits.
    pub rest: f64,
}

impl Sum {
    /// Adds a substep of `h` s that began at `moments` and turned the first body by `turned`, with what Box2D said behind it.
    pub fn add(&mut self, joint: &Joint, reading: &Reading, moments: [&Moment; 2], turned: f64, h: f64) {
        let motor = reading.motor * h;
        let points = [0, 1].map(|side| moments[side].point(joint.anchors[side]));
        let p = acting(joint, reading, points, turned).map(|force| force * h);
        // Box2D applies the force at each body's own anchor, and of sliders and wheels at the second one's on both.
        let slides = matches!(joint.kind, JointKind::Prismatic { .. } | JointKind::Wheel { .. });
        let at = [if slides { points[1] } else { points[0] }, points[1]];
        let moment_of = |side: usize, p: [f64; 2]| {
            let center = moments[side].center;
            (at[side][0] - center[0]) * p[1] - (at[side][1] - center[1]) * p[0]
        };
        let torque = reading.torque * h;
        self.impulse = [self.impulse[0] + p[0], self.impulse[1] + p[1]];
        self.moments =
            [self.moments[0] - moment_of(0, p) - torque, self.moments[1] + moment_of(1, p) + torque];
        self.motor += motor;
        if let JointKind::Prismatic { .. } = joint.kind {
            let angle = moments[0].angle() + joint.angles[0];
            let along = [angle.cos() * motor, angle.sin() * motor];
            self.motor_impulse = [self.motor_impulse[0] + along[0], self.motor_impulse[1] + along[1]];
            let [a, b] = self.motor_moments;
            self.motor_moments = [a - moment_of(0, along), b + moment_of(1, along)];
        } else {
            self.motor_moments = [self.motor_moments[0] - motor, self.motor_moments[1] + motor];
            self.rest += torque - motor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::{Body, BodyKind};
    use super::*;

    /// The angle at which the frames of two bodies are parallel, when the bodies are turned by less and by more than half a turn.
    #[test]
    fn references_are_those_of_the_frames() {
        let body = |mass: f64| Named {
            key: Key { index: 1, generation: 0 },
            name: String::new(),
            body: Body {
                name: String::new(),
                kind: BodyKind::Dynamic,
                mass,
                inertia: 0.5,
                center: [0.0; 2],
                gravity_scale: 1.0,
                damping: 0.0,
                angular_damping: 0.0,
                locks: [false; 3],
                enabled: true,
            },
            angle: 0.0,
            gone: false,
        };
        let kind = JointKind::Weld { linear: [0.0; 2], angular: [0.0; 2] };
        let key = Key { index: 1, generation: 0 };
        let joint = |angles| Joint {
            bodies: [key; 2],
            anchors: [[0.0; 2]; 2],
            angles,
            collide: false,
            tuning: [60.0, 2.0],
            kind,
        };
        let moment = |angle: f64| Moment { turn: [angle.cos(), angle.sin()], ..Moment::default() };
        let bodies = [&body(1.0), &body(3.0)];
        for (a, b, angles, reference) in [
            (0.0, 0.4, [0.3, 0.0], 0.3),
            (0.2, -0.1, [0.0, 0.25], -0.25),
            // θ_b − θ_a = −6 is 0.28 in turns; the frames are parallel at −6.28… + 0.1.
            (3.0, -3.0, [0.1, 0.0], 0.1 - std::f64::consts::TAU),
        ] {
            let joint = joint(angles);
            let pair = Pair { joint: &joint, bodies, moments: [moment(a), moment(b)] };
            assert!((pair.reference() - reference).abs() < 1e-12, "{} {reference}", pair.reference());
        }
        // 1/(1/1 + 1/3) kg between two centres, and half of 0.5 kg m² in a turn against one another.
        let joint = joint([0.0; 2]);
        let pair = Pair {
            joint: &joint,
            bodies,
            moments: [moment(0.0), Moment { origin: [1.0, 0.0], center: [1.0, 0.0], ..moment(0.0) }],
        };
        assert!((pair.mass() - 0.75).abs() < 1e-12 && (pair.inertia() - 0.25).abs() < 1e-12);
    }
}
