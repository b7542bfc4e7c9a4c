/**
 * Rows change only as the rules below allow. Every commit is checked: states follow the transitions of their kind, amounts never
 * decrease, final states stay, versions increase by one, and rows that are only added never change.
 */

import {
  Balance,
  CallbackEvent,
  cardKinds,
  Lifecycle,
  Occurrence,
  Order,
  OrderRequest,
  Subscription
} from "@pay/gateway/Entities"
import type { Entity } from "@pay/gateway/Entity"
import { BankTask } from "../../../gateway/gateway/src/orders/record/BankTask.ts"
import * as PayoutLifecycle from "../../../gateway/gateway/src/orders/record/PayoutLifecycle.ts"
import { Approval } from "../../../gateway/gateway/src/payouts/decide/Approval.ts"
import * as SubscriptionLifecycle from "../../../gateway/gateway/src/recurring/decide/SubscriptionLifecycle.ts"
import { BankBooking } from "../../../gateway/gateway/src/restore/BankBooking.ts"
import { type Change, differing, type Row } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"

/** The states that may follow each state. */
type TransitionTable = Readonly<Record<string, ReadonlyArray<string>>>

const transitionsOf = (
  table: Readonly<Record<string, { readonly on: Readonly<Record<string, string>> }>>
): TransitionTable => Object.fromEntries(Object.entries(table).map(([state, { on }]) => [state, Object.values(on)]))

const cards = transitionsOf(Lifecycle.cards)
const payouts: TransitionTable = {
  ...transitionsOf(PayoutLifecycle.table),
  // A payout on a page is checked; the commit of that answer pays it or leaves it to its approver.
  checking: [...Object.values(PayoutLifecycle.table.checking.on), ...Object.values(PayoutLifecycle.table.checked.on)]
}
/** The commit that ends one amount of a list requests the next one, or filters it if a rule was added since. */
const ofLists: TransitionTable = {
  ...cards,
  authorizing: [...(cards.authorizing ?? []), "filtered"],
  unknown: [...(cards.unknown ?? []), "authorizing", "filtered"]
}
const kindsOfCards: ReadonlySet<unknown> = new Set(cardKinds)

interface Rule {
  readonly entity: Entity
  /** The column with the state of the row. */
  readonly state?: string
  readonly moves?: (row: Row) => TransitionTable
  /** Columns that never decrease. */
  readonly rising?: ReadonlyArray<string>
  /** Columns that never change. */
  readonly fixed: ReadonlyArray<string>
  /** Whether the values of a row are possible. */
  readonly holds?: (row: Row) => boolean
}

const minor = (row: Row, ...columns: ReadonlyArray<string>): number =>
  columns.reduce((sum, column) => sum + Number(row[column]), 0)

const ends = ["approved", "declined", "filtered", "error"]

