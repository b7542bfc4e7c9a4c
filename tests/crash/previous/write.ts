/**
 * Writes the files that this version leaves when it is killed with jobs of every kind open. Run it in a clone of the version, into
 * which this folder was copied: `node tests/crash/previous/write.ts FOLDER`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CallbackFailure, Unreachable } from "@pay/gateway/CallbackSender"
import { PayClient } from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Deferred, Effect, Layer } from "effect"
import * as Files from "./Files.ts"
import * as Flows from "./Flows.ts"
import * as OnFiles from "./OnFiles.ts"
import * as Requests from "./Requests.ts"

const [saved = ""] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "pay-previous-"))

/** From then on no request reaches the bank. */
let isCutOff = false
const captured = Deferred.makeUnsafe<void>()
/** The gateway received the flow.s capture, and the answer is lost. */
let isLost = false
/** The gateway received the flow.s payout, and the process never receives the answer. */
let isPaid = false
let isChallenged = false

const gateway = OnFiles.layer({
  folder,
  callbacks: () => Effect.fail(new CallbackFailure({ reason: new Unreachable({ message: "no connection" }) })),
  spoilBank: (bank) => ({
    ...bank,
    authorize: (authorization) => Effect.suspend(() => (isCutOff ? Effect.never : bank.authorize(authorization))),
    capture: (followUp) =>
      followUp.clientOrderId === "capture-under-way"
        ? Effect.andThen(
            bank.capture(followUp),
            Effect.suspend(() => {
              Deferred.doneUnsafe(captured, Effect.void)
              return Effect.never
            })
          )
        : bank.capture(followUp)
  }),
  spoilWire: ({ body, url }, answered) => {
    if (url.includes("/capture/") && body.includes("flow-capture"))
      return Effect.flatMap(answered, () => {
        isLost = true
        return Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))
      })
    if (url.includes("/payout-pay/") && body.includes("flow-payout"))
      return Effect.flatMap(answered, () => {
        isPaid = true
        return Effect.never
      })
    return answered
  }
})

const flows = Flows.layer(folder, ({ nextAction }) =>
  Effect.sync(() => {
    isChallenged = nextAction._tag === "Challenge"
  })
)

const made = (name: Requests.Name) => Effect.tap(Requests.create(name), () => OnFiles.settled)

/** Advances time by seconds until the condition holds. */
const until = Effect.fnUntraced(function* (has: () => boolean) {
  for (let seconds = 0; !has(); seconds += 1) {
    if (seconds > 60) throw new Error("the flows do not come as far as they should")
    yield* Flows.turn
    yield* OnFiles.pass("1 second")
  }
  yield* Flows.turn
  yield* OnFiles.settled
})

const work = Effect.gen(function* () {
  // The bank refuses to release the hold when it lapses: operators are told.
  yield* made("task")
  yield* OnFiles.pass("7 days")

  yield* Flows.startSale
  yield* until(() => isChallenged)
  const { orderid: captureOrder } = yield* made("flow-capture")
  yield* Flows.startCapture(captureOrder)
  yield* until(() => isLost)
  yield* Flows.startPayOut
  yield* until(() => isPaid)

  const { orderid } = yield* made("card-stored")
  const client = yield* PayClient
  yield* OnFiles.byWallTime(client.cardref({ client_orderid: "card-stored", orderid }))
  for (const name of [
    "club",
    "preauth-held",
    "3ds-challenge",
    "page-open",
    "payout-waiting",
    "payout-checked",
    "sale-not-told",
    "sale-unknown",
    "sale-never-arrived"
  ] as const)
    yield* made(name)
  const preauth = yield* made("capture-under-way")
  yield* Requests.capture(preauth.orderid)
  yield* Deferred.await(captured)
  isCutOff = true
  yield* Requests.create("sale-not-asked")
  process.stdout.write(`${JSON.stringify(yield* Flows.standings)}\n`)
  Files.save(folder, saved)
  // Killed: nothing is closed in good order.
  process.exit(0)
})

process.on("exit", () => rmSync(folder, { recursive: true }))
Effect.runFork(
  Effect.provide(work, Layer.provideMerge(flows, gateway)).pipe(
    Effect.tapCause((cause) =>
      Effect.sync(() => {
        process.stderr.write(`${String(cause)}\n`)
        process.exit(1)
      })
    )
  )
)
