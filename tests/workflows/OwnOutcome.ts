/** Runs one flow with one fault at our own gateway: how it ends, and that the bank's books and ours agree. */
import { assert } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Dialect } from "@pay/schema/Dialect"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Redacted, Result } from "effect"
import * as Clocks from "../../packages/schema/test/Clocks.ts"
import { temporaryFile } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { inBusinessTime } from "./BusinessTime.ts"
import type { Case } from "./Cases.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"
import type { Fault } from "./Faults.ts"
import { cutOffEverywhere, endOf, interruptedEverywhere, startedTwice } from "./Interruptions.ts"
import { type KillPlan, killPlans, type ProcessHandle, runUntilEnd, startAgain } from "./Kills.ts"
import type { PreparedRun } from "./PreparedRun.ts"
import { greet, serverCallbackUrl } from "./Requests.ts"

/** Opens the shop's callback address. */
const listen = Effect.fnUntraced(function* ({ callbacks }: Pick<Fault, "callbacks">, dialect: Dialect) {
  if (callbacks === "never") return
  const { answerWith } = yield* Sandbox.Inbox
  const merchant = dialect === "json" ? Sandbox.merchant : Sandbox.olderMerchant
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(merchant.controlKey)] } })
  const receive = (url: string, headers: Readonly<Record<string, string>>) =>
    Clocks.inWallTime(inbox.receive({ method: "GET", url, headers }))
  yield* answerWith(
    Effect.fnUntraced(function* ({ headers, url }) {
      if (callbacks === "forged") {
        const forged = url.replace(/status=\w+/, (report) =>
          report === "status=approved" ? "status=declined" : "status=approved"
        )
        assert.strictEqual((yield* receive(forged, headers)).status, 403)
      }
      return (yield* receive(url, headers)).status
    })
  )
})

const meet = Effect.fnUntraced(function* ({ operation }: PreparedRun, { line, unreachable = 0 }: Fault) {
  const { next, refuseNext } = yield* Sandbox.SimulatedNetwork
  if (line !== undefined) yield* next(line, { path: operation.path })
  yield* refuseNext(unreachable)
})

/** Asserts that the bank booked each effect once and nothing else, that the books agree, and that status shows the flow's outcome. */
const assertOnce = Effect.fnUntraced(function* (clientOrderId: string, outcome: string, { effects }: Case) {
  yield* Sandbox.settled
  const { books, violations } = yield* SandboxControl
  const client = yield* PayClient
  const rail = yield* RailControl
  const result = yield* client
    .status({ client_orderid: clientOrderId })
    .pipe(Effect.retry({ while: ({ retryable }) => retryable, times: 1 }), Effect.result)
  if (outcome === "NeverHappened") {
    assert(Result.isFailure(result) && result.failure._tag === "Refused", "the gateway has no such order")
  } else {
    const { "paynet-order-id": orderId, status } = yield* Effect.fromResult(result)
    assert.strictEqual(status, outcome === "approved" ? "approved" : "declined")
    const booked = [...(yield* books.ofOrder(orderId)), ...(yield* rail.books.ofOrder(orderId))].map(
      ({ request }) => `${request.kind} ${request.amountMinor}`
    )
    assert.deepStrictEqual(booked, outcome === "approved" ? effects : [])
  }
  assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
  assert.deepStrictEqual([...(yield* violations), ...(yield* rail.violations)], [])
})

/** Asserts that the fault occurred: a column without its fault would prove nothing. */
const assertMet = Effect.fnUntraced(function* ({ isAtOnce }: Case) {
  const { unmet } = yield* Sandbox.SimulatedNetwork
  assert.strictEqual(yield* unmet, 0)
  const { arrived } = yield* Sandbox.Inbox
  const report = (yield* arrived).filter(({ url }) => url.startsWith(serverCallbackUrl))
  assert.strictEqual(report.length > 0, isAtOnce !== true, "callbacks")
})

/** Runs the flow in memory, in one process. */
const inOneProcess = (prepared: PreparedRun, fault: Fault) => {
  const { clockJumps, cutOff } = fault
  const end = endOf(prepared, fault)
  const run =
    cutOff === true
      ? Effect.map(cutOffEverywhere(end), ({ cuts, outcome }) => {
          assert.isAtLeast(cuts, 2)
          return outcome
        })
      : end
  return inBusinessTime(clockJumps === true)(run)
}

