import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import { flags, pay, secrets } from "./Pay.ts"
import * as TestGateway from "./TestGateway.ts"

const alice = TestGateway.as("alice")
const bob = TestGateway.as("bob")
const sale = {
  ...Sample.request(PayApi.operations.SALE),
  credit_card_number: secrets.cardNumber,
  expire_month: "12",
  expire_year: "2030",
  cvv2: "123"
}

const sell = Effect.fnUntraced(function* (fields: Readonly<Record<string, string>>) {
  const env = yield* TestGateway.merchant
  const result = yield* Effect.promise(() => pay(["call", "sale", ...flags({ ...sale, ...fields }), "--json"], { env }))
  assert.strictEqual(result.code, 0, result.out)
  yield* (yield* Scheduler).settled
  return String(JSON.parse(result.out).answer["paynet-order-id"])
})

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("an operator at the command line", (it) => {
  it.effect("finds an order, also by a card number from standard input, and sees all its records", () =>
    Effect.gen(function* () {
      const order = yield* sell({ client_orderid: "C1", server_callback_url: "http://127.0.0.1:1/nobody" })
      const search = yield* alice(["orders", "search", "--merchant", "sandbox-merchant", "--last-four", "1881"])
      assert.deepStrictEqual([search.code, search.err], [0, ""])
      assert.match(search.out, /^created +id +merchant/)
      assert.include(search.out, order)
      for (const line of [
        `${secrets.cardNumber} 12/2030\n`,
        `${secrets.cardNumber.replaceAll(/(.{4})(?=.)/g, "$1 ")}  12/30`
      ]) {
        const byCard = yield* alice(
          ["orders", "search", "--merchant", "sandbox-merchant", "--card-file", "-", "--json"],
          { input: line }
        )
        assert.deepStrictEqual(
          JSON.parse(byCard.out).orders.map(({ id }: { readonly id: string }) => id),
          [order]
        )
      }
      const run = yield* alice(["orders", "show", order])
      assert.strictEqual(run.code, 0)
      for (const text of ["requests\n", "ledger\n", "callbacks\n", "merchant_settlement", "SALE"])
        assert.include(run.out, text)
    })
  )

  it.effect("gives to each command the amount that another has printed", () =>
    Effect.gen(function* () {
      const amount = "10000000.00"
      const order = yield* sell({ client_orderid: "C12", amount })
      const env = yield* TestGateway.merchant
      const merchant = (...args: ReadonlyArray<string>) => Effect.promise(() => pay([...args, "--json"], { env }))
      const status = JSON.parse((yield* merchant("status", "C12")).out).answer
      const captured = String(status["captured-amount"])
      assert.strictEqual(captured, amount)
      const search = yield* alice(["orders", "search", "--amount", captured, "--json"])
      assert.deepInclude(JSON.parse(search.out).orders[0], { id: order, amount })
      const posting = [
        "--reference",
        "C12",
        "--merchant",
        "sandbox-merchant",
        "--endpoint",
        String(env.PAY_ENDPOINT_ID)
      ]
      const posted = yield* alice(["balance", "add", ...posting, "--amount", captured, "--json"])
      assert.deepInclude(JSON.parse(posted.out), { amount })
      const names = { client_orderid: "C12", orderid: order }
      const returned = yield* merchant("call", "return", ...flags({ ...names, amount: captured, currency: "USD" }))
      assert.strictEqual(returned.code, 0, returned.out)
      yield* (yield* Scheduler).settled
      assert.include((yield* merchant("status", "C12")).out, `"returned-amount":"${amount}"`)
    })
  )

  it.effect("lists callbacks, and cannot resend one that is pending", () =>
    Effect.gen(function* () {
      const order = yield* sell({ client_orderid: "C2", server_callback_url: "http://127.0.0.1:1/nobody" })
      const listed = yield* alice(["callbacks", "list", "--order", order])
      assert.deepStrictEqual([listed.code, listed.err], [0, ""])
      assert.include(listed.out, `${order}-1`)
      const pending = yield* alice(["callbacks", "resend", `${order}-1`])
      assert.deepStrictEqual([pending.code, pending.out], [1, ""])
      assert.include(pending.err, "it is being tried anyway")
    })
  )

  it.effect("cannot resolve a known outcome, and erases the card data of an order", () =>
    Effect.gen(function* () {
      const order = yield* sell({ client_orderid: "C3" })
      for (const word of ["order", "orders"]) {
        const result = yield* alice([
          word,
          "resolve",
          order,
          "--as",
          "declined",
          "--evidence",
          "Ms Smith, by telephone"
        ])
        assert.deepStrictEqual([result.code, result.out], [1, ""])
        assert.include(result.err, "nothing of this order is unknown")
      }
      const erased = yield* alice(["cards", "erase", "--order", order])
      assert.deepStrictEqual([erased.code, erased.out], [0, `Erased: order:${order}. It cannot be brought back.\n`])
      const missing = yield* alice(["cards", "erase", "--subscription", "1"])
      assert.deepStrictEqual([missing.code, missing.out], [1, ""])
      assert.include(missing.err, "there is no such recurring payment")
      const email = "gone@shop.example"
      yield* sell({ client_orderid: "C3-gone", email })
      const lost = yield* sell({ client_orderid: "C3-lost", email, cvv2: "217" })
      const customer = yield* alice(["cards", "erase", "--email", email])
      assert.strictEqual(customer.code, 1)
      assert.match(customer.out, new RegExp(`erased: 1; that are left: 1\n\norder +reason\n${lost} +a request about`))
    })
  )

  it.effect("resolves an unknown outcome with a second operator, who confirms its digest", () =>
    Effect.gen(function* () {
      const order = yield* sell({ client_orderid: "C9", cvv2: "217" })
      assert.strictEqual((yield* alice(["clock", "advance", "1h"])).code, 0)
      const evidence = ["--evidence", "Ms Smith, by telephone"]
      const proposed = yield* alice(["orders", "resolve", order, "--as", "declined", ...evidence])
      assert.strictEqual(proposed.code, 0, proposed.err)
      const [, digest = ""] = /pay orders confirm \d+ --as declined --digest ([0-9a-f]{32})/.exec(proposed.out) ?? []
      assert.include((yield* bob(["orders", "show", order])).out, digest)
      const confirm = ["orders", "confirm", order, "--as", "declined"]
      const blind = yield* bob(confirm)
      assert.strictEqual(blind.code, 2)
      assert.include(blind.err, "--digest")
      const other = yield* bob([...confirm, "--digest", "0".repeat(32)])
      assert.deepStrictEqual([other.code, other.out], [1, ""])
      assert.include(other.err, "the current proposal differs")
      const confirmed = yield* bob([...confirm, "--digest", digest])
      assert.strictEqual(confirmed.code, 0, confirmed.err)
    })
  )

  it.effect("re-encrypts all data under the current master key, and the audit names the operator", () =>
    Effect.gen(function* () {
      const done = yield* alice(["keys", "rotation"])
      assert.strictEqual(done.code, 0, done.err)
      assert.include(done.out, "0 failed. The older master keys may be removed.")
      const audit = yield* alice(["audit", "--subject", "keys:master"])
      assert.match(audit.out, /operator:alice +master-key.rotate +done/)
    })
  )

  it.effect("recomputes the books, with exit code 1 for a discrepancy", () =>
    Effect.gen(function* () {
      yield* sell({ client_orderid: "C7" })
      const holds = yield* alice(["reconciliation"])
      assert.deepStrictEqual([holds.code, holds.out.slice(0, 20)], [0, "Everything adds up: "])
      const store = yield* Store
      const post = (minor: number) =>
        store.commit({ guards: [], writes: [Decision.post("nobody/1/USD/authorised", minor)] })
      yield* post(5)
      const wrong = yield* alice(["reconciliation", "--json"])
      yield* post(-5)
      assert.strictEqual(wrong.code, 1)
      assert.deepInclude(JSON.parse(wrong.out), { state: "done", discrepancyCount: 1 })
    })
  )

  it.effect("backs up a running gateway, and restores the copy", () =>
    Effect.gen(function* () {
      yield* sell({ client_orderid: "C9" })
      const { dataDirectory } = yield* TestGateway.Folder
      const copy = join(dataDirectory, "copy.db")
      const result = yield* alice(["backup", copy, "--data", dataDirectory, "--reconcile"])
      assert.strictEqual(result.code, 0, result.err)
      assert.match(result.out, /copy.db is whole: \d+ orders and \d+ entries/)
      const again = yield* alice(["backup", copy, "--data", dataDirectory])
      assert.deepStrictEqual([again.code, again.out], [1, ""])
      const nowhere = yield* alice(["backup", join(dataDirectory, "missing", "copy.db"), "--data", dataDirectory])
      assert.strictEqual(nowhere.code, 1)
      assert.match(nowhere.err, /the folder .*missing is missing: make it first/)
      const over = yield* alice(["restore", copy, dataDirectory])
      assert.deepStrictEqual([over.code, over.out], [1, ""])
      const put = yield* alice(["restore", copy, mkdtempSync(join(dataDirectory, "restored-"))])
      assert.strictEqual(put.code, 0, put.err)
      assert.include(put.out, "inquires at the bank before it sends")
      const audit = yield* alice(["audit", "--subject", "store:gateway.db"])
      assert.match(audit.out, /host:\S+ +store.backup +done/)
    })
  )

  it.effect.each([
    ["a backup without a file", ["backup"], 2, "pay backup FILE"],
    ["a restore without a folder", ["restore", "x"], 2, "pay restore FILE FOLDER"],
    ["a missing verb", ["orders"], 2, "pay orders search"],
    ["two subjects of an erasure", ["cards", "erase", "--order", "1", "--card-ref", "2"], 2, "Say whose card"],
    ["an invalid time", ["orders", "search", "--unknown-for", "long"], 2, "--unknown-for is a time"],
    ["an invalid limit", ["orders", "search", "--limit", "many"], 2, "--limit is a number"],
    ["an unknown order", ["orders", "show", "1"], 1, "there is no such order"],
    ["an invalid date", ["orders", "search", "--from", "yesterday"], 1, "is not a time"],
    ["a token on the command line", ["audit", "--operator-token", "x"], 2, "--operator-token-file FILE"]
  ] as const)("is refused with a hint: %s", ([, args, code, says]) =>
    Effect.gen(function* () {
      const result = yield* alice([...args])
      assert.deepStrictEqual([result.code, result.out], [code, ""])
      assert.include(result.err, says)
    })
  )

  it.effect.each([
    ["a wrong token", { PAY_OPERATOR_TOKEN: "wrong" }, 1, "give the operator's token"],
    ["an unreachable gateway", { PAY_OPERATOR_URL: "http://127.0.0.1:2" }, 3, "could not be reached"],
    ["an invalid address", { PAY_OPERATOR_URL: "here" }, 2, "--operator-url is an address"]
  ] as const)("gets a hint for a failed request: %s", ([, env, code, says]) =>
    Effect.gen(function* () {
      const result = yield* alice(["audit"], { env })
      assert.deepStrictEqual([result.code, result.out], [code, ""])
      assert.include(result.err, says)
    })
  )
})
