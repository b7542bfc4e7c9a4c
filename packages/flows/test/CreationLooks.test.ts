/** Tests how a creation reads the status of its order before and after it is sent. */
import { describe } from "@effect/vitest"
import { check } from "./Creating.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refusal, orderStatus, acknowledged, unknownOrder } = Script
const paid = orderStatus("approved")
const tooMany = refusal(83, 429, "7200")
const needed = "recurringPaymentId"
const isBegun = true
const nameless = { request: { ...Script.chargeRequest, client_orderid: "" }, clientOrderId: "" }
const former = Earlier.refusedBefore

describe("a charge whose answer was lost", () => {
  check([
    [
      "is absent before and after a pause",
      {},
      ["lost", acknowledged],
      [unknownOrder],
      "made",
      "make status status make"
    ],
    [
      "is absent, has one lost status call, and is found",
      {},
      ["lost", acknowledged],
      [unknownOrder, "lost", paid],
      "found",
      "make status status status"
    ],
    [
      "is absent, has one lost status call, and is absent",
      {},
      ["lost", acknowledged],
      [unknownOrder, "lost", unknownOrder],
      "made",
      "make status status status make"
    ],
    [
      "is absent, has six refused status calls, and is found",
      {},
      ["lost"],
      [unknownOrder, ...Array.from({ length: 6 }, () => refusal(1)), paid],
      "found",
      `make${" status".repeat(8)}`
    ],
    [
      "has seven refused status calls, not all in a row, and is found",
      {},
      ["lost"],
      [...Array.from({ length: 6 }, () => refusal(1)), "lost", refusal(1), paid],
      "found",
      `make${" status".repeat(9)}`
    ],
    ["has status calls that are limited for too long", {}, ["lost"], [tooMany], "StillUnknown", "make status"],
    [
      "is looked up again if an earlier run had waited for it",
      { record: { "make look 1.1 pause": true } },
      ["lost"],
      [tooMany, paid],
      "found",
      "make status status"
    ],
    [
      "is looked up again before a repeat if a former version recorded it as absent",
      { record: { "make look 1.1": former(54) } },
      ["lost", acknowledged],
      [unknownOrder],
      "made",
      "make status status make"
    ],
    [
      "is looked up again if a former version recorded a refused status call",
      { record: { "make look 1.1": former(1) } },
      ["lost"],
      [unknownOrder, paid],
      "found",
      "make status status"
    ]
  ])
})

describe("a charge at a gateway that does not replay a creation", () => {
  check(
    [
      ["is looked up first", {}, [acknowledged], [unknownOrder], "made", "status make"],
      ["is invalid because its order number is empty", nameless, [], [], "Refused", ""],
      ["is not sent if status calls are limited for too long", {}, [], [tooMany], "Refused", "status"],
      ["is refused, and was absent before", {}, [refusal(1)], [refusal(1)], "Refused", "status make status"],
      [
        "is refused, and two status calls do not find it",
        {},
        [refusal(1)],
        [unknownOrder, "lost", refusal(1)],
        "Refused",
        "status make status status",
        { mostRepeats: 2 }
      ],
      [
        "is refused, and has no order number for a status call",
        { clientOrderId: "" },
        [refusal(1)],
        [],
        "Refused",
        "make"
      ],
      [
        "is found without a required field",
        { needed },
        [],
        [paid],
        "StillUnknown",
        "status status status status status status"
      ],
      [
        "is lost, is absent, and is sent again without another status call",
        {},
        ["lost", acknowledged],
        [unknownOrder],
        "made",
        "status make status status make"
      ],
      [
        "may have been sent by an earlier run, and is absent after a pause",
        { isBegun },
        [acknowledged],
        [unknownOrder],
        "made",
        "status status status make"
      ]
    ],
    { notFound: [54] }
  )
})
