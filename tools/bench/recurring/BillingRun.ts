/**
 * A gateway with many recurring payments that are all due, as a process. It reports the charges and their order, its peak memory,
 * and the longest pause of its event loop. Arguments: data folder, number of recurring payments. Prints the report as JSON on
 * stdout.
 */
import { readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Acquirer } from "@pay/gateway/Acquirer"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import * as Decision from "@pay/gateway/Decision"
import * as Directory from "@pay/gateway/Directory"
import { Job, Occurrence, Subscription } from "@pay/gateway/Entities"
import * as Gateway from "@pay/gateway/Gateway"
import { KeyRing, KeyVault, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { Scheduler } from "@pay/gateway/Scheduler"
import { AuthClock, Store } from "@pay/gateway/Store"
import * as Sandbox from "@pay/server/Sandbox"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Clock, Console, Effect, Layer, Redacted } from "effect"
import * as Measure from "../Measure.ts"

export interface Report {
  readonly charged: number
  /** Number of recurring payments that were charged more than once, or not correctly. */
  readonly wrong: number
  /** Largest distance between the position of a charge and the position of its due date. */
  readonly overtaken: number
  readonly seconds: number
  /** Peak resident memory, and the part that belongs to no file. The rest is the database that the kernel maps, and can evict. */
  readonly peakRssMiB: number
  readonly peakOwnMiB: number
  /** Longest pause of the event loop in real time, and longest piece of work in processor time of the thread. */
  readonly pauseMs: number
  readonly busyMs: number
}

const [dataDirectory = ".", count = "1000"] = process.argv.slice(2)
const total = Number(count)
const dayMs = 86_400_000
const perCommit = 100

const idOf = (n: number): string => String(100_000_000_000_000_000n + BigInt(n))

/** The numbers of the recurring payments, in the order in which the bank received the charges. */
const charges: Array<number> = []
const ordinals = new Map<string, number>()

/** A bank that approves every payment immediately, and records only the order of the requests. */
const bank = Layer.effect(
  Acquirer,
  Effect.map(Store, (store) => {
    const approved = { _tag: "Approved", approvalCode: "000001", processorTxId: "bench" } as const
    const unused = Effect.die(new Error("not part of a billing run"))
    return Acquirer.checked({
      capabilities: { longestProcessingMs: 60_000, deadlineMs: 20_000, transfers: false, eligibility: false },
      authorize: ({ orderId }) => {
        ordinals.set(orderId, charges.length)
        charges.push(0)
        return Effect.as(
          Effect.sync(() => store.exclusive),
          approved
        )
      },
      eligible: () => unused,
      followUp: () => unused,
      inquire: () => unused
    })
  })
)

const silent = Layer.succeed(
  CallbackSender,
  CallbackSender.of({ send: () => Effect.die(new Error("nobody is told in a billing run")) })
)

const keyVault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing }))).pipe(
  Layer.provide(AuthClock.layer)
)

const base = Layer.mergeAll(SqliteStore.layer({ path: `${dataDirectory}/billing.db` }), keyVault, silent)
const world = Layer.provideMerge(bank, base)
const gateway = Gateway.layer.pipe(Layer.provideMerge(Directory.layer(Sandbox.merchants)))

/**
 * Creates the recurring payments. Each is daily and was charged yesterday for the first time, so the second charge is due since
 * midnight.
 */
