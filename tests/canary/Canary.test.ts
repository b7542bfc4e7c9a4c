/** A card and a key that are marked, sent through everything that is served: nowhere may they turn up again. */
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect, Layer, Metric } from "effect"
import { request } from "undici"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Flows from "./Flows.ts"
import * as Marks from "./Marks.ts"
import * as Witness from "./Witness.ts"

/** Runs a gateway on the folder and records everything that it shows. */
const recordedGateway = (dataDirectory: string, settings: Parameters<typeof Witness.gateway>[1] = {}) =>
  Layer.unwrap(Effect.map(NodeServer, ({ publicBaseUrl }) => Flows.client(publicBaseUrl))).pipe(
    Layer.provideMerge(Witness.gateway(dataDirectory, { ...TestGateway.jsonOnly, ...settings }))
  )

const names = (orders: ReadonlyArray<TestMerchant.Order>): ReadonlyArray<string> =>
  orders.flatMap(({ client_orderid, orderid }) => [client_orderid, orderid])

const assertNothing = (haystacks: ReadonlyArray<Marks.Haystack>, orders: ReadonlyArray<TestMerchant.Order>) =>
  assert.deepStrictEqual(Marks.find(haystacks, names(orders)), [])

const nameOf = ({ name }: Marks.Haystack): string => name

describe("card number, security code and control key", () => {
  it.live("are in no file, row, log, span, metric, response, callback or error", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { kept } = yield* Witness.Witness
      const orders: Array<TestMerchant.Order> = []
      yield* Effect.gen(function* () {
        orders.push(...(yield* Flows.waiting))
        const leases = yield* Witness.folder(folder)
        assert.isAbove(
          leases.find(({ name }) => name === "table cvvs")?.bytes.length ?? 0,
          100,
          "codes wait, encrypted"
        )
        assertNothing(leases, orders)
      }).pipe(Effect.provide(recordedGateway(folder, { jobsPaused: true }), { local: true }))

      yield* Effect.promise(() => rm(join(folder, "short-lived-keys"), { recursive: true }))
      yield* Effect.gen(function* () {
        yield* TestMerchant.settled
        orders.push(...(yield* Flows.outcomes), ...(yield* Flows.refusals))
        assert.deepStrictEqual(yield* Flows.clientErrors, ["InvalidRequest", "Refused", "NotSent", "OutcomeUnknown"])
        const { publicBaseUrl } = yield* NodeServer
        yield* Flows.operator(publicBaseUrl)
        yield* Flows.breakdown(folder)
        const files = yield* Witness.folder(folder)
        assert.includeMembers(files.map(nameOf), ["gateway.db", "gateway.db-wal", "bank.journal", "keys.json"])
        assertNothing([...files, yield* Witness.metrics], orders)
      }).pipe(Effect.provide(recordedGateway(folder), { local: true }))

      const left = yield* Witness.folder(folder)
      assertNothing(left, orders)
      const keys = Marks.sealingKeys(left)
      assert.isAtLeast(keys.length, 3, "master, hashing and short-lived keys")
      assert.deepStrictEqual(Marks.findKeys(left, keys), [])
      assert.sameMembers(kept().map(nameOf), ["answers", "callbacks", "errors", "logs", "spans"])
      assertNothing(kept(), orders)
    }).pipe(Effect.provide(Witness.layer, { local: true }))
  )
})

const { controlKey, cvv, pan } = Marks
const planted = Metric.counter("pay_planted_total")

/** A secret put where it must not be, and where the search has to report it. */
const plants: ReadonlyArray<
  readonly [
    what: string,
    plant: (
      folder: string
    ) => Effect.Effect<unknown, unknown, Layer.Success<ReturnType<typeof recordedGateway>> | Witness.Witness>,
    leak: string
  ]
