import { assert, layer } from "@effect/vitest"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { CAPTURE } = PayApi.operations
const { endpoints, login, standardHeaders } = TestGateway

/** A capture as it is about to be sent; each stage of refusal has one thing in it that breaks. */
interface Draft {
  readonly method: "POST" | "GET"
  readonly endpointId: string
  readonly suffix: string
  readonly headers: TestMerchant.Fields
  readonly order: "open" | "closed"
  readonly fields: TestMerchant.Fields
  readonly key: string
  readonly afterSigning: string
}

const sound: Draft = {
  method: "POST",
  endpointId: endpoints.usd,
  suffix: "",
  headers: standardHeaders,
  order: "open",
  fields: { amount: "2.00", currency: "USD" },
  key: TestGateway.controlKey,
  afterSigning: ""
}

interface Stage {
  readonly name: string
  readonly error: ErrorCode.Name
  readonly breaks: (draft: Draft) => Draft
}

const stage = (name: string, error: ErrorCode.Name, breaks: Stage["breaks"]): Stage => ({ name, error, breaks })
const header = (name: string, value: string) => (draft: Draft) => ({
  ...draft,
  headers: { ...draft.headers, [name]: value }
})
const field = (name: string, value: string) => (draft: Draft) => ({
  ...draft,
  fields: { ...draft.fields, [name]: value }
})
const append = (text: string) => (draft: Draft) => ({ ...draft, afterSigning: draft.afterSigning + text })

/** An endpoint at which captures are not enabled. The merchant's keys and orders are valid there too. */
const noCaptures = endpoints.eur
const usedKey = "used for one dollar"

/** The contract: the earlier one wins. */
const stages: ReadonlyArray<Stage> = [
  stage("size", "bodyTooLarge", append(`&x=${"x".repeat(256 * 1024)}`)),
  stage("path", "notFound", (draft) => ({ ...draft, suffix: "x" })),
  stage("method", "methodNotAllowed", (draft) => ({ ...draft, method: "GET" })),
  stage("Accept", "acceptRequired", header("accept", "text/html")),
  stage("Content-Type", "contentTypeRequired", header("content-type", "text/plain")),
  stage("form syntax", "malformedForm", append("&x=%zz")),
  stage("number of parameters", "tooManyParameters", append("&x=1".repeat(201))),
  stage("authentication", "authenticationFailed", (draft) => ({ ...draft, key: "wrong" })),
  stage("replay", "idempotencyKeyConflict", header("idempotency-key", usedKey)),
  stage("operation enabled", "operationNotEnabled", (draft) => ({ ...draft, endpointId: noCaptures })),
  stage("fields", "parameterTooLong", field("comment", "x".repeat(51))),
  stage("state", "orderState", (draft) => ({ ...draft, order: "closed" })),
  stage("amounts", "amountExceeds", field("amount", "99.00"))
]

const merchants = Merchants.both({ [noCaptures]: { operations: ["SALE", "STATUS"] } })

layer(TestGateway.layer({ merchants, settings: TestGateway.jsonOnly }), { excludeTestServices: true })(
  "the order of refusals",
  (it) => {
    const oneDollar = { amount: "1.00", currency: "USD" }
    const key = { headers: { "idempotency-key": usedKey } }

    /** One that can still be captured and one that cannot, each with a capture of one dollar under the key. */
    const makeOrders = Effect.gen(function* () {
      const open = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", open, oneDollar, key)
      const closed = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", closed, oneDollar, key)
      yield* TestMerchant.done("VOID", closed)
      return { open, closed }
    })
    type Orders = Effect.Success<typeof makeOrders>

    const send = Effect.fnUntraced(function* (orders: Orders, draft: Draft) {
      const fields = { login, ...orders[draft.order], ...draft.fields }
      const signed = TestGateway.controlled(CAPTURE, fields, draft.endpointId, draft.key)
      return yield* TestGateway.raw({
        method: draft.method,
        path: `${CAPTURE.path}/${draft.endpointId}${draft.suffix}`,
        headers: draft.headers,
        body: Form.write(Object.entries(signed)) + draft.afterSigning
      })
    })

    it.effect("a correct request is accepted", () =>
      Effect.gen(function* () {
        TestMerchant.assertAccepted(yield* send(yield* makeOrders, sound))
      })
    )

    for (const [index, earlier] of stages.entries()) {
      it.effect(`${earlier.name}: ${earlier.error}, before every later refusal`, () =>
        Effect.gen(function* () {
          const orders = yield* makeOrders
          TestMerchant.assertRefused(yield* send(orders, earlier.breaks(sound)), earlier.error)
          for (const later of stages.slice(index + 1)) {
            TestMerchant.assertRefused(yield* send(orders, earlier.breaks(later.breaks(sound))), earlier.error)
          }
        })
      )
    }

    it.effect("a request with every mistake gets the first refusal and captures nothing", () =>
      Effect.gen(function* () {
        const orders = yield* makeOrders
        let draft = sound
        for (const { breaks } of stages) draft = breaks(draft)
        TestMerchant.assertRefused(yield* send(orders, draft), "bodyTooLarge")
        assert.strictEqual(yield* TestMerchant.orderStatus(orders.open), "approved capture 10.42 1.00 0.00 9.42")
        yield* TestMerchant.assertClean
      })
    )
  }
)

