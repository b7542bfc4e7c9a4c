/**
 * `npm start -- --verbose` and `--once`: payments, payouts, three months of a subscription and a visit to the shop. Each step is
 * printed and compared with its expected outcome. The steps run in a separate data folder, which is deleted at the end: the clock
 * of the permanent demonstration does not move, and its gateway keeps no unfinished orders of this program.
 */
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import * as Inbox from "./Inbox.ts"
import * as PaymentSteps from "./PaymentSteps.ts"
import * as PayoutSteps from "./PayoutSteps.ts"
import * as ShopProcess from "./ShopProcess.ts"
import * as ShopSteps from "./ShopSteps.ts"
import * as StepRunner from "./StepRunner.ts"
import { green, red, say } from "./TerminalOutput.ts"
import * as World from "./World.ts"

const steps = Effect.fnUntraced(function* (dataDirectory: string) {
  const { publicBaseUrl: gateway } = yield* NodeServer
  const { officePassword } = World
  const payments = PaymentSteps.steps(yield* StepRunner.year)
  const wrong = [...(yield* World.inRealTime(StepRunner.run(payments))), ...(yield* World.inRealTime(PayoutSteps.run))]
  const shop = yield* ShopProcess.open({ gateway, dataDirectory: `${dataDirectory}/shop`, port: 0, officePassword })
  const bought = yield* World.inRealTime(ShopSteps.run(shop, officePassword))
  return [...wrong, ...bought, ...(yield* StepRunner.reconciliation("these steps"))]
})

/** Returns a message for each outcome that was not as expected. */
export const run = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const dataDirectory = yield* files.makeTempDirectoryScoped({ prefix: "pay-demo-" })
  const world = World.layer({ dataDirectory, port: 0 }).pipe(
    Layer.provideMerge(Inbox.layer(Redacted.make(Sandbox.merchant.controlKey)))
  )
  const wrong = yield* steps(dataDirectory).pipe(Effect.scoped, Effect.provide(world, { local: true }))
  yield* wrong.length === 0
    ? say(green("All outcomes are as expected."), "")
    : say(red("Not as expected:"), ...wrong.map((line) => `  ${line}`), "")
  return wrong
}).pipe(Effect.scoped)
