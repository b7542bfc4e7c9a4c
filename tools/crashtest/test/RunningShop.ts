/** A program that starts a shop as a crash test does, and then ends as its first argument says. */
import { join } from "node:path"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import * as ShopProcess from "../src/shop/ShopProcess.ts"

const [, , end, url = "", odd] = process.argv
const folder = join(import.meta.dirname, "shops")

const program = Effect.gen(function* () {
  const shop = yield* ShopProcess.make({
    command: [process.execPath, ...(odd === undefined ? ["shop.mjs"] : ["odd.mjs", odd]), new URL(url).port],
    place: { folder, env: {} },
    url: new URL(url),
    ready: "/",
    startMs: 30_000,
    cardData: { numbers: [], beside: [] },
    id: url
  })
  yield* shop.start
  console.log("the shop runs")
  if (end === "defect") return yield* Effect.die(new Error("a defect"))
  if (end === "exit") return process.exit(3)
  if (end === "throw") setImmediate(() => Promise.reject(new Error("nobody catches this")))
  return yield* Effect.never
}).pipe(Effect.scoped)

NodeRuntime.runMain(program, { disableErrorReporting: true })
