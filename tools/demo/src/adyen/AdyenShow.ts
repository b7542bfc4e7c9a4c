/**
 * `npm start -- --acquirer adyen`: the payments of the demonstration with Adyen as the bank. The adapter of `@pay/adyen` speaks HTTP with
 * a simulated Adyen in this process, which sends its webhooks to the gateway. At the end, both books are compared.
 */
import * as Adyen from "@pay/adyen/Adyen"
import * as Simulator from "@pay/adyen/Simulator"
import * as Acquirer from "@pay/gateway/Acquirer"
import { NotificationServer } from "@pay/gateway/Gateway"
import * as Notifications from "@pay/gateway/Notifications"
import * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import * as Inbox from "../Inbox.ts"
import * as PaymentSteps from "../PaymentSteps.ts"
import * as StepRunner from "../StepRunner.ts"
import { bold, green, red, row, say } from "../TerminalOutput.ts"
import * as World from "../World.ts"
import * as AdyenSteps from "./AdyenSteps.ts"

const account = { apiKey: "demonstration", merchantAccount: "FoxgloveECOM" }
/** Signs the webhooks of this demonstration, and protects nothing. */
const hmacKey = "D0".repeat(32)
const toolkit = { Effect, Redacted, Acquirer, Notifications, ThreeDSServer }

const steps = Effect.fnUntraced(function* ({ deliverTo, events, requests, url }: Simulator.Simulator) {
  const notifications = yield* NotificationServer
  deliverTo(`${notifications.url}/notifications/acquirer`)
  yield* say(
    bold("The gateway's bank is a simulated Adyen, over HTTP"),
    row("adyen", url),
    row("webhooks", `${notifications.url}/notifications/acquirer`),
    ""
  )
  const payments = PaymentSteps.steps(yield* StepRunner.year, AdyenSteps.cards)
  const wrong = yield* World.inRealTime(StepRunner.run(payments))
  const challenged = yield* World.inRealTime(AdyenSteps.challenge)
  yield* say(`Adyen had ${requests.length} requests, and sent ${events.bodies.length} webhooks.`)
  return [...wrong, ...challenged, ...(yield* StepRunner.reconciliation("the gateway and Adyen"))]
})

/** Returns a message for each outcome that was not as expected. */
export const run = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const dataDirectory = yield* files.makeTempDirectoryScoped({ prefix: "pay-adyen-" })
  const adyen = yield* Simulator.open({ ...account, hmacKey, merchantAccounts: [account.merchantAccount] })
  const settings = { ...account, url: adyen.url, hmacKeys: [hmacKey] as const, returnUrl: "https://shop.example/back" }
  const adapters = { ...Adyen.make(settings)(toolkit), bankBooks: adyen.books }
  const world = World.layer({ dataDirectory, port: 0, adapters }).pipe(
    Layer.provideMerge(Inbox.layer(Redacted.make(Sandbox.merchant.controlKey)))
  )
  const wrong = yield* steps(adyen).pipe(Effect.scoped, Effect.provide(world, { local: true }))
  yield* wrong.length === 0
    ? say(green("All outcomes are as expected."), "")
    : say(red("Not as expected:"), ...wrong.map((line) => `  ${line}`), "")
  return wrong
}).pipe(Effect.scoped)
