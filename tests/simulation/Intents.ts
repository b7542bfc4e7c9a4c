/**
 * Compares what merchants requested with what bank and rail did. An intent is one movement of money that a merchant requests once,
 * under one name; its flow may run several times. The bank must have done what succeeded exactly once, must not have done what
 * failed, and may have done once what has an unknown outcome.
 */
import type { Booking } from "../../gateway/sandbox/src/Booking.ts"

/** One movement of money, of one of the merchant's orders, that bank or rail has approved. */
export interface ApprovedBooking {
  readonly kind: Kind
  readonly amountMinor: number
  readonly currency: string
  /** The rail refused it after it had confirmed it. Flows may report either outcome. */
  readonly isRefusedLate?: boolean
  /** It was approved after it was reported as declined, or follows such an approval. Flows may report either outcome. */
  readonly isContradicted?: boolean
}

export type Kind = "authorize" | "capture" | "void" | "refund" | "pay" | "transfer"

/** The outcome of the last run of an intent's flow; `running` while it runs, and after a crash interrupted it. */
export type IntentStatus = "running" | "succeeded" | "failed" | "unknown"

export interface Intent {
  /** Unique among all intents of a run. */
  readonly name: string
  /** The merchant who requests it. */
  readonly login: string
  readonly clientOrderId: string
  /** `nothing`: it moves no money, whatever its outcome. */
  readonly kind: Kind | "nothing"
  /** Undefined: the whole remaining amount, which is in the bank's books. */
  readonly amountMinor: number | undefined
  /** Other amounts, one of which may move instead. */
  readonly othersMinor?: ReadonlyArray<number> | undefined
  readonly currency: string
  status: IntentStatus
  /** The status after the last run of its flow that has ended. */
  lastOutcome?: IntentStatus
  /** The number of times that its flow was started. */
  attempts: number
}

/** The name of an order in the simulation. Two merchants may use the same `client_orderid`. */
export const nameOf = ({ clientOrderId, login }: Pick<Intent, "clientOrderId" | "login">): string =>
  `${clientOrderId} of ${login}`

/** Returns the status that the result of a flow gives its intent. */
const statusOf = (tag: string, { attempts, lastOutcome = "unknown" }: Intent): IntentStatus => {
  switch (tag) {
    case "Succeeded":
      return "succeeded"
    // This run sent nothing, or the gateway did not admit its request. An earlier run may have sent one before it was interrupted.
    case "Unreachable":
    case "NotAdmitted":
      return attempts > 1 ? lastOutcome : "failed"
    case "StillUnknown":
    case "NeedsAPerson":
      return "unknown"
    default:
      return "failed"
  }
}

/** Records the result of a run of the intent's flow. */
export const recordResult = (intent: Intent, tag: string): void => {
  intent.status = statusOf(tag, intent)
  intent.lastOutcome = intent.status
}

const kindOf = ({ capture: _, kind, recipient }: Booking["request"]): Kind | undefined => {
  if (kind === "eligible" || kind === "check") return undefined
  return kind === "authorize" && recipient !== undefined ? "transfer" : kind
}

/**
 * Returns those of these bookings of one order that moved or reserved money. `isReversal`: whether the reference is of a request
 * by which the gateway reversed an unexpected approval.
 */
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
    return [{ kind, amountMinor, currency, isRefusedLate: lateRefusal !== undefined, isContradicted }]
  })
}

const minorOf = (bookings: ReadonlyArray<ApprovedBooking>): number =>
  sum(bookings.map(({ amountMinor }) => amountMinor))

/** The amounts, one of which moves. */
const amountsOf = ({ amountMinor = 0, othersMinor = [] }: Intent) => [amountMinor, ...othersMinor]

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amountMinor) => total + amountMinor, 0)

const isCertain = ({ isContradicted, isRefusedLate }: ApprovedBooking): boolean =>
  isContradicted !== true && isRefusedLate !== true

