/**
 * Writes what this version leaves behind when it is killed with work of every kind open. Run it in a clone of the version, into
 * which this folder was copied: `node tests/crash/former/write.ts FOLDER`.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CallbackFailure, Unreachable } from "@pay/gateway/CallbackSender"
import { PayClient } from "@pay/transport/PayClient"
import { Deferred, Effect } from "effect"
import * as Files from "./Files.ts"
import * as OnFiles from "./OnFiles.ts"
import * as Requests from "./Requests.ts"

const [kept = ""] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "pay-former-"))

/** From then on nothing is sent to the bank. */
let isCutOff = false
const captured = Deferred.makeUnsafe<void>()

const layer = OnFiles.layer({
  folder,
  callbacks: () => Effect.fail(new CallbackFailure({ reason: new Unreachable({ message: "no connection" }) })),
  spoilBank: (bank) => ({
    ...bank,
    authorize: (authorization) => Effect.suspend(() => (isCutOff ? Effect.never : bank.authorize(authorization))),
    capture: (followUp) =>
      Effect.andThen(bank.capture(followUp), Effect.andThen(Deferred.succeed(captured, undefined), Effect.never))
  })
})

const made = (name: Requests.Name) => Effect.tap(Requests.create(name), () => OnFiles.settled)

const work = Effect.gen(function* () {
  // The bank refuses to release the hold when it lapses: operators are told.
  yield* made("task")
  yield* OnFiles.pass("7 days")

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
  Files.keep(folder, kept)
})

Effect.runFork(
  Effect.provide(work, layer).pipe(
    Effect.matchCause({
      onFailure: (cause) => {
        process.stderr.write(`${String(cause)}\n`)
        process.exit(1)
      },
      onSuccess: () => process.exit(0)
    })
  )
)
