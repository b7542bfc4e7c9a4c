/** Tests that each message about a wrong setting names the setting and the remedy, and not its value. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it, vi } from "@effect/vitest"
import * as Durable from "../src/Durable.ts"
import { type ClientOptions, InvalidSettingError, Pay } from "../src/main.ts"
import { type PooledOptions, Pay as PooledPay } from "../src/Pooled.ts"

const options = { baseUrl: "https://gateway.example", login: "shop", controlKey: "key", endpointId: "1" }

const pem = {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
} as const
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048, ...pem })
const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256", ...pem })

/** Returns an input as plain JavaScript may pass it: its type does not match its values. */
const plainly = <T extends object>(fields: T, changes: object): T => Object.assign({}, fields, changes)

const caught = (effect: () => unknown): unknown => {
  try {
    return effect()
  } catch (error) {
    return error
  }
}

it("an option that is undefined is absent, with and without a pool", async () => {
  const absent = {
    ...{ privateKey: undefined, controlAmount: undefined, profile: undefined, callsPerSecond: undefined },
    ...{ callTimeoutMs: undefined, allowPlainHttp: undefined, previousControlKey: undefined, onEvent: undefined }
  }
  const pool = {
    ...{ proxy: undefined, certificateAuthority: undefined },
    ...{ clientCertificate: undefined, concurrency: undefined }
  }
  assert.isFunction(Pay.client({ ...options, ...absent, endpointId: undefined, fetch: undefined }).cardSale)
  const pooled = PooledPay.client({ ...options, ...absent, ...pool, connectTimeoutMs: undefined })
  await pooled.close()
})

