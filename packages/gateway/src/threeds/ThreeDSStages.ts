/**
 * The way of an authentication, as one table: what can happen at each stage, and where it leads (EMV 3-D Secure, protocol
 * and core functions; 3-D Secure 1.0.2). Whatever the table does not name is refused and changes nothing.
 */
import type { Authentication, Stage } from "./Authentication.ts"

export type Happening =
  /** The directory's answer: not this card; version 2 with a method URL or without; version 1. */
  | "notEnrolled"
  | "methodOffered"
  | "noMethod"
  /** Version 2 without a method URL, and the merchant has still to upload the browser's data. */
  | "browserMissing"
  | "pareqIssued"
  /** No answer from the 3-D Secure server within its deadline. */
  | "failed"
  /** The hidden frame came back, or its page says that it did not; or the browser's data came. */
  | "methodEnded"
  /** The issuer's answer to the authentication request: a verdict, or a challenge. */
  | "finished"
  | "challengeAsked"
  /** A CRes: says only that the customer is back. */
  | "challengeEnded"
  /** A PaRes with the issuer's signature that answers our own PaReq. */
  | "paresVerified"
  /** The issuer's report is here, is not here yet, was not here for too long. */
  | "reported"
  | "absent"
  | "givenUp"
  /** The stage's time is over. */
  | "deadline"

export const stages: Readonly<Record<Stage, { readonly [H in Happening]?: Stage }>> = {
  enrol: {
    notEnrolled: "done",
    methodOffered: "method",
    noMethod: "areq",
    browserMissing: "method",
    pareqIssued: "pareq",
    failed: "done"
  },
  method: { methodEnded: "areq", deadline: "areq" },
  areq: { finished: "done", challengeAsked: "challenge", failed: "done" },
  challenge: { challengeEnded: "result", deadline: "result" },
  pareq: { paresVerified: "result", deadline: "done" },
  result: { reported: "done", absent: "result", givenUp: "done" },
  done: {}
}

export const next = (stage: Stage, happening: Happening): Stage | undefined => stages[stage][happening]

/** The table as a Mermaid state diagram, for the documentation. */
export const toMermaid = (): string => {
  const moves = Object.entries(stages).flatMap(([stage, on]) =>
    Object.entries(on).map(([happening, target]) => `  ${stage} --> ${target}: ${happening}`)
  )
  return ["stateDiagram-v2", "  [*] --> enrol", ...moves, "  done --> [*]", ""].join("\n")
}

/** Whether the browser has something to do at this stage. */
export const isBrowsers = (stage: Stage): boolean => stages[stage].deadline !== undefined

/** The wire's words (`verified-3d-status`, public). */
export type WireVerdict = "AUTHENTICATED" | "NOT_AUTHENTICATED" | "UNSUPPORTED" | "UNKNOWN"

/** What an issuer's `transStatus` means (EMV 3-D Secure; decisions: 3-D Secure). Letters that are not known count as U. */
export type AuthorizationPolicy = "authenticated" | "refused" | "unavailable"

const rulings: ReadonlyMap<string, AuthorizationPolicy> = new Map([
  ["Y", "authenticated"],
  ["A", "authenticated"],
  ["N", "refused"],
  ["R", "refused"]
])

export const ruling = (transStatus: string): AuthorizationPolicy => rulings.get(transStatus) ?? "unavailable"

const words: Readonly<Record<AuthorizationPolicy, WireVerdict>> = {
  authenticated: "AUTHENTICATED",
  refused: "NOT_AUTHENTICATED",
  unavailable: "UNSUPPORTED"
}

/** Undefined while it is not over; `UNKNOWN` where it ended without the issuer's word. */
export const word = ({ stage, transStatus }: Authentication): WireVerdict | undefined => {
  if (stage !== "done") return undefined
  return transStatus === null ? "UNKNOWN" : words[ruling(transStatus)]
}