const rules: ReadonlyArray<Rule> = [
  {
    entity: Order,
    state: "state",
    moves: ({ remainingAmounts, kind }) =>
      kindsOfCards.has(kind) ? ((remainingAmounts ?? null) === null ? cards : ofLists) : payouts,
    rising: ["authorizedMinor", "capturedMinor", "refundedMinor", "sequence", "eventCount"],
    fixed: ["merchantId", "endpointId", "clientOrderId", "requestId", "kind", "currency", "createdAtMs"],
    holds: (row) =>
      minor(row, "capturedMinor", "capturingMinor") <= minor(row, "authorizedMinor") &&
      minor(row, "refundedMinor", "refundingMinor") <= minor(row, "capturedMinor") &&
      // A hold is voided once, and not during a capture.
      (minor(row, "voiding") === 0 || (row.state === "authorized" && minor(row, "capturingMinor") === 0)) &&
      ["capturingMinor", "refundingMinor", "inFlightCount"].every((column) => minor(row, column) >= 0)
  },
  {
    entity: OrderRequest,
    state: "progress",
    // A request with an unknown outcome may continue with another attempt, amount or step.
    // The rail may refuse a payout that it had confirmed, and a checked payout lapses if it is not paid. A restored copy may lack that a
    // checked payout was paid.
    moves: ({ action }) => ({
      processing: ["unknown", ...ends],
      unknown: ["processing", ...ends],
      approved: action === "pay" ? ["declined"] : action === "check" ? ["declined", "processing"] : []
    }),
    fixed: ["merchantId", "orderId", "operation", "fingerprint", "idempotencyKey", "hasAmount"]
  },
  {
    // A balance cannot be overdrawn.
    entity: Balance,
    fixed: [],
    holds: (row) => !String(row.account).endsWith("/payout_available") || minor(row, "minor") >= 0
  },
  {
    entity: Subscription,
    state: "state",
    moves: () => transitionsOf(SubscriptionLifecycle.states),
    rising: ["next", "eventCount"],
    fixed: ["merchantId", "endpointId", "orderId", "clientOrderId", "currency", "createdAtMs"]
  },
  {
    entity: Occurrence,
    state: "progress",
    moves: () => ({
      charging: ["retrying", "charged", "failed"],
      retrying: ["charging", "failed", "skipped"]
    }),
    rising: ["attempts"],
    fixed: ["day"]
  },
  {
    entity: Approval,
    state: "state",
    moves: () => ({ waiting: ["approved", "rejected", "lapsed"] }),
    fixed: ["merchantId", "requestId", "requestedAtMs", "expiresAtMs"]
  },
  {
    entity: CallbackEvent,
    state: "delivery",
    moves: () => ({ pending: ["delivered", "dead-lettered"], delivered: ["pending"], "dead-lettered": ["pending"] }),
    rising: ["tries"],
    fixed: ["merchantId", "orderId", "requestId", "sequence", "url", "query", "createdAtMs"]
  },
  {
    entity: BankBooking,
    state: "state",
    moves: () => ({ open: ["adopted", "closed"] }),
    fixed: ["orderId", "amountMinor", "currency", "bookedAtMs"]
  },
  {
    entity: BankTask,
    state: "state",
    // A task about an answer that the store refuses is opened again when the store refuses the next answer.
    moves: ({ taskId }) => ({
      open: ["reversing", "reversed", "closed"],
      reversing: ["open", "reversed", "closed"],
      closed: String(taskId).endsWith(".uncommitted") ? ["open"] : []
    }),
    fixed: ["orderId", "merchantId", "amountMinor", "currency", "createdAtMs"]
  }
]

const byEntity = new Map(rules.map((rule) => [rule.entity, rule]))

/** Returns how a change violates the rule of its entity. */
const ruleViolations = ({ after, before, entity }: Change): Problems => {
  const rule = byEntity.get(entity)
  if (rule === undefined || after === undefined) return []
  const { fixed, holds = () => true, moves, rising = [], state = "" } = rule
  const problems = holds(after) ? [] : ["has impossible amounts"]
  if (before === undefined) return problems
  const [from, to] = [String(before[state]), String(after[state])]
  if (moves !== undefined && from !== to && !(moves(before)[from] ?? []).includes(to))
    problems.push(`moves from ${from} to ${to}`)
  const changed = new Set(differing(before, after))
  // A request of the merchant takes over one that was registered from a booking that a restored copy lacked.
  if (entity === OrderRequest && before.fingerprint === "")
    for (const column of ["fingerprint", "idempotencyKey", "hasAmount", "operation"]) changed.delete(column)
  for (const column of fixed) if (changed.has(column)) problems.push(`changes its ${column}`)
  for (const column of rising) if (minor(after, column) < minor(before, column)) problems.push(`loses ${column}`)
  return problems
}

/** Returns what is wrong with a change of a row. */
export const problems = (change: Change): Problems => {
  const { after, before, entity, how, isSure, key } = change
  if (!isSure) return []
  const violations = [...ruleViolations(change)]
  if (entity.appendOnly && (before !== undefined || how !== "Append"))
    violations.push(`may only be appended, but gets ${how}`)
  // A row that is created and becomes final in the same commit is written twice by it.
  const version = Number(after?.version)
  const isFollowed =
    before === undefined
      ? after === undefined || version <= 2
      : after === undefined || version === Number(before.version) + 1
  if ("version" in entity.columns && !isFollowed)
    violations.push(`has version ${after?.version} after ${before?.version ?? "none"}`)
  return violations.map((problem) => `${entity.name} ${key} ${problem}`)
}

export const states: Check = {
  name: "states",
  what: "Every committed change of a row follows its rules for states, amounts and versions. Rows that are only added never change.",
  begin: ({ system }) => {
    let violations: Array<string> = []
    system.committed.observe((changes) => {
      for (const change of changes) violations.push(...problems(change))
    })
    const report = async () => {
      const now = violations
      violations = []
      return now
    }
    return { afterStep: report, atEnd: report }
  }
}
