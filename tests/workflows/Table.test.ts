import { assert, describe, it } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as Steps from "@pay/flows/Steps"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Redacted } from "effect"
import { inBusinessTime, inWallTime } from "./BusinessTime.ts"
import { byName, type Case, cases } from "./Cases.ts"
import { type Fault, faults } from "./Faults.ts"
import * as Shoppers from "./Shoppers.ts"

/** Every flow against everything that can go wrong: what its caller sees. */
const table = `
flow                  | nothing  | request lost | answer lost | answer late | request late | request twice | unreachable | callback first | callback never | callback forged | clock jumps | restarted | shopper leaves
CardSale              | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
CardSale, 3DS gateway | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
CardSale, 3DS merchant| approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
CardSale, 3DS 1.0.2   | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
Reserve               | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
VerifyAccount         | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Capture, a part       | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Release               | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
GiveBack, a part      | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Tokenize              | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Rebill                | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Subscribe             | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Subscribe, 3DS        | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
ChargeSubscription    | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
ChangeSubscription    | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
PayOut                | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
CheckPayOut, PayChecked| approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Transfer              | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
Transfer, 3DS         | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
TransferByRef         | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
CanSend               | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | approved
HostedSale            | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
HostedReserve         | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
HostedPayment         | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
HostedPayOut          | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
HostedVerification    | approved | approved     | approved    | approved    | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved  | Abandoned
`

const [head = [], ...rows] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))

/** What the shop's callback address does. */
const listen = Effect.fnUntraced(function* ({ callbacks }: Fault) {
  if (callbacks === "never") return
  const { answerWith } = yield* Sandbox.Inbox
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  const receive = (url: string, headers: Readonly<Record<string, string>>) =>
    inWallTime(inbox.receive({ method: "GET", url, headers }))
  yield* answerWith(
    Effect.fnUntraced(function* ({ headers, url }) {
      if (callbacks === "forged") {
        const forged = url.replace(/status=\w+/, (told) =>
          told === "status=approved" ? "status=declined" : "status=approved"
        )
        assert.strictEqual((yield* receive(forged, headers)).status, 403)
      }
      return (yield* receive(url, headers)).status
    })
  )
})

const meet = Effect.fnUntraced(function* ({ operation }: Case, { line, unreachable = 0 }: Fault) {
  const { next, refuseNext } = yield* Sandbox.Line
  if (line !== undefined) yield* next(line, { path: operation.path })
  yield* refuseNext(unreachable)
})

/** The bank did each thing once and nothing else; the books agree; the gateway says what the flow said. */
const assertOnce = Effect.fnUntraced(function* (clientOrderId: string, outcome: string, { effects }: Case) {
  yield* Sandbox.settled
  const { books, violations } = yield* SandboxControl
  const client = yield* PayClient
  const status = yield* client.status({ client_orderid: clientOrderId })
  assert.strictEqual(status.status, outcome === "approved" ? "approved" : "declined")
  const rail = yield* RailControl
  const orderId = status["paynet-order-id"]
  const booked = [...(yield* books.ofOrder(orderId)), ...(yield* rail.books.ofOrder(orderId))].map(
    ({ request }) => `${request.kind} ${request.amountMinor}`
  )
  assert.deepStrictEqual(booked, outcome === "approved" ? effects : [])
  assert.deepStrictEqual((yield* Sandbox.parity).findings, [])
  assert.deepStrictEqual([...(yield* violations), ...(yield* rail.violations)], [])
})

const outcomeOf = (flow: Case, fault: Fault) =>
  Effect.gen(function* () {
    yield* listen(fault)
    const { clientOrderId, program } = yield* flow.begin
    yield* meet(flow, fault)
    const outcome = yield* program.pipe(
      Effect.retry({ while: ({ retryable }) => retryable, times: fault.unreachable === undefined ? 0 : 1 }),
      Effect.catch(({ _tag }) => Effect.succeed(_tag)),
      inBusinessTime(fault.clockJumps === true)
    )
    yield* assertOnce(clientOrderId, outcome, flow)
    return outcome
  }).pipe(
    Effect.provideService(Steps.Steps, Steps.makeMemory()),
    Effect.provide(Layer.provideMerge(fault.abandoned === true ? Shoppers.leaving : Shoppers.willing, Sandbox.layer()))
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

describe.each(rows)("%s", (name, ...cells) => {
  for (const [index, fault] of faults.entries()) {
    it.effect(`${fault.name}: ${cells[index]}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* outcomeOf(byName(name ?? ""), fault), cells[index])
      })
    )
  }
})
