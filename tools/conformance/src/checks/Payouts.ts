/** Checks of money that leaves the merchant's balance, in one step and in two. */
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import * as Expect from "../Expect.ts"
import { advance, call, Gateway } from "../Gateway.ts"
import * as Orders from "../Orders.ts"
import type { RecipientRole } from "../Settings.ts"

const twoSteps = "docs/specification.md#transactions"
const balance = "docs/assumptions.md#payout-balance"

const recipient = Effect.fnUntraced(function* (role: RecipientRole) {
  const number = (yield* Gateway).facts.settings.recipients?.[role]
  return { account_number: number === undefined ? "" : Redacted.value(number) }
})

const payout = Effect.fnUntraced(function* (role: RecipientRole, amount: string, name: PayApi.Name = "PAYOUT_V4") {
  return yield* Orders.create(name, { ...(yield* recipient(role)), amount })
})

const checked = Effect.fnUntraced(function* (role: RecipientRole, amount: string) {
  const order = yield* payout(role, amount, "PAYOUT_V4_CHECK")
  const body = yield* Orders.until(order, (each) => Orders.isFinal(each) || each["order-stage"] === "payout_checked")
  return { order, body }
})

const pay = Effect.fnUntraced(function* ({ clientOrderId, orderId }: Orders.Order) {
  const { settings } = (yield* Gateway).facts
  const fields = { login: settings.login, client_orderid: clientOrderId, orderid: orderId }
  return yield* call(PayApi.operations.PAYOUT_V4_PAY, fields)
})

const make = (
  id: string,
  title: string,
  clause: Check.Clause,
  roles: ReadonlyArray<RecipientRole>,
  program: Check.Program,
  more: Partial<Check.Check> = {}
): Check.Check =>
  Check.make({
    id: `payout/${id}`,
    title,
    clause,
    ...more,
    needs: [
      ...Capability.operation(PayApi.operations.PAYOUT_V4),
      ...roles.map(Capability.recipient),
      ...(more.needs ?? [])
    ],
    program
  })

const ends = (name: "PAYOUT" | "PAYOUT_V4", role: RecipientRole, expected: string): Check.Check =>
  make(
    `${PayApi.operations[name].command.replace("/", "-")}-${role}`,
    `${PayApi.operations[name].command} to the recipient "${role}" ends ${expected}`,
    "docs/specification.md#endpoints",
    [role],
    Effect.gen(function* () {
      const body = yield* Orders.final(yield* payout(role, "1.00", name))
      yield* Expect.equal(body.status, expected, "the status")
    })
  )

/** An amount above every balance. */
const tooMuch = "9999999.99"

const reasonOf = Effect.fnUntraced(function* (role: RecipientRole, amount: string) {
  const body = yield* Orders.final(yield* payout(role, amount))
  yield* Expect.equal(body.status, "declined", `the status of a payout of ${amount}`)
  return Expect.textOf(body, "error-code")
})

/** Determines an amount above half of the balance by payouts that the rail refuses, so that no money moves. */
const mostOfBalance = Effect.gen(function* () {
  const short = yield* reasonOf("refused", tooMuch)
  const covers = (whole: number) => Effect.map(reasonOf("refused", `${whole}.00`), (reason) => reason !== short)
  let [low, high] = [0, 9_999_999]
  while (high - low > Math.max(1, low / 4)) {
    const middle = Math.floor((low + high) / 2)
    if (yield* covers(middle)) low = middle
    else high = middle
  }
  yield* Expect.that(low > 1, "the merchant's balance is too low for this check: fund it")
  const amount = `${low}.00`
  return {
    amount,
    isCovered: Effect.map(reasonOf("refused", amount), (reason) => reason !== short)
  }
})

