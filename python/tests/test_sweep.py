"""Sweeps: the bytes of the command line whoever runs the parts, whatever is killed meanwhile, and no part twice."""

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import driftlab

#: 6 × 5 runs of some tens of milliseconds.
PLAN = {
    "scene": "six-link-chain",
    "scheme": "baumgarte_velocity",
    "over": {"alpha": "10:1000:log:6", "dt": [0.0005, 0.001, 0.002, 0.004, 0.005]},
    "time": 0.5,
}
LINE = ("six-link-chain", "--stabilizer", "baumgarte_velocity", "--over", "alpha=10:1000:log:6",
        "--over", "dt=0.0005,0.001,0.002,0.004,0.005", "--time", 0.5)  # fmt: skip


@pytest.fixture(scope="module")
def whole():
    return driftlab.sweep(**PLAN)


def test_the_table_has_the_bytes_of_the_command_line(command, whole, tmp_path):
    command("sweep", *LINE, "--csv", tmp_path / "sweep.csv")
    whole.save(tmp_path / "own.csv")
    assert (tmp_path / "own.csv").read_bytes() == (tmp_path / "sweep.csv").read_bytes()
    assert len(whole) == 30 and whole["alpha"][-1] == 1000
    assert len(whole.plot().figure.axes) == 2


def test_any_executor_makes_the_same_table(whole):
    with ThreadPoolExecutor(2) as threads:
        assert driftlab.sweep(**PLAN, executor=threads, parts=7).text == whole.text
    with ProcessPoolExecutor(2) as processes:
        assert driftlab.sweep(**PLAN, executor=processes, parts=4).text == whole.text


def test_a_sweep_goes_on_where_it_was_left_and_a_broken_part_is_run_again(whole, tmp_path):
    class Dies(ThreadPoolExecutor):
        """Gives up behind three parts."""

        def submit(self, call, plan, part, parts):
            def work():
                if part > 3:
                    raise OSError("the machine is gone")
                return call(plan, part, parts)

            return super().submit(work)

    with Dies(1) as executor, pytest.raises(driftlab.SweepError, match="OSError: the machine is gone. Done and kept in .*: 1-3; missing: 4-6"):
        driftlab.sweep(**PLAN, executor=executor, parts=6, folder=tmp_path)
    kept = sorted(tmp_path.glob("part-*.csv"))
    assert [path.name for path in kept] == ["part-1.csv", "part-2.csv", "part-3.csv"]
    kept[1].write_text(kept[1].read_text().replace("0", "1", 1))
    stamps = [path.stat().st_mtime_ns for path in kept]
    assert driftlab.sweep(**PLAN, parts=6, folder=tmp_path).text == whole.text
    again = [path.stat().st_mtime_ns for path in kept]
    assert [old == new for old, new in zip(stamps, again)] == [True, False, True]
    with pytest.raises(ValueError, match="of sweep"):
        driftlab.sweep(**{**PLAN, "time": 0.4}, parts=6, folder=tmp_path)


class Sheds(ThreadPoolExecutor):
    """Cancels a part on its first `cancels(part)` tries, as Dask does when a connection is lost, and counts what it has at once."""

    def __init__(self, workers, cancels):
        super().__init__(workers)
        self.cancels, self.tries, self.waiting, self.most = cancels, {}, 0, 0

    def submit(self, call, plan, part, parts):
        self.tries[part] = self.tries.get(part, 0) + 1
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        tries = self.tries[part]

        def work():
            if tries <= self.cancels(part):
                raise asyncio.CancelledError
            return call(plan, part, parts)

        future = super().submit(work)
        future.add_done_callback(self.finished)
        return future

    def finished(self, future):
        self.waiting -= 1


def test_parts_that_are_cancelled_are_run_again_some_at_a_time(whole):
    with Sheds(2, lambda part: 2) as executor:
        assert driftlab.sweep(**PLAN, executor=executor, parts=30).text == whole.text
    assert set(executor.tries.values()) == {3}
    assert executor.most <= 16


def test_what_is_done_is_kept_and_named_if_a_part_fails_for_good(whole, tmp_path):
    with Sheds(1, lambda part: 99 if part == 5 else 0) as executor, pytest.raises(driftlab.SweepError, match="part 5 of 30 has failed, tried 3 times: CancelledError") as error:
        driftlab.sweep(**PLAN, executor=executor, parts=30, retries=2)
    error = error.value
    assert {1, 2, 3, 4} <= set(error.done) and 5 in error.missing and error.parts == 30
    assert sorted([*error.done, *error.missing]) == list(range(1, 31))
    error.save(tmp_path)
    assert len(list(tmp_path.glob("part-*.csv"))) == len(error.done)
    assert driftlab.sweep(**PLAN, parts=30, folder=tmp_path).text == whole.text


