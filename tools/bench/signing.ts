/** Measures signing, relative to the necessary calls of `node:crypto` alone, and relative to another library. */
import * as crypto from "node:crypto"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as BaseString from "@pay/signing/BaseString"
import * as Control from "@pay/signing/Control"
import type { Parameter } from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import PeerOAuth from "oauth-1.0a"
import * as Measure from "./Measure.ts"

/** Requests differ from call to call, so that no side profits from strings that the engine has cached. */
const VARIANTS = 64
const variants = Array.from({ length: VARIANTS }, (_, index) => index)
const at = <A>(items: ReadonlyArray<A>, turn: number): A => {
  const item = items[turn % VARIANTS]
  if (item === undefined) throw new Error("as many items as variants are needed")
  return item
}
/** Returns a string in contiguous memory, like a string that comes from a socket. */
const flat = (text: string): string => Buffer.from(text).toString()

const controlKey = flat("B17F59B4-A7DC-41B4-8FF9-37D986B43D20")
const { privateKey, publicKey } = crypto.generateKeyPairSync("rsa", { modulusLength: 2048 })
const consumerKey = "merchantlogin"
const timestampSeconds = 1_669_966_913

const control = async (): Promise<Measure.Row> => {
  const values: ReadonlyArray<Control.Values> = variants.map((index) => ({
    endpointId: flat("1111"),
    client_orderid: flat(`902B4F${index + 10}`),
    amount: flat(String(1042 + index)),
    email: flat(`john.smith${index + 10}@gmail.com`),
    currency: "USD",
    order_desc: "two chairs"
  }))
  const ready = values.map((value) => flat(Control.preimage(Control.recipes.sale, value, controlKey)))
  const sign = Control.compile(Control.recipes.sale)
  // A real process uses all recipes, so the engine must compile this code for all of them.
  for (const other of Object.values(Control.recipes).map(Control.compile)) {
    for (const value of values) other(value, controlKey)
  }
  const comparison = await Measure.compare({
    ours: Measure.each((turn) => sign(at(values, turn), controlKey)),
    baseline: Measure.each((turn) => crypto.hash("sha1", at(ready, turn)))
  })
  return Measure.times(
    { id: "S1", measure: "control of a sale / crypto.hash of the ready text", limit: { atMost: 1.3, aim: 1.15 } },
    comparison
  )
}

/** Requests of one operation: v2 payout with twelve fields, and transfer-by-ref as in the specification's example. */
interface Sample {
  readonly url: string
  readonly fields: ReadonlyArray<ReadonlyArray<Parameter>>
}

const payout: Sample = {
  url: "https://gateway.example/paynet/api/v2/payout/1111",
  fields: variants.map((index) => [
    ["client_orderid", flat(`902B4FF5-${index + 10}`)],
    ["amount", flat(`${100 + index}.42`)],
    ["currency", "USD"],
    ["order_desc", flat(`Two chairs & a table, order ${index + 10}`)],
    ["account_number", flat(`4081781009991000${4000 + index}`)],
    ["account_name", flat("José Ångström")],
    ["bank_name", "First Example Bank"],
    ["bank_branch", "Main street branch (1)"],
    ["routing_number", "044525225"],
    ["phone", "+1 202 555 0143"],
    ["email", flat(`john.smith${index + 10}@gmail.com`)],
    ["server_callback_url", flat(`https://shop.example/callbacks/pay?order=902B4FF5-${index + 10}`)]
  ])
}

const transferByRef: Sample = {
  url: "https://gateway.example/paynet/api/v4/transfer-by-ref/1111",
  fields: variants.map((index) => [
    ["client-order-id", flat(`902B4FF5-${index + 10}`)],
    ["amount", flat(`${100 + index}.42`)],
    ["currency", "USD"],
    ["order_desc", flat(`Two chairs & a table, order ${index + 10}`)],
    ["destination-card-no", flat(`444400002222${4000 + index}`)]
  ])
}

const nonces = variants.map(() => crypto.randomUUID())

/** Returns the texts to be signed, built by the general code path. */
const baseStrings = ({ url, fields }: Sample, method: OAuth.Method): ReadonlyArray<string> =>
  variants.map((turn) => {
    const protocol: ReadonlyArray<Parameter> = [
      ["oauth_consumer_key", consumerKey],
      ["oauth_nonce", at(nonces, turn)],
      ["oauth_signature_method", method],
      ["oauth_timestamp", String(timestampSeconds)],
      ["oauth_version", "1.0"]
    ]
    return flat(BaseString.make({ method: "POST", url, parameters: [...at(fields, turn), ...protocol] }) ?? "")
  })

/** Returns the header of a request by its number. */
const authorizing = ({ url, fields }: Sample, key: OAuth.SigningKey) => {
  const prepared = OAuth.prepare({ method: "POST", url, consumerKey }, key)
  if (!prepared.ok) throw new Error("the address of the sample is malformed")
  const requests = variants.map((turn) => ({ parameters: at(fields, turn), timestampSeconds, nonce: at(nonces, turn) }))
  return {
    authorize: (turn: number) => prepared.authorize(at(requests, turn)),
    authorizeOnPool: (turn: number) => prepared.authorizeOnPool(at(requests, turn))
  }
}

