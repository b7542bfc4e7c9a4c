import { assert, describe, it } from "@effect/vitest"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer } from "effect"
import { inBusinessTime } from "./BusinessTime.ts"
import { byName } from "./Cases.ts"
import { type Alive, anew, type Death, deaths, lives } from "./Lives.ts"
import * as Shoppers from "./Shoppers.ts"

/** To a gateway that honours no keys each request is a new one. */
const keyless = Layer.effect(
  PayClient,
  Effect.map(PayClient, (client) =>
    PayClient.of({
      ...client,
      call: (operation, request, { idempotencyKey: _, ...options } = {}) => client.call(operation, request, options),
      believed: Effect.map(client.believed, ({ profile }) => ({
        isSteady: true,
        profile: { ...profile, honoursIdempotencyKey: false }
      }))
    })
  )
)

/** Each life records one request and ends with the next one sent and not recorded. */
const unrecorded: Death = (life, moment, done) => moment === "after" && done === Math.min(life, 1)

const processes: ReadonlyArray<readonly [name: string, death: Death, ends: string]> = [
  ["killed at every step", deaths.everywhere, "approved"],
  ["killed after every request", unrecorded, "approved"],
  ["killed at once", deaths.atOnce, "approved"]
]

const atBank = Effect.fnUntraced(function* (clientOrderId: string) {
  yield* Sandbox.settled
  const client = yield* PayClient
  const { "paynet-order-id": orderId } = yield* client.status({ client_orderid: clientOrderId })
  const { books } = yield* SandboxControl
  assert.deepStrictEqual((yield* Sandbox.parity).findings, [])
  return (yield* books.ofOrder(orderId)).map(({ request }) => `${request.kind} ${request.amountMinor}`)
})

describe.each(["Capture, a part", "Release", "GiveBack, a part"])("%s at a gateway without keys", (name) => {
  it.effect.each(processes)("the process $0: $2", ([, death, ends]) =>
    Effect.gen(function* () {
      const { begin, effects } = byName(name)
      const begun = yield* begin
      const alive: Alive = { open: Effect.void, rest: Effect.void }
      const inTime = <A, E, R>(life: Effect.Effect<A, E, R>) =>
        inBusinessTime(
          false,
          Effect.suspend(() => alive.rest)
        )(life.pipe(Effect.provide(keyless)))
      const { ended, path } = yield* inTime(lives(begun, alive, death))
      const seen = [ended]
      if (ended === "NeverHappened") {
        assert.deepStrictEqual(yield* atBank(begun.clientOrderId), effects.slice(0, 1))
        seen.push(yield* inTime(anew(begun, alive, path)))
      }
      assert.strictEqual(seen.join(", "), ends)
      assert.deepStrictEqual(yield* atBank(begun.clientOrderId), effects)
    }).pipe(Effect.provide(Layer.provideMerge(Shoppers.leaving, Sandbox.layer())))
  )
})
