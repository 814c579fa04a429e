//! Potentials ℓ of rows, by their impulses λ(w) = −∂ℓ/∂w and the matrix G = −∂λ/∂w ≥ 0.
//!
//! ```text
//! bounded    λ = −w/R within [l, u]                                  equations, unilateral rows, friction of given force
//! cone       λ = Π(−R⁻¹ w) onto |λ_t|_μ ≤ λ_n in the norm of R       MuJoCo's elliptic cones, SAP's contacts
//! pyramid    λ = Σ eᵢ λᵢ ,  λᵢ = max(0, −eᵢ·w/R)                      MuJoCo's pyramidal cones
//! irrotational   λ_n = n(z) ,  λ_t = −μ n₀ t                          Hunt & Crossley's contacts in Drake
//! ```
//!
//! R > 0 is the row's compliance. A contact has a normal row, and behind it a tangential row, one of rolling resistance, both or
//! neither, each with its coefficient μⱼ.
//!
//! **Cone.** Rⱼ μⱼ² = ρ is the same for all tangential rows, so that with sⱼ = λⱼ/μⱼ the cone is |s| ≤ λ_n and the norm R_n
//! λ_n² + ρ |s|². With y = −R⁻¹w, tⱼ = yⱼ/μⱼ, T = |t|:
//!
//! ```text
//! T ≤ y_n            λ = y                                                     sticks
//! R_n y_n + ρ T ≤ 0  λ = 0                                                     parts
//! else               λ_n = (R_n y_n + ρ T)/(R_n + ρ) ,  s = λ_n t/T            slides
//! ```
//!
//! A contact that sticks yields in both directions: it creeps at R_t λ_t per unit of its damping. One that slides parts, too,
//! at μ times the slip: the convex problem's law is not Coulomb's.
//!
//! **Pyramid.** The edges are eᵢ = (1, ±μⱼ), and others that have no part in the plane, eᵢ = (1, 0): those of the directions
//! across it.
//!
//! **Irrotational.** λ_n = n(z) = (f − k z)₊ (1 − d z)₊ with f the elastic impulse before the step and −k z what the step adds,
//! and friction along t = μ w_t/|μ w_t|_e, |x|_e = √(|x|² + e²), which never sticks [Castro, Han & Masterjohn 2023]:
//!
//! ```text
//! lagged     z = w_n ,                       λⱼ = −μⱼ n₀ tⱼ ,   n₀ given
//! similar    z = w_n − (|μ w_t|_e − e) ,     λⱼ = −μⱼ n(z) tⱼ
//! ```

use crate::lcp::body_space::BodyRow;

/// Most rows of a potential.
pub(super) const MOST: usize = 3;

/// ℓ of one row, or of the rows of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Potential {
    /// λ = −w/R within bounds, of which either may be infinite.
    Bounded { row: usize, lower: f64, upper: f64 },
    /// A contact with friction or rolling resistance.
    Contact(Contact),
}

/// A contact with its rows `first`, the normal one, and behind it as many as there are coefficients above zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub first: usize,
    /// μⱼ of each tangential row; of one row the second is zero.
    pub coefficients: [f64; 2],
    pub law: ContactLaw,
}

/// Which law a contact obeys.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ContactLaw {
    Cone,
    /// With so many edges across the plane.
    Pyramid {
        across: f64,
    },
    Irrotational(HuntCrossley),
}

/// n(z), and the friction that goes with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HuntCrossley {
    /// f, N s.
    pub elastic: f64,
    /// k, kg.
    pub stiffness: f64,
    /// d, s/m.
    pub dissipation: f64,
    /// e, m/s.
    pub smallest: f64,
    /// n₀ of lagged contacts, N s.
    pub lagged: Option<f64>,
}

impl HuntCrossley {
    /// n(z) and −n′(z).
    fn pressed(&self, z: f64) -> [f64; 2] {
        let (elastic, damped) = (self.elastic - self.stiffness * z, 1.0 - self.dissipation * z);
        if elastic > 0.0 && damped > 0.0 {
            [elastic * damped, self.stiffness * damped + self.dissipation * elastic]
        } else {
            [0.0; 2]
        }
    }
}

/// λ of the rows of a potential, and G.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Response {
    pub lambda: [f64; MOST],
    pub slope: [[f64; MOST]; MOST],
}

impl Potential {
    /// The first of its rows.
    pub fn first(&self) -> usize {
        match self {
            Self::Bounded { row, .. } => *row,
            Self::Contact(contact) => contact.first,
        }
    }

