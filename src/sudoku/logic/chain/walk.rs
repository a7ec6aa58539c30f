//! Chains of links on a state that does not change: the shortest way from an assumption to its contrary, and the
//! cycles through a candidate. They are found again here, in Sudoku Explainer's order, from what the matrices tell.
//!
//! Must never know how it became known that there is one.

use super::candidate::{Candidate, CandidateSet, Literal};
use super::links::{Cause, Links, excluded, forced};
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;
use crate::sudoku::{Cell, CellSet};
use std::ops::{ControlFlow, Range};

/// A chain from its assumption to its end, each literal with why it follows.
pub(super) type Path = Vec<(Literal, Cause)>;

/// The shortest chain from the assumption to its contrary; empty if there is none.
pub(super) fn reversal(state: &State, start: Literal, links: Links) -> Path {
    let mut walk = Walk::new(state, start, links);
    let mut front = 0..1;
    while !front.is_empty() {
        front = walk.step(front);
        let ends = |node: &usize| walk.nodes[*node].literal == start.negated();
        if let Some(end) = front.clone().find(ends) {
            return walk.path(end);
        }
    }
    Path::new()
}

/// The cycles of `complexity` literals through the candidate, which is at both ends of each path.
pub(super) fn cycles(state: &State, start: Candidate, links: Links, complexity: u32) -> Vec<Path> {
    let mut walk = Walk::new(state, Literal::on(start), links);
    let front = (0..complexity - 2).fold(0..1, |front, _| walk.step(front));
    let mut cycles = Vec::new();
    for node in front {
        let on = walk.nodes[node].literal.candidate();
        let _ = excluded(state, on, links, |off, cause| {
            let back = forced(state, off, links, |on, back| match on == start {
                true => ControlFlow::Break(back),
                false => ControlFlow::Continue(()),
            });
            if let ControlFlow::Break(back) = back
                && !walk.is_behind(node, Literal::off(off))
            {
                let mut path = walk.path(node);
                path.extend([(Literal::off(off), cause), (Literal::on(start), back)]);
                cycles.push(path);
            }
            ControlFlow::<()>::Continue(())
        });
    }
    cycles
}

/// What a cycle removes: candidates beside it that see a literal that holds and one that does not of their digit,
/// whichever way round the cycle is true.
pub(super) fn cycle_removals(state: &State, path: &Path) -> Vec<(Cell, Digits)> {
    let cells: CellSet = path.iter().map(|(literal, _)| literal.candidate().cell()).collect();
    let mut seen = [[CellSet::EMPTY; 2]; 9];
    for (literal, _) in &path[1..] {
        let seen = &mut seen[usize::from(literal.candidate().digit()) - 1][usize::from(literal.holds())];
        *seen = *seen | CellSet::peers(literal.candidate().cell());
    }
    let mut removals = [Digits::NONE; 81];
    for (digit, [off, on]) in (1..).zip(seen) {
        for cell in ((off & on & state.cells_with(digit)) - cells).iter() {
            removals[cell.index()] = removals[cell.index()] | Digits::of(digit);
        }
    }
    Cell::all().map(|cell| (cell, removals[cell.index()])).filter(|(_, digits)| !digits.is_empty()).collect()
}

/// Literals in the order in which they are met.
struct Walk<'a> {
    state: &'a State,
    links: Links,
    nodes: Vec<Node>,
    /// Candidates met off and on.
    met: [CandidateSet; 2],
}

#[derive(Clone, Copy)]
struct Node {
    literal: Literal,
    cause: Cause,
    /// Index of what it follows from; the assumption's is its own.
    parent: usize,
}

impl Walk<'_> {
    fn new(state: &State, start: Literal, links: Links) -> Walk<'_> {
        let mut met = [CandidateSet::EMPTY; 2];
        met[usize::from(start.holds())].insert(start.candidate().index());
        Walk { state, links, nodes: vec![Node { literal: start, cause: Cause::Assumed, parent: 0 }], met }
    }

    /// Meets what follows at once from these nodes.
    fn step(&mut self, front: Range<usize>) -> Range<usize> {
        let begin = self.nodes.len();
        for parent in front {
            let (literal, state, links) = (self.nodes[parent].literal, self.state, self.links);
            let mut meet = |candidate: Candidate, cause| {
                let met = &mut self.met[usize::from(!literal.holds())];
                if !met.has(candidate.index()) {
                    met.insert(candidate.index());
                    let literal = if literal.holds() { Literal::off(candidate) } else { Literal::on(candidate) };
                    self.nodes.push(Node { literal, cause, parent });
                }
                ControlFlow::<()>::Continue(())
            };
            let _ = match literal.holds() {
                true => excluded(state, literal.candidate(), links, &mut meet),
                false => forced(state, literal.candidate(), links, &mut meet),
            };
        }
        begin..self.nodes.len()
    }

    /// Whether the literal is on the way to the node.
    fn is_behind(&self, mut node: usize, literal: Literal) -> bool {
        while node != 0 {
            node = self.nodes[node].parent;
            if self.nodes[node].literal == literal {
                return true;
            }
        }
        false
    }

    fn path(&self, mut node: usize) -> Path {
        let mut path = vec![(self.nodes[node].literal, self.nodes[node].cause)];
        while node != 0 {
            node = self.nodes[node].parent;
            path.push((self.nodes[node].literal, self.nodes[node].cause));
        }
        path.reverse();
        path
    }
}
