//! What a refusal says: the field, what would have been accepted, what came.

/// One field that failed. The keys of the wire are the names of these fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The name of the claim, or of the field that is none.
    pub field: String,
    /// What would have been accepted, and why this was not where that is not plain.
    pub expected: String,
    /// What came, cut to 100 characters; a text as it is, other values as JSON, `nothing` where nothing came.
    pub received: String,
}

/// Every failure of one dictionary or row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rejection {
    /// The failures: declared claims in their order, then other fields in theirs; 50 at most.
    pub failures: Vec<Failure>,
    /// How many there are in all.
    pub failure_count: usize,
}
