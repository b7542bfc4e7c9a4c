/** The test cards that a sandbox lists on its card page: each ends as its text says, at each kind of endpoint and on each kind of page. */
import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import * as BrowserForm from "@pay/schema/BrowserForm"
import * as Markup from "@pay/schema/Markup"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { endpoints } = TestGateway
const { ACCOUNT_VERIFICATION_FORM, PAYMENTFORM, PREAUTHFORM, SALEFORM, TRANSFERFORM } = PayApi.operations

const shop = "https://shop.example/back"

/** What the page posts about a browser: what its script fills in, and the fields as they are without scripts. */
const browsers: ReadonlyArray<Readonly<Record<string, string>>> = [
  {
    browserJavascriptEnabled: "true",
    browserJavaEnabled: "false",
    browserColorDepth: "24",
    browserScreenHeight: "844",
    browserScreenWidth: "390",
    browserTZ: "-60",
    browserLanguage: "en-GB",
    browserUserAgent: "Phone"
  },
  BrowserForm.form
]

/** What a customer meets with a card: whether the bank asks for the password, and how the attempt ends. */
interface Course {
  readonly requestsPassword: boolean
  readonly end: "approved" | "declined"
}

const approved = "is approved at once"
const challenged = `the bank asks for a password, which is: ${password}`
const declined = "is declined"
const challengedAndDeclined = `${challenged}; then it declines`

/** What each text of the list promises with the security code 123. With 116, the list says, the bank declines. */
const promises: ReadonlyMap<string, Course> = new Map<string, Course>([
  [approved, { requestsPassword: false, end: "approved" }],
  [challenged, { requestsPassword: true, end: "approved" }],
  [declined, { requestsPassword: false, end: "declined" }],
  [challengedAndDeclined, { requestsPassword: true, end: "declined" }]
])

const payment = { approved: "Payment successful", declined: "Your bank declined the payment" }
/** Operation, the title of the page after an approval, and the notice after a decline. */
const pages = [
  ["a sale", SALEFORM, payment],
  ["a preauth", PREAUTHFORM, payment],
  ["a payment", PAYMENTFORM, payment],
  ["a transfer", TRANSFERFORM, payment],
  [
    "a verification",
    ACCOUNT_VERIFICATION_FORM,
    { approved: "Card confirmed", declined: "Your bank did not confirm the card" }
  ]
] as const

/** Endpoint, the texts of its list, and the pages. */
const places = [
  ["without 3-D Secure", endpoints.usd, [approved, declined], pages],
  [
    "with 3-D Secure on the gateway's pages",
    endpoints.threeds3dsGateway,
    [approved, challenged, challengedAndDeclined],
    pages
  ],
  [
    "with 3-D Secure that the merchant runs",
    endpoints.threedsMerchant,
    [approved, challenged, challengedAndDeclined],
    pages.slice(0, 1)
  ]
] as const

/** The entries of the list on a page. */
const listed = (body: string) =>
  [...body.matchAll(/<li><code[^>]*>([\d ]+)<\/code>.*?<span>(.*?)<\/span><\/li>/gs)].map(
    ([, number = "", text = ""]) => ({ number, text: Markup.unescaped(text) })
  )

const noticeOf = (body: string) => /role="alert"><strong>(.*?)<\/strong>/.exec(body)?.[1]
const mostPages = 20

/** Posts the card as the page's form does, and does what further pages ask for. Returns whether one asked for the password, and the last page. */
const entered = Effect.fnUntraced(function* (url: string, card: Readonly<Record<string, string>>) {
  const scheduler = yield* Scheduler
  let requestsPassword = false
  let page = yield* HostedPage.pay(url, card)
  for (let count = 0; count < mostPages; count += 1) {
    yield* scheduler.settled
    const isChallenge = page.body.includes('name="password"')
    requestsPassword ||= isChallenge
    if (isChallenge) {
      page = yield* HostedPage.browse(page.url, { form: { ...page.hidden, action: "confirm", password } })
    } else if (page.action !== undefined && !page.action.startsWith(shop)) {
      page = yield* HostedPage.browse(new URL(page.action, page.url).href, { form: page.hidden })
    } else {
      page = yield* HostedPage.browse(url)
      if (page.action?.startsWith(shop) === true || noticeOf(page.body) !== undefined) break
    }
  }
  return { requestsPassword, page }
})

let orders = 0
const open = (operation: Operation, endpointId: string) => {
  orders += 1
  return HostedPage.open(`panel-${orders}`, { redirect_url: shop }, operation, endpointId)
}

const unlimited = { perSecond: 0, burst: 0 }

layer(TestGateway.layer({ settings: { sessionRate: unlimited, attemptRate: unlimited } }), {
  excludeTestServices: true
})("the test cards of a card page", (it) => {
  for (const [place, endpointId, texts, kinds] of places) {
    for (const [kind, operation, shown] of kinds) {
      it.effect(`end as their texts say: ${kind}, endpoint ${place}`, () =>
        Effect.gen(function* () {
          const client = yield* PayClient.PayClient
          const entries = listed((yield* HostedPage.browse((yield* open(operation, endpointId)).url)).body)
          assert.deepStrictEqual(
            entries.map(({ text }) => text),
            [...texts]
          )
          const observed: Array<unknown> = []
          const expected: Array<unknown> = []
          for (const { number, text } of entries) {
            const promise = promises.get(text)
            assert(promise !== undefined)
            for (const [index, code] of ["123", "116"].entries()) {
              const { names, url } = yield* open(operation, endpointId)
              const receiver = "4444 3333 2222 1111"
              const { requestsPassword, page } = yield* entered(url, { ...browsers[index], number, code, receiver })
              const { status } = yield* client.status(names, { endpointId })
              const end = code === "123" ? promise.end : "declined"
              observed.push({ text, code, requestsPassword, status, shown: noticeOf(page.body) ?? page.title })
              expected.push({
                ...{ text, code, requestsPassword: promise.requestsPassword, shown: shown[end] },
                status: end === "approved" ? "approved" : "processing"
              })
            }
          }
          assert.deepStrictEqual(observed, expected)
        })
      )
    }
  }
})
