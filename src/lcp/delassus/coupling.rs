//! A = J W Jᵀ + c column by column: how the rates w of the rows change with λ of one of them while the equations stay
//! satisfied.
//!
//! Without equations λ of a row changes w of those rows alone that share a body with it, and no others are visited; with
//! equations it may change all.

use crate::lcp::delassus::equations::Equations;
use crate::lcp::mixed::problem::{Law, MixedProblem};
use glam::DVec3;

/// Which rows touch which body, and which sliding rows follow which normal row.
pub(in crate::lcp) struct Coupling<'p> {
    problem: &'p MixedProblem,
    equations: &'p mut Equations,
    /// Rows by body, and where each body's start.
    start: Vec<usize>,
    rows: Vec<u32>,
    /// By row: the sliding rows whose λ is a multiple of its own.
    dragged: Vec<Vec<(usize, f64)>>,
    dv: Vec<DVec3>,
    /// By row: the column that it was last written in.
    seen: Vec<usize>,
    columns: usize,
}

impl<'p> Coupling<'p> {
    /// The coupling of the rows that `equations`, factorised, leave.
    pub fn new(problem: &'p MixedProblem, equations: &'p mut Equations) -> Self {
        let bodies = problem.weight.len();
        let counted = |visit: &mut dyn FnMut(usize, usize)| {
            for (i, row) in problem.rows.iter().enumerate().filter(|(_, row)| row.law != Law::Equation) {
                visit(row.a, i);
                if row.b != row.a {
                    visit(row.b, i);
                }
            }
        };
        let mut start = vec![0; bodies + 1];
        counted(&mut |body, _| start[body + 1] += 1);
        (0..bodies).for_each(|body| start[body + 1] += start[body]);
        let (mut rows, mut cursor) = (vec![0; start[bodies]], start.clone());
        counted(&mut |body, row| {
            rows[cursor[body]] = row as u32;
            cursor[body] += 1;
        });
        let count = problem.rows.len();
        let mut dragged = vec![Vec::new(); count];
        for (i, row) in problem.rows.iter().enumerate() {
            if let Law::Sliding { normal, coefficient } = row.law {
                dragged[normal].push((i, coefficient));
            }
        }
        let dv = vec![DVec3::ZERO; bodies];
        Self { problem, equations, start, rows, dragged, dv, seen: vec![0; count], columns: 0 }
    }

    /// Calls `write` with each row, equations apart, whose w may change with λ of `row`, and with that change for a unit of λ;
    /// friction that slides follows its normal row's λ.
    pub fn column(&mut self, row: usize, mut write: impl FnMut(usize, f64)) {
        let problem = self.problem;
        let own = |i: usize| if i == row { problem.rows[row].compliance } else { 0.0 };
        if !self.equations.rows().is_empty() {
            let mut dv = self.equations.response(problem, row, 1.0);
            for &(other, coefficient) in &self.dragged[row] {
                let more = self.equations.response(problem, other, coefficient);
                dv.iter_mut().zip(&more).for_each(|(dv, more)| *dv += *more);
            }
            for (i, data) in problem.rows.iter().enumerate().filter(|(_, data)| data.law != Law::Equation) {
                write(i, data.rate(&dv) + own(i));
            }
            return;
        }
        self.columns += 1;
        problem.rows[row].push(1.0, &problem.weight, &mut self.dv);
        for &(other, coefficient) in &self.dragged[row] {
            problem.rows[other].push(coefficient, &problem.weight, &mut self.dv);
        }
        let pushed = [row].into_iter().chain(self.dragged[row].iter().map(|&(other, _)| other));
        let bodies = pushed.flat_map(|i| [problem.rows[i].a, problem.rows[i].b]);
        for body in bodies.clone().filter(|&body| problem.weight[body] != DVec3::ZERO) {
            for &i in &self.rows[self.start[body]..self.start[body + 1]] {
                let i = i as usize;
                if self.seen[i] != self.columns {
                    self.seen[i] = self.columns;
                    write(i, problem.rows[i].rate(&self.dv) + own(i));
                }
            }
        }
        if self.seen[row] != self.columns {
            // Nothing that it acts on can move.
            write(row, own(row));
        }
        bodies.for_each(|body| self.dv[body] = DVec3::ZERO);
    }
}
