/**
 * The connection of the merchant and the customer to the gateway in a test. It has no socket, and breaks when the test plans a
 * fault.
 */

import { Front } from "@pay/gateway/Front"
import { HostedPages } from "@pay/gateway/HostedPages"
import { FurtherPages, type PageAnswer } from "@pay/gateway/Pages"
import { Scheduler } from "@pay/gateway/Scheduler"
import { codes } from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Wire from "@pay/transport/Wire"
import { Context, Effect, Exit, Fiber, Layer } from "effect"
import { Delivering } from "./Inbox.ts"
import { Restart } from "./Restart.ts"

/**
 * A fault of one request.
 * - `requestLost`: the request never arrives, and the caller does not learn that.
 * - `answerLost`: the gateway executes the request; the connection breaks before the answer arrives.
 * - `answerLate`: the gateway executes the request; the answer comes after the caller's deadline.
 * - `answerSlow`: the answer comes after the outcome is known and the callback has arrived.
 * - `answerTwice`: the answer comes a second time as the answer to the next request, whose own answer never arrives.
 * - `gatewayRestarts`: the gateway executes the request, is killed and starts again; the connection breaks.
 * - `requestLate`: the request arrives after the caller's deadline, right after the next request.
 * - `requestTwice`: the request arrives twice, and the caller gets the second answer.
 * - `tooMany`: the gateway takes no more requests for now (429), and asks the caller to come again in seven seconds.
 */
export type Fault =
  | "requestLost"
  | "answerLost"
  | "answerLate"
  | "answerSlow"
  | "answerTwice"
  | "gatewayRestarts"
  | "requestLate"
  | "requestTwice"
  | "tooMany"

/** The requests that get a fault. */
export interface Which {
  /** The path of the requests that get the fault: `/api/v2/capture`. Default: any path. */
  readonly path?: string
  /** Number of requests that get the fault. Default 1. */
  readonly times?: number
}

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

const lost = Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))
const tooManyRequests: Wire.WireAnswer = {
  status: 429,
  headers: { "retry-after": "7", [GatewayProfile.header]: GatewayProfile.format(GatewayProfile.ours) },
  body: JSON.stringify({
    type: "error",
    "error-code": String(codes.rateLimited.code),
    "error-message": codes.rateLimited.message
  })
}
const late = Effect.fail(new Wire.WireError({ reason: "Lost", code: Wire.DEADLINE }))

/** A request that has arrived is executed by the gateway on its own clock, even if no caller waits for the answer. */
export const layer = (publicBaseUrl: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const front = yield* Front
      const scheduler = yield* Scheduler
      const restart = yield* Restart
      const pages = [yield* HostedPages, ...(yield* FurtherPages)]
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const faults: Array<{ readonly fault: Fault; readonly path: string | undefined; remaining: number }> = []
      const delayed: Array<Effect.Effect<unknown>> = []
      let refusing = 0
      let again: Wire.WireAnswer | undefined

      const faultOf = (url: string): Fault | undefined => {
        const index = faults.findIndex(({ path }) => path === undefined || url.includes(`${path}/`))
        const result = faults[index]
        if (result === undefined) return undefined
        result.remaining -= 1
        if (result.remaining <= 0) faults.splice(index, 1)
        return result.fault
      }

      const send = ({ body, headers, url }: Wire.WireRequest): Effect.Effect<Wire.WireAnswer, Wire.WireError> =>
        Effect.suspend(() => {
          if (refusing > 0) {
            refusing -= 1
            return Effect.fail(new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" }))
          }
          const target = url.slice(new URL(publicBaseUrl).origin.length)
          const request = { method: "POST", publicBaseUrl, target, headers, body, remoteAddress: "127.0.0.1" }
          // If the gateway is killed during the request, the connection breaks. The caller is not interrupted.
          const arrive = Effect.flatMap(
            Effect.suspend(() => Fiber.await(run(front.handle(request)))),
            (exit) => (Exit.hasInterrupts(exit) ? lost : exit)
          )
          const earlier = delayed.splice(0)
          const answer = Effect.tap(arrive, () => Effect.all(earlier, { discard: true }))
          const stale = again
          again = undefined
          if (stale !== undefined) return Effect.as(answer, stale)
          switch (faultOf(url)) {
            case "requestLost":
              return lost
            case "answerLost":
              return Effect.andThen(answer, lost)
            case "answerLate":
              return Effect.andThen(answer, late)
            case "answerSlow":
              return Effect.tap(answer, () =>
                Effect.flatMap(Delivering, (isDelivering) =>
                  isDelivering ? Effect.void : Fiber.join(run(scheduler.settled))
                )
              )
            case "answerTwice":
              return Effect.tap(answer, (first) =>
                Effect.sync(() => {
                  again = first
                })
              )
            case "gatewayRestarts":
              return answer.pipe(
                Effect.andThen(Effect.suspend(() => Fiber.join(run(restart.now)))),
                Effect.andThen(lost)
              )
            case "requestLate":
              delayed.push(...earlier, Effect.ignore(arrive))
              return late
            case "requestTwice":
              return Effect.andThen(answer, arrive)
            case "tooMany":
              return Effect.succeed(tooManyRequests)
            default:
              return answer
          }
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

      const next = (fault: Fault, { path, times = 1 }: Which = {}) =>
        Effect.sync(() => {
          faults.push({ fault, path, remaining: times })
        })

      const network = SimulatedNetwork.of({
        loseNextAnswer: next("answerLost"),
        refuseNext: (times) =>
          Effect.sync(() => {
            refusing = times
          }),
        next,
        unmet: Effect.sync(() => refusing + faults.reduce((sum, { remaining }) => sum + remaining, 0)),
        visit
      })
      return Context.make(SimulatedNetwork, network).pipe(
        Context.add(Wire.Wire, Wire.Wire.of({ send: (request) => Wire.expiring(request, send(request)) }))
      )
    })
  )
