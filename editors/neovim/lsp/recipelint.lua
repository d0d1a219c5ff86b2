-- The configuration that `vim.lsp.enable('recipelint')` uses (Neovim 0.11 and newer).
return {
  cmd = { 'recipelint', 'lsp' },
  filetypes = { 'yaml', 'yaml.github', 'agentuse', 'typescript', 'javascript', 'typescriptreact', 'javascriptreact', 'markdown', 'sh', 'bash' },
  root_markers = { 'recipelint.yaml', '.recipelint.yaml', '.git' },
  workspace_required = false,
}
