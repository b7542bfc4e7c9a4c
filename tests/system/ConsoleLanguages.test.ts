/** Every page of the console in English and in German: only words of the contract, and names, stand in both. */
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as ConsoleBrowser from "../harness/ConsoleBrowser.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const operators = [{ name: "ada", token: Redacted.make("the token of ada") }]

/** Words that a German page may have in common with the English one. */
const common = new Set(
  [
    // Words of both languages, and names.
    "Bank Callback Callbacks Code Hash Minute November Secure Status UTC USD min ada sandbox acquirer nobody APPROVER",
    // States, operations, outcomes, accounts and reasons of the contract.
    "SALE PREAUTH sale preauth payout card account order merchant amount error filtered declined approved authorized",
    "processing unknown pending waiting settled hold callbacks attempt right",
    // Commands in a sentence.
    "pay operator add orders search file approve reject",
    // What the bank and a callback's host said.
    "The simulated bank answer was Lost lost Not sufficient funds connect ECONNREFUSED sent not"
  ].flatMap((words) => words.split(" "))
)

const shown = /\s(?:aria-label|placeholder|title|data-label|data-old)="([^"]*)"/g
/** What no page translates: commands, identifiers, values of fields, addresses, dotted names and names of people. */
const verbatim = /<(code|pre|option)[\s>][\s\S]*?<\/\1>|\b[\w-]+[.:/@_][\w.:/@-]+|[\w…]*\d[\w…]*/g

/** The words that a person reads or hears on a page. */
const wordsOf = ({ text }: ConsoleBrowser.ConsoleAnswer): ReadonlySet<string> => {
  const body = text.slice(text.indexOf("<body"))
  const attributes = [...body.matchAll(shown)].map(([, value = ""]) => value).join(" ")
  const content = body.replaceAll(verbatim, " ").replaceAll(/<[^>]*>/g, " ")
  return new Set(`${content} ${attributes}`.match(/[A-Za-zÄÖÜäöüß]{3,}/g) ?? [])
}

const opened = Effect.fnUntraced(function* (language: "en" | "de") {
  const browser = yield* ConsoleBrowser.open({ "accept-language": language })
  const signIn = yield* browser.get("/console/sign-in")
  const wrong = yield* browser.post("/console/sign-in", { token: "another", to: "" })
  yield* browser.signIn("the token of ada")
  return { browser, before: [signIn, wrong] }
})

/** Every page as it is now, with a refusal of each kind. */
const pagesIn = Effect.fnUntraced(function* (language: "en" | "de", orders: ReadonlyArray<string>) {
  const { before, browser } = yield* opened(language)
  const pages = [...before]
  for (const path of [
    "now",
    "orders",
    "orders?merchant=nobody&status=declined",
    "orders?amount=x",
    "unknown",
    "unknown?done=1",
    "code",
    "nothing",
    ...["inquire", "refund", "void", "erase", "resend"].map((done) => `orders/${orders[0]}?done=${done}`),
    ...orders.map((order) => `orders/${order}`)
  ])
    pages.push(yield* browser.get(`/console/${path}`))
  const [list] = pages.slice(-1)
  assert(list !== undefined)
  for (const q of ["4444555566661111", "no such thing", "nobody@shop.example"])
    pages.push(yield* browser.submit(list, "search", { q }))
  const [unknown = ""] = orders.slice(-1)
  pages.push(yield* browser.submit(list, `orders/${unknown}/erase`, { confirm: unknown }))
  pages.push(yield* browser.submit(list, "code", { code: "000000" }))
  pages.push(yield* browser.submit(list, "sign-out"))
  return pages
})

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("the console in German", (it) => {
  it.effect("has no English word left", () =>
    Effect.gen(function* () {
      const endpointId = TestGateway.endpoints.approval
      yield* TestPayouts.made("PAYOUT", TestPayouts.plain, { endpointId })
      const callback = { server_callback_url: "http://127.0.0.1:9/callback" }
      const orders = [
        yield* TestMerchant.order("SALE", callback),
        yield* TestMerchant.order("PREAUTH"),
        yield* TestMerchant.order("SALE", { cvv2: "116" }),
        yield* TestMerchant.order("SALE", { cvv2: "217" })
      ].map(({ orderid }) => orderid)
      const [english, german] = [yield* pagesIn("en", orders), yield* pagesIn("de", orders)]
      assert.deepStrictEqual(
        german.map(({ status }) => status),
        english.map(({ status }) => status)
      )
      const left = german.flatMap((page, at) => {
        const same = wordsOf(english[at] ?? page)
        return [...wordsOf(page)].filter((word) => same.has(word) && !common.has(word))
      })
      assert.deepStrictEqual([...new Set(left)].sort(), [])
    })
  )
})
