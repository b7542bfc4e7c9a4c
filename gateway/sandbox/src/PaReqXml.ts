/** The PaReq of 3-D Secure 1.0.2 (protocol specification, payer authentication request) of the simulated 3-D Secure server. */
import * as Currency from "@pay/schema/Currency"
import { escaped } from "@pay/schema/Markup"
import * as ThreeDS from "@pay/schema/ThreeDS"
import * as ThreeDSIds from "./ThreeDSIds.ts"
import type { Transaction } from "./ThreeDSRecord.ts"

/** ISO 4217 numbers of the currencies of the sandbox's endpoints. 999 means "no currency" (ISO 4217). */
const numbers: Readonly<Record<string, string>> = { EUR: "978", GBP: "826", JPY: "392", KWD: "414", USD: "840" }

/** Formats a time in milliseconds since 1970 as `YYYYMMDD HH:MM:SS`, in UTC. */
export const time = (ms: number): string => {
  const [date = "", clock = ""] = new Date(ms).toISOString().split("T")
  return `${date.replaceAll("-", "")} ${clock.slice(0, 8)}`
}

/** The data of the purchase, which PaReq and PaRes have in common. */
export const purchase = (transaction: Transaction): string =>
  [
    `<xid>${ThreeDSIds.xid(transaction.serverTransId)}</xid>`,
    `<date>${time(transaction.enrolledAtMs)}</date>`,
    `<purchAmount>${transaction.amountMinor}</purchAmount>`,
    `<currency>${numbers[transaction.currency] ?? "999"}</currency>`,
    `<exponent>${Currency.digits(transaction.currency) ?? 2}</exponent>`
  ].join("")

/** The sandbox's acquirer and merchant, with the numbers of a directory. */
export const merchant = "<acqBIN>444402</acqBIN><merID>SANDBOX</merID>"

/** The expiry of the card as YYMM. */
const expiry = ({ expireMonth, expireYear }: Transaction): string =>
  `${expireYear % 100}`.padStart(2, "0") + `${expireMonth}`.padStart(2, "0")

const xml = (transaction: Transaction): string =>
  [
    `<ThreeDSecure><Message id="${transaction.serverTransId}"><PAReq><version>1.0.2</version>`,
    `<Merchant>${merchant}<name>${escaped(transaction.merchantName)}</name></Merchant>`,
    `<Purchase>${purchase(transaction)}</Purchase>`,
    `<CH><acctID>${transaction.serverTransId}</acctID><expiry>${expiry(transaction)}</expiry></CH>`,
    "</PAReq></Message></ThreeDSecure>"
  ].join("")

export const encode = (transaction: Transaction): string => ThreeDS.xml.encode(xml(transaction))
