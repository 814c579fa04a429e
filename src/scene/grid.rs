//! A grid of cells: rows of text or of zeros and ones, read as few boxes, which together have the outline of the full cells.
//!
//! Each box is a run of full cells in a row, together with the rows below in which the same run is full and as long. The boxes
//! lie flush, so that nothing trips over the edges between them.

use super::reader::{Cursor, Object};
use crate::model::Shape;
use glam::DVec2;

/// Most cells of a grid.
const MOST: usize = 1 << 16;

/// The boxes of a grid and their centres, from its lower left corner, m.
pub(super) fn read(keys: &Object<'_>) -> Option<Vec<(Shape, DVec2)>> {
    let cell = keys.require("cell", "a number greater than 0").and_then(|c| c.positive());
    let cursor =
        keys.require("rows", "an array of texts, or of arrays of 0 and 1, from the top to the bottom")?;
    let items = cursor.items("an array of rows")?;
    let rows: Vec<_> = items.iter().map(row).collect();
    let rows: Vec<Vec<bool>> = rows.into_iter().collect::<Option<_>>()?;
    let cells: usize = rows.iter().map(Vec::len).sum();
    if cells > MOST {
        cursor.problem(format!("expected at most {MOST} cells, found {cells}"));
        return None;
    }
    let cell = cell?;
    let boxes = boxes(&rows);
    if boxes.is_empty() {
        cursor.problem("expected a grid with a full cell");
        return None;
    }
    let place = |[left, top, right, bottom]: [usize; 4]| {
        let (low, high) = ([left, rows.len() - bottom], [right, rows.len() - top]);
        let [low, high] = [low, high].map(|[x, y]| DVec2::new(cell * x as f64, cell * y as f64));
        (Shape::Box { size: high - low }, 0.5 * (low + high))
    };
    Some(boxes.into_iter().map(place).collect())
}

/// One row, by cell whether it is full.
fn row(cursor: &Cursor<'_>) -> Option<Vec<bool>> {
    if !cursor.is_array() {
        let cells: Option<Vec<bool>> = cursor
            .text()?
            .chars()
            .map(|cell| match cell {
                '#' | '1' => Some(true),
                '.' | '0' | ' ' => Some(false),
                _ => None,
            })
            .collect();
        if cells.is_none() {
            cursor.problem("expected full cells '#' or '1' and empty ones '.', '0' or ' '");
        }
        return cells;
    }
    let cells: Vec<_> = cursor.items("an array of 0 and 1")?.iter().map(Cursor::switch).collect();
    cells.into_iter().collect()
}

/// The boxes as [left, top, right, bottom] in cells, rows counted from the top.
fn boxes(rows: &[Vec<bool>]) -> Vec<[usize; 4]> {
    let mut done: Vec<[usize; 4]> = Vec::new();
    let mut open: Vec<[usize; 4]> = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let mut next = Vec::new();
        let mut x = 0;
        while x < row.len() {
            let run = row[x..].iter().take_while(|full| **full).count();
            if run > 0 {
                let above = open.iter().position(|own| (own[0], own[2]) == (x, x + run));
                let top = above.map_or(y, |above| open.swap_remove(above)[1]);
                next.push([x, top, x + run, y + 1]);
            }
            x += run.max(1);
        }
        done.append(&mut open);
        open = next;
    }
    done.append(&mut open);
    done.sort_unstable_by_key(|[left, top, ..]| (*top, *left));
    done
}
