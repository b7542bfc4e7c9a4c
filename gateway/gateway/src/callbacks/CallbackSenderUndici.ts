/**
 * Sends callbacks over real sockets. For each attempt, the name is resolved and its addresses are checked. The connection goes to the
 * allowed ones only; if there is none, the attempt is refused. Proxy variables of the environment and redirects are ignored.
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
import * as CallbackUrl from "./decide/CallbackUrl.ts"

export interface Options extends CallbackPools.Options {
  readonly policy: AddressPolicy.AddressPolicy
  /** The header `User-Agent`. Some firewalls refuse a request without it. */
  readonly userAgent: string
  /** Time limit for everything from the resolution of the name to the status of the answer. */
  readonly timeoutMs: number
  /** Largest part of an answer's body that is read. Beyond it, the connection is closed. */
  readonly maxBodyBytes: number
  /** Time from the status until the connection is closed if the body has not ended. */
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

/** Largest number of a host's addresses that are tried. A further address is tried if the one before cannot be reached. */
const maxAddressesTried = 4

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

      const attempt = Effect.fnUntraced(function* (callback: Callback) {
        const { url } = callback
        const target = yield* Effect.fromResult(
          Result.mapError(CallbackUrl.parse(url), (wrong) => fail(new Refused({ message: `address ${wrong}` })))
        )
        const addresses = yield* addressesOf(target)
        const usable: Array<string> = []
        let refusal = fail(new Unresolved({ message: "name without an address" }))
        for (const address of addresses) {
          const checked = checkAddress(address, target.port, settings.policy)
          if (Result.isSuccess(checked)) usable.push(address)
          else refusal = fail(new Refused({ message: checked.failure }))
        }
        if (usable.length === 0) return yield* refusal
        const used = usable.slice(0, maxAddressesTried)
        const pool = pools.get(target, used)
        const isKept = pool.stats.connected > 0
        const sent = exchange(pool, target.path, callback, settings)
        if (!isKept) return yield* sent
        // A server may have closed a kept connection without a word. A callback may arrive twice, so it is sent again at once.
        return yield* Effect.catchIf(
          sent,
          ({ reason }) => reason._tag === "Broken",
          () => exchange(pools.renew(target, used), target.path, callback, settings)
        )
      })

      return { send: (callback) => Effect.raceFirst(attempt(callback), deadline(settings.timeoutMs)) }
    })
  )

const checkAddress = (
  address: string,
  port: number,
  policy: AddressPolicy.AddressPolicy
): Result.Result<void, string> =>
  Result.andThen(AddressPolicy.check(address, policy), AddressPolicy.checkPort(port, address, policy))

/** Fails after this time of the machine's clock, because sockets do not follow the business time that a sandbox moves. */
const deadline = (timeoutMs: number): Effect.Effect<never, CallbackFailure> =>
  Effect.callback((resume) => {
    const timer = setTimeout(
      () => resume(Effect.fail(fail(new TimedOut({ message: `no answer within ${timeoutMs} ms` })))),
      timeoutMs
    )
    return Effect.sync(() => clearTimeout(timer))
  })

/**
 * Sends one request on a pool. Only the status matters. The rest of the answer is read within its limits, so that the connection can
 * be used again.
 */
const exchange = (
  pool: Dispatcher,
  path: string,
  { body, headers }: Callback,
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
      {
        method: body === undefined ? "GET" : "POST",
        path,
        headers: { "user-agent": userAgent, ...headers },
        body: body ?? null
      },
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

/** Matches Node's codes for failed X.509 verifications, and for a certificate of another host. */
const certificateCode = /CERT|SELF_SIGNED|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/

/** Returns the code of an error. Its message could contain text that the server sent. */
const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : error.name)
