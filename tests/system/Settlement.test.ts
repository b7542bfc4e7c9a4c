import { assert, layer } from "@effect/vitest"
import { Balance } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as Currency from "@pay/schema/Currency"
import { Clock, Effect } from "effect"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

interface Row {
  readonly kind: string
  readonly account: string
  readonly amount: number
  readonly balance: number
}

const minor = (text: string | undefined, currency = ""): number =>
  Math.round(Number(text) * 10 ** (Currency.digits(currency) ?? 2))

const rowOf = (line: string): Row => {
  const [kind = "", merchant, endpoint, currency, account, , , , , amount, balance] = line.split(",")
  return {
    kind,
    account: [merchant, endpoint, currency, account].join("/"),
    amount: minor(amount === "" ? "0" : amount, currency),
    balance: minor(balance, currency)
  }
}

const exported = Effect.fnUntraced(function* (day: string, limit: number, merchant = "") {
  const texts: Array<string> = []
  let after = ""
  while (true) {
    const reply = yield* ask("GET", `/operator/settlement.csv?day=${day}&limit=${limit}${merchant}${after}`)
    assert.strictEqual(reply.status, 200, reply.text)
    assert.isAtMost(reply.text.split("\r\n").length, limit + 4)
    texts.push(reply.text)
    const next = reply.headers["x-next"]
    if (next === undefined) break
    after = `&after=${String(next)}`
  }
  const [head, ...lines] = texts.join("").trimEnd().split("\r\n")
  assert.match(head ?? "", /^kind,merchant,endpoint,currency,account,time,order,request,cause,amount,balance$/)
  return lines.map(rowOf)
})

const today = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms).toISOString().slice(0, 10))

const byAccount = (rows: ReadonlyArray<Row>) => {
  const accounts = new Map<string, Array<Row>>()
  for (const row of rows) accounts.set(row.account, [...(accounts.get(row.account) ?? []), row])
  return accounts
}

layer(TestGateway.layer(), { excludeTestServices: true })("the books of a day", (it) => {
  it.effect("add up from each opening to its closing balance, over days and in pages of any size", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const first = yield* today
      const order = yield* TestMerchant.order("SALE")
      yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.order("SALE", { currency: "EUR" }, { endpointId: TestGateway.endpoints.eur })
      yield* TestMerchant.done("RETURN", order, { amount: "4.00", currency: "USD" })
      assert.strictEqual((yield* ask("GET", `/operator/settlement.csv?day=${first}`)).status, 400)
      yield* TestMerchant.pass("1 day")
      const second = yield* today
      yield* TestMerchant.done("RETURN", order, { amount: "1.00", currency: "USD" })
      yield* TestMerchant.pass("1 day")

      const whole = yield* exported(first, 1000)
      assert.deepStrictEqual(yield* exported(first, 1), whole)
      assert.deepStrictEqual(yield* exported(first, 3), whole)
      const later = byAccount(yield* exported(second, 2))
      for (const [account, rows] of byAccount(whole)) {
        const [opening, closing] = [rows[0], rows.at(-1)]
        assert.deepStrictEqual([opening?.kind, closing?.kind], ["opening", "closing"])
        assert.strictEqual(opening?.balance, 0)
        const sum = rows.reduce((total, { amount }) => total + amount, 0)
        assert.strictEqual(closing?.balance, sum)
        assert.strictEqual(later.get(account)?.[0]?.balance, closing?.balance)
      }
      for (const [account, rows] of later) {
        const balance = yield* store.load(Balance, [account])
        assert.strictEqual(rows.at(-1)?.balance, Number(balance?.minor), account)
      }
      const settlement = `${TestGateway.login}/${TestGateway.endpoints.usd}/USD/merchant_settlement`
      assert.deepStrictEqual(
        byAccount(whole)
          .get(settlement)
          ?.map(({ amount, balance, kind }) => [kind, amount, balance]),
        [
          ["opening", 0, 0],
          ["entry", 1042, 1042],
          ["entry", -400, 642],
          ["closing", 0, 642]
        ]
      )
      assert.deepStrictEqual(yield* exported(first, 1000, "&merchant=nobody"), [])
      const own = whole.filter(({ account }) => account.startsWith(`${TestGateway.login}/`))
      assert.deepStrictEqual(yield* exported(first, 1000, `&merchant=${TestGateway.login}`), own)
    })
  )

  it.effect.each([["day=2026-02-30"], ["day=2020-01-01&limit=0"]])("are refused for the query %s", ([query]) =>
    Effect.map(ask("GET", `/operator/settlement.csv?${query}`), ({ status }) => assert.strictEqual(status, 400))
  )
})
