/** How sockets to the gateway are made: TLS, trusted authorities, the merchant's certificate, and a proxy if there is one. */
import "./OldNode.ts"
import { createPrivateKey, X509Certificate } from "node:crypto"
// An older Node has no getCACertificates, and an import of it by name would fail before any module could say so.
import * as tls from "node:tls"
import { Redacted, Result } from "effect"
import { type InvalidSetting, invalid } from "./InvalidSetting.ts"
import * as SettingText from "./SettingText.ts"

/** The certificate with which the client proves its identity to the gateway. */
export interface ClientCertificate {
  /** PEM of the certificate and of the intermediate certificates up to its authority. */
  readonly certificate: string
  /** PEM of the private key, without a passphrase. */
  readonly privateKey: Redacted.Redacted<string>
}

/** The options of a wire for its connections. */
export interface Options {
  /** PEM of certificate authorities to trust beside those of Node, for a gateway inside a private network. */
  readonly certificateAuthority?: string | undefined
  readonly clientCertificate?: ClientCertificate | undefined
  /** An HTTP proxy that tunnels (`CONNECT`): `http://user:password@proxy.example:3128`. */
  readonly proxy?: Redacted.Redacted<string> | undefined
}

export const names = ["certificateAuthority", "clientCertificate", "proxy"] as const satisfies ReadonlyArray<
  keyof Options
>

/** Makes the TLS context once for all connections. `undefined` if the default of Node is enough. */
export const secureContext = ({
  certificateAuthority: authority,
  clientCertificate
}: Options): Result.Result<tls.SecureContext | undefined, InvalidSetting> =>
  Result.gen(function* () {
    if (authority === undefined && clientCertificate === undefined) return undefined
    if (authority !== undefined) {
      const problem = SettingText.pemFlaw(authority, "a certificate")
      yield* readable("certificateAuthority", problem, () => new X509Certificate(authority))
    }
    const trusted = authority === undefined ? {} : { ca: [...tls.getCACertificates("default"), authority] }
    if (clientCertificate === undefined) return tls.createSecureContext(trusted)
    const { certificate: cert, privateKey } = clientCertificate
    if (!Redacted.isRedacted(privateKey))
      return yield* Result.fail(invalid("clientCertificate.privateKey", notRedacted))
    const key = Redacted.value(privateKey)
    const wrongCertificate = SettingText.pemFlaw(cert, "a certificate")
    yield* readable("clientCertificate.certificate", wrongCertificate, () => new X509Certificate(cert))
    const wrongKey = SettingText.pemFlaw(key, "a private key")
    yield* readable("clientCertificate.privateKey", wrongKey, () => createPrivateKey(key))
    return yield* readable("clientCertificate", "has a private key that does not belong to its certificate", () =>
      tls.createSecureContext({ ...trusted, cert, key })
    )
  })

const readable = <A>(setting: string, problem: string, read: () => A): Result.Result<A, InvalidSetting> =>
  Result.try({ try: read, catch: () => invalid(setting, problem) })

/** The message for a secret that was passed as plain text. */
export const notRedacted = "must be Redacted, so that no log can show it: Redacted.make(text)"

/** Returns the address of the proxy. `undefined` if there is none. */
export const proxyOf = ({ proxy }: Options): Result.Result<string | undefined, InvalidSetting> => {
  if (proxy === undefined) return Result.succeed(undefined)
  if (!Redacted.isRedacted(proxy)) return Result.fail(invalid("proxy", notRedacted))
  const url = URL.parse(Redacted.value(proxy))
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return Result.fail(invalid("proxy", "must be the http(s) URL of a proxy"))
  }
  return url.pathname === "/" && url.search === "" && url.hash === ""
    ? Result.succeed(url.href)
    : Result.fail(invalid("proxy", "must have nothing after its host and port"))
}
