/** Handles the operation that shows what is wrong now: figures of the process, and a few bounded reads of the store. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import { CallbackEvent } from "../../callbacks/decide/CallbackEvent.ts"
import { AuditEntry } from "../../kernel/Audit.ts"
import * as CallMetrics from "../../kernel/CallMetrics.ts"
import { Job, kinds } from "../../kernel/Job.ts"
import { ProcessName } from "../../kernel/ProcessLease.ts"
import { Store } from "../../kernel/Store.ts"
import * as Findings from "../../operators/Findings.ts"
import { Order } from "../../orders/record/Order.ts"
import type { OrderRequest } from "../../orders/record/OrderRequest.ts"
import { Approval } from "../../payouts/decide/Approval.ts"
import { Proposal } from "../../signin/decide/Proposal.ts"
import * as NewOrders from "../NewOrders.ts"
import * as StoreMetrics from "../StoreMetrics.ts"
import * as CallHistory from "./CallHistory.ts"
import { auditRowOf } from "./LogHandlers.ts"
import type { Handlers } from "./OperatorHandler.ts"

const mostCounted = 1000
/** Unknown requests whose orders are read for their currency. */
const mostAmounts = 200
const lastChanges = 12

const failures: ReadonlySet<string> = new Set(["lost", "not-sent"])

/** The key of a counterparty. */
const partyOf = ({ host, name }: { readonly host: string; readonly name: string }): string => `${name} ${host}`

/** The calls of each minute by counterparty. */
type Minutes = ReadonlyArray<readonly [atMs: number, calls: ReadonlyMap<string, ReadonlyArray<CallHistory.Count>>]>

/** Compares each two samples once for all counterparties, of which there can be hundreds. */
const minutesIn = ({ now, samples }: CallHistory.History): Minutes => {
  const all = [...samples, now].map(({ atMs, counts }) => ({ atMs, counts: counts.filter(({ of }) => of === "call") }))
  return all
    .slice(1)
    .map((sample, index) => [sample.atMs, Map.groupBy(CallHistory.between(all[index], sample), partyOf)] as const)
}

const minutesOf = (minutes: Minutes, party: string) =>
  minutes.map(([at, byParty]) => {
    const calls = byParty.get(party) ?? []
    const failed = calls.filter(({ detail }) => failures.has(detail)).reduce((total, { value }) => total + value, 0)
    const all = calls.reduce((total, { value }) => total + value, 0)
    return { at, answered: all - failed, failed }
  })

const counterpartiesOf = (history: CallHistory.History, waiting: ReadonlyArray<CallMetrics.Waiting>) => {
  const [first] = history.samples
  const hour = Map.groupBy(CallHistory.between(first, history.now), partyOf)
  const minutes = minutesIn(history)
  return waiting.map(({ counterparty: { host, name }, count, oldestMs }) => {
    const party = partyOf({ host, name })
    const own = hour.get(party) ?? []
    const latencies = own.filter(({ of }) => of === "latency")
    return {
      name,
      host,
      outcomes: Object.fromEntries(
        own.filter(({ of }) => of === "call").map(({ detail, value }) => [detail, value] as const)
      ),
      p50Seconds: CallHistory.percentile(latencies, 0.5) ?? null,
      p95Seconds: CallHistory.percentile(latencies, 0.95) ?? null,
      inFlight: count,
      oldestSeconds: oldestMs / 1000,
      minutes: minutesOf(minutes, party)
    }
  })
}

const merchantsOf = ({ now, samples: [first] }: CallHistory.History) => {
  const requests = CallHistory.between(first, now).filter(({ of }) => of === "request")
  const countOf = (counts: ReadonlyArray<CallHistory.Count>, digit: string) =>
    counts.filter(({ detail }) => detail.startsWith(digit)).reduce((total, { value }) => total + value, 0)
  return [...Map.groupBy(requests, ({ name }) => name)].map(([merchant, counts]) => ({
    merchant,
    requests: countOf(counts, ""),
    refused: countOf(counts, "4"),
    broken: countOf(counts, "5")
  }))
}

