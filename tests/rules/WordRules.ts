import type { SourceRule } from "./SourceRules.ts"

const participles = "told|held|heard|found|asked|said|seen|brought|those|known|whoever"
const coinages =
  "Errand|Accompany|Asker|Asking|Turns|Reruns|Rewrap|Hangup|Ruling|Desk|Seats?|Forgotten|BegunBefore|GiveBack|giveBack|Told|Held|Asked|Said|Seen|Shown|Brought|Doom|doom|Lives|lives|life|Play|Story|story|stories|Journeys?|journeys?|Lane|lanes?|Mortal|Wish|wish|fate|[Ss]hopper|[Ss]tanding|nobody|crowd|ears?|Ear"

const line = "//"
const unplain = "nobody|whoever|somebody|everybody|told|tells|hears|that which"

/** Words that a payments engineer would have to learn first, as whole names; and comments that no one can read alone. */
export const wordRules: ReadonlyArray<SourceRule> = [
  {
    name: "citations name a heading",
    where: /(^|\/)[^.][^/]*$/,
    pattern:
      /payment-api\.md|(?<![\w/-])decisions\.md|\((?:[^()"\n]*; )?(?:decisions:|(?:specification|assumptions)[:,]) /,
    instead: "the document and its heading: docs/specification.md#control",
    reads: "everything",
    bad: [
      `${line} see payment-api.md`,
      `${line} decided (decisions: amounts)`,
      "/** Signs (specification, Authentication). */",
      "/** Pays once (RFC 5849 §3; specification, rule 6). */"
    ],
    good: ["/** Signs (docs/specification.md#control). */", "docs/decisions/flows.md", "of [specification, other]"]
  },
  {
    name: "names are nouns of the trade",
    where: /^(packages|gateway|acquirers|tools|apps|tests)\/.*\.ts$/,
    pattern: new RegExp(
      `(?:\\b(?:const|let|function|class|interface|type|readonly|as)|[(,{]|(?<!\\$)#|\\.{3})\\s*\\b(?:${participles}|${coinages})\\b(?=\\s*[:=,<({})?])`
    ),
    instead: "a noun of the trade: request, match, context, report, existingOrder",
    reads: "code",
    bad: [
      "const found = find(orders)",
      "({ asked, order }) => order",
      "(held: Order) => held",
      "interface Told {",
      "readonly #told: string",
      "(...asked) => ask(order)",
      "export type { Context as Held }"
    ],
    good: [
      "const match = find(orders)",
      "const isHeld = true",
      "/** What was asked, */",
      "Option.match({ onNone, onSome })",
      'Schema.encodeKeys({ requestedAt: "asked" })'
    ]
  },
  {
    name: "comments are sentences",
    where: /^(packages|gateway|acquirers|tools|apps|tests)\/.*\.ts$/,
    pattern:
      /(?:\/\*\*|^\s*\*|\/\/) (?:Of|The same|As|By which|Whoever|In place|What becomes|Where|That which|Nobody|Who) /m,
    instead: "a sentence that stands alone, with its subject: Returns the status of a finished execution.",
    reads: "everything",
    bad: [
      "/**\n * Of one that has.\n */",
      `${line} As it travels over the wire.`,
      "/**\n * Where the money goes.\n */"
    ],
    good: ["/** Returns the status of a finished execution. */", "/** Offers one. */", "// Assumes nothing."]
  },
  {
    name: "titles of tests are plain words",
    where: /\.test\.ts$/,
    pattern: new RegExp(
      `\\b(?:describe|it|test|layer|make)\\b[^\\n"\`]*\\(\\s*["\`](?:[^"\`\\n]* )?(?:${unplain})\\b|^ *\\[?\\[\\s*"(?:[^"\\n]* (?:${unplain})\\b|(?:${unplain}) )`,
      "m"
    ),
    instead: "what the test shows, with its subject: an order is reported to the merchant",
    reads: "everything",
    bad: [
      'it("nobody pays", () => x)',
      "it.effect(\n  `an order is told`, () => x)",
      'describe.each(rows)("an order that tells %s", x)',
      'const rows = [\n  ["is told twice", 1]'
    ],
    good: ['it("a merchant is notified", () => x)', '["use", "nobody"]', 'it("x", () => "told")']
  }
]
