//! Linear complementarity problems: w = M z + q, z ≥ 0, w ≥ 0, zᵀw = 0.
//!
//! The first problem has z = (5/2, 0) and w = (0, 7/2), which is easily checked by hand. The second has no solution,
//! since z₁ + z₂ ≤ −1 cannot be met by numbers that are not negative; Lemke's method ends on a ray that proves it.
//!
//! `cargo run --release -p driftlab --no-default-features --example lcp`

use driftlab::lcp::{COMPLEMENTARITY, LcpError, LcpProblem, complementarity};
use driftlab::parameter::Values;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = LcpProblem::new(vec![2.0, 1.0, 1.0, 2.0], vec![-5.0, 1.0])?;
    println!("solver        z₁      z₂      w₁      w₂    residual");
    for solver in COMPLEMENTARITY {
        let info = solver.info();
        let solution = solver.solve(&problem, &Values::defaults(info.parameters))?;
        let [z, w] = [&solution.z, &solution.w];
        println!(
            "{:8} {:7.4} {:7.4} {:7.4} {:7.4} {:11.1e}",
            info.key, z[0], z[1], w[0], w[1], solution.residual
        );
        let expected = [2.5, 0.0, 0.0, 3.5];
        let found = z.iter().chain(w);
        assert!(found.zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-8));
    }

    let hopeless = LcpProblem::new(vec![-1.0, -1.0, -1.0, -1.0], vec![-1.0, -1.0])?;
    let lemke = complementarity("lemke").ok_or("no such solver")?;
    match lemke.solve(&hopeless, &Values::defaults(lemke.info().parameters)) {
        Err(LcpError::Ray { direction, infeasible: true, .. }) => {
            println!("\nwithout a solution, proved by the direction {direction:?}");
        }
        other => return Err(format!("the problem has no solution, but: {other:?}").into()),
    }
    Ok(())
}
