import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Balance } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Clock, Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import { ask } from "../harness/Operating.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const { endpoints, login } = TestGateway
const options = { endpointId: endpoints.usd }
const gateway = TestGateway.layer({
  merchants: Merchants.both({ [endpoints.usd]: { currencies: ["CLF", "IRR", "JPY", "USD"] } })
})

const accountOf = (currency: string, name: string): string => `${login}/${endpoints.usd}/${currency}/${name}`

const balance = Effect.fnUntraced(function* (currency: string, name: string) {
  const store = yield* Store
  return (yield* store.load(Balance, [accountOf(currency, name)]))?.minor
})

/** Sums that pass 2^53 minor units after some orders, each of which any gateway of the protocol takes. */
const sums: ReadonlyArray<readonly [currency: string, amount: string, minor: bigint, count: number, printed: string]> =
  [
    ["CLF", "9999999999", 99_999_999_990_000n, 91, "909999999909.0000"],
    ["IRR", "90071992547409.91", 9_007_199_254_740_991n, 3, "270215977642229.73"],
    ["JPY", "9007199254740991", 9_007_199_254_740_991n, 2, "18014398509481982"]
  ]

layer(gateway, { excludeTestServices: true })("sums beyond 2^53", (it) => {
  for (const [currency, amount, minor, count, printed] of sums)
    it.effect(`${count} sales of ${amount} ${currency} are approved, and the books and exports are exact`, () =>
      Effect.gen(function* () {
        const day = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
        for (let n = 0; n < count; n += 1) yield* TestMerchant.create("SALE", { amount, currency }, options)
        const last = yield* TestMerchant.order("SALE", { amount: "1", currency }, options)
        assert.include(yield* TestMerchant.orderStatus(last), "approved sale")
        const one = 10n ** BigInt(printed.split(".")[1]?.length ?? 0)
        assert.strictEqual(yield* balance(currency, "merchant_settlement"), minor * BigInt(count) + one)
        assert.strictEqual(yield* balance(currency, "acquirer_receivable"), -minor * BigInt(count) - one)
        yield* TestMerchant.done("RETURN", last, {})
        yield* TestMerchant.assertClean
        yield* TestMerchant.pass("25 hours")
        const { text } = yield* ask("GET", `/operator/settlement.csv?day=${day}&limit=1000`)
        assert.include(text, `closing,${login},${endpoints.usd},${currency},merchant_settlement,,,,,,${printed}\r\n`)
        const { headers } = yield* ask("GET", `/operator/settlement.csv?day=${day}&limit=3`)
        const next = yield* ask("GET", `/operator/settlement.csv?day=${day}&limit=1000&after=${headers["x-next"]}`)
        assert.strictEqual(next.status, 200)
      })
    )

  it.effect("a posting is exact beyond 2^53 and shown with all its digits", () =>
    Effect.gen(function* () {
      for (const reference of ["large-1", "large-2"])
        yield* ask("POST", "/operator/balances", {
          ...{ reference, merchant: login, endpoint: endpoints.usd },
          ...{ amount: "90071992547409.91", currency: "IRR" }
        })
      const { text } = yield* ask("GET", `/operator/balances?merchant=${login}`)
      assert.include(text, '"currency":"IRR","available":"180143985104819.82"')
    })
  )

  it.effect("an amount that an answer prints can be sent back", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH", { amount: "9999999999", currency: "CLF" }, options)
      const { amount } = yield* TestMerchant.status(order)
      assert.strictEqual(amount, "9999999999.0000")
      yield* TestMerchant.done("CAPTURE", order, { amount: `${amount}`, currency: "CLF" })
      assert.include(yield* TestMerchant.orderStatus(order), "approved capture")
    })
  )
})

/** Requests whose amount of 10.42 USD takes an account past its limit, and the account that is full. */
const refusals: ReadonlyArray<
  readonly [name: string, account: string, sign: 1n | -1n, send: Effect.Effect<TestGateway.Reply, never, Services>]
> = [
  ["sale", "merchant_settlement", 1n, TestMerchant.create("SALE")],
  ["sale, the other side of its booking", "acquirer_receivable", -1n, TestMerchant.create("SALE")],
  ["preauth", "authorised", 1n, TestMerchant.create("PREAUTH")],
  [
    "hosted sale",
    "merchant_settlement",
    1n,
    Effect.suspend(() =>
      TestGateway.post(PayApi.operations.SALEFORM, {
        ...Sample.request(PayApi.operations.SALEFORM),
        client_orderid: TestMerchant.freshId()
      })
    )
  ],
  ["recurring payment", "merchant_settlement", 1n, Effect.suspend(() => Recurring.create())],
  ["payout", "payout_rail", 1n, Effect.suspend(() => TestPayouts.send("PAYOUT", TestPayouts.plain))],
  [
    "payout, the amount that is reserved",
    "payout_held",
    1n,
    Effect.suspend(() => TestPayouts.send("PAYOUT_V4", TestPayouts.plain))
  ]
]
type Services = Effect.Services<ReturnType<typeof Recurring.create>>

const put = (name: string, minor: bigint) =>
  Effect.flatMap(Store, (store) =>
    store.commit({ guards: [], writes: [Decision.put(Balance, { account: accountOf("USD", name), minor })] })
  )

/** Fills the account up to 10.41 USD for the time of an effect. */
const whileFull = <A, E, R>(name: string, sign: 1n | -1n, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = (yield* balance("USD", name)) ?? 0n
    yield* put(name, sign * (Decision.maxBalance - 1041n))
    const result = yield* effect
    yield* put(name, before)
    return result
  })

layer(TestGateway.layer(), { excludeTestServices: true })("an account with room for 10.41", (it) => {
  for (const [name, account, sign, send] of refusals)
    it.effect(`refuses a ${name} of 10.42 without an order: ${account}`, () =>
      Effect.gen(function* () {
        TestMerchant.assertRefused(yield* whileFull(account, sign, send), "amountTooLarge", "amount")
      })
    )

  it.effect("refuses a capture, and takes one that fits", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const capture = Effect.gen(function* () {
        TestMerchant.assertRefused(yield* TestMerchant.act("CAPTURE", order), "amountTooLarge")
        yield* TestMerchant.done("CAPTURE", order, { amount: "10.41", currency: "USD" })
      })
      yield* whileFull("merchant_settlement", 1n, capture)
      assert.include(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.41")
    })
  )

  it.effect("refuses an operator's posting and books nothing", () =>
    Effect.gen(function* () {
      const posting = { reference: "w", merchant: login, endpoint: endpoints.usd, amount: "10.42" }
      const post = ask("POST", "/operator/balances", posting)
      const { status, text } = yield* whileFull("operator_funding", -1n, post)
      assert.strictEqual(status, 400)
      assert.include(text, "past what an account can hold")
      assert.strictEqual((yield* post).status, 201)
    })
  )

  it.effect("filters a scheduled charge, which the next occurrence follows", () =>
    Effect.gen(function* () {
      const { id } = yield* Recurring.created()
      yield* whileFull("merchant_settlement", 1n, TestMerchant.pass("31 days"))
      yield* TestMerchant.pass("31 days")
      assert.match(yield* Recurring.orderStatus(id), /^active: 0 \S+ charged, 1 \S+ failed, 2 \S+ charged/)
    })
  )
})