    /// The number of its rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Bounded { .. } => 1,
            Self::Contact(contact) => 1 + contact.coefficients.iter().filter(|own| **own > 0.0).count(),
        }
    }

    /// λ and G at `w` of its rows, which begins with the first of them.
    pub(super) fn respond(&self, rows: &[BodyRow], w: &[f64]) -> Response {
        match *self {
            Self::Bounded { row, lower, upper } => {
                let mut own = Response::default();
                let (compliance, diagonal) = (rows[row].compliance, rows[row].diagonal);
                if diagonal > compliance && compliance > 0.0 {
                    let free = -w[0] / compliance;
                    let bounded = if free < lower {
                        lower
                    } else if free > upper {
                        upper
                    } else {
                        free
                    };
                    own.lambda[0] = bounded;
                    own.slope[0][0] = if bounded == free { 1.0 / compliance } else { 0.0 };
                }
                own
            }
            Self::Contact(contact) => {
                let own = &rows[contact.first..contact.first + self.rows()];
                if own[0].diagonal > own[0].compliance {
                    contact.respond(own, w)
                } else {
                    Response::default()
                }
            }
        }
    }
}

impl Contact {
    fn respond(&self, rows: &[BodyRow], w: &[f64]) -> Response {
        match self.law {
            ContactLaw::Cone => self.cone(rows, w),
            ContactLaw::Pyramid { across } => self.pyramid(rows, w, across),
            ContactLaw::Irrotational(law) => self.irrotational(&law, w),
        }
    }

    fn cone(&self, rows: &[BodyRow], w: &[f64]) -> Response {
        let mut own = Response::default();
        let resistance = rows[0].compliance;
        let normal = -w[0] / resistance;
        let (mut t, mut square, mut rho) = ([0.0; 2], 0.0, 0.0);
        for ((t, mu), (row, w)) in t.iter_mut().zip(self.coefficients).zip(rows.iter().zip(w).skip(1)) {
            *t = -w / (row.compliance * mu);
            square += *t * *t;
            rho = row.compliance * mu * mu;
        }
        let size = square.sqrt();
        if size <= normal {
            for ((row, w), i) in rows.iter().zip(w).zip(0..) {
                own.lambda[i] = -w / row.compliance;
                own.slope[i][i] = 1.0 / row.compliance;
            }
        } else if resistance * normal + rho * size > 0.0 {
            let both = resistance + rho;
            let pressed = (resistance * normal + rho * size) / both;
            own.lambda[0] = pressed;
            own.slope[0][0] = 1.0 / both;
            for i in 1..rows.len() {
                let (mu, along) = (self.coefficients[i - 1], t[i - 1] / size);
                own.lambda[i] = mu * pressed * along;
                own.slope[0][i] = mu * along / both;
                own.slope[i][0] = own.slope[0][i];
                for k in 1..rows.len() {
                    let (other, beside) = (self.coefficients[k - 1], t[k - 1] / size);
                    let same = if i == k { 1.0 } else { 0.0 };
                    let turning = pressed / size * (same - along * beside);
                    own.slope[i][k] = mu * other * (along * beside / both + turning / rho);
                }
            }
        }
        own
    }

    fn irrotational(&self, law: &HuntCrossley, w: &[f64]) -> Response {
        let mut own = Response::default();
        let count = self.coefficients.iter().filter(|own| **own > 0.0).count();
        let along = |j: usize| self.coefficients[j] * w[1 + j];
        let square: f64 = (0..count).map(|j| along(j) * along(j)).sum();
        let size = (square + law.smallest * law.smallest).sqrt();
        let direction = |j: usize| if size > 0.0 { self.coefficients[j] * along(j) / size } else { 0.0 };
        let (shift, similar) = match law.lagged {
            Some(_) => (0.0, 0.0),
            None => (size - law.smallest, 1.0),
        };
        let [pressed, slope] = law.pressed(w[0] - shift);
        let bearing = law.lagged.unwrap_or(pressed);
        (own.lambda[0], own.slope[0][0]) = (pressed, slope);
        for j in 0..count {
            own.lambda[1 + j] = -bearing * direction(j);
            own.slope[0][1 + j] = -similar * slope * direction(j);
            own.slope[1 + j][0] = own.slope[0][1 + j];
            for k in 0..count {
                let (both, mu) = (direction(j) * direction(k), self.coefficients[j]);
                let turning = if j == k { mu * mu - both } else { -both };
                let bent = if size > 0.0 { bearing * turning / size } else { 0.0 };
                own.slope[1 + j][1 + k] = similar * slope * both + bent;
            }
        }
        own
    }

    fn pyramid(&self, rows: &[BodyRow], w: &[f64], across: f64) -> Response {
        let mut own = Response::default();
        let stiffness = 1.0 / rows[0].compliance;
        if w[0] < 0.0 && across > 0.0 {
            own.lambda[0] -= across * stiffness * w[0];
            own.slope[0][0] += across * stiffness;
        }
        for i in 1..rows.len() {
            for mu in [self.coefficients[i - 1], -self.coefficients[i - 1]] {
                let edge = w[0] + mu * w[i];
                if edge < 0.0 {
                    own.lambda[0] -= stiffness * edge;
                    own.lambda[i] -= mu * stiffness * edge;
                    own.slope[0][0] += stiffness;
                    own.slope[0][i] += mu * stiffness;
                    own.slope[i][0] += mu * stiffness;
                    own.slope[i][i] += mu * mu * stiffness;
                }
            }
        }
        own
    }
}
