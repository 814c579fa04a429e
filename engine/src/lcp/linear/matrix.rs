//! A square matrix stored by columns and by rows; a *line* is a row or a column.
//!
//! The matrix of a contact problem is mostly zero: a row couples only to rows that share a body with it. Both
//! directions are kept, so that a product costs as much as there are entries. Where more than a quarter is filled,
//! as behind joints or in a file, the lines are stored in full and run without indices.
//!
//! Sums follow the order of a line's entries, so that every build gives the same bits.

use super::lu::subtract;

/// An indexed multiplication costs about this many plain ones: if more than 1/`INDEXED` is filled, lines are stored in full.
const INDEXED: usize = 4;

/// Lines one after the other, each a list of entries.
#[derive(Clone, Debug, Default)]
pub(in crate::lcp) struct MatrixLines {
    /// Where each line starts, and the end.
    start: Vec<usize>,
    /// Place of each entry in its line; empty where lines are full, or all of them empty.
    index: Vec<u32>,
    value: Vec<f64>,
}

impl MatrixLines {
    /// Returns an empty list of lines.
    pub fn new() -> Self {
        Self { start: vec![0], ..Self::default() }
    }

    /// Adds an entry to the last line; zeros are left out.
    pub fn push(&mut self, index: usize, value: f64) {
        if value != 0.0 {
            self.index.push(index as u32);
            self.value.push(value);
        }
    }

    /// Ends a line.
    pub fn close(&mut self) {
        self.start.push(self.value.len());
    }

    fn count(&self) -> usize {
        self.start.len() - 1
    }

    fn line(&self, at: usize) -> MatrixLine<'_> {
        let range = self.start[at]..self.start[at + 1];
        // Without an entry there is no index either.
        if self.index.is_empty() && !self.value.is_empty() {
            MatrixLine::Full(&self.value[range])
        } else {
            MatrixLine::Sparse(&self.index[range.clone()], &self.value[range])
        }
    }

    /// Returns the transpose.
    fn transposed(&self) -> Self {
        let n = self.count();
        let mut start = vec![0; n + 1];
        self.index.iter().for_each(|&i| start[i as usize + 1] += 1);
        (0..n).for_each(|i| start[i + 1] += start[i]);
        let (mut index, mut value) = (vec![0; self.index.len()], vec![0.0; self.value.len()]);
        let mut cursor = start.clone();
        for j in 0..n {
            for at in self.start[j]..self.start[j + 1] {
                let to = &mut cursor[self.index[at] as usize];
                (index[*to], value[*to]) = (j as u32, self.value[at]);
                *to += 1;
            }
        }
        Self { start, index, value }
    }

    /// Returns the lines with every entry stored.
    fn filled(&self) -> Self {
        let n = self.count();
        let mut value = vec![0.0; n * n];
        for j in 0..n {
            self.line(j).iter().for_each(|(i, x)| value[j * n + i] = x);
        }
        Self { start: (0..=n).map(|j| j * n).collect(), index: Vec::new(), value }
    }
}

/// A row or a column.
#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) enum MatrixLine<'m> {
    /// Every entry.
    Full(&'m [f64]),
    /// The entries that are not zero, with their places.
    Sparse(&'m [u32], &'m [f64]),
}

impl<'m> MatrixLine<'m> {
    /// The entries with their places; zeros of a full line are among them.
    pub fn iter(self) -> impl Iterator<Item = (usize, f64)> + 'm {
        let (index, value) = match self {
            Self::Full(value) => (None, value),
            Self::Sparse(index, value) => (Some(index), value),
        };
        value.iter().enumerate().map(move |(at, &x)| (index.map_or(at, |index| index[at] as usize), x))
    }

    /// y ← y + factor · line
    pub fn add_to(self, factor: f64, y: &mut [f64]) {
        match self {
            Self::Full(value) => subtract(y, -factor, value),
            Self::Sparse(index, value) => {
                index.iter().zip(value).for_each(|(&i, x)| y[i as usize] += factor * x);
            }
        }
    }

    /// Σ line · x
    pub fn dot(self, x: &[f64]) -> f64 {
        match self {
            Self::Full(value) => value.iter().zip(x).map(|(m, x)| m * x).sum(),
            Self::Sparse(index, value) => index.iter().zip(value).map(|(&i, m)| m * x[i as usize]).sum(),
        }
    }
}

/// An n × n matrix.
#[derive(Clone, Debug, Default)]
pub(in crate::lcp) struct Matrix {
    n: usize,
    rows: MatrixLines,
    columns: MatrixLines,
}

impl Matrix {
    /// Returns the matrix of these columns, each with its entries in any order.
    pub fn from_columns(of: &MatrixLines) -> Self {
        let n = of.count();
        // Transposed twice, so that every line is in order.
        let rows = of.transposed();
        let columns = rows.transposed();
        if INDEXED * columns.value.len() > n * n {
            return Self { n, rows: rows.filled(), columns: columns.filled() };
        }
        Self { n, rows, columns }
    }

    /// Returns the matrix of these rows.
    pub fn from_rows<'r>(rows: impl Iterator<Item = &'r [f64]>) -> Self {
        let mut lines = MatrixLines::new();
        for row in rows {
            row.iter().enumerate().for_each(|(j, &x)| lines.push(j, x));
            lines.close();
        }
        let mut matrix = Self::from_columns(&lines);
        std::mem::swap(&mut matrix.rows, &mut matrix.columns);
        matrix
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> MatrixLine<'_> {
        self.rows.line(i)
    }

    /// Column `j`.
    pub fn column(&self, j: usize) -> MatrixLine<'_> {
        self.columns.line(j)
    }

    /// Appends the entries of row `i` at `places`, which ascend.
    pub fn gather(&self, i: usize, places: &[usize], into: &mut Vec<f64>) {
        match self.row(i) {
            MatrixLine::Full(value) => into.extend(places.iter().map(|&j| value[j])),
            MatrixLine::Sparse(index, value) => {
                let mut entries = index.iter().zip(value).peekable();
                into.extend(places.iter().map(|&j| {
                    while entries.next_if(|(at, _)| (**at as usize) < j).is_some() {}
                    entries.next_if(|(at, _)| **at as usize == j).map_or(0.0, |(_, x)| *x)
                }));
            }
        }
    }

    /// Every entry becomes `change(row, column, entry)`.
    pub fn map(mut self, change: impl Fn(usize, usize, f64) -> f64) -> Self {
        for (lines, turned) in [(&mut self.rows, false), (&mut self.columns, true)] {
            for line in 0..self.n {
                for at in lines.start[line]..lines.start[line + 1] {
                    let place = lines.index.get(at).map_or(at - lines.start[line], |&i| i as usize);
                    let (i, j) = if turned { (place, line) } else { (line, place) };
                    lines.value[at] = change(i, j, lines.value[at]);
                }
            }
        }
        self
    }

    /// Whether every entry is finite.
    pub fn is_finite(&self) -> bool {
        self.rows.value.iter().all(|x| x.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix of zeros is read as zeros: it arises where equations hold all the bodies of the rows.
    #[test]
    fn a_matrix_of_zeros_is_read_as_zeros() {
        let zeros = Matrix::from_rows([[0.0, 0.0].as_slice(), &[0.0, 0.0]].into_iter());
        let mut gathered = Vec::new();
        (0..2).for_each(|i| zeros.gather(i, &[0, 1], &mut gathered));
        assert_eq!(gathered, [0.0; 4]);
        assert_eq!(zeros.row(1).dot(&[1.0, 2.0]), 0.0);
        assert_eq!(zeros.column(0).iter().count(), 0);
    }
}
