/** The gateway of a crash test: the sandbox in this process, with everything that the crash test changes of it. */
import type { CallbackSender } from "@pay/gateway/CallbackSender"
import { Front, Answer as Refusal, RequestTarget } from "@pay/gateway/Gateway"
import { NodeServer } from "@pay/gateway/NodeServer"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Dialect } from "@pay/schema/Dialect"
import { type Duration, Effect, Exit, Layer, Scope } from "effect"
import type { Answer } from "./AnswerFacts.ts"
import type { Received } from "./RequestFacts.ts"
import { WorldFailed } from "./World.ts"

type Rule = Parameters<SandboxControl["Service"]["choose"]>[0]

export interface Options {
  readonly dialect: Dialect
  /** The address under which shops and customers reach the gateway. */
  readonly publicBaseUrl: string
  readonly sender: Layer.Layer<CallbackSender>
  /** Chooses what bank and rail do with each request. */
  readonly rule: Rule
  /** The gateway's wall time. */
  readonly wallTimeMs: () => number
}

/** One gateway, until its scope closes. */
interface Running {
  readonly port: number
  readonly bank: SandboxControl["Service"]["books"]
  readonly rail: RailControl["Service"]["books"]
  /** Kills the gateway, and starts it again with its orders. */
  readonly restart: Effect.Effect<void>
  /** Lets business time pass, and completes when everything that became due is done. */
  readonly pass: (duration: Duration.Input) => Effect.Effect<void>
  /** The gateway's own answer when it takes no more requests, and when it fails. */
  readonly refusal: (error: "rateLimited" | "serverError", received: Received) => Answer
}

export interface SandboxGateway {
  /** The gateway that runs now. */
  readonly now: () => Running
  /** Starts another gateway on a port of its own, without orders, and ends the one before it. */
  readonly renew: Effect.Effect<void, WorldFailed>
}

/** More callbacks at once than a round has orders, so that a shop that hangs on some of them gets the others. */
const callbackConcurrency = 512
const retryAfterMs = 1000
/** Enough for all payouts of a run, in major units of any currency. */
const openingBalance = 1_000_000_000

/** Writes refusals as the gateway does: in the dialect of the request. */
const refusing =
  (front: Front["Service"], publicBaseUrl: string): Running["refusal"] =>
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

const start = ({
  dialect,
  publicBaseUrl,
  rule,
  sender,
  wallTimeMs
}: Options): Effect.Effect<Running, WorldFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const settings = { publicBaseUrl, callbackConcurrency }
    // It warns of everything that goes wrong at the bank and at the shop, and here that is on purpose.
    const logLevel = "Error"
    const sandbox = yield* Layer.build(
      Sandbox.listenRestartable({ dialect, logLevel, openingBalance, settings, sender, wallTimeMs })
    ).pipe(Effect.mapError(({ message }) => new WorldFailed({ message: `the sandbox cannot start: ${message}` })))
    const { bank, front, rail, restart, server } = yield* Effect.provideContext(services, sandbox)
    yield* bank.choose(rule)
    yield* rail.choose(rule)
    return {
      port: server.port,
      bank: bank.books,
      rail: rail.books,
      restart: restart.now,
      pass: (duration) =>
        Sandbox.advance(duration).pipe(Effect.orDie, Effect.andThen(Sandbox.settled), Effect.provideContext(sandbox)),
      refusal: refusing(front, publicBaseUrl)
    }
  })

/** Starts the gateway on a free port. */
export const make = (options: Options): Effect.Effect<SandboxGateway, WorldFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const own = yield* Effect.scope
    const begin = Effect.gen(function* () {
      const scope = yield* Scope.fork(own)
      return { scope, running: yield* Scope.provide(start(options), scope) }
    })
    let latest = yield* begin
    return {
      now: () => latest.running,
      renew: Effect.gen(function* () {
        const { scope } = latest
        latest = yield* begin
        yield* Scope.close(scope, Exit.void)
      }).pipe(Effect.uninterruptible)
    }
  })
