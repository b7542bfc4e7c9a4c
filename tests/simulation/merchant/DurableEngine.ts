/**
 * Flows that survive the process of their merchant: a durable engine on a file for each endpoint, with default settings: also its
 * default tick of 10 s, which costs nothing that can be measured (20 lives of 120 steps over 6 to 9 weeks took 39 s of one core with
 * it, and 38 s with a tick of an hour), since it is waited for only where a flow sleeps. A dead process leaves the file as it stood at the moment of death; the next one takes it over and is told nothing.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as Steps from "@pay/flows/Steps"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import type { Endpoint } from "./Account.ts"
import type { Carrier, Engine, Given, Running } from "./Engine.ts"
import type { Carry, Needs } from "./Wish.ts"
import * as WishFlows from "./WishFlows.ts"

/** In memory where there is a folder of it: no power fails here, and waiting for a disk is what would take the time. */
const temporary = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

const key = Redacted.make(Buffer.alloc(32, 3).toString("base64"))

interface Opened {
  readonly carrier: Carrier
  readonly durable: Durable.Durable["Service"]
  readonly steps: Steps.Shape
}

const carrying = (durable: Durable.Durable["Service"], context: Context.Context<Needs>): Carrier => {
  const ended: Carry = (flow, payload) =>
    Effect.gen(function* () {
      const standing = yield* durable.ended(flow, flow.idempotencyKey(payload)).pipe(
        Effect.catchTag("NotStarted", () => Effect.interrupt),
        Effect.orDie
      )
      if (standing._tag === "Succeeded") return standing.value
      if (standing._tag === "Failed") return yield* Effect.fail(standing.error)
      return yield* Effect.die(new Error(`${flow.name} is ${JSON.stringify(standing)}`))
    })
  return {
    context,
    carry: (flow, payload) => Effect.andThen(Effect.orDie(durable.again(flow, payload)), ended(flow, payload)),
    resume: ended
  }
}

const states = ["ready", "waiting", "stuck"] as const

const openOf = ({ waiting }: Durable.Durable["Service"]) =>
  Effect.forEach(states, (state) => Effect.orDie(waiting({ state, limit: 10 }))).pipe(
    Effect.map((pages) => pages.flat().map(({ executionId, state }) => `${executionId} is ${state}`))
  )

/** Files of the process that lives are in `generation`. */
export const make = (): Engine => {
  const folder = mkdtempSync(join(temporary, "pay-merchant-"))
  /** Endpoints that have a file. */
  const endpoints = new Set<Endpoint>()
  let generation = 0
  const fileOf = (endpoint: Endpoint) => join(folder, `${generation}-${endpoint}.db`)

  const openAt = Effect.fnUntraced(function* (endpoint: Endpoint, given: Given, scope: Scope.Scope) {
    endpoints.add(endpoint)
    const path = fileOf(endpoint)
    const needs = yield* given(endpoint)
    const cipher = yield* Effect.orDie(Cipher.make({ key }))
    const layer = Durable.layer({ path, cipher, flows: WishFlows.registered() })
    const context = yield* Layer.buildWithScope(
      Layer.fresh(Layer.provide(layer, Layer.succeedContext(needs))),
      scope
    ).pipe(Effect.orDie)
    const durable = Context.get(context, Durable.Durable)
    return { carrier: carrying(durable, needs), durable, steps: Context.get(context, Steps.Steps) }
  })

  const start = Effect.fnUntraced(function* (given: Given) {
    const scope = yield* Effect.scope
    const context = yield* Effect.context<never>()
    const opening = new Map<Endpoint, Effect.Effect<Opened>>()
    const at = Effect.fnUntraced(function* (endpoint: Endpoint) {
      const lookup =
        opening.get(endpoint) ?? (yield* Effect.cached(Effect.provideContext(openAt(endpoint, given, scope), context)))
      opening.set(endpoint, lookup)
      return yield* lookup
    })
    const all = Effect.suspend(() => Effect.forEach([...endpoints], at))
    yield* all
    const signal = (key: string, value?: string) =>
      Effect.flatMap(all, (opened) =>
        Effect.forEach(opened, ({ steps }) => steps.signal(key, value), { discard: true })
      )
    return {
      at: (endpoint) => Effect.map(at(endpoint), ({ carrier }) => carrier),
      steps: { ...Steps.makeMemory(), signal },
      open: Effect.map(
        Effect.flatMap(all, (opened) => Effect.forEach(opened, ({ durable }) => openOf(durable))),
        (names) => names.flat()
      )
    } satisfies Running
  })

  return {
    isDurable: true,
    start,
    // What the disk keeps of a killed process: the database and its log.
    die: () => {
      const entries = [...endpoints].map((endpoint) => [endpoint, fileOf(endpoint)] as const)
      generation += 1
      for (const [endpoint, path] of entries) {
        for (const part of ["", "-wal"]) if (existsSync(path + part)) copyFileSync(path + part, fileOf(endpoint) + part)
      }
      for (const name of readdirSync(folder)) {
        if (Number.parseInt(name, 10) < generation - 1) rmSync(join(folder, name))
      }
    },
    end: () => rmSync(folder, { recursive: true, force: true })
  }
}
