/** Tests how a creation reads the status of its order before and after it is sent. */
import { describe } from "@effect/vitest"
import { check } from "./Creating.ts"
import * as Script from "./Script.ts"

describe("a charge whose answer was lost", () => {
  const table = `
case                                                                         | charge              | make               | status                                  | outcome      | requests
is absent before and after a pause                                           | usual               | lost, acknowledged | absent                                  | made         | make, status ×2, make
is absent, has one lost status call, and is found                            | usual               | lost, acknowledged | absent, lost, approved                  | found        | make, status ×3
is absent, has one lost status call, and is absent                           | usual               | lost, acknowledged | absent, lost, absent                    | made         | make, status ×3, make
is absent, has six refused status calls, and is found                        | usual               | lost               | absent, refused 1 ×6, approved          | found        | make, status ×8
has seven refused status calls, not all in a row, and is found               | usual               | lost               | refused 1 ×6, lost, refused 1, approved | found        | make, status ×9
has status calls that are limited for too long                               | usual               | lost               | limited for 2 h                         | StillUnknown | make, status
`
  check(table, {})
})

describe("a charge at a gateway that does not replay a creation", () => {
  const table = `
case                                                              | charge       | make               | status                  | outcome      | requests
is looked up first                                                | usual        | acknowledged       | absent                  | made         | status, make
is invalid because its order number is empty                      | empty number |                    |                         | NotAccepted  |
is not sent if status calls are limited for too long              | usual        |                    | limited for 2 h         | NotAccepted  | status
is refused, and was absent before                                 | usual        | refused 1          | refused 1               | NotAccepted  | status, make, status
is refused, and two status calls do not find it                   | two repeats  | refused 1          | absent, lost, refused 1 | NotAccepted  | status, make, status ×2
is refused, and has no order number for a status call             | no number    | refused 1          |                         | NotAccepted  | make
is found without a required field                                 | needed field |                    | approved                | StillUnknown | status ×6
is lost, is absent, and is sent again without another status call | usual        | lost, acknowledged | absent                  | made         | status, make, status ×2, make
may have been sent by an earlier run, and is absent after a pause | begun before | acknowledged       | absent                  | made         | status ×3, make
`
  const scenarios = {
    "empty number": { request: { ...Script.chargeRequest, client_orderid: "" }, clientOrderId: "" },
    "no number": { clientOrderId: "" },
    "needed field": { needed: "recurringPaymentId" as const },
    "begun before": { isBegun: true },
    "two repeats": { settings: { mostRepeats: 2 } }
  }
  check(table, scenarios, { notFound: [54] })
})
