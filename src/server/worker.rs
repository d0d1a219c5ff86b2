//! One thread that owns the workspaces. Edits and questions reach it in the order in which the client sent them, so that
//! an answer never rests on an older text; diagnostics are sent when nothing newer waits.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::{Diagnostic, Url};

use super::documents::Documents;
use super::settings::Settings;
use crate::recipe::FileId;
use crate::workspace::{MOST_ENTRIES, Scope, Session};

/// Parsers are bounded in depth, but frames of a debug build are large.
const STACK: usize = 32 << 20;
/// An analysis that takes longer waits for a pause in typing.
const QUICK: Duration = Duration::from_millis(25);
/// No pause is waited for longer than this.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// All that the server knows.
pub struct World {
    /// By root.
    pub sessions: HashMap<PathBuf, Session>,
    /// Open buffers.
    pub documents: Documents,
    /// What the client can do.
    pub settings: Settings,
    /// Where messages go.
    pub client: Client,
    /// Runs what waits.
    pub runtime: tokio::runtime::Handle,
    /// Files whose diagnostics may have changed and were not sent yet.
    pub pending: BTreeSet<(PathBuf, FileId)>,
    /// Pending diagnostics are due: always, or for a client that wants them on save only once a file was saved.
    pub due: bool,
    /// What a client that asks was told, while it wants to hear of changes only when a file was saved.
    pub told: HashMap<Url, Vec<Diagnostic>>,
    /// Configurations outside of open buffers that have diagnostics at the client.
    pub marked: BTreeMap<Url, Vec<Diagnostic>>,
}

type Task = Box<dyn FnOnce(&mut World) + Send>;

enum Job {
    /// A buffer changed, was opened or was saved.
    Changed,
    /// A question, or news.
    Do(Task),
}

/// The way to the thread.
#[derive(Clone)]
pub struct Worker {
    sender: Arc<Mutex<Sender<Job>>>,
}

impl Worker {
    /// Starts the thread.
    pub fn start(client: Client, documents: Documents) -> Self {
        let (sender, receiver) = channel();
        let runtime = tokio::runtime::Handle::current();
        let world = World {
            sessions: HashMap::new(),
            documents,
            settings: Settings::default(),
            client,
            runtime,
            pending: BTreeSet::new(),
            due: false,
            told: HashMap::new(),
            marked: BTreeMap::new(),
        };
        let thread = std::thread::Builder::new().name("analysis".to_owned()).stack_size(STACK);
        // Without a thread all questions are answered with an error.
        let _ = thread.spawn(move || work(world, &receiver));
        Self { sender: Arc::new(Mutex::new(sender)) }
    }

    fn send(&self, job: Job) -> bool {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).send(job).is_ok()
    }

    /// A buffer changed.
    pub fn changed(&self) {
        self.send(Job::Changed);
    }

    /// Tells the thread something.
    pub fn tell(&self, task: impl FnOnce(&mut World) + Send + 'static) {
        self.send(Job::Do(Box::new(task)));
    }

    /// Asks the thread something. A question that nobody waits for any more (it was cancelled) is not looked at; one that
    /// panics is answered with an error, and the thread goes on.
    pub async fn ask<T: Send + 'static>(&self, question: impl FnOnce(&mut World) -> T + Send + 'static) -> Result<T> {
        let (answer, result) = oneshot::channel();
        let task = move |world: &mut World| {
            if !answer.is_closed() {
                let _ = answer.send(question(world));
            }
        };
        if !self.send(Job::Do(Box::new(task))) {
            return Err(Error::internal_error());
        }
        result.await.map_err(|_| Error::internal_error())
    }
}

