/**
 * What holds of a deployment once its faults have stopped: every acknowledged order is there once and final, the bank did what the
 * books say, callbacks of final orders were delivered in order, the ledger sums to zero, and nothing is stuck.
 */
import { CallbackEvent, Job, Order, OrderRequest } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { merchant } from "@pay/server/Sandbox"
import { Clock, Context, Effect, Schedule } from "effect"
import * as Session from "../postgres/Session.ts"
import * as Callbacks from "../simulation/checks/Callbacks.ts"
import type { Problems } from "../simulation/checks/Check.ts"
import * as LedgerSums from "../simulation/checks/LedgerSums.ts"
import * as ShadowStore from "../simulation/ShadowStore.ts"
import { type Deployment, leaseMs } from "./Deployment.ts"
import type { Merchant } from "./Merchant.ts"

/**
 * Jobs that end by themselves; others wait for a time that may be far away. So does the job of a payout that was paid: days later the
 * rail may refuse it.
 */
const work: ReadonlyArray<Job["kind"]> = ["bank", "callback", "threeds", "rail", "reversal", "enumerate"]
const names = work.map((kind) => `'${kind}'`).join(", ")
const left = `SELECT count(*)::int AS n, count(*) FILTER (WHERE "leaseUntilMs" > $1 OR "dueAtMs" <= $1)::int AS now
  FROM pay.jobs WHERE kind IN (${names}) AND NOT (kind = 'rail' AND EXISTS (
    SELECT FROM pay.requests WHERE "requestId" = subject AND progress NOT IN ('moving', 'unknown')))`

const rounds = 60

/**
 * Lets business time pass until no work is left: leases of gateways that are gone end, and what is to be asked or told again falls
 * due. Returns how long that took in business time.
 */
export const settle = Effect.fnUntraced(function* (deployment: Deployment, database = deployment.database) {
  const clock = Context.get(deployment.world, Clock.Clock)
  const count = Effect.suspend(() =>
    Session.query({ connectionString: database }, left, [clock.currentTimeMillisUnsafe()])
  ).pipe(
    Effect.map(([row]) => ({ all: Number(row?.n), now: Number(row?.now) })),
    Effect.retry({ times: 20, schedule: Schedule.spaced("250 millis") }),
    Effect.orDie
  )
  const beganMs = clock.currentTimeMillisUnsafe()
  for (let round = 0; round < rounds; round += 1) {
    // What runs now ends by itself, unless its holder is gone.
    yield* count.pipe(
      Effect.repeat({ until: ({ now }) => now === 0, schedule: Schedule.spaced("50 millis") }),
      Effect.timeoutOption("1500 millis")
    )
    if ((yield* count).all === 0) break
    yield* deployment.advance(leaseMs * Math.min(1 + round, 8))
  }
  return clock.currentTimeMillisUnsafe() - beganMs
})

/** Completes when no turn of a recurring payment is due any more. */
export const charged = ({ database, world }: Deployment) =>
  Effect.suspend(() =>
    Session.query(
      { connectionString: database },
      `SELECT FROM pay.jobs WHERE kind = 'recurring' AND "dueAtMs" <= $1 LIMIT 1`,
      [Context.get(world, Clock.Clock).currentTimeMillisUnsafe()]
    )
  ).pipe(Effect.repeat({ until: ({ length }) => length === 0, schedule: Schedule.spaced("100 millis") }), Effect.orDie)

const ofOrders = (committed: ShadowStore.ShadowStore, { ledger }: Merchant): Problems => {
  const orders = Map.groupBy(committed.rows(Order), ({ clientOrderId }) => clientOrderId)
  const problems: Array<string> = []
  for (const [name, orderId] of ledger.acknowledged) {
    const ids = (orders.get(name) ?? []).map((order) => order.orderId)
    if (ids.length !== 1 || ids[0] !== orderId)
      problems.push(`${name} was acknowledged as order ${orderId}, and is there as ${ids.join(", ") || "none"}`)
  }
  for (const name of ledger.doubtful) {
    const count = orders.get(name)?.length ?? 0
    if (count > 1) problems.push(`${name}, which nobody answered, is there ${count} times`)
  }
  return problems
}

const isEnded = (committed: ShadowStore.ShadowStore, requestId: string): boolean => {
  const progress = committed.row(OrderRequest, requestId)?.progress
  return progress !== undefined && progress !== "processing" && progress !== "unknown"
}

const stuck = (committed: ShadowStore.ShadowStore): Problems => [
  ...committed
    .rows(OrderRequest)
    .flatMap(({ action, orderId, progress }) =>
      progress === "processing" || progress === "unknown" ? [`${action} of order ${orderId} is still ${progress}`] : []
    ),
  ...committed
    .rows(Job)
    .filter(({ kind, subject }) => work.includes(kind) && !(kind === "rail" && isEnded(committed, subject)))
    .map(({ jobId, kind }) => `the job ${kind} ${jobId} is not done`)
]

const ofCallbacks = (committed: ShadowStore.ShadowStore, { shop }: Merchant): Problems => {
  const events = committed.rows(CallbackEvent)
  const arrivals = Callbacks.make((eventId) => committed.row(CallbackEvent, eventId))
  for (const event of events) arrivals.written(event)
  const base = shop.url("")
  const arrived = shop.requests.flatMap(({ target }) => arrivals.arrive(`${base}${target}`, [merchant.controlKey]))
  return [...arrived, ...arrivals.missing(events), ...Callbacks.missingCallbacks(committed)]
}

/** Everything that does not hold, in words. */
export const problems = (deployment: Deployment, merchant: Merchant) =>
  deployment.read(
    Effect.gen(function* () {
      const store = yield* Store
      const committed = ShadowStore.make()
      yield* committed.reread(store)
      const { findings } = yield* Reconciliation.check
      const bank = Context.get(deployment.world, SandboxControl)
      return [
        ...ofOrders(committed, merchant),
        ...stuck(committed),
        ...ofCallbacks(committed, merchant),
        ...LedgerSums.all(committed),
        ...findings.map(({ actual, expected, where }) => `${where}: expected ${expected}, found ${actual}`),
        ...(yield* bank.violations)
      ]
    })
  )
