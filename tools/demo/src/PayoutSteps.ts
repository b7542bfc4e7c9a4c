/**
 * The second part of the demonstration: payouts and recurring payments. It shows a payout that a second person approves, payouts
 * to a bank account and a phone, a transfer from card to card, and a subscription over three months of sandbox time.
 */
import { createPrivateKey } from "node:crypto"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Scheduler } from "@pay/gateway/Scheduler"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import * as Approval from "@pay/signing/Approval"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Effect, Schedule, Schema } from "effect"
import { Inbox } from "./Inbox.ts"
import * as PaymentSteps from "./PaymentSteps.ts"
import * as StepRunner from "./StepRunner.ts"
import { bold, row, say } from "./TerminalOutput.ts"

const { CREATE_RP_V4, PAYOUT, PAYOUT_V4, PAYOUT_V4_CHECK, PAYOUT_V4_PAY, TRANSFER_V4 } = PayApi.operations
const { approver, endpoints, login } = Sandbox.merchant
const dollars = (amount: string) => ({ amount, currency: "USD" })

/** Waits until the order has reached the stage, by polling its status: no callback reports these stages. */
const waitForStage = Effect.fnUntraced(function* (
  order: { readonly orderid: string; readonly clientOrderId: string },
  stage: string
) {
  const client = yield* PayClient.PayClient
  const names = { client_orderid: order.clientOrderId, orderid: order.orderid }
  yield* client
    .status(names, { endpointId: endpoints.approval })
    .pipe(Effect.repeat({ until: (status) => status["order-stage"] === stage, schedule: Schedule.spaced("50 millis") }))
})

const PayoutAnswer = Schema.fromJsonString(
  Schema.Struct({
    amount: Schema.String,
    recipient: Schema.String,
    recipientShown: Schema.String,
    state: Schema.String
  })
)

/** Funds the endpoints with the amounts that this run pays out, as the operator does. A reference is booked once. */
const fund = Effect.fnUntraced(function* (prefix: string) {
  const { operatorUrl } = yield* NodeServer
  const amounts = [
    [endpoints.approval, "250.00"],
    [endpoints.usd, "95.00"]
  ] as const
  yield* say(bold("The operator adds to the payout balances"))
  for (const [endpoint, amount] of amounts) {
    const posting = { reference: `${prefix}-${endpoint}`, merchant: login, endpoint, ...dollars(amount) }
    const { status } = yield* Effect.promise(() =>
      fetch(`${operatorUrl}/operator/balances`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(posting)
      })
    )
    yield* say(
      row("balance", `endpoint ${endpoint}: ${amount} USD more, ${status === 201 ? "booked" : `refused (${status})`}`)
    )
  }
  yield* say("")
})

/** Approves the payout as the second person does: reads the payout, then signs the content that was shown. */
const approve = Effect.fnUntraced(function* (orderId: string) {
  const { publicBaseUrl } = yield* NodeServer
  const key = createPrivateKey(approver.privateKeyPem)
  const post = (fields: Readonly<Record<string, string>>) =>
    Effect.promise(async () => {
      const body = new URLSearchParams({ approver: approver.name, ...fields })
      return await (await fetch(`${publicBaseUrl}/approvals/${orderId}`, { method: "POST", body })).text()
    }).pipe(Effect.flatMap(Schema.decodeEffect(PayoutAnswer)))
  const timestampSeconds = Math.floor(Clock.Clock.defaultValue().currentTimeMillisUnsafe() / 1000)
  const look = Approval.sign({ decision: "look", orderId, approver: approver.name, timestampSeconds }, key)
  const { amount, recipient, recipientShown } = yield* post({
    decision: "look",
    time: String(timestampSeconds),
    signature: look
  })
  const statement = { decision: "approve", orderId, amount, recipient, approver: approver.name } as const
  yield* say(bold("The second approver approves the payout"), row("sees", `${amount} to ${recipientShown}`))
  const { state } = yield* post({ ...statement, signature: Approval.sign(statement, key) })
  yield* say(row("payout", state))
})

