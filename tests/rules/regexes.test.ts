import { expect, it } from "@effect/vitest"
import { files, read } from "../../scripts/Workspace.ts"
import * as Regexes from "./RegexRules.ts"

const MINUTE = 60_000

/** What runs at users and at those who build; tests read nothing but what we wrote. Code inside strings is the browser's. */
const judged = files.filter((path) => /\.(ts|mjs)$/.test(path) && !/(^|\/)tests?\//.test(path))

/** Expressions that are built at run time: each place, with samples of what it builds. */
const built: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  "packages/gateway/src/http/pages/Brands.ts": [/^3(0[0-5]|[689])/, /^35(2[89]|[3-8])/, /^6(011|4[4-9]|5)/],
  "packages/gateway/src/operators/OperatorOperation.ts": [
    /^\/operator\/bookings\/([^/]{1,600})\/([^/]{1,600})\/close$/
  ],
  "packages/signing/src/explain/OAuthMistakes.ts": [/.{76}(?=.)/g, /^https:\/\/([^/?#]*)/i],
  "packages/transport/src/AnswerReader.ts": [/(?<!\d)4444333322221111(?!\d)/g]
}

it("finds literals and places where one is built", () => {
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
])("finds: /%s/%s", (pattern, flags, verdict) =>
  expect(Object.values(Regexes.wrong([{ pattern, flags }]))).toEqual([verdict])
)

it.each([
  ["^\\d{1,3}$", ""],
  ["^[^@]+@[^@]+$", "v"]
])("leaves: /%s/%s", (pattern, flags) => expect(Regexes.wrong([{ pattern, flags }])).toEqual({}))

it(
  "no regular expression takes more than linear time",
  () => {
    const start = process.cpuUsage()
    const matches = judged.map((path) => ({ path, ...Regexes.find(read(path)) }))
    const literals = matches.flatMap(({ literals }) => literals)
    const samples = Object.values(built)
      .flat()
      .map(({ flags, source }) => ({ pattern: source, flags }))
    const verdicts = Regexes.wrong([...literals, ...samples])
    const { system, user } = process.cpuUsage(start)
    console.log(`${literals.length} regular expressions judged in ${Math.round((user + system) / 1000)} ms`)
    expect(literals.length).toBeGreaterThan(200)
    const wrong = matches.flatMap(({ literals, path }) =>
      literals.flatMap(({ flags, line, pattern }) => {
        const verdict = verdicts[`/${pattern}/${flags}`]
        return verdict === undefined ? [] : [`${path}:${line}: /${pattern}/${flags}: ${verdict}`]
      })
    )
    expect(wrong, "instead: an anchor, a bound, or a loop").toEqual([])
    expect(Object.keys(verdicts)).toEqual([])
    const places = matches.flatMap(({ built, path }) => (built.length === 0 ? [] : [path]))
    expect(places.toSorted(), "give a sample of what it builds").toEqual(Object.keys(built).toSorted())
  },
  15 * MINUTE
)
