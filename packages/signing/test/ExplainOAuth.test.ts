import { constants, createHash, createHmac, generateKeyPairSync, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Explain from "../src/explain/Explain.ts"
import type { Parameter } from "../src/Form.ts"
import type * as OAuth from "../src/OAuth.ts"
import * as OAuthHeader from "../src/OAuthHeader.ts"

const controlKey = "B17F59B4-A7DC-41B4-8FF9-37d986b43d20"
const sandboxKey = "00000000-SAND-BOX0-0000-000000000000"
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
const otherRsa = generateKeyPairSync("rsa", { modulusLength: 2048 })

const query: ReadonlyArray<Parameter> = [["trace", "a b"]]
const body: ReadonlyArray<Parameter> = [
  ["client-order-id", "902B4FF5"],
  ["client_note", "it's (new) ~50%*"],
  ["amount", "10.42"],
  ["Zone", ""],
  ["order_desc", "Two chairs & José"],
  ["destination-card-no", "4444000022224444"]
]
const protocol = (method: OAuth.Method): ReadonlyArray<Parameter> => [
  ["oauth_version", "1.0"],
  ["oauth_consumer_key", "merchantlogin"],
  ["oauth_nonce", "y3ql/vMPky7g"],
  ["oauth_signature_method", method],
  ["oauth_timestamp", "1669966913"]
]

/** An independent signer: each option is a place where merchants go wrong. */
interface Steps {
  readonly method: string
  readonly address: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly encode: (text: string) => string
  readonly sort: (left: string, right: string) => number
  readonly whole: (text: string) => string
}
const rfc3986 = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
const bytes = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
const unsorted = () => 0

const all = (method: OAuth.Method) => [...query, ...body, ...protocol(method)]
const base = (change: Partial<Steps> = {}, oauthMethod: OAuth.Method = "HMAC-SHA1"): string => {
  const steps: Steps = {
    method: "POST",
    address: "https://gateway.example/api/v2/payout/1111",
    parameters: all(oauthMethod),
    encode: rfc3986,
    sort: bytes,
    whole: rfc3986,
    ...change
  }
  const parameters = steps.parameters
    .map(([name, value]) => [steps.encode(name), steps.encode(value)] as const)
    .toSorted((left, right) => steps.sort(left[0], right[0]))
    .map((pair) => pair.join("="))
    .join("&")
  return [steps.method, steps.whole(steps.address), steps.whole(parameters)].join("&")
}

const mac = (text: string | Buffer, secret = `${controlKey}&`, hash = "sha1") => createHmac(hash, secret).update(text)
const hmac = (change: Partial<Steps>) => mac(base(change)).digest("base64")
const keyed = (secret: string) => mac(base(), secret).digest("base64")
const rsaBase = base({}, "RSA-SHA256")
const rsaSign = (hash: string, key = rsa.privateKey) => sign(hash, Buffer.from(rsaBase), key)
const rsaPss = sign("sha256", Buffer.from(rsaBase), { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING })
const latin1 = (text: string) => rfc3986(text).replaceAll("%C3%A9", "%E9")
const without = (...names: ReadonlyArray<string>) => all("HMAC-SHA1").filter(([name]) => !names.includes(name))
const folded = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, "g"))?.join("\n") ?? ""

const request = (method: OAuth.Method, received: string, change: Partial<Explain.OAuthQuestion["request"]> = {}) => ({
  method: "POST",
  url: "https://Gateway.example/api/v2/payout/1111?trace=a%20b",
  parameters: body,
  authorization: OAuthHeader.write([...protocol(method), ["oauth_signature", received]], "merchants"),
  ...change
})

type Question = Omit<Explain.OAuthQuestion, "request">
const hmacQuestion: Question = {
  expected: "HMAC-SHA1",
  controlKey,
  publicKey: rsa.publicKey,
  otherIds: ["2222"],
  otherKeys: [{ label: "the sandbox key", key: sandboxKey }],
  otherPublicKeys: [{ label: "the key of the sandbox", publicKey: otherRsa.publicKey }]
}
const rsaQuestion: Question = { ...hmacQuestion, expected: "RSA-SHA256" }

