import { assert, describe, it } from "@effect/vitest"
import * as BrowserData from "@pay/flows/BrowserData"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Logger } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import { inBusinessTime } from "./BusinessTime.ts"

const { SALE } = PayApi.operations

/** What the shop's own 3-D Secure comes to with each card: the customer's action, and how the sale ends. */
const table = `
card                | action  | ends as
method-challenge    | pass    | approved
challenge           | pass    | approved
challenge           | fail    | NotAuthenticated
challenge           | abandon | NotAuthenticated
challenge           | leave   | Abandoned
challenge           | give up | Abandoned
frictionless        | pass    | approved
attempted           | pass    | approved
refused             | pass    | NotAuthenticated
rejected            | pass    | NotAuthenticated
unavailable         | pass    | NotAuthenticated
unexpected          | pass    | NotAuthenticated
method-frictionless | pass    | approved
method-frictionless | leave   | approved
method-silent       | leave   | approved
forged              | fail    | NotAuthenticated
report-late         | pass    | approved
report-never        | pass    | NotAuthenticated
result-lost         | pass    | NotAuthenticated
not-enrolled        | pass    | NotAuthenticated
lookup-fails        | pass    | NotAuthenticated
lookup-slow         | pass    | approved
issuer-fails        | pass    | NotAuthenticated
issuer-slow         | pass    | approved
version1            | pass    | approved
version1            | fail    | NotAuthenticated
version1            | leave   | Abandoned
version1-forged     | fail    | NotAuthenticated
`

const [, ...rows] = TextTable.rows(table)

const choices: Readonly<Record<string, "pass" | "fail" | "abandon">> = {
  pass: "pass",
  fail: "fail",
  abandon: "abandon"
}

/** Does at each next action what the table says. */
const customerBrowser = (does: string) =>
  Layer.effect(
    CustomerBrowser.CustomerBrowser,
    Effect.map(ThreeDSControl, (issuer) => ({
      send: ({ clientOrderId, nextAction, orderId }: CustomerBrowser.Visit) =>
        Effect.gen(function* () {
          if (does === "give up") return yield* CustomerBrowser.gaveUp(clientOrderId)
          const choice = choices[does]
          if (choice === undefined) return
          if (nextAction._tag === "BrowserData") return yield* CustomerBrowser.cameBack(clientOrderId, BrowserData.form)
          if (nextAction._tag === "Method") {
            const threeDSMethodData = yield* issuer.method(orderId)
            return yield* CustomerBrowser.cameBack(clientOrderId, { threeDSMethodData })
          }
          const carried = yield* issuer.play(orderId, choice)
          yield* CustomerBrowser.cameBack(
            clientOrderId,
            carried._tag === "CRes" ? { cres: carried.cres } : { PaRes: carried.pares, MD: carried.md }
          )
        }).pipe(Effect.orDie)
    }))
  )

describe("3-D Secure run by the shop", () => {
  for (const [card = "", does = "", end] of rows) {
    it.effect(`${card}, ${does}: ${end}`, () =>
      Effect.gen(function* () {
        const number = ThreeDSTestCards.cards.find(({ name }) => name === card)?.number
        assert(number !== undefined, card)
        const payment = yield* Effect.fromResult(
          FlowPayload.decode(CardSale, {
            ...Sample.request(SALE),
            client_orderid: "o-1",
            credit_card_number: number,
            redirect_url: "https://shop.example/back"
          })
        )
        const observed = yield* CardSale.execute({ ...payment, endpointId: Sandbox.endpoints.threedsMerchant }).pipe(
          Effect.match({ onSuccess: ({ status }) => status, onFailure: ({ _tag }) => _tag }),
          inBusinessTime(false)
        )
        assert.strictEqual(observed, end)
        const { status } = yield* Effect.flatMap(PayClient, (client) => client.status({ client_orderid: "o-1" }))
        assert.strictEqual(status, end === "approved" ? "approved" : "declined")
        assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
      }).pipe(
        Effect.provide(FlowEngine.layerMemory, { local: true }),
        Effect.provide(Layer.provideMerge(customerBrowser(does), Layer.merge(Sandbox.layer(), Logger.layer([]))))
      )
    )
  }
})
