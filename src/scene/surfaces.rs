//! Surfaces of bodies and shapes, filters, materials and the rules by which surfaces of a pair are combined, read and written.

use super::problems::{brief, nearest};
use super::profile;
use super::reader::{Cursor, Object};
use super::write::{number, object};
use crate::model::{Filter, Material, MaterialPair, Materials, Mix, Profile, Surface, World};
use serde_json::{Value, json};

/// Largest number of materials, and of pairs of them with values of their own.
const MOST: usize = 1024;

/// A number from 0 to 1.
pub(super) fn unit(cursor: &Cursor<'_>) -> Option<f64> {
    cursor.number_that("a number from 0 to 1", |x| (0.0..=1.0).contains(&x))
}

/// What an object says of its surface, without density, filter and material.
fn stated(keys: &Object<'_>) -> Option<Surface> {
    stated_with(keys, |keys| keys.maybe("surface_speed", Cursor::number))
}

/// The same, with what `speed` reads.
fn stated_with(
    keys: &Object<'_>,
    speed: impl FnOnce(&Object<'_>) -> Option<Option<f64>>,
) -> Option<Surface> {
    let friction = keys.maybe("friction", Cursor::not_negative);
    let static_friction = keys.maybe("static_friction", Cursor::not_negative);
    let restitution = keys.maybe("restitution", unit);
    let rolling_resistance = keys.maybe("rolling_resistance", Cursor::not_negative);
    let surface_speed = speed(keys);
    Some(Surface {
        friction: friction?,
        static_friction: static_friction?,
        restitution: restitution?,
        rolling_resistance: rolling_resistance?,
        surface_speed: surface_speed?,
        ..Surface::default()
    })
}

/// Notes a problem where static friction is below the friction `kinetic`.
fn check_static(keys: &Object<'_>, surface: &Surface, kinetic: f64) -> Option<()> {
    match surface.static_friction {
        Some(own) if own < kinetic => {
            let cursor = keys.get("static_friction");
            let message = format!("expected at least the friction, {kinetic}, found {own}");
            cursor.as_ref().unwrap_or(keys.cursor()).problem(message);
            None
        }
        _ => Some(()),
    }
}

/// What a body or shape says of its surface, over what its `material` says, and what drives the speed; `kinetic` is the friction
/// where neither says.
pub(super) fn read(
    keys: &Object<'_>,
    materials: &Materials,
    kinetic: f64,
) -> Option<(Surface, Option<Profile>)> {
    let mut driven = None;
    let stated = stated_with(keys, |keys| {
        let speed = keys.maybe("surface_speed", |c| profile::driven(c, |c| c.number()))?;
        Some(speed.map(|(speed, profile)| {
            driven = profile;
            speed
        }))
    });
    Some((over_material(keys, materials, kinetic, stated)?, driven))
}

/// What is `stated` over what the material says.
fn over_material(
    keys: &Object<'_>,
    materials: &Materials,
    kinetic: f64,
    stated: Option<Surface>,
) -> Option<Surface> {
    let material = keys.maybe("material", |cursor| named(cursor, materials));
    let (own, material) = (stated?, material?);
    let of = material.and_then(|place| materials.list.get(place as usize)).map(|own| own.surface);
    let of = of.unwrap_or_default();
    // One with its own friction takes no static friction from the material.
    let static_friction = if own.friction.is_some() { None } else { of.static_friction };
    let surface = Surface {
        density: of.density,
        friction: own.friction.or(of.friction),
        static_friction: own.static_friction.or(static_friction),
        restitution: own.restitution.or(of.restitution),
        rolling_resistance: own.rolling_resistance.or(of.rolling_resistance),
        surface_speed: own.surface_speed.or(of.surface_speed),
        filter: None,
        material,
    };
    check_static(keys, &surface, surface.friction.unwrap_or(kinetic))?;
    Some(surface)
}

/// The place of the material that `cursor` names.
fn named(cursor: &Cursor<'_>, materials: &Materials) -> Option<u32> {
    let name = cursor.text()?;
    let found = materials.list.iter().position(|own| own.name == name);
    if found.is_none() {
        let names = materials.list.iter().map(|own| own.name.as_str());
        let meant = if cursor.may_suggest() { nearest(name, names) } else { None };
        let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean '{meant}'?)"));
        cursor.problem(format!("no material is named '{}'{meant}", brief(name)));
    }
    Some(found? as u32)
}

