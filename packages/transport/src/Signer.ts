/** Signs requests as their operation says. Secrets are unwrapped once, here, and never leave. */

import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as Scheme from "@pay/schema/Scheme"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import * as RsaKey from "@pay/signing/RsaKey"
import { Clock, Data, Effect, Redacted, Result } from "effect"
import { RandomId } from "./RandomId.ts"
import type { RequestForm } from "./RequestForm.ts"

export interface Credentials {
  readonly login: string
  readonly controlKey: Redacted.Redacted<string>
  /** PEM, PKCS#1 or PKCS#8, without a passphrase, at least 2048 bits; needed for operations signed with RSA. */
  readonly privateKey?: Redacted.Redacted<string>
  /** Which form of the amount `control` covers: a setting of the gateway's endpoint. Default `minor`. */
  readonly controlAmount?: Canonical.ControlAmount
}

export interface Signable {
  readonly operation: Operation
  /** The address that is called. */
  readonly url: string
  readonly endpointId: string
  readonly form: RequestForm
}

export interface Signed {
  readonly body: string
  /** For OAuth: the value of the header. */
  readonly authorization?: string
}

/** The operation is signed with a key that the credentials do not have. */
export class KeyMissing extends Data.TaggedError("KeyMissing") {}

/** The PEM text is not a usable private key; the message says why, without the text. */
export class KeyUnusable extends Data.TaggedError("KeyUnusable")<{ readonly reason: RsaKey.Reason }> {
  override get message(): string {
    return unusable[this.reason._tag]
  }
}

const unusable: Readonly<Record<RsaKey.Reason["_tag"], string>> = {
  Malformed: "is not a private key in PEM form",
  Encrypted: "is protected by a passphrase; give a key without one",
  NotRsa: "is not an RSA key",
  TooShort: `is shorter than ${RsaKey.MIN_BITS} bits`,
  PrivateKeyGiven: "is a private key where a public one is needed",
  PublicKeyGiven: "is a public key; signing needs the private one"
}

export interface Signer {
  readonly login: string
  /** Time and nonce are new at each call. RSA runs on the thread pool. */
  readonly sign: (request: Signable) => Effect.Effect<Signed, KeyMissing>
}

export const make = (credentials: Credentials): Result.Result<Signer, KeyUnusable> => {
  const controlKey = Redacted.value(credentials.controlKey)
  const { controlAmount: mode = "minor", login, privateKey } = credentials
  const loaded = privateKey === undefined ? undefined : RsaKey.privateFromPem(Redacted.value(privateKey))
  if (loaded?.ok === false) return Result.fail(new KeyUnusable({ reason: loaded.reason }))
  const keys: Readonly<Record<Scheme.Method, OAuth.SigningKey | undefined>> = {
    "HMAC-SHA1": OAuth.hmac(controlKey),
    "RSA-SHA256": loaded && OAuth.rsaPrivate(loaded.key)
  }
  const controls = new Map<Control.Recipe, ReturnType<typeof Control.compile>>()
  /** For each operation the address it was last called at, which is nearly always the next one too. */
  const addresses = new Map<Operation, { readonly url: string; readonly compiled: OAuth.Compiled }>()

  const byControl = ({ recipe }: Scheme.Control, { operation, endpointId, form }: Signable): Signed => {
    const sign = controls.get(recipe) ?? Control.compile(recipe)
    controls.set(recipe, sign)
    const control = sign(Canonical.controlValues(operation, form.texts, { endpointId, mode }), controlKey)
    return { body: `${Form.write(form.parameters)}&control=${control}` }
  }

  const prepared = ({ operation, url }: Signable, key: OAuth.SigningKey): OAuth.Compiled => {
    const known = addresses.get(operation)
    if (known?.url === url) return known.compiled
    const names = [...operation.infos.keys()]
    const compiled = OAuth.compile({ method: "POST", url, consumerKey: login, key, names })
    if (!compiled.ok) throw new Error("the address to sign is not an absolute http(s) URL")
    addresses.set(operation, { url, compiled })
    return compiled
  }

  const byOAuth = ({ methods: [method] }: Scheme.OAuth, request: Signable): Effect.Effect<Signed, KeyMissing> =>
    Effect.withFiber((fiber) => {
      const key = keys[method]
      if (key === undefined) return Effect.fail(new KeyMissing())
      const { parameters } = request.form
      const seconds = Math.floor(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe() / 1000)
      const nonce = fiber.getRef(RandomId)()
      const signed = (authorization: string): Signed => ({ body: Form.write(parameters), authorization })
      const operation = prepared(request, key)
      return method === "HMAC-SHA1"
        ? Effect.succeed(signed(operation.authorize(parameters, seconds, nonce)))
        : Effect.map(
            Effect.promise(() => operation.authorizeOnPool(parameters, seconds, nonce)),
            signed
          )
    })

  return Result.succeed({
    login,
    sign: (request) =>
      Scheme.match(request.operation.signing, {
        Control: (scheme) => Effect.sync(() => byControl(scheme, request)),
        OAuth: (scheme) => byOAuth(scheme, request)
      })
  })
}
