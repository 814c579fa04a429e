//! Orders: p in e = C hᵖ.

/// A power of h fitted to errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The power.
    pub order: f64,
    /// How many errors it is fitted to.
    pub points: usize,
}

/// The order between two points (h, e): p = ln(e₀/e₁) / ln(h₀/h₁).
pub fn between((h0, e0): (f64, f64), (h1, e1): (f64, f64)) -> f64 {
    (e0 / e1).ln() / (h0 / h1).ln()
}

/// The power of h nearest to all points (h, e), by least squares in ln e; `None` of fewer than two.
pub fn fit(points: &[(f64, f64)]) -> Option<Fit> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0.ln()), mean(|p| p.1.ln()));
    let (mut along, mut squared) = (0.0, 0.0);
    for (h, e) in points {
        along += (h.ln() - x) * (e.ln() - y);
        squared += (h.ln() - x) * (h.ln() - x);
    }
    (points.len() >= 2).then(|| Fit { order: along / squared, points: points.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects the definition: of e = 3 h² both orders are 2, and a fit through two points is the order between them.
    #[test]
    fn a_power_has_its_exponent_as_order() {
        let points = [1e-1, 5e-2, 1e-2].map(|h: f64| (h, 3.0 * h * h));
        assert!((between(points[0], points[2]) - 2.0).abs() < 1e-12);
        let found = fit(&points).unwrap();
        assert!((found.order - 2.0).abs() < 1e-12 && found.points == 3);
        let bent = [(1e-1, 2.0), (5e-2, 0.7)];
        assert!((fit(&bent).unwrap().order - between(bent[0], bent[1])).abs() < 1e-12);
        assert_eq!(fit(&points[..1]), None);
    }
}
