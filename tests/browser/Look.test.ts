import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as HostedPage from "../harness/HostedPage.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Accessible from "./Accessible.ts"
import { at, Browser, customer } from "./Browser.ts"
import * as Journey from "./Journey.ts"
import * as Pictures from "./Pictures.ts"
import { Shop } from "./Shop.ts"

const views = [
  { language: "en", width: 1280, colorScheme: "light" },
  { language: "de", width: 375, colorScheme: "light" },
  { language: "ar", width: 320, colorScheme: "dark" }
] as const

/** A page that was asked for, and a card that somebody tried on it so often. */
const paid = (
  changes: TestMerchant.Fields = {},
  { form = "sale-form", secure = false, times = 1 }: { form?: Journey.FormName; secure?: boolean; times?: number } = {}
) =>
  Effect.gen(function* () {
    const { url: redirect_url } = yield* Shop
    const endpoint = secure ? TestGateway.endpoints.threeds3dsGateway : TestGateway.endpoints.usd
    const { url } = yield* HostedPage.open(TestMerchant.freshId(), { redirect_url }, Journey.forms[form], endpoint)
    for (let attempts = 0; attempts < times; attempts += 1) {
      yield* HostedPage.pay(url, { ...changes, attempts: String(attempts) })
      yield* TestMerchant.settled
    }
    return url
  })

const verification = { form: "account-verification-form" } as const

const expired = Effect.tap(paid({}, { times: 0 }), () => TestMerchant.pass("31 minutes"))

/** A page on which a recipient said so often, or nothing yet, where a payout goes. */
const destination = (answers: ReadonlyArray<TestMerchant.Fields>, endpointId: string = TestGateway.endpoints.usd) =>
  Effect.gen(function* () {
    const { url: redirect_url } = yield* Shop
    const { url } = yield* PayoutPage.open({ redirect_url, order_desc: "Deposit back" }, { endpointId })
    for (const [attempt, fields] of answers.entries()) yield* PayoutPage.receive(url, fields, String(attempt))
    return url
  })

const noAccount = PayoutPage.planned("no-account")

const pages = [
  ["expired", "Time is up", expired],
  ["card", "Card details", paid({}, { times: 0 })],
  ["verification", "Card details", paid({}, { form: "account-verification-form", times: 0 })],
  ["declined", "Card details", paid({ code: "116" })],
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

const serious = async (page: Page) =>
  (await Accessible.violations(page))
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ help, nodes }) => `${help}: ${nodes.map(({ html }) => html).join(" ")}`)

const look = async (page: Page, name: string) => {
  await Pictures.take(page, name)
  const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
  return [...(await serious(page)), ...(tooWide > 0 ? [`${tooWide} pixels wider than the window`] : [])]
}

const inEveryView = async (page: Page, name: string, url: string, act: (page: Page) => Promise<unknown>) => {
  const flaws: Array<string> = []
  for (const { colorScheme, language, width } of views) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.goto(`${url}?lang=${language}`)
    await act(page)
    const view = `${name}-${language}-${width}-${colorScheme}`
    flaws.push(...(await look(page, view)).map((flaw) => `${view}: ${flaw}`))
  }
  return flaws
}

const mistakes = async (page: Page) => {
  await page.locator("#number").pressSequentially("4444555566661112")
  await page.locator("#pay").click()
  await page.locator("#holder-error:not(:empty)").waitFor()
}

layer(Journey.layer, { concurrent: true, excludeTestServices: true })(
  "everybody can use, on any screen, in any language:",
  (it) => {
    for (const [name, heading, prepared] of pages) {
      it.effect(
        name,
        () =>
          Effect.gen(function* () {
            const page = yield* customer()
            const url = yield* prepared
            const flaws = yield* at(page, () => inEveryView(page, name, url, async () => {}))
            yield* at(page, () => page.goto(url))
            yield* at(page, () => Journey.heading(page, heading))
            assert.deepStrictEqual(flaws, [])
          }),
        prepared === expired ? Journey.alone : {}
      )
    }

    it.effect("mistakes in the form", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* paid({}, { times: 0 })
        assert.deepStrictEqual(yield* at(page, () => inEveryView(page, "mistakes", url, mistakes)), [])
      })
    )

    it.effect("the way to the bank", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        yield* at(page, () => page.addInitScript("HTMLFormElement.prototype.submit = () => {}"))
        const url = yield* paid({ number: "4444 0000 1111 8888" }, { secure: true })
        const flaws = yield* at(page, () => inEveryView(page, "bank", url, async () => {}))
        assert.deepStrictEqual(flaws, [])
      })
    )

    it.effect("the sandbox issuer", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* paid({ number: "4444 0000 1111 8888" }, { secure: true })
        const ask = (page: Page) => Journey.heading(page, "Confirm your payment")
        assert.deepStrictEqual(yield* at(page, () => inEveryView(page, "issuer", url, ask)), [])
      })
    )
  }
)

/** A page that says only that there is none to see, and why. */
const notice = Effect.fnUntraced(function* (name: string, status: number, title: string, url: string) {
  const page = yield* customer({}, status)
  const flaws = yield* at(page, () => inEveryView(page, name, url, async () => {}))
  const answer = yield* at(page, () => page.goto(url))
  yield* at(page, () => Journey.heading(page, title))
  assert.deepStrictEqual([flaws, answer?.status()], [[], status])
})

const world = (options: Parameters<typeof TestGateway.layer>[0]) =>
  Layer.mergeAll(TestGateway.layer(options), Browser.layer)

layer(world({ settings: { sessionRate: { perSecond: 0.000_001, burst: 1 } } }), { excludeTestServices: true })(
  "everybody can read, on any screen, in any language:",
  (it) => {
    it.effect("a page that is not there", () =>
      Effect.gen(function* () {
        yield* notice("missing", 404, "This page is not here", `${yield* HostedPage.baseUrl}/pay/nobodys`)
      })
    )

    it.effect("too many requests", () =>
      Effect.gen(function* () {
        const { url } = yield* HostedPage.open(TestMerchant.freshId())
        yield* HostedPage.visit(url)
        yield* notice("crowded", 429, "One moment, please", url)
      })
    )
  }
)

it.live("everybody can read, on any screen, in any language: a gateway that cannot serve", () =>
  Effect.gen(function* () {
    const folder = yield* TestGateway.folder
    const look = Effect.gen(function* () {
      const { url } = yield* HostedPage.open(TestMerchant.freshId())
      yield* Effect.sync(() => {
        const database = new DatabaseSync(join(folder, "gateway.db"))
        database.exec("ALTER TABLE formsessions RENAME TO gone")
        database.close()
      })
      yield* notice("broken", 503, "Something went wrong", url)
    })
    yield* TestGateway.living(folder)(look)
  }).pipe(Effect.provide(Browser.layer, { local: true }))
)