/** Each mistake made by hand: what a merchant's code would have sent. */
const madeHmac: ReadonlyArray<readonly [mistake: string, received: string]> = [
  ["body-missing", hmac({ parameters: [...query, ...protocol("HMAC-SHA1")] })],
  ["query-missing", hmac({ parameters: [...body, ...protocol("HMAC-SHA1")] })],
  ["protocol-missing", hmac({ parameters: [...query, ...body] })],
  ["parameter-missing", hmac({ parameters: without("oauth_version") })],
  ["parameter-missing", hmac({ parameters: without("amount") })],
  ["empty-missing", hmac({ parameters: without("Zone") })],
  ["signature-included", hmac({ parameters: [...all("HMAC-SHA1"), ["oauth_signature", ""]] })],
  ["protocol-twice", hmac({ parameters: [...all("HMAC-SHA1"), ...protocol("HMAC-SHA1")] })],
  ["realm-included", hmac({ parameters: [...all("HMAC-SHA1"), ["realm", "merchants"]] })],
  ["encoding-missing", hmac({ encode: (text) => text })],
  ["encoding-double", hmac({ encode: (text) => rfc3986(rfc3986(text)) })],
  ["space-as-plus", hmac({ encode: (text) => rfc3986(text).replaceAll("%20", "+") })],
  ["space-as-plus", hmac({ encode: (text) => new URLSearchParams({ "": text }).toString().slice(1) })],
  ["reserved-unescaped", hmac({ encode: encodeURIComponent })],
  ["reserved-unescaped", hmac({ encode: (text) => rfc3986(text).replaceAll("~", "%7E") })],
  ["hex-lower", hmac({ encode: (text) => rfc3986(text).replace(/%../g, (triplet) => triplet.toLowerCase()) })],
  ["character-set", hmac({ encode: latin1 })],
  ["not-sorted", hmac({ sort: unsorted })],
  ["not-sorted", hmac({ sort: unsorted, parameters: [...protocol("HMAC-SHA1"), ...query, ...body] })],
  ["sorted-by-language", hmac({ sort: (left, right) => left.localeCompare(right, "en") })],
  ["sorted-by-language", hmac({ sort: (left, right) => bytes(left.toLowerCase(), right.toLowerCase()) })],
  ["http-method", hmac({ method: "GET" })],
  ["http-method", hmac({ method: "post" })],
  ["host-case", hmac({ address: "https://Gateway.example/api/v2/payout/1111" })],
  ["default-port", hmac({ address: "https://gateway.example:443/api/v2/payout/1111" })],
  ["scheme", hmac({ address: "http://gateway.example/api/v2/payout/1111" })],
  ["query-in-address", hmac({ address: "https://gateway.example/api/v2/payout/1111?trace=a%20b" })],
  ["slash-at-end", hmac({ address: "https://gateway.example/api/v2/payout/1111/" })],
  ["address-incomplete", hmac({ address: "/api/v2/payout/1111" })],
  ["address-incomplete", hmac({ address: "https://gateway.example/api/v2/payout" })],
  ["endpoint-or-group", hmac({ address: "https://gateway.example/api/v2/payout/2222" })],
  ["parts-not-encoded", hmac({ whole: (text) => text })],
  ["ampersand-missing", keyed(controlKey)],
  ["token-secret", keyed(`${controlKey}&${controlKey}`)],
  ["token-secret", keyed(`merchantlogin&${controlKey}`)],
  ["key-other", keyed(`${sandboxKey}&`)],
  ["key-line-end", keyed(`${controlKey}%0A&`)],
  ["key-blank", keyed(`%20${controlKey}&`)],
  ["key-quoted", keyed(`%22${controlKey}%22&`)],
  ["key-case", keyed(`${controlKey.toUpperCase()}&`)],
  ["key-without-hyphens", keyed(`${controlKey.replaceAll("-", "")}&`)],
  ["key-missing", keyed("&")],
  ["hash-other", mac(base(), undefined, "sha256").digest("base64")],
  ["rsa-for-hmac", sign("sha256", Buffer.from(base()), rsa.privateKey).toString("base64")],
  ["hash-without-key", createHash("sha1").update(base()).digest("base64")],
  ["plaintext", `${controlKey}&`],
  ["hex", mac(base()).digest("hex")],
  ["base64-of-hex", Buffer.from(mac(base()).digest("hex")).toString("base64")],
  ["base64url", mac(base()).digest("base64url")],
  ["base64-lines", `${mac(base()).digest("base64")}\n`],
  ["signature-encoding", rfc3986(mac(base()).digest("base64"))]
]
const madeRsa: ReadonlyArray<readonly [mistake: string, received: string]> = [
  ["public-key-other", rsaSign("sha256", otherRsa.privateKey).toString("base64")],
  ["hash-other", rsaSign("sha1").toString("base64")],
  ["hmac-for-rsa", mac(rsaBase).digest("base64")],
  ["hmac-for-rsa", mac(rsaBase, undefined, "sha256").digest("base64")],
  ["rsa-pss", rsaPss.toString("base64")],
  ["hex", rsaSign("sha256").toString("hex").toUpperCase()],
  ["base64url", rsaSign("sha256").toString("base64url")],
  ["base64-lines", folded(rsaSign("sha256").toString("base64"), 76)],
  ["base64-lines", `${folded(rsaSign("sha256").toString("base64"), 64)}\n`],
  ["signature-encoding", rfc3986(rsaSign("sha256").toString("base64"))],
  [
    "scheme",
    sign(
      "sha256",
      Buffer.from(base({ address: "http://gateway.example/api/v2/payout/1111" }, "RSA-SHA256")),
      rsa.privateKey
    ).toString("base64")
  ]
]
const made = [
  ...madeHmac.map(([mistake, received]) => [mistake, hmacQuestion, received] as const),
  ...madeRsa.map(([mistake, received]) => [mistake, rsaQuestion, received] as const)
]

