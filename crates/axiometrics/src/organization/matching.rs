//! Maximum matching in a bipartite graph (Hopcroft and Karp 1973).

const FREE: u32 = u32::MAX;

/// The size of a largest set of edges without a common end. `edges[left]` lists the neighbours of a
/// left node, all below `right`.
pub(super) fn maximum_matching(edges: &[Vec<u32>], right: usize) -> usize {
    let mut of_left = vec![FREE; edges.len()];
    let mut of_right = vec![FREE; right];
    let mut size = 0;
    // Most nodes find a partner without any search.
    for (left, neighbours) in edges.iter().enumerate() {
        if let Some(&free) =
            neighbours.iter().find(|&&neighbour| of_right[neighbour as usize] == FREE)
        {
            (of_left[left], of_right[free as usize]) = (free, left as u32);
            size += 1;
        }
    }
    loop {
        let depth = depths(edges, &of_left, &of_right);
        let mut next = vec![0; edges.len()];
        let mut found = 0;
        for left in 0..edges.len() {
            if of_left[left] == FREE
                && augment(left, edges, &depth, &mut next, &mut of_left, &mut of_right)
            {
                found += 1;
            }
        }
        if found == 0 {
            return size;
        }
        size += found;
    }
}

/// The distance of each left node from the free ones, along alternating paths.
fn depths(edges: &[Vec<u32>], of_left: &[u32], of_right: &[u32]) -> Vec<u32> {
    let mut depth: Vec<u32> =
        of_left.iter().map(|&partner| if partner == FREE { 0 } else { FREE }).collect();
    let mut queue: Vec<usize> = (0..edges.len()).filter(|&left| of_left[left] == FREE).collect();
    let mut at = 0;
    while at < queue.len() {
        let left = queue[at];
        at += 1;
        for &neighbour in &edges[left] {
            let partner = of_right[neighbour as usize];
            if partner != FREE && depth[partner as usize] == FREE {
                depth[partner as usize] = depth[left] + 1;
                queue.push(partner as usize);
            }
        }
    }
    depth
}

/// Looks for an augmenting path from a free left node along increasing depths; without recursion,
/// as paths can be long.
fn augment(
    start: usize,
    edges: &[Vec<u32>],
    depth: &[u32],
    next: &mut [usize],
    of_left: &mut [u32],
    of_right: &mut [u32],
) -> bool {
    let mut path = vec![start];
    while let Some(&left) = path.last() {
        let Some(&neighbour) = edges[left].get(next[left]) else {
            path.pop();
            continue;
        };
        next[left] += 1;
        let partner = of_right[neighbour as usize];
        if partner == FREE {
            let mut take = neighbour;
            for &left in path.iter().rev() {
                of_right[take as usize] = left as u32;
                take = std::mem::replace(&mut of_left[left], take);
            }
            return true;
        }
        if depth[partner as usize] == depth[left] + 1 {
            path.push(partner as usize);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute_force(edges: &[Vec<u32>], used: u32) -> usize {
        let Some((first, rest)) = edges.split_first() else { return 0 };
        let skip = brute_force(rest, used);
        first
            .iter()
            .filter(|&&right| used >> right & 1 == 0)
            .map(|&right| 1 + brute_force(rest, used | 1 << right))
            .fold(skip, usize::max)
    }

    proptest! {
        #[test]
        fn is_maximum(edges in prop::collection::vec(prop::collection::vec(0..6u32, 0..4), 0..7)) {
            prop_assert_eq!(maximum_matching(&edges, 6), brute_force(&edges, 0));
        }
    }
}
