/** What a flow fails with, and what it tells of what was asked and answered. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import { codes } from "@pay/schema/ErrorCode"
import { InvalidRequest, NotSent, OutcomeUnknown, Refused } from "@pay/transport/PayError"
import { Effect, Result } from "effect"
import * as Ending from "../src/Ending.ts"
import * as Evidence from "../src/Evidence.ts"
import * as FlowError from "../src/FlowError.ts"
import * as OrderKind from "../src/OrderKind.ts"
import type { OrderStatus } from "../src/OrderStatus.ts"

const about = { clientOrderId: "o-1", trail: [] }
const order = (changes: Partial<OrderStatus>): OrderStatus => ({
  clientOrderId: "o-1",
  orderId: "7",
  status: "declined",
  ...changes
})
const problems = [{ field: "amount", code: codes.amountNotExact.code, message: "amount is not exact" }]

describe("a refusal tells", () => {
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
      "what is wrong with the fields",
      new InvalidRequest({ operation: "SALE", problems }),
      { reason: "amount is not exact" }
    ],
    ["that no reason was given", plain, { status: 400, reason: "no reason given" }],
    [
      "all that the gateway says",
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

describe("what is wrong with a field is told under the name that flows use", () => {
  const refused = (operation: string) =>
    Ending.refused(
      new InvalidRequest({
        operation,
        problems: [{ field: "credit_card_number", code: 1, message: "credit_card_number is required" }]
      }),
      about
    ).problems.map(({ field }) => field)
  it.each([
    ["of a known operation", "SALE", "creditCardNumber"],
    ["not of one that this version does not know", "SALE_OF_LATER", "credit_card_number"]
  ] as const)("%s", (_, operation, field) => assert.deepStrictEqual(refused(operation), [field]))
})

describe("what an order ends with", () => {
  const hard = "209"
  const soft = String(declines.notSufficientFunds.code)
  const late = String(declines.sessionExpired.code)
  const gaveUp = String(declines.cancelledByCustomer.code)
  const stranger = String(declines.notAuthenticated.code)
  const read = (ended: ReturnType<typeof Ending.conclude | typeof Ending.concludeWithCustomer>) => {
    const result = Effect.runSync(Effect.result(ended))
    if (Result.isSuccess(result)) return result.success.status
    const error = result.failure
    const reason = "reason" in error ? ` ${error.reason}${error.code === undefined ? "" : ` ${error.code}`}` : ""
    return `${error._tag}${"hard" in error && error.hard ? " hard" : ""}${reason}`
  }
  const approved = order({ status: "approved" })
  const filtered = order({ status: "filtered", errorMessage: "stopped", errorCode: "93" })
  const rows: ReadonlyArray<readonly [what: string, order: OrderStatus, alone: string, shopper: string, away: string]> =
    [
      ["approved", approved, "approved", "approved", "approved"],
      ["filtered", filtered, "Filtered stopped 93", "Filtered stopped 93", "Filtered stopped 93"],
      ["failed", order({ status: "error" }), "Failed error", "Failed error", "Failed error"],
      [
        "failed, under the code of a session that ran out",
        order({ status: "error", errorCode: late }),
        `Failed error ${late}`,
        `Failed error ${late}`,
        `Failed error ${late}`
      ],
      ["declined", order({}), "Declined declined", "Declined declined", "Declined declined"],
      [
        "declined, the card is good",
        order({ errorCode: soft }),
        `Declined declined ${soft}`,
        `Declined declined ${soft}`,
        `Declined declined ${soft}`
      ],
      [
        "declined, the card is not",
        order({ errorCode: hard }),
        `Declined hard declined ${hard}`,
        `Declined hard declined ${hard}`,
        `Declined hard declined ${hard}`
      ],
      [
        "declined under a code that is no number",
        order({ errorCode: "x" }),
        "Declined declined",
        "Declined declined",
        "Declined declined"
      ],
      ["too late", order({ errorCode: late }), `Declined declined ${late}`, "Abandoned", "Abandoned"],
      ["cancelled", order({ errorCode: gaveUp }), `Declined declined ${gaveUp}`, "Abandoned", "Abandoned"],
      [
        "not authenticated",
        order({ errorCode: stranger }),
        `Declined declined ${stranger}`,
        "NotAuthenticated",
        "Abandoned"
      ]
    ]
  it.each(rows)("%s: alone, with a shopper, with one who is away", (_, of, alone, customer, away) =>
    assert.deepStrictEqual(
      [
        read(Ending.conclude(of, about)),
        read(Ending.concludeWithCustomer(of, about, false)),
        read(Ending.concludeWithCustomer(of, about, true))
      ],
      [alone, customer, away]
    )
  )

  it("that nobody knows is told with the order where there is one", () => {
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

describe("a trail", () => {
  const ask = (operation: string, answer: string, askedAtMs = 1): Evidence.Evidence => ({
    operation,
    answer,
    askedAtMs
  })
  const trailOf = (all: ReadonlyArray<Evidence.Evidence>) => {
    const trail: Evidence.Trail = []
    for (const each of all) Evidence.note(trail, each)
    return trail
  }
  it.each([
    ["keeps what differs", [ask("SALE", "a"), ask("STATUS", "a"), ask("STATUS", "b")], 3],
    ["keeps the latest of answers that say the same", [ask("STATUS", "a"), ask("STATUS", "a", 2)], 1],
    ["keeps requests that were answered the same", [ask("SALE", "a"), ask("SALE", "a", 2)], 2],
    ["keeps a request after a question that was answered the same", [ask("STATUS", "a"), ask("SALE", "a", 2)], 2]
  ] as const)("%s", (_, all, count) => {
    const trail = trailOf(all)
    assert.lengthOf(trail, count)
    assert.strictEqual(trail.at(-1), all.at(-1))
  })

  it("keeps the beginning and the end of many", () => {
    const all = Array.from({ length: 41 }, (_, n) => ask("SALE", "a", n))
    assert.lengthOf(trailOf(all.slice(0, 40)), 40)
    const times = trailOf(all).map(({ askedAtMs }) => askedAtMs)
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
      "a request that is wrong",
      Evidence.ofError(new InvalidRequest({ operation: "SALE", problems }), 1),
      { operation: "SALE", answer: "InvalidRequest: amount is not exact" }
    ],
    [
      "a request that was not sent",
      Evidence.ofError(new NotSent({ operation: "SALE", reason: "Unreachable", code: "x" }), 1),
      { operation: "SALE", answer: "NotSent: SALE was not sent: x" }
    ],
    [
      "a refusal",
      Evidence.ofError(new Refused({ operation: "SALE", status: 400, errors: [], serialNumber: "s" }), 1),
      { operation: "SALE", answer: "Refused: SALE was refused (400): no reason given", serialNumber: "s" }
    ],
    [
      "an outcome that is unknown",
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
      "an outcome of which nothing else is known",
      Evidence.ofError(new OutcomeUnknown(unknown), 1),
      { operation: "SALE", answer: "OutcomeUnknown: the outcome of SALE is unknown: Deadline (x)" }
    ]
  ] as const)("says of %s what is known", (_, evidence, expected) =>
    assert.deepStrictEqual(evidence, { askedAtMs: 1, ...expected })
  )
})

describe("an order is another one", () => {
  it.each([
    ["its own kind", "SALE", "sale", false],
    ["what may follow its own kind", "SALE", "capture", false],
    ["another kind", "SALE", "preauth", true],
    ["a kind that nobody knows", "SALE", "gift", false],
    ["no kind", "SALE", undefined, false],
    ["of an operation that makes none", "STATUS", "sale", false]
  ] as const)("not for sure of %s unless it is told", (_, operation, type, expected) =>
    assert.strictEqual(OrderKind.isAnother(operation, type), expected)
  )
})

describe("the message of a failure says what to do", () => {
  const about = { clientOrderId: "o-1", operation: "SALE", evidence: [] }
  const refused = new Refused({ operation: "STATUS", status: 400, errors: [], errorMessage: "Login is wrong" })
  const evidence = [Evidence.ofError(refused, 1)]
  it.each([
    [
      new FlowError.Unreachable({ ...about, code: "ECONNREFUSED" }),
      "SALE of o-1 was not sent (ECONNREFUSED): the gateway cannot be reached: check its address and the network. Run it again"
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
