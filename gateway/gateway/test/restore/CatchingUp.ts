/** Runs a job of a restored copy, with a bank and a rail that know some references. */
import { Effect, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job, type Kind } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Acquirer, type InquiryAnswer } from "../../src/orders/bank/Acquirer.ts"
import * as CardJob from "../../src/orders/outcomes/CardJob.ts"
import type * as Actions from "../../src/orders/record/Actions.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import type * as Booking from "../../src/orders/record/Booking.ts"
import type { Source } from "../../src/orders/record/Booking.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as PayoutJob from "../../src/payouts/PayoutJob.ts"
import { Occurrence } from "../../src/recurring/decide/Subscription.ts"
import * as Adoption from "../../src/restore/Adoption.ts"
import { BankBooking } from "../../src/restore/BankBooking.ts"
import * as CatchUp from "../../src/restore/CatchUp.ts"
import { HeldJob } from "../../src/restore/HeldJob.ts"
import { Restoration } from "../../src/restore/Restoration.ts"
import { job, request } from "../domain/Sample.ts"
import { card } from "../usecases/Bank.ts"
import * as Rail from "../usecases/Rail.ts"
import * as ScriptedServices from "../usecases/ScriptedServices.ts"

export const { nowMs } = ScriptedServices
/** Longest processing time of bank and rail. */
export const longestMs = 1_000

export interface Setup extends ScriptedServices.Script {
  readonly job: Job
  readonly rows: ReadonlyArray<Decision.Write>
  /** Answers to inquiries, by reference. Every other one is not found. */
  readonly existing?: Readonly<Record<string, InquiryAnswer>>
  /** References that the lists of bank and rail contain. */
  readonly listed?: ReadonlyArray<string>
  /** Whether the job is held; by default it is. */
  readonly isHeld?: boolean
  /** Time since the gateway started on the copy. By default all that the former gateway sent has arrived. */
  readonly sinceMs?: number
  /** The task of the held job. */
  readonly taskId?: string
  /** True: the store is no restored copy. */
  readonly isOriginal?: true
}

const bookingOf = (reference: string, source: Source): Decision.Write => {
  const kind = source === "rail" ? "pay" : "sale"
  const booking: Booking.Booking = {
    ...{ reference, kind, amountMinor: 10_000, currency: "USD", atMs: 1, result: "approved" },
    ...{ clientOrderId: undefined, merchantId: undefined }
  }
  return Decision.put(BankBooking, Adoption.rowOf(Adoption.lists[source], booking, "shop", 1))
}

