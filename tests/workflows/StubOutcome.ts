/** One flow with one fault at the stub gateway: how it ended, and that no movement was made twice. */
import { assert } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Steps from "@pay/flows/Steps"
import type * as Profile from "@pay/transport/Profile"
import { Effect, Layer, Redacted } from "effect"
import type { PreparedRun } from "./Begun.ts"
import type { Case } from "./Case.ts"
import { type Alive, anew, type Death, lives } from "./Deaths.ts"
import { type Fault, faults } from "./Faults.ts"
import { cutOffEverywhere, endOf } from "./Interruptions.ts"
import { clientOrderId } from "./Requests.ts"
import * as StubContract from "./stub/StubContract.ts"
import * as StubDialect from "./stub/StubDialect.ts"
import type * as StubGateway from "./stub/StubGateway.ts"
import * as StubWorld from "./stub/StubWorld.ts"

/** A stub gateway, and what its merchant knows of it. */
export interface Gateway {
  readonly settings: StubGateway.Settings
  readonly profile: Profile.Name | Profile.Profile
}

export const faultOf = (name: string): Fault => {
  const result = faults.find((fault) => fault.name === name)
  assert(result !== undefined, `no fault is called ${name}`)
  return result
}

/** What the shop's callback address does. */
const listener = Effect.fnUntraced(function* ({ callbacks }: Pick<Fault, "callbacks">) {
  if (callbacks === "never") return undefined
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(StubContract.controlKey)] } })
  const receive = (url: string) => inbox.receive({ method: "GET", url, headers: {} })
  return Effect.fnUntraced(function* (url: string) {
    if (callbacks === "forged") {
      assert.strictEqual((yield* receive(url.replace("status=approved", "status=declined"))).status, 403)
    }
    yield* receive(url)
  })
})

/** Does at the page what it asks for, and comes back. */
const willing = ({ gateway }: StubWorld.StubWorld) =>
  Layer.succeed(CustomerBrowser, {
    send: ({ clientOrderId, nextAction }) =>
      Effect.suspend(() => {
        if (nextAction._tag === "Redirect") gateway.visit(nextAction.url)
        if (nextAction._tag === "Page") gateway.visit(StubDialect.addressOn(nextAction.html))
        return CustomerBrowsers.cameBack(clientOrderId, {})
      })
  })

const inOneLife = (prepared: PreparedRun, fault: Fault) => {
  const begun = endOf(prepared, fault)
  return fault.cutOff === true ? Effect.map(cutOffEverywhere(begun), ({ outcome }) => outcome) : begun
}

/** What was done at the bank, each once at most; all of it where the flow says so. */
const assertOnce = (world: StubWorld.StubWorld, { effects }: Case, ends: string) => {
  const booked = world.gateway.booked(clientOrderId)
  if (ends.endsWith("approved")) assert.deepStrictEqual(booked, effects, ends)
  const left = [...effects]
  for (const movement of booked) {
    const at = left.indexOf(movement)
    assert.notStrictEqual(at, -1, `${booked.join(", ")} where once was asked for ${effects.join(", ")}`)
    left.splice(at, 1)
  }
}

export const outcomeOf = ({ profile, settings }: Gateway, flow: Case, fault: Fault) =>
  Effect.suspend(() => {
    const world = StubWorld.make(settings, profile)
    const customerBrowser = fault.abandoned === true ? CustomerBrowsers.layerNone : willing(world)
    return Effect.gen(function* () {
      const begun = yield* flow.begin(world.settle)
      if (fault.line !== undefined) world.next(fault.line, begun.operation.path)
      world.refuseNext(fault.unreachable ?? 0)
      const ends = yield* fault.death === undefined
        ? Effect.gen(function* () {
            const deliver = yield* listener(fault)
            return [yield* world.inTime({ deliver, jumps: fault.clockJumps === true })(inOneLife(begun, fault))]
          })
        : inManyLives(world, begun, fault.death)
      yield* world.settle
      assertOnce(world, flow, ends.join(", "))
      assert.strictEqual(world.unmet(), 0)
      return ends.join(", ")
    }).pipe(
      Effect.provideService(Steps.Steps, Steps.makeMemory()),
      Effect.provide(Layer.merge(world.client, customerBrowser))
    )
  })

const inManyLives = Effect.fnUntraced(function* (world: StubWorld.StubWorld, begun: PreparedRun, death: Death) {
  const alive: Alive = { open: Effect.void, shut: Effect.void, rest: Effect.void }
  const inTime = world.inTime({ rest: Effect.suspend(() => alive.rest) })
  const { ended, path } = yield* inTime(lives(begun, alive, death))
  return ended === "NeverHappened" ? [ended, yield* inTime(anew(begun, alive, path))] : [ended]
})
