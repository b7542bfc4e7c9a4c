/** A hold after its seven days: the bank releases it, then the books, then the merchant gets a callback. */
import { assert, describe, it } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import { approve, decline, type Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Gate from "../harness/Gate.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"
import * as Timeline from "./Timeline.ts"

const server_callback_url = "http://shop.example/callback"

/** Status, type, captured and remaining amount, as the merchant sees them. */
const look = (order: ClientMerchant.Order) =>
  Effect.map(
    ClientMerchant.status(order),
    (displayed) =>
      `${displayed.status} ${displayed["transaction-type"]} ${displayed["captured-amount"]}+${displayed["remaining-amount"]}`
  )

/** Callbacks about the order since it was approved: `status type`. */
const callbacks = Effect.map(Inbox, ({ arrived }) =>
  arrived.slice(1).map(({ parameters }) => `${parameters.status} ${parameters.type}`)
)

const declined: Scenario = { verdict: decline(declines.doNotHonour) }

const part = { amount: "4.00", currency: "USD" }

const plan = (order: ClientMerchant.Order, kind: "capture" | "void", what: Scenario) =>
  Effect.flatMap(SandboxControl, ({ forOrder }) => forOrder(order.orderid, kind, what))

/** The bank finds out that it approved the order's first follow-up. */
const settled = (order: ClientMerchant.Order, kind: "capture" | "void") =>
  Effect.flatMap(SandboxControl, ({ settle }) => settle(`${order.orderid}-${kind}-1`, approve))

/** The bank decides on the follow-up only after the hold's seven days. */
const decidedLate = Effect.fnUntraced(function* (
  order: ClientMerchant.Order,
  kind: "capture" | "void",
  act: ReturnType<typeof ClientMerchant.act>,
  status: string
) {
  yield* plan(order, kind, { delivery: { _tag: "Undecided" } })
  yield* act
  yield* World.pass("8 days")
  assert.strictEqual(yield* look(order), status)
  assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["hold 1042"])
  yield* settled(order, kind)
})

/** What happens before the seven days are over. */
const events: Readonly<
  Record<string, (order: ClientMerchant.Order) => Effect.Effect<unknown, unknown, World.Services>>
> = {
  nothing: () => Effect.void,
  "capture 4.00": (order) => ClientMerchant.act("CAPTURE", order, part),
  capture: (order) => ClientMerchant.act("CAPTURE", order),
  void: (order) => ClientMerchant.act("VOID", order),
  "declined capture": (order) =>
    Effect.andThen(plan(order, "capture", declined), () => ClientMerchant.act("CAPTURE", order)),
  "the bank will decline a release": () => Effect.flatMap(SandboxControl, ({ next }) => next("void", declined)),
  "the bank will be undecided on a release for a day": (order) =>
    plan(order, "void", { delivery: { _tag: "Undecided", forMs: 86_400_000 } }),
  "capture 4.00, decided after 8 days": (order) =>
    decidedLate(order, "capture", ClientMerchant.act("CAPTURE", order, part), "unknown capture 0.00+6.42"),
  "void, decided after 8 days": (order) =>
    decidedLate(order, "void", ClientMerchant.act("VOID", order), "unknown cancel 0.00+10.42")
}

