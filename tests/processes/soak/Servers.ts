/**
 * A PostgreSQL server with a synchronous standby, at two fixed addresses: whichever servers come and go, gateways keep the URL with which
 * they were started. Between each gateway and each address is a proxy of its own.
 */
import { Effect, Exit, Scope } from "effect"
import * as LimitedDisk from "../../postgres/LimitedDisk.ts"
import * as PostgresServer from "../../postgres/PostgresServer.ts"
import * as Session from "../../postgres/Session.ts"
import * as Standby from "../../postgres/Standby.ts"
import * as TcpProxy from "../../postgres/TcpProxy.ts"

/** So large is each server's disk, which is in memory. */
const megabytes = 1024
const settings = { max_wal_size: "128MB" }

/** A server at one of the two addresses, and all that ends with it. */
interface Member {
  readonly at: 0 | 1
  readonly disk: LimitedDisk.LimitedDisk
  readonly server: PostgresServer.PostgresServer
  readonly scope: Scope.Closeable
}

export interface Servers {
  /** The URL of the database past the proxies of gateways, on whichever server is the primary. */
  readonly database: string
  /** By gateway: the URL with both addresses. */
  readonly urls: ReadonlyArray<string>
  /** By gateway: the proxies of both addresses. */
  readonly proxies: ReadonlyArray<ReadonlyArray<TcpProxy.TcpProxy>>
  readonly primary: () => PostgresServer.PostgresServer
  /** The disk of the primary. */
  readonly disk: () => LimitedDisk.LimitedDisk
  readonly standby: () => PostgresServer.PostgresServer
  /** The primary is killed for good, and the standby takes its place. */
  readonly promote: Effect.Effect<void>
  /** Makes a standby at the other address; completes when commits wait for it. */
  readonly rebuild: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* (gateways: number) {
  const outer = yield* Effect.scope
  const begin = Effect.fnUntraced(function* <E>(
    at: 0 | 1,
    build: (disk: string) => Effect.Effect<PostgresServer.PostgresServer, E, Scope.Scope>
  ) {
    const scope = yield* Scope.fork(outer)
    const disk = yield* Scope.provide(LimitedDisk.make(megabytes), scope)
    return { at, disk, scope, server: yield* Effect.orDie(Scope.provide(build(disk.folder), scope)) } satisfies Member
  })
  const copy = (primary: Member) => begin(primary.at === 0 ? 1 : 0, (disk) => Standby.make(primary.server, {}, disk))
  let primary: Member = yield* begin(0, (disk) => PostgresServer.make({ disk, settings }))
  let standby: Member = yield* copy(primary)
  const observer = yield* TcpProxy.make(primary.server.port)
  const pairs = yield* Effect.forEach(Array.from({ length: gateways }), () =>
    Effect.all([TcpProxy.make(primary.server.port), TcpProxy.make(standby.server.port)])
  )
  const servers: Servers = {
    database: Session.url([observer.port]),
    urls: pairs.map((pair) => `${Session.url(pair.map(({ port }) => port))}?target_session_attrs=read-write`),
    proxies: pairs,
    primary: () => primary.server,
    disk: () => primary.disk,
    standby: () => standby.server,
    promote: Effect.gen(function* () {
      const lost = primary
      yield* lost.server.kill
      yield* Effect.orDie(Standby.promote(standby.server))
      primary = standby
      yield* observer.aim(primary.server.port)
      yield* Scope.close(lost.scope, Exit.void)
    }),
    rebuild: Effect.gen(function* () {
      standby = yield* copy(primary)
      for (const pair of pairs) yield* pair[standby.at].aim(standby.server.port)
    })
  }
  return servers
})
