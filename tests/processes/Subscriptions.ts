/** Recurring payments of a merchant that all fall due on the same day, over several gateways. */
import { Occurrence } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Context, Effect } from "effect"
import type { Problems } from "../simulation/checks/Check.ts"
import type { Deployment } from "./Deployment.ts"
import * as Invariants from "./Invariants.ts"
import type { Merchant } from "./Merchant.ts"

const { CREATE_RP_V4 } = PayApi.operations

const dayMs = 86_400_000

/** 10.42 USD a day from today on, so many times. Returns their numbers. */
export const create = (merchant: Merchant, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, at) => `daily-${at}`),
    Effect.fnUntraced(function* (client_orderid) {
      const fields = {
        ...Sample.request(CREATE_RP_V4),
        ...{ client_orderid, cvv2: "123", expire_year: "2099", period: "daily", interval: "1" },
        server_callback_url: merchant.shop.url()
      }
      const request = yield* Effect.fromResult(CREATE_RP_V4.decodeFields(fields))
      const answer = yield* merchant.client.call(CREATE_RP_V4, request)
      merchant.ledger.acknowledged.set(client_orderid, answer["paynet-order-id"] ?? "")
      return answer["recurring-payment-id"]
    }),
    { concurrency: 16 }
  )

/** So many days pass, and all that falls due on each is done. */
export const days = Effect.fnUntraced(function* (deployment: Deployment, count: number) {
  for (let day = 0; day < count; day += 1) {
    yield* deployment.advance(dayMs)
    yield* Invariants.charged(deployment)
    yield* Invariants.settle(deployment)
  }
})

/** What was not charged exactly once for each of its first days, or in another order. */
export const problems = (deployment: Deployment, ids: ReadonlyArray<string>, least: number) =>
  deployment.read(
    Effect.gen(function* () {
      const store = yield* Store
      const { books } = Context.get(deployment.world, SandboxControl)
      const wrong: Array<string> = []
      for (const id of ids) {
        const occurrences = yield* store.find(Occurrence, "key", { equals: [id], limit: 1000 })
        if (occurrences.length < least || occurrences.some(({ progress }) => progress !== "charged")) {
          const states = occurrences.map(({ attempts, day, progress, reason }) =>
            progress === "charged" ? progress : `${progress} (${day}, ${attempts} attempts, ${reason ?? "no reason"})`
          )
          wrong.push(`recurring payment ${id} stands at ${states.join(" ")}`)
        }
        const times: Array<number> = []
        for (const { n, orderId } of occurrences) {
          const booked = (yield* books.ofOrder(orderId ?? "")).filter(({ answer }) => answer._tag === "Approved")
          if (booked.length !== 1) wrong.push(`occurrence ${n} of ${id} was charged ${booked.length} times`)
          times.push(...booked.map(({ bookedAtMs }) => bookedAtMs))
        }
        if (times.some((atMs, at) => atMs < (times[at - 1] ?? 0))) wrong.push(`${id} was charged out of order`)
      }
      return wrong satisfies Problems
    })
  )
