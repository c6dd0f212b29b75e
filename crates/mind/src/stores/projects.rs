//! Projects (K6, A2.2): a folder each, and the list of those that go on.
//!
//! `projects/NAME/` holds `context.md`, `progress.md` and `notes.md`; `projects/_active.md` is loaded into every context and stays
//! within about a kilobyte. The list changes in the same change set as what it lists. What a person wrote is never
//! overwritten: pages that are there stay, and a line of the list that a person worded goes with the project into its
//! progress instead of being dropped. A project's entity and its context link to each other (resolution 20).

use std::collections::BTreeSet;
use std::sync::Mutex;

use rem_format::annotation::Annotation;
use rem_format::document::{Document, Value};
use rem_format::entity::{Entity, EntityId, EntityType};
use rem_format::link;
use rem_format::listing::{Listed, Listing};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::project::{CONTEXT, NOTES, NewProject, PROGRESS, ProjectStatus};
use rem_format::slug::slug;
use rem_ledger::{Applied, ChangeSet, EditError, Store};
use serde::Serialize;

use super::incoming::{Incoming, Written, note, struck};
use crate::error::MemoryError;
use crate::memory::Memory;

/// The list of active projects.
const INDEX: &str = "_active.md";
/// Where a project's context says what was decided (A8.3).
pub(crate) const DECISIONS: &str = "Key Decisions";
/// What the list may take, in bytes (A2.2: about 1 KB).
const INDEX_BYTES: usize = 1024;
/// The `type` of the list and its title.
const INDEX_KIND: (&str, &str) = ("project_index", "Active Projects");

/// A project, as its folder and the list have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Project {
    /// The name of its folder.
    pub name: String,
    /// What it is, in a line.
    pub description: String,
    /// Whether it goes on.
    pub status: ProjectStatus,
    /// Whether the list of active projects names it.
    pub listed: bool,
    /// The day its context was last brought up to date, as the file says it.
    pub updated: Option<String>,
    /// Its files; none where the list names a project that has no folder.
    pub files: Vec<MemoryPath>,
}

/// A project with what its pages say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectShown {
    /// The project.
    #[serde(flatten)]
    pub project: Project,
    /// The entity it is.
    pub entity: Option<EntityId>,
    /// Its context, progress and notes, as far as there are any, in this order.
    pub pages: Vec<PageShown>,
}

/// A file and what it says, without its front matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageShown {
    /// The file.
    pub path: MemoryPath,
    /// Its text.
    pub text: String,
}

/// What a change of a project did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectChange {
    /// The name of its folder.
    pub name: String,
    /// The file that matters most.
    pub path: MemoryPath,
    /// The change's id; empty where nothing changed.
    pub change: String,
}

/// Where a note on a project goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoteKind {
    /// Something learned: `notes.md`.
    #[default]
    Note,
    /// Something done: `progress.md`.
    Done,
    /// Something to do next: `progress.md`.
    Next,
    /// Something in the way: `progress.md`.
    Blocker,
}

impl NoteKind {
    /// The file and the heading.
    fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Note => (NOTES, "Notes"),
            Self::Done => (PROGRESS, "Done"),
            Self::Next => (PROGRESS, "Next"),
            Self::Blocker => (PROGRESS, "Blockers"),
        }
    }
}

impl Memory {
    /// Every project, those that go on first, each group by name.
    ///
    /// # Errors
    /// [`MemoryError`] when files cannot be read.
    pub fn projects(&self) -> Result<Vec<Project>, MemoryError> {
        let listed = self.active_list()?.lines();
        let mut projects: Vec<Project> = Vec::new();
        let folder = self.path(Store::Projects).as_str();
        for file in &self.ledger.list()?.files {
            let inside = file.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
            let Some((name, _)) = inside.and_then(|inside| inside.split_once('/')) else { continue };
            if name.starts_with(['_', '.']) || !file.path.ends_with(".md") {
                continue;
            }
            let path = MemoryPath::new(file.path.clone())?;
            match projects.iter_mut().find(|project| project.name == name) {
                Some(project) => project.files.push(path),
                None => projects.push(Project {
                    name: name.to_owned(),
                    description: String::new(),
                    status: ProjectStatus::Active,
                    listed: false,
                    updated: None,
                    files: vec![path],
                }),
            }
        }
        for project in &mut projects {
            let facts = self.context_facts(&project.name)?;
            (project.description, project.status, project.updated) =
                (facts.description, facts.status, facts.updated);
        }
        for line in listed {
            match projects.iter_mut().find(|project| is_named(&project.name, &line.name)) {
                Some(project) => {
                    project.listed = true;
                    if project.description.is_empty() {
                        project.description = line.description;
                    }
                }
                // A person lists what has no folder yet.
                None => projects.push(Project {
                    name: line.name,
                    description: line.description,
                    status: ProjectStatus::Active,
                    listed: true,
                    updated: None,
                    files: Vec::new(),
                }),
            }
        }
        projects.sort_by(|one, other| {
            let order = |project: &Project| (project.status == ProjectStatus::Closed, project.name.clone());
            order(one).cmp(&order(other))
        });
        Ok(projects)
    }

