// Outpost 9: the brief must show the tag, and the old names are gone.
import { dispatch, defineJsonResponse, defineTextResponse, response } from "@elie-laloum/outpost";
import { scout, repository, sandboxProvider } from "./outpost.config.ts";

const base = { repository, sandboxProvider, agent: scout };
const river = defineTextResponse({ tag: "river" });
const schema = (input: unknown) => input as { name: string };

await dispatch({ ...base, response: river, brief: { text: "Name a river." } }); //~ missing-output-tag
await dispatch({ ...base, response: river, brief: { text: "Name a river in <river>Chari</river>." } });
await dispatch({ ...base, response: river, brief: { file: "river.md", values: { COUNTRY: "Chad" } } }); //~ missing-output-tag
await dispatch({ ...base, brief: { text: "Name a river.", file: "river.md" } }); //~ invalid-value
await dispatch({ ...base, brief: {} }); //~ missing-field
await dispatch({ ...base, agent: { ...scout, resumable: false }, brief: { text: "<river></river>" }, response: defineTextResponse({ tag: "river", repairs: 1 }) }); //~ unresumable-retry
export const a = defineTextResponse({ tag: "river", repairs: 0.5 }); //~ invalid-value
export const b = defineJsonResponse({ tag: "river", schema, jsonSchema: "river.json" }); //~ invalid-value
export const c = defineJsonResponse({ tag: "river", schema });
export const d = response.json({ tag: "river", schema }); //~ unknown-reference
