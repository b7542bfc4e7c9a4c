/** Checks of every operation's fields, derived from the contract: required ones, wrong values, rules, spellings. */
import type { Dialect } from "@pay/schema/Dialect"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as Field from "@pay/schema/Field"
import * as Operation from "@pay/schema/Operation"
import { Effect, Result } from "effect"
import * as AcceptedRequests from "../AcceptedRequests.ts"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import type { Fields } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { call, dialectOf } from "../Gateway.ts"
import * as Orders from "../Orders.ts"
import * as Samples from "../Samples.ts"

type AnyOperation = Operation.Operation

const nameOf = (code: number): ErrorCode.Name => {
  const entry = Object.entries(ErrorCode.codes).find(([, each]) => each.code === code)
  return names.find((name) => name === entry?.[0]) ?? "parameterInvalid"
}

const isName = (text: string): text is ErrorCode.Name => Object.hasOwn(ErrorCode.codes, text)
const names = Object.keys(ErrorCode.codes).filter(isName)

/** Checks that the operation is accepted, and that its answer has the form of the contract. */
const acceptance = (operation: AnyOperation): Check.Check =>
  Check.make({
    id: `acceptance/${operation.command}`,
    title: `${operation.command} is accepted and answered with the fields of the contract`,
    clause: "docs/specification.md#endpoints",
    needs: Capability.operation(operation),
    program: Effect.gen(function* () {
      const { reply, request } = yield* AcceptedRequests.send(operation)
      const body = yield* Expect.answered(operation, reply)
      const id = Operation.clientOrder(request)?.id
      if (id === undefined || body["merchant-order-id"] === undefined) return
      yield* Expect.equal(Expect.textOf(body, "merchant-order-id"), id, "merchant-order-id of the answer")
    })
  })

/**
 * Returns a complete request whose orders and cards do not exist. It is refused for the part that the check makes wrong, which is
 * checked earlier.
 */
const complete = (operation: AnyOperation) => Samples.request(operation)

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))

/**
 * Whether the field is required. `login` is left out: it determines the key that verifies, so without it no other field is
 * checked.
 */
const isRequired = (operation: AnyOperation, name: string): boolean => {
  const field = operation.fields[name]
  return field !== undefined && !Field.isOptional(field) && name !== "login"
}

const missing = (operation: AnyOperation): ReadonlyArray<Check.Check> => {
  const required = Object.keys(operation.fields).filter((name) => isRequired(operation, name))
  return required.length === 0
    ? []
    : [
        Check.make({
          id: `missing/${operation.command}`,
          title: `${operation.command} is refused without each of its required fields, or with an empty one`,
          clause: "docs/specification.md#errors",
          needs: Capability.operation(operation),
          program: Effect.gen(function* () {
            for (const name of required) {
              const fields = yield* complete(operation)
              const absent = yield* call(operation, without(fields, name))
              yield* Expect.refused(absent, "parameterRequired", name, `without ${name}`)
              const empty = yield* call(operation, { ...without(fields, name), [name]: " " })
              yield* Expect.refused(empty, "parameterRequired", name, `with an empty ${name}`)
            }
            const fields = yield* complete(operation)
            const id = Operation.clientOrder(fields)?.id
            const last = required.find((name) => Operation.clientOrderNames.every((each) => each !== name))
            if (id === undefined || last === undefined || operation.acts !== "creates") return
            yield* call(operation, without(fields, last))
            yield* Orders.free(id, `${operation.command} without ${last}`)
          })
        })
      ]
}

/** Texts that some fields refuse. */
const wrongTexts = [
  "!",
  "x y",
  "-1",
  "0",
  "1e3",
  "10,5",
  "4444333322221112",
  "13",
  "19",
  "usd",
  "a\u0007b",
  "http:/x",
  "javascript:alert(1)"
]

interface Spoiled {
  readonly name: string
  readonly text: string
  readonly error: ErrorCode.Name
}

/** Returns wrong values of each field that the dialect checks: one that is too long, and at most two of the wrong form. */
const spoiled = (operation: AnyOperation, dialect: Dialect): ReadonlyArray<Spoiled> =>
  [...operation.infos]
    .filter(([name, { hint }]) => name !== "login" && (dialect === "json" || hint === undefined))
    .flatMap(([name, info]) => {
      const long = info.sample.padEnd(info.maxLength, info.sample).slice(0, info.maxLength).replace(/\s$/, "x")
      return [
        `${long}${long.slice(0, 1)}`,
        ...wrongTexts.filter((text) => info.flaw(text) !== undefined).slice(0, 2)
      ].flatMap((text) => {
        const flaw = info.flaw(text)
        return flaw === undefined ? [] : [{ name, text, error: nameOf(flaw.code) }]
      })
    })

