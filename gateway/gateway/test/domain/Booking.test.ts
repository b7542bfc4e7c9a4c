import { assert, describe, it } from "@effect/vitest"
import type { Acquirer } from "../../src/orders/bank/Acquirer.ts"
import * as Booking from "../../src/orders/record/Booking.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { PayoutRail } from "../../src/payouts/PayoutRail.ts"

/** The reference under which the gateway inquires at the bank or the rail. */
type InquiryReference = Parameters<Acquirer["Service"]["inquire"] | PayoutRail["Service"]["inquire"]>[0]
type IsTaken<A> = [Extract<A, InquiryReference>] extends [never] ? false : true

describe("the reference of a request at the bank or the rail", () => {
  it("has a type of its own, which accepts no order number, client_orderid or login", () => {
    const takes: IsTaken<Order["orderId"] | Order["clientOrderId"] | Order["merchantId"]> = false
    const own: IsTaken<ReturnType<typeof Booking.referenceOf>> = true
    assert.deepStrictEqual([takes, own], [false, true])
  })
  it("names order, kind and sequence number of its request", () => {
    const attempt = { orderId: "7", kind: "capture", sequence: 2 }
    assert.strictEqual(Booking.referenceOf(attempt), "7-capture-2")
    assert.deepStrictEqual(Booking.parse(Booking.referenceOf(attempt)), attempt)
    assert.isUndefined(Booking.parse("7"))
  })
})