/** The order over time (status, type, captured + remaining amount), the books, and the callbacks after the approval. */
const table = `
case                                                                               | before the seven days are over                    | order over time                                                                              | books                                         | callbacks
uncaptured                                                                         | nothing                                           | 6d approved preauth 0.00+10.42, 7d approved cancel 0.00+0.00, 40d approved cancel 0.00+0.00  | hold 1042,void 1042                           | approved cancel
partly captured                                                                    | capture 4.00                                      | 6d approved capture 4.00+6.42, 7d approved capture 4.00+0.00, 40d approved capture 4.00+0.00 | hold 1042,capture 400,capture 400,void 642    | approved capture, approved cancel
captured as a whole: it does not lapse                                             | capture                                           | 7d approved capture 10.42+0.00, 40d approved capture 10.42+0.00                              | hold 1042,capture 1042,capture 1042           | approved capture
voided: it does not lapse                                                          | void                                              | 7d approved cancel 0.00+0.00, 40d approved cancel 0.00+0.00                                  | hold 1042,void 1042                           | approved cancel
after a declined capture: it lapses as without the capture                         | declined capture                                  | 6d approved preauth 0.00+10.42, 7d approved cancel 0.00+0.00                                 | hold 1042,void 1042                           | declined capture, approved cancel
refused by the bank: the hold stays, and its release is sent again a day later     | the bank will decline a release                   | 7d approved preauth 0.00+10.42, 8d approved cancel 0.00+0.00                                 | hold 1042,void 1042                           | declined cancel, approved cancel
the bank's answer is lost: unknown, and the books release it only when it is known | the bank will be undecided on a release for a day | 7d unknown cancel 0.00+10.42, 8d unknown cancel 0.00+10.42, 9d approved cancel 0.00+0.00     | hold 1042,void 1042                           | approved cancel
a partial capture is unknown: the lapse waits for it                               | capture 4.00, decided after 8 days                | 1d approved capture 4.00+0.00                                                                | hold 1042,capture 400,capture 400,void 642    | approved capture, approved cancel
a void is unknown: the lapse waits for it, and then does nothing                   | void, decided after 8 days                        | 1d approved cancel 0.00+0.00, 2d approved cancel 0.00+0.00                                   | hold 1042,void 1042                           | approved cancel
`
const [, ...rows] = TextTable.rows(table)

describe("a hold after its seven days", () => {
  for (const [title = "", event = "", timeline = "", books, messages] of rows)
    it.live(title, () =>
      Effect.gen(function* () {
        const order = yield* ClientMerchant.create("PREAUTH", { server_callback_url })
        yield* World.settled
        yield* TextTable.named(events, event)(order)
        yield* Timeline.follow(timeline, look(order))
        assert.strictEqual((yield* ClientMerchant.booked(order)).join(), books)
        assert.strictEqual((yield* callbacks).join(", "), messages)
        const { nextDueMs } = yield* Scheduler
        assert.isUndefined(yield* nextDueMs, "something still waits")
        yield* ClientMerchant.allIsWell
      }).pipe(Effect.provide(World.layer(), { local: true }))
    )

  it.live("is released at the bank before it is released in the books", () => {
    const gate = Gate.make()
    const wall = { nowMs: World.startMs }
    return Effect.gen(function* () {
      const order = yield* ClientMerchant.create("PREAUTH", { server_callback_url })
      yield* World.settled
      yield* gate.shut
      wall.nowMs += 7 * 86_400_000
      yield* Effect.forkChild(World.settled)
      yield* gate.reached
      assert.include(yield* ClientMerchant.atBank(order), "void 1042 Approved")
      assert.strictEqual(yield* look(order), "processing cancel 0.00+10.42")
      assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["hold 1042"])
      assert.deepStrictEqual(yield* callbacks, [])
      yield* gate.open
      yield* World.settled
      assert.strictEqual(yield* look(order), "approved cancel 0.00+0.00")
      assert.deepStrictEqual(yield* callbacks, ["approved cancel"])
    }).pipe(
      Effect.provide(
        World.layer({
          wall,
          spoilBank: (bank) => ({ ...bank, followUp: (kind, request) => gate.before(bank.followUp(kind, request)) })
        }),
        { local: true }
      )
    )
  })

  it.live("can be captured until its last minute, and not afterwards", () =>
    Effect.gen(function* () {
      const early = yield* ClientMerchant.create("PREAUTH")
      const late = yield* ClientMerchant.create("PREAUTH")
      yield* World.pass("10079 minutes")
      yield* ClientMerchant.act("CAPTURE", early)
      yield* World.pass("1 minute")
      const refused = yield* Effect.flip(ClientMerchant.act("CAPTURE", late))
      assert.strictEqual(refused._tag, "Refused")
      assert.strictEqual(yield* look(early), "approved capture 10.42+0.00")
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )
})