def test_the_parts_are_those_of_the_command_line(command, tmp_path):
    driftlab.sweep(**PLAN, parts=2, folder=tmp_path / "parts")
    command("sweep", *LINE, "--shard", "2/2", "--csv", tmp_path / "two.csv")
    assert (tmp_path / "parts" / "part-2.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_a_dask_cluster_of_two_workers_finishes_though_one_is_killed(whole):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            before = client.run(os.getpid)
            victim = next(iter(before.values()))
            finished = []

            def kill():
                def parts():
                    return sum(bool(workers) for workers in client.who_has().values())

                while parts() < 3:
                    time.sleep(0.01)
                os.kill(victim, signal.SIGKILL)
                finished.append(parts())

            killer = threading.Thread(target=kill)
            killer.start()
            table = driftlab.sweep(**PLAN, executor=client, parts=15)
            killer.join()
            # It was killed in the middle of the sweep.
            assert finished[0] < 15
            assert table.text == whole.text
            # The worker that died has been replaced, or is gone.
            assert victim not in client.run(os.getpid).values()


def test_what_is_wrong_with_a_grid_is_said_before_the_first_run():
    with pytest.raises(ValueError, match="over: .*did you mean 'alpha'"):
        driftlab.sweep("six-link-chain", "baumgarte_velocity", over={"alhpa": [1, 2]}, steps=1)
    with pytest.raises(ValueError, match="steps and time: expected one of the two"):
        driftlab.sweep("six-link-chain", over={"dt": [1e-3]}, steps=1, time=1.0)


def test_a_run_that_fails_is_a_row():
    table = driftlab.sweep("six-link-chain", "baumgarte_velocity", over={"alpha": [50, 5000]}, h=1e-3, time=0.5)
    assert table["failure"][0] == "" and table["failure"][1] != ""
    assert np.isfinite(table["joint_error"][0])


@pytest.mark.parametrize("alpha", [5, 500])
def test_a_parameter_beside_the_grid_acts_on_the_scheme_that_is_named(command, tmp_path, alpha):
    """It once acted on the scene's own scheme, in whose place the named one then came with its defaults."""
    table = driftlab.sweep("six-link-chain", "baumgarte_velocity", alpha=alpha, over={"dt": [5e-4, 1e-3]}, time=0.2)
    line = ("--stabilizer", f"baumgarte_velocity,alpha={alpha}", "--over", "dt=0.0005,0.001", "--time", 0.2)
    command("sweep", "six-link-chain", *line, "--csv", tmp_path / "sweep.csv")
    table.save(tmp_path / "own.csv")
    assert (tmp_path / "own.csv").read_bytes() == (tmp_path / "sweep.csv").read_bytes()
    run = driftlab.run("six-link-chain", "baumgarte_velocity", alpha=alpha, h=1e-3, time=0.2)
    assert table["joint_error"][1] == run.summary["joint_error"]["largest"]


def test_a_level_beside_the_grid_is_that_of_the_scheme_that_is_named():
    rattle = driftlab.Scene.shipped("six-link-chain").under("rattle")
    table = driftlab.sweep(rattle, "none", level="acceleration", over={"dt": [1e-3]}, time=0.1)
    run = driftlab.run(rattle, "none", level="acceleration", h=1e-3, time=0.1)
    assert table["joint_error"][0] == run.summary["joint_error"]["largest"]


def test_parameters_that_nobody_has_set_follow_the_time_step_of_the_grid():
    """α is at most 1/h by default; in another language, of which the grid varies the one half, the other stays as given."""
    table = driftlab.sweep("six-link-chain", "baumgarte_velocity", over={"dt": [1e-3, 0.05]}, h=2e-3, steps=4)
    with pytest.warns(driftlab.DriftlabWarning, match="joints are apart"):
        run = driftlab.run("six-link-chain", "baumgarte_velocity", h=0.05, steps=4)
    assert table["joint_error"][1] == run.summary["joint_error"]["largest"]
    table = driftlab.sweep("six-link-chain", "baumgarte_acceleration", zeta=2, over={"omega0": [10, 20]}, time=0.1)
    run = driftlab.run("six-link-chain", "baumgarte_acceleration", zeta=2, omega0=20, time=0.1)
    assert table["joint_error"][1] == run.summary["joint_error"]["largest"]
