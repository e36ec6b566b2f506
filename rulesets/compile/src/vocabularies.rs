//! The vocabularies of a ruleset, each kept once.
//!
//! Two declarations whose vocabularies are one (the same members in the same order, or in any order where
//! neither is ordered) get the same [`VocabularyId`], so that "the same vocabulary in the same kind" is equality.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::typed::Vocabulary;

/// A vocabulary of the ruleset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VocabularyId(usize);

#[derive(Debug)]
struct Known {
    vocabulary: Arc<Vocabulary>,
    /// Its members in byte order: vocabularies of the same members share them.
    sorted: Arc<[String]>,
    numbers: HashMap<String, u32>,
}

/// Every vocabulary that is declared.
#[derive(Debug, Default)]
pub(crate) struct Vocabularies {
    known: Vec<Known>,
    ids: HashMap<Vocabulary, VocabularyId>,
    sorted: HashSet<Arc<[String]>>,
}

impl Vocabularies {
    /// The vocabulary of a declaration's members. Members of an unordered one are numbered in byte order.
    pub(crate) fn intern(&mut self, ordered: bool, mut members: Vec<String>) -> VocabularyId {
        let mut sorted = members.clone();
        sorted.sort();
        if !ordered {
            members.clone_from(&sorted);
        }
        let vocabulary = Vocabulary { ordered, members };
        if let Some(&id) = self.ids.get(&vocabulary) {
            return id;
        }
        let sorted: Arc<[String]> = match self.sorted.get(sorted.as_slice()) {
            Some(known) => known.clone(),
            None => sorted.into(),
        };
        self.sorted.insert(sorted.clone());
        let id = VocabularyId(self.known.len());
        let numbers =
            (0..).zip(&vocabulary.members).map(|(number, member)| (member.clone(), number)).collect();
        self.ids.insert(vocabulary.clone(), id);
        self.known.push(Known { vocabulary: Arc::new(vocabulary), sorted, numbers });
        id
    }

    /// The vocabulary itself.
    pub(crate) fn get(&self, id: VocabularyId) -> &Arc<Vocabulary> {
        &self.of(id).vocabulary
    }

    /// Whether two vocabularies have the same members, in whatever order or kind.
    pub(crate) fn same_members(&self, a: VocabularyId, b: VocabularyId) -> bool {
        Arc::ptr_eq(&self.of(a).sorted, &self.of(b).sorted)
    }

    /// The number of a member.
    pub(crate) fn number(&self, id: VocabularyId, member: &str) -> Option<u32> {
        self.of(id).numbers.get(member).copied()
    }

    fn of(&self, id: VocabularyId) -> &Known {
        // INVARIANT: an id is only made by `intern`, which puts its vocabulary there.
        &self.known[id.0]
    }
}
