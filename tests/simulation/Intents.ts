/**
 * What merchants asked for and what bank and rail did, as one comparison. An intent is one thing that a merchant wants once,
 * under one name; its flow may be run many times. What succeeded must have happened exactly once; what failed must not have
 * happened; what had an unknown outcome may have happened once.
 */
import type { Booking } from "@pay/sandbox/Booking"

/** One effect that bank or rail has approved, of one of the merchant's orders. */
export interface ApprovedBooking {
  readonly kind: Kind
  readonly amountMinor: number
  readonly currency: string
  /** Refused after it was confirmed: it is reported as the one or as the other. */
  readonly takenBack?: boolean
  /** Approved after it was reported as declined, or what follows such an approval: it is reported as the one or as the other. */
  readonly isContradicted?: boolean
}

export type Kind = "authorize" | "capture" | "cancel" | "refund" | "pay" | "transfer"

/** How the last run of an intent's flow ended; `moving` while it runs, or was cut off. */
export type End = "moving" | "done" | "notDone" | "unsure"

export interface Intent {
  /** The name that only this intent has among all that the merchants want. */
  readonly name: string
  /** The merchant whose action it is. */
  readonly login: string
  readonly clientOrderId: string
  /** `nothing`: it moves no money, however it ends. */
  readonly kind: Kind | "nothing"
  /** Undefined: whatever was left, which the bank's books say. */
  readonly amountMinor: number | undefined
  /** Amounts of which one may move instead. */
  readonly othersMinor?: ReadonlyArray<number> | undefined
  readonly currency: string
  end: End
  /** How its last run ended that is over. */
  before?: End
  /** How often its flow was begun. */
  runs: number
}

/** What a merchant's order is called in the world: the `client_orderid` of one merchant may be another's, too. */
export const nameOf = ({ clientOrderId, login }: Pick<Intent, "clientOrderId" | "login">): string =>
  `${clientOrderId} of ${login}`

/** What one end of a flow says of the effect. */
const endOf = (tag: string, { before = "unsure", runs }: Intent): End => {
  switch (tag) {
    case "Succeeded":
      return "done"
    // Nothing was sent by this run, or no answer came; an earlier one may have been cut off after it had sent.
    case "Unreachable":
    case "Unheard":
      return runs > 1 ? before : "notDone"
    case "StillUnknown":
    case "NeedsAPerson":
      return "unsure"
    default:
      return "notDone"
  }
}

/** A run of its flow is over. */
export const ended = (intent: Intent, tag: string): void => {
  intent.end = endOf(tag, intent)
  intent.before = intent.end
}

const kindOf = ({ capture: _, kind, recipient }: Booking["request"]): Kind | undefined => {
  if (kind === "eligible" || kind === "check") return undefined
  return kind === "authorize" && recipient !== undefined ? "transfer" : kind
}

/** What of these bookings of one order moved money, or reserved it. `isReversal`: by which the gateway had money given back. */
export const approved = (
  bookings: ReadonlyArray<Booking>,
  isReversal: (reference: string) => boolean = () => false
): ReadonlyArray<ApprovedBooking> => {
  const contradicted = new Set(
    bookings.flatMap(({ contradictedAtMs, request }) => (contradictedAtMs === undefined ? [] : [request.reference]))
  )
  return bookings.flatMap(({ answer, lateRefusal, request }) => {
    const { amountMinor, currency, original = "", reference } = request
    const kind = kindOf(request)
    if (answer._tag !== "Approved" || kind === undefined) return []
    const isContradicted = isReversal(reference) || contradicted.has(reference) || contradicted.has(original)
    return [{ kind, amountMinor, currency, takenBack: lateRefusal !== undefined, isContradicted }]
  })
}

const minor = (booked: ReadonlyArray<ApprovedBooking>): number => sum(booked.map(({ amountMinor }) => amountMinor))

/** The amounts of which one moves. */
const amountsOf = ({ amountMinor = 0, othersMinor = [] }: Intent) => [amountMinor, ...othersMinor]

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amountMinor) => total + amountMinor, 0)

const isCertain = ({ isContradicted, takenBack }: ApprovedBooking): boolean =>
  isContradicted !== true && takenBack !== true

const named = (intents: ReadonlyArray<Intent>) =>
  intents.map(({ amountMinor = "all", end, kind, name }) => `${kind} ${amountMinor} as ${name}: ${end}`).join(", ") ||
  "nothing"

/** What is wrong with one order, in words; nothing while it is right. `booked`: all of this `client_orderid`. */
export const problems = (
  clientOrderId: string,
  intents: ReadonlyArray<Intent>,
  booked: ReadonlyArray<ApprovedBooking>
): ReadonlyArray<string> =>
  (["authorize", "capture", "refund", "pay", "transfer"] as const)
    .flatMap((kind) => {
      const done = booked.filter((each) => each.kind === kind)
      const kept = done.filter(isCertain)
      const possible = intents.filter((intent) => intent.kind === kind && intent.end !== "notDone")
      const sure = possible.filter(({ end }) => end === "done")
      // A whole return of a hold cancels it; then nothing is refunded.
      const least = kind === "refund" ? sure.filter(({ amountMinor }) => amountMinor !== undefined) : sure
      const open = possible.some(({ amountMinor }) => amountMinor === undefined)
      const leastMinor = sum(least.map((intent) => Math.min(...amountsOf(intent))))
      const mostMinor = sum(possible.map((intent) => Math.max(...amountsOf(intent))))
      const right =
        kept.length <= possible.length &&
        done.length >= least.length &&
        minor(done) >= leastMinor &&
        (open || minor(kept) <= mostMinor)
      return right ? [] : [`${done.length} × ${kind} of ${minor(done)} in all`]
    })
    .concat(cancels(intents, booked), currencies(intents, booked))
    .map((problem) => `${clientOrderId}: the bank did ${problem}; asked for: ${named(intents)}`)

/** A hold is released once, by a void, by a whole return, or because it lapsed. */
const cancels = (intents: ReadonlyArray<Intent>, booked: ReadonlyArray<ApprovedBooking>): ReadonlyArray<string> => {
  const done = booked.filter(({ kind }) => kind === "cancel")
  const count = done.filter(isCertain).length
  const least = intents.some(({ end, kind }) => kind === "cancel" && end === "done") ? 1 : 0
  return done.length >= least && count <= 1 ? [] : [`${count} × cancel`]
}

const currencies = (intents: ReadonlyArray<Intent>, booked: ReadonlyArray<ApprovedBooking>): ReadonlyArray<string> =>
  booked.flatMap(({ amountMinor, currency, kind }) =>
    amountMinor === 0 || intents.every((intent) => intent.currency === currency) ? [] : [`${kind} in ${currency}`]
  )
