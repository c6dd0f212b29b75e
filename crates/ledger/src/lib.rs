//! rem-ledger
