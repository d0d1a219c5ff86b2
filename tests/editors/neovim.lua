-- A real Neovim: opens a bad recipe, waits for the diagnostic at its cell, asks for hover and rename, applies a fix, saves.
local binary, folder, plugin = os.getenv('RECIPELINT'), os.getenv('WORK'), os.getenv('PLUGIN')
vim.opt.runtimepath:prepend(plugin)
vim.cmd.runtime('plugin/recipelint.lua')
require('recipelint').setup({ cmd = { binary, 'lsp' } })

local function check(condition, message)
  if not condition then
    io.stderr:write('FAILED: ' .. message .. '\n')
    vim.cmd.cquit(1)
  end
end

local function wait(what, done)
  check(vim.wait(20000, done, 20), 'waited in vain for ' .. what)
end

vim.cmd.edit(folder .. '/recipe.yaml')
vim.cmd.setfiletype('yaml')
local buffer = vim.api.nvim_get_current_buf()
wait('the server', function()
  return #vim.lsp.get_clients({ bufnr = buffer, name = 'recipelint' }) > 0
end)

local function find(code)
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    if diagnostic.code == code then
      return diagnostic
    end
  end
end

wait('the diagnostic', function()
  return find('grep-agent-output') ~= nil
end)
local grep = find('grep-agent-output')
local line = vim.api.nvim_buf_get_lines(buffer, grep.lnum, grep.lnum + 1, false)[1]
check(grep.lnum == 9, 'the diagnostic is on line ' .. grep.lnum + 1)
check(line:sub(grep.col + 1, grep.col + 4) == 'grep', 'it starts at: ' .. line:sub(grep.col + 1))

local client = vim.lsp.get_clients({ bufnr = buffer, name = 'recipelint' })[1]
local function ask(method, parameters)
  local answer = client:request_sync(method, parameters, 10000, buffer)
  check(answer and not answer.err, method .. ': ' .. vim.inspect(answer))
  return answer.result
end
local document = { uri = vim.uri_from_bufnr(buffer) }

local hover = ask('textDocument/hover', { textDocument = document, position = { line = 9, character = grep.col } })
check(hover and hover.contents.value:find('grep%-agent%-output'), 'the hover shows the page')
local provenance = ask('textDocument/hover', { textDocument = document, position = { line = 6, character = 13 } })
check(provenance and provenance.contents.value:find('agent text'), 'the hover tells where the text came from')

local rename = ask('textDocument/rename', { textDocument = document, position = { line = 6, character = 13 }, newName = 'opinion' })
vim.lsp.util.apply_workspace_edit(rename, client.offset_encoding)
local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
check(text:find('output: opinion', 1, true) and text:find('"$OPINION" | grep', 1, true), 'renamed in both spellings:\n' .. text)

wait('the diagnostic after the rename', function()
  return find('missing-require-field') ~= nil
end)
local fixable = find('missing-require-field')
local actions = ask('textDocument/codeAction', {
  textDocument = document,
  range = { start = { line = fixable.lnum, character = fixable.col }, ['end'] = { line = fixable.lnum, character = fixable.col + 1 } },
  context = { diagnostics = {}, only = { 'quickfix' } },
})
local fix
for _, action in ipairs(actions) do
  if action.isPreferred then
    fix = action
  end
end
check(fix ~= nil, 'a fix is offered')
vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding)
wait('the finding to go', function()
  return find('missing-require-field') == nil
end)
vim.cmd.write()
local saved = table.concat(vim.fn.readfile(folder .. '/recipe.yaml'), '\n')
check(saved:find('extract-json --require-field verdict', 1, true), 'the fix was saved')
check(#vim.api.nvim_get_runtime_file('doc/recipelint.txt', true) == 1, 'the help file is there')
vim.cmd('checkhealth recipelint')
local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
check(not health:find('ERROR'), health)
print('neovim: ok')
vim.cmd('qa!')
