import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Control from "../src/Control.ts"
import vectors from "../vectors/control.json" with { type: "json" }

const recipes: Readonly<Record<string, Control.Recipe>> = Control.recipes
const named = Object.entries(recipes)

describe("Control.recipes", () => {
  it("contain the recipes of docs/specification.md#control and docs/assumptions.md#control", () => {
    const table = named.map(([name, recipe]) => `${name.padEnd(23)} ${recipe.join(" ")}`).join("\n")
    expect(`\n${table}\n`).toBe(`
uploadCresResult        login client-order-id orderid
uploadMethodUrlResult   login client-order-id orderid
uploadParesResult       login client-order-id orderid
accountVerification     endpointId client_orderid email
accountVerificationForm endpointId client_orderid email
preauth                 endpointId client_orderid amount email
preauthForm             endpointId client_orderid amount email
sale                    endpointId client_orderid amount email
saleForm                endpointId client_orderid amount email
paymentForm             endpointId client_orderid amount email
capture                 login client_orderid orderid amount currency
return                  login client_orderid orderid amount currency
createCardRef           login client_orderid orderid
void                    login client_orderid orderid
status                  login client_orderid orderid
makeRebill              login client_orderid cardrefid amount currency
getCardInfo             login cardrefid
transferByRef           login client_orderid source-card-ref-id destination-card-ref-id amount currency
callback                status orderid client_orderid
`)
  })
})

describe("Control.sign", () => {
  it.each(vectors)("$recipe: $text ($source)", ({ recipe, values, key, text, control }) => {
    const slots = recipes[recipe] ?? []
    expect(Control.preimage(slots, values, key)).toBe(text + key)
    expect(Control.sign(slots, values, key)).toBe(control)
    expect(Control.compile(slots)(values, key)).toBe(control)
  })

  const values = fc.dictionary(
    fc.constantFrom(...new Set(named.flatMap(([, recipe]) => recipe))),
    fc.string({ unit: "grapheme" })
  )

  it.each(named)("gives the same control as its compiled form: %s", (_, recipe) => {
    const compiled = Control.compile(recipe)
    fc.assert(
      fc.property(values, fc.string({ unit: "grapheme" }), (values, key) => {
        const expected = createHash("sha1")
          .update(Control.preimage(recipe, values, key))
          .digest("hex")
        expect(Control.sign(recipe, values, key)).toBe(expected)
        expect(compiled(values, key)).toBe(expected)
      }),
      { numRuns: 30 }
    )
  })

  it.each([0, 1, 6])("gives the same control as its compiled form for a recipe of %i slots", (length) => {
    const recipe = ["a", "b", "c", "d", "e", "f"].slice(0, length)
    const values = { a: "1", b: "2", c: "3", d: "4", e: "5", f: "6" }
    expect(Control.compile(recipe)(values, "key")).toBe(Control.sign(recipe, values, "key"))
  })
})

describe("Control.matches", () => {
  const expected = "c6bdd88a78834ef4b863b088827a459f039e8257"

  it.each([
    [expected, true],
    [expected.toUpperCase(), true],
    ["C6bdd88a78834ef4b863b088827a459f039e8257", true],
    ["", false],
    [expected.slice(1), false],
    [`${expected}0`, false],
    [` ${expected}`, false],
    [`0${expected.slice(1)}`, false],
    [expected.replace("a", "\u0161"), false],
    [expected.replace("a", "\u0391"), false]
  ])("%j: %s", (received, result) => expect(Control.matches(received, expected)).toBe(result))

  it("ignores the case of the expected value", () => {
    expect(Control.matches(expected, expected.toUpperCase())).toBe(true)
  })

  it("detects each single changed digit", () => {
    fc.assert(
      fc.property(fc.nat(39), fc.constantFrom(..."0123456789abcdef"), (at, digit) => {
        fc.pre(expected[at] !== digit)
        expect(Control.matches(expected.slice(0, at) + digit + expected.slice(at + 1), expected)).toBe(false)
      })
    )
  })
})

describe("Control.verifyAny", () => {
  const [one, two] = ["1".repeat(40), "2".repeat(40)]

  it.each([
    [one, [one, two], true],
    [two, [one, two], true],
    ["3".repeat(40), [one, two], false],
    [one, [], false]
  ])("%s among %j: %s", (received, candidates, result) => expect(Control.verifyAny(received, candidates)).toBe(result))
})
