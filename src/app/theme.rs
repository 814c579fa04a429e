//! Colours and spacing, dark and light.

use crate::workbench::runs::force_balance::Source;
use crate::workbench::view_state::layers::View;
use crate::workbench::view_state::scheme_colours::{self, Colour};
use egui_macroquad::egui::style::HandleShape;
use egui_macroquad::egui::{self, Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Visuals};

/// The colours of canvas and plots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Background of the canvas.
    pub background: Color32,
    /// Panels.
    pub panel: Color32,
    /// Fine grid lines.
    pub grid: Color32,
    /// Every fifth or tenth grid line.
    pub grid_major: Color32,
    /// The axes x = 0 and y = 0.
    pub axis: Color32,
    /// Primary text.
    pub text: Color32,
    /// Secondary text.
    pub weak: Color32,
    /// Outline and hatching of bodies that forces do not move.
    pub fixed: Color32,
    /// Joints, rods and springs.
    pub joint: Color32,
    /// Joint gaps, failures.
    pub error: Color32,
    /// The PAUSED badge.
    pub badge: Color32,
    /// The REPLAY badge.
    pub selected: Color32,
    /// The mouse's spring, links, the chosen scheme.
    pub accent: Color32,
    /// Velocities.
    pub velocity: Color32,
    /// Contacts that stick: the impulse lies inside the friction cone.
    pub stick: Color32,
    /// Contacts that slide: the impulse lies on the edge of the friction cone.
    pub slide: Color32,
    /// The mouse's push.
    pub push: Color32,
    /// Opacity of a body's fill.
    pub fill: f32,
    /// Colours of bodies, repeated in this order.
    pub bodies: [Color32; 8],
    /// The colours of schemes and plots.
    pub plots: &'static scheme_colours::SchemeColours,
}

/// Opacity of the background behind a text over the bodies.
const BEHIND: f32 = 0.8;

const fn rgb([red, green, blue]: Colour) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// The dark theme.
pub const DARK: Palette = Palette {
    background: Color32::from_rgb(0x13, 0x16, 0x1b),
    panel: Color32::from_rgb(0x1b, 0x1f, 0x26),
    grid: Color32::from_rgb(0x17, 0x1b, 0x21),
    grid_major: Color32::from_rgb(0x1e, 0x23, 0x2b),
    axis: Color32::from_rgb(0x34, 0x3b, 0x47),
    text: Color32::from_rgb(0xdd, 0xe2, 0xea),
    weak: rgb(scheme_colours::DARK.weak),
    fixed: Color32::from_rgb(0x7c, 0x87, 0x97),
    joint: Color32::from_rgb(0xe8, 0xec, 0xf2),
    error: Color32::from_rgb(0xff, 0x5c, 0x66),
    badge: Color32::from_rgb(0xd8, 0x3a, 0x45),
    selected: Color32::from_rgb(0x2f, 0x6f, 0xb8),
    accent: Color32::from_rgb(0x6f, 0xb3, 0xff),
    velocity: rgb(scheme_colours::DARK.level),
    stick: Color32::from_rgb(0x5f, 0xd7, 0xc4),
    slide: Color32::from_rgb(0xff, 0xb4, 0x54),
    push: Color32::from_rgb(0xb9, 0x9c, 0xff),
    fill: 0.42,
    bodies: [
        Color32::from_rgb(0x6f, 0xa8, 0xdc),
        Color32::from_rgb(0x73, 0xc6, 0xab),
        Color32::from_rgb(0xe3, 0xbb, 0x68),
        Color32::from_rgb(0xc9, 0x8f, 0xd0),
        Color32::from_rgb(0x8e, 0x9b, 0xe6),
        Color32::from_rgb(0xde, 0x94, 0x75),
        Color32::from_rgb(0x6d, 0xbd, 0xcf),
        Color32::from_rgb(0xae, 0xc9, 0x73),
    ],
    plots: &scheme_colours::DARK,
};

/// The light theme, for bright rooms and printed pages.
pub const LIGHT: Palette = Palette {
    background: Color32::from_rgb(0xf7, 0xf8, 0xfa),
    panel: Color32::from_rgb(0xec, 0xee, 0xf2),
    grid: Color32::from_rgb(0xf1, 0xf3, 0xf6),
    grid_major: Color32::from_rgb(0xe7, 0xea, 0xef),
    axis: Color32::from_rgb(0xc4, 0xca, 0xd3),
    text: Color32::from_rgb(0x22, 0x28, 0x31),
    weak: rgb(scheme_colours::LIGHT.weak),
    fixed: Color32::from_rgb(0x7a, 0x84, 0x92),
    joint: Color32::from_rgb(0x2b, 0x33, 0x3e),
    error: Color32::from_rgb(0xc8, 0x1a, 0x2b),
    badge: Color32::from_rgb(0xcc, 0x2f, 0x3c),
    selected: Color32::from_rgb(0x1a, 0x62, 0xbd),
    accent: Color32::from_rgb(0x1a, 0x62, 0xbd),
    velocity: rgb(scheme_colours::LIGHT.level),
    stick: Color32::from_rgb(0x08, 0x70, 0x5f),
    slide: Color32::from_rgb(0x9a, 0x53, 0x00),
    push: Color32::from_rgb(0x6a, 0x47, 0xc9),
    fill: 0.36,
    bodies: [
        Color32::from_rgb(0x2f, 0x74, 0xb5),
        Color32::from_rgb(0x24, 0x8f, 0x73),
        Color32::from_rgb(0xb8, 0x82, 0x1a),
        Color32::from_rgb(0x96, 0x4f, 0xa0),
        Color32::from_rgb(0x4f, 0x5f, 0xc4),
        Color32::from_rgb(0xb8, 0x5a, 0x35),
        Color32::from_rgb(0x22, 0x85, 0x9b),
        Color32::from_rgb(0x70, 0x90, 0x2c),
    ],
    plots: &scheme_colours::LIGHT,
};

