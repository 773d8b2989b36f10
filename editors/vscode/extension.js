// The language server `takt lsp`, and a status item: cycles, range, limit, gap.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function (context) {
    const command = vscode.workspace.getConfiguration("takt").get("command");
    const languages = ["mncore2", "amx", "loops", "kelvin", "ventus"];
    const server = { command, args: ["lsp"] };
    client = new LanguageClient("takt", "takt", server, {
        documentSelector: languages.map((language) => ({ language })),
    });
    const item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
    const statuses = new Map();
    const show = () => {
        const editor = vscode.window.activeTextEditor;
        const status = editor && statuses.get(editor.document.uri.toString());
        if (!status) {
            item.hide();
            return;
        }
        item.text = status.text || `takt: ${status.state}`;
        item.tooltip = status.text; // the bar may have no room for all of it
        item.show();
    };
    client.onNotification("takt/status", (status) => {
        statuses.set(vscode.Uri.parse(status.uri).toString(), status);
        show();
    });
    context.subscriptions.push(item, vscode.window.onDidChangeActiveTextEditor(show));
    return client.start();
};

exports.deactivate = () => client && client.stop();
