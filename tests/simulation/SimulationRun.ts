/** One run of the simulation: the actions of its merchants, their results, and what the checks need to know of them. */
import type * as Chance from "@pay/crashtest/Chance"
import * as Intents from "./Intents.ts"
import type { ActionKind, ActionResult, CreatedOrder, DrawContext, MerchantAction } from "./merchant/MerchantAction.ts"
import type { MerchantProcess } from "./merchant/MerchantProcess.ts"
import * as Restores from "./Restores.ts"
import type { SimulatedSystem } from "./SimulatedSystem.ts"
import * as TransitionRecorder from "./TransitionRecorder.ts"

export interface SimulationRun {
  readonly system: SimulatedSystem
  readonly actions: ReadonlyMap<string, MerchantAction>
  /** The action of this intent; undefined for an intent that is a part of an action. */
  readonly actionOf: (intent: Intent) => MerchantAction | undefined
  /** The intents of an order, by the order's name in the simulation. */
  readonly intentsOf: (order: string) => ReadonlyArray<Intent>
  /** Names of orders whose flows started or ended since the last check. */
  readonly changedOrders: Set<string>
  /** How often each flow started and ended with each result, and how often each step happened. */
  readonly counts: Readonly<Record<string, number>>
  /** Payouts that an approver rejected, and whose rejection the gateway accepted. */
  readonly rejected: Set<string>
  /** Descriptions of answers that contradict earlier answers. */
  readonly inconsistentAnswers: ReadonlyArray<string>
  /** Backups and restores of the gateway's store. */
  readonly restores: Restores.Restores
  readonly count: (name: string, by?: number) => void
  /** The number of orders that merchants created. */
  readonly created: () => number
  readonly merchantOf: (login: string) => MerchantProcess
  /** Starts an action, drawn from the table, that creates an order. */
  readonly create: (
    merchant: MerchantProcess,
    chance: Chance.Chance,
    among: ReadonlyArray<ActionKind>,
    price?: Pick<DrawContext, "amountMinor" | "endpointCurrency">
  ) => void
  /** Starts an action, drawn from the table, that follows up an order. Does nothing if there is no suitable order. */
  readonly follow: (
    merchant: MerchantProcess,
    chance: Chance.Chance,
    name: string,
    among: ReadonlyArray<ActionKind>
  ) => void
  /** Starts up to four actions at once that follow up one card payment. */
  readonly followConcurrently: SimulationRun["follow"]
  /** Transitions of orders, and the faults that preceded them. */
  readonly transitions: TransitionRecorder.TransitionRecorder
  /** Starts the flow of an action, for the first time or again. */
  readonly begin: (action: MerchantAction) => void
}

type Intent = Intents.Intent

/** The percentage of orders whose `client_orderid` the other merchant has used too. */
const sharedPercent = 10

const drawWeighted = (among: ReadonlyArray<ActionKind>, chance: Chance.Chance): ActionKind | undefined => {
  let left = chance.below(among.reduce((sum, { weight }) => sum + weight, 0))
  return among.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}

