//! What the canvas shows of the world.

use crate::scene::window::{LAYERS, Layers};

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
    /// Nothing moves but the scene: panels, axes and assembled bodies are at once where they belong.
    pub still: bool,
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
            still: false,
        }
    }
}

impl View {
    /// What can be shown, in the order of [`LAYERS`].
    fn layers_mut(&mut self) -> [&mut bool; LAYERS.len()] {
        [
            &mut self.grid,
            &mut self.joints,
            &mut self.contacts,
            &mut self.normals,
            &mut self.impulses,
            &mut self.cones,
            &mut self.velocities,
            &mut self.centers,
            &mut self.joint_forces,
            &mut self.boxes,
            &mut self.islands,
            &mut self.trails,
            &mut self.outlines,
            &mut self.follow,
        ]
    }

    /// What a file says of it, where it is not the usual.
    pub fn in_files(&self) -> Option<Layers> {
        let of = |mut view: Self| {
            let shown = LAYERS.into_iter().zip(view.layers_mut().map(|layer| *layer));
            let shown = shown.filter(|(_, is_shown)| *is_shown).map(|(name, _)| name).collect();
            Layers { shown, magnify: view.magnification, arrows: view.arrows }
        };
        Some(of(*self)).filter(|own| *own != of(Self::default()))
    }

    /// Shows what a file says, or the usual; colours and motion stay those of the person.
    pub fn take_from_file(&mut self, layers: Option<Layers>) {
        *self = Self { dark: self.dark, still: self.still, unloaded: self.unloaded, ..Self::default() };
        let Some(Layers { shown, magnify, arrows }) = layers else { return };
        let all = self.layers_mut().into_iter().zip(LAYERS);
        all.for_each(|(layer, name)| *layer = shown.contains(&name));
        let nearest = |own: &&f64| (own.ln() - magnify.ln()).abs();
        let factors = MAGNIFICATIONS.iter().min_by(|a, b| nearest(a).total_cmp(&nearest(b)));
        self.magnification = factors.copied().unwrap_or(self.magnification);
        self.arrows = arrows.clamp(ARROWS[0], ARROWS[1]);
    }
}
