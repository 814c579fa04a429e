//! Soft constraints against Solver2D's published limits and against theory.

use driftlab::experiment::stability::{
    BALL_AND_CHAIN_STEP, Linear, Model, Relax, Soft, ball_and_chain, soft_limit,
};

fn soft(relax: Relax, sweeps: usize) -> Soft {
    Soft { hertz: 0.0, damping_ratio: 0.0, sweeps, relax }
}

fn limit(relax: Relax, sweeps: usize, h: f64) -> f64 {
    soft_limit(&ball_and_chain().unwrap(), soft(relax, sweeps), h, [1.0, 200.0]).unwrap().unwrap()
}

/// Solver2D's published limits for its ball and chain, at ζ = 0, h = 1/60 s and one sweep, found in steps of half a hertz:
/// stable up to 13.5 Hz, with relax up to 20.5 Hz. The computed limits lie within half a hertz above these.
#[test]
fn the_ball_and_chain_becomes_unstable_where_solver2d_says() {
    let (without, with) =
        (limit(Relax::Off, 1, BALL_AND_CHAIN_STEP), limit(Relax::On, 1, BALL_AND_CHAIN_STEP));
    println!("stable up to {without:.4} Hz without and {with:.4} Hz with relax");
    assert!((13.5..14.0).contains(&without), "{without}");
    assert!((20.5..21.0).contains(&with), "{with}");
}

/// Undamped, only hω counts: a quarter of the step is stable up to four times the frequency.
#[test]
fn undamped_limits_scale_with_the_time_step() {
    for relax in [Relax::Off, Relax::On] {
        let ratio = limit(relax, 1, BALL_AND_CHAIN_STEP / 4.0) / limit(relax, 1, BALL_AND_CHAIN_STEP);
        assert!((ratio - 4.0).abs() < 1e-3, "{ratio}");
    }
}

/// The instability comes from the unconverged solve: each doubling of the sweeps raises the limit by 30 % or more, and with
/// 5,000 sweeps 60 Hz is stable.
#[test]
fn more_sweeps_raise_the_limit() {
    let limits = [1, 2, 4, 8].map(|sweeps| limit(Relax::Off, sweeps, BALL_AND_CHAIN_STEP));
    assert!(limits.windows(2).all(|pair| pair[1] > 1.3 * pair[0]), "{limits:?}");
    let converged = Model::Soft(Soft { hertz: 60.0, ..soft(Relax::Off, 5000) });
    let radius = ball_and_chain().unwrap().spectral_radius(&converged, BALL_AND_CHAIN_STEP).unwrap();
    assert!(radius <= 1.0 + 1e-9, "{radius}");
}

/// A single soft constraint is a damped spring integrated by implicit Euler and stable at every frequency, and its closed form
/// agrees with the eigenvalues of (q, v, λ).
#[test]
fn a_single_soft_constraint_is_stable_at_every_frequency() {
    let single = Linear::new(vec![0.5], vec![vec![(0, 2.0)]]).unwrap();
    for relax in [Relax::Off, Relax::On] {
        for damping_ratio in [0.0, 0.3, 1.0, 10.0] {
            for hertz in [0.1, 1.0, 10.0, 1e3, 1e5] {
                let model = Model::Soft(Soft { hertz, damping_ratio, sweeps: 1, relax });
                let closed = model.block(0.01).spectral_radius();
                let radius = single.spectral_radius(&model, 0.01).unwrap();
                // Three eigenvalues near zero are accurate to the cube root of rounding.
                assert!((radius - closed).abs() < 1e-5, "{model:?}: {radius} or {closed}");
                assert!(closed < 1.0, "{model:?}: {closed}");
            }
        }
    }
}
