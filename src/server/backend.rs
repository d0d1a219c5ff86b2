//! The protocol's methods.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use tower_lsp::jsonrpc::Result;
use tower_lsp::lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, CallHierarchyServerCapability, CodeActionKind,
    CodeActionOptions, CodeActionParams, CodeActionProviderCapability, CodeActionResponse, CodeLens, CodeLensOptions,
    CodeLensParams, CompletionOptions, CompletionParams, CompletionResponse, ConfigurationItem, DiagnosticOptions,
    DiagnosticServerCapabilities, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentDiagnosticParams, DocumentDiagnosticReport,
    DocumentDiagnosticReportResult, DocumentHighlight, DocumentHighlightParams, DocumentLink, DocumentLinkOptions,
    DocumentLinkParams, DocumentSymbolParams, DocumentSymbolResponse, ExecuteCommandOptions, ExecuteCommandParams,
    FoldingRange, FoldingRangeParams, FoldingRangeProviderCapability, FullDocumentDiagnosticReport,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams, HoverProviderCapability, InitializeParams,
    InitializeResult, InitializedParams, InlayHint, InlayHintParams, Location, OneOf, PrepareRenameResponse,
    ReferenceParams, Registration, RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    RenameOptions, RenameParams, SelectionRange, SelectionRangeParams, SelectionRangeProviderCapability,
    SemanticTokensFullOptions, SemanticTokensOptions, SemanticTokensParams, SemanticTokensResult, ServerCapabilities,
    ServerInfo, SignatureHelp, SignatureHelpOptions, SignatureHelpParams, SymbolInformation,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    UnchangedDocumentDiagnosticReport, Url, WorkDoneProgressOptions, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport, WorkspaceEdit,
    WorkspaceFoldersServerCapabilities, WorkspaceFullDocumentDiagnosticReport, WorkspaceServerCapabilities,
    WorkspaceSymbolParams, WorkspaceUnchangedDocumentDiagnosticReport,
};
use tower_lsp::{Client, LanguageServer};

use super::actions::FIX_ALL;
use super::convert::{encoding_of, path_of};
use super::diagnostics::result_id;
use super::documents::Documents;
use super::settings::Settings;
use super::worker::{Worker, World};
use crate::workspace::is_configuration;

/// Files whose change on disk matters.
const WATCHED: &[&str] =
    &["**/*.{yaml,yml,agentuse}", "**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}", "**/*.{md,txt,sh,bash}", "**/package.json"];

/// The server as the protocol sees it.
pub struct Backend {
    client: Client,
    documents: Documents,
    worker: Worker,
    settings: Mutex<Settings>,
}

impl Backend {
    /// A server that was not initialised yet.
    pub fn new(client: Client) -> Self {
        let documents = Documents::default();
        let worker = Worker::start(client.clone(), documents.clone());
        Self { client, documents, worker, settings: Mutex::default() }
    }

    /// What the client said when it started.
    fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the client what its user wants; the answer arrives some time later.
    fn ask_for_wishes(&self) {
        let (client, worker) = (self.client.clone(), self.worker.clone());
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some("recipelint".to_owned()) };
            if let Ok(answers) = client.configuration(vec![item]).await
                && let Some(wishes) = answers.into_iter().next()
            {
                worker.tell(move |world| world.wish(&wishes));
            }
        });
    }
}

