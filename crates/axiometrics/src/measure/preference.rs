//! Measures of fulfilled preferences: how often a ranking puts the preferred of two documents
//! first.
//!
//! They are trec_eval's `prefs_*`. They see a ranking by its document ids and not by grades, so
//! they are no [`super::Formula`]: a topic is counted once by [`preference_counts`], and each
//! measure is a ratio of counts.

use std::collections::HashMap;

use super::Aggregate;
use crate::data::preferences::{Group, GroupOrder, Member, TopicPreferences};

/// Numbers of preferences by what the ranking shows of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Both documents retrieved, the preferred one first.
    pub fulfilled_retrieved: u64,
    /// Both documents retrieved.
    pub possible_retrieved: u64,
    /// Only the preferred document retrieved.
    pub fulfilled_implied: u64,
    /// One of the two documents retrieved.
    pub possible_implied: u64,
    /// Neither document retrieved.
    pub unseen: u64,
}

impl Tally {
    /// The fulfilled ones, implied ones included.
    pub fn fulfilled(&self) -> u64 {
        self.fulfilled_retrieved + self.fulfilled_implied
    }

    /// Those of which the ranking shows a document.
    pub fn seen(&self) -> u64 {
        self.possible_retrieved + self.possible_implied
    }

    /// All.
    pub fn possible(&self) -> u64 {
        self.seen() + self.unseen
    }

    /// One preference between documents at two places.
    fn add(&mut self, preferred: u32, other: u32, retrieved: u32) {
        match (preferred < retrieved, other < retrieved) {
            (true, true) => {
                self.possible_retrieved += 1;
                self.fulfilled_retrieved += u64::from(preferred < other);
            }
            (false, false) => self.unseen += 1,
            (first, _) => {
                self.possible_implied += 1;
                self.fulfilled_implied += u64::from(first);
            }
        }
    }
}

/// Fulfilled of possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fulfilled {
    /// How many are fulfilled.
    pub fulfilled: u64,
    /// Of how many.
    pub possible: u64,
}

impl Fulfilled {
    /// The share; 0 of 0 is 0.
    pub fn ratio(self) -> f64 {
        if self.possible == 0 { 0.0 } else { self.fulfilled as f64 / self.possible as f64 }
    }
}

/// What is counted of one judgement group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupCounts {
    /// All its preferences.
    pub tally: Tally,
    /// The same with as many non-relevant documents as there are relevant ones, R: the first R by
    /// rank if there are more, imagined ones below all others if there are fewer.
    pub balanced: Fulfilled,
    /// The same among retrieved documents.
    pub balanced_retrieved: Fulfilled,
}

/// Pairs of documents, each counted once however many groups compare it: the sum over pairs of the
/// share of its preferences that are fulfilled.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairCounts {
    /// The sum over pairs of retrieved documents.
    pub fulfilled_retrieved: f64,
    /// How many such pairs there are.
    pub retrieved: u64,
    /// The sum over pairs of which one document was retrieved.
    pub fulfilled_implied: f64,
    /// How many such pairs there are.
    pub implied: u64,
    /// How many pairs there are of which neither was retrieved.
    pub unseen: u64,
}

/// What is counted of one topic.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PrefsCounts {
    /// By judgement group.
    pub groups: Vec<GroupCounts>,
    /// By pair of documents.
    pub pairs: PairCounts,
}

impl PrefsCounts {
    fn sum(&self, count: impl Fn(&Tally) -> u64) -> u64 {
        self.groups.iter().map(|g| count(&g.tally)).sum()
    }

    fn mean(&self, ratio: impl Fn(&GroupCounts) -> f64) -> f64 {
        if self.groups.is_empty() {
            0.0
        } else {
            self.groups.iter().map(ratio).sum::<f64>() / self.groups.len() as f64
        }
    }
}

/// Where each document of a topic stands: the retrieved ones by rank, then the others in byte order
/// of their ids.
struct DocumentPlaces {
    of: Vec<u32>,
    retrieved: u32,
}

