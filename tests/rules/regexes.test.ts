import { expect, it } from "@effect/vitest"
import * as ProvedRegexes from "./ProvedRegexes.ts"
import * as Regexes from "./RegexRules.ts"

const MINUTE = 60_000

it("the rule of regular expressions finds literals, and places where one is built", () => {
  const result = Regexes.find(
    'const a: RegExp = /a+/g\nconst b = "/b/"\nconst c = [new RegExp(b), RegExp("d", "u")] // /e/'
  )
  expect(result).toEqual({ literals: [{ pattern: "a+", flags: "g", line: 1 }], built: [3, 3] })
})

it.each([
  ["0+$", "", "2nd degree polynomial"],
  ["^(a+)+$", "", "exponential"],
  ["[^/]*$", "u", "2nd degree polynomial"],
  ["0+$", "v", "2nd degree polynomial"],
  ["[\\p{L}--[a-z]]", "v", "reads otherwise without flag v: use u"]
])("the rule of regular expressions rejects /%s/%s", (pattern, flags, verdict) =>
  expect(Object.values(Regexes.wrong([{ pattern, flags }]))).toEqual([verdict])
)

it.each([
  ["^\\d{1,3}$", ""],
  ["^[^@]+@[^@]+$", "v"]
])("the rule of regular expressions accepts /%s/%s", (pattern, flags) =>
  expect(Regexes.wrong([{ pattern, flags }])).toEqual({})
)

it("the rule of regular expressions accepts a proved expression without another proof", () => {
  const slow = { pattern: "^(a+)+$", flags: "" }
  expect(Regexes.wrong([slow], new Set(["/^(a+)+$/"]))).toEqual({})
  expect(Regexes.wrong([slow], new Set(["/^(a+)+$/u"]))).not.toEqual({})
})

it(
  "no regular expression takes more than linear time",
  () => {
    const matches = ProvedRegexes.matches()
    const expressions = ProvedRegexes.expressions(matches)
    const verdicts = Regexes.wrong(expressions, new Set(ProvedRegexes.list().proved))
    expect(expressions.length).toBeGreaterThan(200)
    const wrong = matches.flatMap(({ literals, path }) =>
      literals.flatMap((literal) => {
        const verdict = verdicts[Regexes.textOf(literal)]
        return verdict === undefined ? [] : [`${path}:${literal.line}: ${Regexes.textOf(literal)}: ${verdict}`]
      })
    )
    expect(wrong, "instead: an anchor, a bound, or a loop").toEqual([])
    expect(Object.keys(verdicts)).toEqual([])
    const places = matches.flatMap(({ built, path }) => (built.length === 0 ? [] : [path]))
    expect(places.toSorted(), "give a sample of what it builds").toEqual(ProvedRegexes.built.toSorted())
  },
  15 * MINUTE
)

it("the list of proved regular expressions is of the installed checker", () => {
  const { judge, proved } = ProvedRegexes.list()
  expect(judge, "run `node tests/rules/proveRegexes.ts` and commit what it writes").toBe(Regexes.judge)
  expect(proved).toEqual(ProvedRegexes.sorted(proved))
})
