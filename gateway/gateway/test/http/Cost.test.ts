/**
 * Compares the cost of a request whose sender is not known yet with the cost of a plain refusal of the same size, so that no
 * sender can block the others. The plain refusal has the same signing scheme, a wrong signature, and letters in one field. The
 * client is a thread of its own. All the cost that is counted is therefore the gateway's, from the bytes on the socket to the
 * answer.
 */
import { Worker } from "node:worker_threads"
import { assert, beforeAll, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import * as OAuthHeader from "@pay/signing/OAuthHeader"
import { Context, Effect, Layer } from "effect"
import * as ApprovalApi from "../../src/http/ApprovalApi.ts"
import * as NodeServer from "../../src/http/NodeServer.ts"
import { micros, mostTimes } from "../Cost.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"
import type { RequestLoad } from "./Caller.ts"

const times = 16

/** Sends requests from another thread, so that this thread serves only the gateway. */
class Caller extends Context.Service<Caller, Worker>()("Caller") {
  static readonly layer = Layer.effect(
    Caller,
    Effect.acquireRelease(
      Effect.sync(() => new Worker(new URL("./Caller.ts", import.meta.url))),
      (worker) => Effect.promise(() => worker.terminate())
    )
  )
}

const call = (worker: Worker, work: RequestLoad): Effect.Effect<number> =>
  Effect.callback<number>((resume) => {
    worker.once("message", (status) => resume(Effect.succeed(Number(status))))
    worker.postMessage(work)
  })

/** Returns the mean cost of a request for the gateway, in microseconds. */
const costOf = Effect.fnUntraced(function* (worker: Worker, work: RequestLoad) {
  const start = micros()
  yield* call(worker, work)
  return (micros() - start) / work.times
})

/** Returns the ratio of two costs, each the lowest of several rounds. Stops at the first round with an allowed ratio. */
const ratioOf = Effect.fnUntraced(function* (worker: Worker, hostile: RequestLoad, plain: RequestLoad) {
  let cost = Number.POSITIVE_INFINITY
  let refusal = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 12; turn++) {
    refusal = Math.min(refusal, yield* costOf(worker, plain))
    cost = Math.min(cost, yield* costOf(worker, hostile))
    if (turn > 1 && cost <= mostTimes * refusal) break
  }
  return cost / refusal
})

const maxBody = 256 * 1024
const most = (unit: string, bytes = maxBody): string => unit.repeat(Math.floor(bytes / unit.length))
const many = (count: number, field: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => field(index)).join("&")

const headers = { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" }

interface Hostile {
  readonly name: string
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

const { PAYOUT_V4, SALE, CAPTURE } = PayApi.operations
const sale = `${SALE.path}/${ScriptedGateway.endpoints.off}`

const protocol = {
  oauth_consumer_key: "shop",
  oauth_nonce: "1",
  oauth_signature: "c2lnbmF0dXJl",
  oauth_signature_method: "RSA-SHA256",
  oauth_timestamp: String(ScriptedGateway.startMs / 1000),
  oauth_version: "1.0"
}
const authorization = (changes: Readonly<Record<string, string>> = {}) => ({
  authorization: OAuthHeader.write(Object.entries({ ...protocol, ...changes }))
})
const signed = { path: `${PAYOUT_V4.path}/${ScriptedGateway.endpoints.off}`, headers: authorization() }

const requests: ReadonlyArray<Hostile> = [
  { name: "200 parameters", body: many(200, (index) => `p${index}=1`) },
  { name: "a form of nothing but parameters", body: most("a=&") },
  { name: "a form of nothing but separators", body: most("&") },
  { name: "a form of nothing but =", body: most("=") },
  { name: "a long name", body: `${most("n", maxBody - 2)}=1` },
  { name: "a long amount", body: `client_orderid=1&control=0&amount=1.${most("0", maxBody - 60)}1` },
  { name: "many amounts", body: `enumerate_amounts=${most("1.01,", maxBody - 20)}` },
  { name: "a long number of the order", path: `${CAPTURE.path}/1`, body: `orderid=${most("1", maxBody - 10)}` },
  { name: "escapes of ASCII", body: `a=${most("%2b", maxBody - 2)}` },
  { name: "escapes of UTF-8", body: `a=${most("%c3%a9", maxBody - 2)}` },
  { name: "blanks", body: `a=${most("+", maxBody - 2)}` },
  { name: "a long control", body: `control=${most("f", maxBody - 10)}` },
  { name: "the same control many times", body: many(200, () => "control=0") },
  {
    name: "a field in both its spellings, many times",
    body: many(100, (at) => `client_orderid=${at}&client-order-id=x`)
  },
  {
    name: "an amount that may have been signed in many ways",
    body: `client_orderid=1&email=a@b&amount=-1.055&currency=xxx&amount=2,055&control=${"0".repeat(40)}`
  },
  { name: "many parameters in the query, upside down", query: many(3000, (at) => `${9999 - at}`), ...signed, body: "" },
  { name: "200 parameters in the query, upside down", query: many(200, (at) => `${999 - at}=1`), ...signed, body: "" },
  { name: "a signed form of 193 parameters, upside down", ...signed, body: many(193, (at) => `${999 - at}=1`) },
  { name: "a signed form of one name", ...signed, body: many(193, (at) => `a=${999 - at}`) },
  { name: "a signed form of escapes", ...signed, body: `a=${most("%25", maxBody - 2)}` },
  { name: "a signed form of escapes under one name", ...signed, body: `a=1&a=${most("%25", maxBody - 6)}` },
  { name: "a signed form of UTF-8", ...signed, body: `a=${most("%c3%a9", maxBody - 2)}` },
  { name: "a signed form of characters that are encoded twice", ...signed, body: `a=${most("@", maxBody - 2)}` },
  {
    name: "a header of many parameters",
    ...signed,
    headers: { authorization: `OAuth ${most('a="1",', 15_000)}` },
    body: ""
  },
  { name: "a header of blanks", ...signed, headers: { authorization: `OAuth ${most(" ", 15_000)}` }, body: "" },
  { name: "a header of escapes", ...signed, headers: { authorization: `OAuth a="${most("%25", 15_000)}"` }, body: "" },
  { name: "a long signature", ...signed, headers: authorization({ oauth_signature: most("A", 12_000) }), body: "" },
  { name: "a long Accept", headers: { accept: most("a,", 15_000) }, body: "" },
  {
    name: "an Accept of parameters",
    headers: { accept: `application/vnd.pay+json${most(";q=0.0", 15_000)}` },
    body: ""
  },
  {
    name: "a long Content-Type",
    headers: { "content-type": `${headers["content-type"]}${most("; a", 15_000)}` },
    body: ""
  },
  { name: "a chain of proxies", headers: { "x-forwarded-for": most("::1, ", 15_000) }, body: "" },
  {
    name: "many headers",
    headers: Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`h${at}`, "1"])),
    body: ""
  },
  { name: "a long path", path: most("/a", 15_000), body: "" }
]

