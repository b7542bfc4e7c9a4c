/**
 * The simulated issuer: decides about a customer, once, and gives the browser what it shall carry. Whoever sits at the
 * challenge, a person at the page or a test without a browser, comes through here.
 */
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Clock, Effect } from "effect"
import * as ThreeDSIds from "./ThreeDSIds.ts"
import type { Decided, Entry, Transaction } from "./ThreeDSRecord.ts"
import type { ThreeDSRecords } from "./ThreeDSRecords.ts"
import type { Report } from "./ThreeDSScenario.ts"

/** What a customer can do at a challenge that ends it. */
export type Choice = "pass" | "fail" | "abandon"

/** What the browser takes away from the issuer. */
export type Carried =
  | { readonly _tag: "CRes"; readonly cres: string }
  /** Version 1.0.2; `md` comes back as it was given. */
  | { readonly _tag: "PaRes"; readonly pares: string; readonly md: string }

/** The version of every authentication of version 2 here. */
export const messageVersion = "2.2.0"

/** Wrong passwords that end a challenge. */
export const mostTries = 3

const letters: Readonly<Record<Choice, string>> = { pass: "Y", fail: "N", abandon: "N" }

const byThemselves = {
  person: undefined,
  leaves: undefined,
  passes: "pass",
  fails: "fail",
  abandons: "abandon"
} as const

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

const knowledge = (report: Report, nowMs: number): Pick<Decided, "knownFromMs"> => {
  if (report._tag === "Never") return {}
  return { knownFromMs: report._tag === "Late" ? nowMs + report.afterMs : nowMs }
}

export class Issuer {
  readonly records: ThreeDSRecords
  readonly #write: (entry: Entry) => void

  constructor(records: ThreeDSRecords, write: (entry: Entry) => void) {
    this.records = records
    this.#write = write
  }

  /** The first decision stands; one without a challenge is told with the answer itself, whatever becomes of reports. */
  decide({ scenario, serverTransId }: Transaction, transStatus: string, report: Report = scenario.report) {
    return Effect.map(now, (nowMs) => {
      if (this.records.get(serverTransId)?.decided === undefined) {
        const decided: Decided = { transStatus, decidedAtMs: nowMs, ...knowledge(report, nowMs) }
        this.#write({ _tag: "Decided", serverTransId, decided })
      }
    })
  }

  choose(transaction: Transaction, choice: Choice) {
    return this.decide(transaction, letters[choice])
  }

  /** What comes without the customer's doing; the present state where it takes a person. */
  settle(transaction: Transaction): Effect.Effect<Transaction> {
    const { customer, decision } = transaction.scenario
    const choice = byThemselves[customer]
    const settled =
      decision !== "C"
        ? this.decide(transaction, decision)
        : choice === undefined
          ? Effect.void
          : this.choose(transaction, choice)
    return Effect.map(settled, () => this.current(transaction))
  }

  /** One more wrong password; the last one ends it. */
  refuse(transaction: Transaction): Effect.Effect<Transaction> {
    this.#write({ _tag: "WrongPassword", serverTransId: transaction.serverTransId })
    const later = this.current(transaction)
    return later.wrongPasswords < mostTries
      ? Effect.succeed(later)
      : Effect.map(this.choose(later, "fail"), () => this.current(later))
  }

  seeMethod({ methodSeen, serverTransId }: Transaction): void {
    if (!methodSeen) this.#write({ _tag: "MethodSeen", serverTransId })
  }

  /** Undefined before the decision. */
  carried(transaction: Transaction): Effect.Effect<Carried | undefined> {
    const { decided, scenario } = transaction
    if (decided === undefined) return Effect.undefined
    if (scenario.enrolment !== "version1") return Effect.succeed({ _tag: "CRes", cres: cres(transaction, decided) })
    return Effect.map(paRes(transaction, decided), (pares) => ({ _tag: "PaRes", pares, md: transaction.serverTransId }))
  }

  current(transaction: Transaction): Transaction {
    return this.records.get(transaction.serverTransId) ?? transaction
  }
}

const cres = ({ scenario, serverTransId }: Transaction, { transStatus }: Decided): string =>
  ThreeDS.cres.encode({
    messageType: "CRes",
    messageVersion,
    threeDSServerTransID: serverTransId,
    acsTransID: ThreeDSIds.acsTransId(serverTransId),
    transStatus: scenario.carried === "forged" ? "Y" : transStatus,
    challengeCompletionInd: "Y"
  })

/** XML is loaded when the first PaRes is made: few authentications are of version 1. */
const paRes = (transaction: Transaction, decided: Decided): Effect.Effect<string> =>
  Effect.promise(async () => {
    const PaResXml = await import("./PaResXml.ts")
    const genuine = PaResXml.encode(transaction, decided)
    if (transaction.scenario.carried === "truth") return genuine
    const { changedToSuccess } = await import("./ThreeDSForgeries.ts")
    return changedToSuccess(genuine)
  })
