/** Each request reads its order, and each other row, once. The table has what a request reads before its answer, in this order. */
import { assert, layer } from "@effect/vitest"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, Fiber, Predicate } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as StoreReads from "../harness/StoreReads.ts"
import * as World from "../harness/World.ts"

type Fields = Readonly<Record<string, string>>

const gateway = World.layer({ spoilStore: StoreReads.watched })

const { threeds3dsGateway: threedsGateway, threedsMerchant } = Sandbox.merchant.endpoints

interface Row {
  /** What must be there first. Returns the fields that name it. */
  readonly needs?: Effect.Effect<Fields, unknown, World.Services>
  readonly endpointId?: string
  /** Fields of the sample that are left out. */
  readonly without?: ReadonlyArray<string>
  readonly reads: string
}

const settledSend = (name: PayApi.Name, fields: Fields, options?: Parameters<typeof ClientMerchant.send>[2]) =>
  Effect.tap(ClientMerchant.send(name, fields, options), World.settled)

const nameOf = ({ client_orderid, orderid }: ClientMerchant.Order): Fields => ({ client_orderid, orderid })
const paid = (name: "SALE" | "PREAUTH", fields: Fields = {}) =>
  Effect.suspend(() => Effect.map(Effect.tap(ClientMerchant.create(name, fields), World.settled), nameOf))
const sold = paid("SALE")
const reserved = paid("PREAUTH")
const text = (answer: unknown, name: string): string => String(Predicate.hasProperty(answer, name) ? answer[name] : "")
const storedOf = (order: typeof sold) =>
  Effect.map(
    Effect.flatMap(order, (fields) => ClientMerchant.call("CARDREF", fields)),
    (answer) => text(answer, "card-ref-id")
  )
const stored = storedOf(sold)

let count = 0
const fresh = (): Fields => {
  count += 1
  return { client_orderid: `read-${count}`, "client-order-id": `read-${count}` }
}

/** The sample of an operation under a name of its own, with these fields and without those. */
const fieldsOf = (name: PayApi.Name, more: Fields = {}, without: ReadonlyArray<string> = []): Fields => {
  const { fields } = PayApi.operations[name]
  const own = Object.entries({ ...Sample.request(PayApi.operations[name]), ...fresh(), ...more })
  return Object.fromEntries(own.filter(([field]) => field in fields && !without.includes(field)))
}

const accountOnly = ["credit_card_number", "ewallet_id", "phone"]
const toAccount: Fields = { account_number: "DE89370400440532013000" }
const subscription = Effect.map(
  Effect.tap(ClientMerchant.call("CREATE_RP_V4", fieldsOf("CREATE_RP_V4", { cvv2: "123" })), World.settled),
  (answer) => ({ "recurring-payment-id": text(answer, "recurring-payment-id") })
)

/** A sale at the step of 3-D Secure to which this card leads. */
const atIssuer = Effect.fnUntraced(function* (card: string, endpointId: string) {
  const number = ThreeDSTestCards.cards.find(({ name }) => name === card)?.number ?? ""
  const fields = { ...Sample.browser, credit_card_number: number, redirect_url: "https://shop.example/back" }
  return yield* settledSend("SALE", fieldsOf("SALE", fields), { endpointId })
})

const played = Effect.fnUntraced(function* (card: string) {
  const { client_orderid, orderid } = yield* atIssuer(card, threedsMerchant)
  const { play } = yield* ThreeDSControl
  const message = yield* play(orderid, "pass")
  const result: Fields = message._tag === "CRes" ? { cRes: message.cres } : { paRes: message.pares, md: message.md }
  return { "client-order-id": client_orderid, orderid, ...result }
})

const atMethod = Effect.gen(function* () {
  const { client_orderid, orderid } = yield* atIssuer("method-frictionless", threedsMerchant)
  const status = yield* ClientMerchant.call("STATUS", { client_orderid, orderid }, { endpointId: threedsMerchant })
  const threeDSServerTransID = text(status, "threeds-server-trans-id")
  return { "client-order-id": client_orderid, orderid, threeDSServerTransID }
})

