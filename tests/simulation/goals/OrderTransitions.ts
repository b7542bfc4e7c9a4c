/** All transitions that orders can make, from the gateway's tables of states, without those that are impossible for a kind. */
import { cardKinds, Lifecycle, type Order } from "@pay/gateway/Entities"
import * as CardKinds from "../../../gateway/gateway/src/orders/record/CardKinds.ts"
import * as PayoutLifecycle from "../../../gateway/gateway/src/orders/record/PayoutLifecycle.ts"

export interface OrderTransition {
  readonly kind: Order["kind"]
  /** `nothing`: the order does not exist yet. */
  readonly from: string
  readonly to: string
}

type Table = Readonly<Record<string, { readonly on: Readonly<Record<string, string>> }>>

/** Transitions that no order of a kind can make, with the reason. */
interface Exclusion {
  readonly transition: RegExp
  readonly because: string
}

/** The events by which an approval of the bank completes card orders of all kinds. */
const approvals: ReadonlySet<string> = new Set(Object.values(CardKinds.kinds).map(({ event }) => event))

export const exclusions: ReadonlyArray<Exclusion> = [
  {
    transition: /^(transfer|eligibility|deposit): .*registered/,
    because: "a page of the gateway takes payments, verifications and payouts only"
  },
  {
    transition: /^(eligibility|deposit): .*authenticating/,
    because: "no cardholder takes part who could be authenticated"
  },
  {
    transition: /^(sale|preauth|verification|transfer|eligibility): nothing → declined/,
    because: "only bank, issuer or customer decline a card order, and only after it exists"
  },
  {
    transition: /^deposit: .*(checking|checked)/,
    because: "a transfer has no check of its own: it is one request"
  },
  {
    transition: /: settled → (authorized|declined)/,
    because: "only a notification reports a failure after the approval, and the simulated bank sends none"
  },
  {
    transition: /^payout: registered → (waiting|paying)/,
    because: "a recipient from a page is checked with the rail first"
  }
]

const lines = (
  kind: Order["kind"],
  table: Table,
  isPossible: (from: string, event: string) => boolean
): ReadonlyArray<string> => {
  const firsts = Object.entries(table.registered?.on ?? {}).filter(([event]) => isPossible("nothing", event))
  return [
    `${kind}: nothing → registered`,
    ...firsts.map(([, to]) => `${kind}: nothing → ${to}`),
    ...Object.entries(table).flatMap(([from, { on }]) =>
      Object.entries(on)
        .filter(([event, to]) => to !== from && isPossible(from, event))
        .map(([, to]) => `${kind}: ${from} → ${to}`)
    )
  ]
}

/** Each kind has one event for approvals. Only an authorization can be captured, voided or lapse. */
const cardTransitions = cardKinds.flatMap((kind) => {
  const { captures, event: own, holds } = CardKinds.kinds[kind]
  return lines(kind, Lifecycle.cards, (from, event) =>
    from === "authorized" ? holds && !captures : !approvals.has(event) || event === own
  )
})

/** A payout on a page is checked; the commit of that answer pays it or leaves it to its approver. */
const pageTransitions = ["payout: checking → paying", "payout: checking → waiting"]

/**
 * Transitions of a sale with a list of amounts. The decline of one amount starts the next, unless a rule filters the card.
 */
const amountListTransitions = [
  "sale: unknown → authorizing",
  "sale: authorizing → filtered",
  "sale: unknown → filtered"
]

const payoutTransitions = (["payout", "deposit"] as const).flatMap((kind) =>
  lines(kind, PayoutLifecycle.table, () => true)
)

/** All transitions as `kind: from → to`, each once, sorted. */
export const all: ReadonlyArray<string> = [
  ...new Set([...cardTransitions, ...payoutTransitions, ...pageTransitions, ...amountListTransitions])
]
  .filter((transition) => !exclusions.some((rule) => rule.transition.test(transition)))
  .sort()

const isKind = (name: string | undefined): name is Order["kind"] =>
  name === "payout" || name === "deposit" || cardKinds.some((kind) => kind === name)

/** Returns undefined if the text is not a transition. */
export const parse = (transition: string): OrderTransition | undefined => {
  const [kind, way = ""] = transition.split(": ")
  const [from, to] = way.split(" → ")
  return isKind(kind) && from !== undefined && to !== undefined ? { kind, from, to } : undefined
}