    /// A project and what its pages say.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is none of that name.
    pub fn project_show(&self, name: &str) -> Result<ProjectShown, MemoryError> {
        let project = self.known_project(name)?;
        let mut pages = Vec::new();
        for file in [CONTEXT, PROGRESS, NOTES] {
            let path = self.project_file(&project.name, file)?;
            if let Some(bytes) = self.ledger.read(&path)? {
                let text = Document::parse(&bytes).body_text().trim().to_owned();
                pages.push(PageShown { path, text });
            }
        }
        let entity = self.project_entity(&project.name)?;
        let exists = self.ledger.read(&self.entity_file(&entity)?)?.is_some();
        Ok(ProjectShown { entity: exists.then_some(entity), pages, project })
    }

    /// Adds a project: its folder with the three pages, its entity, its line in the list. Pages that are there stay as they are; a
    /// closed project goes on again.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for a name without a letter or digit, or as [`rem_ledger::Ledger::apply`].
    pub fn project_add(&self, name: &str, description: &str) -> Result<ProjectChange, MemoryError> {
        let redactor = self.redactor()?;
        let label = redactor.redact(name.trim()).0.split_whitespace().collect::<Vec<_>>().join(" ");
        let description = redactor.redact(description).0.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = self.projects()?.into_iter().find(|project| is_named(&project.name, &label));
        let with_folder = known.filter(|project| !project.files.is_empty());
        let folder = match &with_folder {
            Some(project) => project.name.clone(),
            None => slug(&label).ok_or_else(|| {
                MemoryError::usage("a project's name has a letter or a digit", "give it a name of words")
            })?,
        };
        // Two processes that name one thing at once must not give it two types.
        let _names = self.ledger.lock_private("entity-names.lock")?;
        let entity = self.project_entity(&folder)?;
        let new = NewProject {
            name: folder.clone(),
            label: label.clone(),
            description: description.clone(),
            entity: entity.to_string(),
            today: self.today(),
        };
        let context = self.project_file(&folder, CONTEXT)?;
        let known_facts = self.context_facts(&folder)?;
        // What the context says of itself stays; the description is for one that says nothing.
        let in_list = Some(known_facts.description).filter(|known| !known.is_empty()).unwrap_or(description);
        let link = context.as_str().trim_end_matches(".md").to_owned();
        let file = self.entity_file(&entity)?;
        let mut set = ChangeSet::new()
            .edit(context.clone(), format!("project {folder}"), |found| match found {
                None => Ok(Some(new.context().into_bytes())),
                Some(bytes) => context_with(bytes, &new),
            })
            .create(self.project_file(&folder, PROGRESS)?, new.progress(), format!("project {folder}"))
            .create(self.project_file(&folder, NOTES)?, new.notes(), format!("project {folder}"));
        set = set.edit(file, format!("project {folder}"), |found| {
            let stub = || Entity::new(&entity, &label, new.today).into_bytes();
            let mut page = Page::parse(&found.map_or_else(stub, <[u8]>::to_vec))?;
            if !link::targets(page.as_str()).any(|target| target.trim_end_matches(".md") == link) {
                page.add("Summary", &format!("Context: [[{link}]]"), &Annotation::new())?;
            }
            Ok(Some(page.into_bytes()))
        });
        set = self.with_active_list(set, &folder, ListEdit::Names(in_list))?;
        let applied = self.apply_project(set, &format!("rem projects add {folder}"))?;
        Ok(ProjectChange { name: folder, path: context, change: applied.change })
    }

