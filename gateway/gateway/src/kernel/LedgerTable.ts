/**
 * The entries that each event makes in the double-entry books. Each merchant, endpoint and currency has accounts of its own.
 * Every line of the table sums to zero, so every movement does. A positive balance of `merchant_settlement` is money owed to the
 * merchant; the accounts of the outside world (`acquirer_receivable`, `authorised_contra`) mirror it with the other sign.
 */
import * as Decision from "./Decision.ts"
import * as Entity from "./Entity.ts"

/** The ledger: entries are append-only, and balances are their sums. */
export const LedgerEntry = Entity.make("ledger", {
  columns: {
    /** `request:cause:account`, so that the same effect cannot be booked twice. */
    entryId: Entity.text(),
    orderId: Entity.text(),
    requestId: Entity.text(),
    cause: Entity.text(),
    account: Entity.text(),
    minor: Entity.integer,
    atMs: Entity.integer
  },
  key: ["entryId"],
  index: { order: ["orderId"], account: ["account", "atMs", "entryId"] },
  appendOnly: true
})
export type LedgerEntry = Entity.Row<typeof LedgerEntry>

export const Balance = Entity.make("balances", {
  columns: { account: Entity.text(), minor: Entity.sum },
  key: ["account"]
})
export type Balance = Entity.Row<typeof Balance>

const accountNames = [
  "authorised",
  "authorised_contra",
  "acquirer_receivable",
  "merchant_settlement",
  "payout_available",
  "payout_held",
  "payout_rail",
  "operator_funding"
] as const
export type AccountName = (typeof accountNames)[number]

export type Cause =
  | "hold"
  | "sale"
  | "capture"
  | "void"
  | "refund"
  | "saleReturn"
  | "captureReturn"
  | "refundReturn"
  | "chargeback"
  | "chargebackReturn"
  | "transfer"
  | "fund"
  | "payoutHold"
  | "payoutRelease"
  | "payout"
  | "payoutReturn"

interface Line {
  readonly from: AccountName
  readonly to: AccountName
}

/** Each cause moves its amount along these lines, all in one commit. */
export const table: Readonly<Record<Cause, ReadonlyArray<Line>>> = {
  /** The bank reserves the amount on the card. */
  hold: [{ from: "authorised_contra", to: "authorised" }],
  /** Authorised and captured at once: no hold is booked. */
  sale: [{ from: "acquirer_receivable", to: "merchant_settlement" }],
  /** A hold, or a part of it, is captured. */
  capture: [
    { from: "authorised", to: "authorised_contra" },
    { from: "acquirer_receivable", to: "merchant_settlement" }
  ],
  /** The rest of a hold is voided, by its merchant or because it lapses. */
  void: [{ from: "authorised", to: "authorised_contra" }],
  /** Captured money is returned to the cardholder. `merchant_settlement` may become negative, and is shown so. */
  refund: [{ from: "merchant_settlement", to: "acquirer_receivable" }],
  /** A sale failed at the bank after its approval. The first movement stays, and this one reverses it. */
  saleReturn: [{ from: "merchant_settlement", to: "acquirer_receivable" }],
  /** A capture failed at the bank after its approval: its amount is on hold again. */
  captureReturn: [
    { from: "merchant_settlement", to: "acquirer_receivable" },
    { from: "authorised_contra", to: "authorised" }
  ],
  /** A refund failed at the bank after its approval: the money is the merchant's again. */
  refundReturn: [{ from: "acquirer_receivable", to: "merchant_settlement" }],
  /** The bank takes disputed money back for the cardholder. */
  chargeback: [{ from: "merchant_settlement", to: "acquirer_receivable" }],
  /** The merchant has won a dispute. The first movement stays, and this one reverses it. */
  chargebackReturn: [{ from: "acquirer_receivable", to: "merchant_settlement" }],
  /** A transfer from card to card. The acquirer takes the amount and pays it out; it is never the merchant's money. */
  transfer: [{ from: "acquirer_receivable", to: "payout_rail" }],
  /** The operator makes an amount available for payouts. */
  fund: [{ from: "operator_funding", to: "payout_available" }],
  /** A payout's amount is set aside, in the commit that creates the order. */
  payoutHold: [{ from: "payout_available", to: "payout_held" }],
  /** A payout did not happen: its amount becomes available again. */
  payoutRelease: [{ from: "payout_held", to: "payout_available" }],
  /** The rail has confirmed a payout. */
  payout: [{ from: "payout_held", to: "payout_rail" }],
  /** The rail refuses a payout that it had confirmed. The first movement stays, and this one reverses it. */
  payoutReturn: [{ from: "payout_rail", to: "payout_available" }]
}

export interface Place {
  readonly merchantId: string
  readonly endpointId: string
  readonly currency: string
}

export const account = (place: Place, name: AccountName): string =>
  `${place.merchantId}/${place.endpointId}/${place.currency}/${name}`

/**
 * Returns the guards that refuse an amount which could take an account past `Decision.maxBalance`. A void, a refund and the release
 * of a payout bring accounts back towards zero and need none.
 */
export const room = (place: Place, causes: ReadonlyArray<Cause>, minor: number): ReadonlyArray<Decision.Guard> =>
  minor === 0
    ? []
    : causes.flatMap((cause) =>
        table[cause].flatMap(({ from, to }) => [
          Decision.balanceHasRoom(account(place, from), -minor),
          Decision.balanceHasRoom(account(place, to), minor)
        ])
      )

/** Returns the writes that book `minor` for a cause: entries and balances. An amount of zero needs no writes. */
export const book = (
  place: Place,
  orderId: string,
  requestId: string,
  cause: Cause,
  minor: number,
  atMs: number
): ReadonlyArray<Decision.Write> => {
  if (minor === 0) return []
  const writes: Array<Decision.Write> = []
  for (const line of table[cause]) {
    for (const [name, signed] of [
      [line.from, -minor],
      [line.to, minor]
    ] as const) {
      const into = account(place, name)
      writes.push(
        Decision.append(LedgerEntry, {
          entryId: `${requestId}:${cause}:${name}`,
          orderId,
          requestId,
          cause,
          account: into,
          minor: signed,
          atMs
        }),
        Decision.post(into, signed)
      )
    }
  }
  return writes
}
