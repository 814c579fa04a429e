//! Where the blocks of a matrix and its factors lie: node by node, the block on the diagonal, then those below it.

use crate::math::up_looking::UpLooking;

/// Most rows of a node: those of a weld.
pub const MOST: usize = 3;

/// Place of an entry in a lower triangle that is stored row by row.
pub const fn triangle(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

/// Consecutive rows with the same neighbours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Its first row, and how many it has.
    pub row: u32,
    pub size: u32,
    /// Where its block on the diagonal starts: the lower triangle, row by row.
    pub diagonal: u32,
    /// Where its blocks below the diagonal start in the list of all.
    pub below: u32,
    /// Where its blocks left of the diagonal start in theirs.
    pub left: u32,
}

/// A block below the diagonal: rows of a later node, columns of the node that it is listed with.
#[derive(Clone, Copy, Debug)]
pub struct Below {
    pub node: u32,
    /// Where its numbers start, row by row.
    pub at: u32,
}

/// The same seen from the later node, in the order of elimination.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    pub node: u32,
    pub at: u32,
    /// Where the blocks that its elimination changes start.
    pub changes: u32,
}

/// L_pd, L_pc and L_dc: the first one changes by the product of the others as c is eliminated from p.
#[derive(Clone, Copy, Debug)]
pub struct ChangeOf {
    pub target: u32,
    pub node: u32,
    pub by: u32,
}

/// The order of nodes and blocks.
#[derive(Clone, Debug)]
pub struct Layout {
    /// One more than there are, where the lists end.
    pub nodes: Vec<Node>,
    below: Vec<Below>,
    /// One more than there are.
    pub left: Vec<Left>,
    pub changes: Vec<ChangeOf>,
    /// The node of every row.
    node_of: Vec<u32>,
}