const checked = Effect.map(settledSend("PAYOUT_V4_CHECK", fieldsOf("PAYOUT_V4_CHECK", toAccount, accountOnly)), nameOf)

const byCard = (field: string, reads: string): Row => ({
  needs: Effect.map(stored, (id) => ({ [field]: id })),
  reads
})

const rows: Readonly<Record<PayApi.Name, Row>> = {
  SALE: { reads: "orders by clientOrder" },
  SALE_V4: { reads: "orders by clientOrder" },
  PREAUTH: { reads: "orders by clientOrder" },
  ACCOUNT_VERIFICATION: { reads: "orders by clientOrder" },
  SYNC_ACCOUNT_VERIFICATION: { reads: "orders by clientOrder, orders by clientOrder, orders by clientOrder" },
  SALEFORM: { reads: "orders by clientOrder" },
  PREAUTHFORM: { reads: "orders by clientOrder" },
  PAYMENTFORM: { reads: "orders by clientOrder" },
  ACCOUNT_VERIFICATION_FORM: { reads: "orders by clientOrder" },
  TRANSFERFORM: { reads: "orders by clientOrder" },
  PAYOUTFORM: { reads: "orders by clientOrder" },
  PAYOUT: { needs: Effect.succeed(toAccount), without: accountOnly, reads: "orders by clientOrder" },
  PAYOUT_V4: { needs: Effect.succeed(toAccount), without: accountOnly, reads: "orders by clientOrder" },
  PAYOUT_V4_CHECK: { needs: Effect.succeed(toAccount), without: accountOnly, reads: "orders by clientOrder" },
  PAYOUT_V4_PAY: { needs: checked, reads: "orders, requests by order" },
  TRANSFER_V4: { reads: "orders by clientOrder" },
  TRANSFER_BY_REF_V4: byCard("source-card-ref-id", "orders by clientOrder, cardRefs, orders, stoppedCards"),
  TRANSFER_BY_REF: {
    needs: Effect.gen(function* () {
      return {
        "source-card-ref-id": yield* stored,
        "destination-card-ref-id": yield* storedOf(paid("SALE", { card: "4444555566661111" }))
      }
    }),
    reads: "orders by clientOrder, cardRefs, orders, cardRefs, stoppedCards"
  },
  PAN_ELIGIBILITY_SEND: byCard("sending-card-ref-id", "orders by clientOrder, cardRefs"),
  REBILL: byCard("cardrefid", "orders by clientOrder, cardRefs, orders, stoppedCards"),
  REBILL_SALE: byCard("cardrefid", "orders by clientOrder, cardRefs, orders, stoppedCards"),
  REBILL_PREAUTH: byCard("cardrefid", "orders by clientOrder, cardRefs, orders, stoppedCards"),
  CREATE_RP_V4: {
    needs: Effect.succeed({ cvv2: "123" }),
    reads: "orders by clientOrder, subscriptions by order, occurrences by key"
  },
  PROCESS_RP_V4: { needs: subscription, reads: "orders by clientOrder, subscriptions, stoppedCards" },
  UPDATE_RP_V4: {
    needs: Effect.map(subscription, (id) => ({ ...id, change: "pause" })),
    reads: "subscriptions, occurrences, occurrences by key"
  },
  CAPTURE: { needs: reserved, without: ["amount", "currency"], reads: "orders, requests by idempotency" },
  VOID: { needs: reserved, reads: "orders, requests by idempotency" },
  RETURN: { needs: sold, without: ["amount", "currency"], reads: "orders, requests by idempotency" },
  STATUS: { needs: sold, reads: "orders" },
  STATUS_V4: { needs: sold, reads: "orders" },
  CARDREF: { needs: sold, reads: "orders, cards, cardRefs by card" },
  CARDREF_V4: { needs: sold, reads: "orders, cards, cardRefs by card" },
  CARDINFO: byCard("cardrefid", "cardRefs"),
  TDS_UPLOAD_METHOD_URL_RESULT: { endpointId: threedsMerchant, needs: atMethod, reads: "orders, authentications" },
  TDS_UPLOAD_CRES_RESULT: { endpointId: threedsMerchant, needs: played("challenge"), reads: "orders, authentications" },
  TDS_UPLOAD_PARES_RESULT: { endpointId: threedsMerchant, needs: played("version1"), reads: "orders, authentications" }
}

