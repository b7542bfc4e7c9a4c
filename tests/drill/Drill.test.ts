/** The judges of `npm run drill`: its arguments, what it finds lost or doubled, and what it reads of logs and metrics. */
import { assert, describe, it } from "@effect/vitest"
import * as Acquirer from "@pay/gateway/Acquirer"
import { BankBooks as BankBooksPort } from "@pay/gateway/BankBooks"
import * as AcquirerContract from "@pay/sandbox/AcquirerContract"
import * as BankBooksContract from "@pay/sandbox/BankBooksContract"
import * as Adapters from "@pay/server/Adapters"
import { Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Arguments from "./Arguments.ts"
import * as Bank from "./Bank.ts"
import * as BankBooks from "./BankBooks.ts"
import { logs, metric, readiness, staysReady } from "./Incident.ts"
import * as Incidents from "./incidents/Incidents.ts"
import type { Purpose, Sale } from "./Merchants.ts"
import * as Money from "./Money.ts"
import * as Observations from "./Observations.ts"
import * as Report from "./Report.ts"
import * as Site from "./Site.ts"

describe("the arguments of npm run drill", () => {
  it.effect("select incidents by their names, or all", () =>
    Effect.gen(function* () {
      const read = (...args: ReadonlyArray<string>) => Arguments.read(args, Incidents.all)
      assert.deepStrictEqual(
        yield* read(),
        Incidents.all.map(({ name }) => name)
      )
      assert.deepStrictEqual(yield* read("postgres-restarted", "bank-down"), ["bank-down", "postgres-restarted"])
      assert.strictEqual(yield* read("bank-down", "--help"), "help")
      assert.strictEqual((yield* Effect.flip(read("flood"))).message, 'There is no incident "flood".')
    })
  )

  it("are explained with every incident", () => {
    const usage = Arguments.usage(Incidents.all)
    for (const { happens, name } of Incidents.all)
      assert.match(usage, new RegExp(`^  ${name} +${happens.slice(0, 10)}`, "m"))
    assert.strictEqual(new Set(Incidents.all.map(({ name }) => name)).size, Incidents.all.length)
  })
})

const order = { clientOrderId: "t-1", orderId: "7", status: "approved" }
const sale = (purpose: Purpose, changes: Partial<Sale> = {}): Sale => ({
  ...{ clientOrderId: "t-1", purpose, amountMinor: 1000, calls: 1, callbacks: ["approved"] },
  ...{ order, isFollowedUp: purpose !== "sale", ...changes }
})

type Booked = readonly [id: string, type: BankBooks.Type, amount: string, parent?: string]

const judged = (record: Sale | undefined, bookings: ReadonlyArray<Booked>) => {
  const books = BankBooks.make()
  for (const [id, type, amount, parent] of bookings)
    books.book({ id, type, amount, parent, shop: "anvil", shopOrder: "t-1", currency: "USD" }, 0)
  const sales = new Map(record === undefined ? [] : [[record.clientOrderId, record]])
  const { doubled, lost, otherProblems } = Money.compare("t", [{ login: "anvil", sales }], books)
  return `lost ${lost.length}, doubled ${doubled.length}, other ${otherProblems.length}`
}

const none = "lost 0, doubled 0, other 0"
const purchase: Booked = ["7-sale-0", "purchase", "1000"]
const reserve: Booked = ["7-authorize-0", "reserve", "1000"]
const capture = (id: string, amount = "1000"): Booked => [id, "complete", amount, "7-authorize-0"]

describe("the comparison with the bank's books", () => {
  const rows: ReadonlyArray<readonly [string, Sale | undefined, ReadonlyArray<Booked>, string]> = [
    ["a sale that both have", sale("sale"), [purchase], none],
    ["a capture that both have", sale("capture"), [reserve, capture("7-capture-1")], none],
    ["a void that both have", sale("void"), [reserve, ["7-void-1", "cancel", "1000", "7-authorize-0"]], none],
    ["a refund that both have", sale("refund"), [purchase, ["7-refund-1", "credit", "100", "7-sale-0"]], none],
    ["a sale that the bank lacks", sale("sale"), [], "lost 1, doubled 0, other 0"],
    [
      "a sale that was booked twice",
      sale("sale"),
      [purchase, ["7-sale-1", "purchase", "1000"]],
      "lost 0, doubled 1, other 0"
    ],
    ["a sale of two orders", sale("sale"), [purchase, ["8-sale-0", "purchase", "1000"]], "lost 0, doubled 2, other 0"],
    ["a sale under another order", sale("sale"), [["8-sale-0", "purchase", "1000"]], "lost 1, doubled 0, other 0"],
    ["a refund that the bank lacks", sale("refund"), [purchase], "lost 1, doubled 0, other 0"],
    [
      "a capture of too much",
      sale("capture"),
      [reserve, capture("7-capture-1"), capture("7-capture-2")],
      "lost 0, doubled 0, other 1"
    ],
    ["a booking that no merchant knows", undefined, [purchase], "lost 1, doubled 0, other 0"],
    ["a sale without a callback", sale("sale", { callbacks: [] }), [purchase], "lost 0, doubled 0, other 1"],
    [
      "a sale without an end",
      { ...sale("sale"), order: undefined, callbacks: [] },
      [purchase],
      "lost 1, doubled 0, other 1"
    ]
  ]
  it.each(rows)("finds of %s what is wrong", (_, record, bookings, expected) =>
    assert.strictEqual(judged(record, bookings), expected)
  )
})

describe("the adapter to the bank of the drill", () => {
  const card = (cvv: string): Acquirer.BankCard => ({
    ...{ pan: Redacted.make("4444555566661111"), cvv: Redacted.make(cvv), cardholder: "JANE DOE" },
    ...{ expireMonth: 12, expireYear: 2099 }
  })
  const [approved, declined] = [card("123"), card(BankBooks.refusedCode)]
  const layer = Layer.unwrap(
    Effect.gen(function* () {
      const [bank, folder] = [yield* Bank.make, yield* temporaryFolder]
      Site.writeAdapter(folder, bank)
      const { acquirer, bankBooks } = yield* Adapters.load("./bank.ts", folder)
      assert.isDefined(acquirer)
      assert.isDefined(bankBooks)
      return Layer.merge(
        Layer.succeed(Acquirer.Acquirer, Acquirer.Acquirer.checked(acquirer)),
        Layer.succeed(BankBooksPort, BankBooksPort.checked(bankBooks))
      )
    })
  )
  for (const { name, run } of [
    ...AcquirerContract.cases({ approved, declined, recipient: approved.pan }),
    ...BankBooksContract.cases({ approved, declined, recipient: approved.pan, skewMs: 0 })
  ])
    it.live(name, () => Effect.provide(run, layer))
})

describe("what an operator sees", () => {
  const line = (message: string, reason: string) => JSON.stringify({ level: "WARN", message, order_id: "1", reason })

  it("counts lines that differ only in numbers, and finds them by their text", () => {
    const observations = Observations.make()
    for (const text of [line("no answer", "port 1"), line("no answer", "port 2"), line("no answer", "HTTP"), "plain"])
      Observations.addLine(observations, text)
    assert.deepStrictEqual(
      [...observations.lines.values()].map(({ count }) => count),
      [2, 1, 1]
    )
    assert.strictEqual(logs(/port \d/, "").find(observations), '2 times WARN "no answer: port 1"')
    assert.isUndefined(logs(/disk/, "").find(observations))
  })

  it("finds an answer of /readyz at one gateway, and that every answer was 200", () => {
    const observations = Observations.make()
    observations.readiness.set("gateway-1 200", 4)
    assert.isDefined(staysReady.find(observations))
    assert.isUndefined(readiness(503, "").find(observations))
    observations.readiness.set("gateway-2 503", 1)
    assert.isUndefined(staysReady.find(observations))
    assert.strictEqual(readiness(503, "").find(observations), "gateway-2 503 1 times")
  })

  it("finds a metric that has reached a value", () => {
    const observations = Observations.make()
    observations.metrics.set('pay_unknown_requests{a="b"}', { least: 0, greatest: 3, last: 0 })
    assert.strictEqual(
      metric(/^pay_unknown/, 3, "").find(observations),
      'pay_unknown_requests{a="b"} up to 3, and 0 at the end'
    )
    assert.isUndefined(metric(/^pay_unknown/, 4, "").find(observations))
  })

  it("fails an incident of which something was not said", () => {
    const money = Money.compare("t", [], BankBooks.make())
    const result = { name: "t", happens: "", money, seconds: 1, settledSeconds: 1, problems: [], warnings: [] }
    const saying = { from: "log", says: "why" }
    assert.deepStrictEqual(Report.failures({ ...result, sayings: [{ ...saying, evidence: "once" }] }), [])
    const silent = { ...result, sayings: [{ ...saying, evidence: undefined }] }
    assert.deepStrictEqual(Report.failures(silent), ["not said: log why"])
    assert.match(Report.ofIncident(silent), /^FAILED {2}t/)
    assert.match(Report.total([silent]), /1 failed: t$/)
  })
})
