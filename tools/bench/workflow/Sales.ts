/** The flow CardSale with a gateway that answers immediately from memory, so that only the flow and its engine are measured. */
import { join } from "node:path"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Effect, Layer, Redacted } from "effect"

/** The status of every order. */
export const orderAnswer = { status: "approved" }

const answers = {
  sale: { type: "async-response", "paynet-order-id": "1001" },
  status: {
    type: "status-response",
    "transaction-type": "sale",
    "paynet-order-id": "1001",
    amount: "10.42",
    currency: "USD"
  }
}

const headers = {
  "content-type": "application/vnd.pay+json",
  [GatewayProfile.header]: GatewayProfile.format(GatewayProfile.ours)
}

let answered = 0

const gateway = Layer.succeed(Wire.Wire, {
  send: ({ body, url }) =>
    Effect.sync(() => ({
      status: 200,
      headers,
      body: JSON.stringify({
        ...(url.includes("/status/") ? { ...answers.status, ...orderAnswer } : answers.sale),
        "serial-number": `00000000-0000-4000-8000-${String(answered++).padStart(12, "0")}`,
        "merchant-order-id": new URLSearchParams(body).get("client_orderid"),
        "end-point-id": "1"
      })
    }))
})

const client = PayClient.layerNoDeps({
  baseUrl: "https://gateway.example",
  login: "bench",
  controlKey: Redacted.make("5A4DB0C5-91F0-4D7C-9A3B-1E6C0F2D7B48"),
  endpointId: "1"
}).pipe(Layer.provide(gateway))

const services = Layer.merge(client, CustomerBrowser.layerNone)

const payment = Effect.runSync(Effect.fromResult(FlowPayload.decode(CardSale, Sample.request(PayApi.operations.SALE))))

export const payload = (turn: number) => ({ ...payment, clientOrderId: `sale-${turn}` })

export const plainLayer = Layer.merge(services, FlowEngine.layerMemory)
export const sale = (turn: number) => CardSale.execute(payload(turn))

export const durableLayer = (directory: string) =>
  Layer.unwrap(
    Effect.map(Cipher.make({ key: Redacted.make(Buffer.alloc(32, 1).toString("base64")) }), (cipher) =>
      CardSale.layer.pipe(Layer.provideMerge(Durable.layer({ path: join(directory, "sales.db"), cipher })))
    )
  ).pipe(Layer.provideMerge(services), Layer.orDie)
