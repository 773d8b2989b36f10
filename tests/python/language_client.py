"""A client of the Language Server Protocol for tests: messages, text as the server should have it."""

import json
import os
import subprocess

TAKT = os.environ.get("TAKT", "build/takt")


def units(text):
    """Length in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


class Client:
    """A session with `takt lsp`."""

    def __init__(self, *options, initialize=True, capabilities=None):
        self.process = subprocess.Popen([TAKT, "lsp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.number, self.ended = 0, False
        self.notes = []  # notifications and requests of the server
        if initialize:
            self.server = self.request("initialize", capabilities=capabilities or {})
            self.notify("initialized")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(f"the server ended: {self.process.wait()}")
            if line == b"\r\n":
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def answer(self, method, **params):
        """The whole answer, a result or an error."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.wait(self.number)

    def wait(self, number):
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message
            self.notes.append(message)

    def request(self, method, **params):
        message = self.answer(method, **params)
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def open(self, uri, text, language=""):
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri, "languageId": language, "version": 1, "text": text})

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": version},
                    contentChanges=list(changes))

    def note(self, method, wanted=lambda params: True):
        """The next notification of a method that is as wanted."""
        while True:
            for i, message in enumerate(self.notes):
                if message.get("method") == method and wanted(message["params"]):
                    del self.notes[: i + 1]
                    return message["params"]
            self.notes.append(self.receive())

    def findings(self, uri, version=1):
        return self.note("textDocument/publishDiagnostics",
                         lambda p: p["uri"] == uri and p.get("version") == version)["diagnostics"]

    def exit(self):
        self.notify("exit")
        self.ended = True

    def end(self):
        """Shut down; the exit code."""
        if not self.ended:
            self.request("shutdown")
            self.exit()
        code = self.process.wait(20)
        self.process.stdin.close()
        self.process.stdout.close()
        return code


def at(uri, line, character):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def edited(text, edits):
    """A text with edits of the server, whose places are in UTF-16; lines end with \\n."""
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"],
                                             e["range"]["start"]["character"]), reverse=True):
        text = (text[: offset(text, edit["range"]["start"])] + edit["newText"] +
                text[offset(text, edit["range"]["end"]):])
    return text


def offset(text, place):
    """Index of a place in a text, as the protocol has it: lines end with \\n, \\r\\n or \\r."""
    start, line = 0, 0
    while line < place["line"]:
        i = start
        while i < len(text) and text[i] not in "\r\n":
            i += 1
        if i == len(text):
            return i
        start = i + (2 if text[i : i + 2] == "\r\n" else 1)
        line += 1
    left, i = place["character"], start
    while i < len(text) and text[i] not in "\r\n" and left >= units(text[i]):
        left -= units(text[i])
        i += 1
    return i
