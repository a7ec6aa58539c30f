//! [`Flood`]: what follows from one assumption, in the order of discovery, each literal with what it follows from.
//!
//! Must never know how it spreads, nor what its ends are used for.

use super::candidate::{CandidateSet, Literal};
use super::links::Cause;
use std::rc::Rc;

/// What follows from an assumption.
#[derive(Clone, Debug)]
pub(super) struct Flood {
    /// The candidates that then hold, and those that do not; no candidate is in both.
    pub on: CandidateSet,
    pub off: CandidateSet,
    /// The two numbers of a candidate that would hold and not hold, that which holds first.
    pub clash: Option<[u16; 2]>,
    nodes: Vec<Node>,
    parents: Vec<u16>,
    nested: Vec<Rc<Nested>>,
    numbers: Box<[u16; Literal::COUNT]>,
}

/// A literal reached. Its number is its index in the order of discovery; parents come first.
#[derive(Clone, Copy, Debug)]
struct Node {
    literal: Literal,
    cause: Cause,
    /// The longest way to it from the assumption, both counted: at least so many literals are in its chain.
    least: u16,
    /// The same with the nested chains on the way: the chain's complexity is at least this.
    cost: u32,
    /// Where its parents end in `parents`; they begin where those of the node before end.
    parents_end: u32,
    /// Index in `nested`, if a nested chain leads to it.
    nested: Option<u16>,
}

/// A chain that a literal of another chain rests on.
#[derive(Debug)]
pub(super) struct Nested {
    /// How many literals it has, those of its own nested chains included.
    pub complexity: u32,
    /// Its literals, one chain after another: two nested chains are the same if these are equal.
    pub literals: Vec<Vec<Literal>>,
}

impl Flood {
    /// Nothing yet.
    pub fn new() -> Flood {
        Flood {
            on: CandidateSet::EMPTY,
            off: CandidateSet::EMPTY,
            clash: None,
            nodes: Vec::with_capacity(256),
            parents: Vec::with_capacity(256),
            nested: Vec::new(),
            numbers: Box::new([0; Literal::COUNT]),
        }
    }

    /// Forgets all but its memory.
    pub fn clear(&mut self) {
        [self.on, self.off] = [CandidateSet::EMPTY; 2];
        self.clash = None;
        self.nodes.clear();
        self.parents.clear();
        self.nested.clear();
    }

    /// Notes a parent of the literal that is noted next.
    pub fn put_parent(&mut self, number: u16) {
        self.parents.push(number);
    }

    /// Notes a literal that follows from the parents put since the last one. Returns its cost.
    pub fn put(&mut self, literal: Literal, cause: Cause, nested: Option<Rc<Nested>>) -> u32 {
        let set = if literal.holds() { &mut self.on } else { &mut self.off };
        set.insert(literal.candidate().index());
        self.numbers[literal.index()] = self.nodes.len() as u16;
        let begin = self.nodes.last().map_or(0, |node| node.parents_end);
        let (mut least, mut cost) = (0, 0);
        for &parent in &self.parents[begin as usize..] {
            let parent = &self.nodes[usize::from(parent)];
            least = least.max(parent.least);
            cost = cost.max(parent.cost);
        }
        cost += 1 + nested.as_ref().map_or(0, |nested| nested.complexity);
        let nested = nested.map(|nested| {
            self.nested.push(nested);
            self.nested.len() as u16 - 1
        });
        let parents_end = self.parents.len() as u32;
        self.nodes.push(Node { literal, cause, least: least + 1, cost, parents_end, nested });
        cost
    }

    /// Notes a literal whose contrary was reached, and with it the contradiction.
    pub fn put_clash(&mut self, literal: Literal, cause: Cause) {
        let other = self.number(literal.negated());
        let (on, off) = (self.on, self.off);
        self.put(literal, cause, None);
        let number = self.number(literal);
        [self.on, self.off] = [on, off];
        self.clash = Some(if literal.holds() { [number, other] } else { [other, number] });
    }

    /// How many literals there are: their numbers are below.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of a literal that was reached.
    pub fn number(&self, literal: Literal) -> u16 {
        self.numbers[literal.index()]
    }

    /// Whether the literal was reached.
    pub fn has(&self, literal: Literal) -> bool {
        let set = if literal.holds() { &self.on } else { &self.off };
        set.has(literal.candidate().index())
    }

    /// What a number stands for.
    pub fn literal(&self, number: u16) -> Literal {
        self.nodes[usize::from(number)].literal
    }

    /// Why it follows.
    pub fn cause(&self, number: u16) -> Cause {
        self.nodes[usize::from(number)].cause
    }

    /// The nested chain that leads to it.
    pub fn nested(&self, number: u16) -> Option<&Rc<Nested>> {
        self.nodes[usize::from(number)].nested.map(|index| &self.nested[usize::from(index)])
    }

    /// At least so many literals are in the chain that ends with this one.
    pub fn least(&self, number: u16) -> u32 {
        u32::from(self.nodes[usize::from(number)].least)
    }

    /// At least so complex is the chain that ends with it, its nested chains included.
    pub fn cost(&self, number: u16) -> u32 {
        self.nodes[usize::from(number)].cost
    }

    /// Whether any literal rests on a nested chain.
    pub fn has_nested(&self) -> bool {
        !self.nested.is_empty()
    }

    fn parents(&self, number: u16) -> &[u16] {
        let at = usize::from(number);
        let begin = if at == 0 { 0 } else { self.nodes[at - 1].parents_end };
        &self.parents[begin as usize..self.nodes[at].parents_end as usize]
    }

    /// How many literals are in the chain that ends with this one.
    pub fn size(&self, number: u16) -> u32 {
        let mut marked = [0u64; Literal::COUNT.div_ceil(64) + 1];
        let top = usize::from(number);
        marked[top / 64] |= 1 << (top % 64);
        let mut size = 0;
        for at in (0..=top / 64).rev() {
            while marked[at] != 0 {
                let highest = 63 - marked[at].leading_zeros() as usize;
                marked[at] &= !(1 << highest);
                size += 1;
                for &parent in self.parents((at * 64 + highest) as u16) {
                    marked[usize::from(parent) / 64] |= 1 << (parent % 64);
                }
            }
        }
        size
    }

    /// The numbers of the chain that ends with this one, from its end back, breadth first.
    pub fn chain(&self, number: u16) -> Vec<u16> {
        let mut seen = [0u64; Literal::COUNT.div_ceil(64) + 1];
        let mut chain = vec![number];
        seen[usize::from(number) / 64] |= 1 << (number % 64);
        let mut next = 0;
        while let Some(&at) = chain.get(next) {
            next += 1;
            for &parent in self.parents(at) {
                if seen[usize::from(parent) / 64] >> (parent % 64) & 1 == 0 {
                    seen[usize::from(parent) / 64] |= 1 << (parent % 64);
                    chain.push(parent);
                }
            }
        }
        chain
    }
}
