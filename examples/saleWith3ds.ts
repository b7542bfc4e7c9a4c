/**
 * A sale with 3-D Secure that the shop runs itself. The flow says where the browser goes next, takes the fields that it posts
 * back, and ends with the final status. Gateway, bank and issuer are in this process; `customerBrowser` stands for a web server.
 */
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as FieldNames from "@pay/flows/FieldNames"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Console, Effect, Layer } from "effect"

const { SALE } = PayApi.operations

/** In a shop, `send` shows the page, and the handler of `redirect_url` calls `cameBack` with the posted fields. */
const customerBrowser = Layer.effect(
  CustomerBrowser.CustomerBrowser,
  Effect.map(ThreeDSControl, (issuer) => ({
    send: ({ clientOrderId, nextAction, orderId }: CustomerBrowser.Visit) =>
      Effect.gen(function* () {
        yield* Console.log(`the browser's next action: ${nextAction._tag}`)
        if (nextAction._tag === "Method") {
          const threeDSMethodData = yield* issuer.method(orderId)
          yield* CustomerBrowser.cameBack(clientOrderId, { threeDSMethodData })
        }
        if (nextAction._tag === "Challenge") {
          const carried = yield* issuer.play(orderId, "pass")
          if (carried._tag === "CRes") yield* CustomerBrowser.cameBack(clientOrderId, { cres: carried.cres })
        }
      }).pipe(Effect.orDie)
  }))
)

const program = Effect.gen(function* () {
  const payment = yield* Effect.fromResult(
    FlowPayload.decode(CardSale, {
      ...FieldNames.renamed(Sample.request(SALE)),
      clientOrderId: "INV-1",
      creditCardNumber: "4444000022224444",
      redirectUrl: "https://shop.example/back"
    })
  )
  const order = yield* CardSale.execute({ ...payment, endpointId: Sandbox.endpoints.threedsMerchant })
  yield* Console.log(`${order.clientOrderId} ${order.status}, cardholder ${order.verified3dStatus}`)
  return order.verified3dStatus
})

const verified = await Effect.runPromise(
  Effect.provide(program, Layer.provideMerge(Layer.merge(customerBrowser, FlowEngine.layerMemory), Sandbox.layer()))
)
if (verified !== "AUTHENTICATED") throw new Error(`the cardholder is ${verified}`)
