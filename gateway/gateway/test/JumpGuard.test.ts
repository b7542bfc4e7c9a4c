import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Clocks from "../../../packages/schema/test/Clocks.ts"
import * as ClockTrust from "../src/kernel/ClockTrust.ts"
import * as JumpGuard from "../src/kernel/JumpGuard.ts"

const secondMs = 1000
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = Date.UTC(2026, 10, 22, 8)

/** A machine whose clock can be set, which can sleep, and which can be stopped by its host without its uptime noticing. */
const machine = () => {
  const is = { atMs: startMs, upMs: hourMs, awakeMs: 0 }
  const clock = Clocks.make({
    nowMs: () => is.atMs,
    monotonicNanos: () => BigInt(is.awakeMs) * 1_000_000n,
    sleep: () => Effect.never
  })
  return {
    clock,
    uptimeMs: () => is.upMs,
    pass: (ms: number) => {
      is.atMs += ms
      is.upMs += ms
      is.awakeMs += ms
    },
    set: (byMs: number) => {
      is.atMs += byMs
    },
    sleep: (ms: number) => {
      is.atMs += ms
      is.upMs += ms
    }
  }
}

/** What happens to a gateway and its clocks. `database` and `bank` are the times of these clocks, from the right time. */
type Step =
  | { readonly pass: number }
  | { readonly set: number }
  | { readonly sleep: number }
  | { readonly database: number }
  | { readonly bank: number }

