import { expect, it } from "@effect/vitest"
import * as Suggestion from "../src/Suggestion.ts"

const existing = ["sale", "sale-form", "status", "capture", "v4/payout"]

it.each([
  ["sael", "sale"],
  ["SALE", "sale"],
  ["sale-from", "sale-form"],
  ["satus", "status"],
  ["statuss", "status"],
  ["cpature", "capture"],
  ["v4payout", "v4/payout"],
  ["B17F59B4", undefined],
  ["xyz", undefined],
  ["", undefined]
])("for the unknown name %j, the suggestion is %j", (typed, meant) =>
  expect(Suggestion.closest(typed, existing)).toBe(meant)
)