const pages: ReadonlyArray<Hostile> = [
  { name: "a page's form of parameters", path: "/pay/nobody", body: most("a=&") },
  { name: "a page's form of escapes", path: "/pay/nobody", body: `a=${most("%c3%a9", maxBody - 2)}` },
  { name: "a long language", path: "/pay/nobody", headers: { "accept-language": most("a,", 15_000) }, body: "" },
  { name: "many languages in the query", path: "/pay/nobody", query: most("lang=de&", 15_000), body: "" },
  { name: "a PaRes for an unknown page", path: "/3ds/nobody/pares", body: `PaRes=${most("A", maxBody - 10)}` },
  { name: "cookies", path: "/pay/nobody", headers: { cookie: most("a=1; ", 15_000) }, body: "" },
  { name: "an approval of many parameters", path: "/approvals/1", body: most("a=&") },
  { name: "a long approval", path: "/approvals/1", body: `decision=approve&amount=${most("1", maxBody - 30)}` },
  { name: "a list of approvals", path: "/approvals", body: `decision=list&after=${most("1-", maxBody - 30)}` }
]

const written = ({ body, headers: further = {}, path = sale, query }: Omit<Hostile, "name">): Uint8Array => {
  const lines = Object.entries({ host: "g", ...headers, ...further, "content-length": String(Buffer.byteLength(body)) })
  const target = query === undefined ? path : `${path}?${query}`
  return Buffer.from(`POST ${target} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n${body}`)
}

const gateway = NodeServer.layer({ host: "127.0.0.1", port: 0 }).pipe(
  Layer.provide(ApprovalApi.layer),
  Layer.provideMerge(ScriptedGateway.layer(ScriptedGateway.make(), { live: true })),
  Layer.merge(Caller.layer)
)

/** What V8 has learned from forms of all lengths and scripts, as in a gateway that has run for a while. */
const afterOrdinaryForms = () => {
  for (let length = 0; length < 2_000; length += 1)
    for (const piece of ["é+", "x+y&", "😀+", "x"]) Form.canonical(`a=${piece.repeat(length % 600)}+`)
}

layer(gateway, { excludeTestServices: true })(
  "an unauthenticated request costs at most five plain refusals of its size",
  (it) => {
    beforeAll(afterOrdinaryForms)
    for (const { name, ...hostile } of [...requests, ...pages]) {
      it.effect(name, () =>
        Effect.gen(function* () {
          const { port } = yield* NodeServer.NodeServer
          const worker = yield* Caller
          const bytes = written(hostile)
          const letters = "x".repeat(Math.max(0, Math.min(maxBody - 21, bytes.length - 300)))
          const isSigned = hostile.path === signed.path
          const plain = written({ ...(isSigned ? signed : {}), body: `control=0&order_desc=${letters}` })
          const status = yield* call(worker, { port, bytes, times: 1 })
          assert.isAtLeast(status, 300)
          const ratio = yield* ratioOf(worker, { port, bytes, times }, { port, bytes: plain, times })
          assert.isAtMost(ratio, mostTimes)
        })
      )
    }
  }
)

layer(ScriptedGateway.layer(ScriptedGateway.make()))("the length limit of a field is checked first", (it) => {
  it.effect("a repeated sale with an amount of 240 KB is refused at once as a different sale", () =>
    Effect.gen(function* () {
      const { off } = ScriptedGateway.endpoints
      assert.strictEqual((yield* ScriptedGateway.post(SALE, ScriptedGateway.saleFields(), off)).status, 200)
      const amount = `1.${"0".repeat(240_000)}1`
      const { body } = yield* ScriptedGateway.post(SALE, ScriptedGateway.saleFields({ amount }), off)
      assert.match(String(body["error-message"]), /client_orderid was already used/)
    })
  )
})
