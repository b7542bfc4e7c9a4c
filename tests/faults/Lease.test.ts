/**
 * Tests that the process which leases an job of the jobs decides about it. A process that takes one over asks before anything
 * is done again.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Acquirer } from "@pay/gateway/Acquirer"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { Evidence } from "@pay/gateway/Entities"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store, StoreUnavailable } from "@pay/gateway/Store"
import type { Kind } from "@pay/sandbox/Outcome"
import { Clock, Effect, Latch, Layer } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Gate from "../harness/Gate.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"

const server_callback_url = "http://shop.example/callback"

/** Answers of this kind wait at the gate. */
const heldBack =
  (gate: Gate.Gate, kind: Kind) =>
  (bank: Acquirer["Service"]): Acquirer["Service"] => {
    const before: Gate.Gate["before"] = (answer) => gate.before(answer)
    return {
      ...bank,
      ...(kind === "authorize" ? { authorize: (request) => before(bank.authorize(request)) } : {}),
      followUp: (of, request) => {
        const answer = bank.followUp(of, request)
        return of === kind ? before(answer) : answer
      }
    }
  }

/** Another process, which sees every lease as over, takes all there is and dies. */
const takenOver = Effect.gen(function* () {
  const store = yield* Store
  const nowMs = (yield* Clock.currentTimeMillis) + 3_600_000
  const taken = yield* store.claimDue({ kind: "bank", nowMs, limit: 100, leaseMs: 60_000, token: "another process" })
  return taken.map(({ kind, openAttempts }) => `${kind} ${openAttempts}`)
})

const requests = [
  { creation: "SALE", name: undefined, kind: "authorize", before: "", after: "sale 1042" },
  { creation: "PREAUTH", name: undefined, kind: "authorize", before: "", after: "hold 1042" },
  {
    creation: "PREAUTH",
    name: "CAPTURE",
    kind: "capture",
    before: "hold 1042",
    after: "hold 1042,capture 1042,capture 1042"
  },
  { creation: "PREAUTH", name: "VOID", kind: "void", before: "hold 1042", after: "hold 1042,void 1042" },
  { creation: "SALE", name: "RETURN", kind: "refund", before: "sale 1042", after: "sale 1042,refund 1042" }
] as const

describe("an answer that arrives when another process holds the job", () => {
  it.live.each(requests)(
    "$creation $name: is stored as evidence and changes nothing",
    ({ after, before, creation, kind, name }) => {
      const gate = Gate.make()
      return Effect.gen(function* () {
        const store = yield* Store
        if (name === undefined) yield* gate.shut
        const created = yield* ClientMerchant.create(creation, { server_callback_url })
        if (name !== undefined) {
          yield* World.settled
          yield* gate.shut
        }
        const request = name === undefined ? created : yield* ClientMerchant.act(name, created)
        const { arrived } = yield* Inbox
        const report = arrived.length
        yield* gate.reached
        assert.include(yield* takenOver, "bank 2")
        yield* gate.open
        yield* World.settled

        const evidence = yield* store.find(Evidence, "order", { equals: [created.orderid], limit: 10 })
        assert.deepStrictEqual(
          evidence.map(({ answer }) => JSON.parse(answer)._tag),
          ["Approved"]
        )
        assert.strictEqual((yield* ClientMerchant.statusOf(request)).status, "processing")
        assert.strictEqual((yield* ClientMerchant.booked(created)).join(), before)
        assert.lengthOf(arrived, report)

        yield* World.pass("2 hours")
        assert.strictEqual((yield* ClientMerchant.statusOf(request)).status, "approved")
        assert.strictEqual((yield* ClientMerchant.booked(created)).join(), after)
        assert.lengthOf(arrived, report + 1)
        assert.notInclude((yield* ClientMerchant.atBank(created)).join(), "again")
        yield* ClientMerchant.allIsWell
      }).pipe(Effect.provide(World.layer({ spoilBank: heldBack(gate, kind) }), { local: true }))
    }
  )
})

