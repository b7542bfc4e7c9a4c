/**
 * What merchants asked for and what bank and rail did, as one comparison. An intent is one thing that a merchant wants once,
 * under one name; its flow may be run many times. What succeeded must have happened exactly once; what failed must not have
 * happened; what nobody could tell may have happened once.
 */
import type { Booking } from "@pay/sandbox/Booking"

export type Kind = "authorize" | "capture" | "cancel" | "refund" | "pay" | "transfer"

/** How the last run of an intent's flow ended; `moving` while it runs, or was cut off. */
export type End = "moving" | "done" | "notDone" | "unsure"

export interface Intent {
  /** Unique in the world. */
  readonly name: string
  readonly clientOrderId: string
  readonly kind: Kind
  /** Undefined: whatever was left, which the bank's books say. */
  readonly amountMinor: number | undefined
  end: End
  /** How often its flow was begun. */
  runs: number
}

/** What one end of a flow says of the effect. */
export const endOf = (tag: string, { runs }: Intent): End => {
  switch (tag) {
    case "Succeeded":
      return "done"
    // Nothing was sent by this run; an earlier one may have been cut off after it had sent.
    case "Unreachable":
      return runs > 1 ? "unsure" : "notDone"
    case "StillUnknown":
    case "NeedsAPerson":
      return "unsure"
    default:
      return "notDone"
  }
}

const kindOf = ({ capture: _, kind, recipient }: Booking["request"]): Kind | undefined => {
  if (kind === "eligible" || kind === "check") return undefined
  return kind === "authorize" && recipient !== undefined ? "transfer" : kind
}

const approved = (bookings: ReadonlyArray<Booking>, kind: Kind) =>
  bookings.filter(({ answer, request }) => answer._tag === "Approved" && kindOf(request) === kind)

const minor = (bookings: ReadonlyArray<Booking>): number =>
  bookings.reduce((sum, { request }) => sum + request.amountMinor, 0)

const named = (intents: ReadonlyArray<Intent>) =>
  intents.map(({ amountMinor = "all", end, kind, name }) => `${kind} ${amountMinor} as ${name}: ${end}`).join(", ") ||
  "nothing"

/** What is wrong with one order, in words; nothing while it is right. `bookings`: all of this `client_orderid`. */
export const problems = (
  clientOrderId: string,
  intents: ReadonlyArray<Intent>,
  bookings: ReadonlyArray<Booking>
): ReadonlyArray<string> =>
  (["authorize", "capture", "refund", "pay", "transfer"] as const)
    .flatMap((kind) => {
      const booked = approved(bookings, kind)
      const possible = intents.filter((intent) => intent.kind === kind && intent.end !== "notDone")
      const sure = possible.filter(({ end }) => end === "done")
      // A whole return of a hold cancels it; then nothing is refunded.
      const least = kind === "refund" ? sure.filter(({ amountMinor }) => amountMinor !== undefined) : sure
      const open = possible.some(({ amountMinor }) => amountMinor === undefined)
      const leastMinor = least.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0)
      const mostMinor = possible.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0)
      const right =
        booked.length <= possible.length &&
        booked.length >= least.length &&
        minor(booked) >= leastMinor &&
        (open || minor(booked) <= mostMinor)
      return right ? [] : [`${booked.length} × ${kind} of ${minor(booked)} in all`]
    })
    .concat(cancels(intents, bookings))
    .map((problem) => `${clientOrderId}: the bank did ${problem}; asked for: ${named(intents)}`)

/** A hold is released once, by a void, by a whole return, or because it lapsed. */
const cancels = (intents: ReadonlyArray<Intent>, bookings: ReadonlyArray<Booking>): ReadonlyArray<string> => {
  const count = approved(bookings, "cancel").length
  const least = intents.some(({ end, kind }) => kind === "cancel" && end === "done") ? 1 : 0
  return count >= least && count <= 1 ? [] : [`${count} × cancel`]
}
