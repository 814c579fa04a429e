//! A problem posed where the last one stands is that one only if nothing in it is another.

use super::posed::Posed;
use crate::lcp::{Law, MixedRow};
use glam::DVec3;

fn row(number: f64) -> MixedRow {
    let (ja, jb) = (DVec3::new(-1.0, 0.0, number), DVec3::new(1.0, 0.0, 0.5));
    MixedRow { a: 0, b: 1, ja, jb, bias: 0.1, compliance: 0.0, law: Law::Unilateral }
}

/// A problem with these rows, posed to its end.
fn pose(posed: &mut Posed, free: [f64; 2], rows: &[MixedRow]) {
    posed.begin(&[DVec3::ONE; 2], Some(&free.map(DVec3::splat)));
    posed.pose_all(rows.iter().copied());
    posed.end();
}

/// Three rows that have been solved.
fn solved() -> (Posed, [MixedRow; 3]) {
    let (mut posed, rows) = (Posed::default(), [1.0, 2.0, 3.0].map(row));
    pose(&mut posed, [0.0; 2], &rows);
    posed.note_solved();
    (posed, rows)
}

/// Whatever is another of a row, of the bodies or of the number of rows, makes it another problem, and is posed.
#[test]
fn a_problem_is_another_one_if_anything_in_it_is() {
    let (mut posed, rows) = solved();
    pose(&mut posed, [0.0; 2], &rows);
    assert!(posed.is_solved());
    let changes: [fn(&mut MixedRow); 10] = [
        |row| row.a = 1,
        |row| row.b = 0,
        |row| row.ja.z = -row.ja.z,
        |row| row.jb.y = -0.0,
        |row| row.bias = 0.1 + f64::EPSILON / 8.0,
        |row| row.compliance = f64::MIN_POSITIVE,
        |row| row.law = Law::Equation,
        |row| row.law = Law::Bounded { lower: 0.0, upper: f64::INFINITY },
        |row| row.law = Law::Friction { normal: 0, coefficient: 0.5 },
        |row| row.law = Law::Sliding { normal: 0, coefficient: 0.5 },
    ];
    for (change, at) in changes.iter().flat_map(|change| (0..3).map(move |at| (change, at))) {
        let (mut posed, mut rows) = solved();
        change(&mut rows[at]);
        pose(&mut posed, [0.0; 2], &rows);
        assert!(!posed.is_solved());
        assert_eq!(posed.mixed().rows, rows);
    }
    for count in [0, 2] {
        let (mut posed, rows) = solved();
        pose(&mut posed, [0.0; 2], &rows[..count]);
        assert!(!posed.is_solved());
        assert_eq!(posed.mixed().rows, rows[..count]);
    }
    let (mut posed, rows) = solved();
    pose(&mut posed, [0.0; 2], &[&rows[..], &[row(4.0)]].concat());
    assert!(!posed.is_solved());
    let (mut posed, rows) = solved();
    pose(&mut posed, [0.0, 1.0], &rows);
    assert!(!posed.is_solved());
    assert_eq!(posed.mixed().free, [DVec3::ZERO, DVec3::ONE]);
    let (mut posed, rows) = solved();
    posed.begin(&[DVec3::ONE, DVec3::X], Some(&[DVec3::ZERO; 2]));
    posed.pose_all(rows.into_iter());
    posed.end();
    assert!(!posed.is_solved());
    assert_eq!(posed.mixed().weight, [DVec3::ONE, DVec3::X]);
    // Bodies at rest are those that move with zero.
    let (mut posed, rows) = solved();
    posed.begin(&[DVec3::ONE; 2], None);
    posed.pose_all(rows.into_iter());
    posed.end();
    assert!(posed.is_solved());
    for free in [[0.0, -0.0], [0.0, 1.0]] {
        pose(&mut posed, free, &rows);
        posed.note_solved();
        posed.begin(&[DVec3::ONE; 2], None);
        posed.pose_all(rows.into_iter());
        posed.end();
        assert!(!posed.is_solved());
        assert_eq!(posed.mixed().free, [DVec3::ZERO; 2]);
    }
}

/// What has been overwritten is not the problem that was solved, even where it is posed once more: its answer is known of none of the two.
#[test]
fn what_was_posed_and_not_solved_has_no_answer() {
    let (mut posed, rows) = solved();
    let other = [rows[0], row(7.0), rows[2]];
    // Posed as far as to its change, then left.
    posed.begin(&[DVec3::ONE; 2], None);
    posed.pose_all(other[..2].iter().copied());
    for rows in [other, rows] {
        pose(&mut posed, [0.0; 2], &rows);
        assert!(!posed.is_solved());
        pose(&mut posed, [0.0; 2], &rows);
        assert!(!posed.is_solved());
    }
    posed.note_solved();
    pose(&mut posed, [0.0; 2], &rows);
    assert!(posed.is_solved());
    // Changed behind its end, and changed back.
    posed.change().rows[1].compliance = 1.0;
    posed.change().rows[1].compliance = 0.0;
    assert!(!posed.is_solved());
}

/// Rounding and rest are said anew of each problem.
#[test]
fn rounding_and_rest_belong_to_the_problem() {
    let (mut posed, rows) = solved();
    for (rounding, rests, is_solved) in [(1e-9, false, false), (0.0, true, false), (0.0, false, true)] {
        pose(&mut posed, [0.0; 2], &rows);
        posed.round_by(rounding);
        if rests {
            posed.let_rest();
        }
        assert_eq!(posed.is_solved(), is_solved);
    }
}
