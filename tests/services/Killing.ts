/** Customers buy at a shop that is killed again and again, at each point in turn and at random moments in between. */
import { Deferred, Effect, Fiber, Random, Schema } from "effect"
import type * as ChildProcess from "../harness/ChildProcess.ts"
import * as Http from "../harness/Http.ts"
import * as Customers from "./Customers.ts"
import type { KillPoint, Kind } from "./KillPoints.ts"
import * as Shop from "./Shop.ts"

export interface Options {
  readonly project: Shop.Project
  readonly folder: string
  readonly forms: Customers.Forms
  readonly kinds: ReadonlyArray<Kind>
  readonly points: ReadonlyArray<KillPoint>
  readonly kills: number
  /** The gateway is killed, too, with every so many kills of the shop. */
  readonly gatewayEvery: number
}

const randomMoment = "at a random moment"
const longestWaitForPoint = "20 seconds"
const customers = 5

/** Kills a shop at a point. */
const killAt = Effect.fnUntraced(function* (
  shop: Shop.Shop,
  { at }: KillPoint,
  arm: (challenge: ((when: "before" | "after") => void) | undefined) => void
) {
  const child: ChildProcess.ChildProcess<true> = yield* shop.start(at._tag === "Statement" ? at : undefined)
  const reached = Deferred.makeUnsafe<void>()
  const done = () => {
    Effect.runSync(child.signal("SIGKILL"))
    Deferred.doneUnsafe(reached, Effect.void)
  }
  switch (at._tag) {
    case "Request":
      shop.gates[at.gate].order({ path: at.path, what: at.when, reached: done })
      break
    case "Challenge":
      arm((when) => {
        if (when === at.when) done()
      })
      break
    case "Retry":
      shop.listen((line) => {
        if (/^(NotAccepted|Refused|Unreachable) /.test(line)) done()
      })
      shop.gates.gateway.order({ path: at.path, what: "busy", reached: () => undefined })
      break
    case "Statement":
      break
  }
  const isHit = yield* Effect.raceFirst(
    Effect.as(at._tag === "Statement" ? child.ended : Deferred.await(reached), true),
    Effect.as(Effect.sleep(longestWaitForPoint), false)
  )
  yield* child.kill
  arm(undefined)
  shop.listen(() => undefined)
  for (const gate of Object.values(shop.gates)) gate.order()
  return isHit
})

const killSoon = Effect.fnUntraced(function* (shop: Shop.Shop) {
  const child = yield* shop.start()
  yield* Effect.sleep(yield* Random.nextIntBetween(0, 1_200))
  yield* child.kill
  return true
})

const Open = Schema.fromJsonString(Schema.Array(Schema.Struct({ id: Schema.String, state: Schema.String })))

/** Waits until the engine has nothing to do, and returns what it still lists after a time. */
const open = (shop: Shop.Shop) =>
  Effect.gen(function* () {
    for (let count = 0; ; count += 1) {
      const { text } = yield* Http.send(`${shop.url}/open`)
      const listed = yield* Effect.orDie(Schema.decodeUnknownEffect(Open)(text))
      if (listed.length === 0 || count === 100) return listed
      yield* Effect.sleep("100 millis")
    }
  })

/** Runs everything. Returns how often each point was hit, and what is open at the end. Shop and gateway are then down. */
export const run = Effect.fnUntraced(function* ({
  folder,
  forms,
  gatewayEvery,
  kills,
  kinds,
  points,
  project
}: Options) {
  const shop = yield* Shop.make(project, folder)
  // A process that is killed does not leave what Node has compiled to the next one.
  yield* Effect.flatMap(shop.start(), ({ ended, signal }) => Effect.andThen(signal("SIGTERM"), ended))
  const hits = new Map<string, number>([randomMoment, ...points.map(({ name }) => name)].map((name) => [name, 0]))
  const count = (name: string) => hits.set(name, (hits.get(name) ?? 0) + 1)
  let wanted: Kind | undefined
  let isOpen = true
  let onChallenge: ((when: "before" | "after") => void) | undefined
  let gatewayKills = 0

  const work = Effect.forEach(
    Array.from({ length: customers }),
    () =>
      Customers.one({
        ...{ forms, kinds, shop, wanted: () => wanted, isOpen: () => isOpen },
        atIssuer: (when) => Effect.sync(() => onChallenge?.(when))
      }),
    { concurrency: "unbounded", discard: true }
  )
  const working = yield* Effect.forkScoped(work)

  for (let kill = 0; kill < kills; kill += 1) {
    const point = kill % 2 === 0 ? points[(kill / 2) % points.length] : undefined
    wanted = point?.kind
    const isGatewayKilled = kill % gatewayEvery === gatewayEvery - 1
    const killing =
      point === undefined
        ? killSoon(shop)
        : killAt(shop, point, (listener) => {
            onChallenge = listener
          })
    const downs = isGatewayKilled ? Effect.delay(shop.killGateway, yield* Random.nextIntBetween(0, 1_000)) : Effect.void
    if (isGatewayKilled) gatewayKills += 1
    const [isHit] = yield* Effect.all([killing, downs], { concurrency: 2 })
    if (isHit) count(point?.name ?? randomMoment)
    // Customers that have died have found something.
    const ended = working.pollUnsafe()
    if (ended !== undefined) yield* ended
  }

  isOpen = false
  wanted = undefined
  const last = yield* shop.start()
  yield* Fiber.join(working)
  const left = yield* open(shop)
  yield* last.signal("SIGTERM")
  yield* last.ended
  yield* shop.gateway.stop
  return { data: shop.data, gatewayErrors: shop.gateway.errors(), gatewayKills, hits, left, lines: shop.lines }
})
