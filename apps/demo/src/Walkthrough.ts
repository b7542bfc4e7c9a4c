/**
 * `npm start -- --verbose` and `--once`: payments, payouts, three months of a subscription and a visit to the shop. Each step is
 * printed and compared with its expected outcome. The steps run in a separate data folder, which is deleted at the end: the clock
 * of the permanent demonstration does not move, and its gateway keeps no unfinished orders of this program.
 */
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import * as Inbox from "./Inbox.ts"
import * as MoneyOut from "./MoneyOut.ts"
import * as Presentation from "./Presentation.ts"
import * as ShopJourney from "./ShopJourney.ts"
import * as ShopProcess from "./ShopProcess.ts"
import { green, red, say } from "./Telling.ts"
import * as World from "./World.ts"

const steps = Effect.fnUntraced(function* (dataDirectory: string) {
  const { publicBaseUrl: gateway } = yield* NodeServer
  const { officePassword } = World
  const wrong = [...(yield* World.inRealTime(Presentation.story)), ...(yield* World.inRealTime(MoneyOut.play))]
  const shop = yield* ShopProcess.open({ gateway, dataDirectory: `${dataDirectory}/shop`, port: 0, officePassword })
  const bought = yield* World.inRealTime(ShopJourney.play(shop, officePassword))
  return [...wrong, ...bought, ...(yield* Presentation.reconciliation)]
})

/** Returns a message for each outcome that was not as expected. */
export const play = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const dataDirectory = yield* files.makeTempDirectoryScoped({ prefix: "pay-demo-" })
  const world = World.layer({ dataDirectory, port: 0 }).pipe(
    Layer.provideMerge(Inbox.layer(Redacted.make(Sandbox.merchant.controlKey)))
  )
  const wrong = yield* steps(dataDirectory).pipe(Effect.scoped, Effect.provide(world, { local: true }))
  yield* wrong.length === 0
    ? say(green("Everything came to what it should."), "")
    : say(red("Not as expected:"), ...wrong.map((line) => `  ${line}`), "")
  return wrong
}).pipe(Effect.scoped)
