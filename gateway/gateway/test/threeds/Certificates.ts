/** Real certificates for tests (RFC 5280), in minimal DER: issuer, subject, validity and whether it may issue others. */
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto"
import { DateTime } from "effect"

type Bytes = Uint8Array<ArrayBuffer>

const bytes = (...parts: ReadonlyArray<Uint8Array | ReadonlyArray<number>>): Bytes =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

const length = (n: number): ReadonlyArray<number> =>
  n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, Math.floor(n / 256), n % 256]

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array | ReadonlyArray<number>>): Bytes => {
  const content = bytes(...parts)
  return bytes([tag], length(content.length), content)
}

const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const oid = (...body: ReadonlyArray<number>) => der(0x06, body)
const utf8 = (text: string) => der(0x0c, new TextEncoder().encode(text))
const time = (ms: number) =>
  der(0x18, new TextEncoder().encode(DateTime.formatIso(DateTime.makeUnsafe(ms)).replace(/[-:T]|\.\d+/g, "")))

const name = (commonName: string) => sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), utf8(commonName))))
const sha256WithRsa = sequence(oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), der(0x05))
const issuing = der(
  0xa3,
  sequence(sequence(oid(0x55, 0x1d, 0x13), der(0x01, [0xff]), der(0x04, sequence(der(0x01, [0xff])))))
)

export interface Identity {
  readonly name: string
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

interface Options {
  /** The issuing identity. Left out: it is self-signed. */
  readonly by?: Identity
  readonly ca?: boolean
  readonly fromMs?: number
  readonly untilMs?: number
  readonly bits?: number
}

const dayMs = 86_400_000
/** About the time at which the tests' world starts. */
const nowMs = Date.UTC(2026, 10, 21)
let serial = 0

export const identity = (commonName: string, options: Options = {}): Identity => {
  const { by, ca = false, bits = 2048, fromMs = nowMs - dayMs, untilMs = nowMs + 365 * dayMs } = options
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits })
  serial += 1
  const signed = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [serial]),
    sha256WithRsa,
    name(by?.name ?? commonName),
    sequence(time(fromMs), time(untilMs)),
    name(commonName),
    publicKey.export({ type: "spki", format: "der" }),
    ...(ca ? [issuing] : [])
  )
  const signature = sign("sha256", signed, by?.key ?? privateKey)
  const certificate = new X509Certificate(sequence(signed, sha256WithRsa, der(0x03, [0], signature)))
  return { name: commonName, certificate, key: privateKey }
}
