/**
 * A whole gateway in memory, with a bank that approves everything, a scripted issuer and a merchant who signs by hand.
 * Time stands still until a test moves it.
 */
import { assert } from "@effect/vitest"
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as ThreeDS from "@pay/schema/ThreeDS"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import { type Duration, Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { CallbackSender } from "../../src/callbacks/CallbackSender.ts"
import * as Gateway from "../../src/Gateway.ts"
import { Front } from "../../src/http/Front.ts"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import { Scheduler } from "../../src/kernel/Scheduler.ts"
import { SecureRandom } from "../../src/kernel/SecureRandom.ts"
import { Settings, sandboxDefaults } from "../../src/kernel/Settings.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import * as Directory from "../../src/merchants/Directory.ts"
import * as LiveDirectory from "../../src/merchants/LiveDirectory.ts"
import { Acquirer, type Authorization } from "../../src/orders/bank/Acquirer.ts"
import { Authentication } from "../../src/threeds/decide/Authentication.ts"
import * as KeyRing from "../../src/vault/KeyRing.ts"
import * as KeyVaultLocal from "../../src/vault/KeyVaultLocal.ts"
import * as Issuer from "./Issuer.ts"

const login = "shop"
const controlKey = "5A4DB0C5-91F0-4D7C-9A3B-1E6C0F2D7B48"
export const baseUrl = "https://gateway.example"
export const returnUrl = "https://shop.example/back"
/** The scheduler runs jobs only when a test calls `settle`, so that a test can act before them. */
const never = 1_000_000_000
export const startMs = Date.UTC(2026, 10, 21)

/** `silent` has no setting for 3-D Secure. */
export const endpoints = { off: "1", gateway: "2", merchant: "3", proceed: "4", silent: "5" } as const

const directory = Effect.map(
  Schema.decodeEffect(Directory.Config)([
    {
      login,
      name: "Example Shop",
      controlKeys: [controlKey],
      endpoints: [
        { id: endpoints.off, currencies: ["USD"], threeds: "off" },
        { id: endpoints.gateway, currencies: ["USD"], threeds: "gateway" },
        { id: endpoints.merchant, currencies: ["USD"], threeds: "merchant" },
        { id: endpoints.proceed, currencies: ["USD"], threeds: "merchant", threedsUnavailable: "proceed" },
        { id: endpoints.silent, currencies: ["USD"] }
      ]
    }
  ]),
  LiveDirectory.layer
)

const approved = { _tag: "Approved", approvalCode: "012345", processorTxId: "PNTEST-1" } as const

const bank = (authorizations: Array<Authorization>) =>
  Layer.succeed(
    Acquirer,
    Acquirer.checked({
      capabilities: { longestProcessingMs: 1_000, deadlineMs: 10_000, transfers: true, eligibility: true },
      authorize: (authorization) =>
        Effect.sync(() => {
          authorizations.push(authorization)
          return approved
        }),
      eligible: () => Effect.succeed(approved),
      followUp: () => Effect.succeed(approved),
      inquire: () => Effect.succeed(approved)
    })
  )

export interface ScriptedGateway {
  readonly issuer: Issuer.Script
  /** The authorisations that the bank received. */
  readonly authorized: Array<Authorization>
  /** Queries of the callbacks sent. */
  readonly callbacks: Array<string>
}

export const make = (issuer: Partial<Issuer.Script> = {}): ScriptedGateway => ({
  issuer: Issuer.script(issuer),
  authorized: [],
  callbacks: []
})

const keyVault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))

interface Options {
  /** False: no 3-D Secure server is provided. */
  readonly server?: boolean
  readonly production?: boolean
  /** Time passes by itself. */
  readonly live?: boolean
  readonly settings?: Partial<Settings>
}

export const layer = (
  scripted: ScriptedGateway,
  { live = false, production = false, server = true, settings }: Options = {}
) =>
  Gateway.layerNoDeps.pipe(
    Layer.provideMerge(SecureRandom.layer),
    Layer.provideMerge(live ? AuthClock.layer : Layer.succeed(AuthClock, { nowMs: () => startMs })),
    Layer.provideMerge(Layer.unwrap(directory)),
    Layer.provideMerge(
      Layer.mergeAll(
        StoreMemory.layer,
        bank(scripted.authorized),
        Layer.provide(keyVault, AuthClock.layer),
        server ? Issuer.layer(scripted.issuer) : Layer.empty,
        Layer.succeed(CallbackSender, {
          send: ({ url }) =>
            Effect.sync(() => {
              scripted.callbacks.push(url)
              return { status: 200 }
            })
        })
      )
    ),
    Layer.provide(
      Layer.succeed(Settings, {
        ...sandboxDefaults,
        dialects: ["json"],
        publicBaseUrl: baseUrl,
        jobTickMs: never,
        production,
        ...settings
      })
    ),
    Layer.provideMerge(live ? Layer.empty : Layer.effectDiscard(TestClock.setTime(startMs)))
  )

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

