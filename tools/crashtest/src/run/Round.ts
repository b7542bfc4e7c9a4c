/** One round of a crash test: orders that are open at once, from the purchase to the comparison of their books. */
import { Clock, Effect } from "effect"
import * as Charges from "../judgement/Charges.ts"
import { type Account, compare, type Difference } from "../judgement/Compare.ts"
import * as Faultless from "../judgement/Faultless.ts"
import type { Answer, AskedRefund, Case, Order, ShopReport } from "../plan/Payment.ts"
import * as Plan from "../plan/Plan.ts"
import { Shop, type ShopFailed, type Tell } from "../shop/Shop.ts"
import { World } from "../world/World.ts"
import * as SharedFault from "./SharedFault.ts"
import type { Tally } from "./Tally.ts"

/** Customers at once, and those of payments that wait besides. More would be a crowd that a shop on a busy machine never serves. */
const [customers, slowCustomers] = [32, 150]

/** How often the shop is asked about orders that do not agree yet, in milliseconds. */
const askAgainMs = 200

/** Least time between two waits, in milliseconds. */
const leastPatienceMs = 1000

/**
 * Carries out an act for each order, by as many customers as there are, and by more for those that wait. Lets time
 * pass while no act ends within the shop's patience: some shops answer only when the outcome is known, and that can be hours later.
 */
const forEach = Effect.fnUntraced(function* <A extends { readonly order: Order }, B, E, R>(
  all: ReadonlyArray<A>,
  act: (each: A) => Effect.Effect<B, E, R>
) {
  const { settle } = yield* World
  const { patienceMs } = yield* Shop
  let ended = 0
  const counted = (each: A) =>
    Effect.tap(act(each), () =>
      Effect.sync(() => {
        ended += 1
      })
    )
  const slow = all.filter(({ order }) => Plan.waits(order.case))
  const quick = all.filter(({ order }) => !Plan.waits(order.case))
  const passing = Effect.gen(function* () {
    const before = ended
    yield* Effect.sleep(Math.max(patienceMs, leastPatienceMs))
    if (ended === before) yield* settle
  })
  const both = Effect.all(
    [
      Effect.forEach(slow, counted, { concurrency: slowCustomers }),
      Effect.forEach(quick, counted, { concurrency: customers })
    ],
    { concurrency: "unbounded" }
  )
  return (yield* Effect.raceFirst(both, Effect.forever(passing))).flat()
})

/** An order with what customer and clerk saw. */
interface Bought {
  readonly order: Order
  readonly answer: Answer
  readonly refund?: AskedRefund | undefined
}

const tellOfClerk = (order: Order) =>
  Effect.map(
    World,
    (world): Tell =>
      (text, fault) =>
        world.tell(order, "crash test", `as a clerk ${text}`, fault)
  )

const purchase = Effect.fnUntraced(function* (order: Order) {
  const shop = yield* Shop
  const world = yield* World
  const tell: Tell = (text, fault) => world.tell(order, "customer", text, fault)
  switch (order.case.action) {
    case "buy":
    case "refund":
      return yield* shop.buy(order, tell)
    case "subscribe":
      return yield* shop.subscribe(order, tell)
    case "payout":
      return yield* shop.payOut(order, yield* tellOfClerk(order))
  }
})

/**
 * Waits until the shop calls the order paid, as a clerk does, unless shop and bank agree that it is not. Returns whether it is paid,
 * at the bank, too.
 */
const isPaid = Effect.fnUntraced(function* (order: Order) {
  const shop = yield* Shop
  const world = yield* World
  const untilMs = (yield* Clock.currentTimeMillis) + shop.patienceMs
  for (;;) {
    const { paid } = yield* shop.ask(order)
    const { charges } = yield* world.booked(order)
    if (paid === "yes") return !charges.every(Charges.isGivenBack)
    if ((paid === "no" && charges.length === 0) || (yield* Clock.currentTimeMillis) >= untilMs) return false
    yield* Effect.sleep(askAgainMs)
  }
})

/** Refunds the order if the bank has a payment, and the shop calls it paid. */
const refund = Effect.fnUntraced(function* (bought: Bought) {
  const shop = yield* Shop
  const world = yield* World
  const { order } = bought
  if (!(yield* isPaid(order))) return bought
  const { charges } = yield* world.booked(order)
  const givenBackBefore = charges.filter(Charges.isGivenBack).map(({ orderId }) => orderId)
  const amountMinor = shop.refundMinor(order)
  const answer = yield* shop.refund(order, yield* tellOfClerk(order))
  return { ...bought, refund: { amountMinor, givenBackBefore, answer } }
})

/** Notes a shop that has ended by itself, and starts it again. */
const revive = Effect.fnUntraced(function* (tally: Tally) {
  const shop = yield* Shop
  if (yield* shop.isAlive) return
  tally.crashed(`The shop ended by itself. Its last lines:\n${yield* shop.output}`)
  yield* shop.start
})

interface Compared {
  readonly account: Account
  readonly differences: ReadonlyArray<Difference>
}

