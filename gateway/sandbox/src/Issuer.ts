/**
 * The simulated issuer. It decides about an authentication once, and makes the message that the browser brings back. The
 * challenge page and tests without a browser both use it.
 */
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Clock, Effect } from "effect"
import * as ThreeDSIds from "./ThreeDSIds.ts"
import type { Decided, Entry, Transaction } from "./ThreeDSRecord.ts"
import type { ThreeDSRecords } from "./ThreeDSRecords.ts"
import type { Report } from "./ThreeDSScenario.ts"

/** An action of the customer that ends a challenge. */
export type Choice = "pass" | "fail" | "abandon"

/** The message that the browser brings back from the issuer. */
export type IssuerMessage =
  | { readonly _tag: "CRes"; readonly cres: string }
  /** The answer of version 1.0.2. `md` is returned unchanged. */
  | { readonly _tag: "PaRes"; readonly pares: string; readonly md: string }

/** The message version of all authentications of version 2. */
export const messageVersion = "2.2.0"

/** Number of wrong passwords that ends a challenge. */
export const mostTries = 3

const transStatuses: Readonly<Record<Choice, string>> = { pass: "Y", fail: "N", abandon: "N" }

const choiceOf = {
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

/** The issuer of all test cards. */
export class Issuer {
  readonly records: ThreeDSRecords
  readonly #write: (entry: Entry) => void

  constructor(records: ThreeDSRecords, write: (entry: Entry) => void) {
    this.records = records
    this.#write = write
  }

  /**
   * Records the decision about an authentication. Only the first decision counts. `report` states when the 3-D Secure server
   * learns it.
   */
  decide({ scenario, serverTransId }: Transaction, transStatus: string, report: Report = scenario.report) {
    return Effect.map(now, (nowMs) => {
      if (this.records.get(serverTransId)?.decided === undefined) {
        const decided: Decided = { transStatus, decidedAtMs: nowMs, ...knowledge(report, nowMs) }
        this.#write({ _tag: "Decided", serverTransId, decided })
      }
    })
  }

  choose(transaction: Transaction, choice: Choice) {
    return this.decide(transaction, transStatuses[choice])
  }

  /** Decides if no person is needed for the decision. Returns the present state of the authentication. */
  settle(transaction: Transaction): Effect.Effect<Transaction> {
    const { customer, decision } = transaction.scenario
    const choice = choiceOf[customer]
    const settled =
      decision !== "C"
        ? this.decide(transaction, decision)
        : choice === undefined
          ? Effect.void
          : this.choose(transaction, choice)
    return Effect.map(settled, () => this.current(transaction))
  }

  /** Records a wrong password. The last permitted attempt ends the challenge. */
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

  /** Returns the message for the browser. `undefined` before the decision. */
  message(transaction: Transaction): Effect.Effect<IssuerMessage | undefined> {
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

/** Makes a PaRes. XML is loaded for the first one, because few authentications are of version 1. */
const paRes = (transaction: Transaction, decided: Decided): Effect.Effect<string> =>
  Effect.promise(async () => {
    const PaResXml = await import("./PaResXml.ts")
    const genuine = PaResXml.encode(transaction, decided)
    if (transaction.scenario.carried === "truth") return genuine
    const { changedToSuccess } = await import("./ThreeDSForgeries.ts")
    return changedToSuccess(genuine)
  })