describe("a wrong setting", () => {
  const rows: ReadonlyArray<readonly [what: string, changes: object, message: string]> = [
    ["no address", { baseUrl: undefined }, "baseUrl is missing"],
    ["an invalid address", { baseUrl: "gateway" }, "baseUrl must be an absolute http(s) URL"],
    ["plain http to another machine", { baseUrl: "http://gateway.example" }, "baseUrl must be https"],
    ["no login", { login: "" }, "login is empty"],
    ["no key", { controlKey: undefined }, "controlKey is missing"],
    ["an option that none has", { nonsense: 1 }, "nonsense is no option. The options are baseUrl, login, controlKey,"],
    [
      "an option in another spelling",
      { base_url: "https://x.example" },
      "base_url is no option. Did you mean baseUrl?"
    ],
    ["a misspelt option", { endpiontId: "1" }, "endpiontId is no option"],
    ["a key that is a number", { controlKey: 7 }, "controlKey must be text"],
    ["an invalid private key", { privateKey: "PEM" }, "privateKey is not a private key in PEM form"],
    ["an endpoint that is a number", { endpointId: 1 }, "endpointId must be text"],
    [
      "a profile with an unknown word",
      { profile: "idempotency-keys" },
      "profile has an unknown word: idempotency-keys"
    ],
    ["zero calls per second", { callsPerSecond: 0 }, "callsPerSecond must be a number above zero"],
    [
      "an address with the path of an operation",
      { baseUrl: "https://gateway.example/api/v2" },
      "baseUrl must end before"
    ],
    ["a timeout that is text", { callTimeoutMs: "5s" }, "callTimeoutMs must be a number of milliseconds above zero"],
    ["a negative timeout", { callTimeoutMs: -1 }, "callTimeoutMs must be a number of milliseconds above zero"],
    ["a listener that is not a function", { onEvent: "log" }, "onEvent must be a function"],
    ["a signal of another kind", { signal: "stop" }, "signal must be an AbortSignal"],
    ["a fetch that is not a function", { fetch: "undici" }, "fetch must be a function"],
    ["a permission that is text", { allowPlainHttp: "false" }, "allowPlainHttp must be true or false"],
    [
      "an address without a scheme",
      { baseUrl: "gateway.example:8080" },
      "baseUrl must be an absolute http(s) URL, like"
    ],
    ["an address of another scheme", { baseUrl: "ftp://gateway.example" }, "baseUrl must be an absolute http(s) URL"],
    [
      "an address with its scheme twice",
      { baseUrl: "https://https://gateway.example" },
      "baseUrl has its scheme twice"
    ],
    ["an address in quotes", { baseUrl: '"https://gateway.example"' }, "baseUrl is in quotes: remove them"],
    [
      "an address with a blank",
      { baseUrl: "https://gateway.example/pay net" },
      "baseUrl must be an absolute http(s) URL"
    ],
    [
      "an address with a query",
      { baseUrl: "https://gateway.example/?a=1" },
      "baseUrl must not have a query or fragment"
    ],
    ["an address that ends with /api", { baseUrl: "https://gateway.example/api/" }, "baseUrl must end before /api/"],
    ["a key in quotes", { controlKey: '"secret"' }, "controlKey is in quotes: remove them"],
    [
      "a key with a zero-width blank",
      { controlKey: "sec\u200bret" },
      "controlKey contains a line feed or an invisible character"
    ],
    ["a key in two lines", { controlKey: "sec\nret" }, "controlKey contains a line feed or an invisible character"],
    ["an empty key", { controlKey: "" }, "controlKey is empty"],
    [
      "PEM as the control key",
      { controlKey: rsa.privateKey },
      "controlKey is PEM: give the control key, and the PEM as privateKey"
    ],
    ["a login in typographic quotes", { login: "“shop”" }, "login is in quotes: remove them"],
    ["an address in typographic quotes", { baseUrl: "„https://gateway.example“" }, "baseUrl is in quotes: remove them"],
    ["a key in guillemets", { controlKey: "«secret»" }, "controlKey is in quotes: remove them"],
    ["a former key that is a number", { previousControlKey: 7 }, "previousControlKey must be text"],
    ["a former key that is null", { previousControlKey: null }, "previousControlKey must be text"],
    ["a former key in quotes", { previousControlKey: "'secret'" }, "previousControlKey is in quotes: remove them"],
    [
      "the path of a key",
      { privateKey: "/run/secrets/key.pem" },
      "it is the path of a file. Give the text of the file"
    ],
    ["a public key", { privateKey: rsa.publicKey }, "privateKey is a public key; signing needs the private one"],
    ["an elliptic key", { privateKey: elliptic.privateKey }, "privateKey is not an RSA key"],
    [
      "PEM with escaped line feeds",
      { privateKey: rsa.privateKey.replaceAll("\n", "\\n") },
      "it has \\n in the place of line feeds"
    ],
    [
      "PEM in one line",
      { privateKey: rsa.privateKey.replaceAll("\n", " ") },
      "its lines were joined. Keep the line feeds"
    ],
    ["PEM without its end", { privateKey: rsa.privateKey.slice(0, 200) }, "its end is missing"],
    [
      "a key of OpenSSH",
      { privateKey: rsa.privateKey.replaceAll("PRIVATE", "OPENSSH PRIVATE") },
      "ssh-keygen -p -m PEM"
    ],
    ["an endpoint that is a name", { endpointId: "usd" }, "endpointId must be a number"],
    ["another form of amounts", { controlAmount: "cents" }, "controlAmount must be minor or x100"]
  ]
  it.each(rows)("is reported when the client is created: %s", (_, changes, message) => {
    const given: ClientOptions = plainly(options, changes)
    const thrown = caught(() => Pay.client(given))
    assert(thrown instanceof InvalidSettingError)
    assert.include(thrown.message, message)
    assert.notMatch(thrown.message, /secret(?!s)|MII/)
  })

  it.each([
    ["a slash at the end of the address", { baseUrl: "https://gateway.example/paynet//" }],
    ["a line feed after the address", { baseUrl: "https://gateway.example\n" }],
    ["blanks inside the login and the key", { login: "my shop", controlKey: "my key" }],
    [
      "a line feed after the login, the key and the endpoint",
      { login: "shop\n", controlKey: "key\r\n", endpointId: "1\n" }
    ],
    ["a line feed before and after a PEM", { privateKey: `\n${rsa.privateKey}\n` }]
  ])("is not %s", (_, changes) => {
    assert.doesNotThrow(() => Pay.client(plainly(options, changes)))
  })
})