/// What is shown in colours of its own.
pub trait Coloured {
    /// The colours.
    fn palette(&self) -> &'static Palette;
}

impl Coloured for View {
    fn palette(&self) -> &'static Palette {
        if self.dark { &DARK } else { &LIGHT }
    }
}

impl Palette {
    /// The colour of body `index`.
    pub fn body(&self, index: usize) -> Color32 {
        self.bodies[index % self.bodies.len()]
    }

    /// The colour of the scheme at that place of the table; behind its end that of trajectories, which no scheme has made.
    pub fn scheme(&self, place: usize) -> Color32 {
        rgb(self.plots.of(place))
    }

    /// The text's colour or the background's, whichever can be read on `color`.
    pub fn contrast(&self, color: Color32) -> Color32 {
        let light = [self.text, self.background].into_iter();
        let distance = |text: &Color32| (luminance(*text) - luminance(color)).abs();
        light.max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(self.text)
    }

    /// The colour of a force by what exerts it: of its arrow and of its row on the body's card.
    pub fn force(&self, source: Source) -> Color32 {
        match source {
            Source::Weight => self.weak,
            Source::Push => self.push,
            Source::Grab => self.bodies[4],
            Source::Joint(_) => self.accent,
            Source::Nonholonomic(_) => self.bodies[3],
            Source::Spring(_) => self.bodies[2],
            Source::Contact => self.stick,
        }
    }

    /// The ground of a text over the bodies, on which it can be read.
    pub fn behind(&self) -> Color32 {
        self.background.gamma_multiply(BEHIND)
    }

    /// `color` blended over the background with the opacity `fill`.
    pub fn filled(&self, color: Color32) -> Color32 {
        self.background.lerp_to_gamma(color, self.fill)
    }
}

/// Family of the equations: one font for every sign in them.
pub const EQUATION_FAMILY: &str = "equation";

/// The font of equations.
pub fn equation_font() -> FontId {
    FontId::new(14.0, FontFamily::Name(EQUATION_FAMILY.into()))
}

/// Family of headings.
pub const HEADING_FAMILY: &str = "heading";

/// Gives egui the theme of a view, where it has another one.
pub fn put_on(ctx: &egui::Context, view: &View) {
    let (id, theme) = (egui::Id::new("theme"), [view.dark, view.still]);
    if ctx.data(|data| data.get_temp(id)) != Some(theme) {
        apply(ctx, view.palette(), theme);
        ctx.data_mut(|data| data.insert_temp(id, theme));
    }
}

/// Sets egui's colours, type sizes and spacing.
pub fn apply(ctx: &egui::Context, palette: &Palette, [dark, still]: [bool; 2]) {
    ctx.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
    ctx.all_styles_mut(|style| {
        style.visuals = visuals(palette, dark);
        style.animation_time = if still { 0.0 } else { egui::Style::default().animation_time };
        // A cursor that blinks would have the whole window drawn again and again while a text field has the focus.
        style.visuals.text_cursor.blink = false;
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.spacing.interact_size.y = 22.0;
        style.spacing.scroll =
            egui::style::ScrollStyle { bar_width: 8.0, ..egui::style::ScrollStyle::solid() };
        style.interaction.tooltip_delay = 0.35;
        style.drag_value_text_style = TextStyle::Small;
        let heading = FontFamily::Name(HEADING_FAMILY.into());
        style.text_styles = [
            (TextStyle::Small, FontId::new(12.0, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
            (TextStyle::Heading, FontId::new(16.0, heading)),
        ]
        .into();
    });
}

fn visuals(palette: &Palette, dark: bool) -> Visuals {
    let mut v = if dark { Visuals::dark() } else { Visuals::light() };
    let lift = |share: f32| palette.panel.lerp_to_gamma(palette.text, share);
    v.panel_fill = palette.panel;
    v.window_fill = palette.panel;
    v.window_stroke = Stroke::new(1.0, lift(0.18));
    v.extreme_bg_color = palette.background;
    v.faint_bg_color = lift(0.04);
    v.hyperlink_color = palette.accent;
    v.warn_fg_color = palette.slide;
    v.error_fg_color = palette.error;
    v.override_text_color = None;
    v.selection.bg_fill = palette.panel.lerp_to_gamma(palette.accent, 0.45);
    v.selection.stroke = Stroke::new(1.0, palette.text);
    v.slider_trailing_fill = true;
    v.handle_shape = HandleShape::Rect { aspect_ratio: 0.4 };
    let radius = CornerRadius::same(4);
    let w = &mut v.widgets;
    for (state, fill, line, text) in [
        (&mut w.noninteractive, 0.0, 0.12, palette.text),
        (&mut w.inactive, 0.10, 0.0, palette.text),
        (&mut w.hovered, 0.18, 0.30, palette.text),
        (&mut w.active, 0.26, 0.40, palette.text),
        (&mut w.open, 0.14, 0.20, palette.text),
    ] {
        state.bg_fill = lift(fill);
        state.weak_bg_fill = lift(fill);
        state.bg_stroke = Stroke::new(1.0, lift(line));
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = radius;
    }
    v
}

/// Perceived brightness, 0 to 255 [ITU-R BT.601].
fn luminance(color: Color32) -> f32 {
    let [r, g, b] = [color.r(), color.g(), color.b()].map(f32::from);
    0.299 * r + 0.587 * g + 0.114 * b
}
