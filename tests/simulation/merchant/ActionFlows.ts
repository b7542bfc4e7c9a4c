/** The flows behind the table of actions, each as a durable engine registers it and a gateway is asked for it. */

import * as Chance from "@pay/crashtest/Chance"
import type * as Flow from "@pay/flows/Flow"
import type { Operation } from "@pay/schema/Operation"
import { Effect, Layer } from "effect"
import * as Account from "./Account.ts"
import type { ActionKind, CreatedOrder, Execute, FlowServices } from "./MerchantAction.ts"
import * as MerchantActions from "./MerchantActions.ts"

interface ActionFlow {
  readonly kind: ActionKind
  /** The operation that the flow calls. */
  readonly operation: Operation | undefined
  /** The flow as a durable engine registers it. */
  readonly registered: ReturnType<typeof register>
}

const register = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, FlowServices>
) => flow.layer

/** All kinds of orders that an action may follow up. */
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
const sampleOrders = Object.keys(kinds)
  .filter(isKind)
  .map(
    (kind, index): CreatedOrder => ({
      ...{ account: Account.first, clientOrderId: `made-${kind}`, orderId: String(index + 1), kind, amountMinor: 100 },
      ...{ cardRef: "1", subscription: "1" }
    })
  )

/** The number of draws until one returns an action. */
const maxDraws = 100

const actionOf = (kind: ActionKind) => {
  for (let seed = 0; seed < maxDraws; seed += 1) {
    const names = { clientOrderId: "order", name: "name" }
    const action = kind.draw({ account: Account.first, chance: Chance.make(seed), orders: sampleOrders, ...names })
    if (action !== undefined) return action
  }
  throw new Error(`no order is there that ${kind.flow} could follow`)
}

/** Finds the flow of an action by running it with an engine that only records the flow. */
const flowOf = (kind: ActionKind): ActionFlow => {
  let result: ActionFlow | undefined
  const look: Execute = (flow) => {
    result = { kind, operation: flow.operation, registered: register(flow) }
    return Effect.interrupt
  }
  // The action passes its flow at once. The effect that it returns is not run.
  const effects = [actionOf(kind)].map(({ run }) => run(look))
  if (result === undefined || effects.length === 0)
    throw new Error(`${kind.flow} does not say at once which flow it carries out`)
  return result
}

let existing: ReadonlyArray<ActionFlow> | undefined

/** Returns the flow of each row of the table that is a single flow. */
export const all = (): ReadonlyArray<ActionFlow> => {
  existing ??= [...MerchantActions.creations, ...MerchantActions.followers]
    .filter(({ isProgram }) => isProgram !== true)
    .map(flowOf)
  return existing
}

/** Returns a layer that registers each flow once with a durable engine. */
export const registered = () => {
  const byName = new Map(all().map((flow) => [flow.kind.flow, flow.registered]))
  const [first, ...others] = byName.values()
  return first === undefined ? Layer.empty : Layer.mergeAll(first, ...others)
}