describe("settings that are missing or wrong", () => {
  const variables = [
    "PAY_BASE_URL",
    "PAY_LOGIN",
    "PAY_CONTROL_KEY",
    "PAY_ENDPOINT_ID",
    "PAY_TIMEOUT",
    "PAY_READ_TIMEOUT"
  ]

  const fromEnvironment = (settings: Readonly<Record<string, string>>): string => {
    for (const name of variables) vi.stubEnv(name, settings[name] ?? "")
    const thrown = caught(() => Pay.fromEnv())
    vi.unstubAllEnvs()
    assert(thrown instanceof InvalidSettingError)
    return thrown.message
  }

  it("are reported together if they are missing in the environment", () => {
    assert.include(fromEnvironment({}), "PAY_BASE_URL is not set, and PAY_LOGIN and PAY_CONTROL_KEY are not either")
    const address = { PAY_BASE_URL: "https://gateway.example" }
    assert.include(fromEnvironment({ ...address, PAY_LOGIN: "shop" }), "PAY_CONTROL_KEY is not set.")
  })

  it.each([
    ["PAY_BASE_URL", "gateway", "PAY_BASE_URL must be an absolute http(s) URL"],
    ["PAY_BASE_URL", "http://gateway.example", "allow it with PAY_ALLOW_PLAIN_HTTP=true"],
    ["PAY_ENDPOINT_ID", "one", "PAY_ENDPOINT_ID must be a number"],
    ["PAY_TIMEOUT", "0 seconds", 'PAY_TIMEOUT must be a time above zero, like "30 seconds"'],
    ["PAY_READ_TIMEOUT", "-5 seconds", 'PAY_READ_TIMEOUT must be a time above zero, like "30 seconds"'],
    ["PAY_TIMEOUT", "5", 'PAY_TIMEOUT must be a time above zero, like "30 seconds"']
  ])("are reported by the name of the variable: %s", (name, value, message) => {
    const right = { PAY_BASE_URL: "https://gateway.example", PAY_LOGIN: "shop", PAY_CONTROL_KEY: "key" }
    assert.include(fromEnvironment({ ...right, [name]: value }), message)
  })

  it.each([undefined, null, "shop"])("are reported if the options are %s", (given) => {
    const opened: unknown = caught(() => Reflect.apply(Pay.client, undefined, [given]))
    assert(opened instanceof InvalidSettingError)
    assert.include(opened.message, "The options need an object with baseUrl, login, controlKey")
    const pooled: unknown = caught(() => Reflect.apply(PooledPay.client, undefined, [given]))
    assert(pooled instanceof InvalidSettingError)
  })

  it.each([
    { concurrency: 0 },
    { connectTimeoutMs: "5s" },
    { clientCertificate: "PEM" },
    { clientCertificate: { certificate: "PEM" } }
  ])("are reported for a connection pool: %o", (changes) => {
    const given: PooledOptions = plainly(options, changes)
    const thrown = caught(() => PooledPay.client(given))
    assert(thrown instanceof InvalidSettingError)
    assert.include(thrown.message, Object.keys(changes)[0] ?? "a name")
  })

  it.each([
    [{}, "path must name the file"],
    [{ path: "flows.db" }, "encryptionKey must be 32 bytes in base64"]
  ])("are reported for a file of durable flows: %o", async (changes, message) => {
    const opened: unknown = await Reflect.apply(Durable.open, undefined, [{ ...options, ...changes }]).catch(
      (error: unknown) => error
    )
    assert(opened instanceof InvalidSettingError)
    assert.include(opened.message, message)
  })
})

it.each([
  ["below the default at a gateway of another machine", { quietPeriodMs: 44_999 }],
  ["of no time", { baseUrl: "http://127.0.0.1:8080", quietPeriodMs: 0 }],
  ["that never ends", { quietPeriodMs: Number.POSITIVE_INFINITY }],
  ["in text", { quietPeriodMs: "1 minute" }]
])("a quiet period %s is refused", async (_, changes) => {
  const durable = { ...options, path: "never-made/flows.db", encryptionKey: Buffer.alloc(32).toString("base64") }
  const thrown = await Durable.open(plainly(durable, changes)).catch((error: unknown) => error)
  assert(thrown instanceof InvalidSettingError)
  assert.include(thrown.message, "quietPeriodMs must be at least")
})
