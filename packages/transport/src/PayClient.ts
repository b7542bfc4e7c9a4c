/**
 * The signed client: every operation of the contract as a typed method, on a {@link Wire}.
 *
 * Only a call that provably never left is repeated by itself. Whatever may have reached the gateway is reported as
 * `OutcomeUnknown` and is for the caller to resolve; see `PayError`.
 *
 * @example
 * const program = Effect.gen(function* () {
 *   const pay = yield* PayClient.PayClient
 *   const { "paynet-order-id": orderid } = yield* pay.preauth({ client_orderid: "902B4FF5", amount: "10.42", … })
 *   yield* pay.capture({ client_orderid: "902B4FF5", orderid })
 * })
 * program.pipe(Effect.provide(PayClient.layerConfig))
 */
import type { Answer, Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Context, Duration, Effect, Layer, Result, Schedule, Semaphore } from "effect"
import * as AnswerReader from "./AnswerReader.ts"
import * as Call from "./Call.ts"
import { traced } from "./CallTrace.ts"
import * as ClientOptions from "./ClientOptions.ts"
import type * as PayError from "./PayError.ts"
import { RandomId } from "./RandomId.ts"
import type * as RequestForm from "./RequestForm.ts"
import * as Signer from "./Signer.ts"
import * as Wire from "./Wire.ts"

export type Options = ClientOptions.ClientOptions
export type { InvalidSetting } from "./ClientOptions.ts"
export type { Input } from "./RequestForm.ts"

export interface CallOptions {
  /** Instead of the client's own. */
  readonly endpointId?: string
  /**
   * For operations on an order or a recurring payment: two calls under one key have one effect. 1 to 255 printable
   * ASCII characters; a random one by default. Keep your own, and a repeat after a crash is safe too.
   */
  readonly idempotencyKey?: string
  /** How long this call may take in all. */
  readonly deadline?: Duration.Input
}

type Operations = typeof PayApi.operations

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>

/** `SALE` is `sale`, `PAYOUT_V4_CHECK` is `payoutV4Check`. */
export type Methods = {
  readonly [Name in PayApi.Name as Camel<Name>]: (
    request: RequestForm.Input<Operations[Name]>,
    options?: CallOptions
  ) => Effect.Effect<Answer<Operations[Name]>, PayError.PayError>
}

export interface Shape extends Methods {
  /** Any operation, for code that has it as a value. */
  readonly call: <O extends Operation>(
    operation: O,
    request: RequestForm.Input<O>,
    options?: CallOptions
  ) => Effect.Effect<Answer<O>, PayError.PayError>
}

export class PayClient extends Context.Service<PayClient, Shape>()("@pay/transport/PayClient") {}

/** Calls any operation through the client of the context. */
export const call = <O extends Operation>(
  operation: O,
  request: RequestForm.Input<O>,
  options?: CallOptions
): Effect.Effect<Answer<O>, PayError.PayError, PayClient> =>
  Effect.flatMap(PayClient, (client) => client.call(operation, request, options))

/** 100 and 300 ms, give or take a fifth: three attempts in all, within the deadline. */
const repeats = Schedule.exponential(Duration.millis(100), 3).pipe(Schedule.jittered, Schedule.upTo({ times: 2 }))

/** The client on a wire of your own. */
export const make = (options: Options): Effect.Effect<Shape, ClientOptions.InvalidSetting, Wire.Wire> =>
  Effect.gen(function* () {
    yield* ClientOptions.check(options)
    const baseUrl = yield* ClientOptions.baseUrl(options)
    const signer = yield* Effect.fromResult(Signer.make(options)).pipe(
      Effect.mapError((unusable) => ClientOptions.invalid("privateKey", unusable.message))
    )
    const wire = yield* Wire.Wire
    const slots = yield* Semaphore.make(options.concurrency ?? 64)

    const call: Shape["call"] = (operation, request, callOptions = {}) =>
      Effect.withFiber((fiber) => {
        const prepared = Call.prepare(operation, request, {
          baseUrl,
          login: signer.login,
          endpointId: callOptions.endpointId ?? options.endpointId,
          idempotencyKey: callOptions.idempotencyKey,
          randomId: fiber.getRef(RandomId)
        })
        if (Result.isFailure(prepared)) return Effect.fail(prepared.failure)
        const call = prepared.success
        const deadline = callOptions.deadline ?? options.deadlines?.[operation.acts] ?? deadlines[operation.acts]
        let hasLeft = false
        const onLeave = () => {
          hasLeft = true
        }
        const attempt = Effect.flatMap(signer.sign(call), (signed) =>
          wire.send({ url: call.url, headers: Call.headers(call, signed), body: signed.body, onLeave })
        ).pipe(
          slots.withPermit,
          Effect.mapError((error) => {
            if (error._tag === "KeyMissing") return Call.keyMissing(call)
            if (error.reason === "Lost") return Call.outcomeUnknown(call, "ConnectionLost", error.code)
            hasLeft = false
            return Call.notSent(call, "Unreachable", error.code)
          }),
          Effect.flatMap((answer) =>
            Effect.fromResult(
              AnswerReader.read(operation, call, answer, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
            )
          )
        )
        return attempt.pipe(
          Effect.retry({ schedule: repeats, while: (error) => error._tag === "NotSent" }),
          Effect.timeoutOrElse({
            duration: deadline,
            orElse: () =>
              Effect.fail(
                hasLeft ? Call.outcomeUnknown(call, "Deadline", "DEADLINE") : Call.notSent(call, "Deadline", "DEADLINE")
              )
          }),
          traced(call)
        )
      })
    return { ...methods(call), call }
  })

/** Default deadlines: a read that takes long is better asked again. */
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

/** The name of an operation's method. */
export const methodName = (operation: string): string =>
  operation.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const isComplete = (record: Record<string, unknown>): record is Record<string, unknown> & Methods =>
  Object.keys(PayApi.operations).every((name) => typeof record[methodName(name)] === "function")

/** The client on whatever {@link Wire} the context has. */
export const layerNoDeps = (options: Options): Layer.Layer<PayClient, ClientOptions.InvalidSetting, Wire.Wire> =>
  Layer.effect(PayClient, make(options))

/** The client with a keep-alive pool of its own, one socket for each call that may be under way. */
export const layer = (options: Options): Layer.Layer<PayClient, ClientOptions.InvalidSetting> =>
  Layer.provide(
    layerNoDeps(options),
    Wire.layerUndici({
      ...(options.concurrency === undefined ? {} : { connections: options.concurrency }),
      ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs })
    })
  )

/** {@link layer} from the environment (or any `ConfigProvider`): see `ClientOptions.fromConfig` for the variables. */
export const layerConfig: Layer.Layer<PayClient, ClientOptions.InvalidSetting> = Layer.unwrap(
  Effect.map(ClientOptions.fromConfig, layer)
).pipe(
  Layer.catchTag("InvalidSetting", ({ problem, setting }) =>
    Layer.effectContext(Effect.fail(ClientOptions.invalid(ClientOptions.variables[setting] ?? setting, problem)))
  )
)
