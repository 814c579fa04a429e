//! The published codes that the squeezer's work–precision is compared with, run by us.
//!
//! The test set for IVP solvers poses the squeezer as 27 equations of index three, with an approximate Jacobian of its
//! own. On that formulation the two Fortran codes [RADAU5, Hairer & Wanner; MEBDFI, Abdulla & Cash] ran with relative
//! and absolute tolerances 10⁻⁵ to 10⁻¹², the first step equal to the tolerance; each error is the benchmark's, each
//! time the shortest of 41 runs.

/// A code with the numbers that its runs gave.
#[derive(Debug)]
pub struct Code {
    /// Its name.
    pub name: &'static str,
    /// Tolerance, the benchmark's error, and computing time in s.
    pub points: &'static [(f64, f64, f64)],
}

/// Where the codes ran.
pub const MACHINE: &str = "one core of an AMD EPYC 'Milan', gfortran 12 -O2";

/// Both of them.
pub(super) const OF_THE_TEST_SET: &[Code] = &[
    Code {
        name: "RADAU5",
        points: &[
            (1e-5, 1.01e-02, 1.34e-03),
            (1e-6, 3.15e-04, 1.51e-03),
            (1e-7, 2.78e-04, 1.83e-03),
            (1e-8, 3.69e-05, 2.37e-03),
            (1e-9, 1.62e-05, 3.29e-03),
            (1e-10, 3.51e-06, 4.39e-03),
            (1e-11, 9.00e-07, 6.13e-03),
            (1e-12, 1.72e-07, 8.73e-03),
        ],
    },
    Code {
        name: "MEBDFI",
        points: &[
            (1e-5, 3.26e-02, 8.48e-04),
            (1e-6, 1.19e-02, 1.15e-03),
            (1e-7, 3.66e-04, 1.38e-03),
            (1e-8, 1.24e-05, 1.87e-03),
            (1e-9, 6.04e-04, 2.77e-03),
            (1e-10, 6.40e-05, 3.87e-03),
            (1e-11, 1.19e-06, 5.68e-03),
            (1e-12, 2.18e-05, 2.67e-02),
        ],
    },
];