impl DocumentPlaces {
    fn new<D: AsRef<[u8]>>(topic: &TopicPreferences, ranking: &[D]) -> DocumentPlaces {
        let index: HashMap<&[u8], usize> =
            topic.documents().iter().map(Vec::as_slice).zip(0..).collect();
        let mut of = vec![u32::MAX; topic.documents().len()];
        let mut next = 0;
        for i in ranking.iter().filter_map(|d| index.get(d.as_ref()).copied()) {
            if of[i] == u32::MAX {
                of[i] = next;
                next += 1;
            }
        }
        let retrieved = next;
        for place in of.iter_mut().filter(|p| **p == u32::MAX) {
            *place = next;
            next += 1;
        }
        DocumentPlaces { of, retrieved }
    }

    fn of(&self, member: &Member) -> u32 {
        self.of[member.document as usize]
    }
}

/// Counts the preferences of a topic that a ranking fulfils. The ranking is the document ids from
/// the top; a second mention of one is ignored. (trec_eval ranks equal scores by *ascending*
/// document id here, unlike for all its other measures.)
pub fn preference_counts<D: AsRef<[u8]>>(topic: &TopicPreferences, ranking: &[D]) -> PrefsCounts {
    let places = DocumentPlaces::new(topic, ranking);
    let groups: Vec<GroupCounts> =
        topic.groups().iter().map(|g| group_counts(g, &places)).collect();
    let pairs = pair_counts(topic, &groups, &places);
    PrefsCounts { groups, pairs }
}

/// The preferences among some members of a group.
fn tally(group: &Group, places: &DocumentPlaces, keep: impl Fn(usize) -> bool) -> Tally {
    let kept: Vec<usize> = (0..group.len()).filter(|&i| keep(i)).collect();
    let place = |i: usize| places.of(&group.members[i]);
    match &group.order {
        GroupOrder::Classes(class) => tally_classes(
            kept.into_iter().map(|i| (place(i), class[i] as usize)).collect(),
            places.retrieved,
        ),
        GroupOrder::Pairs(pairs) => {
            let mut tally = Tally::default();
            for i in kept {
                pairs
                    .row(i)
                    .filter(|&j| keep(j))
                    .for_each(|j| tally.add(place(i), place(j), places.retrieved));
            }
            tally
        }
    }
}

/// Counts without looking at the pairs, of which there may be millions: from (place, class).
fn tally_classes(mut documents: Vec<(u32, usize)>, retrieved: u32) -> Tally {
    documents.sort_unstable();
    let classes = documents.iter().map(|d| d.1 + 1).max().unwrap_or(0);
    let (seen, unseen) = documents.split_at(documents.partition_point(|d| d.0 < retrieved));
    let sizes = |of: &[(u32, usize)]| {
        let mut sizes = vec![0u64; classes];
        of.iter().for_each(|d| sizes[d.1] += 1);
        sizes
    };
    let (seen_sizes, unseen_sizes) = (sizes(seen), sizes(unseen));
    let product = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<u64>();
    let (n, m) = (seen.len() as u64, unseen.len() as u64);

    // Each document of the better classes above one is a fulfilled preference: a binary indexed
    // tree counts them by class.
    let mut tree = vec![0u64; classes + 1];
    let mut fulfilled_retrieved = 0;
    for &(_, class) in seen {
        let mut i = class;
        while i > 0 {
            fulfilled_retrieved += tree[i];
            i &= i - 1;
        }
        let mut i = class + 1;
        while i <= classes {
            tree[i] += 1;
            i += i & i.wrapping_neg();
        }
    }
    let mut better = 0;
    let mut fulfilled_implied = 0;
    for (seen, unseen) in seen_sizes.iter().zip(&unseen_sizes) {
        fulfilled_implied += better * unseen;
        better += seen;
    }
    Tally {
        fulfilled_retrieved,
        possible_retrieved: (n * n - product(&seen_sizes, &seen_sizes)) / 2,
        fulfilled_implied,
        possible_implied: n * m - product(&seen_sizes, &unseen_sizes),
        unseen: (m * m - product(&unseen_sizes, &unseen_sizes)) / 2,
    }
}

