/**
 * A database of the version before, whose process was killed with work of every kind open: this version opens it and goes on, and
 * nothing is done twice. `former/write.ts` has written the files in that version; bank, rail and issuer know what they knew then.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as Parity from "@pay/gateway/Parity"
import { Store } from "@pay/gateway/Store"
import type { Booking } from "@pay/sandbox/Booking"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as Files from "./former/Files.ts"
import * as OnFiles from "./former/OnFiles.ts"
import * as Persons from "./former/Persons.ts"
import * as Requests from "./former/Requests.ts"

const left = ``
const withParts = ``
const without = ``

const names = Object.keys(Requests.creations) as ReadonlyArray<Requests.Name>

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-former-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

type Told = Array<{ readonly order: string; readonly event: string; readonly status: string }>

/** The files, opened by this version; what the merchant's server hears is kept. */
const opened = <A, E, R>(play: (told: Told) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const path = yield* folder
    Files.lay(join(import.meta.dirname, "former/c4d391b"), path)
    const told: Told = []
    const callbacks = ({ headers, url }: { readonly headers: Readonly<Record<string, string>>; readonly url: string }) =>
      Effect.sync(() => {
        const { merchant_order: order = "", status = "" } = Object.fromEntries(new URL(url).searchParams)
        told.push({ order, event: String(headers["webhook-id"]), status })
        return { status: 200 }
      })
    return yield* Effect.provide(play(told), OnFiles.layer({ folder: path, callbacks }))
  })

const statusOf = (client_orderid: string) =>
  Effect.flatMap(PayClient, (client) => OnFiles.byWallTime(client.status({ client_orderid })))

const short = ({ answer, repeats, request: { amountMinor, orderId, reference } }: Booking) =>
  [
    reference.replace(`${orderId}-`, ""),
    amountMinor,
    answer._tag === "Declined" ? "declined" : "",
    repeats === 0 ? "" : `again ${repeats}`
  ]
    .filter((part) => part !== "")
    .join(" ")

const booked = Effect.fnUntraced(function* (orderId: string) {
  const bank = yield* SandboxControl
  const rail = yield* RailControl
  return [...(yield* bank.books.ofOrder(orderId)), ...(yield* rail.books.ofOrder(orderId))].map(short).join(", ")
})

const row = Effect.fnUntraced(function* (name: string) {
  const answer = yield* statusOf(name)
  return [name, `${answer.status} ${answer["transaction-type"]}`, yield* booked(answer["paynet-order-id"])].join(" | ")
})

describe("x", () => {
  it.live("y", () =>
    opened((told) =>
      Effect.gen(function* () {
        for (const name of names) console.log(yield* row(name))
        const orders: Record<string, string> = {}
        for (const name of names) {
          const { "paynet-order-id": id } = yield* statusOf(name)
          const again = yield* Requests.create(name)
          console.log(name, id, again)
          orders[name] = id
        }
        yield* Persons.doTheirParts(orders)
        yield* OnFiles.pass("45 days")
        for (const name of [...names, "rebill"]) console.log(yield* row(name))
        console.log(told)
        console.log((yield* Parity.check).findings)
      })
    )
  )
})