export const post = (operation: Operation, fields: Readonly<Record<string, string>>, endpointId: string) =>
  Effect.gen(function* () {
    const front = yield* Front
    const control =
      operation.signing._tag === "Control"
        ? Control.sign(
            operation.signing.recipe,
            Canonical.controlValues(operation, fields, { endpointId, mode: "minor" }),
            controlKey
          )
        : ""
    const answer = yield* front.handle({
      method: "POST",
      publicBaseUrl: baseUrl,
      target: `${operation.path}/${endpointId}`,
      headers: { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" },
      body: Form.write(Object.entries({ ...fields, control })),
      remoteAddress: "127.0.0.1"
    })
    return { status: answer.status, body: decode(answer.body) } satisfies Reply
  })

export const { SALE } = PayApi.operations
const { STATUS, TDS_UPLOAD_CRES_RESULT, TDS_UPLOAD_METHOD_URL_RESULT, TDS_UPLOAD_PARES_RESULT } = PayApi.operations

/** Changes for a payment without the browser's data. */
export const withoutBrowser: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(Sample.browser).map((name) => [name, ""])
)

export const saleFields = (changes: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  ...Sample.request(SALE),
  ...Sample.browser,
  client_orderid: "sale-1",
  amount: "10.42",
  currency: "USD",
  redirect_url: returnUrl,
  server_callback_url: "https://shop.example/callback",
  ...changes
})

/** Starts a sale and runs it as far as possible without a browser. Returns the order's id. */
export const sale = (endpointId: string, changes: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const reply = yield* post(SALE, saleFields(changes), endpointId)
    assert.strictEqual(reply.status, 200, JSON.stringify(reply.body))
    yield* settle
    return String(reply.body["paynet-order-id"])
  })

export const settle = Effect.flatMap(Scheduler, ({ settled }) => settled)

/** Moves time, and runs the jobs that became due. */
export const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), settle)

export const status = (endpointId: string, changes: Readonly<Record<string, string>> = {}) =>
  Effect.map(post(STATUS, { login, client_orderid: "sale-1", ...changes }, endpointId), ({ body }) => body)

/** Moves time without running due jobs. */
export const elapse = (ms: number) => TestClock.adjust(ms)
export const joined = <A, E>(fiber: Fiber.Fiber<A, E>) => Fiber.join(fiber)

export const authenticationOf = (orderId: string) =>
  Effect.flatMap(Store, (store) => store.load(Authentication, [orderId]))

/** Returns the order's status, its result of 3-D Secure and its error code. */
export const outcome = (endpointId: string) =>
  Effect.map(status(endpointId), (report) => [
    report.status,
    report["verified-3d-status"] ?? "-",
    report["error-code"] ?? "-"
  ])

interface Upload {
  readonly orderid: string
  readonly endpointId?: string
}

const upload = (operation: Operation, { endpointId = endpoints.merchant, orderid }: Upload, fields: object) =>
  Effect.tap(post(operation, { login, "client-order-id": "sale-1", orderid, ...fields }, endpointId), () => settle)

/** Uploads the end of the method step as a merchant. */
export const uploadMethod = (order: Upload, changes: Readonly<Record<string, string>> = {}) =>
  upload(TDS_UPLOAD_METHOD_URL_RESULT, order, {
    threeDSCompInd: "Y",
    threeDSServerTransID: Issuer.transId,
    browserUserAgent: "Test",
    ...changes
  })

/** Returns a CRes with these fields and without a result. */
export const cresOf = (changes: Partial<ThreeDS.CRes> = {}): string =>
  ThreeDS.cres.encode({
    messageType: "CRes",
    messageVersion: "2.2.0",
    threeDSServerTransID: Issuer.transId,
    acsTransID: Issuer.acsTransId,
    ...changes
  })

export const cres = (changes: Partial<ThreeDS.CRes> = {}): string => cresOf({ transStatus: "Y", ...changes })

export const uploadCres = (order: Upload, cRes: string = cres(), changes: Readonly<Record<string, string>> = {}) =>
  upload(TDS_UPLOAD_CRES_RESULT, order, { cRes, ...changes })

export const uploadPares = (order: Upload, paRes: string, changes: Readonly<Record<string, string>> = {}) =>
  upload(TDS_UPLOAD_PARES_RESULT, order, { paRes, ...changes })
