/**
 * Three gateways as processes on one database, with clocks that are five seconds apart: killed, paused, restarted, cut off from the
 * database, and with recurring payments that fall due at once. The invariants of one gateway hold after each of these.
 */
import { assert, layer } from "@effect/vitest"
import * as Chance from "@pay/crashtest/Chance"
import { NodeServer } from "@pay/gateway/NodeServer"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Context, Effect, Fiber, Layer, Schedule } from "effect"
import type { GatewayProcess } from "../harness/GatewayProcess.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TcpProxy from "../postgres/TcpProxy.ts"
import * as TestDatabase from "../postgres/TestDatabase.ts"
import * as Deployment from "./Deployment.ts"
import * as Invariants from "./Invariants.ts"
import * as Merchant from "./Merchant.ts"
import * as Requests from "./Requests.ts"
import * as Subscriptions from "./Subscriptions.ts"
import * as Tally from "./soak/Tally.ts"

const { SALE } = PayApi.operations
const soon = Schedule.spaced("20 millis")

class Shared extends Context.Service<
  Shared,
  {
    readonly deployment: Deployment.Deployment
    readonly merchant: Merchant.Merchant
    /** Between the first gateway and the database. */
    readonly proxy: TcpProxy.TcpProxy
    readonly gateway: (at: 0 | 1 | 2) => GatewayProcess
  }
>()("tests/processes/Shared") {}

const make = Effect.gen(function* () {
  const database = yield* Effect.flatMap(TestDatabase.server, TestDatabase.forStore)
  const proxy = yield* TcpProxy.make(Number(new URL(database).port))
  const through = new URL(database)
  through.port = `${proxy.port}`
  const deployment = yield* Deployment.make({
    database,
    each: [{ through: through.href }, { clockMs: 5_000 }, { clockMs: 2_500 }],
    env: { PAY_LISTEN_DRAIN_MS: "1000" }
  })
  const merchant = yield* Merchant.make(deployment.balancer.url)
  const [first, second, third] = deployment.gateways
  assert(first !== undefined && second !== undefined && third !== undefined)
  return Shared.of({ deployment, merchant, proxy, gateway: (at) => [first, second, third][at] ?? first })
})

/** Customers buy until the work is done. */
const whileSelling = Effect.fnUntraced(function* <A, E>(name: string, work: Effect.Effect<A, E>) {
  const { merchant } = yield* Shared
  let isOver = false
  const buyers = yield* Effect.forkChild(Merchant.buyersUntil(merchant, { customers: 4, isOver: () => isOver, name }))
  const result = yield* work
  isOver = true
  yield* Fiber.join(buyers)
  return result
})

const allHolds = Effect.gen(function* () {
  const { deployment, merchant } = yield* Shared
  yield* Invariants.settle(deployment)
  assert.deepStrictEqual(yield* Invariants.problems(deployment, merchant), [])
})

/** Gateways that the balancer calls ready. */
const ready = ({ balancer, gateways }: Deployment.Deployment) =>
  Effect.sync(() => gateways.filter(({ port }) => balancer.ready().includes(port)))

const untilReady = (deployment: Deployment.Deployment, count: number) =>
  Effect.repeat(ready(deployment), { until: ({ length }) => length >= count, schedule: soon })

const kills = 4

