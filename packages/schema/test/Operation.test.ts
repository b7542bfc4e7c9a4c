import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Canonical from "../src/Canonical.ts"
import { codes } from "../src/ErrorCode.ts"
import * as Field from "../src/Field.ts"
import * as Operation from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

const problemsOf = (operation: Operation.Operation, fields: Operation.FieldTexts) =>
  Result.match(Operation.decode(operation)(fields), { onSuccess: () => [], onFailure: (problems) => problems })

const without = (fields: Operation.FieldTexts, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))

const operations = PayApi.all.map((operation) => ({ name: operation.name, operation }))

describe.each(operations)("the operation $name", ({ operation }) => {
  const sample = Sample.request(operation)
  const required = Object.entries(operation.fields).flatMap(([name, field]) => (Field.isOptional(field) ? [] : [name]))

  it("decodes its sample, and encodes it unchanged", () => {
    const decoded = Result.getOrThrow(Operation.decode(operation)(sample))
    const texts = Operation.encode(operation)(decoded)
    expect(Result.getOrThrow(Operation.decode(operation)(texts))).toEqual(decoded)
    expect(texts).toEqual(sample)
    expect(Operation.prepare(operation)(decoded)).toEqual(Result.succeed(sample))
  })

  it("accepts the sample of every single field", () => {
    for (const [name, info] of operation.infos) {
      expect(info.flaw(info.sample), name).toBeUndefined()
      expect(info.sample.length, name).toBeLessThanOrEqual(info.maxLength)
      const { decode, encode } = info.translation
      expect(decode(encode(decode(info.sample))), name).toEqual(decode(info.sample))
    }
  })

  it("reports each missing required field, and all of them together", () => {
    for (const name of required)
      expect(problemsOf(operation, without(sample, name))).toContainEqual({
        field: name,
        code: 1,
        message: `Parameter ${name} is required`
      })
    const all = problemsOf(operation, {}).filter(({ code }) => code === 1)
    expect(all.map(({ field }) => field)).toEqual(expect.arrayContaining(required))
  })

  it("refuses values that are too long, and lists the accepted words of an enumeration", () => {
    for (const [name, info] of operation.infos) {
      if (name === "country" || info.hint === "always") continue
      const words = info.json.enum?.join(info.json.enum.includes("true") ? " or " : ", ")
      const matches = problemsOf(operation, { ...sample, [name]: "1".repeat(info.maxLength + 1) })
      expect(matches).toContainEqual(
        words === undefined
          ? { field: name, code: 3, message: `Parameter ${name} is longer than ${info.maxLength} characters` }
          : { field: name, code: 2, message: expect.stringMatching(new RegExp(`must be (one of )?${words}$`)) }
      )
    }
  })

  it("refuses NUL in every field, and line breaks in every field of one line whose normal form keeps them", () => {
    const multiline = ["order_desc", "merchant_data", "paRes"]
    for (const [name, { hint, normal, sample: value }] of operation.infos) {
      const isOneLine = !multiline.includes(name) && (normal?.("1\r\n1") ?? "\n").includes("\n")
      if (hint === "always") continue
      for (const [character, forbidden] of [
        ["\0", true],
        ["\r\n", isOneLine],
        ["\u007f", true]
      ] as const) {
        const bad = `${value.slice(0, 1)}${character}${value.slice(1)}`
        expect(operation.infos.get(name)?.flaw(bad) !== undefined, `${name} ${JSON.stringify(character)}`).toBe(
          forbidden
        )
      }
    }
  })

  it("ignores unknown fields", () => {
    const parameters = [...Object.entries(sample), ["frobnicate", "1"], ["control", "c"], ["oauth_nonce", "n"]] as const
    expect(Canonical.fields(operation, parameters)).toEqual({ fields: sample, problems: [] })
  })

  it("treats __proto__ and constructor as unknown fields", () => {
    const parameters = [...Object.entries(sample), ["__proto__", "x"], ["constructor", "y"]] as const
    const { fields } = Canonical.fields(operation, parameters)
    expect(Object.keys(fields)).toEqual(Object.keys(sample))
    expect(Object.getPrototypeOf(fields)).toBeNull()
    expect(problemsOf(operation, fields)).toEqual([])
  })

  it("accepts each alias of a field, and refuses two different values", () => {
    for (const [alias, name] of Object.entries(operation.aliases)) {
      expect(operation.fields, alias).toHaveProperty([name])
      expect(operation.fields, alias).not.toHaveProperty([alias])
      const value = operation.infos.get(name)?.sample ?? ""
      const read = Canonical.fields(operation, [[alias, value]])
      expect(read).toEqual({ fields: { [name]: value }, problems: [] })
      const twice = Canonical.fields(operation, [
        [alias, value],
        [name, `${value}1`]
      ])
      expect(twice.problems).toEqual([
        { field: name, code: 4, message: `Parameter ${name} is given twice with different values` }
      ])
    }
  })

  it("decodes and encodes like its schema", () => {
    const decodeSchema = Schema.decodeUnknownResult(operation.request)
    const encodeSchema = Schema.encodeUnknownSync(operation.request)
    const decodeFields = Operation.decode(withoutRules(operation))
    const agree = (fields: Operation.FieldTexts) => {
      const bySchema = decodeSchema(fields)
      const byFields = decodeFields(fields)
      if (Result.isFailure(byFields) && byFields.failure.every(({ code }) => code === codes.cardRepeated.code)) return
      expect(Result.isSuccess(byFields)).toBe(Result.isSuccess(bySchema))
      if (Result.isSuccess(byFields) && Result.isSuccess(bySchema)) {
        expect(byFields.success).toEqual(bySchema.success)
        expect(Operation.encode(operation)(byFields.success)).toEqual(encodeSchema(byFields.success))
      }
    }
    const names = [...operation.infos.keys()]
    const values = [...operation.infos.values()].map(({ sample: value }) => value)
    const value = fc.oneof(fc.constantFrom(...values), fc.string({ minLength: 1, maxLength: 12 }))
    const changed = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 })
    fc.assert(
      fc.property(changed, fc.constantFrom("", ...names), (changes, gone) =>
        agree(without({ ...sample, ...changes }, gone))
      ),
      { numRuns: 60 }
    )
  })
})

/** The fields of an operation without its rules, which are not in its schema. The rule about card data is in every operation. */
const withoutRules = (operation: Operation.Operation) =>
  Operation.make(operation.name, {
    path: operation.path,
    summary: operation.summary,
    signing: { _tag: "OAuth", methods: ["HMAC-SHA1"] },
    acts: operation.acts,
    request: operation.fields,
    response: operation.response
  })
