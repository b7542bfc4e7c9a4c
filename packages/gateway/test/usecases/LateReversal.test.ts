/** What the bank says late of a reversal, and of what it undoes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Acquirer, type FollowUp } from "../../src/orders/Acquirer.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import { BankTask } from "../../src/orders/outcomes/BankTask.ts"
import * as ReverseAnswer from "../../src/orders/outcomes/ReverseAnswer.ts"
import * as Unexpected from "../../src/orders/outcomes/Unexpected.ts"
import { item, preauth, request } from "../domain/Sample.ts"
import { approved, declined } from "./Bank.ts"
import * as World from "./World.ts"

const order = preauth({ capturedMinor: 0, capturingMinor: 0, movingCount: 0 })
const taskOf = (reference: string): BankTask => {
  const statement = { source: "bank", reference, verdict: "approved", amountMinor: 10_000 } as const
  return { ...Unexpected.taskOf(order, statement, true, World.nowMs), reversingAtMs: World.nowMs }
}
const task = taskOf("1-capture-2")
const deadlineMs = 10_000
const never = () => Effect.die("nothing is asked for")

interface Given extends World.Script {
  /** What the bank answers late. */
  readonly answer?: typeof approved | typeof declined
  readonly task?: BankTask
  readonly isCreationGone?: boolean
  /** The process has run for so long. */
  readonly startedAgoMs?: number
  /** What the bank says when it is asked for a reversal. */
  readonly inquired?: typeof declined | { readonly _tag: "NotFound" }
}

const reversed = Effect.fnUntraced(function* (meanwhile: (now: BankTask) => BankTask, given: Given = {}) {
  const {
    answer = approved,
    inquired = declined,
    startedAgoMs = 0,
    isCreationGone = false,
    task: its = task,
    ...script
  } = given
  const work = item({ itemId: `reversal:${its.taskId}`, kind: "reversal", subject: its.taskId })
  const did = World.nothing()
  const originals: Array<string> = []
  const refund = ({ original }: FollowUp) => {
    originals.push(original)
    return Effect.delay(Effect.succeed(answer), deadlineMs + 5_000)
  }
  const bank = Layer.succeed(Acquirer, {
    capabilities: { longestProcessingMs: 60_000, deadlineMs, transfers: false, eligibility: false },
    ...{ authorize: never, eligible: never, capture: never, cancel: never, refund },
    inquire: () => Effect.succeed(inquired)
  })
  return yield* Effect.gen(function* () {
    const store = yield* Store
    const rows = [
      Decision.put(Order, order),
      ...(isCreationGone
        ? []
        : [Decision.put(OrderRequest, request({ requestId: order.requestId, action: "authorize", sequence: 0 }))]),
      Decision.put(BankTask, its),
      Decision.put(Job, work)
    ]
    yield* World.given(rows, did)
    const handle = yield* World.longAgo(ReverseAnswer.make, startedAgoMs)
    const first = yield* Effect.forkChild(handle(work), { startImmediately: true })
    yield* TestClock.adjust(deadlineMs)
    yield* World.given([Decision.put(Job, work)], did)
    yield* handle(work)
    const refused = yield* store.load(BankTask, [its.taskId])
    assert(refused !== undefined)
    yield* World.given([Decision.put(BankTask, meanwhile(refused))], did)
    yield* TestClock.adjust("1 minute")
    assert.isTrue(Exit.isSuccess(yield* Fiber.await(first)))
    const after = yield* store.load(BankTask, [its.taskId])
    const twice = yield* store.load(BankTask, [`${refused.reversalReference}.approved`])
    return { originals, before: refused, after, twice, alarms: did.wakes }
  }).pipe(Effect.provide(Layer.provideMerge(bank, World.layer(script, did))))
})

const another = { reversalReference: "1-refund-9" } as const

describe("a reversal that the bank refused and has made all the same", () => {
  it.effect.each([
    ["is made", (now: BankTask) => now],
    ["is made, though the bank refused another one since", (now: BankTask) => ({ ...now, ...another })],
    [
      "is made in place of another one that was not sent yet",
      (now: BankTask) => ({ ...now, state: "reversing" as const, reversalReference: null })
    ]
  ] as const)("%s", ([, meanwhile]) =>
    Effect.gen(function* () {
      const { after, alarms, before, originals, twice } = yield* reversed(meanwhile)
      assert.strictEqual(before.state, "open")
      assert.deepStrictEqual([after?.state, after?.reversalReference], ["reversed", before.reversalReference])
      assert.deepStrictEqual([twice, alarms], [undefined, 0])
      // A capture is of the authorization, which a refund names.
      assert.deepStrictEqual(originals, ["1-authorize-0"])
    })
  )

  it.effect.each([
    ["while another one is under way", (now: BankTask) => ({ ...now, ...another, state: "reversing" as const })],
    ["after another one was made", (now: BankTask) => ({ ...now, ...another, state: "reversed" as const })],
    ["after a person dealt with it by other ways", (now: BankTask) => ({ ...now, state: "closed" as const })]
  ] as const)("opens a task: %s", ([, meanwhile]) =>
    Effect.gen(function* () {
      const { after, alarms, before, twice } = yield* reversed(meanwhile)
      assert.deepStrictEqual(after, meanwhile(before))
      assert.deepStrictEqual(
        [twice?.state, twice?.reference, twice?.answer, twice?.amountMinor],
        ["open", before.reversalReference, "approved", task.amountMinor]
      )
      assert.strictEqual(alarms, 1)
    })
  )
})

it.effect.each([
  ["a capture, by its authorization", task, false, "1-authorize-0"],
  ["a capture, by itself where its authorization is not known", task, true, "1-capture-2"],
  ["a sale, by itself", { ...taskOf("1-sale-0") }, false, "1-sale-0"]
] as const)("a reversal names %s", ([, its, isCreationGone, original]) =>
  Effect.gen(function* () {
    const { originals } = yield* reversed((now) => now, { task: its, isCreationGone })
    assert.deepStrictEqual(originals, [original])
  })
)

it.effect("a reversal that the bank refuses late, too, changes nothing", () =>
  Effect.gen(function* () {
    const { after, alarms, before, twice } = yield* reversed((now) => now, { answer: declined })
    assert.deepStrictEqual([after, twice, alarms], [before, undefined, 0])
  })
)

it.effect(
  "a reversal that an earlier process may have sent is not sent again while the bank may still process it",
  () =>
    Effect.gen(function* () {
      const begun = { ...task, reversalReference: "1-refund-1" as const, reversingAtMs: World.nowMs - 3_600_000 }
      const { originals } = yield* reversed((now) => now, { task: begun, inquired: { _tag: "NotFound" } })
      assert.deepStrictEqual(originals, [])
    })
)

it.effect("a reversal that had to wait long is sent once while the bank may process it", () =>
  Effect.gen(function* () {
    const waiting = { ...task, reversingAtMs: World.nowMs - 3_600_000 }
    const script = { task: waiting, inquired: { _tag: "NotFound" }, startedAgoMs: 3_600_000 } as const
    assert.lengthOf((yield* reversed((now) => now, script)).originals, 1)
  })
)

it.effect("a reversal is not asked for by a process that may have lost its lease", () =>
  Effect.gen(function* () {
    const { originals } = yield* reversed((now) => now, { isLeaseLost: true })
    assert.deepStrictEqual(originals, [])
  })
)
