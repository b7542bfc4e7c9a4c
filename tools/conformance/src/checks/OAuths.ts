/** Checks of OAuth signatures, for every operation that is signed with OAuth, by both methods. */
import { generateKeyPairSync } from "node:crypto"
import type { Operation } from "@pay/schema/Operation"
import type * as Scheme from "@pay/schema/Scheme"
import { Effect } from "effect"
import * as AcceptedRequests from "../AcceptedRequests.ts"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import type { Options } from "../Draft.ts"
import * as Expect from "../Expect.ts"
import { call, dialectOf, Gateway } from "../Gateway.ts"
import * as Samples from "../Samples.ts"

const clause = "docs/specification.md#oauth"
const windows = "docs/assumptions.md#timestamps-and-nonces"

const make = (
  operation: Operation,
  id: string,
  title: string,
  program: Check.Program,
  under: Check.Clause = clause
): Check.Check =>
  Check.make({
    id: `oauth/${operation.command}/${id}`,
    title: `${operation.command} ${title}`,
    clause: under,
    needs: [...Capability.operation(operation), Capability.rsa],
    program
  })

/** Makes a key that no merchant has. */
const makeOtherKey = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  }).privateKey

let otherKey: string | undefined

type Rewrite = (header: string) => string | undefined

/** Replaces the value of a parameter of the header. */
const header =
  (name: string, text: string): Rewrite =>
  (authorization) =>
    authorization
      .split(",")
      .map((part) => (part.replace("OAuth", "").trim().startsWith(`${name}=`) ? changed(part, name, text) : part))
      .join(",")

const changed = (part: string, name: string, text: string): string =>
  `${part.slice(0, part.indexOf(name))}${name}="${text}"`

const take = (operation: Operation, options: Options, extra: Readonly<Record<string, string>> = {}) =>
  AcceptedRequests.send(
    operation,
    (fields) => ({ ...fields, ...extra }),
    (fields, endpointId) => call(operation, fields, endpointId === undefined ? options : { ...options, endpointId })
  )

const otherMethod = (methods: Scheme.OAuth["methods"]): Scheme.Method | undefined =>
  (["HMAC-SHA1", "RSA-SHA256"] as const).find((method) => !methods.includes(method))

/** Text that encoders often get wrong: a space, characters that are not encoded, characters that are, and letters outside ASCII. */
const awkward = "a b+c&d=e%20f~g*h!i'(j) é€😀"

const wrong = (operation: Operation, methods: Scheme.OAuth["methods"]): ReadonlyArray<Check.Check> => [
  make(
    operation,
    "wrong",
    "refuses a signature of another key, and a signature of another request",
    Effect.gen(function* () {
      otherKey ??= makeOtherKey()
      const refuse = Effect.fnUntraced(function* (what: string, options: Options) {
        const reply = yield* call(operation, yield* Samples.request(operation), options)
        yield* Expect.refused(reply, "oauthSignatureInvalid", undefined, what)
      })
      yield* refuse("with another key's signature", { key: "another key", privateKey: otherKey })
      yield* refuse("with a field changed after signing", { change: (all) => [...all, ["not-a-field", "1"]] })
      yield* refuse("signed for another address", { oauth: { signedBaseUrl: "https://gateway.invalid" } })
      yield* refuse("with another consumer", { oauth: { consumerKey: "unknown" } })
      yield* refuse("with a changed nonce", { authorization: header("oauth_nonce", "changed") })
      yield* refuse("with an empty signature", { authorization: header("oauth_signature", "AA%3D%3D") })
      if ((yield* dialectOf) === "json") yield* refuse("at an unknown endpoint", { endpointId: "9223372036854775807" })
    })
  ),
  make(
    operation,
    "header",
    "is refused without the header Authorization, and with a malformed one",
    Effect.gen(function* () {
      const send = (authorization: Rewrite) =>
        Effect.flatMap(Samples.request(operation), (fields) => call(operation, fields, { authorization }))
      yield* Expect.refused(yield* send(() => undefined), "authorizationRequired", undefined, "without the header")
      for (const text of ["Bearer x", "OAuth", "OAuth oauth_nonce=1", 'OAuth oauth_nonce="1"'])
        yield* Expect.refused(yield* send(() => text), "oauthMalformed", undefined, `with ${text}`)
      const twice = yield* send((text) => `${text}, oauth_nonce="2"`)
      yield* Expect.refused(twice, "oauthMalformed", undefined, "with oauth_nonce twice")
    }),
    "docs/assumptions.md#refusals"
  ),
  make(
    operation,
    "method",
    `refuses a signature by another method than ${methods.join(" and ")}`,
    Effect.gen(function* () {
      const method = otherMethod(methods)
      if (method !== undefined) {
        const reply = yield* call(operation, yield* Samples.request(operation), { oauth: { method } })
        yield* Expect.refused(reply, "oauthMethodUnsupported", undefined, `signed with ${method}`)
      }
      const fields = yield* Samples.request(operation)
      const plain = yield* call(operation, fields, { authorization: header("oauth_signature_method", "PLAINTEXT") })
      yield* Expect.refused(plain, "oauthMethodUnsupported", undefined, "signed with PLAINTEXT")
    }),
    "docs/assumptions.md#oauth"
  )
]

