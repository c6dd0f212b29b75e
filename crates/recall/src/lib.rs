//! rem-recall
