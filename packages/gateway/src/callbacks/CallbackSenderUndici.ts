/**
 * Callbacks over real sockets. At each try the name is resolved, every one of its addresses is judged, and the connection
 * goes to a judged address; one that is not allowed refuses the whole, so that nobody profits from mixing good and bad.
 * Proxy variables of the environment are not looked at, nor is a redirect.
 */
import { Effect, Layer, Result } from "effect"
import type { Dispatcher } from "undici"
import * as AddressPolicy from "../network/AddressPolicy.ts"
import { NameResolver } from "../network/NameResolver.ts"
import * as CallbackPools from "./CallbackPools.ts"
import {
  Broken,
  type Callback,
  CallbackFailure,
  CallbackSender,
  Refused,
  TimedOut,
  Unreachable,
  Unresolved,
  Untrusted
} from "./CallbackSender.ts"
import * as CallbackUrl from "./CallbackUrl.ts"

export interface Options extends CallbackPools.Options {
  readonly policy: AddressPolicy.AddressPolicy
  /** Some firewalls refuse a request without one. */
  readonly userAgent: string
  /** For everything from the question for the name to the status of the answer. */
  readonly timeoutMs: number
  /** When more than this of an answer's body has come, the connection is dropped. */
  readonly maxBodyBytes: number
  /** When the body has not ended so long after the status, the connection is dropped. */
  readonly drainMs: number
}

export const defaults: Options = {
  policy: AddressPolicy.publicOnly,
  userAgent: "pay-gateway",
  timeoutMs: 10_000,
  maxBodyBytes: 4096,
  drainMs: 1_000,
  connectTimeoutMs: 4_000,
  connectionsPerTarget: 32,
  maxTargets: 256,
  ca: undefined
}

/** A host's further addresses are tried when the first cannot be reached, but not for ever. */
const maxAddressesTried = 3

interface Answer {
  readonly status: number
}

const fail = (reason: CallbackFailure["reason"]) => new CallbackFailure({ reason })

/**
 * @example
 * CallbackSenderUndici.layer({ policy: AddressPolicy.withLoopback }).pipe(Layer.provide(NameResolver.layer))
 */
export const layer = (options: Partial<Options> = {}): Layer.Layer<CallbackSender, never, NameResolver> =>
  Layer.effect(
    CallbackSender,
    Effect.gen(function* () {
      const settings = { ...defaults, ...options }
      const resolver = yield* NameResolver
      const pools = yield* Effect.acquireRelease(
        Effect.sync(() => CallbackPools.make(settings)),
        (pools) => Effect.promise(pools.destroy)
      )

      const addressesOf = ({ host, literal }: CallbackUrl.Target) =>
        literal
          ? Effect.succeed([host])
          : Effect.mapError(resolver.resolve(host), ({ message }) =>
              fail(new Unresolved({ message: `name ${message}` }))
            )

      const attempt = Effect.fnUntraced(function* ({ headers, url }: Callback) {
        const target = yield* Effect.fromResult(
          Result.mapError(CallbackUrl.parse(url), (wrong) => fail(new Refused({ message: `address ${wrong}` })))
        )
        const addresses = yield* addressesOf(target)
        for (const address of addresses) {
          const judged = judge(address, target.port, settings.policy)
          if (Result.isFailure(judged)) return yield* fail(new Refused({ message: judged.failure }))
        }
        let unreachable = fail(new Unresolved({ message: "name without an address" }))
        for (const address of addresses.slice(0, maxAddressesTried)) {
          const tried = yield* Effect.result(exchange(pools.get(target, address), target.path, headers, settings))
          if (Result.isSuccess(tried)) return tried.success
          if (tried.failure.reason._tag !== "Unreachable") return yield* tried.failure
          unreachable = tried.failure
        }
        return yield* unreachable
      })

      return { send: (callback) => Effect.raceFirst(attempt(callback), deadline(settings.timeoutMs)) }
    })
  )

const judge = (address: string, port: number, policy: AddressPolicy.AddressPolicy): Result.Result<void, string> =>
  Result.andThen(AddressPolicy.check(address, policy), AddressPolicy.checkPort(port, address, policy))

/** Real time: sockets know nothing of the business time that a sandbox moves. */
const deadline = (timeoutMs: number): Effect.Effect<never, CallbackFailure> =>
  Effect.callback((resume) => {
    const timer = setTimeout(
      () => resume(Effect.fail(fail(new TimedOut({ message: `no answer within ${timeoutMs} ms` })))),
      timeoutMs
    )
    return Effect.sync(() => clearTimeout(timer))
  })

/**
 * One GET on a pool. The status is all that counts; the rest of the answer is read, within its limits, so that the
 * connection can be used again.
 */
const exchange = (
  pool: Dispatcher,
  path: string,
  headers: Callback["headers"],
  { drainMs, maxBodyBytes, userAgent }: Options
): Effect.Effect<Answer, CallbackFailure> =>
  Effect.callback((resume) => {
    let request: Dispatcher.DispatchController | undefined
    let answer: Answer | undefined
    let bodyBytes = 0
    let abandoned = false
    let drain: NodeJS.Timeout | undefined
    const drop = () => request?.abort(new Error("dropped"))
    const finish = (failure: () => CallbackFailure["reason"]) => {
      clearTimeout(drain)
      resume(answer === undefined ? Effect.fail(fail(failure())) : Effect.succeed(answer))
    }

    pool.dispatch(
      { method: "GET", path, headers: { "user-agent": userAgent, ...headers } },
      {
        onRequestStart: (controller) => {
          request = controller
          if (abandoned) drop()
        },
        onResponseStart: (_, status) => {
          if (status < 200) return
          answer = { status }
          drain = setTimeout(drop, drainMs)
        },
        onResponseData: (_, chunk) => {
          bodyBytes += chunk.length
          if (bodyBytes > maxBodyBytes) drop()
        },
        onResponseEnd: () => finish(() => broken("without a status")),
        onResponseError: (_, error) =>
          finish(() => (request === undefined ? notConnected(codeOf(error)) : broken(codeOf(error))))
      }
    )
    return Effect.sync(() => {
      abandoned = true
      drop()
    })
  })

const broken = (what: string): CallbackFailure["reason"] => new Broken({ message: `answer ${what}` })

const notConnected = (code: string): CallbackFailure["reason"] =>
  certificateCode.test(code)
    ? new Untrusted({ message: `certificate ${code}` })
    : new Unreachable({ message: `connect ${code}` })

/** Node's names for X.509 verification results, and its own for a certificate of another host. */
const certificateCode = /CERT|SELF_SIGNED|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/

/** The code only: messages of sockets and parsers may quote what the other side sent. */
const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : error.name)
