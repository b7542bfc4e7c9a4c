/** What an issuer's `transStatus` means (EMV 3-D Secure; decisions: 3-D Secure). Letters that are not known count as U. */
import type { Authentication } from "./Authentication.ts"

/** The wire's words (`verified-3d-status`, public). */
export type Word = "AUTHENTICATED" | "NOT_AUTHENTICATED" | "UNSUPPORTED" | "UNKNOWN"

export type Ruling = "authenticated" | "refused" | "unavailable"

const rulings: ReadonlyMap<string, Ruling> = new Map([
  ["Y", "authenticated"],
  ["A", "authenticated"],
  ["N", "refused"],
  ["R", "refused"]
])

export const ruling = (transStatus: string): Ruling => rulings.get(transStatus) ?? "unavailable"

const words: Readonly<Record<Ruling, Word>> = {
  authenticated: "AUTHENTICATED",
  refused: "NOT_AUTHENTICATED",
  unavailable: "UNSUPPORTED"
}

/** Undefined while it is not over; `UNKNOWN` where it ended without the issuer's word. */
export const word = ({ stage, transStatus }: Authentication): Word | undefined => {
  if (stage !== "done") return undefined
  return transStatus === null ? "UNKNOWN" : words[ruling(transStatus)]
}