export const run = (setup: Setup) => {
  const { existing = {}, isHeld = true, job: own, listed = [], sinceMs = longestMs } = setup
  const atMs = setup.nowMs ?? nowMs
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  const sends = (kind: string) => () =>
    Effect.sync(() => {
      requests.push(`send ${kind}`)
      return { ...Rail.approved }
    })
  const bank = Layer.succeed(
    Acquirer,
    Acquirer.checked({
      capabilities: { longestProcessingMs: longestMs, deadlineMs: 10_000, transfers: true, eligibility: true },
      ...{ authorize: sends("sale"), eligible: sends("eligible"), followUp: (kind) => sends(kind)() },
      inquire: ({ reference }) =>
        Effect.sync(() => {
          requests.push(reference.includes("-pay-") ? `bank ${reference}` : reference)
          return existing[reference] ?? { _tag: "NotFound" as const }
        })
    })
  )
  const ran: Array<string> = []
  const runs = (ranJob: Job) => Effect.sync(() => void ran.push(ranJob.kind))
  const restoration = Decision.put(Restoration, {
    ...{ name: "latest", version: 1, restoredAtMs: 1, startedAtMs: atMs - sinceMs },
    ...{ lastCommitAtMs: 1, enumeratedAtMs: 1 }
  })
  const heldJob = { jobId: own.jobId, kind: own.kind, subject: "1", dueAtMs: atMs + 500, taskId: setup.taskId ?? null }
  return Effect.gen(function* () {
    const store = yield* Store
    yield* ScriptedServices.seed(
      [
        ...setup.rows,
        ...(setup.isOriginal === true ? [] : [restoration]),
        ...(isHeld ? [Decision.put(HeldJob, heldJob)] : []),
        ...listed.map((reference) => bookingOf(reference, reference.includes("pay") ? "rail" : "bank")),
        Decision.put(Job, own)
      ],
      recording
    )
    // A request may be sent again only if the process has run for longer than it takes.
    const made = Effect.all([CardJob.make, PayoutJob.make])
    const [cards, payouts] = yield* ScriptedServices.startedBefore(made, longestMs)
    const others = { lapse: runs, callback: runs, threeds: runs, session: runs, recurring: runs, enumerate: runs }
    const handlers = yield* CatchUp.around({
      handlers: { ...others, reversal: runs, bank: cards.run, rail: payouts.run },
      bank: cards,
      rail: payouts
    })
    yield* handlers[own.kind](own, store)
    const order = yield* store.load(Order, ["1"])
    const request = yield* store.load(OrderRequest, ["2"])
    const after = yield* store.load(Job, [own.jobId])
    const tasks = yield* store.find(BankTask, "order", { equals: ["1"], limit: 10 })
    const allTasks = yield* store.find(BankTask, "key", { limit: 10 })
    const occurrences = yield* store.find(Occurrence, "key", { limit: 10 })
    const charges = yield* store.find(Order, "key", { limit: 10 })
    const jobs = yield* store.find(Job, "key", { limit: 10 })
    return {
      // Only the rail is asked about payments of payouts.
      requests: requests.map((text) => text.replace(/^inquire (?=\d+-pay-)/, "")),
      ran,
      state: order?.state,
      progress: request?.progress,
      sequence: request?.sequence,
      dueInMs: after === undefined ? undefined : after.dueAtMs - atMs,
      isHeld: (yield* store.load(HeldJob, [own.jobId])) !== undefined,
      tasks: tasks.map(({ answer, state }) => `${answer} ${state}`),
      allTasks: allTasks.map(({ answer, state }) => `${answer} ${state}`),
      occurrences: occurrences.map(
        ({ attempts, n, progress }) => `${n} ${progress}${attempts > 1 ? ` attempt ${attempts}` : ""}`
      ),
      charges: charges.map(({ orderId }) => orderId),
      /** The orders whose follow-ups are registered. */
      registering: jobs.flatMap(({ kind, subject }) => (kind === "enumerate" ? [subject] : []))
    }
  }).pipe(
    Effect.provide(
      Layer.merge(bank, Rail.layer({ existing }, requests)).pipe(
        Layer.provideMerge(ScriptedServices.layer(setup, recording))
      )
    )
  )
}

/** The references that are asked about, what is sent, the state of the order, and whether the job is still held. */
export type Row = readonly [what: string, setup: Setup, requests: ReadonlyArray<string>, outcome: string]

/** Returns the requests to bank and rail, and the outcome on one line. */
export const reportOf = (setup: Setup) =>
  Effect.map(run(setup), (done): readonly [ReadonlyArray<string>, string] => {
    const parts = [
      done.state,
      ...(done.sequence === 0 ? [] : [`#${done.sequence}`]),
      ...(done.isHeld ? ["held"] : []),
      ...(done.dueInMs === 500 ? ["in 500"] : []),
      ...done.tasks.map((task) => `task ${task}`),
      ...done.occurrences.map((each) => `occurrence ${each}`)
    ]
    return [done.requests, parts.join(" ")]
  })

/** A job that this process has begun. */
export const work = (kind: Kind, subject = "1"): Job =>
  job({ jobId: `${kind}:${subject}`, kind, subject, leaseUntilMs: nowMs + 60_000 })

export const requestOf = (action: Actions.Action, sequence = 0, changes: Partial<OrderRequest> = {}): OrderRequest => ({
  ...request({ operation: "SALE", sequence, amountMinor: 10_000 }),
  action,
  ...changes
})

export const put = (order: Order, own: OrderRequest) => [
  Decision.put(Order, order),
  Decision.put(OrderRequest, own),
  card()
]

export const cannotSay: InquiryAnswer = { _tag: "CannotSay" }
