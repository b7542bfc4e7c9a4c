import { assert, layer } from "@effect/vitest"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"

const cards = {
  challenge: "4444 0000 1111 8888",
  methodThenChallenge: "4444 0000 2222 4444",
  frictionless: "4444 0201 0000 0003",
  refused: "4444 0203 0000 0001",
  methodThenFrictionless: "4444 0207 0000 0007",
  silentMethod: "4444 0211 0000 0001",
  versionOne: "4444 0240 0000 0006"
} as const

const atIssuer = (page: Page) => PaymentPage.heading(page, "Confirm your payment")
const confirm = async (page: Page, text: string) => {
  await page.getByLabel("Password").fill(text)
  await page.getByRole("button", { name: "Confirm" }).click()
}
const passChallenge = async (page: Page) => {
  await atIssuer(page)
  await confirm(page, password)
}
const wrongThreeTimes = async (page: Page) => {
  await atIssuer(page)
  for (const left of [2, 1]) {
    await confirm(page, "guess")
    await page.getByRole("alert").getByText(`Tries left: ${left}.`).waitFor()
  }
  await confirm(page, "guess")
}
const cancel = async (page: Page) => {
  await atIssuer(page)
  await page.getByRole("button", { name: "Cancel" }).click()
}
const nothing = async () => {}

const successes = [
  ["a password at the issuer", cards.challenge, passChallenge],
  ["the hidden method page and a password", cards.methodThenChallenge, passChallenge],
  ["a password in version 1.0.2", cards.versionOne, passChallenge],
  ["no action of the customer", cards.frictionless, nothing],
  ["the hidden method page alone", cards.methodThenFrictionless, nothing]
] as const

const failures = [
  ["three wrong passwords", cards.challenge, wrongThreeTimes],
  ["three wrong passwords in version 1.0.2", cards.versionOne, wrongThreeTimes],
  ["a challenge that the customer cancels", cards.challenge, cancel]
] as const

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })("3-D Secure in a browser", (it) => {
  for (const [name, number, act] of successes) {
    it.effect(`approves the payment after ${name}`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.openSecure(page)
        yield* at(page, async () => {
          await PaymentPage.pay(page, { number })
          await act(page)
        })
        yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      })
    )
  }

  for (const [name, number, act] of failures) {
    it.effect(`charges nothing after ${name}, and lets the customer try another card`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.openSecure(page)
        yield* at(page, async () => {
          await PaymentPage.pay(page, { number })
          await act(page)
          await page.getByRole("alert").getByText("You can try 2 more times").waitFor()
        })
        yield* PaymentPage.statusIs(opened.names, "processing")
        yield* at(page, () => PaymentPage.pay(page, { number: cards.frictionless }))
        yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      })
    )
  }

  it.effect("declines the order after the issuer has refused three cards without a challenge", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const opened = yield* PaymentPage.openSecure(page)
      for (const left of ["You can try 2 more times", "You can try once more"]) {
        yield* at(page, async () => {
          await PaymentPage.pay(page, { number: cards.refused })
          await page.getByRole("alert").getByText(left).waitFor()
        })
      }
      yield* at(page, () => PaymentPage.pay(page, { number: cards.refused }))
      yield* PaymentPage.goBack(page, opened, "Payment not confirmed", "declined")
    })
  )

  it.effect(
    "continues after ten seconds if the method page does not answer",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.openSecure(page)
        yield* at(page, async () => {
          const framed = page.waitForResponse((response) => response.url().endsWith("/acs/method"))
          await PaymentPage.pay(page, { number: cards.silentMethod })
          await framed
          await PaymentPage.heading(page, "Your payment is being processed")
        })
        yield* PaymentPage.statusIs(opened.names, "processing")
        yield* TestMerchant.pass("10 seconds")
        yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      }),
    PaymentPage.alone
  )

  it.effect(
    "declines the order half an hour after the customer has left the challenge",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.openSecure(page)
        yield* at(page, async () => {
          await PaymentPage.pay(page, { number: cards.challenge })
          await atIssuer(page)
        })
        yield* TestMerchant.pass("31 minutes")
        yield* PaymentPage.statusIs(opened.names, "declined")
        yield* at(page, () => page.goto(opened.url))
        yield* at(page, () => PaymentPage.heading(page, "Time is up"))
      }),
    PaymentPage.alone
  )

  it.effect("lets the customer go back from the issuer and continue, and charges once", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const opened = yield* PaymentPage.openSecure(page)
      yield* at(page, async () => {
        await PaymentPage.pay(page, { number: cards.challenge })
        await atIssuer(page)
        await page.goBack()
        await passChallenge(page)
      })
      yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      assert.deepInclude(yield* TestMerchant.status(opened.names), { "captured-amount": "10.42" })
    })
  )

  it.effect("works without JavaScript, by buttons alone", () =>
    Effect.gen(function* () {
      const page = yield* customer({ javaScriptEnabled: false })
      const opened = yield* PaymentPage.openSecure(page)
      yield* at(page, async () => {
        await PaymentPage.pay(page, { number: cards.challenge })
        await page.getByRole("button", { name: "Continue to your bank" }).click()
        await passChallenge(page)
        await page.getByRole("button", { name: "Continue" }).click()
      })
      yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
    })
  )
})
