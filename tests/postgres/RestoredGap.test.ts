import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Nonce, Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Clock, Effect, Redacted } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Session from "./Session.ts"
import * as TestDatabase from "./TestDatabase.ts"

const hourMs = 3_600_000

it.live("the gap of a restored database begins at its own last commit, not at that of the witness", () =>
  Effect.gen(function* () {
    const url = yield* Effect.flatMap(TestDatabase.server, TestDatabase.forStore)
    const witness = join(yield* temporaryFolder, "postgres.witness")
    const options = { url: Redacted.make(url), witness, writers: 1 }
    const commit = Effect.flatMap(Store, (store) =>
      store.commit({
        guards: [],
        writes: [Decision.put(Nonce, { consumerKey: "merchant", nonce: "1", usedAtMs: 1 })]
      })
    )
    yield* Effect.provide(commit, PostgresStore.layer(options), { local: true })
    yield* Session.query(
      { connectionString: url },
      "UPDATE pay.writers SET number = number - 1, at = at - interval '3 hours'"
    )
    const store = PostgresStore.layer({ ...options, acceptLoss: { by: "tester" } })
    const restoration = yield* Effect.provide(
      Effect.flatMap(Store, ({ load }) => load(Restoration, ["latest"])),
      store,
      { local: true }
    )
    const agoMs = (yield* Clock.currentTimeMillis) - (restoration?.lastCommitAtMs ?? 0)
    assert.isAbove(agoMs, 3 * hourMs - 1)
    assert.isBelow(agoMs, 4 * hourMs)
  })
)
