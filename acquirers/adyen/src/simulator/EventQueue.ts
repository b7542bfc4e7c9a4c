/** Signs events and delivers them in their order, each until it is accepted, as Adyen's queue does. */
import { Clock, Effect, Queue, Result, Schedule } from "effect"
import * as Exchange from "../Exchange.ts"
import * as HmacSignature from "../HmacSignature.ts"
import type { SimulatedEvent } from "./SimulatedPayments.ts"

export interface Options {
  readonly hmacKey: string
  /** The address to which events are posted; undefined: they are only listed. */
  readonly webhookUrl: () => string | undefined
}

/** Returns the body of a webhook with one event. */
const bodyOf = (event: SimulatedEvent, hmacKey: string, nowMs: number): string => {
  const { additionalData, originalReference, paymentMethod, ...rest } = event
  const item = {
    ...rest,
    ...(originalReference === undefined ? {} : { originalReference }),
    ...(paymentMethod === undefined ? {} : { paymentMethod }),
    eventDate: new Date(nowMs).toISOString(),
    additionalData: { ...additionalData, hmacSignature: HmacSignature.sign(event, hmacKey) }
  }
  return JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: item }] })
}

/** Posts a body, and returns the status of the answer. */
const postTo = (url: string, body: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const request = { url, headers: { "content-type": "application/json" }, body }
      return (await Exchange.post(request, signal)).status
    },
    catch: Exchange.failureOf
  })

/** A delivery counts once the receiver answers with a status of success. */
const deliver = (url: string, body: string) =>
  Effect.filterOrFail(postTo(url, body), (status) => status >= 200 && status < 300)

const repeats = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])

export const make = Effect.fnUntraced(function* ({ hmacKey, webhookUrl }: Options) {
  const queue = yield* Queue.unbounded<string>()
  const bodies: Array<string> = []
  yield* Queue.take(queue).pipe(
    Effect.flatMap((body) => {
      const url = webhookUrl()
      return url === undefined ? Effect.void : Effect.retry(deliver(url, body), repeats)
    }),
    Effect.ignore,
    Effect.forever,
    Effect.forkScoped
  )
  const post = (body: string) => {
    bodies.push(body)
    return Queue.offer(queue, body)
  }
  return {
    /** The bodies of all webhooks so far. */
    bodies,
    /** Adds an event; `times`: how often it is delivered. */
    add: Effect.fnUntraced(function* (event: SimulatedEvent, times = 1) {
      const body = bodyOf(event, hmacKey, yield* Clock.currentTimeMillis)
      for (let count = 0; count < times; count += 1) yield* post(body)
      return body
    }),
    /** Delivers an event at once, before those that wait. Returns whether it was accepted. */
    addNow: Effect.fnUntraced(function* (event: SimulatedEvent) {
      const body = bodyOf(event, hmacKey, yield* Clock.currentTimeMillis)
      bodies.push(body)
      const url = webhookUrl()
      return url !== undefined && Result.isSuccess(yield* Effect.result(deliver(url, body)))
    }),
    /** Posts bodies as they are, such as forged ones, and returns the statuses of their answers. */
    postNow: (bodies: ReadonlyArray<string>) => Effect.forEach(bodies, (body) => postTo(webhookUrl() ?? "", body))
  }
})
export type EventQueue = Effect.Success<ReturnType<typeof make>>