const explain = (question: Question, received: string) =>
  Explain.oauth({ ...question, request: request(question.expected, received) })
const ids = (explanation: Explain.OAuthExplanation): ReadonlyArray<string> =>
  explanation._tag === "Explained"
    ? explanation.findings.map(({ mistakes }) => mistakes.map(({ id }) => id).join(" and "))
    : [explanation._tag]

describe("Explain.oauth", () => {
  it.each(made)("names the mistake %s (%#), and repeats no key and no value", (mistake, question, received) => {
    const explanation = explain(question, received)
    expect(ids(explanation)).toContain(mistake)
    const report = JSON.stringify(explanation).toLowerCase()
    for (const secret of [controlKey, sandboxKey, controlKey.replaceAll("-", ""), "chairs", "4444000022224444"]) {
      expect(report).not.toContain(secret.toLowerCase())
    }
  })

  it("accepts the right signature", () => {
    expect(explain(hmacQuestion, hmac({}))).toEqual({ _tag: "Correct" })
    expect(explain(rsaQuestion, rsaSign("sha256").toString("base64"))).toEqual({ _tag: "Correct" })
  })

  it("names a port that is missing, also if the host is written in mixed case", () => {
    const url = "https://Gateway.example:8443/api/v2/payout/1111?trace=a%20b"
    const received = hmac({ address: "https://gateway.example/api/v2/payout/1111" })
    const question = { ...hmacQuestion, request: request("HMAC-SHA1", received, { url }) }
    expect(ids(Explain.oauth(question))).toEqual(["default-port"])
  })

  it("recognizes a signature in which + became a space", () => {
    const withPlus = Array.from({ length: 50 }, (_, index) => `n${index}`)
      .map((nonce) => {
        const parameters = all("HMAC-SHA1").map(
          ([name, value]): Parameter => [name, name === "oauth_nonce" ? nonce : value]
        )
        return { nonce, signature: hmac({ parameters }) }
      })
      .find(({ signature }) => signature.includes("+"))
    const { nonce = "", signature = "" } = withPlus ?? {}
    const header = protocol("HMAC-SHA1").map(
      ([name, value]): Parameter => [name, name === "oauth_nonce" ? nonce : value]
    )
    const authorization = OAuthHeader.write([...header, ["oauth_signature", signature.replaceAll("+", " ")]])
    const question = { ...hmacQuestion, request: request("HMAC-SHA1", "", { authorization }) }
    expect(ids(Explain.oauth(question))).toEqual(["signature-encoding"])
  })

  it.each([
    [
      "space-as-plus and ampersand-missing",
      mac(base({ encode: (text) => rfc3986(text).replaceAll("%20", "+") }), controlKey).digest("base64")
    ],
    [
      "scheme and hash-other",
      mac(base({ address: "http://gateway.example/api/v2/payout/1111" }), undefined, "sha256").digest("base64")
    ],
    ["not-sorted and hex", mac(base({ sort: unsorted })).digest("hex")]
  ])("names two mistakes that were made together: %s", (mistakes, received) => {
    expect(ids(explain(hmacQuestion, received))).toContain(mistakes)
  })

  it("needs only the request and a key", () => {
    const received = hmac({ method: "GET" })
    expect(ids(Explain.oauth({ expected: "HMAC-SHA1", controlKey, request: request("HMAC-SHA1", received) }))).toEqual([
      "http-method"
    ])
    expect(Explain.oauth({ expected: "RSA-SHA256", request: request("RSA-SHA256", "AAAA") })._tag).toBe("Unexplained")
  })

  it("answers Unexplained if no known mistake gives the signature", () => {
    expect(explain(hmacQuestion, createHash("sha1").update("x").digest("base64"))._tag).toBe("Unexplained")
    expect(ids(explain(rsaQuestion, Buffer.alloc(256, 7).toString("base64")))).toEqual(["rsa-key-other"])
  })

  it("reports why a request cannot be parsed", () => {
    const unreadable = request("HMAC-SHA1", "", { authorization: "Basic x" })
    expect(Explain.oauth({ ...hmacQuestion, request: unreadable })).toMatchObject({
      _tag: "Unreadable",
      reason: { _tag: "MalformedHeader" }
    })
  })
})