const accepted = (operation: Operation, methods: Scheme.OAuth["methods"]): ReadonlyArray<Check.Check> => [
  make(
    operation,
    "awkward",
    "accepts spaces, reserved characters and non-ASCII letters in signed fields, and signed query parameters",
    Effect.gen(function* () {
      const { reply } = yield* take(operation, { query: "?q=a%20b&r=%2B" }, { "not-a-field": awkward })
      yield* Expect.answered(operation, reply)
    })
  ),
  make(
    operation,
    "body",
    "accepts oauth parameters repeated in the body, and refuses those that differ",
    Effect.gen(function* () {
      const repeat: Options = { change: (all) => [...all, ["oauth_version", "1.0"]] }
      const { reply } = yield* take(operation, repeat)
      yield* Expect.answered(operation, reply)
      const other: Options = { change: (all) => [...all, ["oauth_version", "2.0"]] }
      const differing = yield* call(operation, yield* Samples.request(operation), other)
      yield* Expect.refusedSomehow(differing, "with another oauth_version in the body")
    }),
    "docs/assumptions.md#oauth"
  ),
  ...(methods.length > 1
    ? [
        make(
          operation,
          "second-method",
          `also accepts ${methods[1]}`,
          Effect.gen(function* () {
            const [, method = methods[0]] = methods
            const { reply } = yield* take(operation, { oauth: { method } })
            yield* Expect.answered(operation, reply)
          }),
          "docs/assumptions.md#oauth"
        )
      ]
    : [])
]

const replay = (operation: Operation): ReadonlyArray<Check.Check> => [
  make(
    operation,
    "time",
    "refuses a timestamp that differs by 400 s",
    Effect.gen(function* () {
      for (const aheadSeconds of [-400, 400]) {
        const reply = yield* call(operation, yield* Samples.request(operation), { oauth: { aheadSeconds } })
        yield* Expect.refused(reply, "timestampSkewed", undefined, `dated ${aheadSeconds} s ahead`)
      }
      const { reply } = yield* take(operation, { oauth: { aheadSeconds: -240 } })
      yield* Expect.answered(operation, reply)
    }),
    windows
  ),
  make(
    operation,
    "nonce",
    "accepts a nonce once, and does not count the nonces of requests with a wrong signature",
    Effect.gen(function* () {
      const { freshId } = yield* Gateway
      const nonce = freshId()
      const spoiled = yield* call(operation, yield* Samples.request(operation), {
        oauth: { nonce },
        change: (all) => [...all, ["not-a-field", "1"]]
      })
      yield* Expect.refused(spoiled, "oauthSignatureInvalid", undefined, "with a wrong signature")
      const first = yield* call(operation, yield* Samples.request(operation), { oauth: { nonce } })
      const isNew = Expect.textOf(first.body ?? {}, "error-code") !== "45" && first.status !== 401
      yield* Expect.that(isNew, `a nonce of an unverified request counts as used: ${Expect.shown(first)}`)
      const again = yield* call(operation, yield* Samples.request(operation), { oauth: { nonce } })
      yield* Expect.refused(again, "nonceUsed", undefined, "with a used nonce")
      const long = yield* call(operation, yield* Samples.request(operation), { oauth: { nonce: "n".repeat(129) } })
      yield* Expect.refusedSomehow(long, "with a nonce of 129 characters")
    }),
    windows
  )
]

/** Returns all checks of an operation that is signed with OAuth, and none for other operations. */
export const of = (operation: Operation): ReadonlyArray<Check.Check> => {
  if (operation.signing._tag !== "OAuth") return []
  const { methods } = operation.signing
  return [...wrong(operation, methods), ...accepted(operation, methods), ...replay(operation)]
}
