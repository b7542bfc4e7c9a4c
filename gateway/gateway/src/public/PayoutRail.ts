/** The port of the payout rail, and the recipients' kinds of accounts (`Destination`). */
export * from "../payouts/PayoutRail.ts"
export * as Destination from "../recipients/Destination.ts"
