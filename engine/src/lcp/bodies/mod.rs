//! Methods over the bodies: an island's unknowns are its velocities, its matrix has a 3×3 block for every pair of bodies
//! that touch.
//!
//! | folder or file | holds |
//! |---|---|
//! | `space/` | rows scaled to the kinetic-energy norm, λ with its w and residual, the matrix H and its factors |
//! | `newton/` | semismooth Newton; it also ends what the next two begin |
//! | `homotopy/` | the piecewise linear path where Newton's steps cycle |
//! | `interior/` | the central path, round its folds |
//! | `pgs.rs` | projected Gauss–Seidel, which needs no matrix |

pub(super) mod homotopy;
pub(super) mod interior;
pub(super) mod newton;
pub(super) mod pgs;
pub(super) mod space;
