/** One life of a simulated world: what merchants wanted in it, and what has become of it. */
import type * as Chance from "./Chance.ts"
import type { Intent } from "./Effects.ts"
import type { MerchantProcess } from "./merchant/MerchantProcess.ts"
import type { Draw, Ended, Made, Wish, WishKind } from "./merchant/Wish.ts"
import * as Transitions from "./Transitions.ts"
import type { World } from "./World.ts"

export interface Life {
  readonly world: World
  /** By the name of the intent. */
  readonly wishes: ReadonlyMap<string, Wish>
  /** What was asked for under this `client_orderid`. */
  readonly intentsOf: (clientOrderId: string) => ReadonlyArray<Intent>
  /** Names of orders about which something was asked or learned since the last look. */
  readonly touched: Set<string>
  /** How often each flow was begun and ended how, and each fault happened. */
  readonly counts: Readonly<Record<string, number>>
  /** Payouts whose approver has refused them, and was told that this counts. */
  readonly rejected: Set<string>
  /** What merchants were told and cannot be true, in words. */
  readonly untrue: ReadonlyArray<string>
  readonly count: (name: string, by?: number) => void
  /** Orders that were asked for. */
  readonly created: () => number
  readonly merchantOf: (login: string) => MerchantProcess
  /** Something that creates an order, drawn from the table. */
  readonly create: (
    merchant: MerchantProcess,
    chance: Chance.Chance,
    among: ReadonlyArray<WishKind>,
    price?: Pick<Draw, "amountMinor" | "till">
  ) => void
  /** Something that follows an order, drawn from the table; nothing while there is nothing to follow. */
  readonly follow: (
    merchant: MerchantProcess,
    chance: Chance.Chance,
    name: string,
    among: ReadonlyArray<WishKind>
  ) => void
  /** Up to four things at once that follow one payment by card, drawn from the table. */
  readonly rival: Life["follow"]
  /** Moves of orders, and the faults that they met. */
  readonly transitions: Transitions.Recorder
  /** Begins the wish's flow, or begins it again. */
  readonly begin: (wish: Wish) => void
}

const drawn = (among: ReadonlyArray<WishKind>, chance: Chance.Chance): WishKind | undefined => {
  let left = chance.below(among.reduce((sum, { weight }) => sum + weight, 0))
  return among.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}

export const make = (world: World): Life => {
  const wishes = new Map<string, Wish>()
  const byOrder = new Map<string, Array<Intent>>()
  /** By the merchant's login. */
  const made = new Map<string, { readonly orders: Array<Made>; readonly names: Set<string> }>()
  const touched = new Set<string>()
  const counts: Record<string, number> = {}
  const transitions = Transitions.make()
  world.committed.observe(transitions.observer)
  const untrue: Array<string> = []
  let created = 0

  const count = (name: string, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by
  }

  const merchantOf = (login: string): MerchantProcess => {
    const found = world.merchants.find(({ account }) => account.login === login)
    if (found === undefined) throw new Error(`nobody is called ${login}`)
    return found
  }

  const madeOf = (login: string) => {
    const known = made.get(login) ?? { orders: [], names: new Set() }
    made.set(login, known)
    return known
  }

  const keep = ({ card, endpoint, intent, makes }: Wish, { made: further, orderId, problem, tag }: Ended): void => {
    const { amountMinor = 0, clientOrderId, currency, login } = intent
    if (problem !== undefined) untrue.push(`${intent.name}: ${problem}`)
    if (tag !== "Succeeded" || orderId === undefined || makes === undefined) return
    const { names, orders } = madeOf(login)
    if (names.has(`${makes} ${clientOrderId}`)) return
    names.add(`${makes} ${clientOrderId}`)
    const known = { clientOrderId, orderId, kind: makes, amountMinor, endpoint, currency, card }
    orders.push({ account: merchantOf(login).account, ...known, ...further })
  }

  const begin = (wished: Wish): void => {
    const wish = wishes.get(wished.intent.name) ?? wished
    const { intent } = wish
    const { clientOrderId, login, name } = intent
    if (!wishes.has(name)) {
      wishes.set(name, wish)
      const intents = byOrder.get(clientOrderId) ?? []
      intents.push(intent, ...(wish.parts ?? []))
      byOrder.set(clientOrderId, intents)
    }
    touched.add(clientOrderId)
    count(wish.flow)
    merchantOf(login).begin(wish, (ended) => {
      touched.add(clientOrderId)
      count(`${wish.flow} ${ended.tag}`)
      keep(wish, ended)
    })
  }

  const draw = (
    { account, isDurable, place }: MerchantProcess,
    chance: Chance.Chance,
    name: string,
    clientOrderId: string,
    among: ReadonlyArray<WishKind>,
    made: ReadonlyArray<Made> = madeOf(account.login).orders,
    price: Pick<Draw, "amountMinor" | "till"> = {}
  ): Wish | undefined =>
    drawn(
      among.filter(({ flow, isProgram }) => !(isDurable && isProgram === true) && place.takes?.(flow) !== false),
      chance
    )?.draw({
      ...{ account, chance, name, clientOrderId, made, ...price }
    })

  /**
   * A gateway that tells no captured amount shows two captures of one hold alike: where the bank declines the one and does the
   * other at the same time, no client can tell which of them it was. Its merchant captures one after another.
   */
  const isTellable = ({ intent: { clientOrderId, kind, name } }: Wish, { place }: MerchantProcess): boolean =>
    place.isOurs ||
    kind !== "capture" ||
    (byOrder.get(clientOrderId) ?? []).every(
      (other) => other.kind !== "capture" || other.end !== "moving" || other.name === name
    )

  return {
    ...{ rejected: new Set<string>(), world, wishes, touched, counts, untrue, count, begin, merchantOf, transitions },
    intentsOf: (clientOrderId) => byOrder.get(clientOrderId) ?? [],
    created: () => created,
    create: (merchant, chance, among, price) => {
      created += 1
      const clientOrderId = `order-${created}`
      const wish = draw(merchant, chance, clientOrderId, clientOrderId, among, undefined, price)
      if (wish !== undefined) begin(wish)
    },
    follow: (merchant, chance, name, among) => {
      const wish = draw(merchant, chance, name, `${name}-order`, among)
      if (wish !== undefined && isTellable(wish, merchant)) begin(wish)
    },
    rival: (merchant, chance, name, among) => {
      const { orders } = madeOf(merchant.account.login)
      const order = chance.someOf(orders.filter(({ kind }) => kind === "preauth" || kind === "sale").slice(-10))
      if (order === undefined || !merchant.place.isOurs) transitions.withdraw()
      for (let left = order === undefined ? 0 : 2 + chance.below(3); left > 0; left -= 1) {
        const wish = draw(merchant, chance, `${name}-${left}`, `${name}-order`, among, order && [order])
        if (wish !== undefined && isTellable(wish, merchant)) begin(wish)
      }
    }
  }
}
