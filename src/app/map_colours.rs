//! The colours of ρ: how fast an error decays in blue, how fast it grows in red, each brighter the faster.
//!
//! What is shown is the rate per step |ln ρ| on a logarithmic scale, since ρ = 0.9 and ρ = 0.99 differ by a factor of
//! ten in steps. Both scales run evenly in the lightness of Oklab [Ottosson 2020], a space in which equal distances
//! look equal, at opposite hues.

use egui_macroquad::egui::Color32;

/// Slowest and fastest rate that are told apart, as log₁₀ of |ln ρ| per step.
const RATES: [f64; 2] = [-3.0, 0.5];
/// Lightness at the slowest and at the fastest rate.
const LIGHTNESS: [f64; 2] = [0.36, 0.86];
/// Chroma of both scales.
const CHROMA: f64 = 0.115;
/// Hues of decay and of growth, degrees.
const HUES: [f64; 2] = [245.0, 38.0];
/// The colour where ρ was not found.
const NOTHING: Color32 = Color32::from_gray(128);

/// The ρ that are labelled beside the scale.
pub const TICKS: [f64; 7] = [0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 2.0];

/// Where ρ lies on the scale: −1 for an error that is gone at once, 0 for one that stays, 1 for one that explodes; none for NaN.
pub fn level(radius: f64) -> Option<f64> {
    if radius.is_nan() {
        return None;
    }
    let rate = radius.ln().abs();
    let share = ((rate.log10() - RATES[0]) / (RATES[1] - RATES[0])).clamp(0.0, 1.0);
    Some(if radius > 1.0 { share } else { -share })
}

/// The colour of ρ.
pub fn colour(radius: f64) -> Color32 {
    level(radius).map_or(NOTHING, |level| shade(level, radius > 1.0))
}

/// The colour at a place of the scale, −1 to 1; at 0 as growth or as decay.
pub fn shade(level: f64, grows: bool) -> Color32 {
    let lightness = LIGHTNESS[0] + level.abs() * (LIGHTNESS[1] - LIGHTNESS[0]);
    let hue = HUES[usize::from(grows)].to_radians();
    oklab([lightness, CHROMA * hue.cos(), CHROMA * hue.sin()])
}

/// A colour of Oklab (L, a, b) in sRGB, moved into its gamut channel by channel.
fn oklab([lightness, a, b]: [f64; 3]) -> Color32 {
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let red = 4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s;
    let green = -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s;
    let blue = -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s;
    let [red, green, blue] = [red, green, blue].map(encode);
    Color32::from_rgb(red, green, blue)
}

/// A linear channel in sRGB's encoding, 0 to 255.
fn encode(x: f64) -> u8 {
    let x = x.clamp(0.0, 1.0);
    let encoded = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
    (255.0 * encoded).round() as u8
}
