//! What one part of a step does in Box2D and in Rapier to bars that hang from each other by hinges, in the equations of both.
//!
//! The bars are numbered from the top, and hinge k holds the top of bar k. A part of h s is
//!
//! ```text
//! v ← v + h g
//! a sweep over the hinges:   λ⁺ = (λ − K⁻¹ (ġ + r g))/(1 + c)
//! q ← q + h v
//! a sweep with r = 0, in Box2D with c = 0
//! ```
//!
//! with r and c of the row's softness (`setup.rs`). Both engines sweep hinges between bars in two turns, so that those of a turn
//! share no bar, and what hangs from a fixed body last.
//!
//! - **Box2D** solves both rows of a hinge as one, at the anchors of the present pose, and begins with the λ of the last part.
//! - **Rapier** makes the second row orthogonal to the first, keeps both through the part, and begins with λ = 0. Its
//!   `warmstart_joints` changes nothing in the first sweep: it adds Jᵀλ right before the row is solved, which takes it back.
//!
//! From the part as a map x ↦ x⁺ of (q, v, λ) follow, without a run: where it stays (the sag), and the largest |eigenvalue| ρ of
//! its derivative there. An error falls by ρ in a part, and what hangs is stable where ρ ≤ 1. Of rows without softness ρ is that
//! of Gauss and Seidel: of two rows K₁₂²/(K₁₁ K₂₂).
//!
//! Bars that carry a load shake if a part is too long: λ pulls them into line like a spring, but along the pose of the part's
//! begin. Of two bars of length L, mass m and moment of inertia I on hinges without softness the middle one swings to and fro by
//! ω² = F/(L (I/L² + m/4)), F the load; explicit in position, this is stable up to h ω = 2, F = 4 L (I/L² + m/4)/h², for slender
//! bars 4/3 m L/h². Soft hinges shake earlier.
//!
//! **Contacts** of disks upon each other are such rows without arms, in both engines with the λ of the last part, and one that is
//! open by φ gets λ⁺ = max(0, λ − K⁻¹ (ġ + φ/h)) in both sweeps.

use glam::{DMat2, DVec2, DVec3};

/// Of central differences: of lengths in m, angles in rad, speeds and impulses.
const DIFFERENCE: f64 = 1e-6;
/// ρ is read off the 2ᵏ-th power of the derivative.
const SQUARINGS: i32 = 40;
/// What ρ may be above 1 by rounding.
const ROUNDING: f64 = 1e-6;

/// A bar.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    /// kg
    pub mass: f64,
    /// kg m²
    pub inertia: f64,
    /// From the centre of mass up to its hinge, and down to that of the next bar, m.
    pub ends: [f64; 2],
}

/// Bars with the softness of their hinges.
pub(super) struct Hanging {
    pub bars: Vec<Bar>,
    /// m/s²
    pub gravity: f64,
    /// Length of a part, s.
    pub h: f64,
    /// r, 1/s, and c of the first row, and of the others.
    pub softness: [[f64; 2]; 2],
    pub rows: Rows,
}

/// What holds a bar.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rows {
    /// Hinges of Box2D's.
    Box2d,
    /// Hinges of Rapier's.
    Rapier,
    /// Contacts of both.
    Contacts,
}

/// A hinge at a pose.
struct Hinge {
    above: Option<usize>,
    below: usize,
    /// From the centres of mass to the anchors.
    arms: [DVec2; 2],
    gap: DVec2,
    /// The directions of its rows.
    rows: [DVec2; 2],
}

/// All that a part changes: of each bar (x, y, θ), θ = 0 where it hangs, and its velocity; of each hinge the impulse.
#[derive(Clone)]
pub(super) struct State {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
    impulses: Vec<DVec2>,
}

impl State {
    /// Pose and velocity of each bar.
    pub fn poses(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        self.q.iter().copied().zip(self.v.iter().copied())
    }

    fn to_numbers(&self) -> Vec<f64> {
        let poses = self.q.iter().chain(&self.v).flat_map(|own| own.to_array());
        poses.chain(self.impulses.iter().flat_map(|own| own.to_array())).collect()
    }

