/**
 * Runs the steps of the demonstration: sends each request through the real client, waits for its callback, requests the order's
 * status, and reads the gateway's books.
 */
import { Balance } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import type { Operation } from "@pay/schema/Operation"
import * as Sandbox from "@pay/server/Sandbox"
import type * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, DateTime, Effect, Schema } from "effect"
import { Inbox } from "./Inbox.ts"
import type * as PaymentSteps from "./PaymentSteps.ts"
import { balances, bold, dim, green, red, row, say, signed } from "./TerminalOutput.ts"

const { endpoints, login } = Sandbox.merchant
const Answer = Schema.Struct({ "paynet-order-id": Schema.String, "serial-number": Schema.String })
const readAnswer = Schema.decodeUnknownEffect(Answer)

/** A name that is unique to this run. Names of later runs sort after it. */
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

/** Sends a request. Prints the signed text and the answer. */
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

/** Prints the content of a callback on one line. */
export const printCallback = (callback: CallbackReceiver.VerifiedCallback) =>
  say(
    row(
      "callback",
      `${callback.type} ${callback.status} ${callback.amount} ${callback.currency}, verified ${dim(callback.webhookId ?? "")}`
    )
  )

/** Prints the balances of an endpoint's accounts in US dollars. */
const books = Effect.fnUntraced(function* (endpointId: string) {
  const store = yield* Store
  const from = `${login}/${endpointId}/`
  const rows = yield* store.find(Balance, "key", { from, to: `${from}~`, limit: 100 })
  const inDollars = rows.filter(({ account }) => account.startsWith(`${from}USD/`))
  yield* say(row("books", ""), ...balances(inDollars), "")
})

/** Prints the status of an order. Returns a message for each field that differs from the expected value. */
export const checkStatus = Effect.fnUntraced(function* (
  order: Order,
  expect: PaymentSteps.Step["expect"],
  amounts: boolean
) {
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

/** Waits for the callback of the request, then prints and checks the status of its order as {@link checkStatus} does. */
export const awaitCallback = Effect.fnUntraced(function* (
  request: Order & { readonly serialNumber: string },
  expect: PaymentSteps.Step["expect"],
  amounts = false
) {
  const inbox = yield* Inbox
  yield* printCallback(yield* inbox.about(request.serialNumber))
  return yield* checkStatus(request, expect, amounts)
})

/** The identifiers of an order that a step has created. */
interface Names {
  readonly client_orderid: string
  readonly orderid: string
}

const runStep = Effect.fnUntraced(function* (step: PaymentSteps.Step, order: Names | undefined, prefix: string) {
  const inbox = yield* Inbox
  const client_orderid = order?.client_orderid ?? `${prefix}-${step.name}`
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
  const wrong = yield* awaitCallback(request, step.expect, true)
  return { order: { client_orderid, orderid: request.orderid }, wrong }
})

/** Longest time of a step. The sandbox answers immediately. */
const longestStep = "30 seconds"

/** Runs the steps one after another. Returns a message for each outcome that was not as expected. */
export const run = Effect.fnUntraced(function* (steps: ReadonlyArray<PaymentSteps.Step>) {
  const prefix = yield* freshName
  const orders = new Map<string, Names>()
  const wrong: Array<string> = []
  for (const step of steps) {
    const result = yield* runStep(step, step.of === undefined ? undefined : orders.get(step.of), prefix).pipe(
      Effect.timeoutOrElse({ duration: longestStep, orElse: () => Effect.succeed(undefined) })
    )
    if (result === undefined) {
      wrong.push(`${step.title}: no callback within ${longestStep}`)
      break
    }
    wrong.push(...result.wrong)
    if (step.name !== undefined) orders.set(step.name, result.order)
  }
  return wrong
})

/**
 * Recomputes the gateway's books and compares them with those of the simulated bank. `of` says whose books these are. Returns a
 * message for each difference.
 */
export const reconciliation = Effect.fnUntraced(function* (of: string) {
  const { entries, findings, orders } = yield* Reconciliation.check
  yield* say(
    `Reconciliation of ${of}: ${orders} orders, ${entries} entries in the books, ${findings.length} differences.`
  )
  return findings.map(({ expected, actual, where }) => `${where}: expected ${expected}, found ${actual}`)
})
