//! How colours look: lightness and differences for ordinary eyes and for eyes without one of the three cones.
//!
//! Differences are ΔE₀₀ [CIE 142-2001; Sharma, Wu & Dalal 2005, eqs. 2–22] of CIELAB under D65, contrast is that of
//! WCAG 2.1. Eyes without a cone see by the matrices of Machado, Oliveira & Fernandes 2009, severity 1, which act on linear RGB.

use egui_macroquad::egui::Color32;

/// The four kinds of eyes, and what each makes of linear red, green and blue.
pub(super) const EYES: [(&str, [[f64; 3]; 3]); 4] = [
    ("ordinary", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanope",
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    ),
    (
        "deuteranope",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    (
        "tritanope",
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ),
];

/// Red, green and blue to X, Y, Z of D65 [IEC 61966-2-1].
const XYZ: [[f64; 3]; 3] = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
];
/// White under D65.
const WHITE: [f64; 3] = [0.95047, 1.0, 1.08883];

fn times(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| (0..3).map(|j| matrix[i][j] * v[j]).sum())
}

/// Red, green and blue in proportion to light, 0 to 1.
fn linear(color: Color32) -> [f64; 3] {
    [color.r(), color.g(), color.b()].map(|channel| {
        let encoded = f64::from(channel) / 255.0;
        if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    })
}

/// L*, a*, b* of an opaque colour as these eyes see it.
pub(super) fn lab(color: Color32, eyes: &[[f64; 3]; 3]) -> [f64; 3] {
    let seen = times(eyes, linear(color)).map(|x| x.clamp(0.0, 1.0));
    let xyz = times(&XYZ, seen);
    let [x, y, z] = [0, 1, 2].map(|i| {
        let t = xyz[i] / WHITE[i];
        if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// ΔE₀₀ of two colours of CIELAB.
pub(super) fn difference([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let seventh = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let g = 0.5 * (1.0 - seventh(0.5 * (a1.hypot(b1) + a2.hypot(b2))));
    let (a1, a2) = ((1.0 + g) * a1, (1.0 + g) * a2);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue =
        |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if grey => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let mean_hue = match 0.5 * (h1 + h2) {
        half if grey => 2.0 * half,
        half if (h1 - h2).abs() <= 180.0 => half,
        half if h1 + h2 < 360.0 => half + 180.0,
        half => half - 180.0,
    };
    let (dl, dc) = (l2 - l1, c2 - c1);
    let dh = 2.0 * (c1 * c2).sqrt() * (0.5 * turn).to_radians().sin();
    let (l, c) = (0.5 * (l1 + l2), 0.5 * (c1 + c2));
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t =
        1.0 - 0.17 * cos(mean_hue - 30.0) + 0.24 * cos(2.0 * mean_hue) + 0.32 * cos(3.0 * mean_hue + 6.0)
            - 0.20 * cos(4.0 * mean_hue - 63.0);
    let off = (l - 50.0).powi(2);
    let [sl, sc, sh] = [1.0 + 0.015 * off / (20.0 + off).sqrt(), 1.0 + 0.045 * c, 1.0 + 0.015 * c * t];
    let rotation = 30.0 * (-((mean_hue - 275.0) / 25.0).powi(2)).exp();
    let rt = -(2.0 * rotation).to_radians().sin() * 2.0 * seventh(c);
    let [x, y, z] = [dl / sl, dc / sc, dh / sh];
    (x * x + y * y + z * z + rt * y * z).sqrt()
}

/// The least ΔE₀₀ of two opaque colours over the four kinds of eyes, and whose it is.
pub(super) fn least(a: Color32, b: Color32) -> (f64, &'static str) {
    let of = |(name, eyes): &(&'static str, [[f64; 3]; 3])| (difference(lab(a, eyes), lab(b, eyes)), *name);
    EYES.iter().map(of).min_by(|a, b| a.0.total_cmp(&b.0)).expect("four kinds of eyes")
}

/// The contrast of two opaque colours, 1 to 21 [WCAG 2.1].
pub(super) fn contrast(a: Color32, b: Color32) -> f64 {
    let luminance = |color: Color32| {
        let [r, g, b] = linear(color);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Pairs of colours of CIELAB and their ΔE₀₀ [Sharma, Wu & Dalal 2005, table 1].
#[rustfmt::skip]
const PUBLISHED: [([f64; 3], [f64; 3], f64); 34] = [
    ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
    ([50.0, 3.1571, -77.2803], [50.0, 0.0, -82.7485], 2.8615),
    ([50.0, 2.8361, -74.02], [50.0, 0.0, -82.7485], 3.4412),
    ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0),
    ([50.0, -1.1848, -84.8006], [50.0, 0.0, -82.7485], 1.0),
    ([50.0, -0.9009, -85.5211], [50.0, 0.0, -82.7485], 1.0),
    ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
    ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.001], 7.1792),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0011], 7.2195),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0012], 7.2195),
    ([50.0, -0.001, 2.49], [50.0, 0.0009, -2.49], 4.8045),
    ([50.0, -0.001, 2.49], [50.0, 0.001, -2.49], 4.8045),
    ([50.0, -0.001, 2.49], [50.0, 0.0011, -2.49], 4.7461),
    ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.3065),
    ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
    ([50.0, 2.5, 0.0], [61.0, -5.0, 29.0], 22.8977),
    ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.903),
    ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
    ([50.0, 2.5, 0.0], [50.0, 3.1736, 0.5854], 1.0),
    ([50.0, 2.5, 0.0], [50.0, 3.2972, 0.0], 1.0),
    ([50.0, 2.5, 0.0], [50.0, 1.8634, 0.5757], 1.0),
    ([50.0, 2.5, 0.0], [50.0, 3.2592, 0.335], 1.0),
    ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ([63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.263),
    ([61.2901, 3.7196, -5.3901], [61.4292, 2.248, -4.962], 1.8731),
    ([35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645),
    ([22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373),
    ([36.4612, 47.858, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146),
    ([90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441),
    ([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
    ([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377),
    ([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082),
];

/// The differences are those that were published with the formula, its hard cases included: hues across 0°, greys, blues.
#[test]
fn colour_differences_are_those_of_ciede2000s_test_data() {
    for (a, b, published) in PUBLISHED {
        let computed = difference(a, b);
        assert!((computed - published).abs() < 1e-4, "{a:?} and {b:?}: {computed} for {published}");
    }
}

/// White and black have the contrast 21, and a colour has none against itself; D65 white is L* = 100 without hue, to all eyes.
#[test]
fn white_and_black_end_the_scales_of_contrast_and_lightness() {
    assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 1e-9);
    assert!((contrast(Color32::RED, Color32::RED) - 1.0).abs() < 1e-12);
    for (name, eyes) in EYES {
        let [l, a, b] = lab(Color32::WHITE, &eyes);
        assert!((l - 100.0).abs() < 1e-3 && a.abs() < 0.02 && b.abs() < 0.02, "{name}: {l} {a} {b}");
    }
}
