//! Materials as a person edits them: what becomes of the bodies and shapes that are made of one that is changed, given or
//! taken away.
//!
//! Bodies and shapes hold copies of the values of their material. A changed value replaces those copies that are still like
//! the old one, as it would in the file; what a body or shape states in its place stays.

use super::replaced::replace;
use crate::model::{Body, BodyId, MassSpec, Material, MaterialPair, Materials, ModelError, Surface, World};
use crate::scene::DEFAULT_FRICTION;

/// What a body has of which neither it nor its material states anything.
fn usual(material: &Surface) -> Surface {
    let MassSpec::Density(density) = MassSpec::default() else { return *material };
    Surface {
        density: material.density.or(Some(density)),
        friction: material.friction.or(Some(DEFAULT_FRICTION)),
        restitution: material.restitution.or(Some(0.0)),
        rolling_resistance: material.rolling_resistance.or(Some(0.0)),
        surface_speed: material.surface_speed.or(Some(0.0)),
        ..*material
    }
}

fn of_body(body: &Body) -> Surface {
    let density = match body.mass_spec() {
        MassSpec::Density(density) => Some(density),
        MassSpec::Given { .. } => None,
    };
    Surface {
        density,
        friction: Some(body.friction),
        static_friction: body.static_friction,
        restitution: Some(body.restitution),
        rolling_resistance: Some(body.rolling_resistance),
        surface_speed: Some(body.surface_speed),
        filter: None,
        material: body.material,
    }
}

fn onto_body(body: &Body, surface: &Surface) -> Result<Body, ModelError> {
    let mut other = match (body.mass_spec(), surface.density) {
        (MassSpec::Density(before), Some(density)) if before != density => {
            body.remade(body.kind(), body.shapes().to_vec(), MassSpec::Density(density))?
        }
        _ => body.clone(),
    };
    other.friction = surface.friction.unwrap_or(body.friction);
    other.static_friction = surface.static_friction;
    other.restitution = surface.restitution.unwrap_or(body.restitution);
    other.rolling_resistance = surface.rolling_resistance.unwrap_or(body.rolling_resistance);
    other.surface_speed = surface.surface_speed.unwrap_or(body.surface_speed);
    other.material = surface.material;
    Ok(other)
}

/// A surface after its material has changed from `before` to `after`: what differs from `before` is its own.
fn follow(own: &Surface, before: &Surface, after: &Surface) -> Surface {
    let stated = |own: Option<f64>, before: Option<f64>| own.filter(|_| own != before);
    let friction = stated(own.friction, before.friction);
    // One with its own friction takes no static friction from the material.
    let of_rest = |material: &Surface| material.static_friction.filter(|_| friction.is_none());
    Surface {
        density: stated(own.density, before.density).or(after.density),
        friction: friction.or(after.friction),
        static_friction: stated(own.static_friction, of_rest(before)).or(of_rest(after)),
        restitution: stated(own.restitution, before.restitution).or(after.restitution),
        rolling_resistance: stated(own.rolling_resistance, before.rolling_resistance)
            .or(after.rolling_resistance),
        surface_speed: stated(own.surface_speed, before.surface_speed).or(after.surface_speed),
        ..*own
    }
}

/// A surface that is made of a material from now on, which is the one of that place: it has all that the material states.
fn made_of(own: &Surface, material: &Surface, place: u32) -> Surface {
    let static_friction =
        if material.friction.is_some() { material.static_friction } else { own.static_friction };
    Surface {
        density: material.density.or(own.density),
        friction: material.friction.or(own.friction),
        static_friction: material.static_friction.or(static_friction),
        restitution: material.restitution.or(own.restitution),
        rolling_resistance: material.rolling_resistance.or(own.rolling_resistance),
        surface_speed: material.surface_speed.or(own.surface_speed),
        material: Some(place),
        ..*own
    }
}

/// The body with the surfaces of its shapes changed by `change`.
fn with_shapes(
    body: &Body,
    mut change: impl FnMut(usize, &Surface) -> Surface,
) -> Result<Body, ModelError> {
    let mut shapes = body.shapes().to_vec();
    let given = matches!(body.mass_spec(), MassSpec::Given { .. });
    for (index, placed) in shapes.iter_mut().enumerate() {
        let changed = change(index, &placed.surface);
        // The density of a shape means nothing where the mass of its body is given.
        let density = changed.density.filter(|_| !given);
        placed.surface = Surface { density, ..changed };
        // A profile drives a speed of the shape's own.
        placed.surface_profile = placed.surface_profile.take().filter(|_| changed.surface_speed.is_some());
    }
    if shapes == body.shapes() {
        return Ok(body.clone());
    }
    body.remade(body.kind(), shapes, body.mass_spec())
}

