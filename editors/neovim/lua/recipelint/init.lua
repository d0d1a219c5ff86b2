--- recipelint for the built-in client of Neovim.
local M = {}

--- Changes the configuration: `require('recipelint').setup({ cmd = { '/path/to/recipelint', 'lsp' } })`.
function M.setup(options)
  vim.lsp.config('recipelint', options or {})
  vim.lsp.enable('recipelint')
end

local function binary()
  local config = vim.lsp.config and vim.lsp.config['recipelint']
  return config and type(config.cmd) == 'table' and config.cmd[1] or 'recipelint'
end

--- The ids of all lints.
function M.lints()
  local done = vim.system({ binary(), 'lints', '--format', 'json' }, { text = true }):wait()
  local ok, lints = pcall(vim.json.decode, done.stdout or '')
  if not ok or type(lints) ~= 'table' then
    return {}
  end
  return vim.tbl_map(function(lint)
    return lint.id
  end, lints.lints or lints)
end

--- Shows the page of a lint in a window of its own.
function M.explain(lint)
  local done = vim.system({ binary(), 'explain', lint }, { text = true }):wait()
  if done.code ~= 0 then
    vim.notify(vim.trim(done.stderr or ''), vim.log.levels.WARN)
    return
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(done.stdout, '\n'))
  vim.bo[buffer].filetype = 'markdown'
  vim.bo[buffer].modifiable = false
  vim.cmd.split()
  vim.api.nvim_win_set_buf(0, buffer)
end

-- The server's code action asks the editor to show a page.
vim.lsp.commands['recipelint.explain'] = function(command)
  M.explain(command.arguments[1])
end

vim.lsp.commands['recipelint.showReaders'] = function()
  vim.lsp.buf.references()
end

return M
