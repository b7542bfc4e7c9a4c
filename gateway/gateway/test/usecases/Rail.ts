/** A scripted payout rail, and the row of a restore. */
import { Effect, Layer, Redacted } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type { BankAnswer, InquiryAnswer } from "../../src/orders/bank/Acquirer.ts"
import { PayoutRail, type RailRequest } from "../../src/payouts/PayoutRail.ts"
import { kinds } from "../../src/recipients/Destination.ts"
import { Restoration } from "../../src/restore/Restoration.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

export const approved: BankAnswer = { _tag: "Approved", approvalCode: "A1", processorTxId: "R1" }
export const declined: BankAnswer = { _tag: "Declined", code: 114, message: "No account of the type requested" }
const longestProcessingMs = 1_000

export interface Script {
  readonly answer?: BankAnswer
  /** The rail's answers to inquiries, by reference. */
  readonly existing?: Readonly<Record<string, InquiryAnswer>>
}

export const layer = ({ answer = approved, existing = {} }: Script, requests: Array<string>) => {
  const ask = (kind: string) => (request: RailRequest) =>
    Effect.sync(() => {
      const { amountMinor, currency, destination, purpose, reference } = request
      const text = `${reference} ${amountMinor} ${currency} to ${destination.kind} ${Redacted.value(destination.number)}`
      requests.push(`${kind} ${text}${purpose === undefined ? "" : ` for ${purpose}`}`)
      return answer
    })
  return Layer.succeed(
    PayoutRail,
    PayoutRail.checked({
      capabilities: {
        longestProcessingMs: longestProcessingMs,
        deadlineMs: 10_000,
        destinations: new Set(kinds.filter((kind) => kind !== "wallet")),
        lateRefusalAfterMs: [5_000]
      },
      check: ask("check"),
      pay: ask("pay"),
      inquire: (reference) =>
        Effect.sync(() => {
          requests.push(`inquire ${reference}`)
          return existing[reference] ?? { _tag: "NotFound" as const }
        })
    })
  )
}

/** A restore whose start is longer ago than the rail's processing time. */
export const copy = Decision.put(Restoration, {
  name: "latest",
  version: 1,
  restoredAtMs: 1,
  startedAtMs: ScriptedServices.nowMs - longestProcessingMs,
  lastCommitAtMs: 1,
  enumeratedAtMs: 1
})
