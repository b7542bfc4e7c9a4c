/** Signs requests by the method of their operation. Secrets are unwrapped here, once until they change, and are not passed on. */

import * as Blanks from "@pay/schema/Blanks"
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as Scheme from "@pay/schema/Scheme"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import * as RsaKey from "@pay/signing/RsaKey"
import { Clock, Data, Effect, Equal, Redacted, Result } from "effect"
import { notRedacted } from "./Connecting.ts"
import * as Profile from "./Profile.ts"
import { RandomId } from "./RandomId.ts"
import type { RequestForm } from "./RequestForm.ts"
import * as SettingText from "./SettingText.ts"

/**
 * A secret, or an effect that looks it up at each call, so that the secret can change while the client runs: a `Ref`, a cache in
 * front of a key store. The effect runs before each signature, so it should be fast.
 */
export type Secret = Redacted.Redacted<string> | Effect.Effect<Redacted.Redacted<string>>

/** The merchant's login and keys. */
export interface Credentials {
  readonly login: string
  readonly controlKey: Secret
  /** PEM, PKCS#1 or PKCS#8, without a passphrase, at least 2048 bits; needed for operations signed with RSA. */
  readonly privateKey?: Secret | undefined
  /** The form of the amount that `control` covers, which is a setting of the gateway's endpoint. Default `minor`. */
  readonly controlAmount?: Canonical.ControlAmount | undefined
  /**
   * Whether RSA signatures are made on Node's thread pool, beside other work. Default true; false makes them in the calling
   * thread.
   */
  readonly rsaOnPool?: boolean | undefined
}

/** A request that is to be signed. */
export interface Signable {
  readonly operation: Operation
  /** The address to which the request is sent. */
  readonly url: string
  readonly endpointId: string
  readonly form: RequestForm
  /** Has the recipes of `control` that differ from those of the operations. */
  readonly differences: Pick<Profile.Differences, "recipes">
}

/** A signed request: its body, and the header of OAuth if it has one. */
export interface Signed {
  readonly body: string
  /** The value of the header `Authorization`, for OAuth. */
  readonly authorization?: string
}

/** The operation is signed with a key that the credentials do not have. */
export class KeyMissing extends Data.TaggedError("KeyMissing") {
  override readonly message = "the operation is signed with a private key, and the credentials have none"
}

/** A key cannot be used. The message says why, and does not contain the key. */
export class KeyUnusable extends Data.TaggedError("KeyUnusable")<{
  readonly key: "controlKey" | "privateKey"
  readonly reason:
    | RsaKey.Reason
    | { readonly _tag: "NotRedacted" }
    | { readonly _tag: "Text"; readonly problem: string }
}> {
  override get message(): string {
    return this.reason._tag === "Text" ? this.reason.problem : unusable[this.reason._tag]
  }
}

const unusable: Readonly<Record<Exclude<KeyUnusable["reason"]["_tag"], "Text">, string>> = {
  Malformed: "is not a private key in PEM form",
  Encrypted: "is protected by a passphrase; give a key without one",
  NotRsa: "is not an RSA key",
  TooShort: `is shorter than ${RsaKey.MIN_BITS} bits`,
  PrivateKeyGiven: "is a private key where a public one is needed",
  PublicKeyGiven: "is a public key; signing needs the private one",
  NotRedacted: notRedacted
}

/** Signs the requests of one merchant. */
export interface Signer {
  readonly login: string
  /** Signs a request. An OAuth signature has a new time and a new nonce at each call. */
  readonly sign: (request: Signable) => Effect.Effect<Signed, KeyMissing | KeyUnusable>
}

/** Makes a signer with the keys of the credentials. Keys that can change are looked up once now, and again for each signature. */
export const make = (credentials: Credentials): Effect.Effect<Signer, KeyUnusable> => {
  const { controlKey, privateKey } = credentials
  const login = Blanks.trim(credentials.login)
  if (!Effect.isEffect(controlKey) && !Effect.isEffect(privateKey)) {
    const signed = signing(credentials, { controlKey, privateKey })
    return Effect.map(Effect.fromResult(signed), (sign) => ({ login, sign }))
  }
  /** The latest keys and everything that was computed from them. Other keys replace it. */
  let latest: (Keys & { readonly sign: Sign }) | undefined
  const current = Effect.gen(function* () {
    const keys: Keys = {
      controlKey: yield* lookUp(controlKey),
      privateKey: privateKey && (yield* lookUp(privateKey))
    }
    if (latest === undefined || !isSame(latest, keys)) {
      latest = { ...keys, sign: yield* Effect.fromResult(signing(credentials, keys)) }
    }
    return latest.sign
  })
  return Effect.as(current, { login, sign: (request) => Effect.flatMap(current, (sign) => sign(request)) })
}