layer(Layer.effect(Shared, make), { excludeTestServices: true, timeout: 120_000 })(
  "three gateways on one database",
  (it) => {
    it.effect("lose no acknowledged order, and charge each once, while one of them is killed every second", () =>
      Effect.gen(function* () {
        const { deployment, merchant } = yield* Shared
        const before = merchant.ledger.acknowledged.size
        const killed = Effect.gen(function* () {
          for (let count = 0; count < kills; count += 1) {
            yield* Effect.sleep("1 second")
            const able = yield* untilReady(deployment, 2)
            const victim = able[count % able.length]
            assert(victim !== undefined)
            yield* victim.kill
            yield* Effect.forkChild(victim.start)
          }
        })
        yield* whileSelling("kill", killed)
        yield* Effect.forEach(deployment.gateways, ({ start }) => start, { concurrency: "unbounded" })
        assert.isAtLeast(merchant.ledger.acknowledged.size - before, 5 * kills)
        yield* allHolds
      })
    )

    it.effect("complete the authorization of one that is paused beyond its lease, and charge once", () =>
      Effect.gen(function* () {
        const { deployment, gateway, merchant } = yield* Shared
        const { books, next } = Context.get(deployment.world, SandboxControl)
        const own = yield* Layer.build(Merchant.clientOf(`http://127.0.0.1:${gateway(0).port}`))
        yield* next("authorize", { latencyMs: 4_500 })
        yield* Merchant.sell({ ...merchant, client: Context.get(own, PayClient.PayClient) }, "paused")
        const orderId = merchant.ledger.acknowledged.get("paused") ?? ""
        yield* Effect.repeat(books.ofOrder(orderId), { until: ({ length }) => length > 0, schedule: soon })
        yield* gateway(0).pause
        yield* deployment.advance(Deployment.leaseMs + 10_000)
        yield* Merchant.follow(merchant, "paused")
        assert.strictEqual(merchant.ledger.final.get("paused"), "approved")
        yield* gateway(0).resume
        yield* untilReady(deployment, 3)
        yield* allHolds
        assert.lengthOf(yield* books.ofOrder(orderId), 1)
      })
    )

    it.effect("answer every request while they are restarted one after another", () =>
      Effect.gen(function* () {
        const { deployment, merchant } = yield* Shared
        const { acknowledged, doubtful, failed } = merchant.ledger
        const cut = () => deployment.balancer.answers.get("cut") ?? 0
        const before = { cut: cut(), doubtful: doubtful.size, failed: failed.length, acknowledged: acknowledged.size }
        const restarted = Effect.forEach(deployment.gateways, (one) =>
          Effect.gen(function* () {
            yield* untilReady(deployment, 3)
            const code = yield* one.stop
            yield* one.start
            return code
          })
        )
        assert.deepStrictEqual(yield* whileSelling("rolling", restarted), [0, 0, 0])
        const { size } = acknowledged
        assert.isAbove(size, before.acknowledged)
        const after = { cut: cut(), doubtful: doubtful.size, failed: failed.length, acknowledged: before.acknowledged }
        assert.deepStrictEqual(after, before, failed.join("\n"))
        yield* allHolds
      })
    )

    it.effect("serve payments while one of them has lost the database, answers 503, and recovers by itself", () =>
      Effect.gen(function* () {
        const { deployment, gateway, merchant, proxy } = yield* Shared
        yield* untilReady(deployment, 3)
        const there = { host: "127.0.0.1", port: gateway(0).port, publicBaseUrl: deployment.balancer.url }
        const buy = TestGateway.post(SALE, { ...TestGateway.saleFields, client_orderid: "cut-off" }).pipe(
          Effect.provideService(NodeServer, there),
          Effect.map(({ status }) => status)
        )
        yield* proxy.refuse
        assert.strictEqual(yield* buy, 503)
        yield* Effect.repeat(ready(deployment), { until: ({ length }) => length === 2, schedule: soon })
        yield* Merchant.sell(merchant, "elsewhere")
        assert.isTrue(merchant.ledger.acknowledged.has("elsewhere"))
        yield* proxy.accept
        yield* untilReady(deployment, 3)
        assert.strictEqual(yield* buy, 200)
        yield* allHolds
      })
    )

    it.effect("execute every operation of the contract while one of them is killed", () =>
      Effect.gen(function* () {
        const { deployment, gateway, merchant } = yield* Shared
        const tally = Tally.make()
        const count = { value: 0 }
        const sender: Requests.Sender = {
          ...{ merchant, tally, cards: [], chance: Chance.make(1) },
          threeds: Context.get(deployment.world, ThreeDSControl),
          fresh: () => `operation-${count.value++}`
        }
        const killed = Effect.gen(function* () {
          yield* Effect.repeat(
            Effect.sync(() => tally.acceptedAtMs.length),
            { until: (accepted) => accepted > 40, schedule: soon }
          )
          yield* gateway(1).kill
          yield* deployment.advance(Deployment.leaseMs + 10_000)
          yield* gateway(1).start
        })
        const take = (operations: typeof PayApi.all) =>
          Effect.map(
            Effect.forEach(
              operations,
              (operation) => Effect.map(Requests.take(sender, operation), (isTaken) => (isTaken ? [] : [operation])),
              { concurrency: 12 }
            ),
            (left) => left.flat()
          )
        const [missed] = yield* Effect.all([take(PayApi.all), killed], { concurrency: 2 })
        const refusals = tally.refusals.map(({ message }) => message)
        // The time that passes with the kill ends a step of 3-D Secure that a customer is in.
        const isTimeUp = refusals.every((message) => / is over$/.test(message))
        const left = isTimeUp ? yield* take(missed) : missed
        assert.deepStrictEqual(
          left.map(({ name }) => name),
          [],
          refusals.join("\n")
        )
        assert.deepStrictEqual(tally.contradictions, [])
        yield* untilReady(deployment, 3)
        yield* allHolds
      })
    )

    it.effect("charge each of many recurring payments that fall due at once exactly once, in their order", () =>
      Effect.gen(function* () {
        const { deployment, merchant } = yield* Shared
        const ids = yield* Subscriptions.create(merchant, 120)
        yield* Invariants.settle(deployment)
        yield* Subscriptions.days(deployment, 2)
        assert.deepStrictEqual(yield* Subscriptions.problems(deployment, ids, 3), [])
        yield* allHolds
      })
    )
  }
)
