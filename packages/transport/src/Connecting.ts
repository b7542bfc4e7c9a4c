/** How sockets to the gateway are made: by TLS, with whom it trusts and who the merchant is, directly or through a proxy. */
import { X509Certificate } from "node:crypto"
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls"
import { Redacted, Result } from "effect"
import { type InvalidSetting, invalid } from "./InvalidSetting.ts"

/** What proves to the gateway who connects. */
export interface ClientCertificate {
  /** PEM, with those that lead to its authority. */
  readonly certificate: string
  /** PEM, without a passphrase. */
  readonly privateKey: Redacted.Redacted<string>
}

export interface Options {
  /** PEM of certificate authorities to trust beside those of Node, for a gateway inside a private network. */
  readonly certificateAuthority?: string
  readonly clientCertificate?: ClientCertificate
  /** An HTTP proxy that tunnels (`CONNECT`): `http://user:password@proxy.example:3128`. */
  readonly proxy?: Redacted.Redacted<string>
}

export const names = ["certificateAuthority", "clientCertificate", "proxy"] as const satisfies ReadonlyArray<
  keyof Options
>

/** Read once, and again by no connection; nothing where Node's own will do. */
export const secureContext = ({
  certificateAuthority: authority,
  clientCertificate
}: Options): Result.Result<SecureContext | undefined, InvalidSetting> =>
  Result.gen(function* () {
    if (authority === undefined && clientCertificate === undefined) return undefined
    if (authority !== undefined) {
      yield* readable("certificateAuthority", "is not a certificate in PEM form", () => new X509Certificate(authority))
    }
    const trusted = authority === undefined ? {} : { ca: [...getCACertificates("default"), authority] }
    if (clientCertificate === undefined) return createSecureContext(trusted)
    const { certificate: cert, privateKey } = clientCertificate
    if (!Redacted.isRedacted(privateKey))
      return yield* Result.fail(invalid("clientCertificate.privateKey", notRedacted))
    return yield* readable("clientCertificate", "is not a certificate and its private key in PEM form", () =>
      createSecureContext({ ...trusted, cert, key: Redacted.value(privateKey) })
    )
  })

const readable = <A>(setting: string, problem: string, read: () => A): Result.Result<A, InvalidSetting> =>
  Result.try({ try: read, catch: () => invalid(setting, problem) })

/** What is wrong with a secret that is plain text. */
export const notRedacted = "must be Redacted, so that no log can show it: Redacted.make(text)"

/** The proxy's address; nothing where there is none. */
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
