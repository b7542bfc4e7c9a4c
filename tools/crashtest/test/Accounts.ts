/** Orders at their end, as all books have them, in rows of a table. */
import { expect } from "@effect/vitest"
import { type Account, compare } from "../src/judgement/Compare.ts"
import type { Action, Booked, Charge, ShopReport } from "../src/plan/Payment.ts"

export const charge = (capturedMinor: number, rest: Partial<Charge> = {}): Charge => ({
  ...{ orderId: "1", clientOrderId: "a-1", capturedMinor, heldMinor: 0, releasedMinor: 0, refundsMinor: [] },
  ...rest
})

export const refunded = (orderId: string, ...refundsMinor: ReadonlyArray<number>) =>
  charge(1042, { orderId, refundsMinor })
export const later = (recurring: string) => charge(1042, { recurring, clientOrderId: `${recurring}:1` })

export interface Row {
  readonly says: string
  readonly action?: Action
  readonly charges?: ReadonlyArray<Charge>
  readonly payoutsMinor?: ReadonlyArray<number>
  readonly answer?: Account["answer"]
  readonly refundAnswer?: Account["answer"]
  /** What the clerk asked for. Default: the whole order. */
  readonly refundMinor?: number
  /** Payments that were given back before the clerk asked. */
  readonly givenBackBefore?: ReadonlyArray<string>
  readonly report: ShopReport
  readonly isForged?: boolean
  readonly kinds: ReadonlyArray<string>
}

const account = ({
  action = "buy",
  answer = "open",
  charges = [],
  isForged,
  payoutsMinor = [],
  refundAnswer,
  refundMinor = 1042,
  givenBackBefore = [],
  report
}: Row): Account => {
  const booked: Booked = { charges, payoutsMinor }
  const met = isForged === true ? [{ fault: "forgedCallback", moment: { of: "callback", index: 1 } } as const] : []
  return {
    order: { case: { number: 1, action, faults: [], killedAt: 0 }, name: "a", amountMinor: 1042, currency: "USD" },
    observation: { requests: [], callbacks: 0, changes: 0, met, timeline: [] },
    ...{ booked, answer, report },
    ...(refundAnswer === undefined
      ? {}
      : { refund: { amountMinor: refundMinor, answer: refundAnswer, givenBackBefore } })
  }
}

/** Expects what a row says, each difference in a sentence. */
export const check = (row: Row): void => {
  const differences = compare(account(row))
  expect(differences.map(({ kind }) => kind)).toEqual(row.kinds)
  for (const { difference } of differences) expect(difference).toMatch(/^[A-Z].*\.$/)
}
