/** The flows behind the table of wishes, each as a durable engine registers it and a gateway is asked for it. */
import * as Durable from "@pay/flows/durable"
import type * as Flow from "@pay/flows/Flow"
import type { Operation } from "@pay/schema/Operation"
import { Effect, Layer } from "effect"
import * as Chance from "../Chance.ts"
import * as Account from "./Account.ts"
import type { Carry, Made, Needs, WishKind } from "./Wish.ts"
import * as Wishes from "./Wishes.ts"

interface WishFlow {
  readonly kind: WishKind
  /** The operation that it carries out. */
  readonly operation: Operation | undefined
  /** For a durable engine. */
  readonly registered: ReturnType<typeof register>
}

const register = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, Needs>
) => Durable.flow(flow)

/** Whatever a wish may want to follow. */
const kinds: Readonly<Record<Made["kind"], true>> = {
  sale: true,
  preauth: true,
  verification: true,
  payout: true,
  checkedPayout: true,
  transfer: true,
  eligibility: true,
  card: true,
  subscription: true
}
const isKind = (name: string): name is Made["kind"] => Object.hasOwn(kinds, name)
const made = Object.keys(kinds)
  .filter(isKind)
  .map(
    (kind, index): Made => ({
      ...{ account: Account.first, clientOrderId: `made-${kind}`, orderId: String(index + 1), kind, amountMinor: 100 },
      ...{ cardRef: "1", subscription: "1" }
    })
  )

/** Draws may find nothing; so many are made until one finds something. */
const mostDraws = 100

const wishOf = (kind: WishKind) => {
  for (let seed = 0; seed < mostDraws; seed += 1) {
    const names = { clientOrderId: "order", name: "name" }
    const wish = kind.draw({ account: Account.first, chance: Chance.make(seed), made, ...names })
    if (wish !== undefined) return wish
  }
  throw new Error(`no order is there that ${kind.flow} could follow`)
}

/** What the wish would carry out. */
const flowOf = (kind: WishKind): WishFlow => {
  let result: WishFlow | undefined
  const look: Carry = (flow) => {
    result = { kind, operation: flow.operation, registered: register(flow) }
    return Effect.interrupt
  }
  // It says so as soon as it is asked; what it would do then is not run.
  const question = [wishOf(kind)].map(({ run }) => run(look))
  if (result === undefined || question.length === 0)
    throw new Error(`${kind.flow} does not say at once which flow it carries out`)
  return result
}

let existing: ReadonlyArray<WishFlow> | undefined

/** One for each row of the table that is not a program made of flows. */
export const all = (): ReadonlyArray<WishFlow> => {
  existing ??= [...Wishes.creations, ...Wishes.followers].filter(({ isProgram }) => isProgram !== true).map(flowOf)
  return existing
}

/** All that a durable engine carries out, each once. */
export const registered = () => {
  const byName = new Map(all().map((flow) => [flow.kind.flow, flow.registered]))
  const [first, ...others] = byName.values()
  return first === undefined ? Layer.empty : Layer.mergeAll(first, ...others)
}
