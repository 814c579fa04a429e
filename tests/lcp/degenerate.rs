//! The pivoting methods do not cycle on problems full of ties, on which a naive ratio test would.

use super::generators::{Random, degenerate, frictional};
use super::{by_hand, near, residual, solved};

/// Whether Lemke's method with the naive rule 'first row of the least ratio' cycles on a problem with 3 rows: it returns to a
/// basis with the same variable about to enter.
fn careless_lemke_cycles(m: [[f64; 3]; 3], q: [f64; 3]) -> bool {
    const COVERING: usize = 6;
    let mut t: Vec<Vec<f64>> = (0..3)
        .map(|i| {
            let mut row = vec![0.0; 8];
            row[i] = 1.0;
            (0..3).for_each(|j| row[3 + j] = -m[i][j]);
            (row[COVERING], row[7]) = (-1.0, q[i]);
            row
        })
        .collect();
    let mut basis = [0, 1, 2];
    let mut exchange = |row: usize, column: usize, t: &mut Vec<Vec<f64>>| {
        let pivot = t[row][column];
        t[row].iter_mut().for_each(|x| *x /= pivot);
        let own = t[row].clone();
        for (_, line) in t.iter_mut().enumerate().filter(|(i, _)| *i != row) {
            let factor = line[column];
            line.iter_mut().zip(&own).for_each(|(x, own)| *x -= factor * own);
        }
        (std::mem::replace(&mut basis[row], column), basis)
    };
    let first = (0..3).fold(0, |best, i| if q[i] < q[best] { i } else { best });
    let (mut left, mut now) = exchange(first, COVERING, &mut t);
    let mut seen = Vec::new();
    while left != COVERING {
        let mut key = now;
        key.sort_unstable();
        if seen.contains(&(key, left)) {
            return true;
        }
        seen.push((key, left));
        let entering = if left < 3 { left + 3 } else { left - 3 };
        let ratio =
            |i: usize| if t[i][entering] > 1e-12 { t[i][7] / t[i][entering] } else { f64::INFINITY };
        let row = (0..3).fold(0, |best, i| if ratio(i) < ratio(best) - 1e-12 { i } else { best });
        assert!(ratio(row).is_finite(), "a ray");
        (left, now) = exchange(row, entering, &mut t);
    }
    false
}

/// On Kostreva's example [1979], in which q = −e ties all rows, the naive rule cycles, while both pivoting methods end at
/// z = (⅓, ⅓, ⅓), where every row of M z is 1.
#[test]
fn the_lexicographic_rule_ends_where_a_careless_one_cycles() {
    let (m, q) = ([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]], [-1.0; 3]);
    assert!(careless_lemke_cycles(m, q));
    for key in ["lemke", "dantzig"] {
        let solution = solved(key, &by_hand(m, q), "Kostreva");
        assert!(near(&solution.z, &[1.0 / 3.0; 3], 1e-15), "{key}: {:?}", solution.z);
    }
}

/// Both pivoting methods solve degenerate problems, with repeated rows, rows of zeros, zeros in q and exact ties, and agree on w,
/// which is unique.
#[test]
fn degenerate_problems_end_at_a_solution() {
    let mut random = Random(5);
    let (mut worst, mut pivots) = (0.0_f64, 0);
    for k in 0..2000 {
        let n = if k < 1980 { random.whole(1, 25) } else { 150 };
        let problem = degenerate(&mut random, n);
        let lemke = solved("lemke", &problem, "degenerate");
        let dantzig = solved("dantzig", &problem, "degenerate");
        assert!(near(&lemke.w, &dantzig.w, 1e-9), "problem {k}, n = {n}");
        worst = worst.max(residual(&problem, &lemke.z)).max(residual(&problem, &dantzig.z));
        pivots = pivots.max(lemke.pivots).max(dantzig.pivots);
    }
    println!("degenerate: 2000 problems, worst scaled residual {worst:.1e}, most pivots {pivots}");
}

/// Lemke's method solves problems with duplicated frictional contacts, in which any division of the force between equal rows
/// is a solution.
#[test]
fn repeated_frictional_contacts_are_solved() {
    let mut random = Random(10);
    let (mut worst, mut pivots) = (0.0_f64, 0);
    for k in 0..1000 {
        let contacts = if k < 985 { random.whole(1, 12) } else { random.whole(30, 50) };
        let problem = frictional(&mut random, contacts, 0.6);
        let solution = solved("lemke", &problem, "repeated contacts");
        worst = worst.max(residual(&problem, &solution.z));
        pivots = pivots.max(solution.pivots);
    }
    println!("repeated contacts: 1000 problems, worst scaled residual {worst:.1e}, most pivots {pivots}");
}

/// Lemke's method solves 8,500 problems with duplicated contacts and near ties. With a single covering vector it ended on a
/// false ray in 2 of 30,000.
#[test]
fn near_ties_do_not_end_on_a_ray_that_is_not_there() {
    let mut random = Random(5010);
    for k in 0..8500 {
        let contacts = random.whole(1, 12);
        solved("lemke", &frictional(&mut random, contacts, 0.6), &format!("near ties, problem {k}"));
    }
}
