//! What Box2D tells of a world, as plain values in SI units: single precision, widened.

/// Names a body or a joint in all worlds that come from one snapshot.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Key {
    /// Box2D's `index1`.
    pub index: i32,
    /// Which one of those that had this place one after the other.
    pub generation: u16,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Its origin, m.
    pub origin: [f64; 2],
    /// Cosine and sine of its angle.
    pub turn: [f64; 2],
    /// Its centre of mass, m.
    pub center: [f64; 2],
    /// Velocity of the centre of mass, m/s.
    pub velocity: [f64; 2],
    /// Angular velocity, rad/s.
    pub spin: f64,
    /// Whether it is enabled and does not sleep.
    pub awake: bool,
}

impl Moment {
    /// A point of the body in the world, m.
    pub fn point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [c, s] = self.turn;
        [self.origin[0] + c * x - s * y, self.origin[1] + s * x + c * y]
    }

    /// Its angle in (−π, π], rad.
    pub fn angle(&self) -> f64 {
        self.turn[1].atan2(self.turn[0])
    }
}

/// How a body moves; the numbers are Box2D's.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BodyKind {
    /// Never.
    Static = 0,
    /// At a velocity that is set.
    Kinematic,
    /// By forces.
    Dynamic,
}

/// What of a body seldom changes.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name, perhaps empty.
    pub name: String,
    /// How it moves.
    pub kind: BodyKind,
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass, kg m².
    pub inertia: f64,
    /// Its centre of mass in its own axes, m.
    pub center: [f64; 2],
    /// Factor on gravity.
    pub gravity_scale: f64,
    /// Rate at which it loses velocity, 1/s.
    pub damping: f64,
    /// Rate at which it loses angular velocity, 1/s.
    pub angular_damping: f64,
    /// Whether it cannot move along x, along y, and cannot turn.
    pub locks: [bool; 3],
    /// Whether it takes part at all.
    pub enabled: bool,
}

/// The outline of a shape in its body's axes, m.
#[derive(Clone, Debug)]
pub enum Geometry {
    /// A disk.
    Circle {
        /// Its centre.
        center: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// All points within `radius` of a line.
    Capsule {
        /// The ends of the line.
        ends: [[f64; 2]; 2],
        /// Its radius.
        radius: f64,
    },
    /// A convex polygon, with round edges if `radius` is not 0.
    Polygon {
        /// Its corners, counter-clockwise.
        vertices: Vec<[f64; 2]>,
        /// How far the surface is outside the corners.
        radius: f64,
    },
    /// A line without thickness.
    Segment {
        /// Its ends.
        ends: [[f64; 2]; 2],
        /// The chain to which it belongs, on whose one side it collides.
        chain: Option<i32>,
    },
}

/// A shape of a body.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its outline.
    pub geometry: Geometry,
    /// Mass per area, kg/m².
    pub density: f64,
    /// Coulomb's μ.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Rolling resistance as a part of the radius.
    pub rolling_resistance: f64,
    /// Speed of its surface, m/s.
    pub tangent_speed: f64,
    /// Bits of what it is.
    pub categories: u64,
    /// Bits of what it collides with.
    pub mask: u64,
    /// Group that overrules the bits.
    pub group: i32,
    /// Whether it only notices others.
    pub sensor: bool,
}

/// The outline of a shape about its body's origin, m.
#[derive(Clone, Copy, Debug)]
pub enum Outline {
    /// Width and height.
    Box(f32, f32),
    /// Radius.
    Circle(f32),
    /// Length of the line along x, and radius.
    Capsule(f32, f32),
}

/// A spring in a joint.
#[derive(Clone, Copy, Debug)]
pub struct Spring {
    /// Frequency, Hz.
    pub hertz: f64,
    /// Damping ratio.
    pub damping_ratio: f64,
    /// Where it does nothing, rad or m.
    pub target: f64,
}

/// The kind of a joint with its limits [lower, upper], its motor [speed, largest torque or force] and its spring.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum JointKind {
    /// Two points coincide.
    Revolute { limits: Option<[f64; 2]>, motor: Option<[f64; 2]>, spring: Option<Spring> },
    /// A point stays on an axis, and nothing turns.
    Prismatic { limits: Option<[f64; 2]>, motor: Option<[f64; 2]>, spring: Option<Spring> },
    /// A point stays on an axis.
    Wheel { limits: Option<[f64; 2]>, motor: Option<[f64; 2]>, spring: Option<Spring> },
    /// Two points keep their distance: rigid without a spring, which overrules limits and motor.
    Distance { length: f64, limits: Option<[f64; 2]>, motor: bool, spring: Option<Spring> },
    /// Nothing moves: [hertz, damping ratio], rigid where hertz is 0.
    Weld { linear: [f64; 2], angular: [f64; 2] },
    /// Drives a relative velocity or pose with bounded force; the mouse is one of these.
    Motor,
    /// Keeps two bodies from colliding.
    Filter,
}

/// A joint as it is set up.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// Its bodies.
    pub bodies: [Key; 2],
    /// Its anchors in the bodies' axes from their origins, m.
    pub anchors: [[f64; 2]; 2],
    /// The angles of its frames in the bodies' axes, rad.
    pub angles: [f64; 2],
    /// Whether its bodies collide with one another.
    pub collide: bool,
    /// Frequency, Hz, and damping ratio of its rows.
    pub tuning: [f64; 2],
    /// What it is.
    pub kind: JointKind,
}

/// What Box2D says of a joint: forces of the last substep, N and N m, as they act on its second body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Force on the second body, N.
    pub force: [f64; 2],
    /// Torque on the second body beside that of the force, N m, with that of the motor.
    pub torque: f64,
    /// The motor's part, N m or N.
    pub motor: f64,
    /// How far it is open, m.
    pub linear: f64,
    /// How far it is turned, rad.
    pub angular: f64,
}

/// A point of a contact, for the poses at the beginning of the step.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Which features of the shapes touch.
    pub feature: u16,
    /// From each body's centre of mass, m.
    pub arms: [[f64; 2]; 2],
    /// Distance of the surfaces, m, negative where they overlap.
    pub separation: f64,
    /// Normal impulse over all substeps with that of the rebound, N s.
    pub total_normal: f64,
    /// Impulse of friction of the last substep, N s, along (n_y, −n_x).
    pub tangent: f64,
}

/// A contact of two bodies.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Box2D's number and generation of it.
    pub id: (i32, u32),
    /// Its bodies.
    pub bodies: [Key; 2],
    /// Unit normal from the first to the second body.
    pub normal: [f64; 2],
    /// Moment of rolling resistance in the last substep, N m s.
    pub rolling: f64,
    /// Its points.
    pub points: Vec<ContactPoint>,
}
