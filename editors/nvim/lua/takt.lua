-- The language server `takt lsp` for Neovim 0.7 and later; hints at line ends in every version.
local M = { command = { "takt", "lsp" }, status = {} }

local languages = { vsm = "mncore2", amx = "amx", loops = "loops", kelvin = "kelvin", ventus = "ventus" }
local space = vim.api.nvim_create_namespace("takt")

-- Cycle, waits and slack of each line of a buffer.
function M.hints(buffer)
    local last = vim.api.nvim_buf_line_count(buffer)
    local params = {
        textDocument = vim.lsp.util.make_text_document_params(buffer),
        range = { start = { line = 0, character = 0 }, ["end"] = { line = last, character = 0 } },
    }
    vim.lsp.buf_request(buffer, "textDocument/inlayHint", params, function(failed, hints)
        if failed or not vim.api.nvim_buf_is_valid(buffer) then
            return
        end
        vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
        for _, hint in ipairs(hints or {}) do
            if hint.position.line < vim.api.nvim_buf_line_count(buffer) then
                vim.api.nvim_buf_set_extmark(buffer, space, hint.position.line, 0, {
                    virt_text = { { hint.label, "Comment" } },
                })
            end
        end
    end)
end

-- For 'statusline': %{v:lua.require'takt'.line()}
function M.line()
    local status = M.status[vim.uri_from_bufnr(0)] or {}
    return status.text or status.state or ""
end

local function on_status(_, status)
    M.status[status.uri] = status
    local buffer = vim.uri_to_bufnr(status.uri)
    if vim.api.nvim_buf_is_loaded(buffer) then
        M.hints(buffer)
    end
end

local client

local function attach(event)
    local name = event.match:match("%.(%w+)$")
    vim.bo[event.buf].filetype = languages[name]
    client = client or vim.lsp.start_client({
        name = "takt",
        cmd = M.command,
        get_language_id = function(_, filetype) return filetype end,
        handlers = { ["takt/status"] = on_status },
    })
    vim.lsp.buf_attach_client(event.buf, client)
    -- Colours, where parser/mncore2.so has been built (editors/tree-sitter).
    local built, parser = pcall(vim.treesitter.get_parser, event.buf, languages[name])
    if built and parser then
        vim.treesitter.highlighter.new(parser)
    end
end

function M.setup(options)
    M.command = options and options.command or M.command
    vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
        pattern = { "*.vsm", "*.amx", "*.loops", "*.kelvin", "*.ventus" },
        callback = attach,
    })
end

return M
