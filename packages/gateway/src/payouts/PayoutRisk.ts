/** Which rule of the endpoint stops a payout: its own limit and the block lists. Velocity rules count customers' payments. */
import type { Endpoint } from "../merchants/Directory.ts"
import type { CustomerAddress } from "../network/CustomerAddress.ts"
import * as Risk from "../risk/Risk.ts"

const noMarks = { card: [], email: [], address: [] } as const

/** Undefined: none. */
export const judge = (
  endpoint: Endpoint,
  payout: {
    readonly amountMinor: number
    readonly currency: string
    readonly bin: string
    readonly cardHashes: ReadonlyArray<string>
    readonly email: string
    readonly ipAddress: CustomerAddress
  },
  nowMs: number
): string | undefined => {
  const { amountMinor, bin, cardHashes, currency, email, ipAddress } = payout
  return Risk.judge(
    { ...endpoint.risk, maxMinor: endpoint.payoutMaxMinor, velocity: [] },
    { bin, cardHashes, email, address: ipAddress, country: undefined, amountMinor, currency, nowMs, marks: noMarks }
  )
}
