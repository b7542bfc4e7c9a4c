import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Entity from "@pay/gateway/Entity"
import type { Range } from "@pay/gateway/Store"
import { statements } from "../src/Ddl.ts"
import { Find } from "../src/Find.ts"

const Holding = Entity.make("holdings", {
  columns: { id: Entity.text(), untilMs: Entity.integerOrNull },
  key: ["id"],
  index: { until: ["untilMs"] }
})

describe("null in an index of the store on SQLite", () => {
  const ranges: ReadonlyArray<readonly [range: Omit<Range, "limit">, expected: string]> = [
    [{}, "c a b"],
    [{ equals: [null] }, "c"],
    [{ to: 2 }, "a b"],
    [{ from: 1 }, "a b"],
    [{ from: null }, ""]
  ]

  it.each(ranges)("sorts first, and is in no range with a bound: %j", (range, result) => {
    const database = new DatabaseSync(":memory:")
    for (const sql of statements(Holding)) database.exec(sql)
    database.exec("INSERT INTO holdings (id, untilMs) VALUES ('b', 2), ('c', NULL), ('a', 1)")
    const prepare = (sql: string) => database.prepare(sql)
    const rows = new Find(Holding).run({ prepare, prepareBigInt: prepare }, "until", { limit: 9, ...range })
    assert.strictEqual(rows.map((row) => row.id).join(" "), result)
  })
})
