/** Plays the story: sends each step through the real client, waits for its callback, asks its status, reads the books. */
import { Balance } from "@pay/gateway/entities/Ledger"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import type { Operation } from "@pay/schema/Operation"
import * as Sandbox from "@pay/server/Sandbox"
import type * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, DateTime, Effect, Schema } from "effect"
import { Inbox } from "./Inbox.ts"
import * as Story from "./Story.ts"
import { balances, bold, dim, green, red, row, say, signed } from "./Telling.ts"

const { endpoints, login } = Sandbox.merchant
const Answer = Schema.Struct({ "paynet-order-id": Schema.String, "serial-number": Schema.String })
const readAnswer = Schema.decodeUnknownEffect(Answer)

/** Unique to this run, in the order in which runs were made. */
export const freshName = Effect.map(Clock.currentTimeMillis, (nowMs) => `demo-${nowMs.toString(36)}`)

/** The current year of the sandbox's time. */
export const year = Effect.gen(function* () {
  const { offsetMs } = yield* SandboxClock
  return DateTime.toPartsUtc(DateTime.add(yield* DateTime.now, { milliseconds: yield* offsetMs })).year
})

export interface StepWithAnswer {
  readonly title: string
  readonly operation: Operation
  readonly fields: Readonly<Record<string, string>>
  readonly endpointId?: string
}

/** Sends a request and prints what was signed and answered. */
export const ask = Effect.fnUntraced(function* ({
  endpointId = endpoints.usd,
  fields,
  operation,
  title
}: StepWithAnswer) {
  const client = yield* PayClient.PayClient
  yield* say(bold(title), row("POST", `${operation.path}/${endpointId}`))
  yield* say(row("signature", signed(operation, fields, endpointId)))
  const request = yield* Effect.fromResult(operation.decodeFields(fields)).pipe(Effect.orDie)
  const answer = yield* client.call(operation, request, { endpointId })
  const { "paynet-order-id": orderid, "serial-number": serialNumber } = yield* readAnswer(answer)
  yield* say(row("answer", `order ${orderid}, serial-number ${serialNumber}`))
  const clientOrderId = fields.client_orderid ?? fields["client-order-id"] ?? ""
  return { answer, title, orderid, clientOrderId, serialNumber, endpointId }
})

type Order = Pick<Effect.Success<ReturnType<typeof ask>>, "title" | "orderid" | "clientOrderId" | "endpointId">

/** What a callback says, on one line. */
export const listen = (callback: CallbackReceiver.Proved) =>
  say(
    row(
      "callback",
      `${callback.type} ${callback.status} ${callback.amount} ${callback.currency}, verified ${dim(callback.webhookId ?? "")}`
    )
  )

/** The accounts of an endpoint. */
const books = Effect.fnUntraced(function* (endpointId: string) {
  const store = yield* Store
  const from = `${login}/${endpointId}/`
  const rows = yield* store.find(Balance, "key", { from, to: `${from}~`, limit: 100 })
  const inDollars = rows.filter(({ account }) => account.startsWith(`${from}USD/`))
  yield* say(row("books", ""), ...balances(inDollars), "")
})

/** How an order stands; what differs from what was expected. */
export const stands = Effect.fnUntraced(function* (order: Order, expect: Story.Step["expect"], amounts: boolean) {
  const client = yield* PayClient.PayClient
  const { clientOrderId: client_orderid, endpointId, orderid, title } = order
  const status = yield* client.status({ client_orderid, orderid }, { endpointId })
  const fields: Readonly<Record<string, unknown>> = status
  const wrong = Object.entries(expect)
    .filter(([name, expected]) => fields[name] !== expected)
    .map(([name, expected]) => `${title}: ${name} should be ${expected}, is ${String(fields[name])}`)
  const mark = wrong.length === 0 ? green("✓") : red("✗")
  const reason = status["error-message"] === undefined ? "" : ` (${status["error-code"]} ${status["error-message"]})`
  const money = amounts
    ? `: captured ${status["captured-amount"]}, returned ${status["returned-amount"]}, left to capture ${status["remaining-amount"]}`
    : ` ${status.amount} ${status.currency}, ${status["order-stage"]}`
  yield* say(row("status", `${mark} ${status["transaction-type"]} ${status.status}${reason}${money}`))
  yield* books(endpointId)
  return wrong
})

/** The request's callback, then how its order stands. */
export const ends = Effect.fnUntraced(function* (
  request: Order & { readonly serialNumber: string },
  expect: Story.Step["expect"],
  amounts = false
) {
  const inbox = yield* Inbox
  yield* listen(yield* inbox.about(request.serialNumber))
  return yield* stands(request, expect, amounts)
})

/** The names of an order that a step has made. */
interface Names {
  readonly client_orderid: string
  readonly orderid: string
}

const play = Effect.fnUntraced(function* (step: Story.Step, order: Names | undefined, run: string) {
  const inbox = yield* Inbox
  const client_orderid = order?.client_orderid ?? `${run}-${step.name}`
  const request = yield* ask({
    title: step.title,
    operation: step.operation,
    fields: {
      ...(order === undefined ? {} : { login, orderid: order.orderid }),
      client_orderid,
      server_callback_url: inbox.url,
      ...step.fields
    }
  })
  const wrong = yield* ends(request, step.expect, true)
  return { order: { client_orderid, orderid: request.orderid }, wrong }
})

/** How long a step may take: the sandbox answers at once. */
export const patience = "30 seconds"

/** All steps in their order, each waiting for the one before. Returns what was not as expected. */
export const story = Effect.gen(function* () {
  const run = yield* freshName
  const made = new Map<string, Names>()
  const wrong: Array<string> = []
  for (const step of Story.steps(yield* year)) {
    const played = yield* play(step, step.of === undefined ? undefined : made.get(step.of), run).pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(undefined) })
    )
    if (played === undefined) {
      wrong.push(`${step.title}: no callback within ${patience}`)
      break
    }
    wrong.push(...played.wrong)
    if (step.name !== undefined) made.set(step.name, played.order)
  }
  return wrong
})

/** The books recomputed, and compared with the simulated bank's own. */
export const reconciliation = Effect.gen(function* () {
  const { entries, findings, orders } = yield* Reconciliation.check
  yield* say(`Reconciliation: ${orders} orders, ${entries} entries in the books, ${findings.length} differences.`)
  return findings.map(({ expected, actual, where }) => `${where}: expected ${expected}, found ${actual}`)
})
