/** One flow with one fault at our own gateway: how it ended, and that bank and books agree. */
import { assert } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as Steps from "@pay/flows/Steps"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Dialect } from "@pay/schema/Dialect"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Redacted, Result } from "effect"
import { inWallTime } from "../harness/Clocks.ts"
import type { PreparedRun } from "./Begun.ts"
import { inBusinessTime } from "./BusinessTime.ts"
import type { Case } from "./Case.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"
import { type Alive, anew, type Death, lives } from "./Deaths.ts"
import type { Fault } from "./Faults.ts"
import { cutOffEverywhere, endOf } from "./Interruptions.ts"
import { greet, serverCallbackUrl } from "./Requests.ts"

/** What the shop's callback address does. */
const listen = Effect.fnUntraced(function* ({ callbacks }: Pick<Fault, "callbacks">, dialect: Dialect) {
  if (callbacks === "never") return
  const { answerWith } = yield* Sandbox.Inbox
  const merchant = dialect === "json" ? Sandbox.merchant : Sandbox.olderMerchant
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(merchant.controlKey)] } })
  const receive = (url: string, headers: Readonly<Record<string, string>>) =>
    inWallTime(inbox.receive({ method: "GET", url, headers }))
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

/** The bank did each thing once and nothing else; the books agree; the gateway says what the flow said. */
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

/** The fault was there: a column that spoils nothing would hold for ever. */
const assertMet = Effect.fnUntraced(function* ({ isAtOnce }: Case) {
  const { unmet } = yield* Sandbox.SimulatedNetwork
  assert.strictEqual(yield* unmet, 0)
  const { arrived } = yield* Sandbox.Inbox
  const report = (yield* arrived).filter(({ url }) => url.startsWith(serverCallbackUrl))
  assert.strictEqual(report.length > 0, isAtOnce !== true, "callbacks")
})

/** In memory, as one process that lives. */
const inOneLife = (prepared: PreparedRun, fault: Fault) => {
  const { clockJumps, cutOff } = fault
  const begun = endOf(prepared, fault)
  const run =
    cutOff === true
      ? Effect.map(cutOffEverywhere(begun), ({ cuts, outcome }) => {
          assert.isAtLeast(cuts, 2)
          return outcome
        })
      : begun
  return inBusinessTime(clockJumps === true)(run)
}

type Listening = ReturnType<typeof listen>

/** On a durable engine, whose process dies. What then never happened is begun anew, and happens. */
const inManyLives = Effect.fnUntraced(function* (begun: PreparedRun, flow: Case, listening: Listening, death: Death) {
  const inbox = yield* Sandbox.Inbox
  const alive: Alive = {
    open: Effect.provideService(listening, Sandbox.Inbox, inbox),
    shut: inbox.answerWith(() => Effect.succeed(503)),
    rest: Effect.void
  }
  const inTime = inBusinessTime(
    false,
    Effect.suspend(() => alive.rest)
  )
  const { deaths, ended, path } = yield* inTime(lives(begun, alive, death))
  assert.isAtLeast(deaths, 1)
  if (ended !== "NeverHappened") return [ended]
  yield* assertOnce(begun.clientOrderId, ended, flow)
  return [ended, yield* inTime(anew(begun, alive, path))]
})

/** How the flow ends with the fault; `flow` is one of the dialect. */
export const outcomeOf = (flow: Case, fault: Fault, dialect: Dialect = "json") =>
  Effect.gen(function* () {
    yield* greet
    const listening = listen(fault, dialect)
    yield* listening
    const begun = yield* flow.begin(Sandbox.settled)
    yield* meet(begun, fault)
    const { death } = fault
    const ends =
      death === undefined ? [yield* inOneLife(begun, fault)] : yield* inManyLives(begun, flow, listening, death)
    yield* assertOnce(begun.clientOrderId, ends.at(-1) ?? "", flow)
    yield* assertMet(flow)
    return ends.join(", ")
  }).pipe(
    Effect.provideService(Steps.Steps, Steps.makeMemory()),
    Effect.provide(
      Layer.provideMerge(
        fault.abandoned === true ? CustomerBrowsers.leaving : CustomerBrowsers.willing,
        Sandbox.layer({ dialect })
      )
    )
  )
