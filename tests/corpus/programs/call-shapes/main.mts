// Calls that are refused for their shape alone.
import { run, Output, claudeCode } from "@ai-hero/sandcastle";
import { docker } from "@ai-hero/sandcastle/sandboxes/docker";
import { z } from "zod";

const base = { agent: claudeCode("claude-haiku-4-5"), sandbox: docker() };
const first = { ...base, promptFile: "rivers.md", promptArgs: { COUNTRY: "Chad" } };
const prompt = "Name a river in <river>Chari</river>.";

await run({ ...first, prompt: "Once more, please.", promptArgs: {} }); //~ invalid-value
await run({ ...first, prompt: "Once more, please.", promptFile: undefined, promptArgs: {} });
await run({ ...base, name: "nothing to say" }); //~ missing-field
await run({ ...base, prompt, output: { tag: "river" } as any }); //~ invalid-value
await run({ ...base, prompt, output: Output.string({ tag: "river", maxRetries: -1 }) }); //~ invalid-value
await run({ ...base, prompt, output: Output.string({ tag: "river", maxRetries: 1.5 }) }); //~ invalid-value
await run({ ...base, prompt, output: Output.string({ tag: "river", maxRetries: "2" as any }) }); //~ invalid-value
await run({ ...base, prompt, output: Output.string({ tag: "river", maxRetries: 0 }) });
await run({ ...first, output: Output.object({ tag: "river", schema: z.object({}) }) }); //~ missing-output-tag
