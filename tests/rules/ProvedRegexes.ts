/** The regular expressions of the sources, and the list of those that are proved to take linear time. */
import { join } from "node:path"
import { files, read, root } from "../../scripts/Workspace.ts"
import * as Regexes from "./RegexRules.ts"

/** What runs at users and at those who build; tests read nothing but what we wrote. Code inside strings is the browser's. */
const judged = files.filter((path) => /\.(ts|mjs)$/.test(path) && !/(^|\/)tests?\//.test(path))

/** Expressions that are built at run time: each place, with samples of what it builds. */
const samples: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  "gateway/gateway/src/http/pages/CardBrands.ts": [/^3(0[0-5]|[689])/, /^35(2[89]|[3-8])/, /^6(011|4[4-9]|5)/],
  "gateway/gateway/src/operators/OperatorOperation.ts": [/^\/operator\/bookings\/([^/]{1,600})\/([^/]{1,600})\/close$/],
  "packages/signing/src/explain/OAuthPrintMistakes.ts": [/.{76}(?=.)/g],
  "packages/transport/src/AnswerReader.ts": [/(?<!\d)4444333322221111(?!\d)/g],
  "scripts/Workspace.ts": [/^(?:packages\/signing|apps\/cli)\/src\/.*\.ts$/],
  "tools/crashtest/src/shop/CardNumbers.ts": [
    /(?:4|%(?:25)?34|\\u0034|&#52;)(?:[ \t\u00a0\u00ad\u00c2\0._+/-]|\xe2\x80[\x80-\x95]|%(?:25)?[02][0-9a-d]|\\u00(?:a0|2[0d])|\\[-/t]|&(?:nbsp|#160);){0,4}(?:4|%(?:25)?34|\\u0034|&#52;)/gi
  ],
  "tools/crashtest/src/template/Matching.ts": [/\bpaid\b/u],
  "tools/crashtest/src/template/TemplateSchema.ts": [/\bpaid\b/u]
}

/** The paths of modules for which there are such samples. */
export const built = Object.keys(samples)

interface Match extends Regexes.Expressions {
  readonly path: string
}

export const matches = (): ReadonlyArray<Match> => judged.map((path) => ({ path, ...Regexes.find(read(path)) }))

/** Every expression that is judged: the literals of these modules, and the samples. */
export const expressions = (modules: ReadonlyArray<Match>): ReadonlyArray<Regexes.Expression> => [
  ...modules.flatMap(({ literals }) => literals),
  ...Object.values(samples)
    .flat()
    .map(({ flags, source }) => ({ pattern: source, flags }))
]

const path = "tests/rules/proved-regexes.txt"
export const file = join(root, path)

/** Each once, in an order that no language of the machine changes. */
export const sorted = (texts: Iterable<string>): ReadonlyArray<string> =>
  [...new Set(texts)].toSorted((one, other) => (one < other ? -1 : 1))

interface ProvedList {
  /** The program that proved them, and its version. */
  readonly judge: string
  readonly proved: ReadonlyArray<string>
}

export const list = (): ProvedList => {
  const [judge = "", ...proved] = read(path).trimEnd().split("\n")
  return { judge, proved }
}

export const write = ({ judge, proved }: ProvedList): string => `${[judge, ...proved].join("\n")}\n`
