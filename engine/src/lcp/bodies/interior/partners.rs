//! Which friction belongs to which normal row.

use super::cell::Partner;
use super::{INFO, Interior};
use crate::lcp::bodies::space::{BodySpace, Limit};
use crate::lcp::mixed::outcome::MixedError;

impl Interior {
    /// Finds the friction of every normal row.
    pub(super) fn pair_friction(&mut self, space: &BodySpace) -> Result<(), MixedError> {
        self.partners.clear();
        self.partners.resize(space.rows.len(), Partner::None);
        for (place, row) in space.rows.iter().enumerate() {
            let (normal, partner, slope, same_bodies) = match row.limit {
                Limit::Between(..) => continue,
                Limit::Coulomb { normal, coefficient, same_bodies } => {
                    (normal, Partner::Coulomb(place, coefficient), coefficient, same_bodies)
                }
                Limit::Dragged { normal, coefficient, same_bodies } => {
                    (normal, Partner::Dragged(place, coefficient), coefficient, same_bodies)
                }
            };
            if row.diagonal == 0.0 || slope == 0.0 {
                continue;
            }
            if !same_bodies || row.compliance != 0.0 {
                let reason = "friction with a compliance, or between other bodies than its contact's";
                return Err(MixedError::NotApplicable { solver: INFO.key, reason });
            }
            self.partners[normal as usize] = partner;
        }
        Ok(())
    }
}