fn work(mut world: World, jobs: &Receiver<Job>) {
    let mut took = Duration::ZERO;
    let mut edited = Instant::now();
    let mut waiting: Option<Job> = None;
    loop {
        let job = match waiting.take() {
            Some(job) => job,
            None => match jobs.recv() {
                Ok(job) => job,
                Err(_) => return,
            },
        };
        if catch_unwind(AssertUnwindSafe(|| world.synchronise())).unwrap_or(true) {
            edited = Instant::now();
        }
        if let Job::Do(task) = job {
            let _ = catch_unwind(AssertUnwindSafe(|| task(&mut world)));
        }
        let wishes = world.settings.wishes;
        if world.pending.is_empty() || (wishes.on_save && !world.due) {
            continue;
        }
        let pause = if took > QUICK { (took * 2).min(LONGEST_PAUSE) } else { Duration::ZERO };
        let pause = if world.due { pause } else { pause.max(wishes.delay) };
        match jobs.recv_timeout(pause.saturating_sub(edited.elapsed())) {
            Ok(job) => waiting = Some(job),
            Err(RecvTimeoutError::Timeout) => {
                let started = Instant::now();
                let _ = catch_unwind(AssertUnwindSafe(|| world.publish_pending()));
                took = started.elapsed();
                world.sessions.values_mut().for_each(Session::sweep);
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

impl World {
    /// Takes over what changed in the buffers, if anything did.
    fn synchronise(&mut self) -> bool {
        let changes = self.documents.take_changes();
        let changed = !changes.is_empty();
        for change in changes {
            let root = self.root_for(&change.path);
            let affected = self.session(&root).edit(&change.path, change.text);
            self.mark_pending(&root, affected);
        }
        changed
    }

    /// Files changed, came or went on disk.
    pub fn touched(&mut self, paths: Vec<PathBuf>) {
        let mut by_root: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
        for path in paths {
            by_root.entry(self.root_for(&path)).or_default().push(path);
        }
        for (root, paths) in by_root {
            let Some(session) = self.sessions.get_mut(&root) else { continue };
            let affected = session.touched(&paths);
            self.mark_pending(&root, affected);
        }
        self.make_due();
    }

    /// Marks files of a session as changed.
    pub fn mark_pending(&mut self, root: &Path, affected: BTreeSet<FileId>) {
        self.pending.extend(affected.into_iter().map(|id| (root.to_owned(), id)));
    }

    /// The folders changed, and with them the root that each buffer belongs to.
    pub fn regroup(&mut self) {
        self.sessions.clear();
        self.pending.clear();
        self.documents.refresh();
        self.synchronise();
        self.make_due();
    }

    /// Whatever was found is to be told now, also to a client that wants to hear of it only when a file was saved.
    pub fn make_due(&mut self) {
        self.due = true;
        self.told.clear();
    }

    /// The user wants something else.
    pub fn wish(&mut self, settings: &serde_json::Value) {
        let wishes = self.settings.wishes.read(settings);
        if std::mem::replace(&mut self.settings.wishes, wishes) != wishes {
            let all = self.sessions.iter().flat_map(|(root, one)| one.all().into_iter().map(|id| (root.clone(), id)));
            self.pending.extend(all);
            self.make_due();
        }
    }

    /// Reads everything again.
    pub fn reload_all(&mut self) {
        for root in self.sessions.keys().cloned().collect::<Vec<_>>() {
            self.reload(&root);
        }
    }

    /// Reads a workspace again and sends everything about its open files again.
    pub fn reload(&mut self, root: &Path) {
        let Some(session) = self.sessions.get_mut(root) else { return };
        session.reload();
        tell_if_cut(session);
        let all = session.all();
        self.mark_pending(root, all);
        self.make_due();
    }

    /// The root that a file belongs to: its repository, else the workspace folder around it, else its own folder.
    pub fn root_for(&self, path: &Path) -> PathBuf {
        let folder = path.parent().unwrap_or(path);
        if let Some(root) =
            self.sessions.keys().filter(|root| folder.starts_with(root)).max_by_key(|root| root.as_os_str().len())
            && !folder.ancestors().take_while(|folder| folder != root).any(|folder| folder.join(".git").exists())
        {
            return root.clone();
        }
        if let Some(repository) = folder.ancestors().find(|folder| folder.join(".git").exists()) {
            return repository.to_owned();
        }
        let around = self.settings.folders.iter().filter(|root| folder.starts_with(root));
        around.max_by_key(|root| root.as_os_str().len()).cloned().unwrap_or_else(|| folder.to_owned())
    }

    /// The session of a root.
    pub fn session(&mut self, root: &Path) -> &mut Session {
        let is_folder = || self.settings.folders.iter().any(|folder| folder == root) || root.join(".git").exists();
        self.sessions.entry(root.to_owned()).or_insert_with(|| {
            let session = Session::open(root, if is_folder() { Scope::Folder } else { Scope::Buffers });
            tell_if_cut(&session);
            session
        })
    }

    /// Opens what lies in the workspace's folders, for questions about all of it.
    pub fn open_folders(&mut self) {
        for folder in self.settings.folders.clone() {
            let root = self.root_for(&folder.join("recipe.yaml"));
            self.session(&root);
        }
    }

    /// Forgets a root without files that are open and of no folder: nothing will be asked of it.
    pub fn forget(&mut self, root: &Path) {
        let idle = |session: &Session| session.scope() == Scope::Buffers && session.disk().buffers().is_empty();
        if self.sessions.get(root).is_some_and(idle) {
            self.sessions.remove(root);
            self.pending.retain(|(of, _)| of != root);
        }
    }

    /// The session and the file of a document.
    pub fn file(&mut self, uri: &Url) -> Option<(&mut Session, FileId)> {
        let path = super::convert::path_of(uri);
        let root = self.root_for(&path);
        let session = self.session(&root);
        let id = session.file(&path)?.id;
        Some((session, id))
    }
}

/// Says on standard error, which editors keep as the server's log, that a folder is too large to be known as a whole.
fn tell_if_cut(session: &Session) {
    if session.is_cut() {
        eprintln!(
            "recipelint: a workspace folder holds more than {MOST_ENTRIES} files; those behind were not looked at"
        );
    }
}