type Sign = (request: Signable) => Effect.Effect<Signed, KeyMissing>

/** The keys at one moment. */
interface Keys {
  readonly controlKey: Redacted.Redacted<string>
  readonly privateKey: Redacted.Redacted<string> | undefined
}

const lookUp = (secret: Secret): Effect.Effect<Redacted.Redacted<string>> =>
  Effect.isEffect(secret) ? secret : Effect.succeed(secret)

const isSame = (one: Keys, other: Keys): boolean =>
  Equal.equals(one.controlKey, other.controlKey) && Equal.equals(one.privateKey, other.privateKey)

/** Makes a signer with fixed keys. What depends only on them is computed once. */
const signing = (
  { controlAmount: mode = "minor", login: givenLogin, rsaOnPool = true }: Credentials,
  { controlKey: secret, privateKey }: Keys
): Result.Result<Sign, KeyUnusable> => {
  const unusable = (key: KeyUnusable["key"], reason: KeyUnusable["reason"]) =>
    Result.fail(new KeyUnusable({ key, reason }))
  if (!Redacted.isRedacted(secret)) return unusable("controlKey", { _tag: "NotRedacted" })
  const controlKey = Blanks.trim(Redacted.value(secret))
  const login = Blanks.trim(givenLogin)
  const flaw = SettingText.controlKeyFlaw(controlKey)
  if (flaw !== undefined) return unusable("controlKey", { _tag: "Text", problem: flaw })
  if (privateKey !== undefined && !Redacted.isRedacted(privateKey))
    return unusable("privateKey", { _tag: "NotRedacted" })
  const pem = privateKey === undefined ? undefined : Redacted.value(privateKey)
  const loaded = pem === undefined ? undefined : RsaKey.privateFromPem(pem)
  if (loaded?.ok === false) {
    const isMalformed = loaded.reason._tag === "Malformed"
    const problem = SettingText.pemFlaw(pem ?? "", "a private key")
    return unusable("privateKey", isMalformed ? { _tag: "Text", problem } : loaded.reason)
  }
  const keys: Readonly<Record<Scheme.Method, OAuth.SigningKey | undefined>> = {
    "HMAC-SHA1": OAuth.hmac(controlKey),
    "RSA-SHA256": loaded && OAuth.rsaPrivate(loaded.key)
  }
  const controls = new Map<Control.Recipe, ReturnType<typeof Control.compile>>()
  /**
   * The address of the latest call of each operation with its prepared signature. The next call nearly always has the same
   * address.
   */
  const addresses = new Map<Operation, { readonly url: string; readonly prepared: OAuth.Prepared }>()

  const byControl = (scheme: Scheme.Control, { differences, endpointId, form, operation }: Signable): Signed => {
    const recipe = Profile.recipeOf(differences, operation) ?? scheme.recipe
    const sign = controls.get(recipe) ?? Control.compile(recipe)
    controls.set(recipe, sign)
    const control = sign(Canonical.controlValues(operation, form.texts, { endpointId, mode }), controlKey)
    return { body: `${Form.write(form.parameters)}&control=${control}` }
  }

  const preparedFor = ({ operation, url }: Signable, key: OAuth.SigningKey): OAuth.Prepared => {
    const existing = addresses.get(operation)
    if (existing?.url === url) return existing.prepared
    const prepared = OAuth.prepare({ method: "POST", url, consumerKey: login }, key)
    if (!prepared.ok) throw new Error("the address to sign is not an absolute http(s) URL")
    addresses.set(operation, { url, prepared })
    return prepared
  }

  const byOAuth = ({ methods: [method] }: Scheme.OAuth, request: Signable): Effect.Effect<Signed, KeyMissing> =>
    Effect.withFiber((fiber) => {
      const key = keys[method]
      if (key === undefined) return Effect.fail(new KeyMissing())
      const { parameters } = request.form
      const timestampSeconds = Math.floor(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe() / 1000)
      const fields = { parameters, timestampSeconds, nonce: fiber.getRef(RandomId)() }
      const signed = (authorization: string): Signed => ({ body: Form.write(parameters), authorization })
      const prepared = preparedFor(request, key)
      return method === "HMAC-SHA1" || !rsaOnPool
        ? Effect.succeed(signed(prepared.authorize(fields)))
        : Effect.map(
            Effect.promise(() => prepared.authorizeOnPool(fields)),
            signed
          )
    })

  return Result.succeed((request) =>
    Scheme.match(request.operation.signing, {
      Control: (scheme) => Effect.sync(() => byControl(scheme, request)),
      OAuth: (scheme) => byOAuth(scheme, request)
    })
  )
}
