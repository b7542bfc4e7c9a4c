/**
 * The signed client: every operation of the contract as a typed method, on a {@link Wire}.
 *
 * The client repeats a call by itself only if the call provably was not sent. A call that may have reached the gateway fails with
 * `OutcomeUnknown`, which the caller must resolve; see `PayError`.
 *
 * @example
 * const program = Effect.gen(function* () {
 *   const pay = yield* PayClient.PayClient
 *   const { "paynet-order-id": orderid } = yield* pay.preauth({ client_orderid: "902B4FF5", amount: "10.42", … })
 *   yield* pay.capture({ client_orderid: "902B4FF5", orderid })
 * })
 * program.pipe(Effect.provide(PayClient.layerConfig))
 */
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Answer, Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Context, Duration, Effect, Layer, Random, Result, Struct } from "effect"
import * as AnswerReader from "./AnswerReader.ts"
import * as AssumedProfile from "./AssumedProfile.ts"
import * as Call from "./Call.ts"
import { traced } from "./CallTrace.ts"
import * as ClientOptions from "./ClientOptions.ts"
import * as Connecting from "./Connecting.ts"
import * as Pace from "./Pace.ts"
import type * as PayError from "./PayError.ts"
import * as Profile from "./Profile.ts"
import { RandomId } from "./RandomId.ts"
import * as RecentAnswers from "./RecentAnswers.ts"
import type * as RequestForm from "./RequestForm.ts"
import * as Signer from "./Signer.ts"
import * as Wire from "./Wire.ts"

/** The options of a client: see `ClientOptions`. */
export type Options = ClientOptions.ClientOptions
export type { InvalidSetting } from "./ClientOptions.ts"
export type { Input } from "./RequestForm.ts"

/** The options of one call. */
export interface CallOptions {
  /** The endpoint or endpoint group of this call, instead of the client's own. */
  readonly endpointId?: string | undefined
  /**
   * For operations on an order or a recurring payment. If the gateway honours keys, two calls with one key have one effect. 1 to
   * 255 printable ASCII characters; random by default. If you store a key of your own, a repetition after a crash is safe as
   * well.
   */
  readonly idempotencyKey?: string | undefined
  /** Longest duration of this call. */
  readonly deadline?: Duration.Input | undefined
  /**
   * Longest wait because of the client's `callsPerSecond`. The deadline then begins after the wait. Default: the wait is a part
   * of the deadline.
   */
  readonly turnWithin?: Duration.Input | undefined
}

type Operations = typeof PayApi.operations

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>

/** The methods of the client by operation: `SALE` is `sale`, `PAYOUT_V4_CHECK` is `payoutV4Check`. */
export type Methods = {
  readonly [Name in PayApi.Name as Camel<Name>]: (
    request: RequestForm.Input<Operations[Name]>,
    options?: CallOptions
  ) => Effect.Effect<Answer<Operations[Name]>, PayError.PayError>
}

/** A client: a method for each operation, and {@link call} for all of them. */
export interface Shape extends Methods {
  /** The merchant at its gateway, such as `shop-7@gateway.example`. */
  readonly merchant: string
  /** Returns the profile that is assumed for the gateway now. */
  readonly assumedProfile: Effect.Effect<AssumedProfile.AssumedProfile>
  /** Calls any operation, for code that has the operation as a value. */
  readonly call: <O extends Operation>(
    operation: O,
    request: RequestForm.Input<O>,
    options?: CallOptions
  ) => Effect.Effect<Answer<O>, PayError.PayError>
}

/** The service with the client of one merchant. */
export class PayClient extends Context.Service<PayClient, Shape>()("@pay/transport/PayClient") {}

/** Calls any operation through the client of the context. */
export const call = <O extends Operation>(
  operation: O,
  request: RequestForm.Input<O>,
  options?: CallOptions
): Effect.Effect<Answer<O>, PayError.PayError, PayClient> =>
  Effect.flatMap(PayClient, (client) => client.call(operation, request, options))

/** Waits before the second and the third attempt, in milliseconds. Each wait varies at random by up to 20 percent. */
const pausesMs: ReadonlyArray<number> = [100, 300]

