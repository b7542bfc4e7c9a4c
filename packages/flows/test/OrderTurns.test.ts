/** Turns of actions on one order at a gateway without `Idempotency-Key`: who waits, who leaves, and what an unknown outcome means. */
import { assert, describe, it } from "@effect/vitest"
import type * as GatewayProfile from "@pay/schema/GatewayProfile"
import { type Duration, Effect, Fiber, Schema } from "effect"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import { FlowEngine, makeMemory } from "../src/engine/FlowEngine.ts"
import * as Steps from "../src/engine/Steps.ts"
import * as TurnStore from "../src/engine/TurnStore.ts"
import { PayChecked } from "../src/payments/PayOut.ts"
import * as Turns from "../src/requests/Turns.ts"
import * as KeylessGateway from "./KeylessGateway.ts"
import {
  alone,
  atOnce,
  capture,
  elapsed,
  endsOf,
  inMemory,
  onCluster,
  onFile,
  own,
  refund,
  slowGateway,
  two,
  voidAll
} from "./TurnEngines.ts"

describe("an action on an order", () => {
  it.effect("takes no turn and sends no other request at a gateway with keys", () =>
    Effect.gen(function* () {
      const gateway = KeylessGateway.make({ order: "sale", profile: { honoursIdempotencyKey: true } })
      assert.deepStrictEqual(yield* inMemory(atOnce(...two), { client: gateway.client }), ["approved", "approved"])
      assert.deepStrictEqual(gateway.sent.toSorted(), ["return", "return", "status", "status"])
    })
  )

  it.effect("sends no other request if it is the first one at a gateway without keys", () =>
    Effect.gen(function* () {
      const gateway = KeylessGateway.make({ order: "sale" })
      yield* inMemory(atOnce(refund("a", "5.00")), { client: gateway.client })
      assert.deepStrictEqual(gateway.sent, ["status", "return", "status"])
    })
  )

  it.effect("acts in the order in which it came, and wakes the next one", () =>
    Effect.gen(function* () {
      const gateway = KeylessGateway.make({ order: "sale" })
      const amounts = ["1.00", "1.10", "1.20", "1.30", "1.40"]
      const all = atOnce(...amounts.map((amount) => refund(amount, amount)))
      const steps = Steps.makeMemory()
      const signals: Array<string> = []
      const signal: Steps.Shape["signal"] = (key, value) => {
        signals.push(key)
        return steps.signal(key, value)
      }
      const engine = makeMemory({ ...steps, signal })
      yield* inMemory(Effect.provideService(all, FlowEngine, engine), { client: gateway.client })
      assert.deepStrictEqual(
        signals,
        [2, 3, 4, 5].map((turn) => `turn ${turn} on order localhost/7`)
      )
      assert.deepStrictEqual(
        gateway.books,
        amounts.map((amount) => `return ${amount}`)
      )
    })
  )

  it.effect("leaves the queue if it is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { answer, gateway, isActing } = slowGateway({ order: "sale" })
      const program = Effect.gen(function* () {
        const first = yield* Effect.forkChild(refund("a", "5.00"))
        yield* isActing
        const second = yield* Effect.forkChild(refund("b", "1.00"), { startImmediately: true })
        const third = yield* Effect.forkChild(refund("c", "5.00"), { startImmediately: true })
        yield* Effect.sleep("1 second")
        yield* Fiber.interrupt(second)
        yield* answer
        yield* Effect.orDie(Effect.all([Fiber.join(first), Fiber.join(third)]))
      })
      yield* inMemory(program, { client: gateway.client })
      assert.deepStrictEqual(gateway.books, ["return 5.00", "return 5.00"])
    })
  )

  /** Interrupts a refund whose answer has not come, while another one waits. Returns the ends of the other one and of a repeat. */
  const interrupted = (profile: Partial<GatewayProfile.GatewayProfile>, wait: Duration.Input) =>
    Effect.gen(function* () {
      const { gateway, isActing } = slowGateway({ order: "sale", profile })
      const program = Effect.gen(function* () {
        const first = yield* Effect.forkChild(refund("a", "5.00"))
        yield* isActing
        const second = yield* Effect.forkChild(atOnce(refund("b", "3.00")), { startImmediately: true })
        yield* Effect.sleep("1 second")
        yield* Fiber.interrupt(first)
        const [waitedMs, ends] = yield* elapsed(Fiber.join(second))
        yield* Effect.sleep(wait)
        const later = yield* atOnce(refund("a", "5.00"))
        const last = yield* atOnce(refund("c", "1.00"))
        return { ends: [...ends, ...later, ...last], waitedMs }
      })
      return { ...(yield* inMemory(program, { client: gateway.client })), books: gateway.books }
    })

  it.effect("acts after the quiet period of one that was interrupted, which needs a person", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* interrupted({ showsFollowUps: true }, "1 second"), {
        ends: ["approved", "NeedsAPerson", "approved"],
        waitedMs: 45_000,
        books: ["return 5.00", "return 3.00", "return 1.00"]
      })
    })
  )

  it.effect("is not sent after one that was interrupted if status may show that one later", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* interrupted({}, "1 second"), {
        ends: ["NeedsAPerson", "NeedsAPerson", "NeedsAPerson"],
        waitedMs: 0,
        books: ["return 5.00"]
      })
    })
  )

  it.effect("needs a person if another one began before it had ended", () =>
    Effect.gen(function* () {
      const { answer, gateway, isActing } = slowGateway({ order: "sale" })
      const program = Effect.gen(function* () {
        const first = yield* Effect.forkChild(atOnce(refund("a", "5.00")))
        yield* isActing
        const later = yield* atOnce(refund("b", "6.00"))
        yield* answer
        return [...(yield* Fiber.join(first)), ...later]
      })
      const turns = { ...TurnStore.makeMemory(), hasEnded: () => Effect.succeed(true) }
      const engine = makeMemory({ ...Steps.makeMemory(), turns })
      const ends = yield* inMemory(Effect.provideService(program, FlowEngine, engine), { client: gateway.client })
      assert.deepStrictEqual(ends, ["NeedsAPerson", "NotAccepted"])
    })
  )

  it.effect(
    "needs a person if its answer is lost while another one is open, also at a gateway that answers by request",
    () =>
      Effect.gen(function* () {
        const { gateway, isActing } = slowGateway({
          order: "sale",
          profile: { answersByRequest: true },
          faults: ["ok", "answer lost"]
        })
        const program = Effect.gen(function* () {
          const first = yield* Effect.forkChild(refund("a", "5.00"))
          yield* isActing
          yield* Fiber.interrupt(first)
          return yield* atOnce(refund("b", "3.00"))
        })
        const ends = yield* inMemory(program, { client: gateway.client, settings: alone })
        assert.deepStrictEqual([ends, gateway.books], [["NeedsAPerson"], ["return 5.00", "return 3.00"]])
      })
  )

  it.effect("keeps its turn if it takes one again", () =>
    Effect.gen(function* () {
      const me = { flow: "", id: "a", part: "", action: "a", token: "" }
      const store = TurnStore.makeMemory()
      const mine = Turns.make(store, "1", me)
      const other = Turns.make(store, "1", { ...me, id: "b", action: "b" })
      assert.deepStrictEqual([yield* mine.take, yield* mine.take, yield* other.take, yield* other.take], [1, 1, 2, 2])
      assert.deepStrictEqual(yield* other.look(2, 0), { behind: "a" })
      assert.deepStrictEqual(yield* mine.end(1, "done", "shown"), { isOwn: true, next: 2 })
      assert.deepStrictEqual(yield* other.look(2, 0), { shows: "shown" })
      assert.deepStrictEqual([yield* mine.take, yield* mine.end(1, "left")], [3, { isOwn: true, next: 2 }])
    })
  )

  it.effect("is one action under its name, also as a part of two flows", () =>
    Effect.gen(function* () {
      for (const engine of [inMemory, onFile(yield* temporaryFile)]) {
        const gateway = KeylessGateway.make({ order: "sale" })
        const flows = [own("One", atOnce(refund("a", "5.00"))), own("Two", atOnce(refund("a", "5.00")))]
        const ends = yield* engine(endsOf(...flows), { client: gateway.client, flows })
        assert.deepStrictEqual([ends.toSorted(), gateway.books], [["NeedsAPerson", "approved"], ["return 5.00"]])
      }
    })
  )

  it.effect("pays a payout once, also as a part of two flows", () =>
    Effect.gen(function* () {
      for (const engine of [inMemory, onFile(yield* temporaryFile)]) {
        const gateway = KeylessGateway.make({ order: "payout" })
        const pay = atOnce(PayChecked.execute({ clientOrderId: "o-1", orderId: KeylessGateway.orderId }))
        const flows = [own("One", pay), own("Two", pay)]
        const ends = yield* engine(endsOf(...flows), { client: gateway.client, flows })
        assert.deepStrictEqual([ends.toSorted(), gateway.books], [["NeedsAPerson", "approved"], ["payout-pay 10.00"]])
      }
    })
  )

  it.effect("pays a payout once if the first flow is interrupted before the answer", () =>
    Effect.gen(function* () {
      const { gateway, isActing } = slowGateway({ order: "payout" })
      const pay = atOnce(PayChecked.execute({ clientOrderId: "o-1", orderId: KeylessGateway.orderId }))
      const program = Effect.gen(function* () {
        const first = yield* Effect.forkChild(endsOf(own("One", pay)))
        yield* isActing
        yield* Fiber.interrupt(first)
        return yield* endsOf(own("Two", pay))
      })
      const ends = yield* inMemory(program, { client: gateway.client })
      assert.deepStrictEqual([ends, gateway.books], [["NeedsAPerson"], ["payout-pay 10.00"]])
    })
  )
})

