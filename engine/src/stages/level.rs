//! The levels at which constraints are posed, and the integrators of the acceleration level.

/// The level at which the constraint is posed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Velocities and impulses: J v⁺ + b = 0.
    Velocity,
    /// Accelerations and forces: g̈ + 2α ġ + β² g = 0, under an integrator.
    Acceleration,
}

impl Level {
    /// All levels, in the order of the panel.
    pub const ALL: [Self; 2] = [Self::Velocity, Self::Acceleration];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
        }
    }
}

/// How accelerations become motion, at the acceleration level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// v⁺ = v + h a, q⁺ = q + h v⁺ [Hong et al., eqs. 6–9].
    #[default]
    SemiImplicitEuler,
    /// v⁺ = v + h a, q⁺ = q + h v.
    ExplicitEuler,
    /// Classical Runge–Kutta of order four.
    Rk4,
}

impl Integrator {
    /// All integrators, in the order of the panel.
    pub const ALL: [Self; 3] = [Self::SemiImplicitEuler, Self::ExplicitEuler, Self::Rk4];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::SemiImplicitEuler => "semi_implicit_euler",
            Self::ExplicitEuler => "explicit_euler",
            Self::Rk4 => "rk4",
        }
    }
}