describe("an answer for an order that has changed meanwhile", () => {
  it.live("is applied to the current state of the order", () => {
    const gate = Gate.make()
    return Effect.gen(function* () {
      const order = yield* ClientMerchant.create("PREAUTH")
      yield* World.settled
      yield* gate.shut
      yield* ClientMerchant.act("CAPTURE", order, { amount: "4.00", currency: "USD" })
      yield* gate.reached
      yield* ClientMerchant.act("CAPTURE", order, { amount: "5.00", currency: "USD" })
      yield* gate.open
      yield* World.settled
      const status = yield* ClientMerchant.status(order)
      assert.deepInclude(status, { status: "approved", "captured-amount": "9.00", "remaining-amount": "1.42" })
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer({ spoilBank: heldBack(gate, "capture") }), { local: true }))
  })
})

describe("a process that ends before it records the bank's answer", () => {
  type Commit = Store["Service"]["commit"]
  const unavailable = Effect.fail(new StoreUnavailable({ outcomeUnknown: true }))
  const ends: ReadonlyArray<{
    how: string
    meanwhile: string
    commit: (commit: ReturnType<Commit>) => ReturnType<Commit>
  }> = [
    { how: "the write has an unknown outcome and was not made", meanwhile: "processing", commit: () => unavailable },
    {
      how: "the write has an unknown outcome and was made",
      meanwhile: "approved",
      commit: (commit) => Effect.andThen(commit, unavailable)
    }
  ]
  it.live.each(ends)("$how: the next process inquires when the lease ends", ({ commit, meanwhile }) => {
    let spoiled = false
    const spoilStore = (store: Store["Service"]): Store["Service"] => ({
      ...store,
      commit: (decision) => {
        const books = decision.writes.some((write) => write._tag === "Post")
        if (!books || spoiled) return store.commit(decision)
        spoiled = true
        return commit(store.commit(decision))
      }
    })
    return Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE", { server_callback_url })
      yield* World.settled
      assert.strictEqual((yield* ClientMerchant.status(order)).status, meanwhile)
      yield* World.pass("119 seconds")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, meanwhile)
      yield* World.pass("1 second")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
      assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["sale 1042"])
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
      assert.lengthOf((yield* Inbox).arrived, 1)
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer({ spoilStore }), { local: true }))
  })
})

describe("a job that has waited for half its lease", () => {
  it.live("is not started: the next holder inquires first", () => {
    const gate = Gate.make()
    const wall = { nowMs: World.startMs }
    return Effect.gen(function* () {
      yield* gate.shut
      const first = yield* ClientMerchant.create("SALE")
      yield* gate.reached
      const second = yield* ClientMerchant.create("SALE")
      wall.nowMs += 60_001
      yield* gate.open
      const scheduler = yield* Scheduler
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => scheduler.load() === 0 }))
      assert.lengthOf(yield* ClientMerchant.atBank(first), 1)
      assert.lengthOf(yield* ClientMerchant.atBank(second), 0)
      yield* World.pass("1 minute")
      assert.strictEqual((yield* ClientMerchant.status(second)).status, "unknown")
      yield* World.pass("1 minute")
      assert.strictEqual((yield* ClientMerchant.status(second)).status, "approved")
      assert.deepStrictEqual(yield* ClientMerchant.atBank(second), ["authorize 1042 Approved"])
    }).pipe(
      Effect.provide(World.layer({ wall, spoilBank: heldBack(gate, "authorize"), settings: { bankConcurrency: 1 } }), {
        local: true
      })
    )
  })
})

describe("a lease", () => {
  it.live("lasts longer than a callback's try, however fast the bank answers", () => {
    const gate = Gate.make()
    let tries = 0
    let claims = 0
    const claimed = Latch.makeUnsafe(false)
    const callbacks = Layer.succeed(
      CallbackSender,
      CallbackSender.of({
        send: () => {
          tries += 1
          return gate.before(Effect.succeed({ status: 200 }))
        }
      })
    )
    const spoilStore = (store: Store["Service"]): Store["Service"] => ({
      ...store,
      claimDue: (claim) => {
        claims += 1
        if (claims === 100) claimed.openUnsafe()
        return store.claimDue(claim)
      }
    })
    return Effect.gen(function* () {
      yield* gate.shut
      yield* ClientMerchant.create("SALE", { server_callback_url })
      yield* gate.reached
      yield* claimed.await
      yield* gate.open
      yield* World.settled
      assert.strictEqual(tries, 1)
    }).pipe(
      Effect.provide(
        World.layer({ wall: "running", bank: { deadlineMs: 5 }, settings: { jobTickMs: 1 }, callbacks, spoilStore }),
        { local: true }
      )
    )
  })
})