const steps: ReadonlyArray<Check.Check> = [
  make(
    "check-pay",
    "a check registers a payout, and payout-pay executes it once",
    twoSteps,
    ["paid"],
    Effect.gen(function* () {
      const { body, order } = yield* checked("paid", "1.00")
      yield* Expect.equal(body["order-stage"], "payout_checked", "the stage after the check")
      yield* Expect.equal(body.status, "processing", "the status after the check")
      yield* Expect.accepted(yield* pay(order), "payout-pay")
      yield* Expect.equal((yield* Orders.final(order)).status, "approved", "the status after payout-pay")
      const again = yield* Expect.accepted(yield* pay(order), "payout-pay sent again")
      yield* Expect.equal(Expect.textOf(again, "paynet-order-id"), order.orderId, "the order of payout-pay sent again")
    }),
    { needs: [Capability.orderStage] }
  ),
  make(
    "check-refused",
    "the check declines a recipient that the rail does not know, and payout-pay is refused",
    twoSteps,
    ["checkRefused"],
    Effect.gen(function* () {
      const { body, order } = yield* checked("checkRefused", "1.00")
      yield* Expect.equal(body.status, "declined", "the status after the check")
      yield* Expect.refusedSomehow(yield* pay(order), "payout-pay of a declined check")
      yield* Expect.equal((yield* Orders.status(order)).status, "declined", "the status after payout-pay")
    })
  ),
  make(
    "pay-again",
    "a repeated payout-pay is acknowledged again, also after a refusal of the rail",
    "docs/assumptions.md#payout-operations",
    ["refused"],
    Effect.gen(function* () {
      const { order } = yield* checked("refused", "1.00")
      yield* Expect.accepted(yield* pay(order), "payout-pay")
      yield* Expect.equal((yield* Orders.final(order)).status, "declined", "the status")
      yield* Expect.accepted(yield* pay(order), "payout-pay sent again")
    }),
    { needs: [Capability.orderStage] }
  ),
  make(
    "undecided",
    "a payout whose outcome is open is not declined",
    "docs/assumptions.md#payout-balance",
    ["undecided"],
    Effect.gen(function* () {
      const order = yield* payout("undecided", "1.00")
      const body = yield* Orders.settledOrUnknown(order)
      yield* Expect.equal(body.status, "unknown", "the status")
    })
  )
]

const balances: ReadonlyArray<Check.Check> = [
  make(
    "too-much",
    "a payout of more than the balance is declined",
    balance,
    ["paid"],
    Effect.gen(function* () {
      yield* reasonOf("paid", tooMuch)
    })
  ),
  make(
    "held",
    "a checked payout holds its amount, and a refused one releases it",
    balance,
    ["refused"],
    Effect.gen(function* () {
      const { amount, isCovered } = yield* mostOfBalance
      yield* Expect.that(yield* isCovered, "a refused payout keeps its amount")
      const { order } = yield* checked("refused", amount)
      yield* Expect.that(!(yield* isCovered), "a checked payout does not hold its amount")
      yield* Expect.accepted(yield* pay(order), "payout-pay")
      yield* Orders.final(order)
      yield* Expect.that(yield* isCovered, "a payout that the rail refused keeps its amount")
    }),
    { alone: true, limitSeconds: 60, needs: [Capability.orderStage] }
  ),
  make(
    "never-arrives",
    "a payout that never reaches the rail ends error within half an hour, and is not sent again later",
    "docs/assumptions.md#calls-to-the-bank",
    ["neverArrives"],
    Effect.gen(function* () {
      const order = yield* payout("neverArrives", "1.00")
      yield* Orders.settledOrUnknown(order)
      for (let step = 0; step < 6 && !Orders.isFinal(yield* Orders.status(order)); step += 1) yield* advance("5m")
      yield* Expect.equal((yield* Orders.status(order)).status, "error", "the status half an hour later")
    }),
    { alone: true, needs: [Capability.clock] }
  ),
  make(
    "refused-later",
    "a payout that the rail refuses after confirming it ends declined, and its amount returns to the balance",
    "docs/assumptions.md#payout-balance",
    ["refused", "refusedLater"],
    Effect.gen(function* () {
      const { amount, isCovered } = yield* mostOfBalance
      const order = yield* payout("refusedLater", amount)
      yield* Expect.equal((yield* Orders.final(order)).status, "approved", "the status at first")
      yield* advance("2h")
      yield* Expect.equal((yield* Orders.status(order)).status, "declined", "the status two hours later")
      yield* Expect.that(yield* isCovered, "the amount is not back in the balance")
    }),
    { alone: true, limitSeconds: 60, needs: [Capability.clock] }
  )
]

export const all: ReadonlyArray<Check.Check> = [
  ends("PAYOUT", "paid", "approved"),
  ends("PAYOUT_V4", "paid", "approved"),
  ends("PAYOUT_V4", "refused", "declined"),
  ...steps,
  ...balances
]
