use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::stage::framing;
use driftlab::workbench::view_state::camera::Camera;
use egui_macroquad::egui::{Pos2, Rect, pos2, vec2};
use glam::{DVec2, dvec2};

const CANVAS: Rect = Rect { min: pos2(10.0, 20.0), max: pos2(930.0, 580.0) };

/// World to screen and back is the identity at any position and scale, to 0.01 points, so that clicks hit what is seen.
#[test]
fn screen_and_world_are_inverse() {
    for scale in [0.5, 40.0, 3000.0] {
        let camera = Camera { center: dvec2(3.0, -2.0), scale };
        for at in [pos2(10.0, 20.0), pos2(500.0, 300.0), pos2(929.0, 579.0)] {
            let back: Pos2 = camera.to_screen(CANVAS, camera.to_world(CANVAS, at));
            assert!(back.distance(at) < 1e-2, "{at} came back as {back} at scale {scale}");
        }
    }
}

/// A point above another in the world lies above it on the screen.
#[test]
fn y_points_up() {
    let camera = Camera::default();
    assert!(camera.to_screen::<Pos2>(CANVAS, DVec2::Y).y < camera.to_screen::<Pos2>(CANVAS, DVec2::ZERO).y);
}

/// The wheel zooms at the cursor: the point under it stays, however far one zooms in and out.
#[test]
fn zoom_keeps_the_point_under_the_cursor() {
    let mut camera = Camera { center: dvec2(1.0, 1.0), scale: 100.0 };
    let at = pos2(123.0, 456.0);
    let held = camera.to_world(CANVAS, at);
    for factor in [1.15, 1.15, 4.0, 0.1, 0.7] {
        camera.zoom(CANVAS, at, factor);
        assert!((camera.to_world(CANVAS, at) - held).length() < 1e-9);
    }
}

/// Moving the view moves the picture by as many points as the mouse moved.
#[test]
fn pan_follows_the_mouse() {
    let mut camera = Camera { center: dvec2(1.0, 1.0), scale: 37.0 };
    let point = dvec2(0.4, 0.7);
    let before: Pos2 = camera.to_screen(CANVAS, point);
    camera.pan(vec2(12.0, -5.0));
    let moved = camera.to_screen::<Pos2>(CANVAS, point) - before;
    assert!((moved - vec2(12.0, -5.0)).length() < 1e-3);
}

/// Fitting shows the whole box, and an empty or degenerate box does not break the camera.
#[test]
fn fit_shows_everything() {
    let (low, high) = (dvec2(-3.0, 0.0), dvec2(1.0, 0.5));
    let camera = Camera::fit(low, high, CANVAS);
    assert!(CANVAS.contains(camera.to_screen(CANVAS, low)));
    assert!(CANVAS.contains(camera.to_screen(CANVAS, high)));
    for bad in [f64::NAN, f64::INFINITY] {
        let camera = Camera::fit(DVec2::splat(bad), high, CANVAS);
        assert!(camera.scale.is_finite() && camera.center.is_finite());
    }
}

/// The initial view of the six-link chain, which falls from the horizontal, has room for its swing to the other side.
#[test]
fn a_chain_is_framed_with_its_swing() {
    let world = super::scene("six-link-chain").world;
    let [low, high] = framing::frame(&world);
    assert!(low.x < -0.6 && low.y < -0.6, "the frame begins at {low}");
    assert!(high.x > 0.6, "the frame ends at {high}");
}

/// A world without bodies, or with a half plane only, has no extent, and still gets a view of positive size.
#[test]
fn an_empty_world_is_framed() {
    let mut world = World::new(DVec2::ZERO);
    let [low, high] = framing::frame(&world);
    assert!((high - low).min_element() > 0.0);
    let floor = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
    let shapes = vec![Placement::centred(floor)];
    let floor = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, shapes, MassSpec::default());
    world.add_body(floor.expect("a floor")).unwrap();
    let [low, high] = framing::frame(&world);
    assert!((high - low).min_element() > 0.0);
}

/// A view that nobody has moved fits the canvas of every size, so that the first fit hits although the first frame's
/// panels do not have their size yet; one that was moved stays.
#[test]
fn an_untouched_view_stays_fitted() {
    let mut model = super::model("six-link-chain");
    model.lay_out(Rect::from_min_size(pos2(0.0, 0.0), vec2(292.0, 120.0)));
    model.lay_out(CANVAS);
    let fitted = model.sight.camera;
    let mut at_once = super::model("six-link-chain");
    at_once.lay_out(CANVAS);
    assert_eq!(fitted, at_once.sight.camera);
    model.apply(Intent::Pan(vec2(5.0, 0.0).into()));
    let moved = model.sight.camera;
    model.lay_out(Rect::from_min_size(pos2(0.0, 0.0), vec2(292.0, 120.0)));
    assert_eq!(model.sight.camera, moved);
}
