/**
 * What a gateway still keeps of requests that have ended, over every kind of address that it serves. V8 cuts no text out of another, so a few
 * characters that are kept can hold a whole body. The connections stay open meanwhile.
 */

import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as HeapSnapshot from "../harness/HeapSnapshot.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const mark = "made-up-by-a-client-"
/** Text that a client made up. */
const foreign = (length: number) => mark.repeat(Math.ceil(length / mark.length)).slice(0, length)
const [header, body] = [foreign(12_000), foreign(200_000)]

const start = (folder: string) =>
  ChildProcess.start({
    args: [...HeapSnapshot.options(folder, 400), join(import.meta.dirname, "../../gateway/program/src/main.ts")],
    env: {
      ...{ PAY_DATA: `${folder}/data`, PAY_PORT: "0", PAY_TRUSTED_PROXIES: "127.0.0.1/32" },
      PAY_OPERATOR_TOKEN: "a token of an operator"
    },
    place: { cwd: folder },
    ready: (line) => {
      const [port, operatorPort] = ["url", "operators"].map((name) =>
        Number(new RegExp(`"${name}":"http://[^:]+:(\\d+)"`).exec(line)?.[1])
      )
      return port === undefined || operatorPort === undefined || Number.isNaN(port) ? undefined : { port, operatorPort }
    }
  })

const request = (line: string, headers: ReadonlyArray<string>, content = "") =>
  [`${line} HTTP/1.1`, "Host: g", ...headers, `Content-Length: ${Buffer.byteLength(content)}`, "", content].join("\r\n")

const form = (path: string, fields: Readonly<Record<string, string>>, headers: ReadonlyArray<string> = []) =>
  request(
    `POST ${path}`,
    ["Accept: application/vnd.pay+json", "Content-Type: application/x-www-form-urlencoded", ...headers],
    new URLSearchParams(fields).toString()
  )

const oauth = `OAuth oauth_consumer_key="${mark}", oauth_signature="${foreign(8000)}", oauth_nonce="${mark}"`
const { PAYOUT_V4, SALE, STATUS } = PayApi.operations
const sale = `${SALE.path}/1001`
const refused = TestGateway.controlled(SALE, { ...TestGateway.saleFields, amount: `1.${foreign(20)}` })

/** Each kind of address, with as much foreign text as it takes. */
const requests: Readonly<Record<string, string>> = {
  "a sale with a wrong signature": form(sale, { ...TestGateway.saleFields, client_orderid: body }),
  "a sale that is refused under a right signature": form(sale, { ...refused, other: body }),
  "a question about a number that is not one": form(`${STATUS.path}/1001`, {
    login: "a",
    orderid: body,
    control: body
  }),
  "a payout with a wrong signature": form(`${PAYOUT_V4.path}/1001`, { note: body }, [`Authorization: ${oauth}`]),
  "an endpoint that is not a number": form(`${SALE.path}/${header}`, { a: body }),
  "a path that is no operation": form(`/api/${header}`, { a: body }),
  "an address of a proxy's client": request("GET /", [`X-Forwarded-For: ${header}, 198.51.100.123`]),
  "a hosted page": request(`GET /pay/${header}`, [`Accept-Language: ${mark}`]),
  "a form of a hosted page": form(`/pay/${foreign(64)}`, { action: body }),
  "a page of 3-D Secure": form(`/3ds/${foreign(64)}/challenge`, { cres: body }),
  "an approval": form("/approvals", { decision: "list", merchant: body, approver: body, signature: body, time: "1" }),
  "a request to the sandbox": form("/sandbox/clock/advance", { by: body }),
  "a body in one-byte pieces": `POST ${sale} HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(500)}0\r\n\r\n`,
  "a body that is too long": form(sale, { a: body.repeat(2) })
}

const token = "Authorization: Bearer a token of an operator"

/** Each kind of request to the operators' address. */
const operatorRequests: Readonly<Record<string, string>> = {
  "a wrong token": request("GET /operator/orders", [`Authorization: Bearer ${foreign(4000)}`]),
  "a question": request(`GET /operator/orders?client=${header}`, [token]),
  "a command": form("/operator/keys", { merchant: body }, [token]),
  "an advance of the sandbox": form("/sandbox/clock/advance", { by: body }, [token]),
  "a path that is no operation": form(`/operator/${header}`, { a: body }, [token])
}

/** Sends a request on a connection of its own, which stays open, and returns the status of the answer. */
const sent = (port: number, text: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly socket: Socket; readonly status: number }>((resume) => {
      const socket = connect({ host: "127.0.0.1", port })
      socket.once("data", (chunk) =>
        resume(Effect.succeed({ socket, status: Number(chunk.toString("latin1", 9, 12)) }))
      )
      socket.once("error", (error) => resume(Effect.die(error)))
      socket.write(text)
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

const bodies = [...Object.values(requests), ...Object.values(operatorRequests)].filter(
  (text) => text.length > body.length
).length
const buffersOf = (entries: ReadonlyArray<HeapSnapshot.MemoryEntry>) =>
  entries.filter(({ name }) => name.includes("ArrayBuffer")).length

it.live(
  "no text of a request that has ended stays in memory, whichever address it was sent to",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const gateway = yield* start(folder)
      const entries = HeapSnapshot.take(gateway, folder, (2 * header.length) / 3)
      const before = yield* entries
      const { operatorPort, port } = gateway.ready
      for (const text of Object.values(requests)) assert.isAbove((yield* sent(port, text)).status, 199)
      for (const text of Object.values(operatorRequests)) assert.isAbove((yield* sent(operatorPort, text)).status, 199)
      const after = yield* entries
      assert.deepStrictEqual(
        after
          .filter(({ name }) => name.includes(mark))
          .map(({ bytes, name }) => `${bytes} bytes: ${name.slice(0, 60)}`),
        []
      )
      assert.isBelow(buffersOf(after), buffersOf(before) + bodies, "the bytes of bodies")
    }),
  60_000
)