describe("two parts of one flow that act on one order", () => {
  const sequence = Effect.map(Effect.all([atOnce(two[0]), atOnce(two[1])]), (ends) => ends.flat())
  const rows = { "at once": atOnce(...two), "one after another": sequence }
  for (const [how, parts] of Object.entries(rows)) {
    const flow = own("Own", parts)
    const expected = [["approved, approved"], ["return 5.00", "return 5.00"]]
    it.effect(`both succeed ${how} in memory and on a file`, () =>
      Effect.gen(function* () {
        for (const engine of [inMemory, onFile(yield* temporaryFile)]) {
          const gateway = KeylessGateway.make({ order: "sale", faults: ["request lost"] })
          const ends = yield* engine(endsOf(flow), { client: gateway.client, flows: [flow], settings: alone })
          assert.deepStrictEqual([ends, gateway.books], expected)
        }
      })
    )
    it.live(`both succeed ${how} on a cluster`, () =>
      Effect.gen(function* () {
        const gateway = KeylessGateway.make({ order: "sale", faults: ["request lost"] })
        const ends = yield* onCluster(endsOf(flow), { client: gateway.client, flows: [flow], settings: alone })
        assert.deepStrictEqual([ends, gateway.books], expected)
      })
    )
  }

  it.effect("do not overtake each other while the flow is suspended", () =>
    Effect.gen(function* () {
      const later = Effect.andThen(Steps.sleep("a moment", "10 seconds"), atOnce(two[1]))
      const parts = Effect.all([atOnce(two[0]), later], { concurrency: "unbounded" })
      const flow = own(
        "Own",
        Effect.map(parts, (ends) => ends.flat())
      )
      const gateway = KeylessGateway.make({ order: "sale", faults: ["request lost"] })
      const engine = onFile(yield* temporaryFile)
      const ends = yield* engine(endsOf(flow), { client: gateway.client, flows: [flow], settings: alone })
      assert.deepStrictEqual([ends, gateway.books], [["approved, approved"], ["return 5.00", "return 5.00"]])
    })
  )

  it.effect("do not wait for a part that the flow has interrupted", () =>
    Effect.gen(function* () {
      for (const engine of [inMemory, onFile(yield* temporaryFile)]) {
        const { gateway, isActing } = slowGateway({ order: "hold" })
        const failure = Steps.step(
          "check",
          { success: Schema.Never, error: Schema.String },
          Effect.andThen(isActing, Effect.fail("no"))
        )
        const both = Effect.all([capture("a", "5.00"), failure], { concurrency: "unbounded" })
        const flow = own("Own", Effect.andThen(Effect.ignore(both), atOnce(voidAll)))
        const ends = yield* engine(endsOf(flow), { client: gateway.client, flows: [flow] })
        assert.deepStrictEqual([ends, gateway.books], [["NotAccepted"], ["capture 5.00"]])
      }
    })
  )
})
