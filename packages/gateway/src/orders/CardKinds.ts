/**
 * What each kind of card order is, as one table: what its creation asks the bank for, what an approval of that is worth and
 * how it is booked, and whether anything may follow.
 */

import type * as LedgerTable from "../kernel/LedgerTable.ts"
import type * as Lifecycle from "./Lifecycle.ts"
import type { CardKind } from "./Order.ts"
import type { Action, BankAction } from "./OrderRequest.ts"

interface Facts {
  /** What the bank is asked for; also the kind in the reference `orderid-kind-n`. */
  readonly action: BankAction
  /** What an approval does to the order, and how its amount is booked; undefined: not at all. */
  readonly event: Lifecycle.Event
  readonly cause: LedgerTable.Cause | undefined
  readonly holds: boolean
  readonly captures: boolean
  /** Why capture, void and return are refused; left out: they are not. */
  readonly nothingFollows?: string
}

const table = {
  sale: { action: "sale", event: "settle", cause: "sale", holds: true, captures: true },
  preauth: { action: "authorize", event: "hold", cause: "hold", holds: true, captures: false },
  verification: {
    action: "verify",
    event: "verify",
    cause: undefined,
    holds: false,
    captures: false,
    nothingFollows: "A verification moves no money: there is nothing to capture, void or return"
  },
  /** A card pays a card: one movement at the bank, of which the merchant's balance sees nothing. */
  transfer: {
    action: "transfer",
    event: "settle",
    cause: "transfer",
    holds: true,
    captures: true,
    nothingFollows: "A transfer is with its recipient: it cannot be captured, voided or returned"
  },
  /** The question whether a card can send money. */
  eligibility: {
    action: "eligibility",
    event: "verify",
    cause: undefined,
    holds: false,
    captures: false,
    nothingFollows: "A question about a card moves no money: there is nothing to capture, void or return"
  }
} as const satisfies Readonly<Record<CardKind, Facts>>

export const kinds: Readonly<Record<CardKind, Facts>> = table

/** What begins a card order. */
export type CreationAction = (typeof table)[CardKind]["action"]

/** What follows a card order. */
export type FollowUpAction = Exclude<BankAction, CreationAction>

const followUps: Readonly<Record<FollowUpAction, true>> = {
  capture: true,
  cancel: true,
  refund: true,
  refundThenCancel: true
}

/** Whether the bank is asked for something about an order that is there. */
export const isFollowUp = (action: Action): action is FollowUpAction => Object.hasOwn(followUps, action)

const creations: ReadonlySet<Action> = new Set(Object.values(table).map(({ action }) => action))

/** Whether the bank is asked to begin an order, not to follow one up. */
export const isCreation = (action: Action): action is CreationAction => creations.has(action)
