/** Marked card data and keys go through everything there is; afterwards they are looked for everywhere, and are nowhere. */
import { readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { approve, type Plan } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import { Cause, Effect, Layer, Logger, References, Schema, Tracer } from "effect"
import { request } from "undici"
import * as Shop from "../callbacks/Shop.ts"
import * as TestGateway from "../system/TestGateway.ts"
import * as Embedded from "./Embedded.ts"
import * as Marks from "./Marks.ts"
import * as Play from "./Play.ts"
import * as World from "./World.ts"

const pan = "4539720963851741"
const cvv2 = "8317"
const marks: Marks.Marks = { long: { pan, "control key": Sandbox.merchant.controlKey }, short: { cvv: cvv2 } }
const { PREAUTH, SALE, STATUS } = PayApi.operations
const card = { card: pan, cvv2 }
const marked = { ...TestGateway.saleFields, credit_card_number: pan, cvv2 }

/** Everything that anybody says while the gateway runs. */
interface Heard {
  readonly logs: Array<string>
  readonly spans: Array<Tracer.NativeSpan>
  readonly answers: Array<unknown>
}

const listening = ({ logs, spans }: Heard) =>
  Layer.mergeAll(
    Logger.layer([
      Logger.make(({ cause, fiber, message }) => {
        const annotations = fiber.getRef(References.CurrentLogAnnotations)
        logs.push(inspect({ message, annotations, cause: Cause.pretty(cause) }, { depth: 20 }))
      })
    ]),
    Layer.succeed(References.MinimumLogLevel, "All"),
    Layer.succeed(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
    )
  )

const approving = (journey: Plan["journey"] = { _tag: "Answered" }) =>
  Effect.flatMap(SandboxControl, ({ next }) => next("authorize", { verdict: approve, journey }))

/** Payments in every ending, each with all that can follow it. */
const payments = Effect.fnUntraced(function* (server_callback_url: string) {
  const urls = { server_callback_url, notify_url: `${server_callback_url}/notify` }
  yield* approving()
  const order = yield* Play.create("PREAUTH", { ...card, ...urls })
  yield* World.settled
  yield* Play.act("CAPTURE", order, { amount: "4.00", currency: "USD" })
  yield* World.settled
  yield* Play.act("RETURN", order, { amount: "1.00", currency: "USD" })
  yield* World.settled
  yield* Play.act("VOID", order)
  const declined = yield* Play.create("SALE", { ...card, ...urls })
  yield* approving({ _tag: "NeverArrives" })
  const failed = yield* Play.create("SALE", { ...card, ...urls })
  yield* approving({ _tag: "ArrivesTwice" })
  const lapsed = yield* Play.create("PREAUTH", { ...card, ...urls })
  yield* World.settled
  return [order, declined, failed, lapsed]
})

/** Requests that are refused, at every stage that reads something of them. */
const refusals: ReadonlyArray<readonly [what: string, ask: Effect.Effect<TestGateway.Reply, never, NodeServer>]> = [
  ["wrong control", TestGateway.post(SALE, marked, { change: (fields) => ({ ...fields, control: "0" }) })],
  ["expired card", TestGateway.post(SALE, { ...marked, client_orderid: "x1", expire_year: "2020" })],
  ["card that is none", TestGateway.post(SALE, { ...marked, client_orderid: "x2", credit_card_number: `${pan}1` })],
  ["long CVV", TestGateway.post(SALE, { ...marked, client_orderid: "x3", cvv2: `${cvv2} ${cvv2}` })],
  ["amount that is none", TestGateway.post(SALE, { ...marked, client_orderid: "x4", amount: pan })],
  ["card as a month", TestGateway.post(SALE, { ...marked, client_orderid: "x5", expire_month: pan })],
  ["card as an address", TestGateway.post(SALE, { ...marked, client_orderid: "x6", redirect_url: `http://${pan}:x` })],
  ["other currency", TestGateway.post(PREAUTH, { ...marked, client_orderid: "x7", currency: "EUR" })],
  [
    "card twice",
    TestGateway.raw({ path: `${SALE.path}/1001`, body: `credit_card_number=${pan}&credit_card_number=1` })
  ],
  ["broken form", TestGateway.raw({ path: `${SALE.path}/1001`, body: `cvv2=${cvv2}&credit_card_number=${pan}%` })],
  ["card in the path", TestGateway.raw({ path: `${SALE.path}/${pan}?pan=${pan}`, body: `cvv2=${cvv2}` })],
  ["card as a method's path", TestGateway.raw({ path: `/${pan}`, body: pan })],
  ["card as an order", TestGateway.post(STATUS, { login: TestGateway.login, client_orderid: "x8", orderid: pan })],
  ["header with a card", TestGateway.post(SALE, marked, { headers: { accept: pan, "idempotency-key": pan } })]
]

const metrics = Effect.gen(function* () {
  const { host, port } = yield* NodeServer
  return yield* Effect.promise(async () => (await request(`http://${host}:${port}/metrics`)).body.text())
})

const KeyRing = Schema.fromJsonString(
  Schema.Struct({
    master: Schema.Struct({ keys: Schema.Record(Schema.String, Schema.Uint8ArrayFromBase64) }),
    hashing: Schema.Struct({ keys: Schema.Record(Schema.String, Schema.Uint8ArrayFromBase64) })
  })
)

/** The keys under which everything is sealed: beside the database, never in it. */
const keysOf = Effect.fnUntraced(function* (folder: string) {
  const file = yield* Effect.promise(() => readFile(join(folder, "keys.json"), "utf8"))
  const { hashing, master } = yield* Schema.decodeEffect(KeyRing)(file)
  const brief = yield* Effect.promise(async () => {
    const names = await readdir(join(folder, "brief-keys"))
    return names.map((name) => readFileSync(join(folder, "brief-keys", name)).subarray(8))
  })
  return [...Object.values(master.keys), ...Object.values(hashing.keys), ...brief].map((key) => Buffer.from(key))
})

describe("marked secrets", () => {
  it.each([pan, `a${pan}b`, Buffer.from(pan).toString("base64"), Buffer.from(`{"pan":"${pan}"}`).toString("base64")])(
    "are found where they are: pan in %s",
    (text) => assert.deepStrictEqual(Marks.found(marks, text), ["pan"])
  )
  it.each([`cvv2=${cvv2}&x=1`, `{"cvv2":"${cvv2}"}`, cvv2])("are found where they are: cvv in %s", (text) =>
    assert.deepStrictEqual(Marks.found(marks, Buffer.from(text)), ["cvv"])
  )
  it.each([`1${cvv2}2`, pan.slice(0, 6), pan.slice(-4), "00000000-8317-8317-8317-000000000000"])(
    "are not found where they are not: %s",
    (text) => assert.deepStrictEqual(Marks.found(marks, text), [])
  )

  it.live("are in no file, callback, log, trace, metric or answer", () => {
    const heard: Heard = { logs: [], spans: [], answers: [] }
    return Effect.gen(function* () {
      const folder = yield* Embedded.folder
      const shop = yield* Shop.open()
      // An order that nobody can send any more is worth a warning.
      yield* Play.create("SALE", card).pipe(Embedded.on(folder, { settings: { agendaPaused: true } }))
      yield* Embedded.destroyBriefKeys(folder)
      yield* Effect.gen(function* () {
        yield* World.settled
        yield* approving({ _tag: "Undecided", forMs: 60_000 })
        const waiting = yield* Play.create("SALE", card)
        yield* World.settled
        assert.strictEqual((yield* Play.status(waiting)).status, "unknown")
        assert.lengthOf(yield* Embedded.query(folder, "SELECT * FROM cvvs"), 1)
        assert.deepStrictEqual(Marks.inFolder(marks, folder), [], "while a CVV waits")

        const orders = yield* payments(shop.url())
        for (const [what, ask] of refusals) {
          const reply = yield* ask
          assert.isAtLeast(reply.status, 400, what)
          heard.answers.push(reply)
        }
        assert.deepStrictEqual(Marks.inFolder(marks, folder), [], "while requests move")
        yield* World.pass("8 days")
        for (const order of [waiting, ...orders]) heard.answers.push(yield* Play.status(order))
        heard.answers.push(yield* Effect.flip(Play.act("CAPTURE", waiting)))
        heard.answers.push(yield* metrics)
      }).pipe(
        Effect.provide(
          TestGateway.client.pipe(
            Layer.provideMerge(Sandbox.layer({ dataDirectory: folder, port: 0 })),
            Layer.provideMerge(listening(heard))
          ),
          { local: true }
        )
      )

      const cards = yield* Embedded.query(folder, "SELECT sealedPan FROM cards")
      assert.lengthOf(cards, 6)
      assert.deepStrictEqual(Marks.inFolder(marks, folder), [], "after it was stopped")
      for (const key of yield* keysOf(folder)) {
        for (const name of ["gateway.db", "bank.journal"]) {
          const bytes = readFileSync(join(folder, name))
          for (const spelling of [key, key.toString("base64"), key.toString("hex")]) {
            assert.isFalse(bytes.includes(spelling), `a key in ${name}`)
          }
        }
      }
      assert.isAtLeast(shop.asked.length, 10)
      assert.isNotEmpty(heard.spans)
      assert.isNotEmpty(heard.logs)
      const said = {
        callbacks: shop.asked,
        logs: heard.logs,
        traces: heard.spans.map(({ attributes, events, name, status }) => ({ name, attributes, events, status })),
        answers: heard.answers
      }
      for (const [place, what] of Object.entries(said)) {
        assert.deepStrictEqual(Marks.found(marks, inspect(what, { depth: 20, maxArrayLength: null })), [], place)
      }
    })
  })
})
