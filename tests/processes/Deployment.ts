/** Several gateways as processes on one PostgreSQL database, one bank world for all of them, and a balancer in front. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Acquirer } from "@pay/gateway/Acquirer"
import type { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import type { Store } from "@pay/gateway/Store"
import type { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as WorldServer from "@pay/sandbox/WorldServer"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Context, Effect, Layer, Redacted } from "effect"
import { WorldClock } from "../../gateway/sandbox/src/served/WorldClock.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as ServerAccount from "../postgres/ServerAccount.ts"
import * as TestDatabase from "../postgres/TestDatabase.ts"
import * as Balancer from "./Balancer.ts"

/** Every wait of the bank's is short, so that a lease is as short as it may be. */
export const bank = { deadlineMs: 5_000, longestProcessingMs: 1_000, threedsDeadlineMs: 5_000 }
/** The lease of a job with these deadlines. */
export const leaseMs = 30_000

export interface Each {
  /** How far its clock is from the machine's. */
  readonly clockMs?: number
  /** How it reaches the database, if not directly. */
  readonly through?: string
}

const program = join(import.meta.dirname, "../../gateway/program/src/main.ts")

export interface Options {
  /** Default: 3. */
  readonly gateways?: number
  readonly bank?: WorldServer.Options
  /** Default: a database of its own on a server of its own. */
  readonly database?: string
  readonly env?: Readonly<Record<string, string>>
  /** What differs for one gateway, in their order. */
  readonly each?: ReadonlyArray<Each>
}

export interface Deployment {
  readonly database: string
  /** The file with the keys of all gateways. */
  readonly keyRing: string
  readonly gateways: ReadonlyArray<GatewayProcess.GatewayProcess>
  readonly balancer: Balancer.Balancer
  readonly world: Context.Context<Acquirer | BankBooks | RailBooks | SandboxControl | ThreeDSControl | WorldClock>
  /** Moves everybody's business time forward. */
  readonly advance: (ms: number) => Effect.Effect<void>
  /** Reads the database beside the gateways, with the bank's and the rail's books at hand. */
  readonly read: <A, E>(program: Effect.Effect<A, E, Store | BankBooks | RailBooks>) => Effect.Effect<A, E>
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const { each = [], gateways: count = 3 } = options
  const folder = yield* temporaryFolder
  const database = options.database ?? (yield* Effect.flatMap(TestDatabase.server, TestDatabase.forStore))
  const keyRing = join(folder, "keys.json")
  const world = yield* Layer.build(WorldServer.layer({ latencyMs: 5, ...bank, ...options.bank }))
  const ports = yield* Effect.forEach(Array.from({ length: count }), () => ServerAccount.freePort)
  const balancer = yield* Balancer.make(ports)
  const gateways = yield* Effect.forEach(ports, (port, at) => {
    const name = `gateway-${at + 1}`
    const data = join(folder, name)
    const { clockMs = 0, through = database } = each[at] ?? {}
    mkdirSync(data, { mode: 0o700 })
    return GatewayProcess.make({
      ...{ name, port, clockMs, program },
      env: {
        PAY_DATA: data,
        PAY_KEY_RING: keyRing,
        PAY_DATABASE_URL: through,
        PAY_SANDBOX_WORLD: Context.get(world, WorldServer.WorldServer).url,
        PAY_PUBLIC_BASE_URL: balancer.url,
        PAY_LOG_LEVEL: "warning",
        ...options.env
      }
    })
  })
  // The first makes the keys and the tables; the others may start at once.
  const [first, ...others] = gateways
  if (first !== undefined) yield* first.start
  yield* Effect.forEach(others, ({ start }) => start, { concurrency: "unbounded", discard: true })
  const { move } = Context.get(world, WorldClock)
  const deployment: Deployment = {
    ...{ database, keyRing, gateways, balancer, world },
    advance: (ms) => Effect.orDie(move(ms)),
    read: (program) =>
      program.pipe(
        Effect.provide(Layer.orDie(PostgresStore.layer({ url: Redacted.make(database), absent: "refuse" })), {
          local: true
        }),
        Effect.provideContext(world)
      )
  }
  return deployment
})
