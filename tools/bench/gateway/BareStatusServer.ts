/**
 * The baseline of polling: `node:http` without a gateway, which parses the form, hashes and compares the control, reads the same
 * row of the same database and returns the same bytes. Runs as a process: the database's path is the argument, the port is
 * printed on stdout.
 */
import { hash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { parse } from "node:querystring"
import { DatabaseSync } from "node:sqlite"
import { merchant } from "@pay/server/Sandbox"

const database = new DatabaseSync(process.argv[2] ?? "", { readOnly: true })
const find = database.prepare("SELECT * FROM orders WHERE merchantId = ? AND clientOrderId = ?")

let turn = 0
const text = (value: string | ReadonlyArray<string> | undefined): string => (typeof value === "string" ? value : "")
const money = (minor: unknown): string => (Number(minor) / 100).toFixed(2)

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("latin1")
  request.on("data", (chunk: string) => {
    body += chunk
  })
  request.on("end", () => {
    const fields = parse(body)
    const name = text(fields.client_orderid)
    const signed = merchant.login + name + text(fields.orderid) + merchant.controlKey
    const genuine = timingSafeEqual(Buffer.from(hash("sha1", signed)), Buffer.from(text(fields.control)))
    const order = genuine ? find.get(text(fields.login), name) : undefined
    if (order === undefined) {
      response.writeHead(400)
      response.end()
      return
    }
    turn += 1
    const answer = JSON.stringify({
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
      "returned-amount": money(order.returnedMinor),
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
    response.writeHead(200, {
      "content-type": "application/vnd.pay+json; charset=utf-8",
      "cache-control": "no-store",
      "content-length": Buffer.byteLength(answer)
    })
    response.end(answer)
  })
})

const isInet = (address: AddressInfo | string | null): address is AddressInfo => typeof address === "object"
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (isInet(address)) console.log(`port ${address.port}`)
})
