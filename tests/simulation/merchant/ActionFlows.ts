/** The flows behind the table of actions, each as a durable engine registers it and a gateway is asked for it. */
import * as Durable from "@pay/flows/durable"
import type * as Flow from "@pay/flows/Flow"
import type { Operation } from "@pay/schema/Operation"
import { Effect, Layer } from "effect"
import * as Chance from "../Chance.ts"
import * as Account from "./Account.ts"
import type { ActionKind, CreatedOrder, Execute, FlowServices } from "./MerchantAction.ts"
import * as MerchantActions from "./MerchantActions.ts"

interface ActionFlow {
  readonly kind: ActionKind
  /** The operation that it carries out. */
  readonly operation: Operation | undefined
  /** For a durable engine. */
  readonly registered: ReturnType<typeof register>
}

const register = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, FlowServices>
) => Durable.flow(flow)

/** Whatever a action may want to follow. */
const kinds: Readonly<Record<CreatedOrder["kind"], true>> = {
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
const isKind = (name: string): name is CreatedOrder["kind"] => Object.hasOwn(kinds, name)
const made = Object.keys(kinds)
  .filter(isKind)
  .map(
    (kind, index): CreatedOrder => ({
      ...{ account: Account.first, clientOrderId: `made-${kind}`, orderId: String(index + 1), kind, amountMinor: 100 },
      ...{ cardRef: "1", subscription: "1" }
    })
  )

/** Draws may find nothing; so many are made until one finds something. */
const maxDraws = 100

const actionOf = (kind: ActionKind) => {
  for (let seed = 0; seed < maxDraws; seed += 1) {
    const names = { clientOrderId: "order", name: "name" }
    const action = kind.draw({ account: Account.first, chance: Chance.make(seed), made, ...names })
    if (action !== undefined) return action
  }
  throw new Error(`no order is there that ${kind.flow} could follow`)
}

/** What the action would carry out. */
const flowOf = (kind: ActionKind): ActionFlow => {
  let result: ActionFlow | undefined
  const look: Execute = (flow) => {
    result = { kind, operation: flow.operation, registered: register(flow) }
    return Effect.interrupt
  }
  // It says so as soon as it is asked; what it would do then is not run.
  const question = [actionOf(kind)].map(({ run }) => run(look))
  if (result === undefined || question.length === 0)
    throw new Error(`${kind.flow} does not say at once which flow it carries out`)
  return result
}

let existing: ReadonlyArray<ActionFlow> | undefined

/** One for each row of the table that is not a program made of flows. */
export const all = (): ReadonlyArray<ActionFlow> => {
  existing ??= [...MerchantActions.creations, ...MerchantActions.followers]
    .filter(({ isProgram }) => isProgram !== true)
    .map(flowOf)
  return existing
}

/** All that a durable engine carries out, each once. */
export const registered = () => {
  const byName = new Map(all().map((flow) => [flow.kind.flow, flow.registered]))
  const [first, ...others] = byName.values()
  return first === undefined ? Layer.empty : Layer.mergeAll(first, ...others)
}
