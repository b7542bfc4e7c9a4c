/** The adapter on a simulated Adyen, as a gateway gets it. */
import assert from "node:assert/strict"
import * as Acquirer from "@pay/gateway/Acquirer"
import * as Notifications from "@pay/gateway/Notifications"
import * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import type * as Adapters from "@pay/server/Adapters"
import { Effect, Redacted } from "effect"
import * as Adyen from "../src/Adyen.ts"
import { settingsFile } from "./Sample.ts"
import * as Talking from "./Talking.ts"

/** What a gateway passes to an adapter module. */
export const toolkit = { Effect, Redacted, Acquirer, Notifications, ThreeDSServer }

/** Opens a simulator and the adapter on it. Every request must be one that Adyen describes. */
export const open = Effect.gen(function* () {
  const adyen = yield* Talking.open
  const make = Adyen.make({ ...settingsFile, url: adyen.url }) satisfies Adapters.Make
  const { acquirer, notifications, threeDSServer } = make(toolkit)
  return {
    adyen,
    acquirer: Acquirer.Acquirer.checked(acquirer),
    notifications: Notifications.Notifications.checked(notifications),
    threeDSServer: ThreeDSServer.ThreeDSServer.checked(threeDSServer)
  }
})
export type Open = Effect.Success<typeof open>

/** Returns the facts of a webhook. */
export const factsIn = ({ notifications }: Open, body: string) =>
  Effect.map(
    notifications.receive({ method: "POST", path: "/", query: "", headers: {}, body: Buffer.from(body) }),
    ({ facts }) => facts
  )

/** Returns the outcome of a request that Adyen has received, as the gateway learns it from the events. */
export const outcomeIn =
  (world: Open) =>
  ({ reference }: Acquirer.Inquiry): Effect.Effect<Acquirer.BankAnswer> =>
    Effect.gen(function* () {
      for (const body of world.adyen.events.bodies) {
        const [fact] = yield* Effect.orDie(factsIn(world, body))
        if (fact?._tag === "Outcome" && fact.reference === reference) return fact.answer
      }
      return assert.fail(`no event for ${reference}`)
    })
