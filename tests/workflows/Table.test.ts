import { assert, describe, it } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as Steps from "@pay/flows/Steps"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Redacted, Result } from "effect"
import type { PreparedRun } from "./Begun.ts"
import { inBusinessTime, inWallTime } from "./BusinessTime.ts"
import type { Case } from "./Case.ts"
import { byName, cases } from "./Cases.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"
import { type Fault, faults } from "./Faults.ts"
import { cutOffEverywhere } from "./Interruptions.ts"
import { type Alive, anew, type Death, lives } from "./MerchantProcesses.ts"
import { greet, serverCallbackUrl } from "./Requests.ts"

/** Every flow against everything that can go wrong: what its caller sees. */
const table = `
flow                    | nothing  | request lost | answer lost | answer late | answer twice | request late | request twice | unreachable | callback first | callback never | callback forged | clock jumps | cut off  | begun twice | gateway dies | merchant dies | dies at once            | shopper leaves
CardSale                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | approved
CardSale, 3DS gateway   | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | Abandoned
CardSale, 3DS merchant  | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | Abandoned
CardSale, 3DS 1.0.2     | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | Abandoned
Reserve                 | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | approved
VerifyAccount           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | approved
Capture, a part         | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
Release                 | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
GiveBack, a part        | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
Tokenize                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
KeepCard                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
Rebill                  | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
Subscribe               | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | approved
Subscribe, 3DS          | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | Abandoned
ChargeSubscription      | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
ChangeSubscription      | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
PayOut                  | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
PayOutV2                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
CheckPayOut, PayChecked | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
Transfer                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | approved
Transfer, 3DS           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | NeverHappened, approved | Abandoned
TransferByRef           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
CanSend                 | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | approved
HostedSale              | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | Abandoned
HostedReserve           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | Abandoned
HostedPayment           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | Abandoned
HostedPayOut            | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | Abandoned
HostedVerification      | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved | approved    | approved     | approved      | approved                | Abandoned
`

const [head = [], ...rows] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))

/** What the shop's callback address does. */
const listen = Effect.fnUntraced(function* ({ callbacks }: Pick<Fault, "callbacks">) {
  if (callbacks === "never") return
  const { answerWith } = yield* Sandbox.Inbox
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
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
const inOneLife = ({ program }: PreparedRun, { clockJumps, cutOff, twice, unreachable }: Fault) => {
  const callbacks = program.pipe(
    Effect.retry({ while: ({ retryable }) => retryable, times: unreachable === undefined ? 0 : 1 }),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )
  const begun =
    twice === true
      ? Effect.map(Effect.all([callbacks, callbacks], { concurrency: "unbounded" }), (ends) =>
          [...new Set(ends)].join(", ")
        )
      : callbacks
  const run =
    cutOff === true
      ? Effect.map(cutOffEverywhere(begun), ({ cuts, outcome }) => {
          assert.isAtLeast(cuts, 2)
          return outcome
        })
      : begun
  return inBusinessTime(clockJumps === true)(run)
}

/** On a durable engine, whose process dies. What then never happened is begun anew, and happens. */
const inManyLives = Effect.fnUntraced(function* (begun: PreparedRun, flow: Case, fault: Fault, death: Death) {
  const inbox = yield* Sandbox.Inbox
  const alive: Alive = {
    open: Effect.provideService(listen(fault), Sandbox.Inbox, inbox),
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

const outcomeOf = (flow: Case, fault: Fault) =>
  Effect.gen(function* () {
    yield* greet
    yield* listen(fault)
    const begun = yield* flow.begin(Sandbox.settled)
    yield* meet(begun, fault)
    const { death } = fault
    const ends = death === undefined ? [yield* inOneLife(begun, fault)] : yield* inManyLives(begun, flow, fault, death)
    yield* assertOnce(begun.clientOrderId, ends.at(-1) ?? "", flow)
    yield* assertMet(flow)
    return ends.join(", ")
  }).pipe(
    Effect.provideService(Steps.Steps, Steps.makeMemory()),
    Effect.provide(
      Layer.provideMerge(
        fault.abandoned === true ? CustomerBrowsers.leaving : CustomerBrowsers.willing,
        Sandbox.layer()
      )
    )
  )

it("the table has every flow and every fault", () => {
  assert.deepStrictEqual(
    head.slice(1),
    faults.map(({ name }) => name)
  )
  assert.deepStrictEqual(
    rows.map(([name]) => name),
    cases.map(({ name }) => name)
  )
})

// Side by side: what takes the time are pauses.
describe.concurrent.each(rows)("%s", (name, ...cells) => {
  for (const [index, fault] of faults.entries()) {
    it.effect(`${fault.name}: ${cells[index]}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* outcomeOf(byName(name ?? ""), fault), cells[index])
      })
    )
  }
})
