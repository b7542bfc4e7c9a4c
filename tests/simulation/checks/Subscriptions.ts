/** Recurring payments: each occurrence is charged on its day, at most once, and never after a cancellation or in a pause. */

import { LiveDirectory } from "@pay/gateway/Directory"
import { Occurrence, Subscription } from "@pay/gateway/Entities"
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

/** Returns the number of the last occurrence, or -1 if there is none. */
const lastOf = (store: StoreService, subscriptionId: string) =>
  Effect.map(
    store.find(Occurrence, "key", { equals: [subscriptionId], limit: 1, descending: true }),
    ([last]) => last?.n ?? -1
  )

/** A pause or cancellation, in which nothing may be charged: occurrences after `from`, up to and including `until`. */
interface Suspension {
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

/** Returns the number of approved charges of an occurrence, and those with a wrong amount or currency. */
const booked = async (
  { intentsOf, merchantOf, system }: SimulationRun,
  row: Subscription,
  { n, orderId }: Occurrence
) => {
  const name = n === 0 && orderId === row.orderId ? row.clientOrderId : `${row.subscriptionId}:${n}`
  const violations = await system.run(merchantOf(row.merchantId).remote.approvedBookings(name))
  const charges = violations.filter(({ kind }) => kind === "authorize")
  const expectedMinor = [row.clientOrderId, row.subscriptionId]
    .flatMap((clientOrderId) => intentsOf(Intents.nameOf({ clientOrderId, login: row.merchantId })))
    .map(({ amountMinor }) => amountMinor)
  const wrong = charges.filter(
    ({ amountMinor, currency }) => currency !== row.currency || !expectedMinor.includes(amountMinor)
  )
  const certain = charges.filter(({ isContradicted }) => isContradicted !== true)
  return { count: charges.length, certain: certain.length, wrong }
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

const isEnabled = ({ system }: SimulationRun, { endpointId }: Subscription): boolean => {
  const services = system.gateway.services()
  const described = services === undefined ? [] : Context.get(services, LiveDirectory).described()
  return described.some(({ endpoints }) => endpoints.some(({ enabled, id }) => id === endpointId && enabled))
}

/** Compares the occurrences of a recurring payment with its schedule and with the bank's books. */
const problemsOf = async (simulation: SimulationRun, store: StoreService, row: Subscription): Promise<Problems> => {
  const { subscriptionId } = row
  const { system } = simulation
  const rows = await system.run(occurrencesOf(store, subscriptionId))
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
    const { certain, count, wrong } = await booked(simulation, row, occurrence)
    if (count < least[progress] || certain > most[progress])
      problems.push(`${n} is ${progress}, and was booked ${count} times`)
    for (const { amountMinor, currency } of wrong) problems.push(`${n} was charged ${amountMinor} ${currency}`)
  }
  const dueAtMs = RecurringModel.beginsMs(RecurringModel.dayOf(plan(row), rows.length), row.timeZone)
  const isCharging = rows.some(({ progress }) => progress === "charging" || progress === "retrying")
  // The next occurrence waits while the endpoint is switched off.
  if (
    isOpen.has(row.state) &&
    isEnabled(simulation, row) &&
    !isCharging &&
    dueAtMs < system.gateway.businessMs() - dayMs
  )
    problems.push(`${rows.length} was due ${new Date(dueAtMs).toISOString()}, and was not charged`)
  const beyond = await system.run(
    simulation.merchantOf(row.merchantId).remote.approvedBookings(`${subscriptionId}:${rows.length}`)
  )
  if (beyond.length > 0) problems.push(`${rows.length} was booked, but is not an occurrence of the payment`)
  return problems.map((problem) => `recurring payment ${subscriptionId}: occurrence ${problem}`)
}

export const recurring: Check = {
  name: "recurring payments",
  what: "Each occurrence of a recurring payment belongs to its day. It is charged at most once, exactly once if its state says so, and never after a cancellation or in a pause.",
  begin: (simulation) => {
    const { actions, system } = simulation
    const current = new Map<string, { readonly change: string; readonly from: number }>()
    const finished = new Map<string, Array<Suspension>>()

    const changesOf = (subscriptionId: string): ReadonlyArray<MerchantAction> =>
      [...actions.values()].filter(
        ({ change, intent }) => change !== undefined && intent.clientOrderId === subscriptionId
      )
    const attemptsOf = (changes: ReadonlyArray<MerchantAction>) =>
      changes.reduce((sum, { intent }) => sum + intent.attempts, 0)
    const seenAttempts = new Map<string, number>()
    /** The last successful attempt of each change that was processed, by the name of the change. */
    const ended = new Map<string, number>()
    /** The last successful change; undefined if there were two between two checks. */
    const latest = new Map<string, string | undefined>()

    /** A pause or cancellation is in effect from its answer until another change starts. */
    const look = async (store: StoreService, subscriptionId: string) => {
      const changes = changesOf(subscriptionId)
      const attempts = attemptsOf(changes)
      if (attempts !== seenAttempts.get(subscriptionId)) {
        const before = current.get(subscriptionId)
        if (before !== undefined && before.change !== "cancel") {
          const until = await system.run(lastOf(store, subscriptionId))
          finished.set(subscriptionId, [...(finished.get(subscriptionId) ?? []), { ...before, until }])
          current.delete(subscriptionId)
        }
        seenAttempts.set(subscriptionId, attempts)
      }
      const isSure = changes.every(({ intent }) => intent.status === "succeeded" || intent.status === "failed")
      const fresh = changes.filter(
        ({ intent }) => intent.status === "succeeded" && ended.get(intent.name) !== intent.attempts
      )
      for (const { intent } of fresh) ended.set(intent.name, intent.attempts)
      if (fresh.length > 0) latest.set(subscriptionId, fresh.length === 1 ? fresh[0]?.change : undefined)
      const change = isSure && !current.has(subscriptionId) ? latest.get(subscriptionId) : undefined
      if (change === "pause" || change === "cancel")
        current.set(subscriptionId, { change, from: await system.run(lastOf(store, subscriptionId)) })
    }

    let restoredAtMs: number | undefined
    /** A restored copy lacks the changes since its backup, and merchants have to repeat them. */
    const forgetLost = () => {
      const { atMs } = simulation.restores.last() ?? {}
      if (atMs !== restoredAtMs) for (const each of [current, finished, latest]) each.clear()
      restoredAtMs = atMs
    }

    return {
      afterStep: async (changedOrders) => {
        forgetLost()
        const store = system.store()
        if (store === undefined) return []
        for (const name of changedOrders) {
          const [, subscriptionId] = /^(\d+) of /.exec(name) ?? []
          if (subscriptionId !== undefined) await look(store, subscriptionId)
        }
        return []
      },
      atEnd: async () => {
        const store = system.store()
        if (store === undefined) return []
        const problems: Array<string> = []
        for (const row of await system.run(store.find(Subscription, "key", { equals: [], limit: all }))) {
          const { subscriptionId } = row
          problems.push(...(await problemsOf(simulation, store, row)))
          const now = current.get(subscriptionId)
          const times = [
            ...(finished.get(subscriptionId) ?? []),
            ...(now === undefined ? [] : [{ ...now, until: all }])
          ]
          for (const { n, progress } of await system.run(occurrencesOf(store, subscriptionId))) {
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
