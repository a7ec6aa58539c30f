//! Which line each item of an input begins on, as runs of equal distance: a few numbers for a regular file.

/// The lines of items 0, 1, 2 …, in order.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    runs: Vec<Run>,
    items: u64,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    first_item: u64,
    first_line: u64,
    /// Lines from one item to the next; 0 while the run has one item.
    stride: u64,
}

impl Run {
    fn line(&self, item: u64) -> u64 {
        self.first_line + (item - self.first_item) * self.stride
    }
}

impl LineMap {
    /// The next item begins on this line.
    pub fn push(&mut self, line: u64) {
        let item = self.items;
        self.items += 1;
        match self.runs.last_mut() {
            Some(run) if run.stride == 0 => run.stride = line - run.first_line,
            Some(run) if run.line(item) == line => {}
            _ => self.runs.push(Run { first_item: item, first_line: line, stride: 0 }),
        }
    }

    /// The line of an item, if it was pushed.
    pub fn line(&self, item: u64) -> Option<u64> {
        let run = self.runs.partition_point(|run| run.first_item <= item).checked_sub(1)?;
        (item < self.items).then(|| self.runs[run].line(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_regular_and_irregular_files() {
        for lines in [vec![], vec![7], vec![1, 2, 3, 4], vec![1, 11, 21, 31], vec![2, 3, 9, 10, 11, 40, 42, 44, 47]] {
            let mut map = LineMap::default();
            lines.iter().for_each(|&line| map.push(line));
            for (item, &line) in lines.iter().enumerate() {
                assert_eq!(map.line(item as u64), Some(line), "{lines:?}");
            }
            assert_eq!(map.line(lines.len() as u64), None);
        }
        let mut map = LineMap::default();
        (0..1_000).for_each(|item| map.push(3 + 10 * item));
        assert_eq!(map.runs.len(), 1);
    }
}
