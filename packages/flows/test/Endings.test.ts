/** Tests the errors of flows and their evidence of requests and answers. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import { codes } from "@pay/schema/ErrorCode"
import { InvalidRequest, NotSent, OutcomeUnknown, Refused } from "@pay/transport/PayError"
import { Effect, Result } from "effect"
import * as Evidence from "../src/order/Evidence.ts"
import * as FlowError from "../src/order/FlowError.ts"
import * as OrderKind from "../src/order/OrderKind.ts"
import type { OrderStatus } from "../src/order/OrderStatus.ts"
import * as Ending from "../src/requests/Ending.ts"

const about = { clientOrderId: "o-1", trail: [] }
const order = (changes: Partial<OrderStatus>): OrderStatus => ({
  clientOrderId: "o-1",
  orderId: "7",
  status: "declined",
  ...changes
})
const problems = [{ field: "amount", code: codes.amountNotExact.code, message: "amount is not exact" }]

describe("the error of a refusal", () => {
  const plain = new Refused({ operation: "SALE", status: 400, errors: problems })
  const full = new Refused({
    operation: "SALE",
    status: 429,
    errors: [],
    errorCode: 7,
    errorMessage: "too many",
    serialNumber: "s",
    retryAfterMs: 9
  })
  it.each([
    [
      "names the problems of the fields",
      new InvalidRequest({ operation: "SALE", problems }),
      { reason: "amount is not exact" }
    ],
    ["says that the gateway gave no reason", plain, { status: 400, reason: "no reason given" }],
    [
      "has every detail of the gateway's answer",
      full,
      { status: 429, reason: "too many", code: 7, retryAfterMs: 9, serialNumber: "s" }
    ]
  ] as const)("%s", (_, error, expected) => {
    const refused = Ending.refused(error, about)
    const { code, reason, retryAfterMs, serialNumber, status } = refused
    const messages = Object.entries({ status, reason, code, retryAfterMs, serialNumber })
    assert.deepStrictEqual(Object.fromEntries(messages.filter(([, value]) => value !== undefined)), expected)
    assert.deepStrictEqual(refused.problems, error._tag === "InvalidRequest" ? error.problems : error.errors)
    assert.strictEqual("code" in refused && refused.code !== undefined, "code" in expected)
  })
})

describe("the field of a problem", () => {
  const refused = (operation: string) =>
    Ending.refused(
      new InvalidRequest({
        operation,
        problems: [{ field: "credit_card_number", code: 1, message: "credit_card_number is required" }]
      }),
      about
    ).problems.map(({ field }) => field)
  it.each([
    ["has the name that flows use", "SALE", "creditCardNumber"],
    ["keeps its wire name if this version does not know the operation", "SALE_OF_LATER", "credit_card_number"]
  ] as const)("%s", (_, operation, field) => assert.deepStrictEqual(refused(operation), [field]))

  it("has the name that flows use also if the gateway refused the request, in the reason, too", () => {
    const errorMessage = "Parameter redirect_url is required"
    const wire = { field: "redirect_url", code: codes.parameterRequired.code, message: errorMessage }
    const { problems, reason } = Ending.refused(
      new Refused({ operation: "SALE", status: 400, errors: [wire], errorMessage }),
      about
    )
    const message = "Parameter redirectUrl is required"
    assert.strictEqual(reason, message)
    assert.deepStrictEqual(problems, [{ field: "redirectUrl", code: wire.code, message }])
  })
})

describe("the outcome of an order", () => {
  const hard = "209"
  const soft = String(declines.notSufficientFunds.code)
  const expired = String(declines.sessionExpired.code)
  const cancelled = String(declines.cancelledByCustomer.code)
  const unauthenticated = String(declines.notAuthenticated.code)
  const read = (ended: ReturnType<typeof Ending.conclude | typeof Ending.concludeWithCustomer>) => {
    const result = Effect.runSync(Effect.result(ended))
    if (Result.isSuccess(result)) return result.success.status
    const error = result.failure
    const reason = "reason" in error ? ` ${error.reason}${error.code === undefined ? "" : ` ${error.code}`}` : ""
    return `${error._tag}${"hard" in error && error.hard ? " hard" : ""}${reason}`
  }
  const approved = order({ status: "approved" })
  const filtered = order({ status: "filtered", errorMessage: "stopped", errorCode: "93" })
  const rows: ReadonlyArray<
    readonly [what: string, order: OrderStatus, alone: string, customer: string, customerLeft: string]
  > = [
    ["approved", approved, "approved", "approved", "approved"],
    ["filtered", filtered, "Filtered stopped 93", "Filtered stopped 93", "Filtered stopped 93"],
    ["failed", order({ status: "error" }), "Failed error", "Failed error", "Failed error"],
    [
      "failed with the code of an expired session",
      order({ status: "error", errorCode: expired }),
      `Failed error ${expired}`,
      `Failed error ${expired}`,
      `Failed error ${expired}`
    ],
    ["declined", order({}), "Declined declined", "Declined declined", "Declined declined"],
    [
      "declined, and the card may be charged again",
      order({ errorCode: soft }),
      `Declined declined ${soft}`,
      `Declined declined ${soft}`,
      `Declined declined ${soft}`
    ],
    [
      "declined, and the card must not be charged again",
      order({ errorCode: hard }),
      `Declined hard declined ${hard}`,
      `Declined hard declined ${hard}`,
      `Declined hard declined ${hard}`
    ],
    [
      "declined with a code that is not a number",
      order({ errorCode: "x" }),
      "Declined declined",
      "Declined declined",
      "Declined declined"
    ],
    ["expired", order({ errorCode: expired }), `Declined declined ${expired}`, "Abandoned", "Abandoned"],
    ["cancelled", order({ errorCode: cancelled }), `Declined declined ${cancelled}`, "Abandoned", "Abandoned"],
    [
      "not authenticated",
      order({ errorCode: unauthenticated }),
      `Declined declined ${unauthenticated}`,
      "NotAuthenticated",
      "Abandoned"
    ]
  ]
  it.each(rows)(
    "%s: without a customer, with a customer, and with a customer who left",
    (_, status, alone, customer, customerLeft) =>
      assert.deepStrictEqual(
        [
          read(Ending.conclude(status, about)),
          read(Ending.concludeWithCustomer(status, about, false)),
          read(Ending.concludeWithCustomer(status, about, true))
        ],
        [alone, customer, customerLeft]
      )
  )

  it("includes the order if the outcome is unknown and the order was found", () => {
    const orders = [
      Ending.stillUnknown("SALE", about, approved).order,
      Ending.stillUnknown("SALE", about).order,
      Ending.needsAPerson("SALE", "why", about, approved).order,
      Ending.needsAPerson("SALE", "why", about).order
    ]
    assert.deepStrictEqual(
      orders.map((report) => report?.status),
      ["approved", undefined, "approved", undefined]
    )
  })
})

describe("the evidence of a flow", () => {
  const ask = (operation: string, answer: string, requestedAtMs = 1): Evidence.Evidence => ({
    operation,
    answer,
    requestedAtMs
  })
  const trailOf = (all: ReadonlyArray<Evidence.Evidence>) => {
    const trail: Evidence.Trail = []
    for (const each of all) Evidence.note(trail, each)
    return trail
  }
  it.each([
    ["keeps different entries", [ask("SALE", "a"), ask("STATUS", "a"), ask("STATUS", "b")], 3],
    ["keeps only the latest of equal status answers", [ask("STATUS", "a"), ask("STATUS", "a", 2)], 1],
    ["keeps every request, also with equal answers", [ask("SALE", "a"), ask("SALE", "a", 2)], 2],
    ["keeps a request after a status call with an equal answer", [ask("STATUS", "a"), ask("SALE", "a", 2)], 2]
  ] as const)("%s", (_, all, count) => {
    const trail = trailOf(all)
    assert.lengthOf(trail, count)
    assert.strictEqual(trail.at(-1), all.at(-1))
  })

  it("keeps the first and the last of many entries", () => {
    const all = Array.from({ length: 41 }, (_, n) => ask("SALE", "a", n))
    assert.lengthOf(trailOf(all.slice(0, 40)), 40)
    const times = trailOf(all).map(({ requestedAtMs }) => requestedAtMs)
    assert.deepStrictEqual([times.length, times[0], times.at(-1), times.includes(20)], [40, 0, 40, false])
  })

  const unknown = { operation: "SALE", reason: "Deadline", code: "x", retryable: false } as const
  it.each([
    [
      "an answer",
      Evidence.ofOrder(order({ transactionType: "sale" }), 1, "s"),
      { operation: "STATUS", answer: "Answered: declined sale", orderId: "7", serialNumber: "s" }
    ],
    [
      "an answer without a number",
      Evidence.ofOrder(order({}), 1),
      { operation: "STATUS", answer: "Answered: declined", orderId: "7" }
    ],
    [
      "an invalid request",
      Evidence.ofError(new InvalidRequest({ operation: "SALE", problems }), 1),
      { operation: "SALE", answer: "InvalidRequest: amount is not exact" }
    ],
    [
      "a request that was not sent",
      Evidence.ofError(new NotSent({ operation: "SALE", reason: "Unreachable", code: "CERT_HAS_EXPIRED" }), 1),
      {
        operation: "SALE",
        answer:
          "NotSent: SALE was not sent (CERT_HAS_EXPIRED): the gateway's certificate has expired: report it to the gateway's " +
          "support, and check the clock of this machine"
      }
    ],
    [
      "a refusal",
      Evidence.ofError(new Refused({ operation: "SALE", status: 400, errors: [], serialNumber: "s" }), 1),
      { operation: "SALE", answer: "Refused: SALE was refused (400): no reason given", serialNumber: "s" }
    ],
    [
      "an unknown outcome",
      Evidence.ofError(new OutcomeUnknown({ ...unknown, orderId: "7", serialNumber: "s", idempotencyKey: "k" }), 1),
      {
        operation: "SALE",
        answer: "OutcomeUnknown: the outcome of SALE is unknown: Deadline (x)",
        orderId: "7",
        serialNumber: "s",
        idempotencyKey: "k"
      }
    ],
    [
      "an unknown outcome without any number",
      Evidence.ofError(new OutcomeUnknown(unknown), 1),
      { operation: "SALE", answer: "OutcomeUnknown: the outcome of SALE is unknown: Deadline (x)" }
    ]
  ] as const)("describes %s", (_, evidence, expected) =>
    assert.deepStrictEqual(evidence, { requestedAtMs: 1, ...expected })
  )
})

describe("OrderKind.isAnother", () => {
  it.each([
    ["an order of the same type", "SALE", "sale", false],
    ["an order of a type that may follow", "SALE", "capture", false],
    ["an order of another type", "SALE", "preauth", true],
    ["an order of an unknown type", "SALE", "gift", false],
    ["an order without a type", "SALE", undefined, false],
    ["an operation that creates no order", "STATUS", "sale", false]
  ] as const)("compares the operation with %s", (_, operation, type, expected) =>
    assert.strictEqual(OrderKind.isAnother(operation, type), expected)
  )
})

describe("the message of an error says what to do", () => {
  const about = { clientOrderId: "o-1", operation: "SALE", evidence: [] }
  const refused = new Refused({ operation: "STATUS", status: 400, errors: [], errorMessage: "Login is wrong" })
  const evidence = [Evidence.ofError(refused, 1)]
  it.each([
    [
      new FlowError.Unreachable({ ...about, code: "ECONNREFUSED" }),
      "SALE of o-1 was not sent (ECONNREFUSED): no program listens at the gateway's address: check the host and the port of baseUrl. Run it again"
    ],
    [
      new FlowError.Unreachable({ ...about, code: "404", received: "a page (HTML): wrong path" }),
      "SALE of o-1 was not sent (404): received a page (HTML): wrong path. Run it again"
    ],
    [
      new FlowError.Unreachable({ ...about, code: "DEADLINE" }),
      "SALE of o-1 was not sent (DEADLINE): the time of the call was over before. Run it again"
    ],
    [new FlowError.StillUnknown(about), "the outcome of SALE of o-1 is still unknown. Run it again to continue asking"],
    [
      new FlowError.StillUnknown({ ...about, evidence }),
      "the outcome of SALE of o-1 is still unknown. The last answer to STATUS was: " +
        "Refused: STATUS was refused (400): Login is wrong. Run it again to continue asking"
    ]
  ])("%s", (error, message) => assert.strictEqual(error.message, message))
})
