//! What people call the techniques. Must never know of steps.

use crate::sudoku::logic::technique::Technique;

impl Technique {
    /// Its name for people, such as `Hidden single in a box`.
    pub fn name(self) -> &'static str {
        match self {
            Technique::LastInHouse => "Last digit of a house",
            Technique::HiddenSingleBox => "Hidden single in a box",
            Technique::HiddenSingleLine => "Hidden single in a line",
            Technique::DirectPointing => "Direct pointing",
            Technique::DirectClaiming => "Direct claiming",
            Technique::DirectHiddenPair => "Direct hidden pair",
            Technique::NakedSingle => "Naked single",
            Technique::DirectHiddenTriplet => "Direct hidden triplet",
            Technique::Pointing => "Pointing",
            Technique::Claiming => "Claiming",
            Technique::NakedPair => "Naked pair",
            Technique::XWing => "X-Wing",
            Technique::HiddenPair => "Hidden pair",
            Technique::NakedTriplet => "Naked triplet",
            Technique::Swordfish => "Swordfish",
            Technique::HiddenTriplet => "Hidden triplet",
            Technique::XyWing => "XY-Wing",
            Technique::XyzWing => "XYZ-Wing",
            Technique::UniqueRectangle => "Unique rectangle",
            Technique::UniqueLoop => "Unique loop",
            Technique::NakedQuad => "Naked quad",
            Technique::Jellyfish => "Jellyfish",
            Technique::HiddenQuad => "Hidden quad",
            Technique::Bug1 => "BUG type 1",
            Technique::Bug2 => "BUG type 2",
            Technique::Bug3 => "BUG type 3",
            Technique::Bug4 => "BUG type 4",
            Technique::AlignedPairExclusion => "Aligned pair exclusion",
            Technique::XCycle => "X-Cycle",
            Technique::YCycle => "Y-Cycle",
            Technique::XyCycle => "XY-Cycle",
            Technique::ForcingXChain => "Forcing X-chain",
            Technique::ForcingChain => "Forcing chain",
            Technique::AlignedTripletExclusion => "Aligned triplet exclusion",
            Technique::Nishio => "Nishio",
            Technique::CellForcingChains => "Cell forcing chains",
            Technique::HouseForcingChains => "House forcing chains",
            Technique::DynamicContradiction => "Dynamic contradiction chains",
            Technique::DynamicDouble => "Dynamic double chains",
            Technique::DynamicCell => "Dynamic cell chains",
            Technique::DynamicHouse => "Dynamic house chains",
        }
    }
}
