/** Recurring payments: each occurrence on its day, at most once, none that was cancelled or paused. */
import { Occurrence } from "@pay/gateway/entities/Occurrence"
import { Subscription } from "@pay/gateway/entities/Subscription"
import { LiveDirectory } from "@pay/gateway/LiveDirectory"
import type { Store } from "@pay/gateway/Store"
import { Context, Effect } from "effect"
import * as RecurringModel from "../../faults/RecurringModel.ts"
import * as Intents from "../Intents.ts"
import type { MerchantAction } from "../merchant/MerchantAction.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

type StoreService = Store["Service"]

const all = 10_000

const occurrencesOf = (store: StoreService, subscriptionId: string) =>
  store.find(Occurrence, "key", { equals: [subscriptionId], limit: all })

/** The greatest number so far; -1: none yet. */
const lastOf = (store: StoreService, subscriptionId: string) =>
  Effect.map(
    store.find(Occurrence, "key", { equals: [subscriptionId], limit: 1, descending: true }),
    ([last]) => last?.n ?? -1
  )

/** A time in which the merchant knows that nothing is charged: occurrences after `from`, up to and with `until`. */
interface Idle {
  readonly change: string
  readonly from: number
  readonly until: number
}

const plan = (row: Subscription): RecurringModel.Terms => ({
  period: row.period,
  interval: row.interval,
  first: row.anchorDay,
  finish: row.finishDay ?? undefined,
  occurrences: row.occurrences ?? undefined,
  zone: row.timeZone
})

/** What became of one occurrence that is not under way: `charged` and how much; else the bank has approved nothing. */
const booked = async (
  { intentsOf, merchantOf, world }: SimulationRun,
  row: Subscription,
  { n, orderId }: Occurrence
) => {
  const name = n === 0 && orderId === row.orderId ? row.clientOrderId : `${row.subscriptionId}:${n}`
  const violations = await world.run(merchantOf(row.merchantId).remote.booked(name))
  const charges = violations.filter(({ kind }) => kind === "authorize")
  const requested = [row.clientOrderId, row.subscriptionId]
    .flatMap((clientOrderId) => intentsOf(Intents.nameOf({ clientOrderId, login: row.merchantId })))
    .map(({ amountMinor }) => amountMinor)
  const strange = charges.filter(
    ({ amountMinor, currency }) => currency !== row.currency || !requested.includes(amountMinor)
  )
  const certain = charges.filter(({ isContradicted }) => isContradicted !== true)
  return { count: charges.length, certain: certain.length, strange }
}

const least: Readonly<Record<Occurrence["progress"], number>> = {
  charging: 0,
  retrying: 0,
  charged: 1,
  failed: 0,
  skipped: 0
}
const most: typeof least = { ...least, charging: 1, charged: 1 }

const dayMs = 86_400_000
const isOpen: ReadonlySet<Subscription["state"]> = new Set(["active", "paused", "suspended"])

const isSwitchedOn = ({ world }: SimulationRun, { endpointId }: Subscription): boolean => {
  const services = world.gateway.services()
  const described = services === undefined ? [] : Context.get(services, LiveDirectory).described()
  return described.some(({ endpoints }) => endpoints.some(({ enabled, id }) => id === endpointId && enabled))
}

/** All that its list says, and what bank and schedule say. */
const problemsOf = async (simulation: SimulationRun, store: StoreService, row: Subscription): Promise<Problems> => {
  const { subscriptionId } = row
  const { world } = simulation
  const rows = await world.run(occurrencesOf(store, subscriptionId))
  const problems: Array<string> = []
  for (const [index, occurrence] of rows.entries()) {
    const { day, firstAtMs, n, progress } = occurrence
    const right = RecurringModel.dayOf(plan(row), n)
    if (n !== index) problems.push(`number ${index} is missing`)
    if (firstAtMs !== null && firstAtMs < RecurringModel.beginsMs(day, row.timeZone))
      problems.push(`${n} of ${day} was charged before, ${new Date(firstAtMs).toISOString()}`)
    if (day !== right) problems.push(`${n} is of ${day} instead of ${right}`)
    if ((row.finishDay !== null && day > row.finishDay) || (row.occurrences !== null && n >= row.occurrences))
      problems.push(`${n} is after the end`)
    const { certain, count, strange } = await booked(simulation, row, occurrence)
    if (count < least[progress] || certain > most[progress])
      problems.push(`${n} is ${progress}, and was booked ${count} times`)
    for (const { amountMinor, currency } of strange) problems.push(`${n} was charged ${amountMinor} ${currency}`)
  }
  const dueAtMs = RecurringModel.beginsMs(RecurringModel.dayOf(plan(row), rows.length), row.timeZone)
  const isCharging = rows.some(({ progress }) => progress === "charging" || progress === "retrying")
  // The occurrence that is due last waits while the endpoint is switched off.
  if (
    isOpen.has(row.state) &&
    isSwitchedOn(simulation, row) &&
    !isCharging &&
    dueAtMs < world.gateway.businessMs() - dayMs
  )
    problems.push(`${rows.length} was due ${new Date(dueAtMs).toISOString()}, and nothing has become of it`)
  const beyond = await world.run(
    simulation.merchantOf(row.merchantId).remote.booked(`${subscriptionId}:${rows.length}`)
  )
  if (beyond.length > 0) problems.push(`${rows.length} was booked, and is not in its list`)
  return problems.map((problem) => `recurring payment ${subscriptionId}: occurrence ${problem}`)
}

