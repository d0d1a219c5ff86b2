if vim.g.loaded_recipelint then
  return
end
vim.g.loaded_recipelint = true

vim.filetype.add({ extension = { agentuse = 'agentuse' } })

vim.api.nvim_create_user_command('RecipelintExplain', function(command)
  require('recipelint').explain(command.args)
end, { nargs = 1, desc = 'Show the page of a lint', complete = function()
  return require('recipelint').lints()
end })

if vim.g.recipelint_enable ~= false and vim.lsp.enable then
  vim.lsp.enable('recipelint')
end
