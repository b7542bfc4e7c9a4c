/** A payer's card in the request obeys the endpoint's 3-D Secure, in both modes. */
import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Transfers from "../harness/Transfers.ts"

const { TDS_UPLOAD_CRES_RESULT, TDS_UPLOAD_METHOD_URL_RESULT } = PayApi.operations
const { threeds3dsGateway, threedsMerchant } = TestGateway.endpoints
const challenged = { credit_card_number: "4444000011118888", redirect_url: "https://shop.example/back" }

const atBank = Effect.fnUntraced(function* ({ orderid }: TestMerchant.Order) {
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderid)).map(({ request }) => request.recipient?.lastFour)
})

/** At the challenge, with nothing asked of the bank yet. */
const waiting = Effect.fnUntraced(function* (endpointId: string) {
  const order = yield* Transfers.done(Transfers.transfer(challenged, { endpointId }))
  assert.deepStrictEqual(yield* atBank(order), [])
  return { order, status: yield* TestMerchant.status(order, { endpointId }) }
})

layer(TestGateway.layer(), { excludeTestServices: true })("a transfer with 3-D Secure", (it) => {
  for (const [choice, status, booked] of [
    ["pass", "approved", ["1111"]],
    ["fail", "declined", []]
  ] as const) {
    it.effect(`run by the merchant is ${status} after ${choice}`, () =>
      Effect.gen(function* () {
        const { order, status: before } = yield* waiting(threedsMerchant)
        assert.deepInclude(before, { status: "processing", "threeds-stage": "method" })
        const names = { login: TestGateway.login, "client-order-id": order.client_orderid, orderid: order.orderid }
        const browser = {
          ...names,
          threeDSCompInd: "U",
          threeDSServerTransID: String(before["threeds-server-trans-id"]),
          browserUserAgent: "Phone"
        }
        const at = { endpointId: threedsMerchant }
        TestMerchant.assertAccepted(yield* TestGateway.post(TDS_UPLOAD_METHOD_URL_RESULT, browser, at))
        yield* TestMerchant.settled
        assert.deepInclude(yield* TestMerchant.status(order, at), {
          status: "processing",
          "threeds-stage": "challenge"
        })
        const carried = yield* (yield* ThreeDSControl).play(order.orderid, choice)
        assert(carried._tag === "CRes")
        const cres = { ...names, cRes: carried.cres }
        TestMerchant.assertAccepted(yield* TestGateway.post(TDS_UPLOAD_CRES_RESULT, cres, at))
        yield* TestMerchant.settled
        assert.deepInclude(yield* TestMerchant.status(order, at), {
          status,
          "transaction-type": "transfer"
        })
        assert.deepStrictEqual(yield* atBank(order), [...booked])
        yield* TestMerchant.assertClean
      })
    )
  }

  it.effect("runs on the gateway's own pages and returns the browser", () =>
    Effect.gen(function* () {
      const { order, status } = yield* waiting(threeds3dsGateway)
      const url = String(status["redirect-to"])
      const first = yield* HostedPage.browse(url)
      const request = yield* HostedPage.browse(first.action ?? "", { form: first.hidden })
      const answer = { ...request.hidden, action: "confirm", password: ThreeDSTestCards.password }
      const decided = yield* HostedPage.browse(request.action ?? request.url, { form: answer })
      yield* HostedPage.browse(decided.action ?? "", { form: decided.hidden })
      yield* TestMerchant.settled
      const back = yield* HostedPage.browse(url)
      assert.strictEqual(back.action, challenged.redirect_url)
      assert.deepInclude(yield* TestMerchant.status(order, { endpointId: threeds3dsGateway }), { status: "approved" })
      assert.deepStrictEqual(yield* atBank(order), ["1111"])
      yield* TestMerchant.assertClean
    })
  )

  it.effect("is refused without a redirect_url", () =>
    Effect.gen(function* () {
      for (const endpointId of [threeds3dsGateway, threedsMerchant]) {
        TestMerchant.assertRefused(yield* Transfers.transfer({}, { endpointId }), "parameterRequired", "redirect_url")
      }
    })
  )

  it.effect("is refused with a redirect_url that is too long for the issuer, if the merchant sends it there", () =>
    Effect.gen(function* () {
      const redirect_url = "https://shop.example/back?".padEnd(257, "x")
      const refused = yield* Transfers.transfer({ redirect_url }, { endpointId: threedsMerchant })
      TestMerchant.assertRefused(refused, "parameterTooLong", "redirect_url")
      assert.deepInclude((yield* Transfers.transfer({ redirect_url }, { endpointId: threeds3dsGateway })).body, {
        type: "async-response"
      })
    })
  )

  it.effect("is skipped by transfer-by-ref, which no cardholder makes", () =>
    Effect.gen(function* () {
      const source = yield* Transfers.stored()
      const order = yield* Transfers.done(
        Transfers.byRef({ "source-card-ref-id": source }, { endpointId: threedsMerchant })
      )
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved" })
    })
  )
})
