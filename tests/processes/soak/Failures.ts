/** Everything that happens to a deployment during a soak. Each failure is over when its effect completes. */

import type * as Chance from "@pay/crashtest/Chance"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Context, Effect, Schedule } from "effect"
import type { GatewayProcess } from "../../harness/GatewayProcess.ts"
import * as Session from "../../postgres/Session.ts"
import * as Standby from "../../postgres/Standby.ts"
import type * as TcpProxy from "../../postgres/TcpProxy.ts"
import * as Deployment from "../Deployment.ts"
import * as Invariants from "../Invariants.ts"
import type { Servers } from "./Servers.ts"

export interface Place {
  readonly deployment: Deployment.Deployment
  readonly servers: Servers
  readonly chance: Chance.Chance
  /** The merchant's callback server answers nothing while this is true. */
  readonly shop: { isDown: boolean }
}

export interface Failure {
  readonly name: string
  readonly run: (place: Place) => Effect.Effect<void>
}

const beyondLeaseMs = Deployment.leaseMs + 10_000
const dayMs = 86_400_000
const soon = Schedule.spaced("50 millis")

/** Completes when the balancer calls every gateway ready. */
export const allReady = ({ deployment: { balancer, gateways } }: Place) =>
  Effect.repeat(
    Effect.sync(() => balancer.ready().length),
    { until: (count) => count === gateways.length, schedule: soon }
  )

const gatewayOf = ({ chance, deployment }: Place): Effect.Effect<GatewayProcess> =>
  Effect.orDie(Effect.fromNullishOr(chance.someOf(deployment.gateways)))

const proxiesOf = ({ chance, servers }: Place): ReadonlyArray<TcpProxy.TcpProxy> => chance.someOf(servers.proxies) ?? []
const each = (
  proxies: ReadonlyArray<TcpProxy.TcpProxy>,
  change: (proxy: TcpProxy.TcpProxy) => Effect.Effect<void>
): Effect.Effect<void> => Effect.forEach(proxies, change, { discard: true })

/** Begins something, lets it last, and ends it. */
const lasting = (begin: Effect.Effect<void>, duration: `${number} millis`, end: Effect.Effect<void>) =>
  Effect.andThen(begin, Effect.delay(end, duration))

const open = `SELECT FROM pay.occurrences WHERE progress IN ('charging', 'retrying') LIMIT 1`

/** Lets business time pass until the charges of the day before are done: a payment that is not sent within 15 minutes is never sent. */
const charged = (deployment: Deployment.Deployment) =>
  Effect.gen(function* () {
    yield* Invariants.charged(deployment)
    const charging = Session.query({ connectionString: deployment.database }, open)
    const next = Effect.andThen(Effect.delay(deployment.advance(Deployment.leaseMs), "1 second"), charging)
    if ((yield* charging).length > 0) yield* Effect.repeat(next, { until: ({ length }) => length === 0 })
  }).pipe(Effect.orDie)

export const all: ReadonlyArray<Failure> = [
  {
    name: "a gateway is killed (`kill -9`) and started again",
    run: (place) =>
      Effect.gen(function* () {
        const gateway = yield* gatewayOf(place)
        yield* gateway.kill
        yield* Effect.sleep("1 second")
        yield* place.deployment.advance(beyondLeaseMs)
        yield* gateway.start
      })
  },
  {
    name: "a gateway is stopped beyond its lease (`SIGSTOP`) and continues",
    run: (place) =>
      Effect.gen(function* () {
        const gateway = yield* gatewayOf(place)
        yield* gateway.pause
        yield* Effect.sleep("1 second")
        yield* place.deployment.advance(beyondLeaseMs)
        yield* Effect.sleep("2 seconds")
        yield* gateway.resume
      })
  },
  {
    name: "the gateways are restarted one after another (`SIGTERM`)",
    run: (place) =>
      Effect.forEach(
        place.deployment.gateways,
        (gateway) => Effect.andThen(gateway.stop, Effect.andThen(gateway.start, allReady(place))),
        { discard: true }
      )
  },
  { name: "the database server is restarted", run: ({ servers }) => servers.primary().restart("fast") },
  {
    name: "the database server is killed (`kill -9`) and started again",
    run: ({ servers }) => Effect.andThen(servers.primary().kill, Effect.delay(servers.primary().start, "1 second"))
  },
  {
    name: "the database server stands still for 3 s",
    run: ({ servers }) => lasting(servers.primary().pause, "3000 millis", servers.primary().resume)
  },
  {
    name: "the primary is lost, the standby is promoted, and a new standby is made",
    run: ({ servers }) => Effect.andThen(servers.promote, servers.rebuild)
  },
  {
    name: "the standby is killed and comes back after 3 s",
    run: ({ servers }) =>
      Effect.andThen(
        lasting(servers.standby().kill, "3000 millis", servers.standby().start),
        Effect.orDie(Effect.asVoid(Standby.synchronous(servers.primary())))
      )
  },
  {
    name: "the primary's disk is full for 3 s",
    run: ({ servers }) =>
      Effect.gen(function* () {
        const [server, disk] = [servers.primary(), servers.disk()]
        yield* lasting(disk.fill, "3000 millis", disk.free)
        // A server that cannot write its journal ends, be it while it recovers.
        const revived = Effect.suspend(() => (server.isUp() ? Effect.void : server.start))
        const answered = Effect.andThen(revived, Session.query(Session.superuser(server), "SELECT"))
        yield* Effect.orDie(Effect.retry(answered, { schedule: soon, times: 200 }))
      })
  },
  {
    name: "the database connections of all gateways are cut",
    run: ({ servers }) => each(servers.proxies.flat(), ({ cutAll }) => cutAll)
  },
  {
    name: "one gateway does not reach the database for 3 s",
    run: (place) => {
      const proxies = proxiesOf(place)
      return lasting(
        each(proxies, ({ refuse }) => refuse),
        "3000 millis",
        each(proxies, ({ accept }) => accept)
      )
    }
  },
  {
    name: "statements take 200 ms longer for 3 s",
    run: ({ servers }) =>
      lasting(
        each(servers.proxies.flat(), ({ delay }) => delay(200)),
        "3000 millis",
        each(servers.proxies.flat(), ({ delay }) => delay(0))
      )
  },
  {
    name: "answers of the bank to five authorisations are lost",
    run: ({ deployment: { world } }) =>
      Effect.forEach(
        Array.from({ length: 5 }),
        () => Context.get(world, SandboxControl).next("authorize", { delivery: { _tag: "AnswerLost" } }),
        { discard: true }
      )
  },
  {
    name: "the merchant's callback server is down for 3 s",
    run: ({ shop }) => {
      const set = (isDown: boolean) => Effect.sync(() => void Object.assign(shop, { isDown }))
      return lasting(set(true), "3000 millis", set(false))
    }
  },
  {
    name: "a day of business time passes, and all recurring payments fall due",
    run: ({ deployment }) => Effect.andThen(charged(deployment), deployment.advance(dayMs))
  }
]

/** The failures in an order that chance draws, again and again, each once in a round. */
export function* drawn({ chance }: Place): Generator<Failure, never> {
  for (;;) {
    const left = [...all]
    while (left.length > 0) {
      const failure = left.splice(chance.below(left.length), 1)[0]
      if (failure !== undefined) yield failure
    }
  }
}
