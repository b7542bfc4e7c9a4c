/**
 * Many recurring payments that fall due on the same day, over three gateways on one PostgreSQL: each is charged once, in the order in which
 * they were due but for what is charged side by side.
 */

import * as Decision from "@pay/gateway/Decision"
import { Job, Occurrence, Subscription } from "@pay/gateway/Entities"
import { KeyRing, KeyVault, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { AuthClock, Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import * as PostgresServer from "../../postgres/PostgresServer.ts"
import * as Session from "../../postgres/Session.ts"
import * as Deployment from "../Deployment.ts"
import * as Invariants from "../Invariants.ts"
import * as Merchant from "../Merchant.ts"
import * as Subscriptions from "../Subscriptions.ts"

export interface Result {
  readonly payments: number
  readonly seconds: number
  /** How many places a charge was too early or too late by the order in which payments were due, at most. */
  readonly overtaken: number
  readonly problems: ReadonlyArray<string>
}

export interface Options {
  readonly payments: number
  readonly onProgress: (line: string) => void
}

const dayMs = 86_400_000
const perCommit = 500
const pan = Redacted.make("4444333322221111")

const idOf = (n: number): string => String(100_000_000_000_000_000n + BigInt(n))

/** Copies the first recurring payment so often. Each copy is due one millisecond after the one before. */
const fill = Effect.fnUntraced(function* (first: string, count: number) {
  const store = yield* Store
  const vault = yield* KeyVault
  const payment = yield* Effect.fromNullishOr(yield* store.load(Subscription, [first]))
  const job = yield* Effect.fromNullishOr(yield* store.load(Job, [`recurring:${first}`]))
  const rows = (n: number) => {
    const subscriptionId = idOf(n)
    const own = { subscriptionId, orderId: `${n}`, clientOrderId: `club-${n}`, callbackUrl: null, notifyUrl: null }
    return [
      Decision.append(Subscription, { ...payment, ...own, encryptedPan: vault.encrypt(pan, subscriptionId) }),
      Decision.append(Job, {
        ...job,
        jobId: `recurring:${subscriptionId}`,
        subject: subscriptionId,
        dueAtMs: job.dueAtMs + n
      })
    ]
  }
  for (let from = 0; from < count; from += perCommit) {
    const numbers = Array.from({ length: Math.min(perCommit, count - from) }, (_, n) => from + n)
    yield* store.commit({ guards: [], writes: numbers.flatMap(rows) })
  }
})

/** Charges of the second day that are not there exactly once, and how many places one was charged too early or too late, at most. */
const judge = Effect.fnUntraced(function* (count: number) {
  const store = yield* Store
  const { books } = yield* SandboxControl
  const charges = (yield* books.all).filter(({ answer }) => answer._tag === "Approved")
  const byOrder = Map.groupBy(charges, ({ request }) => request.orderId)
  const places = new Map([...byOrder.keys()].map((orderId, place) => [orderId, place]))
  const problems: Array<string> = []
  const order: Array<readonly [place: number, n: number]> = []
  for (let n = 0; n < count; n += perCommit) {
    const some = { from: idOf(n), to: idOf(Math.min(n + perCommit, count)), limit: perCommit + 1 }
    const rows = new Map((yield* store.find(Occurrence, "key", some)).map((row) => [row.subscriptionId, row]))
    for (let at = n; at < Math.min(n + perCommit, count); at += 1) {
      const { attempts, orderId, progress } = rows.get(idOf(at)) ?? { orderId: null }
      const times = byOrder.get(orderId ?? "")?.length ?? 0
      if (progress !== "charged" || attempts !== 1 || times !== 1)
        problems.push(
          `recurring payment ${at} is ${progress ?? "not charged"}, and the bank has ${times} charges of it`
        )
      order.push([places.get(orderId ?? "") ?? 0, at])
    }
  }
  order.sort(([one], [other]) => one - other)
  const overtaken = order.reduce((most, [, n], place) => Math.max(most, Math.abs(n - place)), 0)
  return { problems, overtaken }
})

export const run = Effect.fnUntraced(function* ({ onProgress, payments }: Options) {
  const server = yield* PostgresServer.make()
  const database = Session.url([server.port])
  const deployment = yield* Deployment.make({ database })
  const merchant = yield* Merchant.make(deployment.balancer.url)
  const [first = ""] = yield* Subscriptions.create(merchant, 1)
  yield* Invariants.settle(deployment)
  onProgress(`making ${payments} recurring payments`)
  const keyRing = yield* KeyRing.fromFile(deployment.keyRing, { create: false })
  const vault = Layer.provide(KeyVaultLocal.layer({ keyRing }), AuthClock.layer)
  yield* deployment.read(Effect.provide(fill(first, payments), Layer.orDie(vault)))

  const beganMs = performance.now()
  yield* deployment.advance(dayMs)
  const done = `SELECT count(*)::int AS n FROM pay.occurrences WHERE n = 1 AND progress = 'charged' AND "subscriptionId" <> $1`
  yield* Session.query({ connectionString: database }, done, [first]).pipe(
    Effect.map(([row]) => Number(row?.n)),
    Effect.tap((count) =>
      Effect.sync(() => onProgress(`${Math.round((performance.now() - beganMs) / 1000)} s: ${count} charged`))
    ),
    Effect.repeat({ until: (count) => count >= payments, schedule: Schedule.spaced("5 seconds") }),
    Effect.orDie
  )
  const seconds = (performance.now() - beganMs) / 1000
  onProgress("checking each of them")
  const judged = yield* deployment.read(
    Effect.provideService(judge(payments), SandboxControl, Context.get(deployment.world, SandboxControl))
  )
  return { payments, seconds, ...judged } satisfies Result
})
