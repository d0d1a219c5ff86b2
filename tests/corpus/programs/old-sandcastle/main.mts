// Retries came with 0.11.0: an older version drops the option in silence.
import { run, Output, claudeCode } from "@ai-hero/sandcastle";
import { docker } from "@ai-hero/sandcastle/sandboxes/docker";

const prompt = "Name a river in <river>Chari</river>.";
await run({ agent: claudeCode("x"), sandbox: docker(), prompt, output: Output.string({ tag: "river", maxRetries: 2 }) }); //~ unknown-field
