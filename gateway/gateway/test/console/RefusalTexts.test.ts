/** Every refusal that a page of the console can show has a German text: the sentences of its sources, and what the contract refuses. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as ErrorCode from "@pay/schema/ErrorCode"
import { Result } from "effect"
import * as RefusalTexts from "../../src/http/console/RefusalTexts.ts"
import { approvals, operations } from "../../src/operators/OperatorApi.ts"
import * as OperatorOperation from "../../src/operators/OperatorOperation.ts"

/** The modules that refuse what a page asks for. Those of other commands are listed if a second person confirms them on a page. */
const sources = [
  "http/operator/TwoPeople",
  "http/operator/OrderHandlers",
  "http/operator/FollowUpHandlers",
  "http/operator/InquiryHandlers",
  "http/operator/ResolveHandlers",
  "http/operator/CallbackHandlers",
  "http/operator/TaskHandlers",
  "http/operator/PayoutHandlers",
  "http/operator/KeyHandlers",
  "http/operator/RetentionHandlers",
  "retention/EraseCards",
  "retention/EraseCustomer",
  "reconciliation/ResolveOrder",
  "reconciliation/UnknownRequest",
  "reconciliation/ManageTasks",
  "orders/decide/Resolve",
  "orders/decide/FollowUp",
  "orders/record/CardKinds",
  "signin/decide/Proposal",
  "payouts/DecideApproval",
  "payouts/FundBalance"
]

/** Sentences that stand in these modules, and that no page shows. */
const elsewhere = new Set([
  "this merchant has no such approver, or the signature is not theirs",
  "this was signed {} s ago; check the clock and sign again",
  "out of time",
  // Captures are requested by merchants only.
  "Only a preauth can be captured; a sale is captured already",
  "The hold is being released; it cannot be captured now",
  "Nothing is left to capture: the hold is captured, released or returned",
  "The whole hold is captured or being captured",
  "amount exceeds what is left of the hold"
])

const literal = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
const noSentence = [/\/\*\*[\s\S]*?\*\//g, /^\s*\/\/.*$/gm, /^import .*$/gm, /new Error\([^\n]*\)/g]

/** Returns the texts of a module that have several words, each value in them as `{}`. */
const sentencesOf = (source: string): ReadonlyArray<string> => {
  const file = readFileSync(new URL(`../../src/${source}.ts`, import.meta.url), "utf8")
  const code = noSentence.reduce((text, pattern) => text.replaceAll(pattern, ""), file)
  return [...code.matchAll(literal)]
    .map(([, plain, template = ""]) => plain ?? template.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "{}"))
    .filter((text) => /[A-Za-z]+ [a-z]+ /.test(text))
}

const translated = new Set(Object.keys(RefusalTexts.table).map((sentence) => sentence.replaceAll(/\{\w+\}/g, "{}")))

/** The operations that pages call with what a person typed. */
const called = [
  operations.searchOrders,
  operations.listUnknown,
  operations.refundOrder,
  operations.voidOrder,
  operations.proposeResolution,
  operations.confirmResolution,
  operations.withdrawResolution,
  operations.answerTask,
  operations.eraseCustomer,
  operations.reverseTask,
  operations.closeTask,
  operations.resendCallback,
  operations.confirmProposal,
  approvals.decideApproval
]

const typed: ReadonlyArray<unknown> = ["", " ", "x", "§", "-1", "x".repeat(300), "x".repeat(3000), undefined, 1, {}]

describe("a refusal on a page in German", () => {
  it.each(sources)("has a text for each sentence of %s", (source) => {
    const missing = sentencesOf(source).filter((text) => !translated.has(text) && !elsewhere.has(text))
    assert.deepStrictEqual(missing, [])
  })

  it.each(["orderNotFound", "amountNotExact", "amountTooLarge", "idempotencyKeyConflict", "unavailable"] as const)(
    "has a text for %s of a refund or void",
    (name) => assert.isDefined(RefusalTexts.germanOf(ErrorCode.codes[name].message))
  )

  it.each(called.map((operation) => [operation.name, operation] as const))(
    "has a text for each parameter that %s refuses",
    (_, operation) => {
      for (const name of Object.keys(operation.input.fields))
        for (const value of typed) {
          const decoded = OperatorOperation.decode(operation)({ [name]: value })
          if (Result.isFailure(decoded)) assert.isDefined(RefusalTexts.germanOf(decoded.failure), decoded.failure)
        }
    }
  )

  it.each([
    ["this needs the role support, which eve does not have", "Das braucht die Rolle support, die eve nicht hat."],
    ["this needs the role finance", "Das braucht die Rolle finance."],
    [
      "operator:ada made the token of bob and may know it: bob first replaces it (pay operator token)",
      "operator:ada hat das Token von bob gemacht und kennt es vielleicht: bob ersetzt es zuerst (pay operator token)."
    ],
    [
      "comment is needed; amount is an amount: 10.42",
      "comment: Eine Eingabe ist nötig. amount: Geben Sie einen Betrag an, wie 10.42."
    ]
  ])("%s", (english, german) => {
    assert.strictEqual(RefusalTexts.inLanguage("de", english), german)
    assert.strictEqual(RefusalTexts.inLanguage("en", english), english)
  })

  it("has every value of its sentence, and no other", () => {
    const namesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
    for (const [sentence, text] of Object.entries(RefusalTexts.table))
      assert.deepStrictEqual([sentence, namesOf(text)], [sentence, namesOf(sentence)])
  })

  it("stays English where there is no text, and takes no message for another", () => {
    for (const message of ["something new", "this needs the role ", "it was  before", " is needed"])
      assert.isUndefined(RefusalTexts.germanOf(message), message)
  })
})
