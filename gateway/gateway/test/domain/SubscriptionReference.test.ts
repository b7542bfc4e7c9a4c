/** The scheme's reference that a recurring payment keeps of the payment with which it was created. */
import { assert, describe, it } from "@effect/vitest"
import * as BillingOutcome from "../../src/recurring/decide/BillingOutcome.ts"
import type { Subscription } from "../../src/recurring/decide/Subscription.ts"
import { occurrence, request, sale, subscription } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

const reported = '{"schemeReference":{"id":"481048839682954"}}'
const first = '{"brand":"VISA","id":"481048839682954"}'
const stored = '{"brand":"VISA","id":"of-the-stored-card"}'

const rows: ReadonlyArray<
  readonly [
    what: string,
    row: Partial<Subscription>,
    isCharge: boolean,
    bankDetails: string | null,
    kept: string | null
  ]
> = [
  ["of its first payment", { state: "starting" }, false, reported, first],
  ["none if the bank reported none", { state: "starting" }, false, null, null],
  ["of its stored card", { state: "starting", schemeReference: stored }, false, reported, stored],
  ["the same after a later charge", { schemeReference: first }, true, '{"schemeReference":{"id":"later"}}', first]
]

describe("a recurring payment", () => {
  it.each(rows)("keeps the reference %s", (_, row, isCharge, bankDetails, kept) => {
    const billed = { subscription: subscription(row), occurrence: isCharge ? occurrence() : undefined }
    const order = sale({ bankDetails, cardType: "VISA" })
    const writes = BillingOutcome.continuation(billed).onFinal(request({ progress: "approved" }), 2_000, order)
    assert.deepStrictEqual(
      rowsOf({ guards: [], writes }, "subscriptions").map(({ schemeReference }) => schemeReference),
      [kept]
    )
  })
})
