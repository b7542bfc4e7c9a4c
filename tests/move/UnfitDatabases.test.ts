/** Databases that a gateway cannot use, and the statement of the documentation that makes one that it can. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { root } from "../../scripts/Workspace.ts"
import * as PostgresServer from "../postgres/PostgresServer.ts"
import * as Session from "../postgres/Session.ts"
import { check, file, migrate, move, reasonOf, refusal, sql, withStore } from "./Stores.ts"

class Server extends Context.Service<Server, string>()("tests/move/UnfitServer") {
  static readonly layer = Layer.effect(
    Server,
    Effect.map(PostgresServer.make({ inMemory: true }), ({ port }) => Session.url([port]))
  )
}

const on = (server: string, database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href

/** Why a gateway does not start on the database, and why no command works on it. */
const refusals = Effect.fnUntraced(function* (url: string) {
  const from = yield* file
  yield* Effect.scoped(withStore(from)(Effect.void))
  return [
    yield* refusal(url),
    yield* reasonOf(migrate(url)),
    yield* reasonOf(check(url)),
    yield* reasonOf(move(from, url))
  ]
})

const docs = readFileSync(join(root, "docs/operators/postgres.md"), "utf8")
const [documented = ""] = /CREATE DATABASE pay [^;]+/.exec(docs) ?? []

layer(Server.layer, { excludeTestServices: true })("a database", (it) => {
  it.effect.each(["LATIN1", "LATIN2", "WIN1251", "EUC_JP", "SQL_ASCII"])(
    "of the encoding %s is refused at a start, by migrate, by check and by move, with what to do",
    (encoding) =>
      Effect.gen(function* () {
        const server = yield* Server
        const name = encoding.toLowerCase()
        yield* sql(server, `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
        for (const message of yield* refusals(on(server, name))) {
          assert.include(message, `its server_encoding is ${encoding} and must be UTF8`)
          assert.include(message, "CREATE DATABASE NAME ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0")
        }
      })
  )

  it.effect.each(["fsync", "full_page_writes"])(
    "on a server that may lose what it acknowledged is refused in the same way: %s is off",
    (setting) =>
      Effect.gen(function* () {
        const server = yield* Server
        yield* sql(server, `ALTER SYSTEM SET ${setting} = off`)
        yield* sql(server, "SELECT pg_reload_conf()")
        for (const message of yield* refusals(server)) assert.include(message, `its ${setting} is off and must be on`)
        yield* sql(server, `ALTER SYSTEM RESET ${setting}`)
        yield* sql(server, "SELECT pg_reload_conf()")
      })
  )

  it.effect("made as the documentation says stores every name, also where others get another encoding", () =>
    Effect.gen(function* () {
      const server = yield* Server
      yield* sql(server, "CREATE ROLE pay_owner")
      yield* sql(server, "UPDATE pg_database SET encoding = pg_char_to_encoding('LATIN1') WHERE datname = 'template1'")
      yield* sql(server, documented)
      yield* migrate(on(server, "pay"))
      assert.deepStrictEqual((yield* check(on(server, "pay"))).problems, [])
    })
  )
})