    fn of_numbers(numbers: &[f64]) -> Self {
        let bars = numbers.len() / 8;
        let (poses, impulses) = numbers.split_at(6 * bars);
        let [q, v] = [0, 1]
            .map(|half| poses[3 * bars * half..][..3 * bars].chunks(3).map(DVec3::from_slice).collect());
        Self { q, v, impulses: impulses.chunks(2).map(DVec2::from_slice).collect() }
    }
}

impl Hanging {
    /// At rest, all turned by `angle`, rad, about the top.
    pub fn at_rest(&self, angle: f64) -> State {
        let (mut q, mut down) = (Vec::new(), 0.0);
        for Bar { ends: [top, bottom], .. } in &self.bars {
            q.push((DVec2::from_angle(angle).rotate(DVec2::new(0.0, -down - top))).extend(angle));
            down += top + bottom;
        }
        State { v: vec![DVec3::ZERO; q.len()], impulses: vec![DVec2::ZERO; q.len()], q }
    }

    /// The order of a sweep.
    fn order(&self) -> impl Iterator<Item = usize> {
        let hinges = self.bars.len();
        let turn = move |first: usize| (first..hinges).step_by(2);
        turn(1).chain(turn(2)).chain([0])
    }

    fn hinge(&self, below: usize, q: &[DVec3]) -> Hinge {
        let above = below.checked_sub(1);
        let end = |bar: usize, y: f64| DVec2::from_angle(q[bar].z).rotate(DVec2::new(0.0, y));
        let of_above = above.map_or(DVec2::ZERO, |bar| end(bar, -self.bars[bar].ends[1]));
        let of_below = end(below, self.bars[below].ends[0]);
        let from = above.map_or(DVec2::ZERO, |bar| q[bar].truncate());
        let gap = q[below].truncate() + of_below - from - of_above;
        // The axes of the body above: a bar's along it first.
        let first = above.map_or(DVec2::X, |bar| DVec2::from_angle(q[bar].z).rotate(DVec2::NEG_Y));
        Hinge { above, below, arms: [of_above, of_below], gap, rows: [first, first.perp()] }
    }

    /// The bodies of a hinge with its arms, and the signs with which it acts.
    fn sides(hinge: &Hinge) -> impl Iterator<Item = (usize, DVec2, f64)> {
        let [above, below] = hinge.arms;
        hinge.above.map(|bar| (bar, above, -1.0)).into_iter().chain([(hinge.below, below, 1.0)])
    }

    fn rate(hinge: &Hinge, v: &[DVec3]) -> DVec2 {
        Self::sides(hinge).map(|(bar, arm, sign)| sign * (v[bar].truncate() + v[bar].z * arm.perp())).sum()
    }

    fn push(&self, hinge: &Hinge, impulse: DVec2, v: &mut [DVec3]) {
        for (bar, arm, sign) in Self::sides(hinge) {
            let Bar { mass, inertia, .. } = self.bars[bar];
            v[bar] += sign * (impulse / mass).extend(arm.perp_dot(impulse) / inertia);
        }
    }

    /// J M⁻¹ Jᵀ
    fn k(&self, hinge: &Hinge) -> DMat2 {
        let of_side = |(bar, arm, _): (usize, DVec2, f64)| {
            let (Bar { mass, inertia, .. }, turn) = (self.bars[bar], arm.perp());
            DMat2::from_diagonal(DVec2::splat(mass.recip()))
                + DMat2::from_cols(turn * turn.x, turn * turn.y) * inertia.recip()
        };
        Self::sides(hinge).map(of_side).fold(DMat2::ZERO, |sum, own| sum + own)
    }

