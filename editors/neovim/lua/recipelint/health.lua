local M = {}

--- `:checkhealth recipelint`
function M.check()
  vim.health.start('recipelint')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim has vim.lsp.config')
  else
    vim.health.error('Neovim 0.11 or newer is needed')
    return
  end
  local command = (vim.lsp.config['recipelint'] or {}).cmd
  local binary = type(command) == 'table' and command[1] or 'recipelint'
  if vim.fn.executable(binary) == 1 then
    local version = vim.system({ binary, '--version' }, { text = true }):wait()
    vim.health.ok(vim.trim(version.stdout or '') .. ' (' .. vim.fn.exepath(binary) .. ')')
  else
    vim.health.error(binary .. ' is not executable', {
      'install it: pip install recipelint, npm install -g recipelint or cargo install recipelint',
      "or name it: require('recipelint').setup({ cmd = { '/path/to/recipelint', 'lsp' } })",
    })
  end
  local clients = vim.lsp.get_clients({ name = 'recipelint' })
  if #clients > 0 then
    vim.health.ok(#clients .. ' running')
  else
    vim.health.info('not running: open a recipe')
  end
end

return M
