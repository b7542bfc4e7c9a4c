/** What a creation makes of what `status` says of its order, before and after it is sent. */
import { describe } from "@effect/vitest"
import { check } from "./Creating.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refuses, stands, taken, unheardOf } = Script
const paid = stands("approved")
const tooMany = refuses(83, 429, "7200")
const needed = "recurringPaymentId"
const isBegun = true
const nameless = { request: { ...Script.chargeRequest, client_orderid: "" }, clientOrderId: "" }
const former = Earlier.refusedBefore

describe("what is found", () => {
  check([
    ["is not there twice around a pause", {}, ["lost", taken], [unheardOf], "made", "make status status make"],
    [
      "is not there, is not told, and is there",
      {},
      ["lost", taken],
      [unheardOf, "lost", paid],
      "found",
      "make status status status"
    ],
    [
      "is not there, is not told, and is not there",
      {},
      ["lost", taken],
      [unheardOf, "lost", unheardOf],
      "made",
      "make status status status make"
    ],
    [
      "is not there, and then six refusals are no seven",
      {},
      ["lost"],
      [unheardOf, ...Array.from({ length: 6 }, () => refuses(1)), paid],
      "found",
      `make${" status".repeat(8)}`
    ],
    [
      "is there after six refusals, an answer that was lost, and one more refusal",
      {},
      ["lost"],
      [...Array.from({ length: 6 }, () => refuses(1)), "lost", refuses(1), paid],
      "found",
      `make${" status".repeat(9)}`
    ],
    ["cannot be told for too many questions", {}, ["lost"], [tooMany], "StillUnknown", "make status"],
    [
      "is asked for again where an earlier run has waited for it",
      { record: { "make look 1.1 pause": true } },
      ["lost"],
      [tooMany, paid],
      "found",
      "make status status"
    ],
    [
      "a former version took for absent: it is asked for before it is sent again",
      { record: { "make look 1.1": former(54) } },
      ["lost", taken],
      [unheardOf],
      "made",
      "make status status make"
    ],
    [
      "a former version was refused: that says nothing",
      { record: { "make look 1.1": former(1) } },
      ["lost"],
      [unheardOf, paid],
      "found",
      "make status status"
    ]
  ])
})

describe("a charge at a gateway that does not replay a creation", () => {
  check(
    [
      ["is looked for first", {}, [taken], [unheardOf], "made", "status make"],
      ["is wrong, which a question about it is, too", nameless, [], [], "Refused", ""],
      ["is not sent where there are too many questions", {}, [], [tooMany], "Refused", "status"],
      ["is refused, and was not there before", {}, [refuses(1)], [refuses(1)], "Refused", "status make status"],
      [
        "is refused, and the second answer says that it was not there",
        {},
        [refuses(1)],
        [unheardOf, "lost", refuses(1)],
        "Refused",
        "status make status status",
        { mostRepeats: 2 }
      ],
      ["is refused where it cannot be asked for", { clientOrderId: "" }, [refuses(1)], [], "Refused", "make"],
      [
        "is there without what is needed",
        { needed },
        [],
        [paid],
        "StillUnknown",
        "status status status status status status"
      ],
      [
        "was lost, is not there, and is sent again without another question",
        {},
        ["lost", taken],
        [unheardOf],
        "made",
        "status make status status make"
      ],
      [
        "may have been sent by an earlier run, and is not there after a pause",
        { isBegun },
        [taken],
        [unheardOf],
        "made",
        "status status status make"
      ]
    ],
    { notFound: [54] }
  )
})
