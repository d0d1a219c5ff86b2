// The range spans the version in which retries came, and no lock file says more.
import { run, Output, claudeCode } from "@ai-hero/sandcastle";
import { docker } from "@ai-hero/sandcastle/sandboxes/docker";

const prompt = "Name a river in <river>Chari</river>.";
await run({ agent: claudeCode("x"), sandbox: docker(), prompt, output: Output.string({ tag: "river", maxRetries: 2 }) });
