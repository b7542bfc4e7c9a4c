/**
 * Two runners on one PostgreSQL act on one order at the same time, at a gateway without `Idempotency-Key`, which is the test. Each round
 * is an order of its own, and a missing guard is visible in one of them.
 */
import { createServer } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Result, Schedule, Schema, Scope } from "effect"
import * as KeylessGateway from "../../packages/flows/test/KeylessGateway.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as Postgres from "./Postgres.ts"
import * as Purchases from "./Purchases.ts"
import { Command, Reply, Report } from "./processes/racer.ts"

const readReport = Schema.decodeSync(Report)
const writeCommand = Schema.encodeSync(Command)
const writeReply = Schema.encodeSync(Reply)
const readRequest = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ url: Schema.String, body: Schema.String }))
)

/** An order, and what happens to requests about it. */
interface Round {
  readonly gateway: KeylessGateway.KeylessGateway
  isReachable: boolean
  /** Runs with the number of the runner whose action the bank has executed, before its answer. */
  onAction: (runner: number) => Effect.Effect<void>
}

/** The gateway of all rounds. Each runner has an address of its own there. */
const open = Effect.gen(function* () {
  const rounds = new Map<string, Round>()
  const receive = Effect.fnUntraced(function* (runner: number, text: string) {
    const request = readRequest(text)
    const round = rounds.get(new URLSearchParams(request.body).get("client_orderid") ?? "")
    if (round === undefined || !round.isReachable) return writeReply({ reason: "NotSent" })
    const isAction = !request.url.includes("/status/")
    const reply = yield* Effect.result(round.gateway.receive(request))
    if (isAction) yield* round.onAction(runner)
    return writeReply(Result.isSuccess(reply) ? reply.success : { reason: reply.failure.reason })
  })
  const runHere = Effect.runPromiseWith(yield* Effect.context<never>())
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const runner = Number(request.url?.slice(1))
          void runHere(receive(runner, Buffer.concat(chunks).toString())).then((reply) => response.end(reply))
        })
      })
    ),
    (made) =>
      Effect.callback<void>((resume) => {
        made.close(() => resume(Effect.void))
        made.closeAllConnections()
      })
  )
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  const address = server.address()
  assert(typeof address === "object" && address !== null, "listens on a port")
  const { port } = address
  return { rounds, addressOf: (runner: number) => `http://127.0.0.1:${port}/${runner}` }
})

const program = join(import.meta.dirname, "processes/racer.ts")
const keyOf = (order: string, name: string) => `${order} ${name}`

const racer = Effect.fnUntraced(function* (database: string, gateway: string) {
  const observed = { shards: 0, ends: new Map<string, Array<string>>() }
  const launched = ChildProcess.launch({
    args: [program, JSON.stringify({ database, gateway })],
    ready: (line) => {
      const report = readReport(line)
      if (report._tag === "Holds") observed.shards = report.shards
      else {
        const key = keyOf(report.order, report.name)
        observed.ends.set(key, [...(observed.ends.get(key) ?? []), report.end])
      }
      return true
    }
  })
  const { kill, write } = yield* Effect.acquireRelease(launched, (child) => child.kill)
  /** Refunds a part of the order, and waits for the report. */
  const refund = (order: string, name: string) =>
    Effect.gen(function* () {
      const key = keyOf(order, name)
      const before = observed.ends.get(key)?.length ?? 0
      write(writeCommand({ order, name }))
      yield* until(() => (observed.ends.get(key)?.length ?? 0) > before)
      return observed.ends.get(key)?.at(-1)
    })
  return { observed, kill, refund }
})

/** Completes when the condition holds. The time limit of the test ends a condition that never holds. */
const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), { schedule: Schedule.spaced("5 millis"), until: (so) => so })

const world = Effect.gen(function* () {
  const database = yield* Postgres.server
  const { addressOf, rounds } = yield* open
  const scope = yield* Effect.scope
  const start = (runner: number) => Scope.provide(racer(database, addressOf(runner)), scope)
  const two = yield* Effect.all([start(0), start(1)])
  const balanced = until(() => two.every(({ observed }) => observed.shards === Purchases.shards / 2))
  yield* balanced
  const begin = (id: string, options: Partial<KeylessGateway.Options> = {}) => {
    const round: Round = {
      gateway: KeylessGateway.make({ order: "sale", ids: [id, id], ...options }),
      isReachable: true,
      onAction: () => Effect.void
    }
    rounds.set(id, round)
    return round
  }
  /** Starts a runner in the place of one that was killed. */
  const replace = Effect.fnUntraced(function* (runner: number) {
    two[runner === 0 ? 0 : 1] = yield* start(runner)
    yield* balanced
  })
  return { begin, replace, two }
})
type World = Effect.Success<typeof world>

