import { assert, describe, it } from "@effect/vitest"
import * as Show from "../../src/http/console/Show.ts"
import * as CommandLine from "../../src/operators/CommandLine.ts"
import { operations } from "../../src/operators/OperatorApi.ts"
import * as ConsoleSession from "../../src/signin/decide/ConsoleSession.ts"

const minute = 60_000
const hour = 60 * minute

describe("a session of the console", () => {
  it.each([
    ["at once", 0, 0, true],
    ["after 15 minutes without a request", 0, 15, true],
    ["after more than that", 0, 15.1, false],
    ["after 12 hours of work", 12 * 60 - 1, 12 * 60, true],
    ["after more than that", 12 * 60, 12 * 60 + 1, false],
    ["after the clock was set back a little", 0, -5, true],
    ["after the clock was set back by a day", 0, -24 * 60, false],
    ["after the clock was set forward by a day", 0, 24 * 60, false]
  ])("%s: used after %d min, asked after %d min: open is %s", (_, usedMin, nowMin, isOpen) => {
    const startedAtMs = 1_000 * hour
    const session = {
      sessionHash: "s",
      tokenHash: "t",
      version: 1,
      startedAtMs,
      codeAtMs: null,
      usedAtMs: startedAtMs + usedMin * minute
    }
    assert.strictEqual(ConsoleSession.isOpen(session, startedAtMs + nowMin * minute), isOpen)
  })
})

describe("a length of time", () => {
  it.each([
    [0, "0 s"],
    [999, "0 s"],
    [12_000, "12 s"],
    [2 * hour + 5 * minute + 9000, "2 h 5 min"],
    [2 * hour + 9000, "2 h"],
    [75 * hour, "3 d 3 h"]
  ])("of %d ms is %s", (ms, text) => assert.strictEqual(Show.duration(ms), text))
})

describe("a command that does the same", () => {
  it.each([
    [operations.searchOrders, { status: "unknown", limit: 50 }, "pay orders search --status unknown --limit 50"],
    [operations.searchOrders, { clientOrderId: "a b'c" }, `pay orders search --client-orderid 'a b'\\''c'`],
    [operations.searchOrders, { unknownForMs: 3_600_000 }, "pay orders search --unknown-for 3600s"],
    [operations.showOrder, { order: "1" }, "pay orders show 1"],
    [operations.refundOrder, { order: "1", comment: "$(reboot)" }, "pay orders refund 1 --comment '$(reboot)'"],
    [operations.inquireUnknown, { unknown: true }, "pay orders inquire --unknown"]
  ] as const)("of %o", (operation, input, command) => {
    assert.strictEqual(CommandLine.of(operation, input), command)
  })
})
