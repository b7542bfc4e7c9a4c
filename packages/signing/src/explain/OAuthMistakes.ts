/**
 * The catalogue of mistakes with OAuth signatures. If two mistakes are combined, the one that comes first in the list is made
 * first.
 */

import * as PercentEncoding from "../PercentEncoding.ts"
import { baseStringMistakes } from "./BaseStringMistakes.ts"
import { keyMistakes } from "./KeyMistakes.ts"
import type { Mistake, Variant } from "./Mistake.ts"
import { correct, type OAuthDraft } from "./OAuthDraft.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

/** Makes one variant for each wrong address. */
const addresses = (draft: OAuthDraft, list: ReadonlyArray<readonly [detail: string, address: string]>): Variants =>
  list.map(([detail, address]) => [detail, { ...draft, address }])

const printed = (draft: OAuthDraft, print: (base64: string, signature: Buffer) => string): OAuthDraft => ({
  ...draft,
  print: (signature) => print(signature.toString("base64"), signature)
})

const lines = (text: string, width: number, end: string): string =>
  text.replace(new RegExp(`.{${width}}(?=.)`, "g"), (line) => line + end)

const addressMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "http-method",
    description: "Another HTTP method was signed, or not in capitals.",
    remedy: "Sign POST, the method of every operation.",
    aspect: "method",
    variants: (draft) =>
      ["post", "Post", "GET", "get", "PUT", ""].map((method) => [
        method === "" ? "no method" : `signed as ${method}`,
        { ...draft, method }
      ])
  },
  {
    id: "host-case",
    description: "The host was signed with capital letters.",
    remedy: "Put scheme and host of the address in lower case.",
    aspect: "host",
    variants: (draft) => {
      const { protocol, host, pathname } = draft.url
      const written = new RegExp(`^${protocol}//([^/?#]*)`, "i").exec(draft.writtenUrl)?.[1] ?? host
      return addresses(draft, [
        ["as the address is written", `${protocol}//${written}${pathname}`],
        ["all capitals", `${protocol}//${host.toUpperCase()}${pathname}`],
        [
          "the first letter a capital",
          `${protocol}//${host.replace(/^./, (letter) => letter.toUpperCase())}${pathname}`
        ]
      ])
    }
  },
  {
    id: "default-port",
    description: "The port was signed although it is the default one, or dropped although it is not.",
    remedy: "Sign the port only if it is neither 443 for https nor 80 for http.",
    aspect: "host",
    variants: (draft) => {
      const { protocol, hostname, port, pathname } = draft.url
      return addresses(
        draft,
        port === ""
          ? [["the default port", `${protocol}//${hostname}:${protocol === "https:" ? 443 : 80}${pathname}`]]
          : [["no port", `${protocol}//${hostname}${pathname}`]]
      )
    }
  },
  {
    id: "scheme",
    description: "http was signed in place of https, or the other way round.",
    remedy: "Sign the public address as the merchant calls it, also behind a proxy.",
    aspect: "scheme",
    variants: (draft) => {
      const other = draft.address.startsWith("https:") ? "http" : "https"
      return addresses(draft, [[`signed as ${other}`, draft.address.replace(/^[a-z]+/, other)]])
    }
  },
  {
    id: "query-in-address",
    description: "The query was signed as a part of the address.",
    remedy: "Cut the address at its ? and sign the query's parameters with the others.",
    aspect: "path",
    variants: (draft) =>
      draft.url.search === ""
        ? []
        : [
            ["in the address and as parameters", { ...draft, address: draft.address + draft.url.search }],
            ["only in the address", { ...draft, address: draft.address + draft.url.search, query: [] }]
          ]
  },
  {
    id: "slash-at-end",
    description: "The address was signed with a slash at its end, or without the one it has.",
    remedy: "Sign the path exactly as it is called.",
    aspect: "path",
    variants: (draft) => {
      const { address } = draft
      return addresses(draft, [["a slash more or less", address.endsWith("/") ? address.slice(0, -1) : `${address}/`]])
    }
  },
  {
    id: "address-incomplete",
    description: "Only a part of the address was signed.",
    remedy: "Sign scheme, host and path.",
    aspect: "path",
    variants: (draft) =>
      addresses(draft, [
        ["only the path", draft.url.pathname],
        ["no scheme", draft.address.replace(/^[a-z]+:\/\//, "")],
        ["no path", draft.url.origin],
        ["no path but a slash", `${draft.url.origin}/`],
        ["no endpoint id", draft.address.replace(/\/[^/]*$/, "")]
      ])
  },
  {
    id: "endpoint-or-group",
    description: "Another endpoint id or group id was signed than the one in the path.",
    remedy: "Sign the very address that is called.",
    aspect: "path",
    variants: (draft) =>
      addresses(
        draft,
        draft.otherIds.map((id) => [
          `signed with ${id}`,
          draft.address.slice(0, draft.address.lastIndexOf("/") + 1) + id
        ])
      )
  },
  {
    id: "parts-not-encoded",
    description: "The parts of the base string were not percent-encoded as a whole.",
    remedy: "Encode the address and the whole parameter string once more before joining them with &.",
    aspect: "join",
    variants: (draft) => [
      ["neither the address nor the parameters", { ...draft, join: (...parts) => parts.join("&") }],
      [
        "not the parameters",
        { ...draft, join: (method, address, parameters) => `${method}&${correct.encode(address)}&${parameters}` }
      ],
      [
        "not the address",
        { ...draft, join: (method, address, parameters) => `${method}&${address}&${correct.encode(parameters)}` }
      ]
    ]
  }
]

const secretMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "ampersand-missing",
    description: "The & after the control key is missing.",
    remedy: "The key of the HMAC is the control key followed by &, since the token secret is empty.",
    aspect: "secret",
    variants: (draft) => [["the control key alone", { ...draft, secret: (key) => key }]]
  },
  {
    id: "token-secret",
    description: "Something was put after the & of the HMAC key, or the control key came after it.",
    remedy: "The key of the HMAC is the control key followed by &, and nothing else.",
    aspect: "secret",
    variants: (draft) => {
      const login = draft.protocol.find(([name]) => name === "oauth_consumer_key")?.[1] ?? ""
      return [
        ["the control key on both sides", { ...draft, secret: (key) => `${key}&${key}` }],
        ["the control key after the &", { ...draft, secret: (key) => `&${key}` }],
        ["the login before the &", { ...draft, secret: (key) => `${login}&${key}` }],
        ["the login after the &", { ...draft, secret: (key) => `${key}&${login}` }]
      ]
    }
  },
  {
    id: "public-key-other",
    description: "The signature was made with the private key that belongs to another public key of yours.",
    remedy: "Use the private key whose public key is registered here: sandbox and production keys differ.",
    aspect: "key",
    variants: (draft) => draft.otherPublicKeys.map(({ label, publicKey }) => [label, { ...draft, publicKey }])
  },
  {
    id: "hash-other",
    description: "Another hash was used than the signature method names.",
    remedy: "HMAC-SHA1 uses SHA-1, RSA-SHA256 uses SHA-256.",
    aspect: "algorithm",
    variants: (draft) =>
      ["md5", "sha1", "sha256", "sha384", "sha512"]
        .filter((hash) => hash !== draft.algorithm.hash)
        .map((hash) => [`${hash} was used`, { ...draft, algorithm: { ...draft.algorithm, hash } }])
  },
  {
    id: "hmac-for-rsa",
    description: "An HMAC under the control key was made where an RSA signature is expected.",
    remedy: "Sign with the RSA private key: this operation takes RSA-SHA256.",
    aspect: "algorithm",
    variants: (draft) =>
      draft.algorithm.kind === "rsa"
        ? ["sha1", "sha256"].map((hash) => [`HMAC-${hash}`, { ...draft, algorithm: { kind: "hmac", hash } }])
        : []
  },
  {
    id: "rsa-for-hmac",
    description: "An RSA signature was made where an HMAC is expected.",
    remedy: "Sign with the control key: this operation takes HMAC-SHA1.",
    aspect: "algorithm",
    variants: (draft) =>
      draft.algorithm.kind === "hmac"
        ? ["sha256", "sha1"].map((hash) => [`RSA-${hash}`, { ...draft, algorithm: { kind: "rsa", hash } }])
        : []
  },
  {
    id: "rsa-pss",
    description: "The RSA signature has PSS padding.",
    remedy: "Use PKCS #1 v1.5 padding, which is meant by RSA-SHA256 here.",
    aspect: "algorithm",
    variants: (draft) => [["PSS with SHA-256", { ...draft, algorithm: { kind: "rsa-pss", hash: "sha256" } }]]
  },
  {
    id: "hash-without-key",
    description: "The base string was only hashed, without any key.",
    remedy: "Make an HMAC with the control key, or an RSA signature, as the operation wants.",
    aspect: "algorithm",
    variants: (draft) =>
      ["sha1", "sha256"].map((hash) => [`${hash} of the base string`, { ...draft, algorithm: { kind: "hash", hash } }])
  },
  {
    id: "plaintext",
    description: "The key itself was sent as the signature (PLAINTEXT). The key is no longer secret.",
    remedy: "Ask for a new control key now, and sign with the method of the operation.",
    aspect: "algorithm",
    variants: (draft) => [["PLAINTEXT", { ...draft, algorithm: { kind: "key-itself", hash: "" } }]]
  }
]

const printMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "hex",
    description: "The signature was sent in hex digits.",
    remedy: "Send the bytes of the signature in Base64.",
    aspect: "print",
    variants: (draft) => [
      ["lower case", printed(draft, (_, signature) => signature.toString("hex"))],
      ["upper case", printed(draft, (_, signature) => signature.toString("hex").toUpperCase())]
    ]
  },
  {
    id: "base64-of-hex",
    description: "The hex digits of the signature were put in Base64, not its bytes.",
    remedy: "Ask the HMAC function for raw bytes and put those in Base64.",
    aspect: "print",
    variants: (draft) => [
      ["Base64 of the hex digits", printed(draft, (_, bytes) => Buffer.from(bytes.toString("hex")).toString("base64"))]
    ]
  },
  {
    id: "base64url",
    description: "The signature was sent in Base64url, or without the = at its end.",
    remedy: "Use standard Base64 with + and / and its padding.",
    aspect: "print",
    variants: (draft) => [
      ["Base64url", printed(draft, (_, signature) => signature.toString("base64url"))],
      ["Base64url with padding", printed(draft, (base64) => base64.replaceAll("+", "-").replaceAll("/", "_"))],
      ["no padding", printed(draft, (base64) => base64.replaceAll("=", ""))]
    ]
  },
  {
    id: "base64-lines",
    description: "The Base64 text of the signature has line breaks or blanks in it.",
    remedy: "Write the Base64 text in one line and trim it.",
    aspect: "print",
    variants: (draft) =>
      ["\n", "\r\n"].flatMap(
        (end): Variants => [
          ["a line break at the end", printed(draft, (base64) => base64 + end)],
          ["lines of 64 characters", printed(draft, (base64) => lines(base64, 64, end))],
          ["lines of 76 characters", printed(draft, (base64) => lines(base64, 76, end))],
          ["lines of 64 characters, also at the end", printed(draft, (base64) => lines(base64, 64, end) + end)],
          ["lines of 76 characters, also at the end", printed(draft, (base64) => lines(base64, 76, end) + end)]
        ]
      )
  },
  {
    id: "signature-encoding",
    description: "The signature was percent-encoded twice in the header, or its + arrived as a space.",
    remedy: "Percent-encode the Base64 text exactly once when you write the header.",
    aspect: "print",
    variants: (draft) => [
      ["encoded twice", printed(draft, (base64) => PercentEncoding.encode(base64))],
      ["+ became a space", printed(draft, (base64) => base64.replaceAll("+", " "))]
    ]
  }
]

export const oauthMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  ...baseStringMistakes,
  ...addressMistakes,
  ...keyMistakes<OAuthDraft>(),
  ...secretMistakes,
  ...printMistakes
]