const isName = (name: string): name is PayApi.Name => name in PayApi.operations

layer(gateway, { excludeTestServices: true })("a request reads each row once", (it) => {
  for (const { name } of PayApi.all) {
    const row = isName(name) ? rows[name] : undefined
    it.effect(`${name}: ${row?.reads}`, () =>
      Effect.gen(function* () {
        assert(isName(name) && row !== undefined)
        const { endpointId, needs = Effect.succeed({}), without } = row
        yield* Effect.tap(ClientMerchant.create("SALE"), World.settled)
        const fields = fieldsOf(name, yield* needs, without)
        const request = ClientMerchant.call(name, fields, endpointId === undefined ? {} : { endpointId })
        const fiber = yield* Effect.forkChild(StoreReads.of(request), { startImmediately: true })
        yield* World.settled
        yield* World.pass("1 second")
        const { reads, twice } = yield* Fiber.join(fiber)
        assert.strictEqual(reads, row.reads)
        // It waits for its outcome, and reads its order each time that it looks.
        if (name !== "SYNC_ACCOUNT_VERIFICATION") assert.deepStrictEqual(twice, [])
      })
    )
  }
})

const repeats: ReadonlyArray<readonly [name: PayApi.Name, needs: NonNullable<Row["needs"]>, reads: string]> = [
  ["SALE", Effect.succeed({}), "orders by clientOrder, requests"],
  ["SALEFORM", Effect.succeed({}), "orders by clientOrder, requests, hostedSessions by order"],
  ["CAPTURE", reserved, "orders, requests by idempotency"],
  ["PAYOUT_V4_PAY", checked, "orders, requests by order"],
  ["TDS_UPLOAD_CRES_RESULT", played("challenge"), "orders, authentications"]
]

layer(gateway, { excludeTestServices: true })("a repeated request reads each row once", (it) => {
  for (const [name, needs, expected] of repeats)
    it.effect(`${name}: ${expected}`, () =>
      Effect.gen(function* () {
        const fields = fieldsOf(name, yield* needs)
        const options = { ...(name.startsWith("TDS") ? { endpointId: threedsMerchant } : {}), idempotencyKey: "again" }
        const request = ClientMerchant.call(name, fields, options)
        yield* Effect.andThen(request, World.settled)
        const { reads, twice } = yield* StoreReads.of(request)
        assert.strictEqual(reads, expected)
        assert.deepStrictEqual(twice, [])
      })
    )
})

/** A page of this operation, and what the browser sends to it. Returns the page's path and the form of its last request. */
interface Visit {
  readonly path: string
  readonly form?: Fields
}

const opened = (name: "SALEFORM" | "PAYOUTFORM", form?: Fields) =>
  Effect.map(ClientMerchant.call(name, fieldsOf(name)), (answer): Visit => {
    const { pathname: path } = new URL(text(answer, "redirect-url"))
    return form === undefined ? { path } : { path, form }
  })

/** The page of 3-D Secure of a sale with this card, in the gateway's mode. */
const stepOf = Effect.fnUntraced(function* (card: string, part = "", form?: Fields) {
  const { client_orderid, orderid } = yield* atIssuer(card, threedsGateway)
  const status = yield* ClientMerchant.call("STATUS", { client_orderid, orderid }, { endpointId: threedsGateway })
  const visit: Visit = { path: `${new URL(text(status, "redirect-to")).pathname}${part}`, ...(form && { form }) }
  return { orderid, visit }
})