    /// Makes a part of a step.
    pub fn part(&self, state: &mut State) {
        let State { q, v, impulses } = state;
        v.iter_mut().for_each(|own| own.y -= self.h * self.gravity);
        let begin: Vec<Hinge> = (0..q.len()).map(|hinge| self.hinge(hinge, q)).collect();
        for (hinge, impulse) in begin.iter().zip(impulses.iter_mut()) {
            if self.rows == Rows::Rapier {
                *impulse = DVec2::ZERO;
            } else {
                self.push(hinge, *impulse, v);
            }
        }
        for is_behind in [false, true] {
            for place in self.order() {
                let [rate, softness] = self.softness[place.min(1)];
                let bias = if is_behind { 0.0 } else { rate };
                if self.rows == Rows::Rapier {
                    self.by_rows(&begin[place], [bias, softness], &mut impulses[place], v);
                    continue;
                }
                let hinge = self.hinge(place, q);
                let is_open = self.rows == Rows::Contacts && hinge.gap.y > 0.0;
                let bias = if is_open { self.h.recip() } else { bias };
                let c = if is_behind || is_open { 0.0 } else { softness };
                let error = Self::rate(&hinge, v) + bias * hinge.gap;
                let mut total = (impulses[place] - self.k(&hinge).inverse() * error) / (1.0 + c);
                if self.rows == Rows::Contacts {
                    total.y = total.y.max(0.0);
                }
                self.push(&hinge, total - impulses[place], v);
                impulses[place] = total;
            }
            if !is_behind {
                q.iter_mut().zip(v.iter()).for_each(|(q, v)| *q += self.h * *v);
            }
        }
    }

    /// Rapier's rows, of which the second is made orthogonal to the first.
    fn by_rows(&self, hinge: &Hinge, [bias, c]: [f64; 2], impulse: &mut DVec2, v: &mut [DVec3]) {
        let k = self.k(hinge);
        let [first, second] = hinge.rows;
        let second = second - first * (first.dot(k * second) / first.dot(k * first));
        for (row, total) in [(first, &mut impulse.x), (second, &mut impulse.y)] {
            let error = row.dot(Self::rate(hinge, v) + bias * hinge.gap);
            let change = (*total - error / row.dot(k * row)) / (1.0 + c) - *total;
            *total += change;
            self.push(hinge, row * change, v);
        }
    }

    fn part_of(&self, numbers: &[f64]) -> Vec<f64> {
        let mut state = State::of_numbers(numbers);
        self.part(&mut state);
        state.to_numbers()
    }

    /// Places of y, ẏ and λ_y among the numbers of a state; of Rapier's λ the row that is vertical where all hang.
    fn vertical(&self) -> Vec<usize> {
        let bars = self.bars.len();
        let of_impulse =
            |hinge: usize| 6 * bars + 2 * hinge + usize::from(self.rows != Rows::Rapier || hinge == 0);
        (0..2 * bars).map(|bar| 3 * bar + 1).chain((0..bars).map(of_impulse)).collect()
    }

    /// All places but the angles of bars that turn about their hinge alone, which nothing takes back.
    fn all(&self) -> Vec<usize> {
        let bars = self.bars.len();
        let is_free =
            |place: usize| place < 6 * bars && place % 3 == 2 && self.bars[place / 3 % bars].ends[0] == 0.0;
        (0..8 * bars).filter(|place| !is_free(*place)).collect()
    }

    /// ∂x⁺/∂x at a state, of these numbers of it, by central differences.
    fn derivative(&self, at: &[f64], places: &[usize]) -> Matrix {
        let mut columns = Vec::new();
        for place in places {
            let [less, more] = [-DIFFERENCE, DIFFERENCE].map(|change| {
                let mut other = at.to_vec();
                other[*place] += change;
                self.part_of(&other)
            });
            columns.push(places.iter().map(|row| (more[*row] - less[*row]) / (2.0 * DIFFERENCE)).collect());
        }
        Matrix { columns }
    }

