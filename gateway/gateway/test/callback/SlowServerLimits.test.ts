import { assert, describe, it } from "@effect/vitest"
import * as SlowServerLimits from "../../src/callbacks/SlowServerLimits.ts"

/** `+a` starts a call to server a, `!a` is refused one, `-a` ends one with a quick answer, `~a` with a slow answer or none. */
const runSteps = (servers: SlowServerLimits.SlowServerLimits, steps: string) => {
  for (const step of steps.split(" ")) {
    const server = step.slice(1)
    if (step.startsWith("+")) assert.isTrue(servers.enter(server), `${step} in ${steps}`)
    if (step.startsWith("!")) assert.isFalse(servers.enter(server), `${step} in ${steps}`)
    if (step.startsWith("-")) servers.leave(server, 999)
    if (step.startsWith("~")) servers.leave(server, 1000)
  }
}

describe("concurrent callbacks to one server", () => {
  for (const [what, steps] of [
    ["are not limited while it is quick", "+a +a +a +a -a -a +a"],
    ["are limited after a slow answer", "+a ~a +a +a !a"],
    ["include the calls under way when they are limited", "+a +a +a ~a !a"],
    ["are not limited any more after a quick answer", "+a ~a +a +a !a -a +a +a +a"],
    ["do not limit calls to another server", "+a ~a +a +a !a +b +b +b"]
  ] as const) {
    it(what, () => runSteps(SlowServerLimits.make(2), steps))
  }

  it("lose their limit, the oldest first, if too many servers are slow", () => {
    const servers = SlowServerLimits.make(1, 2)
    runSteps(servers, "+a ~a +b ~b +c ~c")
    runSteps(servers, "+a +a +b !b +c !c")
  })
})