const shown = (card: string, part?: string, form?: Fields) => Effect.map(stepOf(card, part, form), ({ visit }) => visit)

const carried = Effect.fnUntraced(function* (card: string, part: string) {
  const { orderid, visit } = yield* stepOf(card, part)
  const message = yield* (yield* ThreeDSControl).play(orderid, "pass")
  const form: Fields = message._tag === "CRes" ? { cres: message.cres } : { PaRes: message.pares, MD: message.md }
  return { ...visit, form } satisfies Visit
})

const account: Fields = {
  attempts: "0",
  action: "pay",
  way: "account",
  account: "DE89370400440532013000",
  recipient: "Jane Doe"
}

const pages: ReadonlyArray<
  readonly [what: string, visit: Effect.Effect<Visit, unknown, World.Services>, reads: string]
> = [
  ["a page for a card is shown", opened("SALEFORM"), "hostedSessions, orders"],
  ["a card is entered", opened("SALEFORM", HostedPage.goodCard), "hostedSessions, orders, requests"],
  ["a page for a card is cancelled", opened("SALEFORM", { action: "cancel" }), "hostedSessions, orders, requests"],
  ["a page for an account is shown", opened("PAYOUTFORM"), "hostedSessions, orders"],
  ["an account is entered", opened("PAYOUTFORM", account), "hostedSessions, orders, requests, payouts"],
  [
    "a page for an account is cancelled",
    opened("PAYOUTFORM", { action: "cancel" }),
    "hostedSessions, orders, requests"
  ],
  ["a step of 3-D Secure is shown", shown("method-frictionless"), "authentications by pageToken, orders"],
  [
    "a method page has ended",
    shown("method-frictionless", "/method", { threeDSMethodData: "" }),
    "authentications by pageToken, orders"
  ],
  ["a challenge has ended", carried("challenge", "/challenge"), "authentications by pageToken, orders"],
  ["a PaRes arrives", carried("version1", "/pares"), "authentications by pageToken, orders"]
]

layer(gateway, { excludeTestServices: true })("a page reads each row once", (it) => {
  for (const [what, visit, expected] of pages)
    it.effect(`${what}: ${expected}`, () =>
      Effect.gen(function* () {
        const { form, path } = yield* visit
        const { answer, reads, twice } = yield* StoreReads.of(HostedPage.inProcess(path, form && { form }))
        assert.include([200, 303], answer.status)
        assert.strictEqual(reads, expected)
        assert.deepStrictEqual(twice, [])
      })
    )
})

const twoTries = World.layer({
  spoilStore: StoreReads.watched,
  settings: { cardRate: { perSecond: 0.000_001, burst: 2 } }
})

layer(twoTries, { excludeTestServices: true })("two equal requests at once", (it) => {
  it.effect("enter one card on a page, which counts as one try of the card", () =>
    Effect.gen(function* () {
      const { form, path } = yield* opened("SALEFORM", HostedPage.goodCard)
      const post = HostedPage.inProcess(path, form && { form })
      yield* Effect.all([post, post], { concurrency: 2 })
      yield* ClientMerchant.create("SALE")
      const refused = yield* Effect.flip(ClientMerchant.create("SALE"))
      assert.include(String(refused), "payments with this card")
    })
  )

  it.effect("are both accepted as uploads of one CRes", () =>
    Effect.gen(function* () {
      const fields = fieldsOf("TDS_UPLOAD_CRES_RESULT", yield* played("challenge"))
      const upload = ClientMerchant.call("TDS_UPLOAD_CRES_RESULT", fields, { endpointId: threedsMerchant })
      const both = yield* Effect.all([upload, upload], { concurrency: 2 })
      assert.deepStrictEqual(
        both.map((answer) => text(answer, "type")),
        ["async-response", "async-response"]
      )
    })
  )
})