    /// Where all stay from part to part. The part is linear in what is vertical, so that one step of Newton's leads there.
    /// Contacts are closed there, and then rows as Box2D's hinges.
    pub fn hangs(&self) -> State {
        let rows = if self.rows == Rows::Contacts { Rows::Box2d } else { self.rows };
        let closed = Self { bars: self.bars.clone(), rows, ..*self };
        let mut x = self.at_rest(0.0).to_numbers();
        let places = self.vertical();
        let next = closed.part_of(&x);
        let change: Vec<f64> = places.iter().map(|place| next[*place] - x[*place]).collect();
        let change = closed.derivative(&x, &places).solve_fixed_point(change);
        places.iter().zip(change).for_each(|(place, change)| x[*place] += change);
        State::of_numbers(&x)
    }

    /// The largest opening of a hinge where all stay, m.
    pub fn sag(&self) -> f64 {
        self.opening(&self.hangs())
    }

    /// The largest opening of a hinge, or overlap of a contact, m.
    pub fn opening(&self, state: &State) -> f64 {
        let error = |hinge: usize| match (self.rows, self.hinge(hinge, &state.q).gap) {
            (Rows::Contacts, gap) => -gap.y,
            (_, gap) => gap.length(),
        };
        (0..self.bars.len()).map(error).fold(0.0, f64::max)
    }

    /// By how much the largest opening (overlap) changes at most in the last quarter of so many steps of so many parts, m, which
    /// begin where all stay, but without impulses.
    pub fn unrest(&self, steps: usize, parts: usize) -> f64 {
        let mut state = self.hangs();
        state.impulses.fill(DVec2::ZERO);
        let step = |_| {
            (0..parts).for_each(|_| self.part(&mut state));
            self.opening(&state)
        };
        let all: Vec<f64> = (0..steps).map(step).collect();
        let last = &all[steps * 3 / 4..];
        last.iter().copied().fold(0.0, f64::max) - last.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// ρ of a part, of what moves up and down alone.
    pub fn growth_along(&self) -> f64 {
        self.derivative(&self.hangs().to_numbers(), &self.vertical()).largest_eigenvalue()
    }

    /// Whether all that hangs stays.
    pub fn is_stable(&self) -> bool {
        self.derivative(&self.hangs().to_numbers(), &self.all()).largest_eigenvalue() <= 1.0 + ROUNDING
    }
}

/// A square matrix.
#[derive(Clone)]
struct Matrix {
    columns: Vec<Vec<f64>>,
}

impl Matrix {
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        for (column, factor) in self.columns.iter().zip(x) {
            product.iter_mut().zip(column).for_each(|(sum, own)| *sum += factor * own);
        }
        product
    }

    /// The size of the largest eigenvalue, ‖Aᴺ‖^(1/N) of a large N.
    fn largest_eigenvalue(mut self) -> f64 {
        let mut logarithm = 0.0;
        for squaring in 0..=SQUARINGS {
            let size = self.columns.iter().flatten().fold(0.0, |most: f64, own| most.max(own.abs()));
            if size == 0.0 {
                return 0.0;
            }
            logarithm += size.ln() / f64::from(squaring).exp2();
            self.columns.iter_mut().flatten().for_each(|own| *own /= size);
            self.columns = self.columns.iter().map(|column| self.times(column)).collect();
        }
        logarithm.exp()
    }

    /// δ = A δ + b, by Gauss's elimination with the largest pivots.
    fn solve_fixed_point(&self, b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        let unit = |row: usize, column: usize| f64::from(u8::from(row == column));
        let row = |row: usize| {
            let own = (0..n).map(|column| unit(row, column) - self.columns[column][row]);
            own.chain([b[row]]).collect()
        };
        let mut rows: Vec<Vec<f64>> = (0..n).map(row).collect();
        for pivot in 0..n {
            let largest = (pivot..n).max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs()));
            rows.swap(pivot, largest.unwrap_or(pivot));
            let upper = rows[pivot].clone();
            for row in rows.iter_mut().skip(pivot + 1) {
                let factor = row[pivot] / upper[pivot];
                row.iter_mut().zip(&upper).for_each(|(own, upper)| *own -= factor * upper);
            }
        }
        let mut solution = vec![0.0; n];
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|column| rows[row][column] * solution[column]).sum();
            solution[row] = (rows[row][n] - known) / rows[row][row];
        }
        solution
    }
}
