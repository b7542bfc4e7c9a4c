/**
 * One simulated life of a payment world: steps that are drawn from a seed, then an end without faults in which everything must
 * become final and right. A step draws from a chance of its own, so that leaving one out changes no other.
 */

import { Order } from "@pay/gateway/entities/Order"
import * as Parity from "@pay/gateway/Parity"
import type { Booking } from "@pay/sandbox/Booking"
import { Effect } from "effect"
import * as BankTroubles from "./BankTroubles.ts"
import * as Chance from "./Chance.ts"
import * as Effects from "./Effects.ts"
import type { Ended, Made, Wish } from "./merchant/Wishes.ts"
import * as Wishes from "./merchant/Wishes.ts"
import * as Network from "./Network.ts"
import * as World from "./World.ts"

export interface Plan {
  readonly seed: number
  readonly steps: number
  /** Steps that are left out, to find the shortest life that still fails. */
  readonly without?: ReadonlySet<number>
  readonly spoiled?: World.Spoiled
}

export interface Result {
  readonly hash: string
  readonly payments: number
  readonly counts: Readonly<Record<string, number>>
  readonly problems: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
}

/** How often each kind of step is drawn; a seed draws its own. */
const kinds = ["create", "follow", "again", "pass", "trouble", "network", "killGateway", "killMerchant"] as const
type Kind = (typeof kinds)[number]

const weights = (chance: Chance.Chance): Readonly<Record<Kind, number>> => ({
  create: 30,
  follow: 30,
  again: 5,
  pass: 20,
  trouble: chance.below(15),
  network: chance.below(6),
  killGateway: chance.below(5),
  killMerchant: chance.below(3)
})

const pausesMs = [1, 300, 1_000, 6_000, 40_000, 300_000, 7_200_000, 86_400_000, 259_200_000] as const

interface State {
  readonly world: World.World
  readonly wishes: Map<string, Wish>
  readonly byOrder: Map<string, Array<Effects.Intent>>
  readonly made: Array<Made>
  readonly touched: Set<string>
  readonly counts: Record<string, number>
  created: number
}

