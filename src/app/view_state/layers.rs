//! What the canvas shows of the world.

use crate::app::theme::{DARK, LIGHT, Palette};

/// Factors by which gaps and penetrations can be drawn larger.
pub const MAGNIFICATIONS: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// Smallest and largest factor of the arrows of impulses.
pub const ARROWS: [f64; 2] = [0.05, 20.0];

/// The options of the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Factor by which joint gaps and penetrations are drawn larger.
    pub magnification: f64,
    /// The grid and its scale bar.
    pub grid: bool,
    /// Joints, rods and springs.
    pub joints: bool,
    /// Points of contact.
    pub contacts: bool,
    /// Normals of contacts.
    pub normals: bool,
    /// Impulses of contacts, as arrows.
    pub impulses: bool,
    /// Friction cones of contacts with an impulse.
    pub cones: bool,
    /// Factor by which the arrows of impulses are drawn larger.
    pub arrows: f64,
    /// Velocities of the centres of mass.
    pub velocities: bool,
    /// Centres of mass.
    pub centers: bool,
    /// Forces of joints, as arrows on their second body.
    pub joint_forces: bool,
    /// Axis-parallel boxes about the bodies.
    pub boxes: bool,
    /// Bodies in the colour of their island instead of their own.
    pub islands: bool,
    /// Where the centres of mass have been, or the clicked point of the selected body.
    pub trails: bool,
    /// Outlines of the moving bodies at regular moments of the past.
    pub outlines: bool,
    /// Whether the view moves with the middle of the bodies.
    pub follow: bool,
    /// Whether the stability map leaves out the present load and motion.
    pub unloaded: bool,
    /// Dark colours.
    pub dark: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            magnification: 1.0,
            grid: true,
            joints: true,
            contacts: true,
            normals: false,
            impulses: true,
            cones: true,
            arrows: 1.0,
            velocities: false,
            centers: false,
            joint_forces: false,
            boxes: false,
            islands: false,
            trails: false,
            outlines: false,
            follow: false,
            unloaded: false,
            dark: true,
        }
    }
}

impl View {
    /// The colours.
    pub fn palette(&self) -> &'static Palette {
        if self.dark { &DARK } else { &LIGHT }
    }
}
