/**
 * The connection of the merchant and the customer to the gateway in a test. It has no socket, and breaks when the test plans a
 * fault.
 */

import { Front, FurtherPages, HostedPages, type PageAnswer } from "@pay/gateway/Gateway"
import { Scheduler } from "@pay/gateway/Scheduler"
import { codes } from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Wire from "@pay/transport/Wire"
import { Context, Effect, Exit, Fiber, Layer } from "effect"
import { Delivering } from "./Inbox.ts"
import type { Fault, Which } from "./NetworkFaults.ts"
import * as NetworkFaults from "./NetworkFaults.ts"
import { Restart } from "./Restart.ts"

export type { Fault, Which } from "./NetworkFaults.ts"

/** The controls of the connection to the gateway. */
export class SimulatedNetwork extends Context.Service<
  SimulatedNetwork,
  {
    /** The gateway executes the next request, but its answer never arrives. */
    readonly loseNextAnswer: Effect.Effect<void>
    /** The next requests cannot be sent: `times` of them. */
    readonly refuseNext: (times: number) => Effect.Effect<void>
    /** Plans a fault for the next requests of this kind. Faults queue. */
    readonly next: (fault: Fault, which?: Which) => Effect.Effect<void>
    /** Number of planned faults and refusals that no request has met yet. */
    readonly unmet: Effect.Effect<number>
    /**
     * Opens an address of the gateway or the issuer as the customer's browser, or posts a form to it. Returns the page, or
     * undefined if there is none.
     */
    readonly visit: (url: string, form?: Readonly<Record<string, string>>) => Effect.Effect<PageAnswer | undefined>
  }
>()("@pay/sandbox/SimulatedNetwork") {}

const tooManyRequests: Wire.WireAnswer = {
  status: 429,
  headers: { "retry-after": "7", [GatewayProfile.header]: GatewayProfile.format(GatewayProfile.ours) },
  body: JSON.stringify({
    type: "error",
    "error-code": String(codes.rateLimited.code),
    "error-message": codes.rateLimited.message
  })
}

/** A request that has arrived is executed by the gateway on its own clock, even if no caller waits for the answer. */
export const layer = (publicBaseUrl: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const front = yield* Front
      const scheduler = yield* Scheduler
      const restart = yield* Restart
      const pages = [yield* HostedPages, ...(yield* FurtherPages)]
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const faults = NetworkFaults.make({
        // If the gateway is killed during the request, the connection breaks. The caller is not interrupted.
        arrive: ({ body, headers, url }) => {
          const target = url.slice(new URL(publicBaseUrl).origin.length)
          const request = { method: "POST", publicBaseUrl, target, headers, body, remoteAddress: "127.0.0.1" }
          return Effect.flatMap(
            Effect.suspend(() => Fiber.await(run(front.handle(request)))),
            (exit) => (Exit.hasInterrupts(exit) ? NetworkFaults.lost : exit)
          )
        },
        settled: Effect.flatMap(Delivering, (isDelivering) =>
          isDelivering ? Effect.void : Fiber.join(run(scheduler.settled))
        ),
        restart: Effect.suspend(() => Fiber.join(run(restart.now))),
        tooMany: tooManyRequests
      })

      const prefixLength = new URL(publicBaseUrl).pathname.replace(/\/$/, "").length

      const visit = Effect.fnUntraced(function* (url: string, form?: Readonly<Record<string, string>>) {
        const { pathname, search } = new URL(url)
        const request = {
          method: form === undefined ? "GET" : "POST",
          path: pathname.slice(prefixLength),
          query: search.slice(1),
          headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams(form).toString(),
          remoteAddress: "127.0.0.1",
          publicBaseUrl
        }
        for (const page of pages) {
          const exit = yield* Fiber.await(run(page(request)))
          const result = Exit.hasInterrupts(exit) ? undefined : yield* exit
          if (result !== undefined) return result
        }
        return undefined
      })

      const { next, refuseNext, send, unmet } = faults
      const network = SimulatedNetwork.of({ loseNextAnswer: next("answerLost"), refuseNext, next, unmet, visit })
      return Context.make(SimulatedNetwork, network).pipe(
        Context.add(Wire.Wire, Wire.Wire.of({ send: (request) => Wire.expiring(request, send(request)) }))
      )
    })
  )
