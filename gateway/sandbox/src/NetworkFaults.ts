/** The faults of requests on their way to a gateway, and of answers on their way back, as a test plans them. */
import * as Wire from "@pay/transport/Wire"
import { Effect } from "effect"

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

/** The gateway behind the connection. */
export interface Gateway {
  /** Executes a request that has arrived. */
  readonly arrive: (request: Wire.WireRequest) => Effect.Effect<Wire.WireAnswer, Wire.WireError>
  /** Completes when the outcome of each request is known. */
  readonly settled: Effect.Effect<void>
  readonly restart: Effect.Effect<void>
  /** The answer to a request that the gateway does not take for now. */
  readonly tooMany: Wire.WireAnswer
}

export const lost = Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))
const late = Effect.fail(new Wire.WireError({ reason: "Lost", code: Wire.DEADLINE }))

/** Makes a connection to the gateway on which requests meet the planned faults. */
export const make = (gateway: Gateway) => {
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

  const send = (request: Wire.WireRequest): Effect.Effect<Wire.WireAnswer, Wire.WireError> =>
    Effect.suspend(() => {
      if (refusing > 0) {
        refusing -= 1
        return Effect.fail(new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" }))
      }
      const arrive = gateway.arrive(request)
      const earlier = delayed.splice(0)
      const answer = Effect.tap(arrive, () => Effect.all(earlier, { discard: true }))
      const stale = again
      again = undefined
      if (stale !== undefined) return Effect.as(answer, stale)
      switch (faultOf(request.url)) {
        case "requestLost":
          return lost
        case "answerLost":
          return Effect.andThen(answer, lost)
        case "answerLate":
          return Effect.andThen(answer, late)
        case "answerSlow":
          return Effect.tap(answer, () => gateway.settled)
        case "answerTwice":
          return Effect.tap(answer, (first) =>
            Effect.sync(() => {
              again = first
            })
          )
        case "gatewayRestarts":
          return answer.pipe(Effect.andThen(gateway.restart), Effect.andThen(lost))
        case "requestLate":
          delayed.push(...earlier, Effect.ignore(arrive))
          return late
        case "requestTwice":
          return Effect.andThen(answer, arrive)
        case "tooMany":
          return Effect.succeed(gateway.tooMany)
        default:
          return answer
      }
    })

  return {
    send,
    next: (fault: Fault, { path, times = 1 }: Which = {}) =>
      Effect.sync(() => {
        faults.push({ fault, path, remaining: times })
      }),
    refuseNext: (times: number) =>
      Effect.sync(() => {
        refusing = times
      }),
    unmet: Effect.sync(() => refusing + faults.reduce((sum, { remaining }) => sum + remaining, 0))
  }
}
