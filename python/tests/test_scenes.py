"""Scenes: read, written, built by hand, changed; and what is wrong with them in the words of the command line."""

import doctest
import importlib
import json
import pickle
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import driftlab
from driftlab import Scene, World, box, circle, half_plane

WRONG = {
    "format": "driftlab-scene/1",
    "name": "Pendulum",
    "settings": {"time_step": 0.001},
    "bodies": [
        {"name": "wall", "type": "fixed", "position": [0, 0]},
        {"name": "bob", "position": [1, 0], "shapes": [{"shape": "circle", "radius": -0.1}]},
    ],
    "joints": [{"joint": "hinge", "bodies": ["wall", "bop"], "anchor": [0, 0]}],
}


def test_every_shipped_scene_is_the_same_behind_its_dictionary_and_a_pickle():
    for name in driftlab.scenes():
        scene = Scene.shipped(name)
        assert Scene.from_dict(scene.to_dict()) == scene, name
        assert pickle.loads(pickle.dumps(scene)) == scene, name


def test_a_parameter_that_nobody_has_set_follows_the_time_step_behind_a_pickle():
    """Else the workers of a sweep over h would run another scheme than the process that has sent them the scene."""
    scene = Scene.shipped("six-link-chain").under("baumgarte_velocity")
    assert scene.under(h=0.1).scheme != scene.scheme
    assert pickle.loads(pickle.dumps(scene)).under(h=0.1).scheme == scene.under(h=0.1).scheme
    fixed = scene.under(alpha=3)
    assert pickle.loads(pickle.dumps(fixed)).under(h=0.1).scheme == fixed.scheme


def test_all_problems_of_a_scene_are_told_at_once_with_their_paths_as_the_command_line_does(command, tmp_path):
    with pytest.raises(driftlab.SceneError) as error:
        Scene.from_dict(WRONG)
    assert [path for path, _ in error.value.problems] == ["bodies[1].shapes[0].radius", "joints[0].bodies[1]"]
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(WRONG))
    with pytest.raises(driftlab.SceneError) as error:
        Scene.load(path)
    assert str(error.value).splitlines() == command("run", path, status=2).splitlines()


def test_options_are_refused_in_the_words_of_the_command_line(command):
    scene = Scene.shipped("six-link-chain")
    for python, line in [
        ({"scheme": "bamgarte"}, ["--stabilizer", "bamgarte"]),
        ({"scheme": "anitescu_hart,gamma=7"}, ["--stabilizer", "anitescu_hart,gamma=7"]),
        ({"scheme": "rattle", "level": "acceleration"}, ["--stabilizer", "rattle", "--level", "acceleration"]),
        ({"scheme": "none", "integrator": "rk4"}, ["--stabilizer", "none", "--integrator", "rk4"]),
        ({"solver": "lemkes"}, ["--solver", "lemkes"]),
    ]:
        with pytest.raises(ValueError) as error:
            scene.under(**python)
        told = command("run", "six-link-chain", *line, status=2).strip()
        assert str(error.value).split(": ", 1)[1] == told.split(": ", 1)[1]


def test_unknown_names_come_with_what_was_probably_meant():
    scene = Scene.shipped("six-link-chain")
    with pytest.raises(ValueError, match="did you mean 'gamma'"):
        scene.under("anitescu_hart", gama=0.5)
    with pytest.raises(ValueError, match="did you mean 'six-link-chain'"):
        Scene.shipped("six-link-chian")
    with pytest.raises(ValueError, match="steps: expected a number of steps from 0 to 1e12, found -1"):
        driftlab.run(scene, steps=-1)
    with pytest.raises(ValueError, match="no body is named 'link9' .expected one of wall, link1"):
        driftlab.run(scene, steps=0).body("link9")
    with pytest.raises(ValueError, match="h: expected a number greater than 0, found -1"):
        scene.under(h=-1)
    with pytest.raises(ValueError, match="no body is named 'link7'"):
        driftlab.Simulation(scene).apply("link7", (1, 0))
    with pytest.raises(FileNotFoundError, match="nowhere.json"):
        Scene.load("nowhere.json")


def test_under_changes_what_is_given_and_nothing_else():
    scene = Scene.shipped("double-pendulum")
    other = scene.under("baumgarte_acceleration", omega0=20, zeta=1, h=2e-3, gravity=1.0)
    # ω₀ and ζ in the terms of the equation: α = ζ ω₀, β = ω₀ [g̈ + 2α ġ + β² g = 0].
    assert other.scheme.startswith("baumgarte_acceleration,alpha=20,beta=20")
    assert other.h == 2e-3
    assert other.to_dict()["gravity"] == [0, -1]
    assert scene == Scene.shipped("double-pendulum")


def test_a_world_by_hand_falls_as_galileo_says():
    world = World(gravity=(0, -10))
    world.add_body("ball", position=np.array([0.0, 5.0]), shapes=[circle(0.1)])
    result = driftlab.run(world.scene(h=1e-3, scheme="rattle"), steps=100)
    # Second order, and the parabola is one: y = 5 − g t²/2.
    assert result.body("ball")[-1] == pytest.approx([0, 5 - 5 * 0.1**2, 0], abs=1e-12)


