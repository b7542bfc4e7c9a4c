import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"
import { Shop } from "./Shop.ts"
import * as Views from "./Views.ts"

/** The languages in which the views show a page, in their order: one of them is written from right to left. */
const languages = ["en", "de", "ar"] as const

/** Opens a hosted page, and submits a card on it so many times. Returns its address. */
const paid = (
  changes: TestMerchant.Fields = {},
  {
    amount = "10.42",
    form = "sale-form",
    secure = false,
    times = 1
  }: { amount?: string; form?: PaymentPage.FormName; secure?: boolean; times?: number } = {}
) =>
  Effect.gen(function* () {
    const { url: redirect_url } = yield* Shop
    const endpoint = secure ? TestGateway.endpoints.threeds3dsGateway : TestGateway.endpoints.usd
    const { url } = yield* HostedPage.open(
      TestMerchant.freshId(),
      { redirect_url, amount },
      PaymentPage.forms[form],
      endpoint
    )
    for (let attempts = 0; attempts < times; attempts += 1) {
      yield* HostedPage.pay(url, { ...changes, attempts: String(attempts) })
      yield* TestMerchant.settled
    }
    return url
  })

const verification = { form: "account-verification-form" } as const

const expired = Effect.tap(paid({}, { times: 0 }), () => TestMerchant.pass("31 minutes"))

/** Opens the page of a payout, and submits these recipients on it. Returns its address. */
const destination = (answers: ReadonlyArray<TestMerchant.Fields>, endpointId: string = TestGateway.endpoints.usd) =>
  Effect.gen(function* () {
    const { url: redirect_url } = yield* Shop
    const { url } = yield* PayoutPage.open({ redirect_url, order_desc: "Deposit back" }, { endpointId })
    for (const [attempt, fields] of answers.entries()) yield* PayoutPage.receive(url, fields, String(attempt))
    return url
  })

/** The largest amount of an order, which a narrow screen must show as a whole. */
const largest = "90071992547409.91"

const noAccount = PayoutPage.planned("no-account")

const pages = [
  ["expired", "Time is up", expired],
  ["card", "Card details", paid({}, { times: 0 })],
  ["verification", "Card details", paid({}, { form: "account-verification-form", times: 0 })],
  ["declined", "Card details", paid({ code: "116" }, { amount: largest })],
  ["waiting", "Your payment is being processed", paid({ number: "4444 0109 0000 0006" })],
  ["unknown", "Your bank has not answered yet", paid({ code: "217" })],
  ["approved", "Payment successful", paid()],
  ["verified", "Card confirmed", paid({}, verification)],
  ["verification-declined", "Card details", paid({ code: "116" }, verification)],
  ["verification-unknown", "Your bank has not answered yet", paid({ code: "217" }, verification)],
  ["verification-refused", "Card not confirmed", paid({ code: "116" }, { ...verification, times: 3 })],
  ["verification-cancelled", "Card check cancelled", paid({ action: "cancel" }, verification)],
  ["refused", "Payment declined", paid({ code: "116" }, { times: 3 })],
  ["cancelled", "Payment cancelled", paid({ action: "cancel" })],
  ["destination", "Where should the money go?", destination([])],
  ["destination-again", "Where should the money go?", destination([noAccount])],
  ["paid-out", "The money is on its way", destination([PayoutPage.toAccount])],
  ["received", "We have your details", destination([PayoutPage.toAccount], TestGateway.endpoints.approval)],
  ["not-paid-out", "The money was not sent", destination([noAccount, noAccount, noAccount])]
] as const

type Act = (page: Page, language: string) => Promise<unknown>

/** Opens the page in each view, acts on it, and returns what is wrong with it then. */
const inEveryView = async (page: Page, name: string, url: string, act: Act) => {
  const flaws: Array<string> = []
  for (const [at, view] of Views.views.entries()) {
    const language = languages[at] ?? "en"
    await Views.show(page, view)
    await page.goto(`${url}?lang=${language}`)
    await act(page, language)
    flaws.push(...(await Views.flaws(page, `${name}-${language}`, view)))
  }
  return flaws
}

/** Waits for the heading, which is known in English. */
const headed =
  (heading: string): Act =>
  async (page, language) => {
    if (language === "en") await PaymentPage.heading(page, heading)
  }

const mistakes = async (page: Page) => {
  await page.locator("#number").pressSequentially("4444555566661112")
  await page.locator("#pay").click()
  await page.locator("#holder-error:not(:empty)").waitFor()
}

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })(
  "a hosted page is accessible and fits each screen, in three languages",
  (it) => {
    for (const [name, heading, prepared] of pages) {
      it.effect(
        name,
        () =>
          Effect.gen(function* () {
            const page = yield* customer()
            const url = yield* prepared
            assert.deepStrictEqual(yield* at(page, () => inEveryView(page, name, url, headed(heading))), [])
          }),
        prepared === expired ? PaymentPage.alone : {}
      )
    }

    it.effect("a form with mistakes", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* paid({}, { times: 0 })
        assert.deepStrictEqual(yield* at(page, () => inEveryView(page, "mistakes", url, mistakes)), [])
      })
    )

    it.effect("the redirect to the issuer", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        yield* at(page, () => page.addInitScript("HTMLFormElement.prototype.submit = () => {}"))
        const url = yield* paid({ number: "4444 0000 1111 8888" }, { secure: true })
        const flaws = yield* at(page, () => inEveryView(page, "bank", url, async () => {}))
        assert.deepStrictEqual(flaws, [])
      })
    )

    it.effect("the sandbox issuer's challenge", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* paid({ number: "4444 0000 1111 8888" }, { secure: true })
        const challenge = (page: Page) => PaymentPage.heading(page, "Confirm your payment")
        assert.deepStrictEqual(yield* at(page, () => inEveryView(page, "issuer", url, challenge)), [])
      })
    )
  }
)

/** Checks a page of an error: its status, its heading and its look. */
const checkError = Effect.fnUntraced(function* (name: string, status: number, title: string, url: string) {
  const page = yield* customer({}, status)
  const statuses = new Set<number>()
  page.on("response", (response) => response.url().startsWith(url) && statuses.add(response.status()))
  const flaws = yield* at(page, () => inEveryView(page, name, url, headed(title)))
  assert.deepStrictEqual([flaws, [...statuses]], [[], [status]])
})

const oneSession = TestGateway.layer({ settings: { sessionRate: { perSecond: 0.000_001, burst: 1 } } })

layer(oneSession, { excludeTestServices: true })(
  "an error page is accessible and fits each screen, in three languages",
  (it) => {
    it.effect("an unknown address", () =>
      Effect.gen(function* () {
        yield* checkError("missing", 404, "This page is not here", `${yield* HostedPage.baseUrl}/pay/nobodys`)
      })
    )

    it.effect("too many requests", () =>
      Effect.gen(function* () {
        const { url } = yield* HostedPage.open(TestMerchant.freshId())
        yield* HostedPage.visit(url)
        yield* checkError("crowded", 429, "One moment, please", url)
      })
    )
  }
)

it.live("an error page is accessible and fits each screen, in three languages: a gateway without its store", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const look = Effect.gen(function* () {
      const { url } = yield* HostedPage.open(TestMerchant.freshId())
      yield* Effect.sync(() => {
        const database = new DatabaseSync(join(folder, "gateway.db"))
        database.exec("ALTER TABLE hostedSessions RENAME TO gone")
        database.close()
      })
      yield* checkError("broken", 503, "Something went wrong", url)
    })
    yield* TestGateway.running(folder)(look)
  })
)