/// What an object says of its filter, over `other`.
pub(super) fn read_filter(keys: &Object<'_>, other: Filter) -> Option<Filter> {
    let categories = keys.or("categories", other.categories, Cursor::unsigned);
    let mask = keys.or("mask", other.mask, Cursor::unsigned);
    let group = keys.or("group", other.group, Cursor::integer);
    Some(Filter { categories: categories?, mask: mask?, group: group? })
}

/// The keys of `surface` that differ from those of `other`, without density, filter and material; `driven` is what drives the
/// speed.
pub(super) fn write(
    surface: &Surface,
    other: &Surface,
    driven: Option<&Profile>,
) -> Vec<(&'static str, Value)> {
    // One with its own friction takes no static friction from there.
    let of_rest = other.static_friction.filter(|_| surface.friction == other.friction);
    let keys = [
        ("friction", surface.friction, other.friction),
        ("static_friction", surface.static_friction, of_rest),
        ("restitution", surface.restitution, other.restitution),
        ("rolling_resistance", surface.rolling_resistance, other.rolling_resistance),
        ("surface_speed", surface.surface_speed, other.surface_speed),
    ];
    let own = keys.into_iter().filter(|(_, own, other)| own.map(f64::to_bits) != other.map(f64::to_bits));
    let own = own.filter(|(key, ..)| driven.is_none() || *key != "surface_speed");
    let own = own.filter_map(|(key, own, _)| Some((key, number(own?))));
    let speed = surface.surface_speed.unwrap_or_default();
    let driven = driven.map(|profile| ("surface_speed", profile::written(speed, Some(profile))));
    own.chain(driven).collect()
}

/// The name of a surface's material.
pub(super) fn material(place: Option<u32>, materials: &Materials) -> Option<&Material> {
    materials.list.get(place? as usize)
}

/// Reads `materials`, `material_pairs` and `combination`: what could be read, with the names of all materials, and whether that
/// is all.
pub(super) fn read_materials(keys: &Object<'_>) -> (Materials, bool) {
    let mut materials = Materials::default();
    let all_read = read_into(keys, &mut materials).unwrap_or(false);
    (materials, all_read)
}

fn read_into(keys: &Object<'_>, materials: &mut Materials) -> Option<bool> {
    let items = few(keys, "materials", "an array of materials {\"name\": …}")?;
    let mut all_read = true;
    for item in &items {
        match read_material(item) {
            Some((own, _)) if materials.list.iter().any(|other| other.name == own.name) => {
                let name = brief(&own.name).into_owned();
                item.problem(format!(
                    "an earlier material is also named '{name}' (expected a unique name)"
                ));
                all_read = false;
            }
            Some((own, sound)) => {
                materials.list.push(own);
                all_read &= sound;
            }
            None => all_read = false,
        }
    }
    let pairs = few(keys, "material_pairs", "an array of pairs {\"materials\": [a, b], …}")?;
    for item in &pairs {
        match read_pair(item, materials) {
            Some(pair) => materials.pairs.push(pair),
            None => all_read = false,
        }
    }
    if let Some(cursor) = keys.get("combination") {
        let keys = cursor.object("rules {\"friction\": …, \"restitution\": …}")?;
        let rule = |key, default| keys.or(key, default, |c| c.one_of("a rule of combination", &Mix::ALL));
        let (friction, restitution) =
            (rule("friction", materials.friction), rule("restitution", materials.restitution));
        keys.finish();
        (materials.friction, materials.restitution) = (friction?, restitution?);
    }
    Some(all_read)
}

fn few<'n>(keys: &Object<'n>, key: &'static str, expected: &str) -> Option<Vec<Cursor<'n>>> {
    let Some(cursor) = keys.get(key) else { return Some(Vec::new()) };
    let items = cursor.items(expected)?;
    if items.len() > MOST {
        cursor.problem(format!("expected at most {MOST}, found {}", items.len()));
        return None;
    }
    Some(items)
}