/// Puts other materials in the place of the world's; of one that is `removed` the place that it had, after which the others
/// move up. What was made of it keeps its values.
///
/// # Errors
/// Values that no material or body can have.
pub fn set(world: &mut World, new: &Materials, removed: Option<u32>) -> Result<(), ModelError> {
    let old = world.materials().clone();
    let moved = |place: u32| match removed {
        Some(gone) if place == gone => None,
        Some(gone) if place > gone => Some(place - 1),
        _ => Some(place),
    };
    // What a material was and is, and its new place.
    let change = |place: Option<u32>| {
        let before = old.list.get(place? as usize)?;
        let to = moved(place?)?;
        Some((before.surface, new.list.get(to as usize)?.surface, to))
    };
    for id in world.body_ids().to_vec() {
        replace(world, id, |body| {
            let mut other = match change(body.material) {
                Some((before, after, _)) => {
                    onto_body(body, &follow(&of_body(body), &usual(&before), &usual(&after)))?
                }
                None => body.clone(),
            };
            other = with_shapes(&other, |_, own| match change(own.material) {
                Some((before, after, _)) => follow(own, &before, &after),
                None => *own,
            })?;
            other.rename_materials(|place| change(place).map(|(.., to)| to));
            Ok(other)
        })?;
    }
    world.set_materials(new.clone())
}

/// Makes a body, or one of its shapes, of the material of that place, or of none; it then keeps its values.
///
/// # Errors
/// Values that the body cannot have, such as a friction above its own static friction.
pub fn make_of(
    world: &mut World,
    id: BodyId,
    shape: Option<usize>,
    place: Option<u32>,
) -> Result<(), ModelError> {
    let material =
        place.and_then(|place| Some((world.materials().list.get(place as usize)?.surface, place)));
    let made = move |own: &Surface| match &material {
        Some((material, place)) => made_of(own, material, *place),
        None => Surface { material: None, ..*own },
    };
    replace(world, id, |body| match shape {
        None => onto_body(body, &made(&of_body(body))),
        Some(shape) => with_shapes(body, |index, own| if index == shape { made(own) } else { *own }),
    })
}

/// Gives one shape of a body another surface of its own.
///
/// # Errors
/// Values that no surface can have.
pub fn resurface(world: &mut World, id: BodyId, shape: usize, surface: &Surface) -> Result<(), ModelError> {
    replace(world, id, |body| with_shapes(body, |index, own| if index == shape { *surface } else { *own }))
}

/// The materials with one more, of which nothing is stated.
pub fn with_another(materials: &Materials) -> Materials {
    let mut more = materials.clone();
    let taken = |name: &str| materials.list.iter().any(|own| own.name == name);
    let name = (1_u64..).map(|number| format!("material{number}")).find(|name| !taken(name));
    more.list.push(Material { name: name.unwrap_or_default(), surface: Surface::default() });
    more
}

/// The materials without the one of that place and the pairs that it was part of.
pub fn without(materials: &Materials, place: u32) -> Materials {
    let mut fewer = materials.clone();
    if (place as usize) < fewer.list.len() {
        fewer.list.remove(place as usize);
    }
    fewer.pairs.retain(|pair| !pair.materials.contains(&place));
    for pair in &mut fewer.pairs {
        pair.materials = pair.materials.map(|own| if own > place { own - 1 } else { own });
    }
    fewer
}

/// The first two materials that are no pair yet, also one with itself.
pub fn free_pair(materials: &Materials) -> Option<[u32; 2]> {
    let count = materials.list.len() as u32;
    let is_pair = |a: u32, b: u32| {
        materials.pairs.iter().any(|pair| pair.materials == [a, b] || pair.materials == [b, a])
    };
    let different = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    different.chain((0..count).map(|a| [a, a])).find(|[a, b]| !is_pair(*a, *b))
}

/// What a pair states, as a surface.
pub fn surface_of(pair: &MaterialPair) -> Surface {
    let MaterialPair { friction, static_friction, restitution, rolling_resistance, .. } = *pair;
    Surface { friction, static_friction, restitution, rolling_resistance, ..Surface::default() }
}

/// A pair of those materials that states what the surface does.
pub fn pair_of(materials: [u32; 2], surface: &Surface) -> MaterialPair {
    let Surface { friction, static_friction, restitution, rolling_resistance, .. } = *surface;
    MaterialPair { materials, friction, static_friction, restitution, rolling_resistance }
}