fn group_counts(group: &Group, places: &DocumentPlaces) -> GroupCounts {
    let tally_all = tally(group, places, |_| true);
    let mut nonrelevant: Vec<u32> =
        group.members.iter().filter(|m| !m.relevant).map(|m| places.of(m)).collect();
    nonrelevant.sort_unstable();
    let is_seen = |place: &u32| *place < places.retrieved;
    let nonrelevant_seen = nonrelevant.iter().filter(|p| is_seen(p)).count() as u64;
    let relevant = group.members.iter().filter(|m| m.relevant).count() as u64;
    let relevant_seen =
        group.members.iter().filter(|m| m.relevant && is_seen(&places.of(m))).count() as u64;
    let n = nonrelevant.len() as u64;

    // The relevant documents and the first so many of the others.
    let cut = |first: u64| {
        let beyond = nonrelevant.get(first as usize).copied().unwrap_or(u32::MAX);
        tally(group, places, |i| group.members[i].relevant || places.of(&group.members[i]) < beyond)
    };
    // If levels are one scale, trec_eval also compares the first R non-relevant documents with
    // all of them: the earlier of two counts as fulfilled. Its published numbers hold this, so they
    // are part of the definition.
    let weak = matches!(group.order, GroupOrder::Classes(_));
    let among = |first: u64, all: u64, seen: u64| Fulfilled {
        fulfilled: (0..first).map(|b| b.min(seen)).sum(),
        possible: first * all,
    };

    let balanced = if relevant >= n {
        let imagined = relevant - n;
        Fulfilled {
            fulfilled: tally_all.fulfilled() + relevant_seen * imagined,
            possible: tally_all.possible() + relevant * imagined,
        }
    } else {
        let tally = cut(relevant);
        let among = if weak { among(relevant, n, nonrelevant_seen) } else { Fulfilled::default() };
        Fulfilled {
            fulfilled: tally.fulfilled() + among.fulfilled,
            possible: tally.possible() + among.possible,
        }
    };
    let balanced_retrieved = if relevant_seen >= nonrelevant_seen {
        let imagined = relevant_seen - nonrelevant_seen;
        Fulfilled {
            fulfilled: tally_all.fulfilled_retrieved + relevant_seen * imagined,
            possible: tally_all.possible_retrieved + relevant * imagined,
        }
    } else {
        // A partial order is cut after all R here, not after the retrieved ones among them: as
        // trec_eval.
        let tally = cut(if weak { relevant_seen } else { relevant });
        let among = if weak {
            among(relevant_seen, nonrelevant_seen, nonrelevant_seen)
        } else {
            Fulfilled::default()
        };
        Fulfilled {
            fulfilled: tally.fulfilled_retrieved + among.fulfilled,
            possible: tally.possible_retrieved + among.possible,
        }
    };
    GroupCounts { tally: tally_all, balanced, balanced_retrieved }
}

/// Only documents that several groups name can stand in a pair that several groups compare; all
/// other pairs were counted with their group.
fn pair_counts(
    topic: &TopicPreferences,
    groups: &[GroupCounts],
    places: &DocumentPlaces,
) -> PairCounts {
    let mut named = vec![0u32; topic.documents().len()];
    topic.groups().iter().flat_map(|g| &g.members).for_each(|m| named[m.document as usize] += 1);
    let mut counts = PairCounts::default();
    // By place: the groups that name the document, and as which member.
    let mut shared: Vec<Vec<(usize, usize)>> = vec![Vec::new(); topic.documents().len()];
    for (g, (group, all)) in topic.groups().iter().zip(groups).enumerate() {
        let is_shared = |i: usize| named[group.members[i].document as usize] > 1;
        let twice = tally(group, places, is_shared);
        counts.fulfilled_retrieved +=
            (all.tally.fulfilled_retrieved - twice.fulfilled_retrieved) as f64;
        counts.retrieved += all.tally.possible_retrieved - twice.possible_retrieved;
        counts.fulfilled_implied += (all.tally.fulfilled_implied - twice.fulfilled_implied) as f64;
        counts.implied += all.tally.possible_implied - twice.possible_implied;
        counts.unseen += all.tally.unseen - twice.unseen;
        for i in (0..group.len()).filter(|&i| is_shared(i)) {
            shared[places.of(&group.members[i]) as usize].push((g, i));
        }
    }
    let mut by_group: Vec<Vec<(usize, usize)>> = vec![Vec::new(); groups.len()];
    for (place, uses) in shared.iter().enumerate() {
        uses.iter().for_each(|&(g, i)| by_group[g].push((place, i)));
    }
    // Preferences for the first of two, and either way, by the place of the second.
    let mut votes = vec![(0u32, 0u32); shared.len()];
    let mut compared = Vec::new();
    for (place, uses) in shared.iter().enumerate() {
        for &(g, i) in uses {
            let group = &topic.groups()[g];
            let below = by_group[g].partition_point(|d| d.0 <= place);
            for &(other, j) in &by_group[g][below..] {
                let first = group.prefers(i, j);
                if first || group.prefers(j, i) {
                    let vote = &mut votes[other];
                    if vote.1 == 0 {
                        compared.push(other);
                    }
                    *vote = (vote.0 + u32::from(first), vote.1 + 1);
                }
            }
        }
        for other in compared.drain(..) {
            let (first, all) = std::mem::take(&mut votes[other]);
            let share = f64::from(first) / f64::from(all);
            match (place < places.retrieved as usize, other < places.retrieved as usize) {
                (true, true) => {
                    counts.fulfilled_retrieved += share;
                    counts.retrieved += 1;
                }
                (true, false) => {
                    counts.fulfilled_implied += share;
                    counts.implied += 1;
                }
                _ => counts.unseen += 1,
            }
        }
    }
    counts
}

