/**
 * What each stage of a dispute does with the disputed money, by the stage before it. Banks report stages twice and out of order, and
 * only the stage itself is verified, not its time. So a stage that comes after one that follows it moves nothing. Pure.
 */
import * as CardKinds from "../record/CardKinds.ts"
import type { Dispute, Stage } from "../record/Dispute.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { isCardKind, type Order } from "../record/Order.ts"

/**
 * `take`: the amount is taken from the merchant. `taken`: it was taken before, unless its booking was refused. `give`: it is given back.
 * `keep`: the money is where it was. `late`: the stage came after one that follows it.
 */
export type Movement = "take" | "taken" | "give" | "keep" | "late"

/** The movement of each stage (second key) after each stage (first key). A dispute begins with `inquiry`. */
export const movements: Readonly<Record<Stage, Readonly<Record<Stage, Movement>>>> = {
  inquiry: { inquiry: "keep", opened: "take", won: "keep", lost: "take" },
  opened: { inquiry: "keep", opened: "taken", won: "give", lost: "taken" },
  won: { inquiry: "keep", opened: "late", won: "keep", lost: "take" },
  lost: { inquiry: "keep", opened: "late", won: "late", lost: "taken" }
}

/** Returns the largest amount that can be taken back of an order. A sale without an outcome counts as captured: the bank has it. */
const takeableMinor = ({ amountMinor, capturedMinor, capturingMinor, kind, state }: Order): number =>
  !Lifecycle.isFinal(state) && isCardKind(kind) && CardKinds.kinds[kind].captures
    ? amountMinor
    : capturedMinor + capturingMinor

/** What a stage changes. `movedMinor`: the amount that is taken from the merchant; negative if it is given back. */
export interface Judged {
  readonly stage: Stage
  readonly movedMinor: number
  /** Why the money of the stage is not booked, so that a person has to compare it with the bank. */
  readonly problem?: string
}

interface Known {
  readonly order: Order
  readonly dispute: Pick<Dispute, "bookedMinor" | "stage"> | undefined
}

/** Judges a stage of a dispute of a known order, in its currency. */
export const judge = ({ dispute, order }: Known, stage: Stage, amountMinor: number): Judged => {
  const from = dispute?.stage ?? "inquiry"
  const bookedMinor = dispute?.bookedMinor ?? 0
  const take = (): Judged =>
    order.chargedBackMinor + amountMinor <= takeableMinor(order)
      ? { stage, movedMinor: amountMinor }
      : { stage, movedMinor: 0, problem: "it is larger than what was captured and not charged back before" }
  switch (movements[from][stage]) {
    case "keep":
      return { stage: stage === "inquiry" ? from : stage, movedMinor: 0 }
    case "late":
      return { stage: from, movedMinor: 0, problem: `it came after the dispute was ${from}` }
    case "take":
      return take()
    case "taken":
      if (bookedMinor === 0) return take()
      return amountMinor === bookedMinor
        ? { stage, movedMinor: 0 }
        : { stage, movedMinor: 0, problem: "its amount is not the one that was charged back before" }
    case "give":
      // What was not booked when it was taken is not booked when it is given back.
      return amountMinor <= bookedMinor || bookedMinor === 0
        ? { stage, movedMinor: 0 - Math.min(amountMinor, bookedMinor) }
        : { stage, movedMinor: 0, problem: "more is given back than was charged back" }
  }
}