/** Returns the money of unknown requests by merchant and currency. */
const amountsOf = (store: Store["Service"], requests: ReadonlyArray<OrderRequest>) =>
  Effect.map(
    Effect.forEach(
      requests.slice(0, mostAmounts),
      ({ amountMinor, merchantId, orderId }) =>
        Effect.map(store.load(Order, [orderId]), (order) => ({
          merchant: merchantId,
          currency: order?.currency ?? "",
          amountMinor
        })),
      { concurrency: "unbounded" }
    ),
    (rows) =>
      [...Map.groupBy(rows, ({ currency, merchant }) => `${currency} ${merchant}`).values()].flatMap((same) =>
        same.slice(0, 1).map(({ currency, merchant }) => ({
          merchant,
          currency,
          count: same.length,
          amount: Money.fromMinor(
            same.reduce((total, { amountMinor }) => total + amountMinor, 0),
            currency
          )
        }))
      )
  )

const oldestOf = (requests: ReadonlyArray<OrderRequest>): number | null => requests[0]?.acceptedAtMs ?? null

export const make = Effect.gen(function* () {
  const store = yield* Store
  const history = yield* CallHistory.make
  const notReady = yield* NewOrders.makeCurrent
  const process = yield* ProcessName

  /** The next job of each kind. */
  const nextAfter = (nowMs: number) =>
    Effect.map(
      Effect.forEach(kinds, (kind) => store.find(Job, "due", { equals: [kind], from: nowMs, limit: 1 }), {
        concurrency: "unbounded"
      }),
      (jobs) =>
        jobs
          .flat()
          .map(({ dueAtMs, kind }) => ({ kind, due: dueAtMs }))
          .sort((a, b) => a.due - b.due)
    )

  const rows = Effect.gen(function* () {
    const figures = yield* Effect.provideService(StoreMetrics.read, Store, store)
    const limit = mostCounted
    const others = yield* Effect.all(
      {
        next: nextAfter(figures.nowMs),
        waiting: store.find(CallbackEvent, "delivery", { equals: ["pending"], limit }),
        proposals: store.find(Proposal, "state", { equals: ["open"], limit }),
        payouts: store.find(Approval, "state", { equals: ["waiting"], limit }),
        changes: store.find(AuditEntry, "at", { limit: lastChanges, descending: true }),
        amounts: amountsOf(store, figures.unknown)
      },
      { concurrency: "unbounded" }
    )
    return { figures, ...others }
  })

  const handlers: Pick<Handlers, "showNow"> = {
    showNow: Effect.fnUntraced(function* () {
      const { amounts, changes, figures, next, payouts, proposals, waiting } = yield* rows
      const calls = yield* history
      const closed = yield* notReady
      const counterparties = counterpartiesOf(calls, yield* CallMetrics.waitingNow)
      const merchants = merchantsOf(calls)
      const overdue = figures.overdue.flatMap(({ count, kind, oldestAtMs }) =>
        oldestAtMs === undefined ? [] : [{ kind, count, oldest: oldestAtMs }]
      )
      const { nowMs } = figures
      const judged = { nowMs, notReady: closed?.reason, overdue, counterparties, merchants }
      return {
        at: nowMs,
        process,
        since: calls.samples[0]?.atMs ?? nowMs,
        findings: Findings.of(judged),
        unknown: { count: figures.unknown.length, oldest: oldestOf(figures.unknown) },
        unknownAmounts: amounts,
        processing: { count: figures.processing.length, oldest: oldestOf(figures.processing) },
        callbacksWaiting: waiting.length,
        callbacksDead: figures.deadLettered,
        tasks: figures.tasks,
        bookings: figures.bookings,
        proposals: proposals.length,
        payouts: payouts.length,
        overdue,
        next,
        counterparties,
        merchants,
        changes: changes.map(auditRowOf)
      }
    })
  }
  return handlers
})
