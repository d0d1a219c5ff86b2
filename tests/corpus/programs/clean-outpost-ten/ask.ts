// No tag in the brief, a version that spans 9 and 10, and a dispatch that is another library's.
import { dispatch, defineAgentTask, defineTextResponse } from "@elie-laloum/outpost";
import { createStore } from "redux";
import { scout, repository, sandboxProvider } from "./outpost.config.ts";

const river = defineTextResponse({ tag: "river" });
await dispatch({ repository, sandboxProvider, agent: scout, response: river, brief: { text: "Name a river." } });
export const task = defineAgentTask({ key: "a", request: () => ({ agent: scout, response: river, brief: { text: "Name one." } }) });
createStore((state) => state).dispatch({ type: "brief", passes: 3 });
