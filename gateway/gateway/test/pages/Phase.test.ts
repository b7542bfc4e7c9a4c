/** What a customer reads for each `error-code`: the end of the order, and the notice before another attempt. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import * as CardPage from "../../src/http/pages/CardPage.ts"
import * as Phase from "../../src/http/pages/Phase.ts"
import * as StatePage from "../../src/http/pages/StatePage.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import { sale, verification } from "../domain/Sample.ts"

const paragraph = (html: string): string => /<h2>[^<]*<\/h2><p>([^<]*)<\/p>/.exec(html)?.[1] ?? ""

const endOf = (order: Order) => {
  const phase = Phase.ofOrder(order)
  assert(Phase.isState(phase))
  const page = StatePage.outcome("en", { merchant: "Shop", order }, phase, undefined)
  return [page.title, paragraph(page.main.text)]
}

const refused = ["Payment declined", "Nothing was charged. The shop can offer you another way to pay."]
const unconfirmed = ["Payment not confirmed", "You did not confirm the payment with your bank. Nothing was charged."]
const expired = ["Time is up", "The payment was not completed in time. Nothing was charged."]
const cancelled = ["Payment cancelled", "Nothing was charged."]
const cardRefused = ["Card not confirmed", "This card could not be confirmed. Nothing was charged."]
const cardUnconfirmed = [
  "Card not confirmed",
  "You did not confirm the card check with your bank. Nothing was charged."
]
const cardExpired = ["Time is up", "The card was not confirmed in time. Nothing was charged."]
const cardCancelled = ["Card check cancelled", "Nothing was charged."]

/** Code, state, and the title and the text for a payment and for a card check. */
const ends: ReadonlyArray<
  readonly [code: number, state: Order["state"], payment: ReadonlyArray<string>, check: ReadonlyArray<string>]
> = [
  [declines.notAuthenticated.code, "declined", unconfirmed, cardUnconfirmed],
  [declines.sessionExpired.code, "declined", expired, cardExpired],
  [declines.limitExceeded.code, "filtered", refused, cardRefused],
  [declines.velocityExceeded.code, "filtered", refused, cardRefused],
  [declines.blocked.code, "filtered", refused, cardRefused],
  [declines.neverSent.code, "declined", refused, cardRefused],
  [declines.balanceTooLow.code, "declined", refused, cardRefused],
  [declines.approvalRejected.code, "declined", refused, cardRefused],
  [declines.lapsed.code, "declined", refused, cardRefused],
  [declines.cancelledByCustomer.code, "declined", cancelled, cardCancelled],
  [declines.doNotHonour.code, "declined", refused, cardRefused],
  [declines.stolenCard.code, "declined", refused, cardRefused]
]

const noticeOf = (kind: "sale" | "verification", code: number | null) =>
  /role="alert"><strong>([^<]*)</.exec(
    CardPage.page("en", {
      payment: { merchant: "Shop", order: { amountMinor: 100, currency: "USD", description: "", kind } },
      ...{ attempts: 1, attemptsLeft: 2, asksReceiver: false, flaws: {}, kept: { expiry: "", holder: "" } },
      ...{ failure: Phase.ofAttempt(code), isEncrypted: true, isAuthenticated: true }
    }).main.text
  )?.[1] ?? ""

const notMade = ["The payment could not be made", "The card could not be checked"]
const byBank = ["Your bank declined the payment", "Your bank did not confirm the card"]

/** Code of the last attempt, and the notice for a payment and for a card check. */
const notices: ReadonlyArray<readonly [code: number | null, shown: ReadonlyArray<string>]> = [
  [declines.notAuthenticated.code, ["Payment not confirmed", "Card not confirmed"]],
  [declines.sessionExpired.code, notMade],
  [declines.velocityExceeded.code, notMade],
  [declines.neverSent.code, notMade],
  [declines.cancelledByCustomer.code, notMade],
  [declines.doNotHonour.code, byBank],
  [declines.stolenCard.code, byBank],
  [null, byBank]
]

describe("the page of an order that was not approved", () => {
  it.each(ends)("says for the code %j (%s): %j, and of a card check %j", (code, state, payment, check) => {
    const end = { state, errorCode: code }
    assert.deepStrictEqual([endOf(sale(end)), endOf(verification(end))], [payment, check])
  })

  it.each(notices)("says before another attempt, after the code %j: %j", (code, shown) =>
    assert.deepStrictEqual([noticeOf("sale", code), noticeOf("verification", code)], shown)
  )
})
