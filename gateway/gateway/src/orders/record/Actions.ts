/**
 * The actions that are requested of the bank and of the payout rail, as one table. A further action enters here; the compiler then
 * names what else it needs.
 */
import type { TransactionType } from "@pay/schema/TransactionType"

interface ActionFacts {
  readonly of: "bank" | "rail"
  /** The kind in its reference `orderid-kind-n`, and of its booking. */
  readonly kind: string
  /** Whether it creates a card order. */
  readonly creates: boolean
  /** Whether its approval moves money. */
  readonly moves: boolean
  /** Whether the bank or rail lists a booking of a request that ended as this action. */
  readonly listed: boolean
  /** The type of the transaction, of an action that follows up a card order. */
  readonly type?: TransactionType
}

const table = {
  authorize: { of: "bank", kind: "authorize", creates: true, moves: true, listed: true },
  sale: { of: "bank", kind: "sale", creates: true, moves: true, listed: true },
  verify: { of: "bank", kind: "verify", creates: true, moves: false, listed: false },
  transfer: { of: "bank", kind: "transfer", creates: true, moves: true, listed: true },
  eligibility: { of: "bank", kind: "eligibility", creates: true, moves: false, listed: false },
  capture: { of: "bank", kind: "capture", creates: false, moves: true, listed: true, type: "capture" },
  void: { of: "bank", kind: "void", creates: false, moves: true, listed: true, type: "cancel" },
  refund: { of: "bank", kind: "refund", creates: false, moves: true, listed: true, type: "reversal" },
  /** Refunds what was captured. The same request then becomes a `void`, which releases the rest of the hold. */
  refundThenVoid: { of: "bank", kind: "refund", creates: false, moves: true, listed: false, type: "reversal" },
  check: { of: "rail", kind: "check", creates: false, moves: false, listed: false },
  pay: { of: "rail", kind: "pay", creates: false, moves: true, listed: true }
} as const satisfies Readonly<Record<string, ActionFacts>>

type Table = typeof table
export type Action = keyof Table

/** The actions with these facts. */
type With<F extends Partial<ActionFacts>> = { readonly [A in Action]: Table[A] extends F ? A : never }[Action]

/** Actions that are requested of the bank. */
export type BankAction = With<{ readonly of: "bank" }>
/** Actions that are requested of the payout rail. */
export type RailAction = With<{ readonly of: "rail" }>
/** Actions that create a card order. */
export type CreationAction = With<{ readonly creates: true }>
/** Actions that follow up an existing card order. */
export type FollowUpAction = Exclude<BankAction, CreationAction>
/** The kinds of references to the bank. */
export type BankKind = Table[BankAction]["kind"]
/** The kinds of bookings that bank and rail list. */
export type ListedKind = Table[With<{ readonly listed: true }>]["kind"]

export const facts: Table = table

const ofBank = (facts: Table[Action]): facts is Table[BankAction] => facts.of === "bank"

/** Whether the action is requested of the bank. */
export const isOfBank = (action: Action): action is BankAction => ofBank(table[action])

export const bankKinds: ReadonlyArray<BankKind> = [
  ...new Set(Object.values(table).flatMap((facts) => (ofBank(facts) ? [facts.kind] : [])))
]

/** Returns the kind if it is one of references to the bank. */
export const bankKindOf = (kind: string | undefined): BankKind | undefined => bankKinds.find((each) => each === kind)

export const listedKinds: ReadonlyArray<ListedKind> = [
  ...new Set(Object.values(table).flatMap((facts) => (facts.listed ? [facts.kind] : [])))
]

/** Whether the action creates a card order. */
export const isCreation = (action: Action): action is CreationAction => table[action].creates

/** Whether the action follows up an existing card order. */
export const isFollowUp = (action: Action): action is FollowUpAction =>
  table[action].of === "bank" && !table[action].creates
