import { assert, describe, it } from "@effect/vitest"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Layer } from "effect"
import * as Clocks from "../../packages/schema/test/Clocks.ts"
import { inBusinessTime } from "./BusinessTime.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"
import { type KillPlan, type ProcessHandle, runUntilEnd } from "./Kills.ts"
import { preparedRunAs } from "./PreparedRun.ts"
import { greet } from "./Requests.ts"
import { atBank, Trip, tripOf } from "./Trip.ts"

const { CAPTURE, PREAUTH, VOID } = PayApi.operations
const captured = "authorize 1042, capture 1042"
const voided = "authorize 1042, void 1042"
const declined = "authorize 1042"
const none = "no order"

/** Kills the first process at this moment: before or after a request, or while the flow waits. */
const killAt = (moment: number): KillPlan => {
  let reached = 0
  return (process) => process === 0 && reached++ === moment
}

/** Kills 30 processes, each after 0 to 7 moments. */
const killOften = (seed: number): KillPlan => {
  let state = seed
  let left = 0
  let killed = -1
  return (process) => {
    if (process >= 30) return false
    if (process !== killed) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      left = Math.floor(state / 65_536) % 8
      killed = process
    }
    left -= 1
    return left < 0
  }
}

type Prepare = Effect.Effect<void, never, Sandbox.Services>

/** A runner of a cluster looks for its work from time to time, so it comes to rest only while time advances. */
const aMoment = Effect.replicateEffect(Clocks.turn, 10)

const killed = (on: "cluster" | "file", prepare: Prepare, killPlan: KillPlan) =>
  Effect.gen(function* () {
    yield* greet
    yield* prepare
    const { answerWith } = yield* Sandbox.Inbox
    const shut = answerWith(() => Effect.succeed(503))
    const handle: ProcessHandle = { start: Effect.void, close: shut, rest: Effect.void }
    const rest = Effect.suspend(() => handle.rest)
    const inTime = inBusinessTime(false, on === "file" ? rest : Effect.raceFirst(rest, aMoment))
    const run = preparedRunAs(Trip, yield* tripOf("trip-7"), (orders) => orders.map(({ status }) => status).join())
    const engine = on === "file" ? run.engine : run.cluster
    const { ended, kills } = yield* inTime(runUntilEnd({ ...run, engine }, handle, killPlan))
    const booked = yield* atBank()
    assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    return { ended, booked, kills }
  }).pipe(Effect.provide(Layer.provideMerge(CustomerBrowsers.abandoning, Sandbox.layer())))

const decline = Effect.flatMap(SandboxControl, ({ next }) =>
  next("authorize", { verdict: { _tag: "Decline", code: 116, message: "Not sufficient funds" } })
)
const spoiled = (fault: Sandbox.Fault, path: string) =>
  Effect.flatMap(Sandbox.SimulatedNetwork, ({ next }) => next(fault, { path }))

/** The security code is not stored, so a trip whose process is killed before its last authorization was sent releases the others. */
const released = { NeverHappened: [voided, none] }

const rows: ReadonlyArray<
  readonly [scenario: string, prepare: Prepare, ends: Readonly<Record<string, ReadonlyArray<string>>>]
> = [
  ["captures each amount once", Effect.void, { ...released, "approved,approved,approved": [captured] }],
  [
    "releases the others if one is declined",
    decline,
    { NeverHappened: [voided, none, declined], Declined: [declined, voided, none] }
  ],
  [
    "releases the others if one is declined and answers to voids are lost",
    Effect.andThen(decline, Effect.andThen(spoiled("answerLost", VOID.path), spoiled("requestLost", VOID.path))),
    { NeverHappened: [voided, none, declined], Declined: [declined, voided, none] }
  ],
  [
    "releases the others if the answers to an authorization and a capture are lost",
    Effect.andThen(spoiled("answerLost", PREAUTH.path), spoiled("answerLost", CAPTURE.path)),
    { ...released, "approved,approved,approved": [captured] }
  ],
  [
    "goes on if the gateway is killed, too",
    Effect.andThen(spoiled("gatewayRestarts", PREAUTH.path), spoiled("gatewayRestarts", CAPTURE.path)),
    { ...released, "approved,approved,approved": [captured] }
  ]
]

const assertEnd = (
  ends: Readonly<Record<string, ReadonlyArray<string>>>,
  { booked, ended }: { readonly booked: ReadonlyArray<string>; readonly ended: string }
) => {
  const allowed = ends[ended]
  assert(allowed !== undefined && booked.every((entry) => allowed.includes(entry)), `${ended}: ${booked.join("; ")}`)
}

for (const on of ["file", "cluster"] as const)
  describe(`a trip of three suppliers on a ${on} engine`, () => {
    for (const [scenario, prepare, ends] of rows) {
      it.effect(`killed at each step: ${scenario}`, () =>
        Effect.gen(function* () {
          for (let moment = 0; ; moment += 1) {
            const end = yield* killed(on, prepare, killAt(moment))
            assertEnd(ends, end)
            if (end.kills === 0) return assert.isAbove(moment, 20)
          }
        })
      )
      it.effect(`killed again and again: ${scenario}`, () =>
        Effect.gen(function* () {
          for (const seed of [1, 2]) assertEnd(ends, yield* killed(on, prepare, killOften(seed)))
        })
      )
    }
  })
