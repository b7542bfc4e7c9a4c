/** Checks of what may happen to an order in each state, and of its amounts. */

import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import * as Expect from "../Expect.ts"
import { Gateway } from "../Gateway.ts"
import * as Orders from "../Orders.ts"
import type { CardRole } from "../Settings.ts"

/** One step of a script, which is a request on the script's order. */
type Step =
  | {
      readonly _tag: "Done"
      readonly name: Orders.FollowUp
      readonly amount: string | undefined
      readonly state: string
    }
  | {
      readonly _tag: "Refused"
      readonly name: Orders.FollowUp
      readonly amount: string | undefined
      readonly error: ErrorCode.Name
    }
  /** The request is accepted, and its outcome stays open because the bank cannot report it. */
  | { readonly _tag: "Open"; readonly name: Orders.FollowUp; readonly amount: string | undefined }

const done = (name: Orders.FollowUp, amount: string | undefined, state: string): Step => ({
  _tag: "Done",
  name,
  amount,
  state
})
const refused = (name: Orders.FollowUp, amount: string | undefined, error: ErrorCode.Name): Step => ({
  _tag: "Refused",
  name,
  amount,
  error
})
const open = (name: Orders.FollowUp, amount?: string): Step => ({ _tag: "Open", name, amount })

interface Script {
  readonly id: string
  readonly title: string
  readonly clause: Check.Clause
  readonly creation: "SALE" | "PREAUTH"
  readonly card?: CardRole
  readonly status?: string
  readonly steps: ReadonlyArray<Step>
}

const rule = "docs/specification.md#transactions"
const decided = "docs/assumptions.md#captures-voids-and-returns"

const hold = "approved preauth 10.42 0.00 0.00 10.42"

