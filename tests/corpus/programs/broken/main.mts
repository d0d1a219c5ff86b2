// Half-typed: the calls that can be read are checked all the same.
import { interactive, Output, claudeCode } from "@ai-hero/sandcastle";

await interactive({ agent: claudeCode("x"), prompt: "<a></a>", output: Output.string({ tag: "a" }) }); //~ output-on-interactive

const half = { a: ; //~ invalid-yaml
