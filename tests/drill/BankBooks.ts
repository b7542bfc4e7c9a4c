/** The books of the drill's bank: what each request moved, by the reference under which it came. */

/** The words of this bank: a purchase is booked at once, a reservation is completed or cancelled, a credit gives money back. */
export const types = ["purchase", "reserve", "complete", "cancel", "credit"] as const
export type Type = (typeof types)[number]

/** A request to move money, as the bank reads it. */
export interface Instruction {
  readonly id: string
  readonly type: Type
  /** The request that a completion, a cancellation or a credit is about. */
  readonly parent?: string | undefined
  readonly shop: string
  readonly shopOrder: string
  /** Minor units, as text. */
  readonly amount: string
  readonly currency: string
  /** Decides whether the bank refuses: 116 means that the card has no money. */
  readonly code?: string | undefined
}

export interface Booking extends Instruction {
  readonly state: "booked" | "refused"
  readonly atMs: number
  /** The number of the booking in its order, from 1. */
  readonly sequence: number
  /** How often the same reference came again. */
  repeats: number
}

export interface BankBooks {
  /** Books the request once; the same reference again has the first answer. */
  readonly book: (instruction: Instruction, atMs: number) => Booking
  readonly find: (id: string) => Booking | undefined
  /** The bookings of a period after one of them, in their order. */
  readonly page: (fromMs: number, toMs: number, after: number, limit: number) => ReadonlyArray<Booking>
  readonly all: () => Iterable<Booking>
  /** Requests that no right gateway sends, in words. */
  readonly violations: ReadonlyArray<string>
}

export const refusedCode = "116"

const sameRequest = (one: Instruction, other: Instruction): boolean =>
  one.type === other.type &&
  one.amount === other.amount &&
  one.currency === other.currency &&
  one.shop === other.shop &&
  one.shopOrder === other.shopOrder &&
  one.parent === other.parent

export const make = (): BankBooks => {
  const bookings = new Map<string, Booking>()
  const violations: Array<string> = []

  /** The sum that was booked with these types for a request. */
  const booked = (parent: string, ...wanted: ReadonlyArray<Type>): number =>
    [...bookings.values()]
      .filter((each) => each.parent === parent && each.state === "booked" && wanted.includes(each.type))
      .reduce((sum, { amount }) => sum + Number(amount), 0)

  /** What is left of a reservation to complete or cancel, or of a payment to give back. */
  const leftOf = ({ amount, id, type: original }: Booking, type: Type): number => {
    if (type !== "credit") return original === "reserve" ? Number(amount) - booked(id, "complete", "cancel") : 0
    return (original === "purchase" ? Number(amount) : booked(id, "complete")) - booked(id, "credit")
  }

  const isRefused = (instruction: Instruction): boolean => {
    const { amount, id, parent, type } = instruction
    if (parent === undefined) return instruction.code === refusedCode
    const original = bookings.get(parent)
    if (original === undefined || original.state !== "booked" || leftOf(original, type) < Number(amount)) {
      violations.push(`${id} (${type} of ${amount}) exceeds what is left of ${parent}`)
      return true
    }
    return false
  }

  return {
    violations,
    book: (instruction, atMs) => {
      const existing = bookings.get(instruction.id)
      if (existing !== undefined) {
        if (!sameRequest(existing, instruction)) violations.push(`${instruction.id} came again with another content`)
        existing.repeats += 1
        return existing
      }
      const state = isRefused(instruction) ? "refused" : "booked"
      const booking: Booking = { ...instruction, state, atMs, sequence: bookings.size + 1, repeats: 0 }
      bookings.set(instruction.id, booking)
      return booking
    },
    find: (id) => bookings.get(id),
    page: (fromMs, toMs, after, limit) =>
      [...bookings.values()]
        .filter(({ atMs, sequence }) => fromMs <= atMs && atMs < toMs && sequence > after)
        .slice(0, limit),
    all: () => bookings.values()
  }
}
