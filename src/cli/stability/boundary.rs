//! The stability boundary of a map's scheme, as a curve over the map.

use crate::experiment::stability::largest_stable_beta;
use crate::experiment::{Axis, Grid, Scale};
use crate::scene::Settings;
use crate::stabilizer::Integrator;

/// Points of the exact boundary.
const CURVE_POINTS: u32 = 2000;

/// Over one parameter, the line ρ = 1; over α and β under semi-implicit Euler, the exact boundary.
pub(super) fn curves(settings: Option<&Settings>, grid: &Grid) -> Vec<(String, Vec<(f64, f64)>)> {
    if let [axis] = grid.axes() {
        let numbers = axis.numbers().unwrap_or_default();
        return vec![("ρ = 1".to_owned(), numbers.into_iter().map(|x| (x, 1.0)).collect())];
    }
    let (Some(settings), [first, second]) = (settings, grid.axes()) else { return Vec::new() };
    let parabola = settings.method.stabilizer.info().key == "baumgarte_acceleration"
        && settings.method.integrator == Integrator::SemiImplicitEuler;
    let keys = [first.key.as_str(), second.key.as_str()];
    if !parabola || (keys != ["alpha", "beta"] && keys != ["beta", "alpha"]) {
        return Vec::new();
    }
    let alpha_first = keys[0] == "alpha";
    let h = settings.time_step;
    let [low, high] = ends(if alpha_first { first } else { second });
    let alpha = |i: u32| {
        let t = f64::from(i) / f64::from(CURVE_POINTS);
        // Half of the points are spaced by equal ratios, for a logarithmic axis; half cluster at the tip αh = 1, where the curve
        // is steep.
        let high = high.min(1.0 / h);
        let steep = high - (high - low) * (1.0 - t) * (1.0 - t);
        let even = if low > 0.0 { low * (high / low).powf(t) } else { low + t * (high - low) };
        [even, steep]
    };
    let mut alphas: Vec<f64> = (0..=CURVE_POINTS).flat_map(alpha).filter(|alpha| *alpha >= 0.0).collect();
    alphas.sort_by(f64::total_cmp);
    let curve = alphas.into_iter().filter_map(|alpha| Some((alpha, largest_stable_beta(alpha, h)?)));
    let placed = curve.map(|(alpha, beta)| if alpha_first { (alpha, beta) } else { (beta, alpha) });
    vec![("(βh)² + 4αh = 4".to_owned(), placed.collect())]
}

/// The range that the map draws: smallest and largest value, extended to the edges of their cells.
fn ends(axis: &Axis) -> [f64; 2] {
    let numbers = axis.numbers().unwrap_or_default();
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match axis.scale {
        Scale::Logarithmic => [low * low / high, high * high / low],
        Scale::Linear | Scale::Words => [(2.0 * low - high).max(0.0), 2.0 * high - low],
    }
}
