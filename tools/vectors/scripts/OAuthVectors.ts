/** Vectors of OAuth signatures for every operation that is signed with OAuth, by each of its methods. */
import { createPrivateKey } from "node:crypto"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { Method } from "@pay/schema/Scheme"
import * as BaseString from "@pay/signing/BaseString"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import * as Keys from "./Keys.ts"

const keys: Readonly<Record<Method, OAuth.SigningKey>> = {
  "HMAC-SHA1": OAuth.hmac(Keys.controlKey),
  "RSA-SHA256": OAuth.rsaPrivate(createPrivateKey(Keys.privateKey))
}

const timestampSeconds = 1_669_966_913

interface Case {
  readonly about: string
  readonly operation: Operation
  readonly method: Method
  readonly baseUrl: string
  readonly query: string
  readonly parameters: ReadonlyArray<Form.Parameter>
}

const methodsOf = ({ signing }: Operation): ReadonlyArray<Method> => (signing._tag === "OAuth" ? signing.methods : [])

const parametersOf = (operation: Operation): ReadonlyArray<Form.Parameter> => Object.entries(Sample.request(operation))

const make = (about: string, operation: Operation, method: Method, more: Partial<Case> = {}): Case => ({
  about,
  operation,
  method,
  baseUrl: "https://gateway.example/paynet",
  query: "",
  parameters: parametersOf(operation),
  ...more
})

const { PAYOUT, PAYOUT_V4 } = PayApi.operations

const both = (about: string, more: Partial<Case>): ReadonlyArray<Case> => [
  make(`${about}, HMAC-SHA1`, PAYOUT, "HMAC-SHA1", more),
  make(`${about}, RSA-SHA256`, PAYOUT_V4, "RSA-SHA256", more)
]

const cases: ReadonlyArray<Case> = [
  ...PayApi.all.flatMap((operation) =>
    methodsOf(operation).map((method) => make(`the sample of ${operation.command}, ${method}`, operation, method))
  ),
  ...both("text that encoders get wrong", {
    parameters: [["order_desc", "a b+c&d=e%20f~g*h!i'(j) -._"]]
  }),
  ...both("letters outside ASCII, in UTF-8", { parameters: [["order_desc", "Größe 1, 日本, 😀"]] }),
  ...both("an empty value", {
    parameters: [
      ["comment", ""],
      ["amount", "1.00"]
    ]
  }),
  ...both("names that are equal, in the order of their values", {
    parameters: [
      ["a", "2"],
      ["a", "10"],
      ["b", "1"],
      ["A", "3"]
    ]
  }),
  ...both("names that sort by their encoded bytes", {
    parameters: [
      ["a b", "1"],
      ["a-b", "2"],
      ["a_b", "3"],
      ["é", "4"]
    ]
  }),
  ...both("parameters of the query", { query: "?b=%20x&a=1%2B1", parameters: [["c", "2"]] }),
  ...both("a host in capitals and the default port", { baseUrl: "HTTPS://Gateway.Example:443/paynet" }),
  ...both("a port of its own", { baseUrl: "http://127.0.0.1:8080" })
]

/** All vectors, each with its base string. */
export const vectors = cases.map(({ about, baseUrl, method, operation, parameters, query }, index) => {
  const url = `${baseUrl}${operation.path}/1111${query}`
  const nonce = `vector-${index + 1}`
  const unsigned = { method: "POST", url, consumerKey: Keys.login, parameters, timestampSeconds, nonce }
  const signed = OAuth.sign(unsigned, keys[method])
  const protocol: ReadonlyArray<Form.Parameter> = [
    ["oauth_consumer_key", Keys.login],
    ["oauth_nonce", nonce],
    ["oauth_signature_method", method],
    ["oauth_timestamp", String(timestampSeconds)],
    ["oauth_version", "1.0"]
  ]
  return {
    about,
    operation: operation.command,
    signatureMethod: method,
    url,
    parameters,
    body: Form.write(parameters),
    nonce,
    timestamp: String(timestampSeconds),
    baseString: BaseString.make({ method: "POST", url, parameters: [...parameters, ...protocol] }) ?? "",
    signature: signed.ok ? signed.signature : "",
    authorization: signed.ok ? signed.authorization : ""
  }
})
