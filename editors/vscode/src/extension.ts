import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

/** Languages in which recipes, agents, prompts and run scripts are written. */
const LANGUAGES = ["yaml", "github-actions-workflow", "agentuse", "typescript", "javascript", "markdown", "shellscript"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("recipelint", { log: true });
  const status = vscode.languages.createLanguageStatusItem("recipelint", LANGUAGES.map((language) => ({ language })));
  status.name = "recipelint";
  status.command = { command: "recipelint.showOutput", title: "Show output" };

  const start = async (): Promise<void> => {
    await client?.dispose();
    client = undefined;
    const binary = findBinary(context);
    status.text = "recipelint";
    status.detail = binary;
    status.severity = vscode.LanguageStatusSeverity.Information;
    client = makeClient(binary, output);
    client.onDidChangeState(({ newState }) => {
      status.busy = newState === State.Starting;
      if (newState === State.Stopped) {
        status.severity = vscode.LanguageStatusSeverity.Warning;
        status.detail = "not running";
      }
    });
    try {
      await client.start();
    } catch (error) {
      status.severity = vscode.LanguageStatusSeverity.Error;
      status.detail = `could not be started: ${binary}`;
      const message = `recipelint could not be started (${String(error)}). Set "recipelint.path" to the binary, or install it.`;
      const choice = await vscode.window.showErrorMessage(message, "Open settings");
      if (choice === "Open settings") {
        await vscode.commands.executeCommand("workbench.action.openSettings", "recipelint.path");
      }
    }
  };

  context.subscriptions.push(
    output,
    status,
    vscode.commands.registerCommand("recipelint.restart", start),
    vscode.commands.registerCommand("recipelint.showOutput", () => output.show()),
    vscode.commands.registerCommand("recipelint.explainLint", async () => {
      const lint = await vscode.window.showInputBox({ prompt: "Which lint?", placeHolder: "grep-agent-output" });
      await explain(lint);
    }),
    vscode.commands.registerCommand("recipelint.showReaders", async (target: [string, { line: number; character: number }]) => {
      const [uri, at] = target;
      const place = vscode.Uri.parse(uri);
      const position = new vscode.Position(at.line, at.character);
      const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", place, position);
      await vscode.commands.executeCommand("editor.action.showReferences", place, position, found ?? []);
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("recipelint.path") || change.affectsConfiguration("recipelint.runOn")) {
        await start();
      }
    }),
    { dispose: () => void client?.dispose() },
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
}

/** The configured binary, else the one that the extension carries, else the one on the PATH. */
function findBinary(context: vscode.ExtensionContext): string {
  const configured = vscode.workspace.getConfiguration("recipelint").get<string>("path", "").trim();
  if (configured !== "") {
    return configured.replace(/^~(?=\/|\\)/, process.env.HOME ?? "~");
  }
  const name = process.platform === "win32" ? "recipelint.exe" : "recipelint";
  const carried = path.join(context.extensionPath, "server", name);
  return fs.existsSync(carried) ? carried : name;
}

function makeClient(binary: string, output: vscode.LogOutputChannel): LanguageClient {
  const server: ServerOptions = { command: binary, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    outputChannel: output,
    initializationOptions: { runOn: vscode.workspace.getConfiguration("recipelint").get<string>("runOn", "type") },
    middleware: {
      // The server answers with the page; showing it is up to the editor.
      executeCommand: async (command, parameters, next) => {
        if (command === "recipelint.explain") {
          await explain(String(parameters[0]));
          return undefined;
        }
        return next(command, parameters) as Promise<unknown>;
      },
    },
  };
  return new LanguageClient("recipelint", "recipelint", server, options);
}

/** Opens the page of a lint as rendered Markdown. */
async function explain(lint: string | undefined): Promise<void> {
  if (lint === undefined || lint === "" || client === undefined) {
    return;
  }
  const page = await client.sendRequest<string | null>("workspace/executeCommand", {
    command: "recipelint.explain",
    arguments: [lint],
  });
  if (page === null) {
    void vscode.window.showWarningMessage(`There is no lint "${lint}".`);
    return;
  }
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: page });
  await vscode.commands.executeCommand("markdown.showPreview", document.uri);
}
