//! In which order rule files are compiled: every file after those that it uses.

use std::collections::{BTreeMap, BTreeSet};

/// Returns the files that `file` depends on, itself included, less those that are done, as strongly connected components
/// in dependency order (Tarjan 1972).
pub(super) fn circles<'a>(
    file: usize,
    uses: impl Fn(usize) -> &'a BTreeSet<usize>,
    is_done: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut walk = Walk { uses, is_done, orders: BTreeMap::new(), open: Vec::new(), circles: Vec::new() };
    walk.visit(file);
    walk.circles
}

/// A walk through files and what they use.
struct Walk<U, D> {
    uses: U,
    is_done: D,
    /// The order in which files were visited.
    orders: BTreeMap<usize, usize>,
    /// Files whose circle is not known yet.
    open: Vec<usize>,
    circles: Vec<Vec<usize>>,
}

impl<'a, U: Fn(usize) -> &'a BTreeSet<usize>, D: Fn(usize) -> bool> Walk<U, D> {
    /// Visits a file and what it uses; returns the lowest order from which the file can be reached again.
    fn visit(&mut self, file: usize) -> usize {
        let order = self.orders.len();
        self.orders.insert(file, order);
        self.open.push(file);
        let mut lowest = order;
        for &next in (self.uses)(file) {
            if (self.is_done)(next) {
                continue;
            }
            match self.orders.get(&next) {
                None => lowest = lowest.min(self.visit(next)),
                Some(order) if self.open.contains(&next) => lowest = lowest.min(*order),
                Some(_) => {}
            }
        }
        if lowest == order {
            let first = self.open.iter().position(|open| *open == file).expect("opened above");
            let mut circle = self.open.split_off(first);
            circle.sort_unstable();
            self.circles.push(circle);
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_use_each_other_share_a_component() {
        let uses: Vec<BTreeSet<usize>> =
            [vec![1], vec![2, 3], vec![1], vec![]].into_iter().map(BTreeSet::from_iter).collect();
        let found = circles(0, |file| &uses[file], |_| false);
        assert_eq!(found, [vec![3], vec![1, 2], vec![0]]);
        assert_eq!(circles(0, |file| &uses[file], |file| file == 1), [vec![0]]);
    }
}
