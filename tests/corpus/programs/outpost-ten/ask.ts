// Outpost 10 adds the instructions itself, and needs a JSON Schema for that.
import { defineJsonResponse } from "@elie-laloum/outpost";
import * as v from "valibot";
import { z } from "zod";

export const a = defineJsonResponse({ tag: "river", schema: (input) => input }); //~ missing-field
export const b = defineJsonResponse({ tag: "river", schema: v.object({ name: v.string() }) }); //~ missing-field
export const c = defineJsonResponse({ tag: "river", schema: z.object({ name: z.string() }) });
export const d = defineJsonResponse({ tag: "river", schema: (input) => input, jsonSchema: { type: "object" } });
