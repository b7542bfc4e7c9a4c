/** Callbacks arrive as the outbox wrote them, signed and in order, at least once for each outcome. No forged one is accepted. */
import { CallbackEvent, Order, OrderRequest } from "@pay/gateway/Entities"
import * as Callback from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import type { ShadowStore } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"

type Event = Pick<CallbackEvent, "eventId" | "orderId" | "sequence" | "url" | "query" | "delivery" | "triesBefore">

const control = /&control=[^&]*$/

/** Compares the callbacks that arrive with those that were written. */
export const make = (current: (eventId: string) => Event | undefined) => {
  const byAddress = new Map<string, Array<string>>()
  const arrived = new Set<string>()
  /** The highest sequence number that has arrived, by order and address. */
  const highest = new Map<string, number>()

  const first = (event: Event): Problems => {
    arrived.add(event.eventId)
    const line = `${event.orderId} ${event.url}`
    const before = highest.get(line) ?? 0
    highest.set(line, Math.max(before, event.sequence))
    // A dead-lettered callback, or one that an operator resent, may arrive out of order.
    const hasTurn = event.delivery !== "dead-lettered" && event.triesBefore === 0
    return event.sequence < before && hasTurn
      ? [`callback ${event.eventId} arrives for the first time after number ${before} of its order`]
      : []
  }

  return {
    /** The store was restored: the events of each order are numbered anew from those of the copy on. */
    restored: (): void => highest.clear(),
    written: ({ eventId, query, url }: Event): void => {
      const address = `${url}?${query}`
      byAddress.set(address, [...(byAddress.get(address) ?? []), eventId])
    },
    arrive: (url: string, controlKeys: ReadonlyArray<string>): Problems => {
      const parsed = Form.parse(url.slice(url.indexOf("?") + 1))
      if (!parsed.ok || !Callback.verify(parsed.parameters, controlKeys).ok)
        return [`callback ${url} is not signed as it should be`]
      const eventIds = byAddress.get(url.replace(control, ""))
      if (eventIds === undefined) return [`callback ${url} was never written`]
      const fresh = eventIds.find((eventId) => !arrived.has(eventId))
      const event = fresh === undefined ? undefined : current(fresh)
      return event === undefined ? [] : first(event)
    },
    /** Returns the callbacks that should have arrived and have not. */
    missing: (events: ReadonlyArray<Event>): Problems =>
      events.flatMap(({ delivery, eventId }) => {
        if (delivery === "dead-lettered" || (delivery === "delivered" && arrived.has(eventId))) return []
        return [`callback ${eventId} is ${delivery} and ${arrived.has(eventId) ? "has" : "has not"} arrived`]
      })
  }
}

const ends: ReadonlyMap<string, string> = new Map([
  ["approved", "approved"],
  ["declined", "declined"],
  ["filtered", "filtered"],
  ["error", "error"]
])

/** Operations of attempts: of a customer on a page, of a list of amounts, of a recurring charge. Their order has the callback. */
export const attempts: ReadonlySet<string> = new Set(["HOSTED_ATTEMPT", "REBILL_ATTEMPT", "RECURRING_ATTEMPT"])

/** Returns a name for a request and its outcome. */
const nameOf = ({ progress, requestId }: Pick<OrderRequest, "progress" | "requestId">): string =>
  `${requestId} ${ends.get(progress)}`

type Request = Pick<OrderRequest, "operation" | "progress">

/** Whether a release of a hold by the gateway failed. The merchant gets a callback about the first failure only. */
const isUnreleased = ({ operation, progress }: Request): boolean => operation === "LAPSE" && progress !== "approved"

/** Reports orders with more than one callback to one address about a hold that the bank refuses to release. */
export const repeatedLapseCallbacks = (
  requests: ReadonlyArray<Pick<OrderRequest, "operation" | "progress" | "requestId">>,
  events: ReadonlyArray<Pick<CallbackEvent, "orderId" | "requestId" | "url">>
): Problems => {
  const refused = new Set(
    requests.flatMap((request) => (isUnreleased(request) && request.progress === "declined" ? [request.requestId] : []))
  )
  const first = new Map<string, string>()
  return events.flatMap(({ orderId, requestId, url }) => {
    if (!refused.has(requestId)) return []
    const line = `${orderId} ${url}`
    const before = first.get(line) ?? requestId
    first.set(line, before)
    return before === requestId
      ? []
      : [`the merchant gets a second callback that the hold of order ${orderId} is not released`]
  })
}