    /// Closes a project, or lets it go on again. Its pages stay.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is none of that name, or as [`rem_ledger::Ledger::apply`].
    pub fn project_set_status(
        &self,
        name: &str,
        status: ProjectStatus,
    ) -> Result<ProjectChange, MemoryError> {
        let project = self.known_project(name)?;
        if project.files.is_empty() {
            return Err(MemoryError::usage(
                format!("project {:?} is listed and has no folder", project.name),
                format!("`rem projects add {}` gives it one; or edit {INDEX} by hand", project.name),
            ));
        }
        let folder = project.name;
        let today = self.today();
        let context = self.project_file(&folder, CONTEXT)?;
        let new = NewProject {
            name: folder.clone(),
            label: folder.clone(),
            description: String::new(),
            entity: self.project_entity(&folder)?.to_string(),
            today,
        };
        let mut set =
            ChangeSet::new().edit(context.clone(), format!("{status}: project {folder}"), |found| {
                let page = found.map_or_else(|| new.context().into_bytes(), <[u8]>::to_vec);
                let mut document = Document::parse(&page);
                let now = ProjectStatus::of(text_of(&document, "status").as_deref());
                if now != status || text_of(&document, "status").is_none() {
                    document.set("status", &Value::Text(status.to_string()))?;
                    document.set("updated", &Value::Text(today.to_string()))?;
                }
                Ok(Some(document.render()))
            });
        let description = self.context_facts(&folder)?.description;
        if status == ProjectStatus::Active {
            set = self.with_active_list(set, &folder, ListEdit::Names(description))?;
        } else {
            let worded: Vec<String> = self
                .active_list()?
                .lines()
                .into_iter()
                .filter(|line| is_named(&folder, &line.name) && !line.is_ours(&description))
                .map(|line| line.description)
                .collect();
            if !worded.is_empty() {
                let (words, empty) = (worded.clone(), new.progress());
                set = set.edit(
                    self.project_file(&folder, PROGRESS)?,
                    format!("closed: project {folder}"),
                    move |found| {
                        let mut page = Page::parse(found.unwrap_or(empty.as_bytes()))?;
                        let closed = Annotation::new().with("since", today.to_string());
                        for line in &words {
                            page.add(
                                "Done",
                                &format!("Closed. The list of active projects said: {line}"),
                                &closed,
                            )?;
                        }
                        Ok(Some(page.into_bytes()))
                    },
                );
            }
            set = self.with_active_list(set, &folder, ListEdit::Leaves(description, worded))?;
        }
        let applied = self.apply_project(set, &format!("rem projects: {folder} {status}"))?;
        Ok(ProjectChange { name: folder, path: context, change: applied.change })
    }

    /// Notes something on a project, once.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for an empty text or where there is no such project, or as [`rem_ledger::Ledger::apply`].
    pub fn project_note(&self, name: &str, text: &str, kind: NoteKind) -> Result<ProjectChange, MemoryError> {
        let text = self.redactor()?.redact(text.trim()).0.into_owned();
        if text.is_empty() {
            return Err(MemoryError::usage("there is nothing to note", "give the text, or `-` to read it"));
        }
        let folder = self.known_project(name)?.name;
        let (file, section) = kind.place();
        let path = self.project_file(&folder, file)?;
        let new = NewProject {
            name: folder.clone(),
            label: folder.clone(),
            description: String::new(),
            entity: String::new(),
            today: self.today(),
        };
        let set = ChangeSet::new().edit(path.clone(), text.clone(), |found| {
            let empty = || if file == NOTES { new.notes() } else { new.progress() }.into_bytes();
            let mut page = Page::parse(&found.map_or_else(empty, <[u8]>::to_vec))?;
            if page.items_in(section).any(|(_, item)| item.plain() == text) {
                return Ok(found.map(<[u8]>::to_vec));
            }
            page.add(section, &text, &Annotation::new().with("since", new.today.to_string()))?;
            let mut document = Document::parse(&page.into_bytes());
            if text_of(&document, "updated").is_some() {
                document.set("updated", &Value::Text(new.today.to_string()))?;
            }
            Ok(Some(document.render()))
        });
        let applied = self.apply_project(set, &format!("rem projects note {folder}"))?;
        Ok(ProjectChange { name: folder, path, change: applied.change })
    }

