"""Complementarity problems whose solutions are known."""

import numpy as np
import pytest

from driftlab import lcp


@pytest.mark.parametrize("method", ["lemke", "dantzig", "pgs"])
def test_a_problem_of_a_textbook_is_solved_by_every_method(method):
    # Cottle, Pang & Stone, The Linear Complementarity Problem, example 2.2.5 in kind: z = (4/3, 7/3) solves both equations.
    solution = lcp.solve([[2, 1], [1, 2]], [-5, -6], method=method)
    assert solution.z == pytest.approx([4 / 3, 7 / 3], rel=1e-9)
    assert solution.w == pytest.approx([0, 0], abs=1e-8)
    assert solution.residual <= 1e-8


def test_random_problems_are_solved_to_their_definition():
    generator = np.random.default_rng(1)
    for n in (1, 5, 30):
        a = generator.normal(size=(n, n))
        M, q = a @ a.T + np.eye(n), generator.normal(size=n)
        z, w = (own := lcp.solve(M, q)).z, own.w
        assert (z >= 0).all() and w == pytest.approx(M @ z + q)
        assert np.abs(np.minimum(z, w)).max() <= 1e-9 * np.abs(q).max()


def test_a_ray_proves_that_there_is_no_solution():
    with pytest.raises(lcp.NoSolution, match="infeasible") as error:
        lcp.solve([[-1.0]], [-1.0])
    # Farkas: y ≥ 0, qᵀy < 0, Mᵀy ≤ 0.
    y = error.value.direction
    assert error.value.infeasible and (y >= 0).all() and -y[0] < 0 and -y[0] <= 0


def test_data_that_make_no_problem_are_refused():
    with pytest.raises(ValueError, match="M: expected 2 × 2"):
        lcp.solve([[1.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="q.1. is not finite"):
        lcp.solve(np.eye(2), [1.0, np.nan])
    with pytest.raises(ValueError, match="did you mean 'lemke'"):
        lcp.solve(np.eye(1), [1.0], method="lemk")
    with pytest.raises(ValueError, match="unknown parameter"):
        lcp.solve(np.eye(1), [1.0], pivot=3)
