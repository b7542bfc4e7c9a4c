import { assert, describe, it } from "@effect/vitest"
import * as SlowServers from "../../src/callbacks/SlowServers.ts"

/** `+a` calls a server, `!a` is refused to, `-a` has a quick answer, `~a` a slow one or none. */
const play = (servers: SlowServers.SlowServers, story: string) => {
  for (const step of story.split(" ")) {
    const server = step.slice(1)
    if (step.startsWith("+")) assert.isTrue(servers.enter(server), `${step} in ${story}`)
    if (step.startsWith("!")) assert.isFalse(servers.enter(server), `${step} in ${story}`)
    if (step.startsWith("-")) servers.leave(server, 999)
    if (step.startsWith("~")) servers.leave(server, 1000)
  }
}

describe("calls to one server at once, two where it is slow", () => {
  for (const [what, story] of [
    ["are as many as come while it is quick", "+a +a +a +a -a -a +a"],
    ["are two after a slow answer", "+a ~a +a +a !a"],
    ["count those that are under way", "+a +a +a ~a !a"],
    ["are free again after a quick answer", "+a ~a +a +a !a -a +a +a +a"],
    ["concern no other server", "+a ~a +a +a !a +b +b +b"]
  ] as const) {
    it(what, () => play(SlowServers.make(2), story))
  }

  it("are forgotten where too many servers are slow, the oldest first", () => {
    const servers = SlowServers.make(1, 2)
    play(servers, "+a ~a +b ~b +c ~c")
    play(servers, "+a +a +b !b +c !c")
  })
})