const hmac = async (): Promise<ReadonlyArray<Measure.Row>> => {
  const { url, fields } = payout
  const operation = authorizing(payout, OAuth.hmac(controlKey))
  const ours = Measure.each((turn) => operation.authorize(turn))
  const ready = baseStrings(payout, "HMAC-SHA1")
  const secret = crypto.createSecretKey(Buffer.from(`${controlKey}&`))
  const raw = await Measure.compare({
    ours,
    baseline: Measure.each((turn) => crypto.createHmac("sha1", secret).update(at(ready, turn)).digest("base64"))
  })

  const peer = new PeerOAuth({
    consumer: { key: consumerKey, secret: controlKey },
    signature_method: "HMAC-SHA1",
    hash_function: (text, key) => crypto.createHmac("sha1", key).update(text).digest("base64")
  })
  const records = fields.map((list) => Object.fromEntries(list))
  const against = await Measure.compare({
    ours,
    baseline: Measure.each((turn) => peer.toHeader(peer.authorize({ method: "POST", url, data: at(records, turn) })))
  })
  return [
    Measure.times(
      {
        id: "S2",
        measure: "OAuth HMAC-SHA1 header from 12 fields / createHmac of the ready base string",
        limit: { atMost: 2.2, aim: 1.75 }
      },
      raw
    ),
    Measure.row({
      id: "S3",
      measure: "oauth-1.0a / ours, the same header",
      ours: Measure.micros(against.oursMicros),
      baseline: Measure.micros(against.baselineMicros),
      ratio: against.baselineMicros / against.oursMicros,
      limit: { atLeast: 4, aim: 5 }
    })
  ]
}

const signRsa = async (): Promise<Measure.Row> => {
  const operation = authorizing(transferByRef, OAuth.rsaPrivate(privateKey))
  const ready = baseStrings(transferByRef, "RSA-SHA256").map((text) => Buffer.from(text))
  const comparison = await Measure.compare({
    ours: Measure.each((turn) => operation.authorize(turn)),
    baseline: Measure.each((turn) => crypto.sign("sha256", at(ready, turn), privateKey))
  })
  return Measure.times(
    {
      id: "S4 sign",
      measure: "OAuth RSA-SHA256 header of a transfer-by-ref / crypto.sign, cached key",
      limit: { atMost: 1.05, aim: 1.03 }
    },
    comparison
  )
}

const verifyRsa = async (): Promise<ReadonlyArray<Measure.Row>> => {
  const ready = baseStrings(transferByRef, "RSA-SHA256").map((text) => Buffer.from(text))
  const signatures = ready.map((text) => crypto.sign("sha256", text, privateKey))
  const operation = authorizing(transferByRef, OAuth.rsaPrivate(privateKey))
  const requests = variants.map(
    (turn): OAuth.Received => ({
      method: "POST",
      url: transferByRef.url,
      authorization: flat(operation.authorize(turn)),
      parameters: at(transferByRef.fields, turn)
    })
  )
  const read = (turn: number): OAuth.Claim => {
    const parsed = OAuth.parse(at(requests, turn))
    if (!parsed.ok) throw new Error("a good request was refused")
    return parsed.claim
  }
  const key = OAuth.rsaPublic(publicKey)
  const time = { nowSeconds: timestampSeconds, toleranceSeconds: 300 }
  const verify = (claim: OAuth.Claim) => {
    if (!OAuth.verify(claim, key, time).ok) throw new Error("a good signature was refused")
  }
  const claims = variants.map(read)
  const raw = Measure.each((turn) => crypto.verify("sha256", at(ready, turn), publicKey, at(signatures, turn)))

  const verifying = await Measure.compare({ ours: Measure.each((turn) => verify(at(claims, turn))), baseline: raw })
  const reading = await Measure.compare({ ours: Measure.each((turn) => verify(read(turn))), baseline: raw })
  return [
    Measure.times(
      {
        id: "S4 verify",
        measure: "OAuth RSA-SHA256 verification of a transfer-by-ref / crypto.verify, cached key",
        limit: { atMost: 1.15, aim: 1.1 }
      },
      verifying
    ),
    Measure.times(
      {
        id: "S4 read",
        measure: "the same with the header read / crypto.verify, cached key",
        limit: { atMost: 1.5, aim: 1.25 }
      },
      reading
    )
  ]
}

const pool = async (): Promise<Measure.Row> => {
  const operation = authorizing(transferByRef, OAuth.rsaPrivate(privateKey))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const onPool = Measure.inFlight(16, (turn) => operation.authorizeOnPool(turn))
  const { oursMicros, baselineMicros } = await Measure.compare(
    {
      ours: async (times) => {
        delay.enable()
        await onPool(times)
        delay.disable()
      },
      baseline: Measure.each((turn) => operation.authorize(turn))
    },
    { repetitions: 9, repetitionMillis: 150, clock: Measure.wallMicros }
  )
  const waitMillis = delay.percentile(99) / 1e6
  return Measure.row({
    id: "S5",
    measure: `RSA headers with 16 in flight / one by one (meanwhile the event loop waits ${waitMillis.toFixed(1)} ms at p99)`,
    ours: `${(1e6 / oursMicros).toFixed(0)}/s`,
    baseline: `${(1e6 / baselineMicros).toFixed(0)}/s`,
    ratio: baselineMicros / oursMicros,
    limit: { atLeast: 1.6, aim: 1.75 }
  })
}

const benchmark: Measure.Benchmark = {
  id: "S",
  title: "Signing",
  run: async () => {
    // Verification runs first, because a gateway verifies but does not sign, and the engine optimizes shared code for its first
    // uses.
    const verified = await verifyRsa()
    return [await control(), ...(await hmac()), await signRsa(), ...verified, await pool()]
  }
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
