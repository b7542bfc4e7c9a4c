import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as LimitedDisk from "./LimitedDisk.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Session from "./Session.ts"

it.live(
  "a server on a full disk refuses what needs room, keeps what it has, and goes on when there is room again",
  () =>
    Effect.gen(function* () {
      const disk = yield* LimitedDisk.make(128)
      const server = yield* PostgresServer.make({ disk: disk.folder })
      const admin = Session.superuser(server)
      yield* Session.query(admin, "CREATE TABLE texts (t text)")
      const insert = "INSERT INTO texts SELECT repeat(md5(n::text), 200) FROM generate_series(1, 10000) n"
      yield* Session.query(admin, "INSERT INTO texts VALUES ('first')")
      yield* disk.fill
      assert.strictEqual(yield* Session.stateOf(Session.query(admin, insert)), "53100")
      yield* disk.free
      yield* Session.query(admin, insert)
      const counted = yield* Session.query(admin, "SELECT count(*)::int AS n FROM texts")
      assert.deepStrictEqual(counted, [{ n: 10_001 }])
    })
)