/// A material of which the name could be read, and whether all else could.
fn read_material(cursor: &Cursor<'_>) -> Option<(Material, bool)> {
    let keys = cursor.object("a material {\"name\": …}")?;
    let name = keys.require("name", "a text").and_then(|c| c.name());
    let density = keys.maybe("density", Cursor::positive);
    let surface = stated(&keys);
    let sound = surface.and_then(|own| check_static(&keys, &own, own.friction.unwrap_or(0.0)));
    keys.finish();
    let surface = sound.and(surface).zip(density).map(|(own, density)| Surface { density, ..own });
    let is_sound = surface.is_some();
    Some((Material { name: name?.to_owned(), surface: surface.unwrap_or_default() }, is_sound))
}

fn read_pair(cursor: &Cursor<'_>, materials: &Materials) -> Option<MaterialPair> {
    let keys = cursor.object("a pair {\"materials\": [a, b], …}")?;
    let both = keys.require("materials", "the names of two materials").and_then(|names| {
        let [a, b] = names.exactly("the names of two materials")?;
        let (a, b) = (named(&a, materials), named(&b, materials));
        let pair = [a?, b?];
        let same = |own: &MaterialPair| own.materials == pair || own.materials == [pair[1], pair[0]];
        if materials.pairs.iter().any(same) {
            names.problem("an earlier element has the same pair (expected each pair once)");
            return None;
        }
        Some(pair)
    });
    let friction = keys.maybe("friction", Cursor::not_negative);
    let static_friction = keys.maybe("static_friction", Cursor::not_negative);
    let restitution = keys.maybe("restitution", unit);
    let rolling_resistance = keys.maybe("rolling_resistance", Cursor::not_negative);
    let (friction, static_friction) = (friction?, static_friction?);
    let own = Surface { static_friction, ..Surface::default() };
    let sound = check_static(&keys, &own, friction.unwrap_or(0.0));
    keys.finish();
    sound?;
    Some(MaterialPair {
        materials: both?,
        friction,
        static_friction,
        restitution: restitution?,
        rolling_resistance: rolling_resistance?,
    })
}

/// Writes `materials`, `material_pairs` and `combination`, as far as they are not what a scene has without them.
pub(super) fn write_materials(world: &World) -> Vec<(&'static str, Value)> {
    let Materials { friction, restitution, list, pairs } = world.materials();
    let mut keys = Vec::new();
    if !list.is_empty() {
        let each = |own: &Material| {
            let mut keys = vec![("name", json!(own.name))];
            keys.extend(own.surface.density.map(|density| ("density", number(density))));
            keys.extend(write(&own.surface, &Surface::default(), None));
            object(keys)
        };
        keys.push(("materials", list.iter().map(each).collect()));
    }
    if !pairs.is_empty() {
        let each = |pair: &MaterialPair| {
            let MaterialPair { materials, friction, static_friction, restitution, rolling_resistance } =
                *pair;
            let own = Surface {
                friction,
                static_friction,
                restitution,
                rolling_resistance,
                ..Surface::default()
            };
            let names = materials.map(|place| list.get(place as usize).map(|own| own.name.as_str()));
            let mut keys = vec![("materials", json!(names))];
            keys.extend(write(&own, &Surface::default(), None));
            object(keys)
        };
        keys.push(("material_pairs", pairs.iter().map(each).collect()));
    }
    let default = Materials::default();
    let rules =
        [("friction", friction, default.friction), ("restitution", restitution, default.restitution)];
    let rules: Vec<_> = rules.into_iter().filter(|(_, own, usual)| *own != usual).collect();
    if !rules.is_empty() {
        let name = |rule: &Mix| Mix::ALL.iter().find(|(_, own)| own == rule).map(|(name, _)| *name);
        let rules = rules.into_iter().map(|(key, own, _)| (key, json!(name(own))));
        keys.push(("combination", object(rules.collect())));
    }
    keys
}
