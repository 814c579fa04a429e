//! A scene with some of its numbers changed by name: parameters of the scheme, the time step, and quantities of the
//! whole scene such as gravity.

use crate::method::{Level, Stabilizer};
use crate::model::{Body, World};
use crate::scene::{Scene, nearest, stabilizer_from};
use glam::DVec2;

/// Parameters of a scene rather than of a scheme, with what they set.
pub const SCENE_PARAMETERS: [(&str, &str); 7] = [
    ("dt", "time step, s"),
    ("gravity", "magnitude of gravity, m/s², in the scene's direction"),
    ("friction", "friction of every body"),
    ("restitution", "restitution of every body"),
    (
        "active_distance",
        "gap below which a contact is in the problem of schemes whose contact rows contain the gap, m",
    ),
    ("active_travel", "steps of travel within which a contact is in the problem"),
    (
        "contact_tolerance",
        "gap below which a contact is active in schemes whose contact rows do not contain the gap, m",
    ),
];

/// A scene and the scheme whose parameters are varied.
#[derive(Clone, Debug)]
pub struct Study {
    scene: Scene,
    /// The scheme as the command line spelled it; the scene's own if none was given.
    spelled: Option<String>,
}

impl Study {
    /// A study of `scene`, whose method is set already; `spelled` is the text that named its scheme, if one did.
    pub fn new(scene: Scene, spelled: Option<String>) -> Self {
        Self { scene, spelled }
    }

    /// The unchanged scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The text that named its scheme, if one did.
    pub fn spelled(&self) -> Option<&str> {
        self.spelled.as_deref()
    }

    /// The names that can be varied: the scheme's parameters in every language that files may use, then the scene's.
    pub fn keys(&self) -> Vec<&'static str> {
        let info = self.scene.settings.method.stabilizer.info();
        let languages = info.languages.iter().filter(|language| language.in_files);
        let languages = languages.flat_map(|language| language.parameters);
        let own = info.parameters.iter().chain(languages).map(|parameter| parameter.key);
        own.chain(SCENE_PARAMETERS.iter().map(|(key, _)| *key)).collect()
    }

    /// The scene with the given parameters set, each to a value as the command line spells it.
    ///
    /// # Errors
    /// An unknown name, with the one that was probably meant; a value that the parameter does not accept.
    pub fn at(&self, settings: &[(&str, &str)]) -> Result<Scene, String> {
        let keys = self.keys();
        if let Some((key, _)) = settings.iter().find(|(key, _)| !keys.contains(key)) {
            return Err(self.unknown(key, &keys));
        }
        let is_of_scene = |key: &str| SCENE_PARAMETERS.iter().any(|(name, _)| *name == key);
        let mut scene = self.scene.clone();
        for (key, value) in settings.iter().filter(|(key, _)| is_of_scene(key)) {
            set(&mut scene, key, value)?;
        }
        let own: Vec<_> = settings.iter().filter(|(key, _)| !is_of_scene(key)).copied().collect();
        if !own.is_empty() {
            scene.settings.method.stabilizer = self.stabilizer(&own, scene.settings.time_step)?;
            scene.settings.method.stabilizer.follow_step(scene.settings.time_step);
        }
        Ok(scene)
    }

    fn stabilizer(&self, settings: &[(&str, &str)], h: f64) -> Result<Stabilizer, String> {
        let own = &self.scene.settings.method.stabilizer;
        let native = |key: &str| own.info().parameters.iter().any(|parameter| parameter.key == key);
        if settings.iter().all(|(key, _)| native(key)) {
            let mut stabilizer = own.clone();
            for (key, value) in settings {
                stabilizer.values.set_text(key, value).map_err(|error| error.to_string())?;
            }
            return Ok(stabilizer);
        }
        // In another language all of its parameters have to be there: those given once, and those that vary.
        let mut text = self.spelled.clone().unwrap_or_else(|| own.info().key.to_owned());
        settings.iter().for_each(|(key, value)| text.push_str(&format!(",{key}={value}")));
        stabilizer_from(&text, h)
    }

    fn unknown(&self, key: &str, keys: &[&str]) -> String {
        let scheme = self.scene.settings.method.stabilizer.info().key;
        let meant = nearest(key, keys.iter().copied());
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"));
        format!(
            "unknown parameter '{key}' of '{scheme}' or the scene (expected {}{meant})",
            keys.join(", ")
        )
    }
}

fn set(scene: &mut Scene, key: &str, text: &str) -> Result<(), String> {
    let number: f64 = text.parse().unwrap_or(f64::NAN);
    let strictly = key == "dt";
    if !(number.is_finite() && number >= 0.0 && (number > 0.0 || !strictly)) {
        let expected = if strictly { "a number greater than 0" } else { "a number, 0 or more" };
        return Err(format!("{key} = '{text}' is out of range (expected {expected})"));
    }
    let contact = &mut scene.settings.method.contact;
    match key {
        "dt" => scene.settings.set_time_step(number),
        "active_distance" => contact.active_distance = Some(number),
        "active_travel" => contact.active_travel = number,
        "contact_tolerance" => contact.contact_tolerance = Some(number),
        "gravity" => {
            let down = scene.world.gravity().try_normalize().unwrap_or(DVec2::NEG_Y);
            return scene.world.set_gravity(number * down).map_err(|error| error.to_string());
        }
        "friction" => {
            return of_all_bodies(&mut scene.world, |body| {
                (body.friction, body.static_friction) = (number, None)
            });
        }
        "restitution" if number > 1.0 => {
            return Err(format!("{key} = {number} is out of range (expected a number from 0 to 1)"));
        }
        "restitution" => return of_all_bodies(&mut scene.world, |body| body.restitution = number),
        _ => {}
    }
    Ok(())
}

fn of_all_bodies(world: &mut World, change: impl Fn(&mut Body)) -> Result<(), String> {
    for id in world.body_ids().to_vec() {
        world.edit_body(id, &change).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The scene's scheme in one line, with its level and integrator and without the parameters in `varied`, for a title.
pub fn describe(scene: &Scene, varied: &[&str]) -> String {
    let method = &scene.settings.method;
    let scheme = super::compare::label(&method.stabilizer);
    let told = |part: &&str| !varied.contains(&part.split('=').next().unwrap_or_default());
    let scheme = scheme.split(',').filter(told).collect::<Vec<_>>().join(",");
    match method.level {
        Level::Velocity => scheme,
        Level::Acceleration => format!("{scheme}, {}", method.integrator.key()),
    }
}