const fill = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const nowMs = yield* Clock.currentTimeMillis
  const midnightMs = Math.floor(nowMs / dayMs) * dayMs
  const anchorDay = new Date(midnightMs - dayMs).toISOString().slice(0, 10)
  const { endpoints, login } = Sandbox.merchant
  const rowOf = (n: number): Subscription => {
    const subscriptionId = idOf(n)
    return {
      subscriptionId,
      version: 1,
      merchantId: login,
      endpointId: endpoints.usd,
      orderId: `${n}`,
      clientOrderId: `club-${n}`,
      state: "active",
      reasonCode: null,
      reasonMessage: null,
      paused: 0,
      chargeNumberBase: null,
      chargeNumbersUntil: null,
      currency: "USD",
      amountMinor: 1042,
      period: "daily",
      interval: 1,
      anchorDay,
      finishDay: null,
      occurrences: null,
      timeZone: "UTC",
      next: 1,
      encryptedPan: vault.encrypt(Redacted.make("4444333322221111"), subscriptionId),
      panHash: "v1.bench",
      schemeReference: null,
      bin: "444433",
      lastFour: "1111",
      cardType: "VISA",
      cardholder: "JOHN SMITH",
      expireMonth: 12,
      expireYear: 2099,
      description: "Club",
      email: "john.smith@gmail.com",
      phone: null,
      ipAddress: "203.0.113.7",
      country: "US",
      callbackUrl: null,
      notifyUrl: null,
      callbackFormat: "query",
      eventCount: 0,
      createdAtMs: midnightMs - dayMs
    }
  }
  const itemOf = (n: number): Job => ({
    jobId: `recurring:${idOf(n)}`,
    kind: "recurring",
    subject: idOf(n),
    merchantId: login,
    dueAtMs: midnightMs,
    openAttempts: 0,
    tries: 0,
    startedAtMs: null,
    token: null,
    leaseUntilMs: 0
  })
  for (let from = 0; from < total; from += perCommit) {
    const numbers = Array.from({ length: Math.min(perCommit, total - from) }, (_, n) => from + n)
    yield* store.commit({
      guards: [],
      writes: numbers.flatMap((n) => [Decision.append(Subscription, rowOf(n)), Decision.append(Job, itemOf(n))])
    })
  }
})

/** Verifies that every recurring payment has one charge, in the order of the due dates. */
const judge = Effect.gen(function* () {
  const store = yield* Store
  let wrong = 0
  let after = ""
  let n = 0
  while (true) {
    const rows = (yield* store.find(Occurrence, "key", { from: after, limit: 1001 })).filter(
      ({ subscriptionId }) => subscriptionId !== after
    )
    for (const { attempts, orderId, progress, subscriptionId } of rows) {
      const place = ordinals.get(orderId ?? "")
      if (subscriptionId !== idOf(n) || progress !== "charged" || attempts !== 1 || place === undefined) wrong += 1
      else charges[place] = n
      n += 1
      after = subscriptionId
    }
    if (rows.length === 0) break
  }
  let overtaken = 0
  charges.forEach((number, place) => {
    overtaken = Math.max(overtaken, Math.abs(number - place))
  })
  return { wrong: wrong + Math.abs(n - total) + Math.abs(charges.length - total), overtaken }
})

/** Returns the bytes of memory that belong to no file. On systems other than Linux, returns all resident memory. */
const ownBytes = (): number => {
  if (process.platform !== "linux") return process.memoryUsage.rss()
  const [, kibibytes = "0"] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
  return Number(kibibytes) * 1024
}

const run = Effect.gen(function* () {
  yield* fill
  globalThis.gc?.()
  let peakRss = 0
  let peakOwn = 0
  const memory = setInterval(() => {
    peakRss = Math.max(peakRss, process.memoryUsage.rss())
    peakOwn = Math.max(peakOwn, ownBytes())
  }, 100)
  let busyMicros = 0
  let lastMicros = Measure.threadMicros()
  const looks = setInterval(() => {
    const nowMicros = Measure.threadMicros()
    busyMicros = Math.max(busyMicros, nowMicros - lastMicros)
    lastMicros = nowMicros
  }, 2)
  const loop = monitorEventLoopDelay({ resolution: 2 })
  loop.enable()
  const begun = process.hrtime.bigint()
  yield* Effect.provide(
    Effect.flatMap(Scheduler, ({ settled }) => settled),
    gateway,
    { local: true }
  )
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9
  loop.disable()
  clearInterval(looks)
  clearInterval(memory)
  const charged = charges.length
  const { overtaken, wrong } = yield* judge
  const report: Report = {
    charged,
    wrong,
    overtaken,
    seconds,
    peakRssMiB: peakRss / 2 ** 20,
    peakOwnMiB: peakOwn / 2 ** 20,
    pauseMs: loop.max / 1e6,
    busyMs: busyMicros / 1000
  }
  yield* Console.log(JSON.stringify(report))
})

Effect.runFork(Effect.provide(run, world))