/** In these turns a runner of a cluster has come to rest: it waits for no timer, and its file answers at once. */
const manyTurns = Effect.asVoid(Effect.replicateEffect(Clocks.turn, 40))

/** Runs the flow on a cluster of one runner. A flow that never happened, or was not sent, is started again. */
const onCluster = Effect.fnUntraced(function* ({ cluster, ended, start }: PreparedRun, { clockJumps }: Fault) {
  const path = yield* temporaryFile
  const run = Effect.andThen(start, ended)
  const both = Effect.gen(function* () {
    const end = yield* run
    if (end === "Unreachable") return [yield* run]
    return end === "NeverHappened" ? [end, yield* run] : [end]
  })
  return yield* inBusinessTime(clockJumps === true, manyTurns)(Effect.provide(both, cluster(path), { local: true }))
})

type Listening = ReturnType<typeof listen>

/** Runs the flow on a durable engine whose process is killed. A flow that never happened is started again, and happens. */
const inManyProcesses = Effect.fnUntraced(function* (
  prepared: PreparedRun,
  flow: Case,
  listening: Listening,
  killPlan: KillPlan,
  clockJumps: boolean
) {
  const inbox = yield* Sandbox.Inbox
  const handle: ProcessHandle = {
    start: Effect.provideService(listening, Sandbox.Inbox, inbox),
    close: inbox.answerWith(() => Effect.succeed(503)),
    rest: Effect.void
  }
  const inTime = inBusinessTime(
    clockJumps,
    Effect.suspend(() => handle.rest)
  )
  const { ended, kills, path } = yield* inTime(runUntilEnd(prepared, handle, killPlan))
  assert.strictEqual(kills > 0, killPlan !== killPlans.never)
  if (ended === "Unreachable") return [yield* inTime(startAgain(prepared, handle, path))]
  if (ended !== "NeverHappened") return [ended]
  yield* assertOnce(prepared.clientOrderId, ended, flow)
  return [ended, yield* inTime(startAgain(prepared, handle, path))]
})

/** Runs the flow on an engine that stores its steps, begun twice or interrupted if the fault says so. */
const onStored = Effect.fnUntraced(function* <E, R>(
  begun: PreparedRun,
  fault: Fault,
  { isAtOnce }: Case,
  run: (prepared: PreparedRun) => Effect.Effect<Array<string>, E, R>
) {
  if (fault.twice === true) return yield* run(startedTwice(begun))
  if (fault.cutOff !== true) return yield* run(begun)
  const { cuts, prepared } = interruptedEverywhere(begun)
  const ends = yield* run(prepared)
  // A flow that is answered at once does not wait, and is not interrupted.
  assert.strictEqual(cuts() > 0, isAtOnce !== true)
  return ends
})

/** How the flow ends with the fault; `flow` is one of the dialect. `on`: the engine. */
export const outcomeOf = (
  flow: Case,
  fault: Fault,
  { dialect = "json", on = "memory" }: { readonly dialect?: Dialect; readonly on?: "memory" | "file" | "cluster" } = {}
) =>
  Effect.gen(function* () {
    yield* greet
    const listening = listen(fault, dialect)
    yield* listening
    const prepared = yield* flow.begin(Sandbox.settled)
    yield* meet(prepared, fault)
    const { clockJumps = false, killPlan = on === "file" ? killPlans.never : undefined } = fault
    const ends =
      killPlan !== undefined
        ? yield* onStored(prepared, fault, flow, (run) => inManyProcesses(run, flow, listening, killPlan, clockJumps))
        : on === "cluster"
          ? yield* onStored(prepared, fault, flow, (run) => onCluster(run, fault))
          : [yield* inOneProcess(prepared, fault)]
    yield* assertOnce(prepared.clientOrderId, ends.at(-1) ?? "", flow)
    yield* assertMet(flow)
    return ends.join(", ")
  }).pipe(
    Effect.provide(FlowEngine.layerMemory, { local: true }),
    Effect.provide(
      Layer.provideMerge(
        fault.abandoned === true ? CustomerBrowsers.abandoning : CustomerBrowsers.cooperative,
        Sandbox.layer({ dialect })
      )
    )
  )
