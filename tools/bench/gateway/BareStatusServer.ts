/**
 * The baseline of polling: `node:http` without a gateway, which compares the control, reads the same
 * row of the same database and returns the same bytes. Runs as a process: the database's path is the argument, the port is
 * printed on stdout.
 */
import { DatabaseSync } from "node:sqlite"
import { merchant } from "@pay/server/Sandbox"
import * as BareHttp from "./BareHttp.ts"

const database = new DatabaseSync(process.argv[2] ?? "", { readOnly: true })
const find = database.prepare("SELECT * FROM orders WHERE merchantId = ? AND clientOrderId = ?")

const money = (minor: unknown): string => (Number(minor) / 100).toFixed(2)

BareHttp.serve((request, respond) => {
  const { field, turn } = request
  const name = field("client_orderid")
  const isGenuine = BareHttp.isGenuine(request, merchant.login + name + field("orderid") + merchant.controlKey)
  const order = isGenuine ? find.get(field("login"), name) : undefined
  if (order === undefined) return respond(undefined)
  respond(
    JSON.stringify({
      type: "status-response",
      "serial-number": `00000000-0000-0000-0000-${String(turn).padStart(12, "0")}`,
      "merchant-order-id": order.clientOrderId,
      "paynet-order-id": order.orderId,
      "end-point-id": order.endpointId,
      status: "approved",
      "transaction-type": "sale",
      "order-stage": "sale_approved",
      amount: money(order.amountMinor),
      currency: order.currency,
      "authorized-amount": money(order.authorizedMinor),
      "captured-amount": money(order.capturedMinor),
      "returned-amount": money(order.refundedMinor),
      "remaining-amount": money(0),
      "gate-partial-capture": "disabled",
      "gate-partial-reversal": "enabled",
      email: order.email,
      phone: order.phone ?? undefined,
      merchantdata: order.merchantData ?? undefined,
      "cardholder-name": order.cardholder,
      name: order.cardholder,
      bin: order.bin,
      "last-four-digits": order.lastFour,
      "card-type": order.cardType,
      "card-exp-month": String(order.expireMonth),
      "card-exp-year": String(order.expireYear),
      descriptor: "SANDBOX USD",
      "processor-tx-id": order.processorTxId,
      "approval-code": order.approvalCode,
      "paynet-processing-date": `${new Date(Number(order.processedAtMs)).toISOString().slice(0, 19).replace("T", " ")} UTC`
    })
  )
})