const examine = Effect.fnUntraced(function* (bought: Bought) {
  const shop = yield* Shop
  const world = yield* World
  const { order } = bought
  const report: ShopReport = yield* shop.ask(order)
  const account: Account = {
    ...bought,
    report,
    observation: yield* world.observation(order),
    booked: yield* world.booked(order)
  }
  const compared: Compared = { account, differences: compare(account) }
  return compared
})

/** Asks about each order once. Returns those whose books agree, and those whose books differ or of which more is expected. */
const examineOnce = Effect.fnUntraced(function* (all: ReadonlyArray<Bought>, tally: Tally) {
  yield* revive(tally)
  const compared = yield* Effect.forEach(all, examine, { concurrency: customers })
  const isOpen = ({ account, differences }: Compared) => differences.length > 0 || Faultless.isExpected(account)
  return { agreed: compared.filter((each) => !isOpen(each)), different: compared.filter(isOpen) }
})

/** Adds orders to the tally, and forgets them. */
const finish = (compared: ReadonlyArray<Compared>, tally: Tally) =>
  Effect.gen(function* () {
    const world = yield* World
    for (const { account, differences } of compared) {
      yield* tally.add(account, differences)
      yield* world.close(account.order)
    }
  })

/**
 * Carries out one round: purchases, days that pass, refunds. Orders whose books agree are finished, and the others wait for
 * {@link finishAll}, because a shop may repair them by its own clock.
 */
export const run = Effect.fnUntraced(function* (cases: ReadonlyArray<Case>, tally: Tally) {
  const world = yield* World
  const [first] = cases
  const atOnce = first === undefined ? undefined : Plan.shared(first)
  const orders = cases.map(tally.order)
  const failed: Array<ShopFailed> = []
  const shared = yield* SharedFault.make(atOnce, orders.length, (failure) => Effect.sync(() => failed.push(failure)))
  const together = { reached: shared.reached }
  yield* Effect.forEach(orders, (order) => world.open(order, together), { discard: true })
  const buying = forEach(
    orders.map((order) => ({ order })),
    ({ order }) => Effect.map(purchase(order), (answer): Bought => ({ order, answer }))
  )
  let bought: ReadonlyArray<Bought> = yield* shared.around(buying)
  yield* world.settle
  yield* shared.idle
  if (orders.some((order) => order.case.action === "refund")) {
    yield* revive(tally)
    const refunding = forEach(bought, (each) =>
      each.order.case.action === "refund" ? refund(each) : Effect.succeed(each)
    )
    bought = yield* shared.around(refunding)
    yield* world.settle
    yield* shared.idle
  }
  const [failure] = failed
  if (failure !== undefined) return yield* failure
  const { agreed, different } = yield* examineOnce(bought, tally)
  tally.waiting.push(...different.map(({ account }) => account))
  yield* finish(agreed, tally)
}, Effect.scoped)

/** How much longer than its patience a shop gets at most on a machine that is so busy that its answers take long. */
const longestPatience = 5

/**
 * Asks about the orders until all agree, or none has begun to agree within the patience: a shop repairs many orders one after the
 * other. The patience is counted in questions, which take longer on a machine that is busy, as everything else that the shop does.
 * Returns those that still differ.
 */
const examineUntilAgreed = Effect.fnUntraced(function* (all: ReadonlyArray<Bought>, tally: Tally) {
  const { patienceMs } = yield* Shop
  let open = all
  let [beganMs, asked] = [yield* Clock.currentTimeMillis, 0]
  for (;;) {
    const { agreed, different } = yield* examineOnce(open, tally)
    yield* finish(agreed, tally)
    const nowMs = yield* Clock.currentTimeMillis
    if (agreed.length > 0) [beganMs, asked] = [nowMs, 0]
    const isOver = asked * askAgainMs >= patienceMs || nowMs - beganMs >= patienceMs * longestPatience
    if (different.length === 0 || isOver) return different
    open = different.map(({ account }) => account)
    asked += 1
    yield* Effect.sleep(askAgainMs)
  }
})

/** Returns for each order how much has changed of it. */
const changesOf = (all: ReadonlyArray<Bought>) =>
  Effect.flatMap(World, ({ observation }) =>
    Effect.forEach(all, ({ order }) => Effect.map(observation(order), ({ changes }) => [order, changes] as const))
  ).pipe(Effect.map((pairs) => new Map(pairs)))

/**
 * Gives the shop its time for all orders that wait, and adds what differs at the end to the tally. What the shop did in its time, and
 * what the gateway does then, gives it the same time again.
 */
export const finishAll = Effect.fnUntraced(function* (tally: Tally) {
  const world = yield* World
  const waiting = tally.waiting.splice(0)
  const before = yield* changesOf(waiting)
  const different = yield* examineUntilAgreed(waiting, tally)
  if (different.length === 0) return
  yield* world.settle
  const after = yield* changesOf(different.map(({ account }) => account))
  const isStill = ({ account: { order } }: Compared) => before.get(order) === after.get(order)
  yield* finish(different.filter(isStill), tally)
  const moved = different.filter((each) => !isStill(each)).map(({ account }) => account)
  yield* finish(yield* examineUntilAgreed(moved, tally), tally)
})