const sameBut = (reply: TestGateway.Reply) => ({ status: reply.status, ...reply.body, "serial-number": "" })

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("a refusal", (it) => {
  const { controlKey, endpointId, login: theirLogin } = Merchants.other
  const theirs = { endpointId, key: controlKey }

  it.effect("is the same for an unknown login, an unknown or another's endpoint and a wrong control", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const refusals = [
        ["wrong control", {}, { key: "wrong" }],
        ["unknown login", { login: "nobody" }, {}],
        ["another merchant's login, our key", { login: theirLogin }, {}],
        ["another merchant's login and key", { login: theirLogin }, { key: controlKey }],
        ["another merchant's endpoint, our key", {}, { endpointId }],
        ["another merchant's endpoint and key, our login", {}, theirs],
        ["nobody's endpoint", {}, { endpointId: "999" }],
        ["nobody's endpoint, unknown order", { orderid: "1" }, { endpointId: "999" }]
      ] as const
      const first = yield* TestMerchant.act("VOID", order, {}, { key: "wrong" })
      TestMerchant.assertRefused(first, "authenticationFailed")
      for (const [name, fields, options] of refusals) {
        const reply = yield* TestMerchant.act("VOID", order, fields, options)
        assert.deepStrictEqual(sameBut(reply), sameBut(first), name)
      }
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved preauth 10.42 0.00 0.00 10.42")

      const change = ({ control: _, ...fields }: TestMerchant.Fields) => fields
      const unsigned = yield* TestMerchant.act("VOID", order, {}, { change })
      TestMerchant.assertRefused(unsigned, "parameterRequired", "control")
      for (const [name, fields, options] of refusals) {
        const reply = yield* TestMerchant.act("VOID", order, fields, { ...options, change })
        assert.deepStrictEqual(sameBut(reply), sameBut(unsigned), `${name}, without control`)
      }
    })
  )

  for (const name of ["CAPTURE", "VOID", "RETURN", "STATUS"] as const) {
    it.effect(`is the same for a ${name} of another merchant's, a mismatched and an unknown order`, () =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order("PREAUTH")
        const another = yield* TestMerchant.order("PREAUTH")
        const foreign = TestMerchant.nameOf(yield* TestMerchant.create("PREAUTH", {}, theirs))
        yield* TestMerchant.settled
        const unknown = { client_orderid: TestMerchant.freshId(), orderid: "123456" }
        const names = [
          unknown,
          foreign,
          { ...order, orderid: another.orderid },
          { ...order, client_orderid: another.client_orderid },
          { ...order, orderid: unknown.orderid },
          { ...order, client_orderid: unknown.client_orderid },
          { ...order, orderid: foreign.orderid },
          { ...order, client_orderid: foreign.client_orderid }
        ]
        const ask = (order: TestMerchant.Order) =>
          TestGateway.post(PayApi.operations[name], { login, ...order }, { headers: { "idempotency-key": "k" } })
        const first = yield* ask(unknown)
        TestMerchant.assertRefused(first, "orderNotFound")
        for (const order of names) assert.deepStrictEqual(sameBut(yield* ask(order)), sameBut(first))
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved preauth 10.42 0.00 0.00 10.42")
      })
    )
  }

  it.effect("does not reveal the amount of another merchant's order to a capture that is signed with it", () =>
    Effect.gen(function* () {
      const foreign = TestMerchant.nameOf(yield* TestMerchant.create("PREAUTH", {}, theirs))
      yield* TestMerchant.settled
      const guess = (order: TestMerchant.Order, amount: string) =>
        TestMerchant.act(
          "CAPTURE",
          order,
          { amount, currency: "USD" },
          {
            change: ({ amount: _, currency: __, ...fields }) => fields
          }
        )
      const unknown = yield* guess({ client_orderid: TestMerchant.freshId(), orderid: "123456" }, "10.42")
      TestMerchant.assertRefused(unknown, "authenticationFailed")
      for (const amount of ["10.42", "10.43"]) {
        assert.deepStrictEqual(sameBut(yield* guess(foreign, amount)), sameBut(unknown))
      }
    })
  )

  it.effect("is not caused by another merchant's order with the same client_orderid", () =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const ours = yield* TestMerchant.order("SALE", { client_orderid })
      const theirOrder = yield* TestMerchant.order("SALE", { client_orderid, amount: "3.00" }, theirs)
      assert.notStrictEqual(ours.orderid, theirOrder.orderid)
      assert.strictEqual(yield* TestMerchant.orderStatus({ client_orderid }), "approved sale 10.42 10.42 0.00 0.00")
      yield* TestMerchant.assertClean
    })
  )
})
