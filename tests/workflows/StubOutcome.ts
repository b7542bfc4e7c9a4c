/** Runs one flow with one fault at the stub gateway: how it ends, and that no movement is made twice. */
import { assert } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import type * as Profile from "@pay/transport/Profile"
import { Effect, Layer, Redacted } from "effect"
import * as Clocks from "../../packages/schema/test/Clocks.ts"
import { temporaryFile } from "../../packages/sqlite/test/TemporaryFolder.ts"
import type { Case } from "./Cases.ts"
import { type Fault, faults } from "./Faults.ts"
import { cutOffEverywhere, endOf, startedTwice } from "./Interruptions.ts"
import { type KillPlan, type ProcessHandle, runUntilEnd, startAgain } from "./Kills.ts"
import type { PreparedRun } from "./PreparedRun.ts"
import { clientOrderId } from "./Requests.ts"
import * as StubConnection from "./stub/StubConnection.ts"
import * as StubContract from "./stub/StubContract.ts"
import * as StubDialect from "./stub/StubDialect.ts"
import type * as StubGateway from "./stub/StubGateway.ts"

/** A stub gateway, and the profile that its merchant has of it. */
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

/** A customer who does what the page asks for, and returns. */
const cooperative = ({ gateway }: StubConnection.StubConnection) =>
  Layer.succeed(CustomerBrowser, {
    send: ({ clientOrderId, nextAction }) =>
      Effect.suspend(() => {
        if (nextAction._tag === "Redirect") gateway.visit(nextAction.url)
        if (nextAction._tag === "Page") gateway.visit(StubDialect.addressOn(nextAction.html))
        return CustomerBrowsers.cameBack(clientOrderId, {})
      })
  })

const inOneProcess = (prepared: PreparedRun, fault: Fault) => {
  const end = endOf(prepared, fault)
  return fault.cutOff === true ? Effect.map(cutOffEverywhere(end), ({ outcome }) => outcome) : end
}

/** Asserts that the bank made each movement once at most, and all of them if the flow ends approved. */
const assertOnce = (connection: StubConnection.StubConnection, { effects }: Case, ends: string) => {
  const booked = connection.gateway.booked(clientOrderId)
  if (ends.endsWith("approved")) assert.deepStrictEqual(booked, effects, ends)
  const left = [...effects]
  for (const movement of booked) {
    const at = left.indexOf(movement)
    assert.notStrictEqual(at, -1, `${booked.join(", ")} where once was asked for ${effects.join(", ")}`)
    left.splice(at, 1)
  }
}

/** `on`: the engine of a fault that kills no process. */
export const outcomeOf = (
  { profile, settings }: Gateway,
  flow: Case,
  fault: Fault,
  { on = "memory" }: { readonly on?: "memory" | "file" } = {}
) =>
  Effect.suspend(() => {
    const connection = StubConnection.make(settings, profile)
    const customerBrowser = fault.abandoned === true ? CustomerBrowsers.layerNone : cooperative(connection)
    return Effect.gen(function* () {
      const prepared = yield* flow.begin(connection.settle)
      if (fault.line !== undefined) yield* connection.next(fault.line, { path: prepared.operation.path })
      yield* connection.refuseNext(fault.unreachable ?? 0)
      const ends = yield* fault.killPlan === undefined
        ? on !== "memory"
          ? onFile(connection, prepared, fault)
          : Effect.gen(function* () {
              const deliver = yield* listener(fault)
              return [
                yield* connection.inTime({ deliver, jumps: fault.clockJumps === true })(inOneProcess(prepared, fault))
              ]
            })
        : inManyProcesses(connection, prepared, fault.killPlan)
      yield* connection.settle
      assertOnce(connection, flow, ends.join(", "))
      assert.strictEqual(yield* connection.unmet, 0)
      return ends.join(", ")
    }).pipe(
      Effect.provide(FlowEngine.layerMemory, { local: true }),
      Effect.provide(Layer.merge(connection.client, customerBrowser))
    )
  })

/** In these turns the engine of a file has come to rest. */
const manyTurns = Effect.asVoid(Effect.replicateEffect(Clocks.turn, 40))

/** Runs the flow on a file. A flow that never happened, or was not sent, is started again. */
const onFile = Effect.fnUntraced(function* (
  connection: StubConnection.StubConnection,
  begun: PreparedRun,
  fault: Fault
) {
  const prepared = fault.twice === true ? startedTwice(begun) : begun
  const path = yield* temporaryFile
  let receive: ((url: string) => Effect.Effect<void>) | undefined
  const run = Effect.gen(function* () {
    const deliver = yield* listener(fault)
    receive = deliver
    const again = Effect.andThen(prepared.start, prepared.ended)
    const end = yield* again
    if (end === "Unreachable") return [yield* again]
    return end === "NeverHappened" ? [end, yield* again] : [end]
  })
  return yield* connection.inTime({
    deliver: (url) => Effect.suspend(() => receive?.(url) ?? Effect.void),
    jumps: fault.clockJumps === true,
    rest: manyTurns
  })(Effect.provide(run, prepared.engine(path), { local: true }))
})

const inManyProcesses = Effect.fnUntraced(function* (
  connection: StubConnection.StubConnection,
  prepared: PreparedRun,
  killPlan: KillPlan
) {
  const handle: ProcessHandle = { start: Effect.void, close: Effect.void, rest: Effect.void }
  const inTime = connection.inTime({ rest: Effect.suspend(() => handle.rest) })
  const { ended, path } = yield* inTime(runUntilEnd(prepared, handle, killPlan))
  return ended === "NeverHappened" ? [ended, yield* inTime(startAgain(prepared, handle, path))] : [ended]
})