/// What a measure of preferences says about itself.
#[derive(Debug)]
pub struct PreferenceDef {
    /// The name, trec_eval's.
    pub name: &'static str,
    /// What the name stands for.
    pub title: &'static str,
    /// What is computed.
    pub definition: &'static str,
    /// How topics are summarised.
    pub aggregate: Aggregate,
    /// The score of one topic; a ratio of 0 to 0 is 0.
    pub score: fn(&PrefsCounts) -> f64,
}

fn ratio(fulfilled: u64, possible: u64) -> f64 {
    Fulfilled { fulfilled, possible }.ratio()
}

fn share(fulfilled: f64, pairs: u64) -> f64 {
    if pairs == 0 { 0.0 } else { fulfilled / pairs as f64 }
}

/// All of them, in trec_eval's order.
pub const PREFERENCES: &[PreferenceDef] = &[
    PreferenceDef {
        name: "prefs_num_prefs_poss",
        title: "Possible preferences",
        definition: "The number of preferences, summed over judgement groups.",
        aggregate: Aggregate::Sum,
        score: |c| c.sum(Tally::possible) as f64,
    },
    PreferenceDef {
        name: "prefs_num_prefs_ful",
        title: "Fulfilled preferences",
        definition: "The number of fulfilled preferences: the preferred document is retrieved, the other is not or stands below.",
        aggregate: Aggregate::Sum,
        score: |c| c.sum(Tally::fulfilled) as f64,
    },
    PreferenceDef {
        name: "prefs_num_prefs_ful_ret",
        title: "Fulfilled preferences between retrieved documents",
        definition: "The number of fulfilled preferences of which both documents are retrieved.",
        aggregate: Aggregate::Sum,
        score: |c| c.sum(|t| t.fulfilled_retrieved) as f64,
    },
    PreferenceDef {
        name: "prefs_simp",
        title: "Share of fulfilled preferences",
        definition: "Fulfilled preferences / possible ones, each counted as often as groups hold it; one of which neither document is retrieved is not fulfilled.",
        aggregate: Aggregate::Mean,
        score: |c| ratio(c.sum(Tally::fulfilled), c.sum(Tally::possible)),
    },
    PreferenceDef {
        name: "prefs_pair",
        title: "Share of fulfilled preferences, by pair",
        definition: "The mean over pairs of documents that any group compares of the share of the pair's preferences that are fulfilled: 3 fulfilled and 2 not give 3/5. A pair of which neither is retrieved gives 0.",
        aggregate: Aggregate::Mean,
        score: |c| {
            let p = &c.pairs;
            share(p.fulfilled_retrieved + p.fulfilled_implied, p.retrieved + p.implied + p.unseen)
        },
    },
    PreferenceDef {
        name: "prefs_avgjg",
        title: "Share of fulfilled preferences, by judgement group",
        definition: "The mean over judgement groups of fulfilled / possible preferences of the group.",
        aggregate: Aggregate::Mean,
        score: |c| c.mean(|g| ratio(g.tally.fulfilled(), g.tally.possible())),
    },
    PreferenceDef {
        name: "prefs_avgjg_Rnonrel",
        title: "Share of fulfilled preferences, by group, with R non-relevant documents",
        definition: "As prefs_avgjg, with as many documents of level 0 in each group as it has relevant ones, R: the first R by rank if there are more (unretrieved ones last, by id), imagined unretrieved ones if there are fewer. Akin to bpref. Where a group has one subgroup and more than R documents of level 0, each of the first R is also compared with all of these, and those above it count as fulfilled: as trec_eval.",
        aggregate: Aggregate::Mean,
        score: |c| c.mean(|g| g.balanced.ratio()),
    },
    PreferenceDef {
        name: "prefs_simp_ret",
        title: "Share of fulfilled preferences between retrieved documents",
        definition: "As prefs_simp, with the preferences only of which both documents are retrieved.",
        aggregate: Aggregate::Mean,
        score: |c| ratio(c.sum(|t| t.fulfilled_retrieved), c.sum(|t| t.possible_retrieved)),
    },
    PreferenceDef {
        name: "prefs_pair_ret",
        title: "Share of fulfilled preferences between retrieved documents, by pair",
        definition: "As prefs_pair, with the pairs only of which both documents are retrieved.",
        aggregate: Aggregate::Mean,
        score: |c| share(c.pairs.fulfilled_retrieved, c.pairs.retrieved),
    },
    PreferenceDef {
        name: "prefs_avgjg_ret",
        title: "Share of fulfilled preferences between retrieved documents, by judgement group",
        definition: "As prefs_avgjg, with the preferences only of which both documents are retrieved.",
        aggregate: Aggregate::Mean,
        score: |c| c.mean(|g| ratio(g.tally.fulfilled_retrieved, g.tally.possible_retrieved)),
    },
    PreferenceDef {
        name: "prefs_avgjg_Rnonrel_ret",
        title: "Share of fulfilled preferences between retrieved documents, by group, with R non-relevant documents",
        definition: "As prefs_avgjg_Rnonrel, with the retrieved documents only. As trec_eval, imagined documents count as possible for the unretrieved relevant ones too, and a group of several subgroups keeps as many documents of level 0 as it has relevant ones, retrieved or not.",
        aggregate: Aggregate::Mean,
        score: |c| c.mean(|g| g.balanced_retrieved.ratio()),
    },
    PreferenceDef {
        name: "prefs_simp_imp",
        title: "Share of fulfilled preferences of which something is retrieved",
        definition: "As prefs_simp, without the preferences of which neither document is retrieved.",
        aggregate: Aggregate::Mean,
        score: |c| ratio(c.sum(Tally::fulfilled), c.sum(Tally::seen)),
    },
    PreferenceDef {
        name: "prefs_pair_imp",
        title: "Share of fulfilled preferences of which something is retrieved, by pair",
        definition: "As prefs_pair, without the pairs of which neither document is retrieved.",
        aggregate: Aggregate::Mean,
        score: |c| {
            share(
                c.pairs.fulfilled_retrieved + c.pairs.fulfilled_implied,
                c.pairs.retrieved + c.pairs.implied,
            )
        },
    },
    PreferenceDef {
        name: "prefs_avgjg_imp",
        title: "Share of fulfilled preferences of which something is retrieved, by judgement group",
        definition: "As prefs_avgjg, without the preferences of which neither document is retrieved.",
        aggregate: Aggregate::Mean,
        score: |c| c.mean(|g| ratio(g.tally.fulfilled(), g.tally.seen())),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_nobody_elses() {
        let mut names: Vec<&str> = PREFERENCES
            .iter()
            .map(|d| d.name)
            .chain(crate::measure::definitions().map(|d| d.name))
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), PREFERENCES.len()), (all, 14));
    }

    #[test]
    fn a_ranking_by_hand() {
        // a > b, a > c, b > c. Retrieved: b, a. Of a > b both are seen, in the wrong order; the
        // other two are implied.
        let judgements = [(b"a", 2.0), (b"b", 1.0), (b"c", 0.0)]
            .map(|(d, level)| (&b"t"[..], &b"g"[..], &d[..], level));
        let all = crate::data::Preferences::from_judgements(judgements, "f").unwrap();
        let counts = preference_counts(&all.topics()[0], &[b"b", b"x", b"a", b"b"]);
        let tally = Tally {
            fulfilled_retrieved: 0,
            possible_retrieved: 1,
            fulfilled_implied: 2,
            possible_implied: 2,
            unseen: 0,
        };
        assert_eq!(counts.groups[0].tally, tally);
        // R = 2, one document of level 0: one imagined below adds 2 fulfilled of 2.
        assert_eq!(counts.groups[0].balanced, Fulfilled { fulfilled: 4, possible: 5 });
    }
}
