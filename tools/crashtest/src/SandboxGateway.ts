/** The gateway of a crash test: the sandbox in this process, with everything that the crash test changes of it. */
import type { CallbackSender } from "@pay/gateway/CallbackSender"
import { Front, Answer as Refusal, RequestTarget } from "@pay/gateway/Gateway"
import { NodeServer } from "@pay/gateway/NodeServer"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Dialect } from "@pay/schema/Dialect"
import { type Duration, Effect, Layer, type Scope } from "effect"
import type { Answer } from "./AnswerFacts.ts"
import type { Received } from "./RequestFacts.ts"
import { WorldFailed } from "./World.ts"

export interface Options {
  readonly dialect: Dialect
  /** The address under which shops and customers reach the gateway. */
  readonly publicBaseUrl: string
  readonly sender: Layer.Layer<CallbackSender>
  /** The gateway's wall time. */
  readonly wallTimeMs: () => number
}

export interface SandboxGateway {
  readonly port: number
  readonly bank: SandboxControl["Service"]
  readonly rail: RailControl["Service"]
  readonly restart: Effect.Effect<void>
  /** Lets business time pass, and completes when everything that became due is done. */
  readonly pass: (duration: Duration.Input) => Effect.Effect<void>
  /** The gateway's own answer when it takes no more requests, and when it fails. */
  readonly refusal: (error: "rateLimited" | "serverError", received: Received) => Answer
}

/** More callbacks at once than a round has orders, so that a shop that hangs on some of them gets the others. */
const callbackConcurrency = 512
const retryAfterMs = 1000

/** Writes refusals as the gateway does: in the dialect of the request. */
const refusing =
  (front: Front["Service"], publicBaseUrl: string): SandboxGateway["refusal"] =>
  (error, { headers, target }) => {
    const { path } = RequestTarget.targetOf(publicBaseUrl, target)
    const refused =
      error === "rateLimited" ? Refusal.tooMany("requests of this merchant", retryAfterMs) : Refusal.refuse(error)
    const answer = front.refusal(refused, { headers, path })
    return { status: answer.status, rawHeaders: Object.entries(answer.headers).flat(), body: Buffer.from(answer.body) }
  }

const services = Effect.all({
  front: Front,
  server: NodeServer,
  bank: SandboxControl,
  rail: RailControl,
  restart: Sandbox.Restart
})

/** Starts the gateway on a free port. */
export const make = ({
  dialect,
  publicBaseUrl,
  sender,
  wallTimeMs
}: Options): Effect.Effect<SandboxGateway, WorldFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const settings = { publicBaseUrl, callbackConcurrency }
    // It warns of everything that goes wrong at the bank and at the shop, and here that is on purpose.
    const logLevel = "Error"
    const sandbox = yield* Layer.build(
      Sandbox.listenRestartable({ dialect, logLevel, settings, sender, wallTimeMs })
    ).pipe(Effect.mapError(({ message }) => new WorldFailed({ message: `the sandbox cannot start: ${message}` })))
    const { bank, front, rail, restart, server } = yield* Effect.provideContext(services, sandbox)
    return {
      port: server.port,
      bank,
      rail,
      restart: restart.now,
      pass: (duration) =>
        Sandbox.advance(duration).pipe(Effect.orDie, Effect.andThen(Sandbox.settled), Effect.provideContext(sandbox)),
      refusal: refusing(front, publicBaseUrl)
    }
  })
