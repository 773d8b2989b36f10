"""Neovim, headless, with editors/nvim and takt lsp: findings, hints, hover, formatting, a fix. Skipped
where Neovim is not installed."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TAKT = Path(os.environ.get("TAKT", "build/takt")).absolute()
HAZARD = 'imm f"1.0" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n'

SCRIPT = """
local takt = require("takt")
takt.setup({ command = { "%(takt)s", "lsp" } })
vim.cmd("edit %(file)s")
local said = {}
local function wait(name, ready)
    said[name] = vim.wait(10000, ready, 20)
end
local function request(method, params)
    params.textDocument = vim.lsp.util.make_text_document_params(0)
    local answer = vim.lsp.buf_request_sync(0, method, params, 10000)
    for _, one in pairs(answer or {}) do
        return one.result
    end
end
local function marks()
    local found = {}
    local spaces = vim.api.nvim_get_namespaces()
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, spaces.takt, 0, -1, { details = true })) do
        found[#found + 1] = mark[4].virt_text[1][1]
    end
    return found
end
wait("findings", function() return #vim.diagnostic.get(0) > 0 end)
said.diagnostics = {}
for i, one in ipairs(vim.diagnostic.get(0)) do
    said.diagnostics[i] = { line = one.lnum, message = one.message }
end
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "nop", "nop" })
wait("mended", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
end)
wait("hints", function() return #marks() == 4 end)
said.marks = marks()
said.hover = request("textDocument/hover", { position = { line = 3, character = 2 } })
wait("status", function() return takt.line():find("cycles") ~= nil end)
said.line = takt.line()
vim.api.nvim_buf_set_lines(0, 3, 4, false, { "dvadd   $lm0v $r0e    $ln0v # x" })
vim.lsp.buf.formatting_sync(nil, 10000)
said.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
local out = io.open("%(out)s", "w")
out:write(vim.json and vim.json.encode(said) or vim.fn.json_encode(said))
out:close()
vim.cmd("qall!")
"""

COLOURS = """
vim.opt.runtimepath:append("%(folder)s")
require("takt").setup({ command = { "%(takt)s", "lsp" } })
vim.cmd("edit %(file)s")
local parser = vim.treesitter.get_parser(0, "mncore2")
local query = vim.treesitter.get_query("mncore2", "highlights")
local said = { shown = vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil }
for id, node in query:iter_captures(parser:parse()[1]:root(), 0, 0, -1) do
    said[vim.treesitter.query.get_node_text(node, 0)] = query.captures[id]
end
local out = io.open("%(out)s", "w")
out:write(vim.fn.json_encode(said))
out:close()
vim.cmd("qall!")
"""
COLOURED = """# takt: begin a
mvp/n2i01 $d0 $lc0@.0 # x
nop; wait i01
imm i"3" $ls0v
d get $lm0 4
"""


def neovim(folder, script):
    """Neovim with editors/nvim runs a script, and leaves nothing outside of the folder."""
    file = Path(folder) / "s.lua"
    file.write_text(script)
    subprocess.run(["nvim", "--headless", "-u", "NONE", "--cmd",
                    f"set runtimepath+={Path('editors/nvim').absolute()}", "-c",
                    f"luafile {file}"], timeout=60, check=True, capture_output=True,
                   env={**os.environ, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder,
                        "XDG_CACHE_HOME": folder})


@unittest.skipUnless(shutil.which("nvim"), "Neovim is not installed")
class Neovim(unittest.TestCase):
    def test_session(self):
        with tempfile.TemporaryDirectory() as folder:
            file, out = (Path(folder) / name for name in ("a.vsm", "out.json"))
            file.write_text(HAZARD)
            neovim(folder, SCRIPT % {"takt": TAKT, "file": file, "out": out})
            said = json.loads(out.read_text())
        for step in ("findings", "mended", "hints", "status"):
            self.assertTrue(said[step], (step, said))
        self.assertIn("needs 1 more empty step", "".join(d["message"] for d in said["diagnostics"]))
        self.assertIn("x + y by element", said["hover"]["contents"]["value"])
        self.assertEqual(len(said["marks"]), 4)
        self.assertIn("cycle ", said["marks"][0])
        self.assertIn("cycles", said["line"])
        self.assertEqual(said["text"][3], "dvadd $lm0v $r0e $ln0v # x")

    @unittest.skipUnless(Path("/usr/include/tree_sitter/parser.h").exists(),
                         "libtree-sitter-dev is not installed")
    def test_colours(self):
        with tempfile.TemporaryDirectory() as folder:
            file, out = (Path(folder) / name for name in ("a.vsm", "out.json"))
            (Path(folder) / "parser").mkdir()
            subprocess.run([*os.environ.get("CC", "cc").split(), "-O1", "-shared", "-fPIC", "-o",
                            f"{folder}/parser/mncore2.so", "editors/tree-sitter/src/parser.c"],
                           check=True)
            file.write_text(COLOURED)
            neovim(folder, COLOURS % {"takt": TAKT, "folder": folder, "file": file, "out": out})
            said = json.loads(out.read_text())
        self.assertTrue(said.pop("shown"))
        self.assertEqual(said, {
            "# takt: begin a": "preproc", "# x": "comment", "mvp": "function.builtin",
            "/n2i01": "attribute", "$d0": "variable.parameter", "$lc0@.0": "variable.parameter",
            "nop": "keyword", "wait": "keyword", "i01": "label", ";": "punctuation.delimiter",
            "imm": "function", 'i"3"': "number", "$ls0v": "variable.parameter",
            "d get": "keyword", "$lm0": "variable.parameter", "4": "number"})


if __name__ == "__main__":
    unittest.main()