/** The scripts. All amounts belong to an order of 10.42. */
const scripts: ReadonlyArray<Script> = [
  {
    id: "capture-whole",
    title: "a capture without an amount captures the whole hold, and a later capture and void are refused",
    clause: rule,
    creation: "PREAUTH",
    steps: [
      done("CAPTURE", undefined, "approved capture 10.42 10.42 0.00 0.00"),
      refused("CAPTURE", "0.01", "orderState"),
      refused("VOID", undefined, "orderState")
    ]
  },
  {
    id: "capture-parts",
    title: "a hold is captured in parts, up to the authorized amount",
    clause: decided,
    creation: "PREAUTH",
    steps: [
      refused("CAPTURE", "10.43", "amountExceeds"),
      done("CAPTURE", "4.00", "approved capture 10.42 4.00 0.00 6.42"),
      refused("CAPTURE", "6.43", "amountExceeds"),
      done("CAPTURE", "6.42", "approved capture 10.42 10.42 0.00 0.00"),
      refused("CAPTURE", "0.01", "orderState")
    ]
  },
  {
    id: "void",
    title: "a void releases the hold, and every later request is refused",
    clause: rule,
    creation: "PREAUTH",
    steps: [
      refused("VOID", "1.00", "amountNotAllowed"),
      done("VOID", undefined, "approved cancel 10.42 0.00 0.00 0.00"),
      refused("CAPTURE", "1.00", "orderState"),
      refused("RETURN", undefined, "orderState")
    ]
  },
  {
    id: "void-rest",
    title: "a void after a partial capture releases the rest",
    clause: rule,
    creation: "PREAUTH",
    steps: [
      done("CAPTURE", "4.00", "approved capture 10.42 4.00 0.00 6.42"),
      done("VOID", undefined, "approved capture 10.42 4.00 0.00 0.00"),
      refused("CAPTURE", "1.00", "orderState"),
      done("RETURN", undefined, "approved reversal 10.42 4.00 4.00 0.00")
    ]
  },
  {
    id: "sale-return",
    title: "a return without an amount refunds a whole sale, once",
    clause: rule,
    creation: "SALE",
    steps: [
      refused("CAPTURE", "1.00", "orderState"),
      refused("VOID", undefined, "orderState"),
      done("RETURN", undefined, "approved reversal 10.42 10.42 10.42 0.00"),
      refused("RETURN", "0.01", "amountExceeds")
    ]
  },
  {
    id: "sale-return-parts",
    title: "a sale is returned in parts, up to the captured amount",
    clause: rule,
    creation: "SALE",
    steps: [
      refused("RETURN", "10.43", "amountExceeds"),
      done("RETURN", "4.00", "approved sale 10.42 10.42 4.00 0.00"),
      refused("RETURN", "6.43", "amountExceeds"),
      done("RETURN", "6.42", "approved reversal 10.42 10.42 10.42 0.00")
    ]
  },
  {
    id: "preauth-return",
    title: "a return of an uncaptured hold releases the whole hold, and may not have an amount",
    clause: decided,
    creation: "PREAUTH",
    steps: [
      refused("RETURN", "4.00", "amountNotAllowed"),
      done("RETURN", undefined, "approved cancel 10.42 0.00 0.00 0.00")
    ]
  },
  {
    id: "part-captured-return",
    title: "a partial return is limited to the captured amount, and does not change the rest of the hold",
    clause: decided,
    creation: "PREAUTH",
    steps: [
      done("CAPTURE", "4.00", "approved capture 10.42 4.00 0.00 6.42"),
      refused("RETURN", "4.01", "amountExceeds"),
      done("RETURN", "3.00", "approved capture 10.42 4.00 3.00 6.42"),
      done("RETURN", undefined, "approved reversal 10.42 4.00 4.00 0.00"),
      refused("CAPTURE", "1.00", "orderState")
    ]
  },
  {
    id: "declined",
    title: "a capture, void and return of a declined payment are refused",
    clause: rule,
    creation: "PREAUTH",
    card: "declined",
    status: "declined",
    steps: [
      refused("CAPTURE", "1.00", "orderState"),
      refused("VOID", undefined, "orderState"),
      refused("RETURN", undefined, "orderState")
    ]
  },
  {
    id: "capture-declined",
    title: "a declined capture does not change the hold",
    clause: "docs/assumptions.md#one-order-its-whole-life",
    creation: "PREAUTH",
    card: "captureDeclined",
    steps: [
      done("CAPTURE", "10.42", hold),
      done("CAPTURE", "10.41", hold),
      done("VOID", undefined, "approved cancel 10.42 0.00 0.00 0.00")
    ]
  },
  {
    id: "refund-declined",
    title: "a declined return does not change the payment",
    clause: "docs/assumptions.md#one-order-its-whole-life",
    creation: "SALE",
    card: "refundDeclined",
    steps: [
      done("RETURN", "10.42", "approved sale 10.42 10.42 0.00 0.00"),
      done("RETURN", "10.41", "approved sale 10.42 10.42 0.00 0.00")
    ]
  },
  {
    id: "capture-moving",
    title: "a capture whose outcome is open reduces the remaining amount, and the hold cannot be released meanwhile",
    clause: decided,
    creation: "PREAUTH",
    card: "captureUndecided",
    steps: [
      open("CAPTURE", "6.00"),
      refused("CAPTURE", "4.43", "amountExceeds"),
      refused("VOID", undefined, "orderState"),
      refused("RETURN", undefined, "orderState")
    ]
  },
  {
    id: "return-moving",
    title: "a return whose outcome is open reduces the refundable amount",
    clause: decided,
    creation: "SALE",
    card: "refundUndecided",
    steps: [open("RETURN", "6.00"), refused("RETURN", "4.43", "amountExceeds")]
  },
  {
    id: "void-moving",
    title: "a hold that is being released cannot be captured or released again",
    clause: "docs/assumptions.md#holds",
    creation: "PREAUTH",
    card: "voidUndecided",
    steps: [open("VOID"), refused("CAPTURE", "1.00", "orderState"), refused("VOID", undefined, "orderState")]
  }
]

const perform = Effect.fnUntraced(function* (order: Orders.Order, step: Step) {
  const { freshId } = yield* Gateway
  const key = { headers: { "idempotency-key": freshId() } }
  const what = `${step.name.toLowerCase()} ${step.amount ?? "whole"}`
  if (step._tag === "Done") {
    yield* Orders.done(step.name, order, step.amount, key)
    return yield* Orders.expectState(order, step.state, `after ${what}`)
  }
  const { reply } = yield* Orders.act(step.name, order, step.amount, key)
  if (step._tag === "Refused") return yield* Expect.refused(reply, step.error, undefined, what)
  yield* Expect.accepted(reply, what)
  const body = yield* Orders.status(order)
  yield* Expect.that(!Orders.isFinal(body), `${what} is open, and the status is ${String(body.status)}`)
})

const capabilities = ({ card }: Script): ReadonlyArray<Capability.Capability> => [
  Capability.amounts,
  Capability.idempotencyKey,
  ...(card === undefined ? [] : [Capability.card(card)])
]

export const all: ReadonlyArray<Check.Check> = scripts.map((script) =>
  Check.make({
    id: `states/${script.id}`,
    title: script.title,
    clause: script.clause,
    needs: capabilities(script),
    program: Effect.gen(function* () {
      const order = yield* Orders.settled(script.creation, script.card ?? "approved", script.status ?? "approved")
      for (const step of script.steps) yield* perform(order, step)
    })
  })
)
