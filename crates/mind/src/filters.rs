//! Filters of a search: names made what things are filed under, and what can let nothing through refused, because nothing is called so:
//! a misspelling looks like an empty memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rem_format::entity::{EntityId, EntityType};
use rem_recall::{Asking, Index, NameMatch, Query, Scope, is_pattern};

use crate::error::MemoryError;
use crate::memory::Memory;

/// So many names are told where there is none like the one asked for.
const TOLD: usize = 12;
/// So many things of one name are looked for.
const ALIKE: usize = 6;

impl Memory {
    /// The query with its filters as things are filed: a person or a project by any of its names, an absolute path as it lies in the
    /// workspace. Refuses filters that name a category, a folder, a path, a person or a project that there is not.
    ///
    /// # Errors
    /// [`MemoryError::Usage`], with the names that there are.
    pub fn with_filters_checked(
        &self,
        mut query: Query,
        observed_at: SystemTime,
    ) -> Result<Query, MemoryError> {
        query.paths = self.paths_inside(&query.paths)?;
        self.check_filters(&query)?;
        let is_named = |scope: &Scope| kind_of(scope).is_some();
        if query.scopes.iter().any(is_named) {
            // Without an index a name is what its file is called.
            let index = self.refreshed_index(observed_at).ok();
            let scopes = std::mem::take(&mut query.scopes).into_iter();
            let named = scopes.map(|scope| self.named_scope(index.as_ref(), scope, &query.asking));
            query.scopes = named.collect::<Result<_, _>>()?;
        }
        Ok(query)
    }

    /// Paths as they lie in the workspace; none, which is all of it, where one of them is the workspace itself.
    fn paths_inside(&self, paths: &[String]) -> Result<Vec<String>, MemoryError> {
        let inside = paths.iter().map(|path| self.path_inside(path)).collect::<Result<Vec<_>, _>>()?;
        Ok(if inside.iter().any(String::is_empty) { Vec::new() } else { inside })
    }

    fn path_inside(&self, given: &str) -> Result<String, MemoryError> {
        let path = Path::new(given.trim());
        if !path.is_absolute() {
            return Ok(if matches!(given.trim(), "." | "./") { String::new() } else { given.to_owned() });
        }
        let roots = [self.ledger.root().canonicalize().ok(), Some(self.ledger.root().to_owned())];
        let inside = |path: &Path| -> Option<PathBuf> {
            roots.iter().flatten().find_map(|root| path.strip_prefix(root).ok().map(Path::to_owned))
        };
        // A pattern is no path that there is.
        let found = path.canonicalize().ok().and_then(|path| inside(&path)).or_else(|| inside(path));
        let inside = found.ok_or_else(|| {
            MemoryError::usage(
                format!("{given:?} lies outside of the workspace"),
                format!("name a path inside {}", self.ledger.root().display()),
            )
        })?;
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        Ok(parts.join("/"))
    }

    /// A scope of a person or a project with everything that one is filed under.
    fn named_scope(
        &self,
        index: Option<&Index>,
        scope: Scope,
        asking: &Asking,
    ) -> Result<Scope, MemoryError> {
        let Some((kind, name)) = kind_of(&scope) else { return Ok(scope) };
        // A page is called by the slug of its name.
        let slug = EntityId::of(kind, name);
        let Some(index) = index else { return Ok(Scope::any(kind.as_str(), [name, slug.slug()])) };
        let mut ids: BTreeSet<EntityId> = BTreeSet::new();
        for (node, how) in self.entities_known_to(asking, index, name)?.into_iter().take(ALIKE) {
            if how != NameMatch::Spelling && !node.archived {
                ids.extend(node.id.parse::<EntityId>().ok());
            }
        }
        // What was merged into another is that.
        if asking.is_operator() {
            let id = self.entity_of(Some(index), kind, name)?;
            let is_there = self.ledger.read(&self.entity_file(&id)?)?.is_some();
            ids.extend(Some(id).filter(|_| is_there));
        }
        ids.retain(|id| id.kind() == kind.as_str());
        let filed = index.filed_under(kind.as_str()).map_err(rem_recall::SearchError::from)?;
        // Whoever asks for somebody else is not told who there is.
        let is_filed = filed.contains(name) || filed.contains(slug.slug());
        if ids.is_empty() && !is_filed && asking.is_operator() {
            let known: Vec<&str> = filed.iter().take(TOLD).map(String::as_str).collect();
            let more = if filed.len() > TOLD { ", and more" } else { "" };
            return Err(MemoryError::usage(
                format!("there is no {} {name:?}", kind.as_str()),
                match known.is_empty() {
                    true => format!("nothing is filed under any {} yet", kind.as_str()),
                    false => format!("there are {}{more}", known.join(", ")),
                },
            ));
        }
        Ok(Scope::any(kind.as_str(), ids.iter().map(EntityId::slug).chain([name, slug.slug()])))
    }

    fn check_filters(&self, query: &Query) -> Result<(), MemoryError> {
        let categories: BTreeSet<&str> = self.ledger.layout().categories().collect();
        if let Some(unknown) = query.categories.iter().find(|each| !categories.contains(each.as_str())) {
            let there: Vec<&str> = categories.into_iter().collect();
            return Err(MemoryError::usage(
                format!("there is no category {unknown:?}"),
                format!("the categories are {}", there.join(", ")),
            ));
        }
        let folders = query.scopes.iter().filter_map(|scope| match scope {
            Scope::Folder(folder) => Some(folder),
            Scope::Facet(_) | Scope::AnyFacet(_) => None,
        });
        for folder in folders {
            if !self.ledger.root().join(folder).is_dir() {
                return Err(MemoryError::usage(
                    format!("there is no folder {folder:?} in the workspace"),
                    "name one as it lies there, such as folder:memory/projects".to_owned(),
                ));
            }
        }
        // A pattern may match what comes later, and a name without a folder stands for files anywhere.
        let paths = query.paths.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
        for path in paths.filter(|path| path.contains('/') && !is_pattern(path)) {
            if !self.ledger.root().join(path).exists() {
                return Err(MemoryError::usage(
                    format!("there is nothing at {path:?} in the workspace"),
                    "name a file or a folder as it lies there, or write a pattern such as memory/**"
                        .to_owned(),
                ));
            }
        }
        Ok(())
    }
}

/// The person or the project that a scope names.
fn kind_of(scope: &Scope) -> Option<(EntityType, &str)> {
    let Scope::Facet(facet) = scope else { return None };
    let (kind, name) = facet.split_once(':')?;
    let kinds = [EntityType::Person, EntityType::Project];
    Some((kinds.into_iter().find(|each| each.as_str() == kind)?, name))
}
