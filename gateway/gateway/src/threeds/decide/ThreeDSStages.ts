/**
 * The stages of an authentication, as one table: the events of each stage, and the stage to which each leads (EMV 3-D
 * Secure, protocol and core functions; 3-D Secure 1.0.2). An event that the table does not contain is refused and changes
 * nothing.
 */
import type { Authentication, Stage } from "./Authentication.ts"

export type StageEvent =
  /**
   * The directory's answer: the card is not enrolled; version 2 with or without a method URL; version 1 (`pareqIssued`).
   */
  | "notEnrolled"
  | "methodOffered"
  | "noMethod"
  /** Version 2 without a method URL, and the merchant must still upload the browser's data. */
  | "browserMissing"
  | "pareqIssued"
  /** No answer from the 3-D Secure server within its deadline. */
  | "failed"
  /** The hidden frame reported its end, its page reported a timeout, or the browser's data was uploaded. */
  | "methodEnded"
  /** The issuer's answer to the authentication request: a verdict, or a challenge. */
  | "finished"
  | "challengeAsked"
  /** A CRes arrived. It proves only that the customer is back. */
  | "challengeEnded"
  /** A PaRes arrived with the issuer's signature, and it answers our own PaReq. */
  | "paresVerified"
  /** The issuer's report arrived, has not arrived yet, or has not arrived for too long. */
  | "reported"
  | "absent"
  | "givenUp"
  /** The stage's time is over. */
  | "deadline"

export const stages: Readonly<Record<Stage, { readonly [H in StageEvent]?: Stage }>> = {
  enrol: {
    notEnrolled: "done",
    methodOffered: "method",
    noMethod: "areq",
    browserMissing: "method",
    pareqIssued: "pareq",
    finished: "done",
    challengeAsked: "challenge",
    failed: "done"
  },
  method: { methodEnded: "areq", deadline: "areq" },
  areq: { finished: "done", challengeAsked: "challenge", failed: "done" },
  challenge: { challengeEnded: "result", deadline: "result" },
  pareq: { paresVerified: "result", deadline: "done" },
  result: { reported: "done", absent: "result", givenUp: "done" },
  done: {}
}

export const next = (stage: Stage, event: StageEvent): Stage | undefined => stages[stage][event]

/** The table as a Mermaid state diagram, for the documentation. */
export const toMermaid = (): string => {
  const moves = Object.entries(stages).flatMap(([stage, on]) =>
    Object.entries(on).map(([event, target]) => `  ${stage} --> ${target}: ${event}`)
  )
  return ["stateDiagram-v2", "  [*] --> enrol", ...moves, "  done --> [*]", ""].join("\n")
}

/** Whether the authentication waits for the browser at this stage. */
export const waitsForBrowser = (stage: Stage): boolean => stages[stage].deadline !== undefined

/** Values of `verified-3d-status` on the wire. */
export type WireVerdict = "AUTHENTICATED" | "NOT_AUTHENTICATED" | "UNSUPPORTED" | "UNKNOWN"

/** The meaning of an issuer's `transStatus` (EMV 3-D Secure; docs/assumptions.md#results-of-3-d-secure). Unknown letters count as U. */
export type TransStatusMeaning = "authenticated" | "refused" | "unavailable"

const meanings: ReadonlyMap<string, TransStatusMeaning> = new Map([
  ["Y", "authenticated"],
  ["A", "authenticated"],
  ["N", "refused"],
  ["R", "refused"]
])

export const meaningOf = (transStatus: string): TransStatusMeaning => meanings.get(transStatus) ?? "unavailable"

const wireVerdicts: Readonly<Record<TransStatusMeaning, WireVerdict>> = {
  authenticated: "AUTHENTICATED",
  refused: "NOT_AUTHENTICATED",
  unavailable: "UNSUPPORTED"
}

/**
 * Returns the verdict for the wire. Undefined: the authentication has not ended. `UNKNOWN`: it ended without a verdict of
 * the issuer.
 */
export const wireVerdict = ({ stage, transStatus }: Authentication): WireVerdict | undefined => {
  if (stage !== "done") return undefined
  return transStatus === null ? "UNKNOWN" : wireVerdicts[meaningOf(transStatus)]
}