/** Reports final outcomes without the callback that they need. */
export const missingCallbacks = (committed: ShadowStore): Problems => {
  const names = new Set(
    committed
      .rows(CallbackEvent)
      .map(({ query, requestId }) => `${requestId} ${new URLSearchParams(query).get("status")}`)
  )
  const requests = committed.rows(OrderRequest)
  const unreleased = new Set(
    requests.flatMap((request) => (isUnreleased(request) && names.has(nameOf(request)) ? [request.orderId] : []))
  )
  return requests.flatMap((request) => {
    const { action, callbackUrl, operation, orderId, progress, requestId } = request
    const status = ends.get(progress)
    const url = callbackUrl ?? committed.row(Order, orderId)?.callbackUrl ?? null
    if (
      status === undefined ||
      url === null ||
      action === "check" ||
      attempts.has(operation) ||
      names.has(nameOf(request)) ||
      (isUnreleased(request) && unreleased.has(orderId))
    )
      return []
    return [
      `${action} ${operation} of ${committed.row(Order, orderId)?.kind}, request ${requestId} of order ${orderId}, is ${status}, and no callback says so`
    ]
  })
}

/** Functions that make a forged callback of a genuine one. */
const forgeries: ReadonlyArray<(url: string) => string> = [
  (url) =>
    url.replace(/status=\w+/, (result) => (result === "status=approved" ? "status=declined" : "status=approved")),
  (url) => url.replace(/control=(.)/, (_, digit: string) => `control=${digit === "0" ? "1" : "0"}`),
  (url) => url.replace(/orderid=(\d+)/, (_, id: string) => `orderid=${id}0`),
  (url) => url.replace(control, "")
]

/** Returns the callback, forged in one of several ways. */
export const forge = (url: string, turn: number): string => forgeries[turn % forgeries.length]?.(url) ?? url

/** Reports a forged callback that was not refused. */
export const acceptedForgery = (url: string, status: number): Problems =>
  status === 400 || status === 403 ? [] : [`the forged callback ${url} was answered with ${status}`]

const forgedEvery = 21

export const callbacks: Check = {
  name: "callbacks",
  what: "Callbacks arrive as written, signed, and in order for each order. Every final outcome arrives at least once or is dead-lettered. A forged callback is refused.",
  begin: (simulation) => {
    const { system } = simulation
    const { committed } = system
    const arrivals = make((eventId) => committed.row(CallbackEvent, eventId))
    let count = 0
    committed.observe((changes) => {
      for (const { before, entity, key } of changes) {
        const event = entity === CallbackEvent && before === undefined ? committed.row(CallbackEvent, key) : undefined
        if (event !== undefined) arrivals.written(event)
      }
    })
    const forged = async (url: string, login: string): Promise<Problems> => {
      const violations: Array<string> = []
      for (const { account, receive } of system.merchants) {
        const sent = account.login === login ? forge(url, count) : url
        violations.push(...acceptedForgery(sent, await system.run(receive(sent, {}))))
      }
      simulation.count("forged callbacks")
      return violations
    }
    let restoredAtMs: number | undefined
    const look = async () => {
      const { atMs } = simulation.restores.last() ?? {}
      if (atMs !== restoredAtMs) arrivals.restored()
      restoredAtMs = atMs
      const violations: Array<string> = []
      while (count < system.callbacks.length) {
        const url = system.callbacks[count] ?? ""
        count += 1
        const merchant = system.merchants.find(({ account }) => url.includes(`/callback/${account.login}?`))
        if (merchant === undefined) continue
        // The outbox of the stub gateway is not in our store.
        if (merchant.remote.isOurs) violations.push(...arrivals.arrive(url, merchant.controlKeys))
        if (count % forgedEvery === 0) violations.push(...(await forged(url, merchant.account.login)))
      }
      return violations
    }
    return {
      afterStep: look,
      atEnd: async () => {
        const events = committed.rows(CallbackEvent)
        const again = repeatedLapseCallbacks(committed.rows(OrderRequest), events)
        return [...(await look()), ...arrivals.missing(events), ...missingCallbacks(committed), ...again]
      }
    }
  }
}