const inTwoSteps = Effect.fnUntraced(function* (prefix: string, callback: Callback) {
  const order = {
    client_orderid: `${prefix}-supplier`,
    ...dollars("250.00"),
    account_number: "DE89370400440532013000",
    account_name: "Blue Bicycle Supplies",
    ...callback
  }
  const endpointId = endpoints.approval
  const title = "A payout in two steps, step one: the account is checked, the amount is reserved"
  const checked = yield* StepRunner.ask({ title, operation: PAYOUT_V4_CHECK, fields: order, endpointId })
  yield* waitForStage(checked, "payout_checked")
  const wrong = [
    ...(yield* StepRunner.checkStatus(checked, { status: "processing", "order-stage": "payout_checked" }, false))
  ]
  const names = { login, client_orderid: order.client_orderid, orderid: checked.orderid }
  const paid = yield* StepRunner.ask({
    title: "Step two: the payout is confirmed; this endpoint requires a second approver",
    operation: PAYOUT_V4_PAY,
    fields: { ...names, ...callback },
    endpointId
  })
  wrong.push(
    ...(yield* StepRunner.checkStatus(paid, { status: "processing", "order-stage": "payout_waiting_approval" }, false))
  )
  yield* approve(paid.orderid)
  wrong.push(...(yield* StepRunner.awaitCallback(paid, { status: "approved", "order-stage": "payout_approved" })))
  return wrong
})

type Callback = { readonly server_callback_url: string }

const atOnce = Effect.fnUntraced(function* (prefix: string, callback: Callback) {
  const steps = [
    {
      title: "A payout to a bank account in one step",
      operation: PAYOUT_V4,
      fields: { "client-order-id": `${prefix}-bank`, ...dollars("75.00"), account_number: "GB29NWBK60161331926819" },
      expect: { status: "approved", "transaction-type": "payout" }
    },
    {
      title: "A payout to a phone number",
      operation: PAYOUT,
      fields: { client_orderid: `${prefix}-phone`, ...dollars("20.00"), phone: "+12025550123", bank_code: "044" },
      expect: { status: "approved", "transaction-type": "payout" }
    },
    {
      title: "A transfer from card to card",
      operation: TRANSFER_V4,
      fields: {
        client_orderid: `${prefix}-transfer`,
        ...dollars("15.00"),
        ...PaymentSteps.card(yield* StepRunner.year),
        ipaddress: PaymentSteps.payer.ipaddress,
        "destination-card-no": "4444333322221111"
      },
      expect: { status: "approved", "transaction-type": "transfer" }
    }
  ]
  const wrong: Array<string> = []
  for (const { expect, ...step } of steps) {
    const reply = yield* StepRunner.ask({ ...step, fields: { ...step.fields, ...callback } })
    wrong.push(...(yield* StepRunner.awaitCallback(reply, expect)))
  }
  return wrong
})

const Created = Schema.Struct({ "recurring-payment-id": Schema.String })

const overMonths = Effect.fnUntraced(function* (prefix: string, callback: Callback) {
  const clock = yield* SandboxClock
  const scheduler = yield* Scheduler
  const inbox = yield* Inbox
  const client = yield* PayClient.PayClient
  const created = yield* StepRunner.ask({
    title: "A subscription: 9.99 each month, the first charge at once",
    operation: CREATE_RP_V4,
    fields: {
      client_orderid: `${prefix}-subscription`,
      ...dollars("9.99"),
      period: "monthly",
      interval: "1",
      ...PaymentSteps.card(yield* StepRunner.year),
      ...PaymentSteps.payer,
      first_name: "Ada",
      last_name: "Lovelace",
      ...callback
    }
  })
  const approved = { status: "approved", "transaction-type": "sale", amount: "9.99" }
  const wrong = [...(yield* StepRunner.awaitCallback(created, approved))]
  const { "recurring-payment-id": id } = yield* Schema.decodeUnknownEffect(Created)(created.answer)
  for (const month of [1, 2, 3]) {
    yield* say(bold(`The sandbox's clock advances by 31 days: month ${month}`))
    yield* clock.advance("31 days", scheduler)
    const clientOrderId = `${id}:${month}`
    const report = yield* inbox.aboutOrder(clientOrderId)
    yield* StepRunner.printCallback(report)
    const order = { ...created, title: `Charge ${month} of the subscription`, clientOrderId, orderid: report.orderid }
    wrong.push(...(yield* StepRunner.checkStatus(order, approved, false)))
  }
  yield* client.updateRpV4({ "recurring-payment-id": id, change: "cancel" })
  yield* say("The subscription is cancelled: nothing more is charged.", "")
  return wrong
})

const withTimeout = <E, R>(steps: Effect.Effect<ReadonlyArray<string>, E, R>) =>
  Effect.timeoutOrElse(steps, {
    duration: "60 seconds",
    orElse: () => Effect.succeed(["a step got no answer in time"])
  })

/** Runs the second part. Returns a message for each outcome that was not as expected. */
export const run = Effect.gen(function* () {
  const prefix = yield* StepRunner.freshName
  const { url: server_callback_url } = yield* Inbox
  const callback = { server_callback_url }
  yield* fund(prefix)
  return [
    ...(yield* withTimeout(inTwoSteps(prefix, callback))),
    ...(yield* withTimeout(atOnce(prefix, callback))),
    ...(yield* withTimeout(overMonths(prefix, callback)))
  ]
})
