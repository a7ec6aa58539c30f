//! For tests: the least grid equivalent to a grid, and the size of its automorphism group, by trying everything.

/// Orders of nine lines that keep the bands together: 1,296.
fn line_orders() -> Vec<[usize; 9]> {
    let three = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut orders = Vec::new();
    for code in 0..6usize.pow(4) {
        let bands = three[code % 6];
        let inner = [three[code / 6 % 6], three[code / 36 % 6], three[code / 216]];
        orders.push(std::array::from_fn(|i| 3 * bands[i / 3] + inner[i / 3][i % 3]));
    }
    orders
}

/// The least of all equivalent grids (digits row by row), and how many of the 2·6^8 shapes lead to it: the
/// number of automorphisms.
pub fn canonical(digits: &[u8; 81]) -> ([u8; 81], u32) {
    let mut row_orders = line_orders();
    row_orders.sort_unstable();
    let transposed: [u8; 81] = std::array::from_fn(|i| digits[i % 9 * 9 + i / 9]);
    let (mut least, mut times) = ([9; 81], 0);
    for source in [digits, &transposed] {
        for cols in line_orders() {
            // All orders that begin with the same row share the relabeling that makes it 123456789.
            for rows_of_first in row_orders.chunk_by(|a, b| a[0] == b[0]) {
                let mut labels = [0; 10];
                for (label, &col) in (1..).zip(&cols) {
                    labels[usize::from(source[9 * rows_of_first[0][0] + col])] = label;
                }
                for rows in rows_of_first {
                    let cell = |i: usize| labels[usize::from(source[9 * rows[i / 9] + cols[i % 9]])];
                    match (9..81).map(cell).cmp(least[9..].iter().copied()) {
                        std::cmp::Ordering::Less => (least, times) = (std::array::from_fn(cell), 1),
                        std::cmp::Ordering::Equal => times += 1,
                        std::cmp::Ordering::Greater => {}
                    }
                }
            }
        }
    }
    (least, times)
}

#[test]
fn most_canonical_grid_has_its_known_symmetry() {
    // The most symmetrical grid of all: 648 automorphisms (Russell and Jarvis, "Mathematics of Sudoku II").
    let digits = *b"123456789456789123789123456231564897564897231897231564312645978645978312978312645";
    assert_eq!(canonical(&digits.map(|d| d - b'0')).1, 648);
}
