/** Runs the job of a card order against a scripted bank. */
import { Effect, Layer, Redacted } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import {
  Acquirer,
  type Authorization,
  type BankAnswer,
  type HoldTimes,
  type InquiryAnswer,
  type RequestAnswer
} from "../../src/orders/bank/Acquirer.ts"
import * as CardJob from "../../src/orders/outcomes/CardJob.ts"
import { Card, Cvv } from "../../src/orders/record/Card.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { StoppedCard } from "../../src/orders/record/StoppedCard.ts"
import { Payout } from "../../src/recipients/Recipient.ts"
import { job, payout, request, sale } from "../domain/Sample.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const { bytesOf } = ScriptedServices
export const approved: BankAnswer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
export const declined: BankAnswer = { _tag: "Declined", code: 116, message: "Not sufficient funds" }
export const work = job()

export interface Setup extends ScriptedServices.Script {
  readonly order: Order
  readonly request: OrderRequest
  readonly job?: Job
  readonly rows?: ReadonlyArray<Decision.Write>
  readonly answer?: BankAnswer
  /** The bank's answer to a payment whose outcome follows. */
  readonly receipt?: RequestAnswer
  /** How long the acquirer keeps holds, by brand. */
  readonly holdMs?: HoldTimes | undefined
  /** The bank's answers to inquiries, by reference. */
  readonly existing?: Readonly<Record<string, InquiryAnswer>>
}

const textOf = ({ amountMinor, capture, card, currency, recipient, reference }: Authorization): string =>
  [
    `${reference} ${amountMinor} ${currency} ${capture ? "captured" : "held"}`,
    `from ${Redacted.value(card.pan)}`,
    ...(card.cvv === undefined ? [] : [`cvv ${Redacted.value(card.cvv)}`]),
    ...(recipient === undefined ? [] : [`to ${Redacted.value(recipient)}`])
  ].join(" ")

export const runJob = (setup: Setup) => {
  const recording = ScriptedServices.newRecording()
  const requests: Array<string> = []
  const proofs: Array<Authorization["authentication"]> = []
  const answer = (text: string) =>
    Effect.sync(() => {
      requests.push(text)
      return setup.answer ?? approved
    })
  const bank = Layer.succeed(
    Acquirer,
    Acquirer.checked({
      capabilities: {
        ...{ longestProcessingMs: 1_000, deadlineMs: 10_000, transfers: true, eligibility: true },
        holdMs: setup.holdMs
      },
      authorize: (authorization) => {
        proofs.push(authorization.authentication)
        return Effect.map(answer(textOf(authorization)), (outcome) => setup.receipt ?? outcome)
      },
      eligible: ({ expiry, pan, reference }) =>
        answer(
          `${reference} ${Redacted.value(pan)} ${expiry === undefined ? "without expiry" : `${expiry.month}/${expiry.year}`}`
        ),
      followUp: (kind, { amountMinor, original, reference }) =>
        answer(`${kind} ${reference} of ${original.reference} ${amountMinor}`),
      inquire: ({ reference }) =>
        Effect.sync(() => {
          requests.push(`inquire ${reference}`)
          return setup.existing?.[reference] ?? { _tag: "NotFound" as const }
        })
    })
  )
  return Effect.gen(function* () {
    const store = yield* Store
    yield* ScriptedServices.seed(
      [
        Decision.put(Order, setup.order),
        Decision.put(Job, setup.job ?? work),
        ...(setup.rows ?? []),
        Decision.put(OrderRequest, setup.request)
      ],
      recording
    )
    const { run: handle } = yield* CardJob.make
    const exit = yield* Effect.exit(handle(setup.job ?? work, store))
    const records = yield* store.find(OrderRequest, "order", { equals: ["1"], limit: 10 })
    const now = yield* store.load(Order, ["1"])
    const later = yield* store.load(Job, [(setup.job ?? work).jobId])
    const stopped = yield* store.find(StoppedCard, "key", { equals: ["shop"], limit: 10 })
    return {
      holdUntilMs: now?.holdUntilMs,
      dueInMs: later && later.dueAtMs - ScriptedServices.nowMs,
      wakes: recording.wakes,
      stopped: stopped.map(({ atMs, orderId, panHash }) => `${panHash} ${orderId} ${atMs}`),
      exit,
      requests,
      proof: proofs[0],
      screened: recording.screened,
      state: now?.state,
      amountMinor: now?.amountMinor,
      sequence: now?.sequence,
      records: records
        .filter(({ operation }) => operation === "REBILL_ATTEMPT")
        .map(({ amountMinor, progress }) => `${amountMinor} ${progress}`)
    }
  }).pipe(Effect.provide(Layer.provideMerge(bank, ScriptedServices.layer(setup, recording))))
}

export const authorizing = { state: "authorizing", authorizedMinor: 0, capturedMinor: 0 } as const
export const creation = (action: OrderRequest["action"], amountMinor = 10_000): OrderRequest => ({
  ...request({ requestId: "2", sequence: 0, amountMinor }),
  operation: action.toUpperCase(),
  action
})
export const card = (pan = "4444333322221111") =>
  Decision.put(Card, { cardId: "1", merchantId: "shop", encryptedPan: bytesOf(pan), panHash: "v1.p", createdAtMs: 1 })
export const cvv = (digits: string) => Decision.put(Cvv, { cardId: "1", encryptedCvv: bytesOf(digits), createdAtMs: 1 })
const destination = JSON.stringify({ kind: "card", number: "5555444433332222", details: {} })
export const recipient = Decision.put(
  Payout,
  payout({ destinationKind: "card", encryptedDestination: bytesOf(destination) })
)
export const saleToSend = { order: sale(authorizing), request: creation("sale") }
