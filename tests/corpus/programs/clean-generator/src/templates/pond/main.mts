// A generator copies this folder to `.sandcastle` of another repository, where the prompt is.
import { run, claudeCode } from "@ai-hero/sandcastle";
import { docker } from "@ai-hero/sandcastle/sandboxes/docker";

await run({ agent: claudeCode("claude-haiku-4-5"), sandbox: docker(), promptFile: "./.sandcastle/prompt.md" });
