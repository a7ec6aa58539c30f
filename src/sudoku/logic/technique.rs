//! [`Technique`]: what the ways of deducing are called.

/// A way of deducing, as Sudoku Explainer 1.2.1 tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    /// The only empty cell of a house.
    LastInHouse,
    /// The only place for a digit in a box.
    HiddenSingleBox,
    /// The only place for a digit in a row or column.
    HiddenSingleLine,
    /// Pointing that gives a hidden single at once.
    DirectPointing,
    /// Claiming that gives a hidden single at once.
    DirectClaiming,
    /// A hidden pair that gives a hidden single at once.
    DirectHiddenPair,
    /// The only candidate of a cell.
    NakedSingle,
    /// A hidden triplet that gives a hidden single at once.
    DirectHiddenTriplet,
    /// A digit's places in a box lie in one line.
    Pointing,
    /// A digit's places in a line lie in one box.
    Claiming,
    /// Two cells of a house with the same two candidates.
    NakedPair,
    /// A digit with places in the same two columns of two rows, or the other way round.
    XWing,
    /// Two digits with the same two places in a house.
    HiddenPair,
    /// Three cells of a house with three candidates among them.
    NakedTriplet,
    /// A fish of three lines.
    Swordfish,
    /// Three digits with three places in a house among them.
    HiddenTriplet,
    /// A cell XY that sees XZ and YZ.
    XyWing,
    /// A cell XYZ that sees XZ and YZ.
    XyzWing,
    /// Four cells in two boxes that must not hold two digits only.
    UniqueRectangle,
    /// A loop of six cells or more that must not hold two digits only.
    UniqueLoop,
    /// Four cells of a house with four candidates among them.
    NakedQuad,
    /// A fish of four lines.
    Jellyfish,
    /// Four digits with four places in a house among them.
    HiddenQuad,
    /// All cells but one have two candidates (bivalue universal grave).
    Bug1,
    /// A grave whose extra candidates are one digit in several cells.
    Bug2,
    /// A grave whose extra candidates make a naked set.
    Bug3,
    /// A grave with two cells that share a locked digit.
    Bug4,
    /// Two cells whose every pair of digits but some is ruled out.
    AlignedPairExclusion,
    /// A loop on one digit's strong and weak links.
    XCycle,
    /// A loop on cells of two candidates.
    YCycle,
    /// A loop on both.
    XyCycle,
    /// A chain on one digit whose start implies its contrary.
    ForcingXChain,
    /// A chain whose start implies its contrary.
    ForcingChain,
    /// Three cells whose every triple of digits but some is ruled out.
    AlignedTripletExclusion,
    /// A candidate from which one digit's chains lead to a contradiction.
    Nishio,
    /// All candidates of a cell lead to the same end.
    CellForcingChains,
    /// All places of a digit in a house lead to the same end.
    HouseForcingChains,
    /// A candidate leads to a contradiction, branches and all.
    DynamicContradiction,
    /// A candidate, and its absence, lead to the same end.
    DynamicDouble,
    /// As CellForcingChains, with branches.
    DynamicCell,
    /// As HouseForcingChains, with branches.
    DynamicHouse,
}
