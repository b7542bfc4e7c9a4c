/**
 * `/readyz` says 200 exactly while a sale is accepted, in each state of a gateway; and names the state, as its metric does. Only a
 * gateway that is stopping says 503 and still accepts, so that a load balancer leaves it first.
 */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Http from "../harness/Http.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

const get = (path: string) => Effect.flatMap(NodeServer, ({ host, port }) => Http.send(`http://${host}:${port}${path}`))
const metrics = Effect.flatMap(NodeServer, ({ operatorUrl }) => Http.send(`${operatorUrl}/metrics`))

/** What a load balancer, a merchant and a dashboard see of a gateway at one time. */
const observed = Effect.gen(function* () {
  const sale = yield* TestMerchant.create("SALE", { client_orderid: crypto.randomUUID() })
  const readiness = yield* get("/readyz")
  const reasons = [...(yield* metrics).text.matchAll(/^pay_not_ready\{why="(\w+)"\} 1$/gm)]
  return {
    readyz: `${readiness.status} ${readiness.text.split(":").slice(0, 2).join(":").trim()}`,
    sale: sale.status,
    repeatable: sale.status === 200 || sale.headers["retry-after"] !== undefined,
    metric: reasons.map(([, why]) => why).join()
  }
})

const ready = { readyz: "200 ready", sale: 200, repeatable: true, metric: "" }

const onFolder = (options: TestGateway.Options = {}) =>
  Effect.flatMap(temporaryFolder, (folder) => TestGateway.quietly(folder, options)(observed))

/** Another program has the database for itself. */
const locked = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  return yield* Effect.gen(function* () {
    yield* observed
    const other = new DatabaseSync(join(folder, "gateway.db"))
    other.exec("BEGIN IMMEDIATE")
    const during = yield* observed
    other.close()
    yield* TestGateway.untilReadiness(200)
    return [during, yield* observed]
  }).pipe(TestGateway.quietly(folder))
})

const restored = Copies.restored(
  (copying) => Effect.andThen(TestMerchant.order("SALE"), copying),
  () =>
    Effect.gen(function* () {
      const before = yield* observed
      yield* Copies.enumerated
      return [before, yield* observed]
    })
)

describe("a gateway is ready exactly while it accepts a sale", () => {
  it.live("one that serves", () => Effect.map(onFolder(), (state) => assert.deepStrictEqual(state, ready)))

  it.live("one that carries out no jobs: it accepts orders, and carries them out later", () =>
    Effect.map(onFolder({ settings: { jobsPaused: true } }), (state) => assert.deepStrictEqual(state, ready))
  )

  it.live("one on a restored copy, until it knows the bookings since the copy", () =>
    Effect.map(restored, (states) =>
      assert.deepStrictEqual(states, [
        { readyz: "503 not ready: restoring", sale: 503, repeatable: true, metric: "restoring" },
        ready
      ])
    )
  )

  it.live("one whose store cannot be written, until it can", () =>
    Effect.map(locked, (states) =>
      assert.deepStrictEqual(states, [
        { readyz: "503 not ready: store", sale: 503, repeatable: true, metric: "store" },
        ready
      ])
    )
  )
})
