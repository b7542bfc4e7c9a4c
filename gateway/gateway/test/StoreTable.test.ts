import { assert, describe, it } from "@effect/vitest"
import * as Entity from "../src/kernel/Entity.ts"
import type { Range } from "../src/kernel/Store.ts"
import * as StoreTable from "../src/kernel/StoreTable.ts"

const Holding = Entity.make("holdings", {
  columns: { id: Entity.text(), untilMs: Entity.integerOrNull },
  key: ["id"],
  index: { until: ["untilMs"] }
})

describe("null in an index of the store in memory", () => {
  const ranges: ReadonlyArray<readonly [range: Omit<Range, "limit">, expected: string]> = [
    [{}, "c a b"],
    [{ equals: [null] }, "c"],
    [{ to: 2 }, "a b"],
    [{ from: 1 }, "a b"],
    [{ from: null }, ""]
  ]

  it.each(ranges)("sorts first, and is in no range with a bound: %j", (range, result) => {
    const table = StoreTable.make(Holding)
    for (const [id, untilMs] of [
      ["b", 2],
      ["c", null],
      ["a", 1]
    ] as const) {
      StoreTable.put(table, { id, untilMs })
    }
    const rows = StoreTable.find(table, Holding, "until", { limit: 9, ...range })
    assert.strictEqual(rows.map((row) => row.id).join(" "), result)
  })
})
