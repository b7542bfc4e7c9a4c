/** Which callbacks are sent now, as tables: `m/a` is a call of merchant m to server a. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CallbackTurns from "../../src/callbacks/CallbackTurns.ts"

/**
 * Plays steps: `+m/a` asks for a turn, `-m/a` ends a call with a quick answer, `~m/a` with a slow one or none, `?m/a` has no answer after a
 * second. Returns what was allowed (`m/a`) or refused (`!m/a`), in this order.
 */
const play = (turns: CallbackTurns.CallbackTurns, steps: string): ReadonlyArray<string> => {
  const results: Array<string> = []
  for (const step of steps.split(" ")) {
    const name = step.slice(1)
    const [merchantId = "", server = ""] = name.split("/")
    const call = { merchantId, server }
    if (step.startsWith("+"))
      Effect.runCallback(turns.enter(call), {
        onExit: (exit) => results.push(exit._tag === "Success" && exit.value ? name : `!${name}`)
      })
    if (step.startsWith("-")) turns.leave(call, CallbackTurns.slowMs - 1)
    if (step.startsWith("~")) turns.leave(call, CallbackTurns.slowMs)
    if (step.startsWith("?")) turns.isSlow(call)
  }
  return results
}

const rows: ReadonlyArray<readonly [what: string, steps: string, results: string]> = [
  ["a server gets its first call and the limit beyond it at once", "+m/a +m/a +m/a +m/a", "m/a m/a m/a"],
  ["a waiting call begins when another one ends", "+m/a +m/a +m/a +m/a -m/a", "m/a m/a m/a m/a"],
  ["a server without a call never waits", "+m/a +m/a +m/a +m/a +m/b +m/c", "m/a m/a m/a m/b m/c"],
  ["a merchant without a call never waits", "+m/a +m/a +m/a +m/a +n/a", "m/a m/a m/a n/a"],
  ["servers take turns", "+m/a +m/a +m/a +m/a +m/a +m/b +m/b ~m/a -m/b", "m/a m/a m/a m/b !m/a !m/a m/b"],
  [
    "merchants take turns, and their servers do",
    "+m/a +m/a +m/a +m/a +m/a +n/a +n/a -m/a -m/a -m/a -n/a",
    "m/a m/a m/a n/a m/a n/a m/a"
  ],
  ["a slow server has few calls", "+m/a ~m/a +m/a +m/a +m/a", "m/a m/a m/a !m/a"],
  ["the calls that wait for a server which is slow are put off", "+m/a +m/a +m/a +m/a ?m/a", "m/a m/a m/a !m/a"],
  ["slow servers take no place of others", "+m/a +m/a +m/a +m/b +m/b ?m/a", "m/a m/a m/a m/b m/b"],
  ["a quick answer ends the limit", "+m/a ~m/a +m/a +m/a -m/a +m/a +m/a", "m/a m/a m/a m/a m/a"],
  [
    "slow servers together have few calls beyond one each",
    "+m/a ~m/a +m/b ~m/b +m/a +m/b +m/a +m/b +m/b",
    "m/a m/b m/a m/b m/a m/b !m/b"
  ]
]

describe("callbacks to servers", () => {
  for (const [what, steps, results] of rows) {
    it(what, () => {
      assert.strictEqual(play(CallbackTurns.make({ limit: 2, callsToSlow: 2 }), steps).join(" "), results)
    })
  }

  it("250 silent servers of a merchant delay none of its other servers", () => {
    const dead = Array.from({ length: 250 }, (_, n) => `+m/dead${n} +m/dead${n} +m/dead${n}`).join(" ")
    const results = play(CallbackTurns.make({ limit: 63, callsToSlow: 8 }), `${dead} +m/alive`)
    assert.strictEqual(results.at(-1), "m/alive")
    assert.lengthOf(results, 250 + 63 + 1)
  })

  it("forgets the oldest slow server without a call if too many are slow", () => {
    const turns = CallbackTurns.make({ limit: 2, callsToSlow: 1, mostServers: 2 })
    play(turns, "+m/a ~m/a +m/b ~m/b +m/c ~m/c")
    assert.deepStrictEqual(play(turns, "+m/b +m/b +m/c +m/c +m/a +m/a"), ["m/b", "!m/b", "m/c", "!m/c", "m/a", "m/a"])
  })
})