const textOf = (intents: ReadonlyArray<Intent>) =>
  intents
    .map(({ amountMinor = "all", kind, name, status }) => `${kind} ${amountMinor} as ${name}: ${status}`)
    .join(", ") || "nothing"

/** What a restored copy of the gateway's store lacked of one order. */
export interface Lacking {
  /** Whether operators see a booking that the copy lacks: requests that the gateway refuses now may have been made. */
  readonly isShown: boolean
  /** Bookings that the copy lacked, and that a later request of the merchant took over. */
  readonly takenOver: ReadonlyArray<Pick<ApprovedBooking, "amountMinor"> & { readonly kind: string }>
}

/** Leaves out the requests that took over the booking of an earlier one. */
const withoutTakenOver = (intents: ReadonlyArray<Intent>, taken: Lacking["takenOver"]): ReadonlyArray<Intent> =>
  taken.reduce<ReadonlyArray<Intent>>((rest, { amountMinor, kind }) => {
    const suits = (each: Intent) => each.kind === kind && (each.amountMinor ?? amountMinor) === amountMinor
    const last = rest.findLastIndex(suits)
    return rest.filter(suits).length < 2 ? rest : rest.filter((_, index) => index !== last)
  }, intents)

/** Returns what is wrong with the bookings of one order. `bookings`: all approved ones of this `client_orderid`. */
export const problems = (
  clientOrderId: string,
  intents: ReadonlyArray<Intent>,
  bookings: ReadonlyArray<ApprovedBooking>,
  { isShown, takenOver }: Lacking = { isShown: false, takenOver: [] }
): ReadonlyArray<string> =>
  (["authorize", "capture", "refund", "pay", "transfer"] as const)
    .flatMap((kind) => {
      const approvals = bookings.filter((each) => each.kind === kind)
      const certain = approvals.filter(isCertain)
      const possible = intents.filter((intent) => intent.kind === kind && (intent.status !== "failed" || isShown))
      const succeeded = withoutTakenOver(
        possible.filter(({ status }) => status === "succeeded"),
        takenOver
      )
      // A whole return of a hold voids it; then nothing is refunded.
      const required = kind === "refund" ? succeeded.filter(({ amountMinor }) => amountMinor !== undefined) : succeeded
      const isUnlimited = possible.some(({ amountMinor }) => amountMinor === undefined)
      const minMinor = sum(required.map((intent) => Math.min(...amountsOf(intent))))
      const maxMinor = sum(possible.map((intent) => Math.max(...amountsOf(intent))))
      const isRight =
        certain.length <= possible.length &&
        approvals.length >= required.length &&
        minorOf(approvals) >= minMinor &&
        (isUnlimited || minorOf(certain) <= maxMinor)
      return isRight ? [] : [`${approvals.length} × ${kind} of ${minorOf(approvals)} in all`]
    })
    .concat(voids(intents, bookings), currencies(intents, bookings))
    .map((problem) => `${clientOrderId}: the bank did ${problem}; requested: ${textOf(intents)}`)

/** A hold is released once: by a void, by a whole return, or when it lapses. */
const voids = (intents: ReadonlyArray<Intent>, bookings: ReadonlyArray<ApprovedBooking>): ReadonlyArray<string> => {
  const approvals = bookings.filter(({ kind }) => kind === "void")
  const count = approvals.filter(isCertain).length
  const required = intents.some(({ kind, status }) => kind === "void" && status === "succeeded") ? 1 : 0
  return approvals.length >= required && count <= 1 ? [] : [`${count} × void`]
}

const currencies = (intents: ReadonlyArray<Intent>, bookings: ReadonlyArray<ApprovedBooking>): ReadonlyArray<string> =>
  bookings.flatMap(({ amountMinor, currency, kind }) =>
    amountMinor === 0 || intents.every((intent) => intent.currency === currency) ? [] : [`${kind} in ${currency}`]
  )
