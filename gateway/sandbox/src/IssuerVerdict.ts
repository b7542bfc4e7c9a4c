/**
 * Values that accompany the simulated issuer's decision: the electronic commerce indicator (ECI) of the card's brand, and the
 * authentication value (CAVV).
 */
import type { Verdict } from "@pay/gateway/ThreeDSServer"
import { Redacted } from "effect"
import * as ThreeDSIds from "./ThreeDSIds.ts"
import type { Transaction } from "./ThreeDSRecord.ts"

/** ECI by brand and `transStatus`. Y: fully authenticated; A: attempted. All other statuses have no ECI. */
const indicators = {
  mastercard: { Y: "02", A: "01" },
  others: { Y: "05", A: "06" }
} as const

const authenticates = (transStatus: string): transStatus is "Y" | "A" => transStatus === "Y" || transStatus === "A"

/** Returns the ECI of a decision. `undefined` if the decision does not authenticate. */
export const eci = ({ brand }: Transaction, transStatus: string): string | undefined =>
  authenticates(transStatus)
    ? indicators[brand === "MASTERCARD" || brand === "MAESTRO" ? "mastercard" : "others"][transStatus]
    : undefined

/** Returns the CAVV of a decision. `undefined` if the decision does not authenticate. */
export const cavv = ({ serverTransId }: Transaction, transStatus: string): string | undefined =>
  authenticates(transStatus) ? ThreeDSIds.authenticationValue(serverTransId) : undefined

/** Returns the decision with its ECI and its CAVV, as the 3-D Secure server reports it. */
export const verdict = (transaction: Transaction, transStatus: string): Verdict => {
  const value = cavv(transaction, transStatus)
  return {
    transStatus,
    eci: eci(transaction, transStatus),
    authenticationValue: value === undefined ? undefined : Redacted.make(value, { label: "cavv" })
  }
}
