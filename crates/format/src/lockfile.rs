//! lockfile