/** Makes a client on the wire of the context. Fails if an option is for the wire. */
export const make = (options: Options): Effect.Effect<Shape, ClientOptions.InvalidSetting, Wire.Wire> =>
  Effect.gen(function* () {
    yield* ClientOptions.check(options)
    const foreign = Connecting.names.find((name) => options[name] !== undefined)
    if (foreign !== undefined)
      return yield* ClientOptions.invalid(foreign, "is for a wire: give it to Wire.layerUndici")
    const baseUrl = yield* ClientOptions.baseUrl(options)
    const signer = yield* Signer.make(options).pipe(
      Effect.mapError(({ key, message }) => ClientOptions.invalid(key, message))
    )
    const wire = yield* Wire.Wire
    const answered = RecentAnswers.make()
    const pace = options.callsPerSecond === undefined ? undefined : Pace.make(options.callsPerSecond)
    const { differences, traits } = Profile.parts(Profile.of(options.profile))
    const tracker = AssumedProfile.make(traits)

    const call: Shape["call"] = (operation, request, callOptions = {}) =>
      Effect.withFiber((fiber) => {
        const prepared = Call.prepare(operation, request, {
          baseUrl,
          login: signer.login,
          endpointId: callOptions.endpointId ?? options.endpointId,
          idempotencyKey: callOptions.idempotencyKey,
          randomId: fiber.getRef(RandomId),
          profile: tracker.now().profile,
          differences
        })
        if (Result.isFailure(prepared)) return Effect.fail(prepared.failure)
        const call = prepared.success
        const clock = fiber.getRef(Clock.Clock)
        const deadline = callOptions.deadline ?? options.deadlines?.[operation.acts] ?? deadlines[operation.acts]
        let end = monotonicMs(clock) + Duration.toMillis(deadline)

        const send = (signed: Signer.Signed) => {
          const timeoutMs = end - monotonicMs(clock)
          return timeoutMs <= 0
            ? Effect.fail(Call.notSent(call, "Deadline", Wire.DEADLINE))
            : wire
                .send({ url: call.url, headers: Call.headers(call, signed), body: signed.body, timeoutMs })
                .pipe(Effect.mapError((error) => Call.unanswered(call, error)))
        }
        const signed = Effect.mapError(signer.sign(call), (error) => Call.keyWrong(call, error))
        const attempt = signed.pipe(
          Effect.flatMap(send),
          Effect.flatMap((answer) => {
            const announcement = answer.headers[GatewayProfile.header]
            const profile = tracker.of(announcement)
            const nowMillis = clock.currentTimeMillisUnsafe()
            const read = AnswerReader.read(operation, call, answer, { nowMillis, answered, profile })
            if (Result.isSuccess(read) || read.failure._tag === "Refused") tracker.accept(announcement)
            return Effect.fromResult(read)
          })
        )
        /** Repeats only attempts that were not sent, and only if the deadline leaves time for another one. */
        const retryUnsent = ([pauseMs = 0, ...pauses]: ReadonlyArray<number>): typeof attempt =>
          pauseMs === 0
            ? attempt
            : Effect.catchTag(attempt, "NotSent", (error) =>
                Effect.flatMap(Random.nextBetween(0.8 * pauseMs, 1.2 * pauseMs), (millis) =>
                  monotonicMs(clock) + millis < end
                    ? Effect.andThen(Effect.sleep(Duration.millis(millis)), retryUnsent(pauses))
                    : Effect.fail(error)
                )
              )
        if (pace === undefined) return traced(call)(retryUnsent(pausesMs))
        const { turnWithin } = callOptions
        const turn = Effect.suspend(() => {
          const nowMs = monotonicMs(clock)
          const mostMs = turnWithin === undefined ? end - nowMs : Duration.toMillis(turnWithin)
          const waitMs = pace.take(nowMs, mostMs)
          if (waitMs > mostMs) return Effect.fail(Call.limited(call, waitMs))
          if (turnWithin !== undefined) end += waitMs
          return waitMs === 0 ? Effect.void : Effect.sleep(Duration.millis(waitMs))
        })
        return traced(call)(Effect.andThen(turn, retryUnsent(pausesMs)))
      })
    const { host, pathname } = new URL(baseUrl)
    const merchant = `${signer.login}@${host}${pathname === "/" ? "" : pathname}`
    return { ...methods(call), call, merchant, assumedProfile: Effect.sync(tracker.now) }
  })

/** Returns a client that wraps each call, for example with a clock, a span or a limit of your own. */
export const around = (
  client: Shape,
  wrap: <A, E>(call: Effect.Effect<A, E>, operation: Operation, request: object) => Effect.Effect<A, E>
): Shape => {
  const call: Shape["call"] = (operation, request, options) =>
    wrap(client.call(operation, request, options), operation, request)
  return { ...methods(call), call, merchant: client.merchant, assumedProfile: client.assumedProfile }
}

/** The elapsed time in milliseconds, which corrections of the wall clock do not change. */
const monotonicMs = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** Default deadlines. The deadline of reads is short, because a slow read can be repeated. */
const deadlines = {
  creates: Duration.seconds(30),
  onOrder: Duration.seconds(30),
  onSubscription: Duration.seconds(30),
  reads: Duration.seconds(10)
}

const methods = (call: Shape["call"]): Methods => {
  const record: Record<string, unknown> = {}
  for (const operation of PayApi.all) {
    record[methodName(operation.name)] = (request: RequestForm.Input<Operation>, options?: CallOptions) =>
      call(operation, request, options)
  }
  if (!isComplete(record)) throw new Error("every operation has a method")
  return record
}

/** Returns the name of an operation's method. */
export const methodName = (operation: string): string =>
  operation.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const isComplete = (record: Record<string, unknown>): record is Record<string, unknown> & Methods =>
  Object.keys(PayApi.operations).every((name) => typeof record[methodName(name)] === "function")

/** The client on the {@link Wire} of the context. */
export const layerNoDeps = (options: Options): Layer.Layer<PayClient, ClientOptions.InvalidSetting, Wire.Wire> =>
  Layer.effect(PayClient, make(options))

/** The client with its own pool of keep-alive connections, one socket for each concurrent call. */
export const layer = (options: Options): Layer.Layer<PayClient, ClientOptions.InvalidSetting> =>
  Layer.provide(
    layerNoDeps(Struct.omit(options, Connecting.names)),
    Wire.layerUndici({
      ...Struct.pick(options, [...Connecting.names, "connectTimeoutMs"]),
      connections: options.concurrency
    })
  )

/** {@link layer} from the environment (or any `ConfigProvider`): see `ClientOptions.fromConfig` for the variables. */
export const layerConfig: Layer.Layer<PayClient, ClientOptions.InvalidSetting> = /* @__PURE__ */ Layer.catchTag(
  /* @__PURE__ */ Layer.unwrap(/* @__PURE__ */ Effect.map(ClientOptions.fromConfig, layer)),
  "InvalidSetting",
  (error) => Layer.effectContext(Effect.fail(ClientOptions.inEnvironment(error)))
)
