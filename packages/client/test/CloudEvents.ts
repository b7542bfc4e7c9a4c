/** The forms in which clouds hand on a callback. */
import type { IncomingHttpHeaders } from "node:http"
import type { ReceivedRequest } from "../src/main.ts"

/** A callback as it arrived, of the order with this name. */
export interface Recorded {
  readonly clientOrderId: string
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const queryOf = (target: string) => target.slice(target.indexOf("?") + 1)
export const pairsOf = (target: string) => [...new URLSearchParams(queryOf(target))]

/** The values of each name in a list. */
const listed = (pairs: ReadonlyArray<readonly [string, string]>) => {
  const all: Record<string, Array<string>> = {}
  for (const [name, value] of pairs) all[name] = [...(all[name] ?? []), value]
  return all
}
const lastOf = (all: Record<string, Array<string>>) =>
  Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.at(-1) ?? ""]))

type Headers = Readonly<Record<string, string>>
export const single = ({ headers }: Recorded): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
const inLists = (headers: Headers, split = false) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, split ? value.split(",") : [value]]))
const capitalized = (headers: Headers) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase()), value])
  )

/** The events of clouds, made of a callback: by the program that takes them. */
export const events: ReadonlyArray<readonly [what: string, file: string, event: (one: Recorded) => object]> = [
  [
    "API Gateway, REST",
    "event1.mjs",
    (one) => {
      const all = listed(pairsOf(one.target))
      const body = one.body === "" ? null : one.body
      const common = { httpMethod: one.method, body, isBase64Encoded: false, multiValueHeaders: inLists(single(one)) }
      return {
        ...common,
        headers: capitalized(single(one)),
        queryStringParameters: lastOf(all),
        multiValueQueryStringParameters: all
      }
    }
  ],
  [
    "API Gateway, HTTP",
    "event2.mjs",
    (one) => ({
      version: "2.0",
      rawQueryString: queryOf(one.target),
      headers: single(one),
      ...(one.body === "" ? {} : { body: one.body }),
      isBase64Encoded: false
    })
  ],
  [
    "API Gateway, HTTP, with a body in base64",
    "event2.mjs",
    (one) => ({
      version: "2.0",
      rawQueryString: new URLSearchParams(pairsOf(one.target)).toString(),
      headers: single(one),
      body: Buffer.from(one.body).toString("base64"),
      isBase64Encoded: true
    })
  ],
  [
    "a load balancer",
    "balancer.mjs",
    (one) => ({
      httpMethod: one.method,
      queryStringParameters: Object.fromEntries(
        queryOf(one.target)
          .split("&")
          .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])
      ),
      headers: single(one),
      body: one.body,
      isBase64Encoded: false
    })
  ],
  [
    "a load balancer, in lists",
    "balancer.mjs",
    (one) => ({
      httpMethod: one.method,
      multiValueQueryStringParameters: listed(
        queryOf(one.target)
          .split("&")
          .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const)
      ),
      multiValueHeaders: inLists(single(one)),
      body: Buffer.from(one.body).toString("base64"),
      isBase64Encoded: true
    })
  ],
  [
    "a load balancer, with headers that are split at commas",
    "balancer.mjs",
    (one) => ({
      multiValueQueryStringParameters: listed(
        queryOf(one.target)
          .split("&")
          .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const)
      ),
      multiValueHeaders: inLists(single(one), true),
      body: one.body,
      isBase64Encoded: false
    })
  ]
]

/** Requests that other clouds hand on, and their bodies. */
export const requests: ReadonlyArray<
  readonly [what: string, request: (one: Recorded) => readonly [ReceivedRequest, body?: string | Uint8Array]]
> = [
  [
    "a Worker",
    (one) => [
      new Request(`https://shop.example${one.target}`, {
        method: one.method,
        headers: single(one),
        ...(one.body === "" ? {} : { body: one.body })
      }),
      one.body
    ]
  ],
  [
    "Azure Functions 4",
    (one) => [
      { method: one.method, url: `https://shop.example${one.target}`, headers: new Headers(single(one)) },
      one.body
    ]
  ],
  [
    "Azure Functions 3",
    (one) => [
      {
        method: one.method,
        url: `https://shop.example${one.target}`,
        headers: single(one),
        body: one.body === "" ? undefined : JSON.parse(one.body),
        rawBody: one.body
      }
    ]
  ],
  ["headers in lists", (one) => [{ url: one.target, headers: inLists(single(one)) }, one.body]],
  [
    "headers in lists, split at commas",
    (one) => [{ url: one.target, headers: inLists(capitalized(single(one)), true) }, one.body]
  ]
]
