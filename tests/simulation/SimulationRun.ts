/** One run of a simulated world: what merchants wanted in it, and what has become of it. */
import type * as Chance from "./Chance.ts"
import * as Intents from "./Intents.ts"
import type { ActionKind, ActionResult, CreatedOrder, DrawContext, MerchantAction } from "./merchant/MerchantAction.ts"
import type { MerchantProcess } from "./merchant/MerchantProcess.ts"
import * as TransitionRecorder from "./TransitionRecorder.ts"
import type { World } from "./World.ts"

export interface SimulationRun {
  readonly world: World
  readonly actions: ReadonlyMap<string, MerchantAction>
  /** The action of this intent; undefined: it is a part of another one's. */
  readonly actionOf: (intent: Intent) => MerchantAction | undefined
  /** What was asked for about the order, by its name in the world. */
  readonly intentsOf: (order: string) => ReadonlyArray<Intent>
  /** Names in the world of orders about which something was asked or learned since the last look. */
  readonly touched: Set<string>
  /** How often each flow was begun and ended how, and each fault happened. */
  readonly counts: Readonly<Record<string, number>>
  /** Payouts whose approver has refused them, and got the answer that this counts. */
  readonly rejected: Set<string>
  /** Answers to merchants that cannot be true, in words. */
  readonly inconsistentAnswers: ReadonlyArray<string>
  readonly count: (name: string, by?: number) => void
  /** Orders that were asked for. */
  readonly created: () => number
  readonly merchantOf: (login: string) => MerchantProcess
  /** Something that creates an order, drawn from the table. */
  readonly create: (
    merchant: MerchantProcess,
    chance: Chance.Chance,
    among: ReadonlyArray<ActionKind>,
    price?: Pick<DrawContext, "amountMinor" | "endpointCurrency">
  ) => void
  /** Something that follows an order, drawn from the table; nothing while there is nothing to follow. */
  readonly follow: (
    merchant: MerchantProcess,
    chance: Chance.Chance,
    name: string,
    among: ReadonlyArray<ActionKind>
  ) => void
  /** Up to four things at once that follow one payment by card, drawn from the table. */
  readonly rival: SimulationRun["follow"]
  /** Moves of orders, and the faults that they met. */
  readonly transitions: TransitionRecorder.Recorder
  /** Begins the action's flow, or begins it again. */
  readonly begin: (action: MerchantAction) => void
}

type Intent = Intents.Intent

/** The percentage of orders that get a number which the other merchant has given to an order. */
const sharedPercent = 10

const drawn = (among: ReadonlyArray<ActionKind>, chance: Chance.Chance): ActionKind | undefined => {
  let left = chance.below(among.reduce((sum, { weight }) => sum + weight, 0))
  return among.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}

export const make = (world: World): SimulationRun => {
  const actions = new Map<string, MerchantAction>()
  const byOrder = new Map<string, Array<Intent>>()
  /** The numbers that a merchant has given to orders, by its login. */
  const numbers = new Map(world.merchants.map(({ account }) => [account.login, new Set<string>()]))
  /** By the merchant's login. */
  const made = new Map<string, { readonly orders: Array<CreatedOrder>; readonly names: Set<string> }>()
  const touched = new Set<string>()
  const counts: Record<string, number> = {}
  const transitions = TransitionRecorder.make()
  world.committed.observe(transitions.observer)
  const inconsistentAnswers: Array<string> = []
  let created = 0

  const count = (name: string, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by
  }

  const merchantOf = (login: string): MerchantProcess => {
    const result = world.merchants.find(({ account }) => account.login === login)
    if (result === undefined) throw new Error(`nobody is called ${login}`)
    return result
  }

  const madeOf = (login: string) => {
    const existing = made.get(login) ?? { orders: [], names: new Set() }
    made.set(login, existing)
    return existing
  }

  const keep = (
    { card, endpoint, intent, creates }: MerchantAction,
    { made: further, orderId, problem, tag }: ActionResult
  ): void => {
    const { amountMinor = 0, clientOrderId, currency, login } = intent
    if (problem !== undefined) inconsistentAnswers.push(`${intent.name}: ${problem}`)
    if (tag !== "Succeeded" || orderId === undefined || creates === undefined) return
    const { names, orders } = madeOf(login)
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
    touched.add(order)
    count(action.flow)
    merchantOf(intent.login).begin(action, (ended) => {
      touched.add(order)
      count(`${action.flow} ${ended.tag}`)
      keep(action, ended)
    })
  }

  const draw = (
    { account, isDurable, remote }: MerchantProcess,
    chance: Chance.Chance,
    name: string,
    clientOrderId: string,
    among: ReadonlyArray<ActionKind>,
    made: ReadonlyArray<CreatedOrder> = madeOf(account.login).orders,
    price: Pick<DrawContext, "amountMinor" | "endpointCurrency"> = {}
  ): MerchantAction | undefined =>
    drawn(
      among.filter(({ flow, isProgram }) => !(isDurable && isProgram === true) && remote.takes?.(flow) !== false),
      chance
    )?.draw({
      ...{ account, chance, name, clientOrderId, made, ...price }
    })

  /**
   * A gateway that tells no captured amount shows two captures of one hold alike: where the bank declines the one and does the
   * other at the same time, no client can tell which of them it was. Its merchant captures one after another.
   */
  const isTellable = ({ intent }: MerchantAction, { remote }: MerchantProcess): boolean =>
    remote.isOurs ||
    intent.kind !== "capture" ||
    (byOrder.get(Intents.nameOf(intent)) ?? []).every(
      (other) => other.kind !== "capture" || other.status !== "running" || other.name === intent.name
    )

  /** What an order is called; at times as one of the other merchant's of the same gateway, which says nothing of either. */
  const number = ({ account: { login }, remote }: MerchantProcess, chance: Chance.Chance): string => {
    created += 1
    const own = numbers.get(login) ?? new Set()
    const others = world.merchants.filter(
      (other) => other.remote.isOurs && remote.isOurs && other.account.login !== login
    )
    const shared = chance.percent(sharedPercent)
      ? others.flatMap(({ account }) =>
          [...(numbers.get(account.login) ?? [])].slice(-20).filter((each) => !own.has(each))
        )
      : []
    const result = chance.someOf(shared) ?? `order-${created}`
    own.add(result)
    return result
  }

  return {
    ...{
      rejected: new Set<string>(),
      world,
      actions,
      touched,
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
      const clientOrderId = number(merchant, chance)
      const action = draw(merchant, chance, clientOrderId, clientOrderId, among, undefined, price)
      if (action !== undefined) begin(action)
    },
    follow: (merchant, chance, name, among) => {
      const action = draw(merchant, chance, name, `${name}-order`, among)
      if (action !== undefined && isTellable(action, merchant)) begin(action)
    },
    rival: (merchant, chance, name, among) => {
      const { orders } = madeOf(merchant.account.login)
      const order = chance.someOf(orders.filter(({ kind }) => kind === "preauth" || kind === "sale").slice(-10))
      if (order === undefined || !merchant.remote.isOurs) transitions.withdraw()
      for (let left = order === undefined ? 0 : 2 + chance.below(3); left > 0; left -= 1) {
        const action = draw(merchant, chance, `${name}-${left}`, `${name}-order`, among, order && [order])
        if (action !== undefined && isTellable(action, merchant)) begin(action)
      }
    }
  }
}
