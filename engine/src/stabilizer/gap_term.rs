//! What the contact rows of a scheme ask of the gap, and how far ahead its contacts have to be found for that.
//!
//! XPBD finds its contacts once, when the step begins. A pair that meets in a later substep has to be among them: in
//! the first step in which it is, the bodies would overlap by what they have travelled, and XPBD pushes any overlap out in one substep. The
//! published method enlarges each box by k Δt |v| with k = 2 [Müller et al. 2020, section 3.5]. Its rows act on overlaps alone. The soft step's
//! rows also bound how fast a gap closes, so that a pair far away would deflect what passes by; it finds what others find.

/// k, in steps of travel at the speeds of the step's start [Müller et al. 2020].
const SAFETY: f64 = 2.0;

/// What a scheme's row asks of the gap of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum GapTerm {
    /// The row has no gap term, or one for overlaps alone: contacts within the contact tolerance.
    #[default]
    Touching,
    /// The same in a scheme that corrects positions behind the step: also contacts that a step's fall could close.
    Corrected,
    /// The row has the gap's free travel in it: contacts within the active distance.
    Travelling,
    /// Overlaps alone, in substeps all of which have the contacts found when the step begins.
    Substeps,
}

impl GapTerm {
    /// Whether the row has the gap's free travel in it.
    pub fn travels(self) -> bool {
        matches!(self, Self::Travelling | Self::Substeps)
    }

    /// Steps of travel within which contacts are found at least, whatever the method says.
    pub fn least_travel(self) -> f64 {
        if self == Self::Substeps { SAFETY } else { 0.0 }
    }
}