const rows: ReadonlyArray<{
  readonly name: string
  /** The last commit before the start, from the start. Absent: the store is new. */
  readonly lastCommit?: number
  readonly acceptedBy?: string
  readonly steps: ReadonlyArray<Step>
  /** The time in the end, from the right time; and whether dated work may begin. */
  readonly error: number
  readonly trusted: boolean
}> = [
  { name: "a new store", steps: [{ pass: hourMs }], error: 0, trusted: true },
  {
    name: "a start soon after the last commit",
    lastCommit: -hourMs,
    steps: [{ pass: 40 * dayMs }],
    error: 0,
    trusted: true
  },
  {
    name: "a correction by a time server",
    lastCommit: 0,
    steps: [{ set: 50 * secondMs }],
    error: 50 * secondMs,
    trusted: true
  },
  { name: "a jump of 35 days", lastCommit: 0, steps: [{ set: 35 * dayMs }], error: 0, trusted: false },
  {
    name: "a jump of 35 days for four seconds",
    lastCommit: 0,
    steps: [{ set: 35 * dayMs }, { pass: 4 * secondMs }, { set: -35 * dayMs }],
    error: 0,
    trusted: true
  },
  {
    name: "a jump of an hour for four seconds, twice",
    lastCommit: 0,
    steps: [{ set: hourMs }, { pass: 2000 }, { set: hourMs }, { pass: 2000 }, { set: -2 * hourMs }],
    error: 0,
    trusted: true
  },
  { name: "three days of sleep", lastCommit: 0, steps: [{ sleep: 3 * dayMs }], error: 0, trusted: true },
  {
    name: "thirty seconds of sleep each minute",
    lastCommit: 0,
    steps: Array.from({ length: 200 }, () => [{ sleep: 30 * secondMs }, { pass: 30 * secondMs }]).flat(),
    error: 0,
    trusted: true
  },
  {
    name: "a clock that goes at double speed",
    lastCommit: 0,
    steps: Array.from({ length: 200 }, () => [{ set: minuteMs }, { pass: minuteMs }]).flat(),
    error: secondMs,
    trusted: false
  },
  {
    name: "a machine that its host resumed after three days, and whose database agrees",
    lastCommit: 0,
    steps: [{ set: 3 * dayMs }, { pass: secondMs }, { database: 3 * dayMs }],
    error: 3 * dayMs,
    trusted: true
  },
  {
    name: "a machine that its host resumed after three days, and whose bank agrees",
    lastCommit: 0,
    steps: [{ set: 3 * dayMs }, { pass: secondMs }, { bank: 3 * dayMs + secondMs }],
    error: 3 * dayMs,
    trusted: true
  },
  {
    name: "a jump that the database contradicts",
    lastCommit: 0,
    steps: [{ set: 35 * dayMs }, { database: 0 }],
    error: 0,
    trusted: false
  },
  {
    name: "a bank whose answer has no time",
    lastCommit: 0,
    steps: [{ set: dayMs }, { bank: Number.NaN }],
    error: 0,
    trusted: false
  },
  { name: "a start long after the last commit", lastCommit: -3 * dayMs, steps: [], error: 0, trusted: false },
  {
    name: "a start long after the last commit, by an operator's word",
    lastCommit: -3 * dayMs,
    acceptedBy: "tester",
    steps: [],
    error: 0,
    trusted: true
  },
  {
    name: "a start long after the last commit, when the bank agrees",
    lastCommit: -3 * dayMs,
    steps: [{ bank: 0 }, { pass: dayMs }],
    error: 0,
    trusted: true
  },
  {
    name: "a start of one process with a wrong clock beside others",
    lastCommit: -35 * dayMs,
    steps: [{ database: -35 * dayMs }],
    error: -35 * dayMs,
    trusted: false
  },
  {
    name: "a start of one process with a wrong clock, which is then set right",
    lastCommit: -35 * dayMs,
    steps: [{ database: -35 * dayMs }, { pass: hourMs }, { set: -35 * dayMs }],
    error: -35 * dayMs,
    trusted: true
  },
  {
    name: "a start of one process that is twenty hours ahead, soon after the last commit",
    lastCommit: -21 * hourMs,
    steps: [{ database: -20 * hourMs }],
    error: 0,
    trusted: false
  },
  {
    name: "a start of one process that is twenty hours ahead, until its clock is set",
    lastCommit: -21 * hourMs,
    steps: [{ database: -20 * hourMs }, { set: -20 * hourMs }, { database: -20 * hourMs }],
    error: -20 * hourMs,
    trusted: true
  },
  {
    name: "a start of one process that differs from the database, by an operator's word",
    lastCommit: -21 * hourMs,
    acceptedBy: "tester",
    steps: [{ database: -20 * hourMs }],
    error: 0,
    trusted: true
  },
  {
    name: "a bank whose time differs for a moment",
    lastCommit: -hourMs,
    steps: [{ bank: 20 * hourMs }],
    error: 0,
    trusted: true
  },
  {
    name: "a start in 1970, which the database corrects",
    lastCommit: 56 * 365 * dayMs,
    steps: [{ database: 56 * 365 * dayMs }],
    error: 56 * 365 * dayMs,
    trusted: false
  },
  {
    name: "a start in 1970, whose clock is then set",
    lastCommit: 56 * 365 * dayMs,
    steps: [{ database: 56 * 365 * dayMs }, { set: 56 * 365 * dayMs }],
    error: 56 * 365 * dayMs,
    trusted: true
  },
  {
    name: "a start in 1970, whose clock is then set, without another clock",
    lastCommit: 56 * 365 * dayMs - hourMs,
    steps: [{ set: 56 * 365 * dayMs }],
    error: 56 * 365 * dayMs,
    trusted: true
  },
  {
    name: "a start in 1970, whose clock is then set to a wrong time",
    lastCommit: 56 * 365 * dayMs - hourMs,
    steps: [{ set: 57 * 365 * dayMs }],
    error: 0,
    trusted: false
  },
  {
    name: "a clock that is set back by two hours, and later set right",
    lastCommit: 0,
    steps: [{ set: -2 * hourMs }, { pass: hourMs }, { set: 2 * hourMs }],
    error: 0,
    trusted: true
  },
  {
    name: "a clock that is set back by two hours, and then three hours forward",
    lastCommit: 0,
    steps: [{ set: -2 * hourMs }, { pass: hourMs }, { set: 3 * hourMs }],
    error: 0,
    trusted: false
  },
  {
    name: "a clock that is set back by two days, and then forward again",
    lastCommit: 0,
    steps: [{ set: -2 * dayMs }, { pass: hourMs }, { set: 2 * dayMs }],
    error: -2 * dayMs,
    trusted: false
  },
  {
    name: "a clock that goes forward by 59 seconds each minute",
    lastCommit: 0,
    steps: Array.from({ length: 200 }, () => [{ set: 59 * secondMs }, { pass: minuteMs }]).flat(),
    error: secondMs,
    trusted: false
  },
  { name: "a store with commits of the future", lastCommit: 35 * dayMs, steps: [], error: 0, trusted: false },
  {
    name: "a store with commits of the future, when the bank agrees",
    lastCommit: 35 * dayMs,
    steps: [{ bank: 0 }],
    error: 0,
    trusted: true
  }
]

describe("the time by which a gateway works", () => {
  it.each(rows)("is right, or nothing that a date alone causes is done: $name", (row) => {
    const { clock, pass, set, sleep, uptimeMs } = machine()
    const guard = JumpGuard.make(clock, { uptimeMs })
    const { lastCommit, steps } = row
    const trust = ClockTrust.make(guard, row)
    guard.currentTimeMillisUnsafe()
    trust.start(lastCommit === undefined ? undefined : startMs + lastCommit)
    let rightMs = startMs
    const clockOf = (byMs: number) => rightMs + byMs
    for (const step of steps) {
      if ("pass" in step) {
        rightMs += step.pass
        pass(step.pass)
      } else if ("sleep" in step) {
        rightMs += step.sleep
        sleep(step.sleep)
      } else if ("set" in step) set(step.set)
      else if ("database" in step) trust.observe("database", clockOf(step.database))
      else trust.observe("bank", clockOf(step.bank))
      guard.measure()
      trust.isTrusted()
    }
    assert.deepStrictEqual(
      { error: guard.currentTimeMillisUnsafe() - rightMs, trusted: trust.isTrusted() },
      { error: row.error, trusted: row.trusted }
    )
  })
})
