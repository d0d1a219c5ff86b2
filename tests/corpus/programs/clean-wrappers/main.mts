// Functions whose options look like those of run(), re-exports, a tag that comes from outside, prompts that are built.
import * as sandcastle from "@ai-hero/sandcastle";
import type { RunOptions } from "@ai-hero/sandcastle";
import { docker } from "@ai-hero/sandcastle/sandboxes/docker";
import { runWithExtraction } from "./shared.ts";
import path from "node:path";
import { z } from "zod";

export { run, Output } from "@ai-hero/sandcastle";
const { Output } = sandcastle;
const base = { agent: sandcastle.claudeCode("claude-haiku-4-5"), sandbox: docker() };
const output = Output.object({ tag: "river", schema: z.object({ name: z.string() }) });

await runWithExtraction({ ...base, promptFile: "work.md", extraction: "extraction.md", output });
export function again(options: RunOptions & { prompt?: string }, request: { tag: string }) {
  return Promise.all([
    sandcastle.run({ ...options, promptFile: undefined, prompt: options.prompt, output }),
    sandcastle.run({ ...base, promptFile: path.join(import.meta.dirname, "work.md"), output }),
    sandcastle.run({ ...base, prompt: build("river"), output }),
    sandcastle.run({ ...base, prompt: "Anything.", output: Output.string({ tag: request.tag }) }),
    sandcastle.run({ ...base, prompt: `Answer in ${request.tag}: <river></river>`, output }),
    sandcastle.run({ ...base, ...(request.tag ? { prompt: "a" } : { promptFile: "b.md" }) }),
  ]);
}

function build(tag: string) {
  const lines = ["Name a river."];
  lines.push(`<${tag}></${tag}>`);
  return lines.join("\n");
}