const both = <A, E, R>(one: Effect.Effect<A, E, R>, other: Effect.Effect<A, E, R>) =>
  Effect.all([one, other], { concurrency: "unbounded" })

/** The numbers of the orders of so many rounds. */
const rounds = (from: number, count: number) => Array.from({ length: count }, (_, at) => String(from + at))

/** What each round ends with, once each. */
const endsOf = <E, R>(ids: ReadonlyArray<string>, round: (id: string) => Effect.Effect<string, E, R>) =>
  Effect.map(Effect.forEach(ids, round, { concurrency: 4 }), (ends) => [...new Set(ends)])

/** After a refund that failed because the gateway was not reachable, both runners execute it again. */
const failedBefore = ({ two: [one, other] }: World, id: string, round: Round) =>
  Effect.gen(function* () {
    round.isReachable = false
    const failed = yield* one.refund(id, "a")
    round.isReachable = true
    return [failed, yield* both(one.refund(id, "a"), other.refund(id, "a"))] as const
  })

const again = (here: World, id: string) =>
  Effect.gen(function* () {
    const round = here.begin(id)
    const [failed, ends] = yield* failedBefore(here, id, round)
    const sent = round.gateway.sent.filter((path) => path !== "status")
    return `${failed}; ${ends.join(", ")}; sent ${sent.length}, booked ${round.gateway.books.length}`
  })

/** Each runner refunds a part. The answer to the first one is lost: the amounts show which of them the bank has executed. */
const twoParts = ({ begin, two: [one, other] }: World, id: string) =>
  Effect.gen(function* () {
    const { gateway } = begin(id, { faults: ["answer lost"] })
    const ends = yield* both(one.refund(id, "a"), other.refund(id, "b"))
    return `${ends.join(", ")}; booked ${gateway.books.join(", ")}`
  })

/**
 * Kills the runner that carries out the first action of the round, before it has the answer. `acts` asks both runners. Then the other
 * runner executes the refunds with these names again.
 */
const withKill = (
  here: World,
  id: string,
  names: ReadonlyArray<string>,
  acts: (round: Round) => Effect.Effect<unknown>
) =>
  Effect.gen(function* () {
    const killed = yield* Deferred.make<number>()
    const round = here.begin(id)
    round.onAction = (runner) =>
      Effect.gen(function* () {
        round.onAction = () => Effect.void
        yield* here.two[runner === 0 ? 0 : 1].kill
        yield* Deferred.succeed(killed, runner)
      })
    yield* Effect.forkScoped(acts(round))
    const runner = yield* Deferred.await(killed)
    const survivor = here.two[runner === 0 ? 1 : 0]
    const ends = yield* Effect.forEach(names, (name) => survivor.refund(id, name), { concurrency: "unbounded" })
    yield* here.replace(runner)
    return `${ends.join(", ")}; booked ${round.gateway.books.join(", ")}`
  }).pipe(Effect.scoped)

const run = (test: (world: World) => Effect.Effect<void, unknown, Scope.Scope>) =>
  Effect.scoped(Effect.flatMap(world, test))

describe("two runners over PostgreSQL that race", () => {
  it.live("begin one next attempt, whose request is sent once, and act on an order one after the other", () =>
    run((here) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* endsOf(rounds(1000, 50), (id) => again(here, id)), [
          "Unreachable; approved, approved; sent 1, booked 1"
        ])
        assert.deepStrictEqual(yield* endsOf(rounds(2000, 50), (id) => twoParts(here, id)), [
          "approved, approved; booked return 5.00, return 5.00"
        ])
      })
    )
  )

  it.live("take over the attempt and the turn of one that is killed in them", () =>
    run((here) =>
      Effect.gen(function* () {
        for (const id of rounds(3000, 3)) {
          const ends = yield* withKill(here, id, ["a"], (round) => failedBefore(here, id, round))
          assert.strictEqual(ends, "approved; booked return 5.00", id)
        }
        for (const id of rounds(4000, 3)) {
          const ends = yield* withKill(here, id, ["a", "b"], () =>
            both(here.two[0].refund(id, "a"), here.two[1].refund(id, "b"))
          )
          assert.strictEqual(ends, "approved, approved; booked return 5.00, return 5.00", id)
        }
      })
    )
  )
})
