/** Checks of the control signature, derived from each operation's recipe. */
import type { Operation } from "@pay/schema/Operation"
import { Effect } from "effect"
import * as AcceptedRequests from "../AcceptedRequests.ts"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import type { Fields, Options } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { call, dialectOf, Gateway } from "../Gateway.ts"
import * as Samples from "../Samples.ts"

const clause = "docs/specification.md#control"

const replaced = (name: string, text: string): Options => ({
  change: (parameters) => parameters.map(([each, value]) => [each, each === name ? text : value])
})

const removed = (name: string): Options => ({ change: (parameters) => parameters.filter(([each]) => each !== name) })

/** Other values that the fields accept, so that only the signature is wrong. */
const others: Fields = {
  amount: "10.43",
  currency: "EUR",
  email: "somebody.else@example.com",
  orderid: "6768789",
  cardrefid: "71574"
}

const make = (
  operation: Operation,
  id: string,
  title: string,
  program: Check.Program,
  under: Check.Clause = clause
): Check.Check =>
  Check.make({
    id: `control/${operation.command}/${id}`,
    title: `${operation.command} ${title}`,
    clause: under,
    needs: Capability.operation(operation),
    program
  })

const upperCase: Options = {
  change: (parameters) => parameters.map(([name, text]) => [name, name === "control" ? text.toUpperCase() : text])
}

/** Returns all checks of an operation that is signed by control, and none for other operations. */
export const of = (operation: Operation): ReadonlyArray<Check.Check> => {
  if (operation.signing._tag !== "Control") return []
  const { recipe } = operation.signing
  const slots = recipe.filter((slot) => slot !== "endpointId" && slot !== "login")
  return [
    make(
      operation,
      "wrong",
      "refuses a control of another key, of zeros and of one digit",
      Effect.gen(function* () {
        const fields = yield* Samples.request(operation)
        const wrong = yield* call(operation, fields, { key: "another key" })
        yield* Expect.refused(wrong, "authenticationFailed", undefined, "with another key's control")
        const zeros = yield* call(operation, fields, replaced("control", "0".repeat(40)))
        yield* Expect.refused(zeros, "authenticationFailed", undefined, "with a control of zeros")
        const short = yield* call(operation, fields, replaced("control", "0"))
        yield* Expect.refused(short, "authenticationFailed", undefined, "with a control of one digit")
      })
    ),
    make(
      operation,
      "absent",
      "is refused without a control",
      Effect.gen(function* () {
        const reply = yield* call(operation, yield* Samples.request(operation), removed("control"))
        yield* Expect.refused(reply, "parameterRequired", "control", "without control")
      })
    ),
    make(
      operation,
      "covers",
      `refuses a request in which ${slots.join(", ")} was changed after it was signed`,
      Effect.gen(function* () {
        const fields = yield* Samples.request(operation)
        for (const slot of slots) {
          const other = others[slot] ?? `${fields[slot] ?? ""}x`
          const isPresent = fields[slot] !== undefined
          const options = isPresent
            ? replaced(slot, other)
            : {
                change: (parameters: ReadonlyArray<readonly [string, string]>) => [
                  ...parameters,
                  [slot, other] as const
                ]
              }
          const reply = yield* call(operation, fields, options)
          yield* Expect.refused(reply, "authenticationFailed", undefined, `with another ${slot}`)
        }
      })
    ),
    make(
      operation,
      "upper-case",
      "accepts a control in upper case",
      Effect.gen(function* () {
        const { reply } = yield* AcceptedRequests.send(
          operation,
          (fields) => fields,
          (fields, endpointId) =>
            call(operation, fields, endpointId === undefined ? upperCase : { ...upperCase, endpointId })
        )
        yield* Expect.answered(operation, reply)
      }),
      "docs/assumptions.md#control"
    ),
    make(
      operation,
      "strangers",
      "gives the same answer to a wrong control, an unknown endpoint and an unknown login",
      Effect.gen(function* () {
        const { facts } = yield* Gateway
        const fields = yield* Samples.request(operation)
        const first = yield* call(operation, fields, { key: "another key" })
        // An unknown endpoint has no dialect: a request of the older one is told to send the header Accept.
        if ((yield* dialectOf) === "json") {
          const unknown = yield* call(operation, fields, { endpointId: "9223372036854775807" })
          const endpoint = Expect.comparable(unknown)
          yield* Expect.equal(endpoint, Expect.comparable(first), "the answer for an unknown endpoint")
        }
        if (fields.login === undefined) return
        const unknownLogin = yield* call(operation, { ...fields, login: `not-${facts.settings.login}` })
        yield* Expect.equal(
          Expect.comparable(unknownLogin),
          Expect.comparable(first),
          "the answer for an unknown login"
        )
      }),
      "docs/assumptions.md#order-of-refusals"
    )
  ]
}
