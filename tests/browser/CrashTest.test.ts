import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Shop } from "@pay/crashtest/Shop"
import * as ShopLive from "@pay/crashtest/ShopLive"
import * as Template from "@pay/crashtest/Template"
import { ConfigProvider, Effect, Layer } from "effect"
import * as Chromium from "../../scripts/Chromium.ts"

const template = Template.fromValue({
  url: "http://127.0.0.1:{port}",
  ready: "/ready",
  answer: "3 seconds",
  buy: {
    customer: [
      { open: "/checkout/{order}?amount={amount}" },
      { fill: "#card", with: "{card}" },
      { select: "#country", option: "United States" },
      { click: "button:not([disabled])" },
      { wait: "h1" },
      { see: "Thank you" }
    ],
    failed: { text: "declined" }
  },
  ask: { request: "GET /orders/{order}", paid: { json: "state", is: "paid" } }
})

const layer = Layer.unwrap(
  Effect.map(template, (read) =>
    ShopLive.layer({
      template: read,
      command: [process.execPath, join(import.meta.dirname, "checkout.mjs")],
      folder: import.meta.dirname,
      gateway: { url: "http://127.0.0.1:1", login: "", controlKey: "", endpointId: "1", privateKeyFile: "" }
    })
  )
)

const order = (name: string) => ({
  name,
  amountMinor: 1042,
  currency: "USD",
  case: { number: 1, action: "buy", faults: [], killedAt: 0 } as const
})

it.layer(layer, { excludeTestServices: true })("a customer of a crash test in Chromium", (it) => {
  it.effect("takes the steps of the template", () =>
    Effect.gen(function* () {
      const shop = yield* Shop
      yield* shop.start.pipe(
        Effect.provideService(
          ConfigProvider.ConfigProvider,
          ConfigProvider.fromUnknown({ PAY_CHROMIUM: Chromium.find() })
        )
      )
      const lines: Array<string> = []
      const buy = (name: string) => shop.buy(order(name), (text) => Effect.sync(() => void lines.push(text)))
      const answers = yield* Effect.forEach(["one", "declined", "three"], buy, { concurrency: 3 })
      expect(answers, lines.join("\n")).toEqual(["paid", "failed", "paid"])
      expect(lines.join("\n")).not.toContain("4444555566661111")
      expect((yield* shop.ask(order("one"))).paid).toBe("yes")
      // The shop is killed, and the browser stays.
      yield* shop.kill
      yield* shop.start
      expect(yield* buy("after")).toBe("paid")
    })
  )
})
