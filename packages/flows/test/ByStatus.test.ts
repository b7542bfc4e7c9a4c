/** Tests requests that are sent once and judged by the order's status, at a gateway without idempotency keys. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import type { OrderStatus } from "../src/order/OrderStatus.ts"
import * as ByStatus from "../src/requests/ByStatus.ts"
import * as Script from "./Script.ts"

const carryOut = (status: string | undefined, isOpen: boolean, orderid = "7") => {
  const order: OrderStatus | undefined =
    status === undefined ? undefined : { clientOrderId: "o-1", orderId: "7", status }
  return ByStatus.carryOut(
    {
      operation: PayApi.operations.VOID,
      request: { client_orderid: "o-1", orderid },
      clientOrderId: "o-1",
      orderId: "7",
      endpointId: undefined,
      step: "pay",
      trail: []
    },
    {
      isKeyed: false,
      answersByRequest: false,
      showsFollowUps: false,
      isOpen,
      ...(order === undefined ? {} : { order })
    }
  )
}

const flows: Readonly<Record<string, ReturnType<typeof carryOut>>> = {
  processing: carryOut("processing", false),
  declined: carryOut("declined", false),
  approved: carryOut("approved", false),
  unknown: carryOut(undefined, false),
  "processing, invalid": carryOut("processing", false, "x y"),
  "processing, perhaps sent": carryOut("processing", true),
  "approved, perhaps sent": carryOut("approved", true)
}

/** The status of the order before the void, the answers to `void` and `status`, the outcome, and the requests. */
const table = `
case                                                                   | order before             | void         | status               | outcome      | requests
succeeds when the order is approved                                    | processing               | acknowledged | processing, approved | approved     | void, status ×2
succeeds although its answer was lost                                  | processing               | lost         | approved             | approved     | void, status
fails when the order is declined                                       | processing               | acknowledged | declined             | Declined     | void, status
fails as Unreachable if it cannot be sent                              | processing               | not sent     |                      | Unreachable  | void ×3
is refused before it is sent if it is invalid                          | processing, invalid      |              |                      | NotAccepted  |
is not sent if the order is already declined                           | declined                 |              |                      | Declined     |
needs a person if the order was approved before                        | approved                 |              |                      | NeedsAPerson |
needs a person if the status before it is unknown                      | unknown                  |              | approved             | NeedsAPerson | status
needs a person if it may have been sent before                         | processing, perhaps sent |              | processing, approved | NeedsAPerson | status ×2
needs a person if it may have been sent before, and the order is final | approved, perhaps sent   |              |                      | NeedsAPerson |
is refused if the order stays as it was                                | processing               | refused 1    | processing           | NotAccepted  | void, status
is refused if the order is unknown                                     | processing               | refused 1    | absent               | NotAccepted  | void, status
succeeds although a repeat of it was refused                           | processing               | refused 1    | approved             | approved     | void, status
needs a person if no status call is answered after a refusal           | processing               | refused 1    | lost                 | NeedsAPerson | void, status…
needs a person if the gateway is unreachable after a refusal           | processing               | refused 1    | not sent             | NeedsAPerson | void, status…
`
const [, ...rows] = TextTable.rows(table)

describe("a request that is judged by the order's status", () => {
  for (const [scenario = "", before = "", actions = "", statuses = "", end, requests = ""] of rows)
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const script = { void: Script.answersOf(actions), status: Script.answersOf(statuses) }
        const outcome = yield* Script.run(script, TextTable.named(flows, before), {}, Script.keyless)
        assert.strictEqual(outcome.end, end)
        if (requests.endsWith("…")) assert.match(outcome.requests.join(" "), /^void( status)+$/)
        else assert.strictEqual(Script.counted(outcome.requests), requests)
      })
    )
})
