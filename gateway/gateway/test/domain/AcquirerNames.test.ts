/** Terminals must name acquirers that have an adapter. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as AcquirerNames from "../../src/merchants/AcquirerNames.ts"
import * as CheckedMerchants from "../../src/merchants/CheckedMerchants.ts"
import { Config } from "../../src/merchants/Directory.ts"

type Endpoint = (typeof Config.Encoded)[number]["endpoints"][number]

const problemsOf = (changes: Partial<Endpoint>, names: ReadonlySet<string> | undefined): ReadonlyArray<string> =>
  Result.getOrThrow(
    CheckedMerchants.check(
      Schema.decodeSync(Config)([
        { login: "shop", controlKeys: ["a key"], endpoints: [{ id: "7", currencies: ["USD", "EUR"], ...changes }] }
      ])
    )
  ).flatMap((merchant) => AcquirerNames.problems(merchant, names))

const tea = { mid: "TEA", acquirer: "tea-bank" }
const gone = "endpoint 7: the terminal TEA is of the acquirer tea-bank, which has no adapter"

describe("an endpoint", () => {
  it.each([
    ["without terminals has the acquirer without a name", {}, ["acquirer"], []],
    [
      "without terminals needs it",
      {},
      ["tea-bank"],
      ["endpoint 7: it has no terminal for USD, EUR, and no adapter has the name acquirer"]
    ],
    ["may name another", { terminals: [tea] }, ["tea-bank"], []],
    ["may name that without a name", { terminals: [{ ...tea, acquirer: "acquirer" }] }, ["acquirer"], []],
    ["may not name one without an adapter", { terminals: [tea] }, ["acquirer"], [gone]],
    [
      "needs an acquirer for each currency",
      { terminals: [{ ...tea, currencies: ["USD"] }] },
      ["tea-bank"],
      ["endpoint 7: it has no terminal for EUR, and no adapter has the name acquirer"]
    ],
    [
      "that is switched off may keep a terminal whose adapter is gone",
      { enabled: false, terminals: [tea] },
      ["acquirer"],
      []
    ],
    ["is not compared without adapters", { terminals: [tea] }, undefined, []]
  ] as const)("%s", (_, changes, names, expected) =>
    assert.deepStrictEqual(problemsOf({ ...changes }, names && new Set<string>(names)), [...expected])
  )
})