    /// A project's context with a decision.
    pub(crate) fn decision_set<'a>(
        &'a self,
        folder: &str,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let path = self.project_file(folder, CONTEXT)?;
        let new = NewProject {
            name: folder.to_owned(),
            label: folder.to_owned(),
            description: String::new(),
            entity: self.project_entity(folder)?.to_string(),
            today: incoming.today,
        };
        let set = ChangeSet::new().edit(path.clone(), incoming.summary(), move |found| {
            let mut page = Page::parse(&found.map_or_else(|| new.context().into_bytes(), <[u8]>::to_vec))?;
            note(written, incoming.put(&mut page, DECISIONS, "decision", struck)?);
            Ok(Some(page.into_bytes()))
        });
        Ok((path, set))
    }

    fn known_project(&self, name: &str) -> Result<Project, MemoryError> {
        let found = self.projects()?.into_iter().find(|project| is_named(&project.name, name));
        found.ok_or_else(|| {
            MemoryError::usage(
                format!("there is no project {name:?}"),
                "`rem projects list --all` names them, `rem projects add NAME` makes one",
            )
        })
    }

    /// The list gains or loses a line, and the others make room for it.
    fn with_active_list<'a>(
        &self,
        set: ChangeSet<'a>,
        folder: &str,
        what: ListEdit,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let path = self.ledger.layout().file(Store::Projects, INDEX)?;
        let mut known: Vec<(String, String)> = Vec::new();
        for project in self.projects()? {
            if project.name != folder && !project.files.is_empty() {
                // What the list itself says of a project is a person's.
                let said = self.context_facts(&project.name)?.description;
                known.push((project.name, said));
            }
        }
        let (today, folder) = (self.today(), folder.to_owned());
        if let ListEdit::Names(description) = &what {
            known.push((folder.clone(), description.clone()));
        }
        Ok(set.edit(path, format!("active projects: {folder}"), move |found| {
            let mut list = Listing::parse(found, INDEX_KIND.0, INDEX_KIND.1)?;
            let of_project = |list: &Listing| -> Vec<Listed> {
                list.lines().into_iter().filter(|line| is_named(&folder, &line.name)).collect()
            };
            match &what {
                ListEdit::Names(description) => {
                    if of_project(&list).is_empty() {
                        list.add(&folder, description)?;
                    }
                }
                ListEdit::Leaves(description, worded) => {
                    while let Some(line) = of_project(&list).first() {
                        if !line.is_ours(description) && !worded.contains(&line.description) {
                            return Err(EditError::from("the list changed meanwhile: try again"));
                        }
                        list.remove(line);
                    }
                }
            }
            list.fit(&known, INDEX_BYTES);
            Ok(Some(list.into_bytes(today)?))
        }))
    }

    fn active_list(&self) -> Result<Listing, MemoryError> {
        let path = self.ledger.layout().file(Store::Projects, INDEX)?;
        let bytes = self.ledger.read(&path)?;
        Listing::parse(bytes.as_deref(), INDEX_KIND.0, INDEX_KIND.1)
            .map_err(|error| MemoryError::usage(format!("{path}: {error}"), "mend the file by hand"))
    }

    fn project_file(&self, folder: &str, name: &str) -> Result<MemoryPath, MemoryError> {
        Ok(self.ledger.layout().file(Store::Projects, &format!("{folder}/{name}"))?)
    }

    /// The entity that a project is: one there is that goes by its name and is a project, else the one to be made.
    fn project_entity(&self, folder: &str) -> Result<EntityId, MemoryError> {
        let index = self.kept_index();
        let found = self.entity_of(index.as_ref(), EntityType::Project, folder)?;
        let is_project = found.kind() == EntityType::Project.as_str();
        Ok(if is_project { found } else { EntityId::of(EntityType::Project, folder) })
    }

    fn context_facts(&self, folder: &str) -> Result<Facts, MemoryError> {
        let bytes = self.ledger.read(&self.project_file(folder, CONTEXT)?)?.unwrap_or_default();
        let document = Document::parse(&bytes);
        Ok(Facts {
            description: text_of(&document, "description").unwrap_or_default(),
            status: ProjectStatus::of(text_of(&document, "status").as_deref()),
            updated: text_of(&document, "updated"),
        })
    }

    fn apply_project(&self, set: ChangeSet<'_>, trigger: &str) -> Result<Applied, MemoryError> {
        self.change(set, &self.agent_provenance(trigger))
    }
}

/// What happens to a project's line.
enum ListEdit {
    /// It is there, with this description where it is new.
    Names(String),
    /// It goes: one of ours with this description, or worded so by a person, whose words are kept elsewhere.
    Leaves(String, Vec<String>),
}

/// What a project's context says of it.
struct Facts {
    description: String,
    status: ProjectStatus,
    updated: Option<String>,
}

/// A context that is there already, with what makes it a listed project: it goes on, and says which entity it is. A description is
/// put in where there is none.
fn context_with(found: &[u8], new: &NewProject) -> Result<Option<Vec<u8>>, EditError> {
    let mut document = Document::parse(found);
    let text = String::from_utf8_lossy(found).into_owned();
    if ProjectStatus::of(text_of(&document, "status").as_deref()) == ProjectStatus::Closed {
        document.set("status", &Value::Text(ProjectStatus::Active.to_string()))?;
        document.set("updated", &Value::Text(new.today.to_string()))?;
    }
    if !new.description.is_empty() && text_of(&document, "description").is_none() {
        document.set("description", &Value::Text(new.description.clone()))?;
    }
    let linked: BTreeSet<&str> = link::targets(&text).collect();
    if !linked.contains(new.entity.as_str()) && text_of(&document, "entity").is_none() {
        document.set("entity", &Value::Text(format!("[[{}]]", new.entity)))?;
    }
    Ok(Some(document.render()))
}

fn text_of(document: &Document, key: &str) -> Option<String> {
    match document.get(key).ok().flatten()? {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Whether two names mean one project: as folders they would be the same.
pub(crate) fn is_named(one: &str, other: &str) -> bool {
    one == other.trim() || slug(one).is_some_and(|one| slug(other) == Some(one))
}
