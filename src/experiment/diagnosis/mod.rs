//! What is wrong with a run, told while it goes on, and what can be done about it.

pub(crate) mod advice;
pub(crate) mod apart;
pub(crate) mod blow_up;
pub(crate) mod gain;
pub(crate) mod passages;
pub(crate) mod start;
pub(crate) mod trial;
pub(crate) mod unsolved;