export const recurring: Check = {
  name: "recurring payments",
  what: "Each occurrence of a recurring payment is of its day, charged at most once, exactly once where it says so, and never after a cancellation or in a pause.",
  begin: (simulation) => {
    const { actions, world } = simulation
    const idle = new Map<string, { readonly change: string; readonly from: number }>()
    const over = new Map<string, Array<Idle>>()

    const changesOf = (subscriptionId: string): ReadonlyArray<MerchantAction> =>
      [...actions.values()].filter(
        ({ change, intent }) => change !== undefined && intent.clientOrderId === subscriptionId
      )
    const runsOf = (changes: ReadonlyArray<MerchantAction>) =>
      changes.reduce((sum, { intent }) => sum + intent.attempts, 0)
    const seenRuns = new Map<string, number>()
    /** By the name of the change, the run that ended well and was seen. */
    const ended = new Map<string, number>()
    /** What the last answer was; undefined where two came between two looks. */
    const latest = new Map<string, string | undefined>()

    /** A pause or a cancellation holds from its answer until another change is begun. */
    const look = async (store: StoreService, subscriptionId: string) => {
      const changes = changesOf(subscriptionId)
      const runs = runsOf(changes)
      if (runs !== seenRuns.get(subscriptionId)) {
        const before = idle.get(subscriptionId)
        if (before !== undefined && before.change !== "cancel") {
          const until = await world.run(lastOf(store, subscriptionId))
          over.set(subscriptionId, [...(over.get(subscriptionId) ?? []), { ...before, until }])
          idle.delete(subscriptionId)
        }
        seenRuns.set(subscriptionId, runs)
      }
      const isSure = changes.every(({ intent }) => intent.status === "succeeded" || intent.status === "failed")
      const fresh = changes.filter(
        ({ intent }) => intent.status === "succeeded" && ended.get(intent.name) !== intent.attempts
      )
      for (const { intent } of fresh) ended.set(intent.name, intent.attempts)
      if (fresh.length > 0) latest.set(subscriptionId, fresh.length === 1 ? fresh[0]?.change : undefined)
      const change = isSure && !idle.has(subscriptionId) ? latest.get(subscriptionId) : undefined
      if (change === "pause" || change === "cancel")
        idle.set(subscriptionId, { change, from: await world.run(lastOf(store, subscriptionId)) })
    }

    return {
      afterStep: async (touched) => {
        const store = world.store()
        if (store === undefined) return []
        for (const name of touched) {
          const [, subscriptionId] = /^(\d+) of /.exec(name) ?? []
          if (subscriptionId !== undefined) await look(store, subscriptionId)
        }
        return []
      },
      atEnd: async () => {
        const store = world.store()
        if (store === undefined) return []
        const problems: Array<string> = []
        for (const row of await world.run(store.find(Subscription, "key", { equals: [], limit: all }))) {
          const { subscriptionId } = row
          problems.push(...(await problemsOf(simulation, store, row)))
          const now = idle.get(subscriptionId)
          const times = [...(over.get(subscriptionId) ?? []), ...(now === undefined ? [] : [{ ...now, until: all }])]
          for (const { n, progress } of await world.run(occurrencesOf(store, subscriptionId))) {
            const time = times.find(({ from, until }) => n > from && n <= until)
            if (time !== undefined && (time.change === "cancel" || progress !== "skipped"))
              problems.push(
                `recurring payment ${subscriptionId}: occurrence ${n} is ${progress} after its ${time.change}`
              )
          }
        }
        return problems
      }
    }
  }
}
