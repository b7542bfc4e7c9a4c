/**
 * Rows change only as their tables say. Every commit is looked at when it is made: statuses move along the run of their kind,
 * amounts never fall, what is final stays, versions rise by one, and what is only ever added is never changed.
 */
import type { Entity } from "@pay/gateway/Entity"
import { CallbackEvent } from "@pay/gateway/entities/CallbackEvent"
import { Balance } from "@pay/gateway/entities/Ledger"
import { Occurrence } from "@pay/gateway/entities/Occurrence"
import { cardKinds, Order } from "@pay/gateway/entities/Order"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import { Subscription } from "@pay/gateway/entities/Subscription"
import * as Lifecycle from "@pay/gateway/Lifecycle"
import { BankTask } from "../../../packages/gateway/src/orders/outcomes/BankTask.ts"
import * as PayoutLifecycle from "../../../packages/gateway/src/orders/PayoutLifecycle.ts"
import { BankBooking } from "../../../packages/gateway/src/orders/restored/BankBooking.ts"
import { Approval } from "../../../packages/gateway/src/payouts/Approval.ts"
import * as SubscriptionLife from "../../../packages/gateway/src/recurring/SubscriptionLife.ts"
import { type Change, differing, type Row } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"

/** The states to which each state leads. */
type Moves = Readonly<Record<string, ReadonlyArray<string>>>

const movesOf = (table: Readonly<Record<string, { readonly on: Readonly<Record<string, string>> }>>): Moves =>
  Object.fromEntries(Object.entries(table).map(([state, { on }]) => [state, Object.values(on)]))

const cards = movesOf(Lifecycle.cards)
const payouts: Moves = {
  ...movesOf(PayoutLifecycle.table),
  // A page's payout is checked, and in the commit of the answer paid or set aside for its approver.
  checking: [...Object.values(PayoutLifecycle.table.checking.on), ...Object.values(PayoutLifecycle.table.checked.on)]
}
/** The next amount of a list is asked for in the commit that ends the one before, or stopped by a rule that came since. */
const ofLists: Moves = {
  ...cards,
  authorizing: [...(cards.authorizing ?? []), "filtered"],
  unknown: [...(cards.unknown ?? []), "authorizing", "filtered"]
}
const kindsOfCards: ReadonlySet<unknown> = new Set(cardKinds)

interface Rule {
  readonly entity: Entity
  /** The column that says where the row stands. */
  readonly state?: string
  readonly moves?: (row: Row) => Moves
  /** Columns that never get less. */
  readonly rising?: ReadonlyArray<string>
  /** Columns that never change. */
  readonly fixed: ReadonlyArray<string>
  /** What must hold of every row. */
  readonly holds?: (row: Row) => boolean
}

const minor = (row: Row, ...columns: ReadonlyArray<string>): number =>
  columns.reduce((sum, column) => sum + Number(row[column]), 0)

const ends = ["approved", "declined", "filtered", "error"]

const rules: ReadonlyArray<Rule> = [
  {
    entity: Order,
    state: "state",
    moves: ({ amountsLeft, kind }) =>
      kindsOfCards.has(kind) ? ((amountsLeft ?? null) === null ? cards : ofLists) : payouts,
    rising: ["authorizedMinor", "capturedMinor", "returnedMinor", "released", "sequence", "eventCount"],
    fixed: ["merchantId", "endpointId", "clientOrderId", "requestId", "kind", "currency", "createdAtMs"],
    holds: (row) =>
      minor(row, "capturedMinor", "capturingMinor") <= minor(row, "authorizedMinor") &&
      minor(row, "returnedMinor", "returningMinor") <= minor(row, "capturedMinor") &&
      // A hold is released once, and not while something of it is captured.
      minor(row, "releasing", "released") <= 1 &&
      (minor(row, "releasing") === 0 || minor(row, "capturingMinor") === 0) &&
      ["capturingMinor", "returningMinor", "movingCount"].every((column) => minor(row, column) >= 0)
  },
  {
    entity: OrderRequest,
    state: "progress",
    // What was not certain goes on with another attempt, amount or step of the same request.
    // The rail may refuse a payout that it had confirmed, and a checked one lapses if it is not paid.
    moves: ({ action }) => ({
      moving: ["unknown", ...ends],
      unknown: ["moving", ...ends],
      approved: action === "pay" || action === "check" ? ["declined"] : []
    }),
    fixed: ["merchantId", "orderId", "operation", "fingerprint", "idempotencyKey", "amountGiven"]
  },
  {
    // Nothing is paid out that is not there.
    entity: Balance,
    fixed: [],
    holds: (row) => !String(row.account).endsWith("/payout_available") || minor(row, "minor") >= 0
  },
  {
    entity: Subscription,
    state: "state",
    moves: () => movesOf(SubscriptionLife.states),
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
    fixed: ["merchantId", "requestId", "askedAtMs", "expiresAtMs"]
  },
  {
    entity: CallbackEvent,
    state: "delivery",
    moves: () => ({ pending: ["delivered", "parked"], delivered: ["pending"], parked: ["pending"] }),
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
    moves: () => ({ open: ["reversing", "reversed", "closed"], reversing: ["open", "reversed", "closed"] }),
    fixed: ["orderId", "merchantId", "amountMinor", "currency", "createdAtMs"]
  }
]

const byEntity = new Map(rules.map((rule) => [rule.entity, rule]))

/** What the rule of its entity has against a change. */
const againstRule = ({ after, before, entity }: Change): Problems => {
  const rule = byEntity.get(entity)
  if (rule === undefined || after === undefined) return []
  const { fixed, holds = () => true, moves, rising = [], state = "" } = rule
  const problems = holds(after) ? [] : ["holds amounts that cannot be"]
  if (before === undefined) return problems
  const [from, to] = [String(before[state]), String(after[state])]
  if (moves !== undefined && from !== to && !(moves(before)[from] ?? []).includes(to))
    problems.push(`moves from ${from} to ${to}`)
  const changed = new Set(differing(before, after))
  for (const column of fixed) if (changed.has(column)) problems.push(`changes its ${column}`)
  for (const column of rising) if (minor(after, column) < minor(before, column)) problems.push(`loses ${column}`)
  return problems
}

/** What is wrong with one change of one row, in words. */
export const problems = (change: Change): Problems => {
  const { after, before, entity, how, isSure, key } = change
  if (!isSure) return []
  const violations = [...againstRule(change)]
  if (entity.appendOnly && (before !== undefined || how !== "Append"))
    violations.push(`is only ever added, but meets ${how}`)
  // One that is born and ends in the same commit has been written twice by it.
  const version = Number(after?.version)
  const isFollowed = before === undefined ? version <= 2 : after === undefined || version === Number(before.version) + 1
  if ("version" in entity.columns && !isFollowed)
    violations.push(`has version ${after?.version} after ${before?.version ?? "none"}`)
  return violations.map((problem) => `${entity.name} ${key} ${problem}`)
}

export const states: Check = {
  name: "states",
  what: "Every committed change of a row is one that its table has: statuses, amounts, versions; what is only added is never changed.",
  begin: ({ world }) => {
    let violations: Array<string> = []
    world.committed.observe((changes) => {
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
