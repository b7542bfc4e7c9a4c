/** Checks which error is reported if a request has two: each stage of the documented order with each later one. */
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import type { Fields, Options } from "../Draft.ts"
import type { Reply } from "../Exchange.ts"
import * as Expect from "../Expect.ts"
import { call, Gateway } from "../Gateway.ts"
import * as Orders from "../Orders.ts"

const { CAPTURE } = PayApi.operations

interface Draft {
  readonly order: "open" | "closed"
  readonly fields: Fields
  readonly options: Options
  readonly appended: string
}

interface Stage {
  readonly name: string
  readonly error: ErrorCode.Name
  readonly breaks: (draft: Draft) => Draft
}

const option = (options: Options) => (draft: Draft) => ({
  ...draft,
  options: { ...draft.options, ...options, headers: { ...draft.options.headers, ...options.headers } }
})
const header = (name: string, text: string) => option({ headers: { [name]: text } })
const append = (text: string) => (draft: Draft) => ({ ...draft, appended: draft.appended + text })
const field = (name: string, text: string) => (draft: Draft) => ({
  ...draft,
  fields: { ...draft.fields, [name]: text }
})
const stage = (name: string, error: ErrorCode.Name, breaks: Stage["breaks"]): Stage => ({ name, error, breaks })

const usedKey = "conformance-used-key"

/** The stages in the documented order. The error of the earlier stage is reported. */
const stages: ReadonlyArray<Stage> = [
  stage("size", "bodyTooLarge", append(`&x=${"x".repeat(256 * 1024)}`)),
  stage("path", "notFound", option({ suffix: "x" })),
  stage("method", "methodNotAllowed", option({ method: "PUT" })),
  stage("Accept", "acceptRequired", header("accept", "application/json")),
  stage("Content-Type", "contentTypeRequired", header("content-type", "text/plain")),
  stage("form syntax", "malformedForm", append("&x=%zz")),
  stage("number of parameters", "tooManyParameters", append("&x=1".repeat(201))),
  stage("authentication", "authenticationFailed", option({ key: "another key" })),
  stage("replay", "idempotencyKeyConflict", header("idempotency-key", usedKey)),
  stage("fields", "parameterTooLong", field("comment", "x".repeat(51))),
  stage("state", "orderState", (draft) => ({ ...draft, order: "closed" })),
  stage("amounts", "amountExceeds", field("amount", "99.00"))
]

const replay = stages.findIndex(({ name }) => name === "replay")

/**
 * Returns the stage whose error is reported. A gateway that also serves the older dialect checks the dialect of the endpoint only after the
 * replay.
 */
const reported = (earlier: Stage, later: Stage, { isOlder }: Reply): Stage =>
  isOlder && earlier.name === "Accept" && stages.indexOf(later) <= replay ? later : earlier

const sound: Draft = { order: "open", fields: {}, options: {}, appended: "" }

const makeOrders = Effect.gen(function* () {
  const key = { headers: { "idempotency-key": usedKey } }
  const open = yield* Orders.settled("PREAUTH")
  yield* Orders.done("CAPTURE", open, "1.00", key)
  const closed = yield* Orders.settled("PREAUTH")
  yield* Orders.done("CAPTURE", closed, "1.00", key)
  yield* Orders.done("VOID", closed)
  return { open, closed }
})

const send = Effect.fnUntraced(function* (orders: Record<Draft["order"], Orders.Order>, draft: Draft) {
  const { settings } = (yield* Gateway).facts
  const { clientOrderId, orderId } = orders[draft.order]
  const fields = {
    ...{ login: settings.login, client_orderid: clientOrderId, orderid: orderId },
    ...{ amount: "2.00", currency: settings.currency },
    ...draft.fields
  }
  return yield* call(CAPTURE, fields, { ...draft.options, body: (form) => form + draft.appended })
})

export const all: ReadonlyArray<Check.Check> = stages.slice(0, -1).map((earlier, index) =>
  Check.make({
    id: `refusal-order/${earlier.name.replaceAll(" ", "-")}`,
    title: `an error in ${earlier.name} takes precedence over every later error`,
    clause: "docs/assumptions.md#order-of-refusals",
    needs: [
      Capability.errorCodes,
      Capability.idempotencyKey,
      ...(earlier.name === "Accept" ? [Capability.acceptRequired] : [])
    ],
    program: Effect.gen(function* () {
      const orders = yield* makeOrders
      for (const later of stages.slice(index + 1)) {
        const reply = yield* send(orders, earlier.breaks(later.breaks(sound)))
        const { error } = reported(earlier, later, reply)
        yield* Expect.refused(reply, error, undefined, `wrong in ${earlier.name} and in ${later.name}`)
      }
    })
  })
)
