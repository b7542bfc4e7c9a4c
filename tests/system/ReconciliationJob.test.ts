import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { AuditEntry, Balance, LedgerEntry } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { Clock, Effect, Schedule } from "effect"
import { DayBalance } from "../../gateway/gateway/src/reconciliation/SettlementDay.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const ended = Effect.repeat(ask("GET", "/operator/reconciliation"), {
  until: ({ body }) => body.state !== "running",
  schedule: Schedule.spaced("20 millis")
})

const number = (name: string) =>
  Effect.gen(function* () {
    const { text } = yield* ask("GET", "/metrics")
    const line = text.split("\n").find((each) => each.startsWith(`${name} `) || each.startsWith(`${name}{`))
    return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1))
  })

layer(TestGateway.layer(), { excludeTestServices: true })("reconciliation started by an operator", (it) => {
  it.effect("runs once at a time beside payments, and records its figures", () =>
    Effect.gen(function* () {
      assert.deepInclude((yield* ask("GET", "/operator/reconciliation")).body, { state: "never" })
      const sales = Effect.forEach(Array.from({ length: 80 }), () => TestMerchant.order("SALE"), { concurrency: 8 })
      const runs = Effect.forEach(Array.from({ length: 5 }), () =>
        Effect.gen(function* () {
          const [first, second] = yield* Effect.all([
            ask("POST", "/operator/reconciliation"),
            ask("POST", "/operator/reconciliation")
          ])
          assert.strictEqual(first.status, 202)
          assert.include([202, 409], second.status)
          assert.deepInclude((yield* ended).body, { state: "done", discrepancyCount: 0 })
        })
      )
      yield* Effect.all([sales, runs], { concurrency: "unbounded" })
      assert.strictEqual(yield* number("pay_parity_findings"), 0)
      assert.isAbove((yield* number("pay_parity_last_run_seconds")) ?? 0, 1_700_000_000)
    })
  )

  it.effect("corrects a stored opening balance that is wrong, with a record in the audit", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* TestMerchant.order("SALE")
      const day = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
      yield* TestMerchant.pass("2 days")
      const dayStartMs = Date.parse(day) + 86_400_000
      const next = new Date(dayStartMs).toISOString().slice(0, 10)
      assert.strictEqual((yield* ask("GET", `/operator/settlement.csv?day=${next}`)).status, 200)
      const openings = store.find(DayBalance, "key", { limit: 1000 })
      const right = yield* openings
      const spoilt = right.find(({ openingMinor }) => openingMinor !== 0n)
      assert.isDefined(spoilt)
      yield* store.commit({ guards: [], writes: [Decision.put(DayBalance, { ...spoilt, openingMinor: 1n })] })
      yield* ask("POST", "/operator/reconciliation")
      const { body } = yield* ended
      assert.deepInclude(body, { state: "done", discrepancyCount: 1 })
      assert.include(JSON.stringify(body.discrepancies), `opening ${spoilt.account} ${next}`)
      assert.deepStrictEqual(yield* openings, right)
      const audit = yield* store.find(AuditEntry, "at", { limit: 1000 })
      const corrections = audit.filter(({ action }) => action === "settlement.correct-opening")
      assert.deepStrictEqual(
        corrections.map(({ actor, subjectId }) => [actor, subjectId]),
        [["gateway", spoilt.account]]
      )
      yield* ask("POST", "/operator/reconciliation")
      assert.deepInclude((yield* ended).body, { state: "done", discrepancyCount: 0 })
    })
  )

  it.effect("lists the discrepancies", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const [balance] = yield* store.find(Balance, "key", { limit: 1 })
      assert.isDefined(balance)
      yield* store.commit({ guards: [], writes: [Decision.post(balance.account, 1)] })
      yield* ask("POST", "/operator/reconciliation")
      const { body } = yield* ended
      assert.deepInclude(body, { state: "done", discrepancyCount: 1 })
      assert.include(JSON.stringify(body.discrepancies), `balance ${balance.account}`)
      assert.strictEqual(yield* number("pay_parity_findings"), 1)
    })
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("a balance that moves during reconciliation", (it) => {
  it.effect("is no discrepancy", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* TestMerchant.order("SALE")
      // A sale follows every read of an entry: the balances are read later than the entries.
      let left = 1
      const busy = Store.of({
        ...store,
        find: (entity, index, range) =>
          Effect.tap(store.find(entity, index, range), () => {
            if (entity.name !== LedgerEntry.name || index !== "key" || left === 0) return Effect.void
            left -= 1
            return Effect.asVoid(playing)
          })
      })
      const playing = yield* Effect.map(
        Effect.context<Effect.Services<ReturnType<typeof TestMerchant.order>>>(),
        (context) => Effect.provideContext(TestMerchant.order("SALE"), context)
      )
      const { findings } = yield* Effect.provideService(Reconciliation.check, Store, busy)
      assert.strictEqual(left, 0)
      assert.deepStrictEqual(findings, [])
    })
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("metrics for alerts", (it) => {
  it.effect("count unknown orders, dead-lettered callbacks and overdue jobs", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* number("pay_unknown_requests"), 0)
      assert.strictEqual(yield* number("pay_unknown_oldest_seconds"), 0)
      assert.strictEqual(yield* number("pay_callbacks_parked"), 0)
      yield* TestMerchant.order("SALE", { cvv2: "217", server_callback_url: "http://127.0.0.1:1/nobody" })
      yield* TestMerchant.order("SALE", { server_callback_url: "http://127.0.0.1:1/nobody" })
      yield* TestMerchant.pass("20 days")
      assert.strictEqual(yield* number("pay_unknown_requests"), 1)
      assert.isAtLeast((yield* number("pay_unknown_oldest_seconds")) ?? 0, 20 * 86_400)
      assert.strictEqual(yield* number("pay_callbacks_parked"), 1)
    })
  )
})

layer(TestGateway.layer({ settings: { jobsPaused: true } }), { excludeTestServices: true })(
  "a paused scheduler",
  (it) => {
    it.effect("is shown with overdue jobs of each kind", () =>
      Effect.gen(function* () {
        yield* TestMerchant.create("SALE")
        yield* TestMerchant.create("SALE")
        const { text } = yield* ask("GET", "/metrics")
        assert.match(text, /^pay_agenda_overdue\{kind="bank"\} 2$/m)
        assert.match(text, /^pay_agenda_overdue\{kind="callback"\} 0$/m)
      })
    )
  }
)
