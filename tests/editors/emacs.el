;;; A real Emacs with eglot: shows a diagnostic and clears it when the finding is gone.  -*- lexical-binding: t -*-
(require 'eglot)
(require 'flymake)
(require 'yaml-mode)

(add-to-list 'eglot-server-programs `(yaml-mode . (,(getenv "RECIPELINT") "lsp")))
(setq eglot-sync-connect t)

(defun test-fail (message)
  (princ (format "FAILED: %s\n" message) #'external-debugging-output)
  (kill-emacs 1))

(defun test-wait (what done)
  (let ((tries 0))
    (while (and (not (funcall done)) (< tries 400))
      (accept-process-output nil 0.05)
      (setq tries (1+ tries)))
    (unless (funcall done) (test-fail (concat "waited in vain for " what)))))

(defun test-diagnostics ()
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun test-has (text)
  (seq-some (lambda (diagnostic) (string-match-p (regexp-quote text) diagnostic)) (test-diagnostics)))

(find-file (expand-file-name "recipe.yaml" (getenv "WORK")))
(yaml-mode)
(call-interactively #'eglot)
(flymake-mode 1)
(test-wait "the diagnostic" (lambda () (flymake-start) (test-has "grep")))
(goto-char (point-min))
(search-forward "grep -q PASS")
(replace-match "./judge")
;; Idle timers do not run in batch mode.
(eglot--signal-textDocument/didChange)
(test-wait "the finding to go" (lambda () (flymake-start) (not (test-has "grep"))))
(princ "emacs: ok\n")
(set-buffer-modified-p nil)
(kill-emacs 0)