def test_surfaces_by_hand_carry_and_let_pass_as_they_say():
    world = World()
    world.add_material("rubber", friction=0.5)
    world.pair_materials("rubber", "rubber", friction=0.4)
    world.combine(friction="mean")
    world.add_body("belt", type="fixed", shapes=[half_plane(surface_speed=2, material="rubber")])
    world.add_body("level", type="fixed", position=(-20, -5), shapes=[driftlab.grid(["#.#", "###"], 1)])
    world.add_body("box", position=(0, 0.25), shapes=[box(0.5, 0.5, material="rubber")], fixed_rotation=True)
    world.add_body("ghost", position=(3, 0.25), shapes=[box(0.5, 0.5)], mask=2)
    result = driftlab.run(world.scene(h=1e-3, scheme="anitescu_hart"), steps=100)
    # The belt takes the box along with μ g = 0.4 · 9.81, by Coulomb: x = Σ h² μ g k = μ g t (t + h)/2. The ghost falls: −g t (t + h)/2.
    assert result.body("box")[-1] == pytest.approx([0.4 * 9.81 * 0.1 * 0.101 / 2, 0.25, 0], abs=1e-9)
    assert result.body("ghost")[-1] == pytest.approx([3, 0.25 - 9.81 * 0.1 * 0.101 / 2, 0], abs=1e-9)


def test_a_world_by_hand_tells_its_problems_by_their_place():
    world = World()
    floor = world.add_body("floor", type="fixed", shapes=[half_plane()])
    world.add_body("box", position=(0, 1), shapes=[box(1, -1)])
    world.add_joint("hinge", floor, "boxx", anchor=(0, 0))
    with pytest.raises(driftlab.SceneError, match="did you mean 'box'") as error:
        world.scene()
    assert [path for path, _ in error.value.problems] == ["bodies[1].shapes[0].size[1]", "joints[0].bodies[1]"]


def test_notebooks_show_a_picture_with_every_body_of_every_scene():
    for name in driftlab.scenes():
        scene = Scene.shipped(name)
        picture = ET.fromstring(scene._repr_svg_())
        groups = picture.findall("{*}g/{*}g")
        assert [group.find("{*}title").text for group in groups] == scene.bodies, name


@pytest.mark.parametrize("name", ["driftlab", "driftlab._world", "driftlab.gym"])
def test_examples_in_docstrings_run(name):
    failed, attempted = doctest.testmod(importlib.import_module(name))
    assert attempted > 0 and failed == 0


def test_schemes_and_solvers_are_listed_with_their_parameters():
    assert len(driftlab.schemes()) == 18
    equation, parameters = driftlab.schemes()["anitescu_hart"]
    assert "γ" in equation and parameters["gamma"][0] == 1.0
    assert "auto" in driftlab.solvers()


def test_a_scene_is_opened_by_its_path(tmp_path):
    scene = Scene.shipped("double-pendulum")
    scene.save(tmp_path / "own.scene")
    assert driftlab.run(tmp_path / "own.scene", steps=0).scene == scene


def test_the_version_is_that_of_the_package(command):
    assert driftlab.__version__ == command("--version").split()[-1]


def test_velocity_constraints_by_hand_act_as_their_equations_say():
    """A knife edge lets a point move along its blade alone, so that no velocity across it remains; a prescribed velocity is the point's."""
    world = World(gravity=(0, 0))
    sleigh = world.add_body("sleigh", position=(0, 0), velocity=(2, 1), shapes=[box(1, 1)])
    world.add_velocity_constraint("knife_edge", body=sleigh, anchor=(0, 0), axis=(1, 0))
    cart = world.add_body("cart", position=(9, 0), shapes=[box(1, 1)])
    world.add_velocity_constraint("prescribed_velocity", body=cart, anchor=(9, 0), velocity=(0.5, -0.25))
    simulation = driftlab.Simulation(world.scene(scheme="none"))
    simulation.step()
    # The blade goes through the centre of mass: the impulse across it turns nothing.
    assert simulation.velocities == pytest.approx(np.array([[2, 0, 0], [0.5, -0.25, 0]]), abs=1e-12)


def test_scenes_of_other_programs_are_converted(tmp_path):
    """A model of MuJoCo becomes a scene and goes back, and what is left out is told with its line."""
    path = tmp_path / "swing.xml"
    path.write_text(
        '<mujoco><worldbody><body name="bob"><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body></worldbody>\n'
        "<actuator><motor/></actuator></mujoco>"
    )
    scene, left_out = Scene.import_file(path)
    assert (scene.bodies, scene.joints) == (["world", "bob"], ["hinge"])
    assert [place for place, _ in left_out] == ["line 2: motor"]
    text, left_out = scene.to_mjcf()
    assert not left_out
    assert ET.fromstring(text).find(".//joint").get("type") == "hinge"
    with pytest.raises(driftlab.SceneError):
        (tmp_path / "none.txt").write_text("nothing")
        Scene.import_file(tmp_path / "none.txt")
