//! A = J W Jᵀ + c column by column: how the rates w of the rows change with λ of one of them while the equations stay
//! satisfied, that is with the equations eliminated.
//!
//! Without equations λ of a row changes w only of the rows that share a body with it, and no others are visited; with
//! equations it may change all.

use crate::lcp::direct::equations::Equations;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use glam::DVec3;

/// A sliding row, whose λ is a multiple of its normal row's.
#[derive(Clone, Copy, Debug)]
struct SlidingRow {
    normal: usize,
    row: usize,
    coefficient: f64,
}

/// Which rows touch which body, and which sliding rows follow which normal row; the memory is reused for the next problem.
#[derive(Debug, Default)]
pub(crate) struct Coupling {
    /// Rows grouped by body, and where each body's group starts.
    start: Vec<usize>,
    cursor: Vec<usize>,
    rows: Vec<u32>,
    /// Sliding rows grouped by their normal row.
    dragged: Vec<SlidingRow>,
    /// Change of velocity; zero between two columns where there are no equations.
    dv: Vec<DVec3>,
    more: Vec<DVec3>,
    /// By row: the last column in which it was written.
    seen: Vec<usize>,
    columns: usize,
}

impl Coupling {
    /// Prepares the coupling of the rows of `problem` that are no equations.
    pub fn prepare(&mut self, problem: &MixedProblem) {
        let Self { start, cursor, rows, dragged, dv, seen, columns, .. } = self;
        let bodies = problem.weight.len();
        let counted = |visit: &mut dyn FnMut(usize, usize)| {
            for (i, row) in problem.rows.iter().enumerate().filter(|(_, row)| row.law != Law::Equation) {
                visit(row.a, i);
                if row.b != row.a {
                    visit(row.b, i);
                }
            }
        };
        start.clear();
        start.resize(bodies + 1, 0);
        counted(&mut |body, _| start[body + 1] += 1);
        (0..bodies).for_each(|body| start[body + 1] += start[body]);
        cursor.clone_from(start);
        rows.clear();
        rows.resize(start[bodies], 0);
        counted(&mut |body, row| {
            rows[cursor[body]] = row as u32;
            cursor[body] += 1;
        });
        dragged.clear();
        for (row, data) in problem.rows.iter().enumerate() {
            if let Law::Sliding { normal, coefficient } = data.law {
                dragged.push(SlidingRow { normal, row, coefficient });
            }
        }
        dragged.sort_unstable_by_key(|dragged| (dragged.normal, dragged.row));
        dv.clear();
        dv.resize(bodies, DVec3::ZERO);
        seen.clear();
        seen.resize(problem.rows.len(), 0);
        *columns = 0;
    }

    /// Calls `write` with each row, equations apart, whose w may change with λ of `row`, and with that change for a unit of λ;
    /// friction that slides follows its normal row's λ. `problem` is the one of [`Coupling::prepare`], `equations` are its
    /// factorised equations.
    pub fn column(
        &mut self,
        problem: &MixedProblem,
        equations: &mut Equations,
        row: usize,
        mut write: impl FnMut(usize, f64),
    ) {
        let own = |i: usize| if i == row { problem.rows[row].compliance } else { 0.0 };
        let first = self.dragged.partition_point(|dragged| dragged.normal < row);
        let after = self.dragged.partition_point(|dragged| dragged.normal <= row);
        let dragged = &self.dragged[first..after];
        if !equations.rows().is_empty() {
            equations.response(problem, row, 1.0, &mut self.dv);
            for &SlidingRow { row: other, coefficient, .. } in dragged {
                equations.response(problem, other, coefficient, &mut self.more);
                self.dv.iter_mut().zip(&self.more).for_each(|(dv, more)| *dv += *more);
            }
            for (i, data) in problem.rows.iter().enumerate().filter(|(_, data)| data.law != Law::Equation) {
                write(i, data.rate(&self.dv) + own(i));
            }
            return;
        }
        self.columns += 1;
        problem.rows[row].push(1.0, &problem.weight, &mut self.dv);
        for &SlidingRow { row: other, coefficient, .. } in dragged {
            problem.rows[other].push(coefficient, &problem.weight, &mut self.dv);
        }
        let pushed = [row].into_iter().chain(dragged.iter().map(|dragged| dragged.row));
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
            // None of the row's bodies can move.
            write(row, own(row));
        }
        bodies.for_each(|body| self.dv[body] = DVec3::ZERO);
    }
}
