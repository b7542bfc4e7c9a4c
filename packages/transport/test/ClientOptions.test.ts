import { generateKeyPairSync } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../sqlite/test/TemporaryFolder.ts"
import * as ClientOptions from "../src/ClientOptions.ts"
import * as PayClient from "../src/PayClient.ts"
import * as Wire from "../src/Wire.ts"
import { controlKey, keys, options, privatePem } from "./Merchant.ts"

const file = (text: string) =>
  Effect.map(temporaryFolder, (folder) => {
    const path = join(folder, "key.pem")
    writeFileSync(path, text)
    return path
  })

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")
const certificate = fixture("certificate.pem")
const certificateKey = fixture("key.pem")

const env = {
  PAY_BASE_URL: "https://gateway.example/paynet/",
  PAY_LOGIN: "merchantlogin",
  PAY_CONTROL_KEY: controlKey
}

const from = (record: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromEnvRecord(record))

/** The whole client from the environment. */
const built = (record: Record<string, string>) =>
  Layer.build(PayClient.layerConfig).pipe(Effect.provide(from(record)), Effect.scoped)

const publicPem = keys.publicKey.export({ type: "spki", format: "pem" }).toString()
const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey
const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
const pem = (key: typeof short) => key.export({ type: "pkcs8", format: "pem" }).toString()

describe("client options from the environment", () => {
  const profileFiles: ReadonlyArray<readonly [content: string | undefined, says: object | string]> = [
    ['{"profile":{"answers":"pairs","notFound":[8]},"observed":{}}', { answers: "pairs", notFound: [8] }],
    ['\uFEFF{"profile":{}}', {}],
    [undefined, "names a file that cannot be read"],
    ["{", 'names a file that has no object "profile"'],
    ['{"answers":"pairs"}', 'names a file that has no object "profile"'],
    ['{"profile":[]}', 'names a file that has no object "profile"']
  ]
  it.effect.each(profileFiles)("read the profile of a gateway from a file: %s", ([content, says]) =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "gateway-profile.json")
      if (content !== undefined) writeFileSync(path, content)
      const read = ClientOptions.fromConfig.pipe(Effect.provide(from({ ...env, PAY_GATEWAY_PROFILE: path })))
      if (typeof says === "object") return assert.deepStrictEqual((yield* read).profile, says)
      const { problem, setting } = yield* Effect.flip(read)
      assert.deepStrictEqual([setting, problem], ["PAY_GATEWAY_PROFILE", says])
    })
  )

  it.effect("refuse a profile file with a setting that no profile has", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "gateway-profile.json")
      writeFileSync(path, '{"profile":{"status":{}}}')
      const { message } = yield* Effect.flip(
        built({ ...env, PAY_BASE_URL: "https://g.example", PAY_GATEWAY_PROFILE: path })
      )
      assert.include(message, "PAY_GATEWAY_PROFILE has the unknown setting status")
    })
  )

  it.effect("need only an address, a login and a control key", () =>
    Effect.gen(function* () {
      yield* built(env)
      const read = yield* ClientOptions.fromConfig.pipe(Effect.provide(from(env)))
      assert.deepEqual([read.baseUrl, read.login, Redacted.value(read.controlKey)], Object.values(env))
      assert.doesNotHaveAnyKeys(read, ["privateKey", "endpointId", "concurrency", "controlAmount"])
    })
  )

  it.effect("can set every option", () =>
    Effect.gen(function* () {
      const all = {
        ...env,
        PAY_PRIVATE_KEY_FILE: yield* file(privatePem),
        PAY_ENDPOINT_ID: "1111",
        PAY_TIMEOUT: "45 seconds",
        PAY_READ_TIMEOUT: "5 seconds",
        PAY_CONNECT_TIMEOUT: "1500 millis",
        PAY_CONCURRENCY: "7",
        PAY_CALLS_PER_SECOND: "2.5",
        PAY_PROXY: "http://proxy.example:3128",
        PAY_CA_FILE: yield* file(certificate),
        PAY_CERTIFICATE_FILE: yield* file(certificate),
        PAY_CERTIFICATE_KEY_FILE: yield* file(certificateKey),
        PAY_CONTROL_AMOUNT: "x100",
        PAY_ALLOW_PLAIN_HTTP: "true"
      }
      yield* built(all)
      const read = yield* ClientOptions.fromConfig.pipe(Effect.provide(from(all)))
      assert.deepInclude(read, {
        endpointId: "1111",
        connectTimeoutMs: 1500,
        concurrency: 7,
        callsPerSecond: 2.5,
        proxy: Redacted.make("http://proxy.example:3128"),
        certificateAuthority: certificate,
        clientCertificate: { certificate, privateKey: Redacted.make(certificateKey, { label: "certificate key" }) },
        controlAmount: "x100",
        allowPlainHttp: true
      })
      assert.strictEqual(Redacted.value(read.privateKey ?? Redacted.make("")), privatePem)
      const seconds = (acts: "creates" | "onOrder" | "onSubscription" | "reads") =>
        Duration.toSeconds(Duration.fromInputUnsafe(read.deadlines?.[acts] ?? 0))
      assert.deepEqual(
        [seconds("creates"), seconds("onOrder"), seconds("onSubscription"), seconds("reads")],
        [45, 45, 45, 5]
      )
    })
  )

  const wrong = [
    ["PAY_BASE_URL", undefined],
    ["PAY_BASE_URL", ""],
    ["PAY_BASE_URL", "gateway.example"],
    ["PAY_BASE_URL", "ftp://gateway.example"],
    ["PAY_BASE_URL", "https://me:secret-canary@gateway.example"],
    ["PAY_BASE_URL", "https://gateway.example/?a=secret-canary"],
    ["PAY_BASE_URL", "https://gateway.example/#a"],
    ["PAY_BASE_URL", "http://gateway.example"],
    ["PAY_BASE_URL", "http://127.0.0.1.gateway.example"],
    ["PAY_BASE_URL", "https://gateway.example/pay net"],
    ["PAY_BASE_URL", '"https://gateway.example"'],
    ["PAY_BASE_URL", "https://https://gateway.example"],
    ["PAY_BASE_URL", "https://gateway.example/api"],
    ["PAY_LOGIN", "'secret-canary'"],
    ["PAY_CONTROL_KEY", "secret\n-canary"],
    ["PAY_CONTROL_KEY", "'secret-canary'"],
    ["PAY_LOGIN", undefined],
    ["PAY_LOGIN", ""],
    ["PAY_CONTROL_KEY", undefined],
    ["PAY_CONTROL_KEY", ""],
    ["PAY_PRIVATE_KEY_FILE", "/nowhere/secret-canary.pem"],
    ["PAY_ENDPOINT_ID", "secret-canary"],
    ["PAY_ENDPOINT_ID", "0"],
    ["PAY_TIMEOUT", "secret-canary"],
    ["PAY_READ_TIMEOUT", "secret-canary"],
    ["PAY_CONNECT_TIMEOUT", "secret-canary"],
    ["PAY_CONNECT_TIMEOUT", "0 seconds"],
    ["PAY_CONCURRENCY", "secret-canary"],
    ["PAY_CONCURRENCY", "0"],
    ["PAY_CONCURRENCY", "1.5"],
    ["PAY_CALLS_PER_SECOND", "secret-canary"],
    ["PAY_CALLS_PER_SECOND", "0"],
    ["PAY_CALLS_PER_SECOND", "Infinity"],
    ["PAY_PROXY", "secret-canary"],
    ["PAY_PROXY", "http://proxy.example/secret-canary"],
    ["PAY_CA_FILE", "/nowhere/secret-canary.pem"],
    ["PAY_CERTIFICATE_FILE", "/nowhere/secret-canary.pem"],
    ["PAY_CERTIFICATE_KEY_FILE", "/nowhere/secret-canary.pem"],
    ["PAY_CONTROL_AMOUNT", "secret-canary"],
    ["PAY_ALLOW_PLAIN_HTTP", "secret-canary"]
  ] as const
  it.effect.each(wrong)(
    "are refused with %s = %s, and the error names the variable but not its value",
    ([name, value]) =>
      Effect.gen(function* () {
        const { [name]: _, ...others }: Record<string, string> = env
        const error = yield* Effect.flip(built(value === undefined ? others : { ...others, [name]: value }))
        assert.strictEqual(error._tag, "InvalidSetting")
        assert.strictEqual(error.setting, name)
        assert.match(error.message, new RegExp(`^${name} \\w`))
        assert.notInclude(error.message, "secret-canary")
      })
  )

  const unusable = [
    ["not a key", "secret-canary", "is not a private key in PEM form: give its text, from -----BEGIN to -----END"],
    [
      "a path",
      "/run/secrets/key.pem",
      "is not a private key in PEM form: it is the path of a file. Give the text of the file"
    ],
    ["a certificate", certificate, "is not a private key in PEM form: it is a certificate"],
    ["a public key", publicPem, "is a public key; signing needs the private one"],
    ["a short key", pem(short), "is shorter than 2048 bits"],
    ["an elliptic curve key", pem(elliptic), "is not an RSA key"]
  ] as const
  it.effect.each(unusable)("are refused with a key file that is not usable: $0", ([, text, problem]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(built({ ...env, PAY_PRIVATE_KEY_FILE: yield* file(text) }))
      assert.deepInclude(error, { setting: "PAY_PRIVATE_KEY_FILE", problem })
    })
  )
})

