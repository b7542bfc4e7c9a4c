/**
 * The ports of a bank world in another process, for a gateway: those of `SandboxWorld.layer`, without the controls. A refused
 * connection is `NotSent`. A connection that is lost after the request was written is `AnswerLost`.
 */
import { SteadyClock } from "@pay/gateway/Gateway"
import * as Wire from "@pay/transport/Wire"
import { Clock, Data, Effect, Layer, Predicate, Random, Schema, type Scope } from "effect"
import * as SandboxClock from "../SandboxClock.ts"
import * as SandboxTestMode from "../SandboxTestMode.ts"
import * as Portable from "./Portable.ts"
import * as ServedPort from "./ServedPort.ts"

/** No bank world answers at the address. */
export class WorldUnreachable extends Data.TaggedError("WorldUnreachable")<{ readonly message: string }> {}

/** The world has detected a defect of the gateway, or has a defect itself. */
export class WorldDefect extends Data.TaggedError("WorldDefect")<{ readonly message: string }> {}

/** Longest time of a call, in milliseconds. It exceeds the time of any bank: the gateway's own deadline ends a call earlier. */
const timeoutMs = 120_000

const headers = { "content-type": "application/json" }

const connecting = Wire.layerUndici({ connections: 512, maxAnswerBytes: 64 * 1_048_576 })

/** Sends a call on wall time, because business time may jump before the answer arrives. */
const post = (url: string, body: string) =>
  Effect.flatMap(Wire.Wire, ({ send }) => send({ url, headers, body, timeoutMs })).pipe(
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

const member = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? Reflect.get(value, name) : undefined

/** Makes a port whose methods are calls to the world. */
const port = <Id, Port, Adapter, Failure>(of: ServedPort.ServedPort<Id, Port, Adapter, Failure>, url: string) =>
  Effect.gen(function* () {
    const wire = yield* Wire.Wire
    const decodeFailure = Schema.decodeUnknownEffect(of.failure)
    const address = `${url}/ports/${of.name}`
    const unreachable = (problem: string) =>
      new WorldUnreachable({
        message: `The bank world at ${url} is not reachable (${problem}). Start it first: PAY_SANDBOX_WORLD names its address.`
      })
    const answer = yield* Effect.mapError(post(address, "[]"), ({ code }) => unreachable(code))
    const description = Portable.decode(answer.body)
    const methods = member(description, "methods")

    const call =
      (method: string) =>
      (...args: ReadonlyArray<unknown>): Effect.Effect<unknown, Failure> =>
        post(`${address}/${method}`, Portable.encode(args)).pipe(
          Effect.provideService(Wire.Wire, wire),
          Effect.catch(({ code, reason }) =>
            Effect.fail(of.lost(reason === "NotSent" ? "NotSent" : "AnswerLost", `The bank world: ${code}`))
          ),
          Effect.flatMap(({ body, status }): Effect.Effect<unknown, Failure> => {
            const outcome = Portable.decode(body)
            if (status !== 200 || !Predicate.isObject(outcome) || "defect" in outcome)
              return Effect.die(new WorldDefect({ message: `${of.name}.${method}: ${status} ${body}` }))
            return "failure" in outcome
              ? Effect.flatMap(Effect.orDie(decodeFailure(outcome.failure)), Effect.fail)
              : Effect.succeed(member(outcome, "success"))
          })
        )

    const made: unknown = {
      ...Object.fromEntries((Array.isArray(methods) ? methods : []).map((name) => [name, call(String(name))])),
      capabilities: member(description, "capabilities")
    }
    return ServedPort.isAdapter(of, made)
      ? of.checked(made)
      : yield* unreachable(`it does not serve the port ${of.name}`)
  })

const layerOf = <Id, Port, Adapter, Failure>(of: ServedPort.ServedPort<Id, Port, Adapter, Failure>, url: string) =>
  Layer.effect(of.service, port(of, url))

/** Keeps the offset of the world's clock, and follows its changes. */
const keeper =
  (url: string): SandboxClock.Keeper<WorldUnreachable, Wire.Wire | Scope.Scope> =>
  (onMove) =>
    Effect.gen(function* () {
      const { follow, move, reset } = yield* port(ServedPort.worldClock, url)
      const self = `${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
      const refused = ({ message }: { readonly message: string }) => new SandboxClock.AdvanceRefused({ message })
      let offsetMs = yield* Effect.mapError(follow(self, undefined), ({ message }) => new WorldUnreachable({ message }))
      const step = Effect.map(
        Effect.suspend(() => follow(self, offsetMs)),
        (currentMs) => {
          const byMs = currentMs - offsetMs
          offsetMs = currentMs
          if (byMs > 0) onMove(byMs)
        }
      )
      const repeated = Effect.catch(step, () => Effect.sleep("200 millis"))
      yield* Effect.forkScoped(Effect.forever(repeated))
      return {
        ms: () => offsetMs,
        move: (byMs) => Effect.mapError(move(byMs), refused),
        reset: Effect.mapError(reset(), refused)
      }
    })

/** The ports of the bank world at this address. */
export const layer = (url: string) =>
  Layer.fresh(
    Layer.mergeAll(
      layerOf(ServedPort.acquirer, url),
      layerOf(ServedPort.payoutRail, url),
      layerOf(ServedPort.threeDSServer, url),
      layerOf(ServedPort.bankBooks, url),
      layerOf(ServedPort.railBooks, url),
      Layer.provide(SandboxClock.layerOf(keeper(url)), SteadyClock.layer),
      SandboxTestMode.layer
    ).pipe(Layer.provide(connecting))
  )
