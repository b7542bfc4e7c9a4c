/** Every transition that an order can make, as the gateway's tables of states have them, without those that its kind rules out. */
import { cardKinds, type Kind } from "@pay/gateway/entities/Order"
import * as Lifecycle from "@pay/gateway/Lifecycle"
import * as CardKinds from "../../../packages/gateway/src/orders/CardKinds.ts"
import * as PayoutLifecycle from "../../../packages/gateway/src/orders/PayoutLifecycle.ts"

export interface OrderTransition {
  readonly kind: Kind
  /** `nothing`: the order is not there yet. */
  readonly from: string
  readonly to: string
}

type Table = Readonly<Record<string, { readonly on: Readonly<Record<string, string>> }>>

/** A transition that no order of the kind can make, and why. */
interface Ruled {
  readonly transition: RegExp
  readonly because: string
}

/** How an approval of the bank ends the creation of a card order, whatever its kind. */
const approvals: ReadonlySet<string> = new Set(Object.values(CardKinds.kinds).map(({ event }) => event))

export const ruled: ReadonlyArray<Ruled> = [
  {
    transition: /^(transfer|eligibility|deposit): .*registered/,
    because: "a page of the gateway takes payments, verifications and payouts only"
  },
  {
    transition: /^(eligibility|deposit): .*authenticating/,
    because: "no cardholder takes part, whom an issuer could ask"
  },
  {
    transition: /^(sale|preauth|verification|transfer|eligibility): nothing → declined/,
    because: "only the bank, the issuer or the customer declines a card order, and they are asked when it is there"
  },
  {
    transition: /^deposit: .*(checking|checked)/,
    because: "a transfer has no check of its own: it is one request"
  },
  {
    transition: /^payout: registered → (waiting|paying)/,
    because: "what a recipient has entered on a page is checked with the rail first"
  }
]

const lines = (kind: Kind, table: Table, passes: (from: string, event: string) => boolean): ReadonlyArray<string> => {
  const firsts = Object.entries(table.registered?.on ?? {}).filter(([event]) => passes("nothing", event))
  return [
    `${kind}: nothing → registered`,
    ...firsts.map(([, to]) => `${kind}: nothing → ${to}`),
    ...Object.entries(table).flatMap(([from, { on }]) =>
      Object.entries(on)
        .filter(([event, to]) => to !== from && passes(from, event))
        .map(([, to]) => `${kind}: ${from} → ${to}`)
    )
  ]
}

/** An approval means one thing for each kind; only a hold that was made is settled, released or lapses. */
const ofCards = cardKinds.flatMap((kind) => {
  const { captures, event: own, holds } = CardKinds.kinds[kind]
  return lines(kind, Lifecycle.cards, (from, event) =>
    from === "authorized" ? holds && !captures : !approvals.has(event) || event === own
  )
})

/** A page's payout is checked, and in the commit of the answer paid or set aside for its approver. */
const ofPages = ["payout: checking → paying", "payout: checking → waiting"]

/**
 * Moves of a sale that sends a list of amounts. The decline of one amount begins the next, unless a rule has stopped the card
 * since.
 */
const ofLists = ["sale: unknown → authorizing", "sale: authorizing → filtered", "sale: unknown → filtered"]

const ofPayouts = (["payout", "deposit"] as const).flatMap((kind) => lines(kind, PayoutLifecycle.table, () => true))

/** All transitions as `kind: from → to`, each once, in order. */
export const all: ReadonlyArray<string> = [...new Set([...ofCards, ...ofPayouts, ...ofPages, ...ofLists])]
  .filter((transition) => !ruled.some((rule) => rule.transition.test(transition)))
  .sort()

const isKind = (name: string | undefined): name is Kind =>
  name === "payout" || name === "deposit" || cardKinds.some((kind) => kind === name)

/** Undefined: it is written otherwise. */
export const parse = (transition: string): OrderTransition | undefined => {
  const [kind, way = ""] = transition.split(": ")
  const [from, to] = way.split(" → ")
  return isKind(kind) && from !== undefined && to !== undefined ? { kind, from, to } : undefined
}