export const make = (system: SimulatedSystem): SimulationRun => {
  const actions = new Map<string, MerchantAction>()
  const byOrder = new Map<string, Array<Intent>>()
  /** The `client_orderid`s that each merchant has used, by its login. */
  const usedNames = new Map(system.merchants.map(({ account }) => [account.login, new Set<string>()]))
  /** Orders that each merchant has created, by its login. */
  const createdOrders = new Map<string, { readonly orders: Array<CreatedOrder>; readonly names: Set<string> }>()
  const changedOrders = new Set<string>()
  const counts: Record<string, number> = {}
  const transitions = TransitionRecorder.make()
  system.committed.observe(transitions.observer)
  const inconsistentAnswers: Array<string> = []
  let created = 0

  const count = (name: string, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by
  }

  const merchantOf = (login: string): MerchantProcess => {
    const result = system.merchants.find(({ account }) => account.login === login)
    if (result === undefined) throw new Error(`no merchant has the login ${login}`)
    return result
  }

  const ordersOf = (login: string) => {
    const existing = createdOrders.get(login) ?? { orders: [], names: new Set() }
    createdOrders.set(login, existing)
    return existing
  }

  const recordResult = (
    { card, endpoint, intent, creates }: MerchantAction,
    { created: further, orderId, problem, tag }: ActionResult
  ): void => {
    const { amountMinor = 0, clientOrderId, currency, login } = intent
    if (problem !== undefined) inconsistentAnswers.push(`${intent.name}: ${problem}`)
    if (tag !== "Succeeded" || orderId === undefined || creates === undefined) return
    const { names, orders } = ordersOf(login)
    if (names.has(`${creates} ${clientOrderId}`)) return
    names.add(`${creates} ${clientOrderId}`)
    const existing = { clientOrderId, orderId, kind: creates, amountMinor, endpoint, currency, card }
    orders.push({ account: merchantOf(login).account, ...existing, ...further })
  }

  const keyOf = ({ login, name }: Intent): string => `${name} of ${login}`
  const actionOf = (intent: Intent): MerchantAction | undefined => actions.get(keyOf(intent))

  const begin = (requested: MerchantAction): void => {
    const action = actionOf(requested.intent) ?? requested
    const { intent } = action
    const order = Intents.nameOf(intent)
    if (!actions.has(keyOf(intent))) {
      actions.set(keyOf(intent), action)
      const intents = byOrder.get(order) ?? []
      intents.push(intent, ...(action.parts ?? []))
      byOrder.set(order, intents)
    }
    changedOrders.add(order)
    count(action.flow)
    merchantOf(intent.login).begin(action, (result) => {
      changedOrders.add(order)
      count(`${action.flow} ${result.tag}`)
      recordResult(action, result)
    })
  }

  const draw = (
    { account, isDurable, remote }: MerchantProcess,
    chance: Chance.Chance,
    name: string,
    clientOrderId: string,
    among: ReadonlyArray<ActionKind>,
    orders: ReadonlyArray<CreatedOrder> = ordersOf(account.login).orders,
    price: Pick<DrawContext, "amountMinor" | "endpointCurrency"> = {}
  ): MerchantAction | undefined =>
    drawWeighted(
      among.filter(({ flow, isProgram }) => !(isDurable && isProgram === true) && remote.supports?.(flow) !== false),
      chance
    )?.draw({
      ...{ account, chance, name, clientOrderId, orders, ...price }
    })

  /**
   * A gateway that does not state the captured amount shows two captures of one hold alike. If the bank declines one of two
   * concurrent captures, no client can tell which. So merchants of the stub gateway capture one after another.
   */
  const isDistinguishable = ({ intent }: MerchantAction, { remote }: MerchantProcess): boolean =>
    remote.isOurs ||
    intent.kind !== "capture" ||
    (byOrder.get(Intents.nameOf(intent)) ?? []).every(
      (other) => other.kind !== "capture" || other.status !== "running" || other.name === intent.name
    )

  /** Returns a new `client_orderid`. Sometimes the other merchant of the same gateway has used it too. */
  const newClientOrderId = ({ account: { login }, remote }: MerchantProcess, chance: Chance.Chance): string => {
    created += 1
    const own = usedNames.get(login) ?? new Set()
    const others = system.merchants.filter(
      (other) => other.remote.isOurs && remote.isOurs && other.account.login !== login
    )
    const shared = chance.percent(sharedPercent)
      ? others.flatMap(({ account }) =>
          [...(usedNames.get(account.login) ?? [])].slice(-20).filter((each) => !own.has(each))
        )
      : []
    const result = chance.someOf(shared) ?? `order-${created}`
    own.add(result)
    return result
  }

  return {
    ...{
      rejected: new Set<string>(),
      restores: Restores.make(system.committed),
      system,
      actions,
      changedOrders,
      counts,
      inconsistentAnswers,
      count,
      begin,
      merchantOf,
      transitions
    },
    actionOf,
    intentsOf: (order) => byOrder.get(order) ?? [],
    created: () => created,
    create: (merchant, chance, among, price) => {
      const clientOrderId = newClientOrderId(merchant, chance)
      const action = draw(merchant, chance, clientOrderId, clientOrderId, among, undefined, price)
      if (action !== undefined) begin(action)
    },
    follow: (merchant, chance, name, among) => {
      const action = draw(merchant, chance, name, `${name}-order`, among)
      if (action !== undefined && isDistinguishable(action, merchant)) begin(action)
    },
    followConcurrently: (merchant, chance, name, among) => {
      const { orders } = ordersOf(merchant.account.login)
      const order = chance.someOf(orders.filter(({ kind }) => kind === "preauth" || kind === "sale").slice(-10))
      if (order === undefined || !merchant.remote.isOurs) transitions.withdraw()
      for (let left = order === undefined ? 0 : 2 + chance.below(3); left > 0; left -= 1) {
        const action = draw(merchant, chance, `${name}-${left}`, `${name}-order`, among, order && [order])
        if (action !== undefined && isDistinguishable(action, merchant)) begin(action)
      }
    }
  }
}
