//! Places of the names at the right ends of a plot's lines.

/// Heights near the given ones, from the highest down, at least a `row` apart and within the range as far as they fit.
pub(super) fn apart(heights: &[f64], row: f64, [low, high]: [f64; 2]) -> Vec<f64> {
    let mut above = high + row;
    let down = heights.iter().map(|height| {
        above = height.min(above - row);
        above
    });
    let mut places: Vec<f64> = down.collect();
    let mut below = low - row;
    for place in places.iter_mut().rev() {
        *place = place.max(below + row);
        below = *place;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::apart;

    /// Names that are asked for at one height, in the middle or at an edge, stand a row apart and in the range.
    #[test]
    fn names_do_not_overlap() {
        let range = [0.0, 10.0];
        for heights in [[5.0; 4], [-3.0; 4], [20.0; 4], [9.5, 9.4, 0.1, -1.0]] {
            let places = apart(&heights, 1.0, range);
            assert!(places.windows(2).all(|pair| pair[0] - pair[1] >= 1.0 - 1e-12), "{places:?}");
            assert!(places.iter().all(|place| (0.0..=10.0).contains(place)), "{places:?}");
        }
        assert_eq!(apart(&[8.0, 2.0], 1.0, range), [8.0, 2.0]);
    }
}
