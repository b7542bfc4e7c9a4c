/** Signs requests with the keys of the sandbox's merchant, by the method of each operation. */
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as Canonical from "@pay/schema/Canonical"
import type { Dialect } from "@pay/schema/Dialect"
import type { Operation } from "@pay/schema/Operation"
import * as Scheme from "@pay/schema/Scheme"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import * as RsaKey from "@pay/signing/RsaKey"

export interface Unsigned {
  readonly operation: Operation
  readonly url: string
  readonly endpointId: string
  readonly parameters: ReadonlyArray<Form.Parameter>
  readonly timestampSeconds: number
  readonly nonce: string
}

export interface Signed {
  readonly body: string
  /** The header of OAuth, if the operation is signed with it. */
  readonly authorization?: string
}

export interface MerchantKeys {
  readonly login: string
  readonly controlKey: string
  readonly sign: (request: Unsigned) => Signed
}

/** The merchant of the sandbox whose endpoints speak the dialect. */
export const of = (dialect: Dialect): MerchantKeys => {
  const { controlKey, login, privateKeyPem } = dialect === "json" ? Sandbox.merchant : Sandbox.olderMerchant
  const loaded = RsaKey.privateFromPem(privateKeyPem)
  const keys: Readonly<Record<Scheme.Method, OAuth.SigningKey | undefined>> = {
    "HMAC-SHA1": OAuth.hmac(controlKey),
    "RSA-SHA256": loaded.ok ? OAuth.rsaPrivate(loaded.key) : undefined
  }

  const byControl = ({ recipe }: Scheme.Control, { endpointId, operation, parameters }: Unsigned): Signed => {
    const unsigned = parameters.filter(([name]) => name !== "control")
    const { fields } = Canonical.fields(operation, unsigned)
    const values = Canonical.controlValues(operation, fields, { endpointId, mode: "minor" })
    return { body: Form.write([...unsigned, ["control", Control.sign(recipe, values, controlKey)]]) }
  }

  const byOAuth = ({ methods: [method] }: Scheme.OAuth, request: Unsigned): Signed => {
    const { parameters, url } = request
    const key = keys[method]
    const prepared = key === undefined ? undefined : OAuth.prepare({ method: "POST", url, consumerKey: login }, key)
    return prepared?.ok === true
      ? { body: Form.write(parameters), authorization: prepared.authorize(request) }
      : { body: Form.write(parameters) }
  }

  return {
    login,
    controlKey,
    sign: (request) =>
      Scheme.match(request.operation.signing, {
        Control: (scheme) => byControl(scheme, request),
        OAuth: (scheme) => byOAuth(scheme, request)
      })
  }
}