const values = (operation: AnyOperation): Check.Check =>
  Check.make({
    id: `values/${operation.command}`,
    title: `${operation.command} refuses values that are too long or of the wrong form, each field alone`,
    clause: "docs/assumptions.md#fields",
    needs: Capability.operation(operation),
    program: Effect.gen(function* () {
      for (const { error, name, text } of spoiled(operation, yield* dialectOf)) {
        const fields = { ...(yield* complete(operation)), [name]: text }
        const reply = yield* call(operation, fields)
        yield* Expect.refused(reply, error, name, `${name} of ${text.length} characters (${text.slice(0, 20)})`)
      }
    })
  })

/** Returns complete requests with one field added or removed. Some of them break a rule between fields. */
const broken = (operation: AnyOperation, fields: Fields): ReadonlyArray<readonly [what: string, fields: Fields]> => {
  const optional = [...operation.infos].filter(([name]) => name !== "login" && !isRequired(operation, name))
  return [
    ...optional.map(([name, { sample }]): readonly [string, Fields] =>
      fields[name] === undefined
        ? [`with ${name}`, { ...fields, [name]: sample }]
        : [`without ${name}`, without(fields, name)]
    ),
    ...("amount" in operation.fields
      ? [["with an amount of three decimals", { ...fields, amount: "1.001" }] as const]
      : [])
  ]
}

const rules = (operation: AnyOperation): ReadonlyArray<Check.Check> =>
  operation.rules.length === 0
    ? []
    : [
        Check.make({
          id: `rules/${operation.command}`,
          title: `${operation.command} refuses combinations of fields that the contract does not allow`,
          clause: "docs/specification.md#errors",
          needs: [...Capability.operation(operation), Capability.assumptions],
          program: Effect.gen(function* () {
            for (const [what, fields] of broken(operation, yield* complete(operation))) {
              const decoded = operation.decodeFields(fields, yield* dialectOf)
              if (Result.isSuccess(decoded)) continue
              const [problem] = decoded.failure
              if (problem === undefined) continue
              const own = { ...(yield* complete(operation)), ...fields }
              const reply = yield* call(operation, what.startsWith("without") ? fields : own)
              yield* Expect.refused(reply, nameOf(problem.code), problem.field, what)
            }
          })
        })
      ]

/** Writes each field under its other spelling, if it has one. */
const respelled =
  (operation: AnyOperation) =>
  (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, text]) => {
        const alias = Object.entries(operation.aliases).find(([, primary]) => primary === name)?.[0]
        return [alias ?? name, text]
      })
    )

const spellings = (operation: AnyOperation): ReadonlyArray<Check.Check> =>
  Object.keys(operation.aliases).length === 0
    ? []
    : [
        Check.make({
          id: `spellings/${operation.command}`,
          title: `${operation.command} accepts the other spellings of its fields, and ignores unknown fields`,
          clause: "docs/assumptions.md#fields",
          needs: Capability.operation(operation),
          program: Effect.gen(function* () {
            const shape = (fields: Fields) => ({ ...respelled(operation)(fields), "not-a-field": "ignored" })
            const { reply } = yield* AcceptedRequests.send(operation, shape)
            yield* Expect.answered(operation, reply)
          })
        }),
        Check.make({
          id: `spellings/${operation.command}/conflict`,
          title: `${operation.command} refuses two spellings of one field with different values`,
          clause: "docs/assumptions.md#fields",
          needs: Capability.operation(operation),
          program: Effect.gen(function* () {
            const fields = yield* complete(operation)
            const [alias, primary] =
              Object.entries(operation.aliases).find(([, name]) => fields[name] !== undefined) ?? []
            if (alias === undefined || primary === undefined) return
            const reply = yield* call(operation, { ...fields, [alias]: `${fields[primary]}0` })
            yield* Expect.refused(reply, "parameterConflict", primary, `${primary} and another ${alias}`)
          })
        })
      ]

export const of = (operation: AnyOperation): ReadonlyArray<Check.Check> => [
  acceptance(operation),
  ...missing(operation),
  values(operation),
  ...rules(operation),
  ...spellings(operation)
]
