/** Each step of 3-D Secure comes to another process than the one before. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import type { Store } from "@pay/gateway/Store"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, type Layer, type Scope } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const { SALE, SALEFORM } = PayApi.operations
const { threeds3dsGateway, threedsMerchant } = Sandbox.merchant.endpoints

const publicBaseUrl = "http://127.0.0.1"
const shop = "https://shop.example/back"

const numberOf = (card: string) => ThreeDSTestCards.cards.find(({ name }) => name === card)?.number ?? ""

type Fields = Readonly<Record<string, string>>

/** Every program goes to the next gateway; what it causes is carried out by whichever takes it. */
const relayOver = (gateways: ReadonlyArray<Gateways.Gateway>) => {
  let turn = 0
  const relay = <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.suspend(
      () => gateways[turn++ % gateways.length]?.on(program) ?? Effect.die(new Error("no gateway runs"))
    ).pipe(Effect.tap(() => Gateways.settled(gateways)))
  return relay
}
type Relay = ReturnType<typeof relayOver>

/** Does what every page asks for, each at the next gateway. */
const customer = (relay: Relay, start: string, card: string) =>
  HostedPage.walk((url, form) => relay(HostedPage.inProcess(url, form === undefined ? {} : { form })), start, shop, {
    number: numberOf(card)
  })

const status = ({ client_orderid, orderid }: ClientMerchant.Order, endpointId: string) =>
  Effect.flatMap(PayClient.PayClient, (client) => client.status({ client_orderid, orderid }, { endpointId }))

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`3-D Secure of one order at two gateways in turn (${name})`, () => {
    const outside = World.outside({ store, bank: { publicBaseUrl: () => publicBaseUrl } })
    const live = <A, E>(title: string, program: Effect.Effect<A, E, Gateways.Outside | Scope.Scope>) =>
      it.live(title, () => program.pipe(Effect.scoped, Effect.provide(outside, { local: true })))

    const setting = Effect.fnUntraced(function* () {
      const gateways = yield* Gateways.several(2, Gateways.wallNow(), { settings: { publicBaseUrl } })
      return relayOver(gateways)
    })

    const sale = (card: string, endpointId: string) =>
      ClientMerchant.send(
        "SALE",
        {
          ...Sample.request(SALE),
          ...Sample.browser,
          credit_card_number: numberOf(card),
          client_orderid: "order",
          redirect_url: shop
        },
        { endpointId }
      )

    for (const card of ["method-challenge", "challenge", "method-frictionless", "version1"])
      live(
        `the gateway's pages complete a sale: ${card}`,
        Effect.gen(function* () {
          const relay = yield* setting()
          const order = yield* relay(sale(card, threeds3dsGateway))
          const { "redirect-to": start } = yield* relay(status(order, threeds3dsGateway))
          const back = yield* customer(relay, `${start}`, card)
          assert.deepInclude(back, { status: "approved", client_orderid: "order" })
          assert.deepInclude(yield* relay(status(order, threeds3dsGateway)), { status: "approved" })
          assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
          yield* ClientMerchant.allIsWell
        })
      )

    for (const card of ["method-challenge", "version1"])
      live(
        `the hosted page completes it: ${card}`,
        Effect.gen(function* () {
          const relay = yield* setting()
          const client = Effect.flatMap(PayClient.PayClient, (pay) =>
            Effect.flatMap(
              Effect.fromResult(
                SALEFORM.decodeFields({ ...Sample.request(SALEFORM), client_orderid: "order", redirect_url: shop })
              ),
              (request) => pay.call(SALEFORM, request, { endpointId: threeds3dsGateway })
            )
          )
          const { "paynet-order-id": orderid, "redirect-url": start } = yield* relay(client)
          const back = yield* customer(relay, `${start}`, card)
          assert.deepInclude(back, { status: "approved", client_orderid: "order" })
          assert.deepStrictEqual(yield* ClientMerchant.atBank({ orderid, client_orderid: "order" }), [
            "authorize 1042 Approved"
          ])
          yield* ClientMerchant.allIsWell
        })
      )

    for (const card of ["method-challenge", "challenge", "version1"])
      live(
        `the merchant's uploads complete a sale: ${card}`,
        Effect.gen(function* () {
          const control = yield* ThreeDSControl
          const relay = yield* setting()
          const order = yield* relay(sale(card, threedsMerchant))
          const named = { "client-order-id": order.client_orderid, orderid: order.orderid }
          /** At one gateway, and again at the other: it is one upload. */
          const upload = Effect.fnUntraced(function* (
            name: "TDS_UPLOAD_METHOD_URL_RESULT" | "TDS_UPLOAD_CRES_RESULT" | "TDS_UPLOAD_PARES_RESULT",
            fields: Fields
          ) {
            const send = ClientMerchant.send(name, { ...named, ...fields }, { endpointId: threedsMerchant })
            const first = yield* relay(send)
            const again = yield* relay(send)
            assert.strictEqual(again.orderid, first.orderid)
          })
          if (card === "method-challenge") {
            const waiting = yield* relay(status(order, threedsMerchant))
            yield* control.method(order.orderid)
            yield* upload("TDS_UPLOAD_METHOD_URL_RESULT", {
              threeDSCompInd: "Y",
              threeDSServerTransID: `${waiting["threeds-server-trans-id"]}`
            })
          }
          const carried = yield* control.play(order.orderid, "pass")
          yield* carried._tag === "CRes"
            ? upload("TDS_UPLOAD_CRES_RESULT", { cRes: carried.cres })
            : upload("TDS_UPLOAD_PARES_RESULT", { paRes: carried.pares, md: carried.md })
          assert.deepInclude(yield* relay(status(order, threedsMerchant)), { status: "approved" })
          assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
          yield* ClientMerchant.allIsWell
        })
      )
  })
