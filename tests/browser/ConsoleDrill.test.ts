/** An incident as operators meet it: the bank dies with sales under way, and two people settle them with the console alone. */
import { assert, describe, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as WorldServer from "@pay/sandbox/WorldServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Context, Effect, Exit, Layer, Logger, Metric, Redacted, Schedule, Scope } from "effect"
import type { Locator, Page } from "playwright-core"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Operating from "../harness/Operating.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"
import * as Views from "./Views.ts"

const saleCount = 12
const mostClicks = 12
const size = { viewport: { width: 1280, height: 800 } }

const tokenOf = (name: string) => `the token of ${name}`
const operators = ["ada", "ben"].map((name) => ({ name, token: Redacted.make(tokenOf(name)) }))

/** A bank in a server of its own, which `kill` ends with all its connections. */
const bank = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const world = yield* Layer.build(WorldServer.layer()).pipe(Scope.provide(scope))
  const { url } = Context.get(world, WorldServer.WorldServer)
  return { url, control: Context.get(world, SandboxControl), kill: Scope.close(scope, Exit.void) }
})

/** Outcomes may be stated at once: a lost sale is never sent again in this test. */
const settings = { resubmitWithinMs: 1 }

const ask = Operating.as(tokenOf("ada"))

/** What an operator's program reads at this address, as soon as it is so. */
const until = (target: string, isSo: (body: Operating.Reply["body"]) => boolean) =>
  Effect.repeat(ask("GET", target), { schedule: Schedule.spaced("20 millis"), until: ({ body }) => isSo(body) })

const isEveryBankRequest = ({ counterparties }: Operating.Reply["body"]) =>
  Array.isArray(counterparties) &&
  counterparties.some(({ inFlight, name }) => name === "acquirer" && inFlight === saleCount)

/** Whether the gateway has given every request up, for one and the same reason. */
const isOfOneCause = ({ outcomes }: Operating.Reply["body"]) =>
  Array.isArray(outcomes) && outcomes.length === saleCount && new Set(outcomes.map(({ answer }) => answer)).size === 1

/** A person at a browser who counts the clicks. Typing is free; the field for it is chosen by a click. */
const person = (page: Page, clicks: { count: number }) => {
  const click = async (target: Locator) => {
    clicks.count += 1
    await target.click()
  }
  return {
    click,
    type: async (target: Locator, text: string) => {
      await click(target)
      await page.keyboard.type(text)
    },
    press: (name: string) => click(page.getByRole("button", { name, exact: true })),
    /** The field of the token gets the focus while the page opens. */
    signIn: async (url: string, name: string) => {
      await page.goto(`${url}/console`)
      await page.locator("input:focus").waitFor()
      await page.keyboard.type(tokenOf(name))
      await click(page.getByRole("button", { name: "Sign in" }))
      await PaymentPage.heading(page, "Now")
    }
  }
}

describe("a bank that dies", () => {
  it.live("is found on Now, understood on Unknown, and its orders are settled by two people", () =>
    Effect.gen(function* () {
      const { control, kill, url } = yield* bank
      yield* control.choose(() => ({ latencyMs: 3_600_000 }))
      const dataDirectory = yield* temporaryFolder
      const gateway = Sandbox.layerOn(url, { dataDirectory, port: 0, operators, settings }).pipe(
        Layer.provide(Logger.layer([])),
        // The bank of this process counts its requests, too.
        Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map()))
      )
      const clicks = { count: 0 }
      yield* Effect.gen(function* () {
        const { operatorUrl } = yield* NodeServer
        const sales = yield* Effect.forEach(Array.from({ length: saleCount }), () => TestMerchant.create("SALE"))
        yield* until("/operator/now", isEveryBankRequest)
        yield* kill
        yield* until("/operator/unknown", isOfOneCause)

        const [first, second] = [yield* customer(size), yield* customer(size)]
        yield* at(first, async (page) => {
          const ada = person(page, clicks)
          await ada.signIn(operatorUrl, "ada")
          await page.getByText("does not answer, or cannot be reached").waitFor()
          await Views.takePicture(page, "console-incident")
          await ada.click(page.getByRole("link", { name: `${saleCount} requests whose outcome is unknown` }))
          await PaymentPage.heading(page, "Unknown and waiting")
          await ada.press("Ask the bank about all now")
          await page.getByText("Done. The audit has it.").waitFor()
        })
        yield* until("/operator/unknown", isOfOneCause)
        yield* at(first, async (page) => {
          const ada = person(page, clicks)
          await page.reload()
          await ada.click(page.getByLabel(`All ${saleCount} of these`))
          await ada.type(
            page.getByLabel("Who stated it, and when"),
            "Ms Smith of the bank, by telephone: nothing was booked"
          )
          await ada.press("Propose for the chosen orders")
          await page.getByText("Done. The audit has it.").waitFor()
        })
        yield* at(second, async (page) => {
          const ben = person(page, clicks)
          await ben.signIn(operatorUrl, "ben")
          await ben.click(page.getByRole("link", { name: `${saleCount} requests whose outcome is unknown` }))
          await page.getByText("nothing was booked").first().waitFor()
          await ben.click(page.getByLabel(`All ${saleCount} of these`))
          await ben.press("Confirm")
          await page.getByText("No outcome is unknown.").waitFor()
        })
        for (const sale of sales)
          assert.include(yield* TestMerchant.orderStatus(TestMerchant.nameOf(sale)), "declined sale")
      }).pipe(Effect.provide(gateway))
      assert.isAtMost(clicks.count, mostClicks)
    }).pipe(Effect.scoped)
  )
})