describe("client options in code", () => {
  const wire = Wire.layerInProcess(() => Effect.never)
  const make = (more: Partial<PayClient.Options>) => PayClient.make({ ...options, ...more }).pipe(Effect.provide(wire))

  it.effect("are refused with the name of the option", () =>
    Effect.gen(function* () {
      const named = yield* Effect.all([
        Effect.flip(make({ baseUrl: "http://gateway.example" })),
        Effect.flip(make({ concurrency: Number.NaN })),
        Effect.flip(make({ privateKey: Redacted.make("") }))
      ])
      assert.deepEqual(
        named.map(({ setting }) => setting),
        ["baseUrl", "concurrency", "privateKey"]
      )
    })
  )

  it.effect("are absent if they are undefined", () =>
    Layer.build(
      PayClient.layer({
        ...options,
        ...{ endpointId: undefined, profile: undefined, privateKey: undefined, controlAmount: undefined },
        ...{ deadlines: undefined, concurrency: undefined, callsPerSecond: undefined, connectTimeoutMs: undefined },
        ...{
          certificateAuthority: undefined,
          clientCertificate: undefined,
          proxy: undefined,
          allowPlainHttp: undefined
        }
      })
    ).pipe(Effect.scoped)
  )

  const loopback = ["http://127.0.0.1:8080", "http://localhost/paynet", "http://[::1]:1", "http://pay.localhost"]
  it.effect.each(loopback)("accept plain http on loopback: %s", (baseUrl) => make({ baseUrl }))

  it.effect("accept plain http elsewhere only with allowPlainHttp", () =>
    make({ baseUrl: "http://gateway.internal", allowPlainHttp: true })
  )
})
