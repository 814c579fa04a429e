//! The error curve of a run of any length in bounded memory: for each column of a figure the smallest and the largest error, and
//! a count of the errors of each decade.
//!
//! A column covers one step at first. Whenever there would be more than twice as many columns as a figure has pixels, neighbours
//! are merged in pairs, so that a column covers 1, 2, 4, … steps: runs of up to [`MOST`] steps are kept exactly.

pub mod measure;

use crate::report::StepReport;
use measure::Measure;
use std::collections::BTreeMap;

/// Columns at most: twice the pixels of a figure's width.
const MOST: usize = 2880;
/// Joint error, contact error, the larger of the two: the figures that [`Measure`] chooses from.
const MEASURES: [Measure; 3] = [Measure::Joints, Measure::Contacts, Measure::Both];

/// Time, s, and error.
type Point = (f64, f64);

/// Errors over time.
#[derive(Clone, Debug, Default)]
pub struct ErrorCurve {
    /// For each measure, the points with the smallest and with the largest error of the column.
    columns: Vec<[[Point; 2]; MEASURES.len()]>,
    /// Steps per column, as a power of two.
    doublings: u32,
    /// Steps in the last column.
    filled: u64,
    /// First and last time, s.
    times: Option<[f64; 2]>,
    /// Numbers of errors by ⌊log₁₀⌋, for each measure.
    decades: [BTreeMap<i32, u64>; MEASURES.len()],
}

impl ErrorCurve {
    /// Adds the errors of the next row.
    pub fn add(&mut self, report: &StepReport) {
        let points = MEASURES.map(|measure| (report.time, measure.after(report)));
        let start = self.times.map_or(report.time, |[start, _]| start);
        self.times = Some([start, report.time]);
        for (decades, (_, error)) in self.decades.iter_mut().zip(points) {
            if error.is_finite() && error > 0.0 {
                *decades.entry(error.log10().floor() as i32).or_default() += 1;
            }
        }
        let own = points.map(|point| [point, point]);
        let full = 1_u64 << self.doublings;
        match self.columns.last_mut() {
            Some(last) if self.filled < full => {
                *last = merged(last, &own);
                self.filled += 1;
            }
            _ => {
                if self.columns.len() == MOST {
                    self.columns =
                        self.columns.chunks_exact(2).map(|pair| merged(&pair[0], &pair[1])).collect();
                    self.doublings += 1;
                }
                self.columns.push(own);
                self.filled = 1;
            }
        }
    }

    /// First and last time, s; none without rows.
    pub fn times(&self) -> Option<[f64; 2]> {
        self.times
    }

    /// The numbers of finite errors above 0 by ⌊log₁₀⌋, ascending.
    pub fn decades(&self, measure: Measure) -> impl Iterator<Item = (i32, u64)> {
        self.decades[place(measure)].iter().map(|(decade, count)| (*decade, *count))
    }

    /// The largest finite error.
    pub fn largest(&self, measure: Measure) -> Option<f64> {
        let errors = self.columns.iter().map(|column| column[place(measure)][1].1);
        errors.filter(|error| error.is_finite()).reduce(f64::max)
    }

    /// The points of the curve in order of time: of at most `columns` columns the smallest and the largest error.
    pub fn points(&self, measure: Measure, columns: usize) -> Vec<Point> {
        let per_column = self.columns.len().div_ceil(columns.max(1)).max(1);
        let ends = |group: &[[[Point; 2]; MEASURES.len()]]| {
            let own = || group.iter().map(|column| column[place(measure)]);
            let low = own().map(|[low, _]| low).reduce(smaller);
            let high = own().map(|[_, high]| high).reduce(larger);
            let mut pair: Vec<Point> = low.into_iter().chain(high).collect();
            pair.sort_by(|a, b| a.0.total_cmp(&b.0));
            pair.dedup();
            pair
        };
        self.columns.chunks(per_column).flat_map(ends).collect()
    }
}

fn place(measure: Measure) -> usize {
    MEASURES.iter().position(|own| *own == measure).unwrap_or_default()
}

fn smaller(a: Point, b: Point) -> Point {
    if b.1.total_cmp(&a.1).is_lt() { b } else { a }
}

fn larger(a: Point, b: Point) -> Point {
    if b.1.total_cmp(&a.1).is_lt() { a } else { b }
}

fn merged(
    a: &[[Point; 2]; MEASURES.len()],
    b: &[[Point; 2]; MEASURES.len()],
) -> [[Point; 2]; MEASURES.len()] {
    std::array::from_fn(|m| [smaller(a[m][0], b[m][0]), larger(a[m][1], b[m][1])])
}

#[cfg(test)]
mod tests {
    use crate::experiment::error_curve::{ErrorCurve, MOST, Measure};
    use crate::report::StepReport;

    #[test]
    fn a_long_curve_keeps_its_peaks_in_bounded_memory() {
        // Protects long comparisons: a single peak among a million rows is drawn at its time, the decades are counted
        // exactly, and the memory is that of MOST columns.
        const ROWS: u64 = 1_000_000;
        const PEAK: u64 = 123_457;
        let mut curve = ErrorCurve::default();
        for step in 0..ROWS {
            let joint_error = if step == PEAK { 0.5 } else { 2e-6 };
            let mut report = StepReport::default();
            (report.time, report.joint_error) = (step as f64, joint_error);
            curve.add(&report);
        }
        assert!(curve.columns.len() <= MOST && curve.columns.capacity() <= 2 * MOST);
        let points = curve.points(Measure::Joints, MOST / 2);
        assert!(points.len() <= MOST && points.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert!(points.contains(&(PEAK as f64, 0.5)));
        assert_eq!(curve.times(), Some([0.0, (ROWS - 1) as f64]));
        assert_eq!(curve.decades(Measure::Both).collect::<Vec<_>>(), [(-6, ROWS - 1), (-1, 1)]);
        assert_eq!(curve.largest(Measure::Joints), Some(0.5));
    }
}
