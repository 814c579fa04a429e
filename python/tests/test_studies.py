"""Comparisons, convergence, stability: the tables of the command line, as arrays."""

import json

import matplotlib.pyplot
import numpy as np
import pytest

import driftlab


def test_a_comparison_has_the_figures_of_the_command_line(command):
    schemes = ["none", "baumgarte_velocity,alpha=50", "rattle"]
    table = driftlab.compare("six-link-chain", schemes, time=0.1)
    told = json.loads(command("compare", "six-link-chain", "--time", 0.1, "--stabilizers", *schemes, "--json"))
    assert list(table["joint_error"]) == [own["joint_error"]["largest"] for own in told]
    assert list(table["energy_drift"]) == [own["energy"]["largest_drift"] for own in told]
    assert list(table["stabilizer"]) == schemes and list(table["ended"]) == ["done"] * 3
    assert "rattle" in repr(table)


def test_all_schemes_are_compared_and_one_that_blows_up_says_so():
    table = driftlab.compare("single-pendulum", steps=20)
    assert list(table["stabilizer"].astype("U40")) and len(table) == 18
    ended = driftlab.compare("six-link-chain", ["baumgarte_velocity,alpha=5000"], steps=400)["ended"][0]
    assert ended.startswith(("blown up", "failed"))


def test_convergence_finds_the_orders_of_the_theory(command, rows, tmp_path):
    """RATTLE is of second order, none of first [Hairer, Lubich & Wanner 2006, VII.1.4]; the table is the command line's."""
    schemes = ["none", "rattle", "none,integrator=rk4"]
    table = driftlab.converge("double-pendulum", schemes, h=[4e-3, 2e-3, 1e-3], time=0.4)
    order = {name: table["position_order"][table["scheme"] == name][2] for name in ("none", "rattle")}
    assert order["rattle"] == pytest.approx(2, abs=0.1)
    command("converge", "double-pendulum", "--schemes", *schemes, "--h", "4e-3,2e-3,1e-3", "--time", 0.4, "--csv", tmp_path / "c.csv")
    told = rows(tmp_path / "c.csv")
    for name in ("position_error", "energy_error", "velocity_order"):
        assert np.array([float(cell or "nan") for cell in told[name]]).tobytes() == table[name].tobytes(), name
    assert (table["run_s"] > 0).all()
    table.plot(against="run_s")


def test_convergence_refuses_what_makes_no_table():
    with pytest.raises(ValueError, match="refine: expected an even number"):
        driftlab.converge("double-pendulum", ["none"], time=0.1, refine=3)
    with pytest.raises(ValueError, match="does not divide the largest time step"):
        driftlab.converge("double-pendulum", ["none"], h=[1e-3, 7e-4], time=0.1)
    with pytest.raises(ValueError, match="did you mean|unknown|expected"):
        driftlab.converge("double-pendulum", ["nonee"], time=0.1)


def test_stability_is_hongs_golden_ratio_and_the_command_lines_map(command):
    """α = β = 1/h is Hong's example of an unstable choice: ρ = (1 + √5)/2 [Hong et al., section 3]."""
    over = {"alpha": [50.0, 100.0], "beta": [50.0, 100.0]}
    table = driftlab.stability("double-pendulum", "baumgarte_acceleration", over=over, h=0.01, unloaded=True)
    assert table["spectral_radius"][-1] == pytest.approx((1 + 5**0.5) / 2, rel=1e-9)
    assert list(table["stable"][[0, -1]]) == ["true", "false"]
    told = command(
        "stability", "double-pendulum", "--stabilizer", "baumgarte_acceleration", "--dt", 0.01,
        "--over", "alpha=50,100", "--over", "beta=50,100",
    )  # fmt: skip
    loaded = driftlab.stability("double-pendulum", "baumgarte_acceleration", over=over, h=0.01)
    radii = [float(line.split(",")[2]) for line in told.splitlines()[1:]]
    assert list(loaded["spectral_radius"]) == radii
    table.plot()
    with pytest.raises(ValueError, match="no joint and no contact to be stable"):
        driftlab.stability("bouncing-ball", over={"dt": [1e-3, 2e-3]})
    with pytest.raises(ValueError, match="'friction' does not enter"):
        driftlab.stability("double-pendulum", over={"friction": [0.1, 0.2]})


def test_tables_become_data_frames_and_runs_draw_themselves():
    result = driftlab.run("six-link-chain", "none", steps=30)
    frame = result.to_dataframe()
    assert list(frame.columns)[:3] == ["step", "time", "joint_error"] and len(frame) == 31
    axes = result.plot()
    assert axes.get_yscale() == "log" and len(axes.lines) == 1
    assert len(result.plot("kinetic_energy", "potential_energy", "energy").lines) == 4
    table = driftlab.compare("six-link-chain", ["none", "rattle"], steps=30)
    assert len(table.to_dataframe()) == 2
    table.plot(ax=matplotlib.pyplot.figure().add_subplot())


def test_a_parameter_beside_a_stability_map_acts_on_the_scheme_that_is_named(command):
    """g⁺ = (1 − αh) g [Cline & Pai 2003, section VI-A]; the scene's own scheme has neither α nor β."""
    for alpha in (5.0, 500.0):
        table = driftlab.stability("double-pendulum", "baumgarte_velocity", alpha=alpha, over={"dt": [1e-3]}, unloaded=True)
        assert table["spectral_radius"][0] == pytest.approx(1 - alpha * 1e-3, rel=1e-9)
    rattle = driftlab.Scene.shipped("double-pendulum").under("rattle")
    table = driftlab.stability(rattle, "baumgarte_acceleration", beta=20, over={"alpha": [10.0, 30.0]}, h=0.01)
    told = command("stability", "double-pendulum", "--stabilizer", "baumgarte_acceleration,beta=20", "--dt", 0.01, "--over", "alpha=10,30")
    assert list(table["spectral_radius"]) == [float(line.split(",")[1]) for line in told.splitlines()[1:]]


def test_a_comparison_at_a_level_takes_the_schemes_that_exist_there(command):
    table = driftlab.compare("double-pendulum", level="acceleration", steps=5)
    told = json.loads(command("compare", "double-pendulum", "--level", "acceleration", "--steps", 5, "--json"))
    assert list(table["joint_error"]) == [own["joint_error"]["largest"] for own in told]
    assert set(table["level"]) == {"acceleration"} and len(table) < 12