const count = ({ counts }: State, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

const begin = (state: State, wish: Wish, made: (ended: Ended) => void = () => {}) => {
  const { intent } = wish
  const { clientOrderId, name } = intent
  if (!state.wishes.has(name)) {
    state.wishes.set(name, wish)
    const intents = state.byOrder.get(clientOrderId) ?? []
    intents.push(intent)
    state.byOrder.set(clientOrderId, intents)
  }
  state.touched.add(clientOrderId)
  count(state, wish.flow)
  state.world.merchant.begin(wish, (ended) => {
    state.touched.add(clientOrderId)
    count(state, `${wish.flow} ${ended.tag}`)
    made(ended)
  })
}

const createOne = (state: State, chance: Chance.Chance) => {
  const flow = chance.oneOf(Wishes.creations)
  state.created += 1
  const wish = Wishes.create(flow, `order-${state.created}`, chance)
  const { amountMinor = 0, clientOrderId } = wish.intent
  const kind = flow === "CardSale" ? "sale" : flow === "Reserve" ? "preauth" : "other"
  begin(state, wish, ({ orderId, tag }) => {
    if (tag !== "Succeeded" || orderId === undefined || kind === "other") return
    if (!state.made.some((order) => order.clientOrderId === clientOrderId))
      state.made.push({ clientOrderId, orderId, kind, amountMinor })
  })
}

const again = (state: State, chance: Chance.Chance) => {
  const open = [...state.wishes.values()].filter(
    ({ intent }) => intent.end === "unsure" && state.world.merchant.running() < 1000
  )
  const [first, ...others] = open
  if (first !== undefined) begin(state, chance.oneOf([first, ...others]))
}

/** Younger orders are more interesting. */
const someOrder = ({ made }: State, chance: Chance.Chance): Made | undefined => {
  const recent = made.slice(-20)
  const [first, ...others] = recent
  return first === undefined ? undefined : chance.oneOf([first, ...others])
}

const step = async (state: State, kind: Kind, index: number, chance: Chance.Chance) => {
  const { world } = state
  const { gateway, merchant, network, trace } = world
  switch (kind) {
    case "create":
      return createOne(state, chance)
    case "follow": {
      const order = someOrder(state, chance)
      if (order === undefined) return
      const wish = Wishes.follow(order, `step-${index}`, chance)
      return begin(state, state.wishes.get(wish.intent.name) ?? wish)
    }
    case "again":
      return again(state, chance)
    case "pass": {
      const ms = chance.oneOf(pausesMs)
      trace.note(`${ms} ms pass`)
      return await world.pass(ms)
    }
    case "trouble":
      return trace.note(await world.run(BankTroubles.trouble(world, chance)))
    case "network": {
      const mix = Object.fromEntries(Network.faults.map((fault) => [fault, chance.percent(50) ? chance.below(120) : 0]))
      network.set({ ...Network.quiet, ...mix })
      return trace.note(`the network has ${JSON.stringify(mix)}`)
    }
    case "killGateway": {
      await world.loop.drain(chance.below(200))
      trace.note("the gateway is killed")
      await world.run(gateway.kill)
      await world.pass(chance.oneOf([0, 100, 5_000, 60_000]))
      await world.run(gateway.start)
      return trace.note("the gateway is up")
    }
    case "killMerchant": {
      await world.loop.drain(chance.below(200))
      return await world.run(merchant.restart)
    }
  }
}

/** Orders that were acknowledged and are not there, of those from this place on. */
const lost = async ({ acknowledged, run, store }: World.World, from: number) => {
  const missing: Array<string> = []
  for (const orderId of acknowledged.slice(from)) {
    const order = await run(store.load(Order, [orderId]))
    if (order === undefined) missing.push(`order ${orderId} was acknowledged and is not there`)
  }
  return missing
}

/** What is wrong now with orders of these names, and with those acknowledged from this place on. */
const look = async ({ byOrder, world }: State, names: Iterable<string>, from = 0): Promise<ReadonlyArray<string>> => {
  const { bank, rail, run, seen } = world
  const problems: Array<string> = [...(await lost(world, from))]
  for (const name of names) {
    const bookings: Array<Booking> = []
    for (const orderId of seen.orderIds(name))
      bookings.push(...(await run(bank.books.ofOrder(orderId))), ...(await run(rail.books.ofOrder(orderId))))
    problems.push(...Effects.problems(name, byOrder.get(name) ?? [], bookings))
  }
  return problems
}

const dayMs = 86_400_000

/** No more faults: everything becomes final, and what nobody could tell is asked for again until it is certain. */
const calm = async (state: State, chance: Chance.Chance): Promise<ReadonlyArray<string>> => {
  const { world } = state
  world.network.set(Network.quiet)
  await world.run(world.gateway.start)
  await world.pass(dayMs)
  await world.run(BankTroubles.clarity(world, chance))
  await world.pass(20 * dayMs)
  for (let round = 0; round < 3; round += 1) {
    for (const wish of state.wishes.values()) {
      if (wish.intent.end === "unsure" || wish.intent.end === "moving") begin(state, wish)
    }
    await world.pass(dayMs)
    await world.run(BankTroubles.clarity(world, chance))
    await world.pass(2 * dayMs)
  }
  const open = [...state.wishes.values()].filter(({ intent }) => intent.end === "moving" || intent.end === "unsure")
  const parity = await world.run(Parity.check.pipe(Effect.provideContext(world.outside)))
  return [
    ...open.map(({ flow, intent }) => `${flow} ${intent.name} has no certain end: ${intent.end}`),
    ...parity.findings.map(({ expected, found, where }) => `${where}: expected ${expected}, found ${found}`),
    ...(await world.run(world.bank.violations)),
    ...(await world.run(world.rail.violations)),
    ...(await look(state, state.byOrder.keys()))
  ]
}

export const run = async ({ seed, spoiled, steps, without = new Set() }: Plan): Promise<Result> => {
  const world = await World.make(seed, spoiled)
  const state: State = {
    world,
    wishes: new Map(),
    byOrder: new Map(),
    made: [],
    touched: new Set(),
    counts: {},
    created: 0
  }
  const share = weights(Chance.make(Chance.part(seed, "weights")))
  const total = kinds.reduce((sum, kind) => sum + share[kind], 0)
  const problems: Array<string> = []
  let looked = 0
  for (let index = 0; index < steps && problems.length === 0; index += 1) {
    if (without.has(index)) continue
    const chance = Chance.make(Chance.part(seed, index))
    let drawn = chance.below(total)
    const kind = kinds.find((each) => {
      drawn -= share[each]
      return drawn < 0
    })
    if (kind === undefined) continue
    await step(state, kind, index, chance)
    await world.settle()
    problems.push(...(await look(state, state.touched, looked)))
    looked = world.acknowledged.length
    state.touched.clear()
  }
  if (problems.length === 0) problems.push(...(await calm(state, Chance.make(Chance.part(seed, "end")))))
  return {
    hash: world.trace.hash(),
    payments: state.created,
    counts: { ...state.counts, ...world.network.met },
    problems,
    lines: world.trace.lines()
  }
}
