// Outpost 10 asks for the block itself: a brief that wants another end works against it.
import { defineTextResponse, dispatch } from "@elie-laloum/outpost";
import { agent, repository, sandboxProvider } from "./setup.ts";

const response = defineTextResponse({ tag: "river" });
const ask = { repository, sandboxProvider, agent, response };
await dispatch({ ...ask, brief: { text: "Name the river, and write <bank>left</bank> as the last line." } }); //~ multiple-output-contracts
await dispatch({ ...ask, brief: { text: "Name the river. Do not write <bank>left</bank> behind it." } });
await dispatch({ ...ask, brief: { text: "Name the river in <river>Po</river>." } });
