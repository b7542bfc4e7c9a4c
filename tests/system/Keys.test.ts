/** Keys that change while merchants send requests over sockets: no right key is refused, and no wrong key is accepted. */
import { createPrivateKey, generateKeyPairSync } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Directory, DirectoryError } from "@pay/gateway/Directory"
import { Scheduler } from "@pay/gateway/Scheduler"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import * as SigningOAuth from "@pay/signing/OAuth"
import { ConfigProvider, Effect, Layer, Redacted, Schema } from "effect"
import * as ReloadOnSighup from "../../gateway/server/src/ReloadOnSighup.ts"
import * as ServerConfig from "../../gateway/server/src/ServerConfig.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { PAYOUT_V4, SALE, STATUS } = PayApi.operations
const { controlKey, login, saleFields } = TestGateway
const merchant = login
const token = "alice-has-this-token"
const alice = Operating.as(token)
const operators = [{ name: "alice", token: Redacted.make(token) }]

const Made = Schema.Struct({ key: Schema.String, secret: Schema.String })
const Listed = Schema.Struct({ keys: Schema.Array(Schema.Struct({ key: Schema.String, state: Schema.String })) })
const made = (reply: Operating.Reply) => Effect.orDie(Schema.decodeUnknownEffect(Made)(reply.body))
const states = Effect.flatMap(alice("GET", `/operator/keys?merchant=${merchant}`), ({ body }) =>
  Effect.orDie(Schema.decodeUnknownEffect(Listed)(body))
).pipe(Effect.map(({ keys }) => keys.map(({ key, state }) => `${key} ${state}`)))

const statusWith = (key: string) =>
  TestGateway.post(STATUS, { login, client_orderid: saleFields.client_orderid ?? "" }, { key })
const codeWith = (key: string) => Effect.map(statusWith(key), ({ body }) => body["error-code"])

it.live("a rotation of control keys under load refuses no request, and the old key stops after the overlap", () =>
  Effect.gen(function* () {
    const clock = yield* SandboxClock
    const scheduler = yield* Scheduler
    yield* TestGateway.post(SALE, saleFields)
    yield* scheduler.settled
    let current: string = controlKey
    let stop = false
    const statuses: Array<number> = []
    /** A merchant's server that is given the new key at some time of the overlap. */
    const caller = Effect.gen(function* () {
      while (!stop) statuses.push((yield* statusWith(current)).status)
    })
    const rotations = Effect.gen(function* () {
      for (let turn = 1; turn <= 5; turn += 1) {
        const count = statuses.length
        const rotated = yield* alice("POST", "/operator/keys/rotate", { merchant, kind: "control" })
        assert.strictEqual(rotated.status, 201)
        yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => statuses.length > count + 20 }))
        current = (yield* made(rotated)).secret
        yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => statuses.length > count + 40 }))
      }
      stop = true
    })
    yield* Effect.all([rotations, ...Array.from({ length: 8 }, () => caller)], { concurrency: "unbounded" })
    assert.isAtLeast(statuses.length, 200)
    assert.deepStrictEqual(
      statuses.filter((status) => status !== 200),
      []
    )
    assert.strictEqual(yield* codeWith(controlKey), undefined)
    yield* clock.advance("1 day", scheduler)
    const unknownMerchant = yield* TestGateway.post(
      STATUS,
      { login: "nobody", client_orderid: "1" },
      { key: controlKey }
    )
    const refused = yield* statusWith(controlKey)
    assert.deepStrictEqual(
      { ...refused.body, "serial-number": 0, "merchant-order-id": 0 },
      { ...unknownMerchant.body, "serial-number": 0, "merchant-order-id": 0 }
    )
    assert.strictEqual((yield* statusWith(current)).status, 200)
  }).pipe(Effect.provide(TestGateway.layer({ operators })))
)

it.live(
  "a revoked control key is refused at once, the last one is revoked only on purpose, and each change is audited",
  () =>
    Effect.gen(function* () {
      yield* TestGateway.post(SALE, saleFields)
      const added = yield* alice("POST", "/operator/keys/add", { merchant, kind: "control" })
      assert.deepInclude(added.body, { key: "control-2", state: "active", fingerprint: null })
      assert.strictEqual(added.headers["cache-control"], "no-store")
      const { secret } = yield* made(added)
      const revoke = (key: string, last?: boolean) =>
        alice("POST", "/operator/keys/revoke", { merchant, key, ...(last === undefined ? {} : { last }) })
      assert.strictEqual((yield* revoke("control-1")).status, 200)
      assert.strictEqual((yield* statusWith(controlKey)).status, 400)
      assert.strictEqual((yield* statusWith(secret)).status, 200)
      assert.deepInclude((yield* revoke("control-2")).body, { reason: "LastKey" })
      assert.strictEqual((yield* statusWith(secret)).status, 200)
      assert.strictEqual((yield* revoke("control-2", true)).status, 200)
      assert.strictEqual((yield* statusWith(secret)).status, 400)
      assert.strictEqual((yield* revoke("control-9")).status, 404)
      const audit = yield* alice("GET", `/operator/audit?subject=merchant:${merchant}`)
      const Actions = Schema.Struct({
        entries: Schema.Array(Schema.Struct({ actor: Schema.String, action: Schema.String }))
      })
      const { entries } = yield* Effect.orDie(Schema.decodeUnknownEffect(Actions)(audit.body))
      assert.deepStrictEqual(
        entries.map(({ action, actor }) => `${actor} ${action}`),
        ["key.revoke", "key.revoke", "key.add"].map((action) => `operator:alice ${action}`)
      )
      const list = yield* alice("GET", `/operator/keys?merchant=${merchant}`)
      for (const { text } of [audit, list]) assert.notInclude(text, secret)
    }).pipe(Effect.provide(TestGateway.layer({ operators })))
)

