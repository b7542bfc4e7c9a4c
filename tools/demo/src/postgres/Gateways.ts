/** Two gateways on one PostgreSQL database behind one address, with one simulated bank. A gateway that ends is started again. */
import { randomUUID } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Config, Effect, Option, Schedule } from "effect"
import * as PostgresServer from "../../../../tests/postgres/PostgresServer.ts"
import * as ServerAccount from "../../../../tests/postgres/ServerAccount.ts"
import * as Session from "../../../../tests/postgres/Session.ts"
import * as Program from "../Program.ts"
import * as Balancer from "./Balancer.ts"

const programs = join(import.meta.dirname, "../../../../gateway/program/src")
const annotated = /"url":"(http:[^"]+)"/

/** One of the two gateways. `number` is 1 or 2. */
export interface Gateway {
  readonly number: number
  readonly processId: number
  readonly url: string
  readonly operatorUrl: string
}

export interface Gateways {
  /** The address of the load balancer, at which both gateways are reached. */
  readonly url: string
  readonly database: string
  /** The token that authorizes an operator's requests. */
  readonly operatorToken: string
  /** Returns the gateways that run now. */
  readonly running: () => ReadonlyArray<Gateway>
  /** Kills the gateway with this number by SIGKILL, so that it cannot finish any work. */
  readonly kill: (number: number) => Effect.Effect<void>
}

export interface Options {
  readonly folder: string
  readonly port: number
  readonly onChange: (what: string) => Effect.Effect<void>
}

/** The URL of the database that `PAY_DATABASE_URL` names, or of a server that runs until the scope ends. */
const database = Effect.gen(function* () {
  const named = yield* Config.option(Config.String("PAY_DATABASE_URL"))
  if (Option.isSome(named)) return named.value
  const { port } = yield* PostgresServer.make()
  return Session.url([port])
})

const withoutPassword = (url: string) => url.replace(/:[^:@/]*@/, "@")

export const make = Effect.fnUntraced(function* ({ folder, onChange, port }: Options) {
  const url = yield* database
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const world = yield* Program.start({
    name: "the bank",
    script: join(programs, "World.ts"),
    ready: annotated,
    env: { PAY_DATA: join(folder, "world"), PAY_PORT: "0" }
  })
  const balancer = yield* Balancer.make(port)
  const operatorToken = randomUUID()
  const running = new Map<number, Gateway & { readonly program: Program.Program }>()

  /**
   * Starts a gateway and waits until it is ready. A ready gateway reports its public address, which is the load balancer's, so
   * its own port is selected here.
   */
  const start = Effect.fnUntraced(function* (number: number) {
    const ownPort = yield* ServerAccount.freePort
    const operatorPort = yield* ServerAccount.freePort
    const program = yield* Program.start({
      name: `gateway ${number}`,
      script: join(programs, "main.ts"),
      ready: annotated,
      env: {
        PAY_DATA: join(folder, `gateway-${number}`),
        PAY_KEY_RING: join(folder, "keys.json"),
        PAY_PORT: `${ownPort}`,
        PAY_OPERATOR_PORT: `${operatorPort}`,
        PAY_PUBLIC_BASE_URL: balancer.url,
        PAY_DATABASE_URL: url,
        PAY_SANDBOX_WORLD: world.address,
        PAY_OPERATOR_TOKEN: operatorToken
      }
    })
    return { program, url: `http://127.0.0.1:${ownPort}`, operatorUrl: `http://127.0.0.1:${operatorPort}` }
  })

  /** Runs the gateway with this number until it ends. */
  const run = Effect.fnUntraced(function* (number: number) {
    const { operatorUrl, program, url } = yield* start(number)
    running.set(number, { number, program, processId: program.processId, url, operatorUrl })
    balancer.add(url)
    yield* onChange(`gateway ${number} serves, process ${program.processId}`)
    yield* program.end
    running.delete(number)
    balancer.remove(url)
    yield* onChange(`gateway ${number} has ended: the other one continues`)
  })

  /** The second gateway starts when the first one is ready, because the first one creates the keys. */
  for (const number of [1, 2]) {
    yield* Effect.forkScoped(
      Effect.repeat(Effect.scoped(run(number)), Schedule.spaced("2 seconds")).pipe(Effect.tapError(Effect.logError))
    )
    yield* Effect.repeat(
      Effect.sync(() => running.has(number)),
      { schedule: Schedule.spaced("50 millis"), until: (is) => is }
    ).pipe(Effect.timeout("60 seconds"))
  }

  const gateways: Gateways = {
    url: balancer.url,
    database: withoutPassword(url),
    operatorToken,
    running: () => [...running.values()],
    kill: (number) => running.get(number)?.program.kill("SIGKILL") ?? Effect.void
  }
  return gateways
})