> = [
  ["a file", (folder) => Effect.promise(() => writeFile(join(folder, "notes"), `x${pan}x`)), "notes: card number"],
  ["a log at the lowest level", () => Effect.logTrace({ deep: [{ key: controlKey }] }), "logs: control key"],
  ["a log's annotation", () => Effect.annotateLogs(Effect.logTrace("paid"), { cvv }), "logs: security code"],
  ["a log's cause", () => Effect.logTrace(new Error(`card ${pan}`)), "logs: card number"],
  ["a span", () => Effect.withSpan(Effect.void, "sale", { attributes: { pan } }), "spans: card number"],
  ["a metric", () => Metric.update(Metric.withAttributes(planted, { pan }), 1), "metrics: card number"],
  [
    "a callback",
    () =>
      Effect.flatMap(Witness.Witness, ({ url }) =>
        Effect.promise(async () => (await request(`${url}?cvv2=${cvv}`)).body.dump())
      ),
    "callbacks: security code"
  ],
  ["a column", (folder) => insert(folder, cvv), "table planted: security code"],
  ["a number", (folder) => insert(folder, BigInt(pan)), "table planted: card number"],
  ["bytes", (folder) => insert(folder, Buffer.from(`card ${pan}`)), "table planted: card number"]
]

const insert = (folder: string, value: string | bigint | Buffer) =>
  Effect.sync(() => {
    const database = new DatabaseSync(join(folder, "gateway.db"))
    database.exec("CREATE TABLE planted (value)")
    database.prepare("INSERT INTO planted VALUES (?)").run(value)
    database.close()
  })

describe("the search for secrets", () => {
  it.live.each(plants)("finds a secret in %s", ([, plant, result]) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { kept } = yield* Witness.Witness
      yield* Effect.gen(function* () {
        yield* plant(folder)
        const haystacks = [...(yield* Witness.folder(folder)), yield* Witness.metrics, ...kept()]
        assert.include(Marks.find(haystacks, []), result)
      }).pipe(Effect.provide(recordedGateway(folder), { local: true }))
    }).pipe(
      Effect.provide(Witness.layer, { local: true }),
      // What is planted is in no metric of another test.
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
  )

  const hexPan = Buffer.from(pan).toString("hex")
  const base64 = (text: string): string => Buffer.from(text).toString("base64")
  it.each([
    [`pan=${pan}&`, "card number"],
    [`x${Marks.mistypedPan}x`, "card number"],
    ["4539 9826 4170 3575", "card number"],
    ["4539-9826-4170-3575", "card number"],
    ["4539.982641.703575", "card number"],
    ["4539%209826%204170%203575", "card number"],
    [base64(pan), "card number in base64"],
    [base64(`x${pan}xy`), "card number in base64"],
    [base64(`xy${pan}x`), "card number in base64"],
    [hexPan, "card number in hexadecimal"],
    [base64(controlKey), "control key in base64"],
    [controlKey.toLowerCase(), "control key"],
    [controlKey.replaceAll("-", ""), "control key"],
    [`{"cvv":"${cvv}"}`, "security code"],
    [`17${cvv}444433`, "security code beside its order"],
    [`cvv2${cvv}4444`, "security code beside its order"]
  ])("sees through %s", (text, what) => {
    assert.include(Marks.find([{ name: "text", bytes: Buffer.from(`before ${text} after`) }], ["17"]), `text: ${what}`)
  })

  it.each(["base64", "hex", "latin1"] as const)("finds a key of the ring outside its file, in %s", (spelling) => {
    const key = Buffer.alloc(32, 0xa7)
    const ring = { name: "keys.json", bytes: Buffer.from(JSON.stringify({ keys: { 1: key.toString("base64") } })) }
    const shortLivedKeys = {
      name: "short-lived-keys/00000001.key",
      bytes: Buffer.concat([Buffer.alloc(8), Buffer.alloc(32, 0xb8)])
    }
    const keys = Marks.sealingKeys([ring, shortLivedKeys])
    assert.strictEqual(keys.length, 2)
    for (const lost of keys) {
      const database = { name: "gateway.db", bytes: Buffer.from(`x${lost.toString(spelling)}y`, "latin1") }
      assert.deepStrictEqual(Marks.findKeys([ring, shortLivedKeys, database], keys), ["gateway.db: a key"])
    }
  })

  it("does not take other text for a secret", () => {
    const text = `453998 3575 1${cvv}5 a${cvv} 0000-${cvv}-0000 10.42 ${controlKey.slice(0, -1)}`
    assert.deepStrictEqual(Marks.find([{ name: "text", bytes: Buffer.from(text) }], ["17"]), [])
  })
})