impl Layout {
    /// That of a matrix given by the upper triangle's compressed columns, rows ascending, whose scalar factors are
    /// `scalar`; nothing where elimination fills in, or goes through the nodes in another order than through their rows.
    pub fn new(n: usize, start: &[usize], index: &[usize], scalar: &UpLooking) -> Option<Self> {
        if scalar.nonzeros() != index.len() {
            return None;
        }
        let (mut nodes, node_of) = gather_nodes(&neighbours(n, start, index));
        let count = nodes.len();
        let sizes: Vec<usize> = nodes.iter().map(|node| node.size as usize).collect();
        // Columns of L, node by node.
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); count];
        for p in 0..count {
            let first = nodes[p].row as usize;
            let mut scalars = scalar.row(first);
            while let Some(column) = scalars.next() {
                let c = node_of[column] as usize;
                let whole = nodes[c].row as usize == column
                    && (1..sizes[c]).all(|next| scalars.next() == Some(column + next));
                if !whole {
                    return None;
                }
                rows[p].push(c as u32);
                columns[c].push(p as u32);
            }
            let expected = |c: &u32| {
                let node = nodes[*c as usize];
                (node.row..node.row + node.size).map(|row| row as usize)
            };
            for inner in 1..sizes[p] {
                let own = first..first + inner;
                if !scalar.row(first + inner).eq(rows[p].iter().flat_map(expected).chain(own)) {
                    return None;
                }
            }
        }
        let (mut below, mut at) = (Vec::new(), 0);
        for c in 0..count {
            let size = sizes[c];
            (nodes[c].diagonal, nodes[c].below) = (at as u32, below.len() as u32);
            at += triangle(size, 0);
            for &node in &columns[c] {
                below.push(Below { node, at: at as u32 });
                at += size * sizes[node as usize];
            }
        }
        let end = Node { row: n as u32, size: 0, diagonal: at as u32, below: below.len() as u32, left: 0 };
        nodes.push(end);
        let block = |p: u32, c: u32| {
            let [from, to] = [0, 1].map(|next| nodes[c as usize + next].below as usize);
            below[from..to].iter().find(|block| block.node == p).map(|block| block.at)
        };
        let (mut left, mut changes, mut firsts) = (Vec::new(), Vec::new(), Vec::new());
        for (p, row) in (0_u32..).zip(&rows) {
            firsts.push(left.len() as u32);
            for &c in row {
                left.push(Left { node: c, at: block(p, c)?, changes: changes.len() as u32 });
                for &node in columns[c as usize].iter().filter(|node| **node < p) {
                    changes.push(ChangeOf { target: block(p, node)?, node, by: block(node, c)? });
                }
            }
        }
        firsts.push(left.len() as u32);
        nodes.iter_mut().zip(firsts).for_each(|(node, first)| node.left = first);
        left.push(Left { node: 0, at: 0, changes: changes.len() as u32 });
        Some(Self { nodes, below, left, changes, node_of })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.node_of.len()
    }

    /// The blocks left of the diagonal of each node, in the order of elimination.
    pub fn each_left(&self) -> impl Iterator<Item = &[Left]> {
        self.nodes.windows(2).map(|ends| &self.left[ends[0].left as usize..ends[1].left as usize])
    }

    /// How many numbers A has, one triangle counted.
    pub fn len(&self) -> usize {
        self.nodes.last().map_or(0, |end| end.diagonal as usize)
    }

    /// Where the entry of a row and a column is, both in the order of elimination, the column not after the row.
    pub fn slot(&self, row: usize, column: usize) -> usize {
        let [p, c] = [row, column].map(|row| self.node_of[row]);
        let [later, earlier] = [p, c].map(|node| self.nodes[node as usize]);
        let [r, j] = [row - later.row as usize, column - earlier.row as usize];
        if p == c {
            return later.diagonal as usize + triangle(r, j);
        }
        let block = self.below_of(c as usize).iter().find(|block| block.node == p);
        block.map_or(0, |block| block.at as usize + r * earlier.size as usize + j)
    }

    fn below_of(&self, node: usize) -> &[Below] {
        &self.below[self.nodes[node].below as usize..self.nodes[node + 1].below as usize]
    }

    pub fn each_node(&self) -> impl DoubleEndedIterator<Item = (Node, &[Below])> + ExactSizeIterator {
        self.nodes.windows(2).map(|ends| {
            let blocks = &self.below[ends[0].below as usize..ends[1].below as usize];
            (ends[0], blocks)
        })
    }

    /// Calls `each` for every node's diagonal block, and then for each block below it, with its node and where it is stored.
    #[inline]
    pub fn for_each_block(&self, mut each: impl FnMut(Node, Option<(Node, u32)>)) {
        for (node, blocks) in self.each_node() {
            each(node, None);
            for block in blocks {
                each(node, Some((self.nodes[block.node as usize], block.at)));
            }
        }
    }
}

/// By row its neighbours with itself, ascending.
fn neighbours(n: usize, start: &[usize], index: &[usize]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); n];
    for column in 0..n {
        for &row in &index[start[column]..start[column + 1]] {
            neighbours[column].push(row);
            if row != column {
                neighbours[row].push(column);
            }
        }
    }
    neighbours.iter_mut().for_each(|list| list.sort_unstable());
    neighbours
}

/// Runs of rows with the same neighbours, and the run of every row.
fn gather_nodes(neighbours: &[Vec<usize>]) -> (Vec<Node>, Vec<u32>) {
    let mut nodes: Vec<Node> = Vec::new();
    let mut node_of = Vec::new();
    for (row, list) in neighbours.iter().enumerate() {
        match nodes.last_mut() {
            Some(last) if (last.size as usize) < MOST && neighbours[row - 1] == *list => last.size += 1,
            _ => nodes.push(Node { row: row as u32, size: 1, ..Node::default() }),
        }
        node_of.push(nodes.len() as u32 - 1);
    }
    (nodes, node_of)
}