fn capabilities(settings: &Settings) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding_of(settings.unit)),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(tower_lsp::lsp_types::TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_EXTRACT,
                CodeActionKind::new(FIX_ALL),
            ]),
            ..CodeActionOptions::default()
        })),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["{", "$", ".", "[", "'", "-"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
            ..SignatureHelpOptions::default()
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: super::aids::legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec!["recipelint.explain".to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        diagnostic_provider: settings.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("recipelint".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..DiagnosticOptions::default()
            })
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            ..WorkspaceServerCapabilities::default()
        }),
        ..ServerCapabilities::default()
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, parameters: InitializeParams) -> Result<InitializeResult> {
        let settings = Settings::of(&parameters);
        *self.settings() = settings.clone();
        let result = InitializeResult {
            capabilities: capabilities(&settings),
            server_info: Some(ServerInfo {
                name: "recipelint".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        super::guard::follow_parent(parameters.process_id);
        // Before the answer: a file that is opened right after it must meet the folders that the client named.
        self.worker.ask(move |world| world.settings = settings).await?;
        Ok(result)
    }

    async fn initialized(&self, _: InitializedParams) {
        let settings = self.settings();
        let register = |id: &str, method: &str, options| Registration {
            id: id.to_owned(),
            method: method.to_owned(),
            register_options: Some(options),
        };
        let mut registrations = Vec::new();
        if settings.watches {
            let watchers: Vec<Value> = WATCHED.iter().map(|glob| json!({"globPattern": glob})).collect();
            let options = json!({"watchers": watchers});
            registrations.push(register("recipelint.files", "workspace/didChangeWatchedFiles", options));
        }
        if settings.tells_changes {
            let options = json!({"section": "recipelint"});
            registrations.push(register("recipelint.settings", "workspace/didChangeConfiguration", options));
        }
        if !registrations.is_empty() {
            let client = self.client.clone();
            // A request to the client must not be awaited inside a notification: the queue may be full.
            tokio::spawn(async move {
                let _ = client.register_capability(registrations).await;
            });
        }
        if settings.configures {
            self.ask_for_wishes();
        }
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, parameters: DidOpenTextDocumentParams) {
        let document = parameters.text_document;
        self.documents.open(document.uri, document.version, &document.text);
        self.worker.tell(World::make_due);
    }

    async fn did_change(&self, parameters: DidChangeTextDocumentParams) {
        let document = parameters.text_document;
        self.documents.edit(&document.uri, document.version, &parameters.content_changes, self.settings().unit);
        self.worker.changed();
    }

    async fn did_save(&self, parameters: DidSaveTextDocumentParams) {
        let path = path_of(&parameters.text_document.uri);
        self.worker.tell(move |world| {
            world.make_due();
            if is_configuration(&path) {
                let root = world.root_for(&path);
                world.reload(&root);
            }
        });
    }

    async fn did_close(&self, parameters: DidCloseTextDocumentParams) {
        let uri = parameters.text_document.uri;
        self.documents.close(&uri);
        self.worker.tell(move |world| world.closed(uri));
    }

    async fn did_change_watched_files(&self, parameters: DidChangeWatchedFilesParams) {
        let paths: Vec<PathBuf> = parameters.changes.iter().map(|change| path_of(&change.uri)).collect();
        self.worker.tell(move |world| world.touched(paths));
    }

    async fn did_change_workspace_folders(&self, parameters: DidChangeWorkspaceFoldersParams) {
        self.worker.tell(move |world| {
            let gone: Vec<PathBuf> = parameters.event.removed.iter().map(|folder| path_of(&folder.uri)).collect();
            world.settings.folders.retain(|folder| !gone.contains(folder));
            world.settings.folders.extend(parameters.event.added.iter().map(|folder| path_of(&folder.uri)));
            world.regroup();
        });
    }

    async fn did_change_configuration(&self, parameters: DidChangeConfigurationParams) {
        if parameters.settings.is_null() && self.settings().configures {
            self.ask_for_wishes();
        }
        self.worker.tell(move |world| {
            world.wish(&parameters.settings);
            world.reload_all();
        });
    }

    async fn hover(&self, parameters: HoverParams) -> Result<Option<Hover>> {
        let at = parameters.text_document_position_params;
        self.worker.ask(move |world| world.hover(&at.text_document.uri, at.position)).await
    }

    async fn completion(&self, parameters: CompletionParams) -> Result<Option<CompletionResponse>> {
        let at = parameters.text_document_position;
        let items = self.worker.ask(move |world| world.completion(&at.text_document.uri, at.position)).await?;
        Ok(items.map(CompletionResponse::Array))
    }

    async fn signature_help(&self, parameters: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let at = parameters.text_document_position_params;
        self.worker.ask(move |world| world.signature(&at.text_document.uri, at.position)).await
    }

    async fn goto_definition(&self, parameters: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let at = parameters.text_document_position_params;
        let found = self.worker.ask(move |world| world.definition(&at.text_document.uri, at.position)).await?;
        Ok(found.map(GotoDefinitionResponse::Array))
    }

    async fn references(&self, parameters: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let at = parameters.text_document_position;
        let all = parameters.context.include_declaration;
        self.worker.ask(move |world| world.references(&at.text_document.uri, at.position, all)).await
    }

    async fn document_highlight(&self, parameters: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        let at = parameters.text_document_position_params;
        self.worker.ask(move |world| world.highlights(&at.text_document.uri, at.position)).await
    }

    async fn prepare_rename(&self, at: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        self.worker.ask(move |world| world.prepare_rename(&at.text_document.uri, at.position)).await
    }

    async fn rename(&self, parameters: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let at = parameters.text_document_position;
        let renamed = self
            .worker
            .ask(move |world| world.rename(&at.text_document.uri, at.position, &parameters.new_name))
            .await?;
        renamed.map_err(tower_lsp::jsonrpc::Error::invalid_params)
    }

    async fn document_symbol(&self, parameters: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        let uri = parameters.text_document.uri;
        let symbols = self.worker.ask(move |world| world.document_symbols(&uri)).await?;
        Ok(symbols.map(DocumentSymbolResponse::Nested))
    }

    async fn symbol(&self, parameters: WorkspaceSymbolParams) -> Result<Option<Vec<SymbolInformation>>> {
        self.worker.ask(move |world| Some(world.workspace_symbols(&parameters.query))).await
    }

    async fn document_link(&self, parameters: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.worker.ask(move |world| world.document_links(&parameters.text_document.uri)).await
    }

    async fn folding_range(&self, parameters: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.worker.ask(move |world| world.folding(&parameters.text_document.uri)).await
    }

    async fn selection_range(&self, parameters: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        self.worker.ask(move |world| world.selection(&parameters.text_document.uri, &parameters.positions)).await
    }

    async fn inlay_hint(&self, parameters: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.worker.ask(move |world| world.hints(&parameters.text_document.uri, parameters.range)).await
    }

    async fn code_lens(&self, parameters: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.worker.ask(move |world| world.lenses(&parameters.text_document.uri)).await
    }

    async fn semantic_tokens_full(&self, parameters: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        let tokens = self.worker.ask(move |world| world.tokens(&parameters.text_document.uri)).await?;
        Ok(tokens.map(SemanticTokensResult::Tokens))
    }

    async fn prepare_call_hierarchy(
        &self,
        parameters: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let uri = parameters.text_document_position_params.text_document.uri;
        self.worker.ask(move |world| world.prepare_hierarchy(&uri)).await
    }

    async fn incoming_calls(
        &self,
        parameters: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.worker.ask(move |world| world.incoming(&parameters.item.uri)).await
    }

    async fn outgoing_calls(
        &self,
        parameters: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.worker.ask(move |world| world.outgoing(&parameters.item.uri)).await
    }

    async fn code_action(&self, parameters: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.worker.ask(move |world| world.actions(&parameters)).await
    }

    async fn execute_command(&self, parameters: ExecuteCommandParams) -> Result<Option<Value>> {
        if cfg!(debug_assertions) && parameters.command == "recipelint.panic" {
            self.worker.ask(|_| assert!(std::hint::black_box(false), "a client of the tests asked for this")).await?;
        }
        let id = parameters.arguments.first().and_then(|argument| argument.as_str());
        Ok(id.and_then(crate::lints::lint).map(|lint| lint.body().into()))
    }

    async fn workspace_diagnostic(
        &self,
        parameters: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        let all = self.worker.ask(World::all_diagnostics).await?;
        let known = |uri: &Url| parameters.previous_result_ids.iter().find(|known| known.uri == *uri);
        let gone: Vec<Url> = parameters
            .previous_result_ids
            .iter()
            .filter(|known| !all.iter().any(|(uri, _)| *uri == known.uri))
            .map(|known| known.uri.clone())
            .collect();
        let reports = all.into_iter().chain(gone.into_iter().map(|uri| (uri, Vec::new())));
        let items = reports.map(|(uri, items)| {
            let id = result_id(&items);
            let version = self.documents.version(&uri).map(i64::from);
            if known(&uri).is_some_and(|known| known.value == id) {
                WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version,
                    unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
                })
            } else {
                WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                    uri,
                    version,
                    full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
                })
            }
        });
        Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items: items.collect() }))
    }

    async fn diagnostic(&self, parameters: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let uri = parameters.text_document.uri;
        let items = self.worker.ask(move |world| world.asked(&uri)).await?;
        let id = result_id(&items);
        let report = if parameters.previous_result_id.as_ref() == Some(&id) {
            DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
            })
        } else {
            DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
            })
        };
        Ok(DocumentDiagnosticReportResult::Report(report))
    }
}
