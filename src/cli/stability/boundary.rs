//! The stability boundary of a map's scheme, as a curve over the map.

use crate::experiment::Grid;
use crate::method::AxisQuantity;
use crate::scene::Settings;

/// Over one parameter, the line ρ = 1; over the two of the scheme's stability plane, the scheme's exact boundary where
/// it has one.
pub(super) fn curves(settings: Option<&Settings>, grid: &Grid) -> Vec<(String, Vec<(f64, f64)>)> {
    if let [axis] = grid.axes() {
        let numbers = axis.numbers().unwrap_or_default();
        return vec![("ρ = 1".to_owned(), numbers.into_iter().map(|x| (x, 1.0)).collect())];
    }
    let (Some(settings), [first, second]) = (settings, grid.axes()) else { return Vec::new() };
    let (stabilizer, h) = (&settings.method.stabilizer, settings.time_step);
    let (scheme, values) = (stabilizer.scheme(), &stabilizer.values);
    let keys = (scheme.stability_plane)(values, h).map(|axes| {
        axes.map(|(quantity, _)| match quantity {
            AxisQuantity::Parameter(own) => own.key,
            AxisQuantity::TimeStep => "dt",
        })
    });
    let place = |key: &str| keys?.iter().position(|own| *own == key);
    let (Some(x), Some(y)) = (place(&first.key), place(&second.key)) else { return Vec::new() };
    let boundary = (scheme.stability_boundary)(values, settings.method.integrator, h);
    let curve = boundary.map(|own| {
        (own.name.to_owned(), own.points.into_iter().map(|point| (point[x], point[y])).collect())
    });
    curve.into_iter().collect()
}
