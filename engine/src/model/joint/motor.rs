//! What drives a joint: a motor of a given speed, and the position that it may hold.

/// Drives a joint's coordinate at a speed, with a force up to a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motor {
    /// Target rate of the coordinate, rad/s or m/s.
    pub speed: f64,
    /// Largest torque (N m) or force (N), not negative.
    pub max_force: f64,
}

/// Makes a motor hold a position: it acts as a spring and a damper towards it, with the motor's largest force.
///
/// ```text
/// f = −k (x − x*) − d (ẋ − ẋ*) ,   |f| ≤ F_max ,   k = m_e ω² ,   d = 2 ζ m_e ω ,   ω = 2π · frequency
/// ```
///
/// x* is `position`, counted from [`Joint::zero`](super::Joint::zero), and ẋ* the motor's speed; m_e is the mass (moment of
/// inertia) that the joint's coordinate moves of its two bodies, with the joint's own rows held. A steady load F shifts x by F/k.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Servo {
    /// x*, rad or m.
    pub position: f64,
    /// Natural frequency, Hz, greater than 0.
    pub frequency: f64,
    /// ζ, not negative.
    pub damping_ratio: f64,
}
