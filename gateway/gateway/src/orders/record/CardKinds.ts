/**
 * The properties of each kind of card order, as one table: what its creation requests from the bank, what an approval
 * changes and how it is booked, and whether anything may follow.
 */

import type * as LedgerTable from "../../kernel/LedgerTable.ts"
import type { CreationAction } from "./Actions.ts"
import type * as Lifecycle from "./Lifecycle.ts"
import type { CardKind } from "./Order.ts"

interface CardKindFacts {
  /** The action that is requested from the bank; also the kind in the reference `orderid-kind-n`. */
  readonly action: CreationAction
  /**
   * `event`: what an approval does to the order. `cause`: the reason under which its amount is booked; undefined if nothing
   * is booked.
   */
  readonly event: Lifecycle.Event
  readonly cause: LedgerTable.Cause | undefined
  readonly holds: boolean
  readonly captures: boolean
  /** Why capture, void and return are refused; undefined if they are allowed. */
  readonly nothingFollows?: string
}

export const kinds: Readonly<Record<CardKind, CardKindFacts>> = {
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
  /** A payment from card to card: one movement at the bank, which does not change the merchant's balance. */
  transfer: {
    action: "transfer",
    event: "settle",
    cause: "transfer",
    holds: true,
    captures: true,
    nothingFollows: "A transfer is with its recipient: it cannot be captured, voided or returned"
  },
  /** A question whether a card can send money. */
  eligibility: {
    action: "eligibility",
    event: "verify",
    cause: undefined,
    holds: false,
    captures: false,
    nothingFollows: "A question about a card moves no money: there is nothing to capture, void or return"
  }
}