it.live("RSA keys overlap during a rotation, and a restart keeps the state of each key", () =>
  Effect.gen(function* () {
    const dataDirectory = yield* temporaryFolder
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString()
    const key = SigningOAuth.rsaPrivate(createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" })))
    const codes = Effect.gen(function* () {
      const replies = [yield* OAuth.send(PAYOUT_V4), yield* OAuth.send(PAYOUT_V4, { key })]
      return replies.map(({ status }) => (status === 401 ? "refused" : "known"))
    })
    const here = TestGateway.running(dataDirectory, { operators })
    yield* here(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* codes, ["known", "refused"])
        yield* alice("POST", "/operator/keys/rotate", { merchant, kind: "rsa", publicKey: pem, overlapMs: 60_000 })
        assert.deepStrictEqual(yield* codes, ["known", "known"])
        yield* alice("POST", "/operator/keys/rotate", { merchant, kind: "control", overlapMs: 0 })
        yield* alice("POST", "/operator/keys/revoke", { merchant, key: "rsa-1" })
        assert.deepStrictEqual(yield* codes, ["refused", "known"])
      })
    )
    yield* here(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* codes, ["refused", "known"])
        assert.sameMembers(yield* states, ["control-1 expired", "control-2 active", "rsa-1 revoked", "rsa-2 active"])
      })
    )
  })
)

it.live("a reload of the configuration file applies all merchants, or none with every problem listed", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const path = join(folder, "gateway.json")
    const [own] = SandboxMerchant.directory
    const write = (...others: ReadonlyArray<object>) =>
      writeFileSync(path, JSON.stringify({ merchants: [own, ...others] }))
    const other = { login: "new-shop", controlKeys: ["their key"], endpoints: [{ id: "7001", currencies: ["USD"] }] }
    const question = TestGateway.post(
      STATUS,
      { login: "new-shop", client_orderid: "1" },
      { endpointId: "7001", key: "their key" }
    ).pipe(Effect.map(({ body }) => body["error-message"]))
    write()
    const merchantsSource = yield* ServerConfig.merchantsSource.pipe(
      Effect.provide(
        Layer.merge(NodeServices.layer, ConfigProvider.layer(ConfigProvider.fromUnknown({ PAY_CONFIG: path })))
      )
    )
    yield* Effect.gen(function* () {
      const unknown = yield* question
      write(other)
      const taken = yield* alice("POST", "/operator/merchants/reload")
      assert.deepInclude(taken.body, { merchants: 2, added: ["new-shop"], removed: [], changed: [] })
      assert.notStrictEqual(yield* question, unknown)

      write({ ...other, endpoints: [{ id: "07", currencies: ["USD"], timeZone: "Mars/Base" }] }, other)
      const refused = yield* alice("POST", "/operator/merchants/reload")
      assert.strictEqual(refused.status, 400)
      for (const word of ["07", "Mars/Base", "used twice"]) assert.include(refused.text, word)
      assert.notStrictEqual(yield* question, unknown)
      writeFileSync(path, readFileSync(path, "utf8").slice(1))
      assert.strictEqual((yield* alice("POST", "/operator/merchants/reload")).status, 400)

      write()
      assert.deepInclude((yield* alice("POST", "/operator/merchants/reload")).body, { removed: ["new-shop"] })
      assert.strictEqual(yield* question, unknown)
      const { body } = yield* alice("GET", "/operator/merchants")
      assert.deepStrictEqual(body.merchants, [
        {
          login,
          name: "Sandbox merchant",
          endpoints: Sandbox.merchants[0]?.endpoints.map(({ id }) => id),
          groups: [TestGateway.endpoints.group]
        }
      ])
    }).pipe(
      Effect.provide(TestGateway.layer({ operators, merchants: Sandbox.merchants.slice(0, 1), merchantsSource }), {
        local: true
      })
    )
  })
)

it.live("a reload without a configuration file is refused", () =>
  Effect.map(Operating.ask("POST", "/operator/merchants/reload"), ({ status }) => assert.strictEqual(status, 409)).pipe(
    Effect.provide(TestGateway.layer())
  )
)

it.live("SIGHUP reloads the configuration file, and a wrong file changes nothing", () =>
  Effect.gen(function* () {
    const reads: Array<string> = []
    const merchantsSource = Effect.suspend(() => {
      reads.push("read")
      return reads.length === 1
        ? Effect.succeed([...Sandbox.merchants, ...Merchants.both().slice(-1)])
        : Effect.fail(new DirectoryError({ problems: ["wrong"] }))
    })
    const isKnown = Effect.map(Directory, ({ merchant }) => merchant(Merchants.other.login) !== undefined)
    yield* Effect.gen(function* () {
      assert.isFalse(yield* isKnown)
      process.emit("SIGHUP")
      yield* Effect.yieldNow.pipe(Effect.andThen(isKnown), Effect.repeat({ until: (there) => there }))
      process.emit("SIGHUP")
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => reads.length === 2 }))
      assert.isTrue(yield* isKnown)
    }).pipe(
      Effect.provide(Layer.provideMerge(ReloadOnSighup.layer, TestGateway.layer({ merchantsSource })), { local: true })
    )
    assert.strictEqual(process.listenerCount("SIGHUP"), 0)
  })
)
