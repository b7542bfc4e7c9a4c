/**
 * A merchant on keep-alive sockets, which sends prepared requests and reads only as much of an answer as is necessary to detect
 * its end: the load must not cost more than the work that is measured. Also counts the callbacks.
 */
import { createServer } from "node:http"
import { connect, type Socket } from "node:net"
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { merchant } from "@pay/server/Sandbox"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"

const { endpoints, login } = merchant
const { SALE, SALEFORM, STATUS } = PayApi.operations
const sample = Sample.request(SALE)

/** The fields of a request that opens a hosted page. */
export const formFields = Sample.request(SALEFORM)

/** Returns the path and the body of a signed request. */
export const form = (operation: Operation, fields: Readonly<Record<string, string>>) => {
  const recipe = operation.signing._tag === "Control" ? operation.signing.recipe : []
  const values = Canonical.controlValues(operation, fields, { endpointId: endpoints.usd, mode: "minor" })
  const body = Form.write(Object.entries({ ...fields, control: Control.sign(recipe, values, merchant.controlKey) }))
  return { path: `${operation.path}/${endpoints.usd}`, body }
}

/** Returns a signed request as the bytes of an HTTP request. */
export const signed = (operation: Operation, fields: Readonly<Record<string, string>>): Buffer => {
  const { body, path } = form(operation, fields)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/vnd.pay+json\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

export const prepare = (prefix: string, count: number, callbackUrl?: string): ReadonlyArray<Buffer> =>
  Array.from({ length: count }, (_, n) =>
    signed(SALE, {
      ...sample,
      client_orderid: `${prefix}-${n}`,
      ...(callbackUrl === undefined ? {} : { server_callback_url: callbackUrl })
    })
  )

/** Returns status requests for the orders of {@link prepare}, repeated in order. */
export const polls = (prefix: string, orders: number, count: number): ReadonlyArray<Buffer> => {
  const all = Array.from({ length: orders }, (_, n) => signed(STATUS, { login, client_orderid: `${prefix}-${n}` }))
  return Array.from({ length: count }, (_, n) => all[n % orders] ?? Buffer.of())
}

const head = Buffer.from("HTTP/1.1 200")
const length = /content-length: (\d+)/i

/** Sends all requests, one at a time on each socket. Completes with the last answer. */
export const send = (port: number, requests: ReadonlyArray<Buffer>, connections: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let next = 0
    let open = connections
    const begin = (socket: Socket) => {
      const request = requests[next++]
      if (request !== undefined) return socket.write(request)
      open -= 1
      socket.destroy()
      if (open === 0) resolve()
    }
    for (let n = 0; n < connections; n++) {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => begin(socket))
      let received: Buffer = Buffer.alloc(0)
      socket.on("data", (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const end = received.indexOf("\r\n\r\n")
        if (end === -1) return
        const match = length.exec(received.toString("latin1", 0, end))
        if (received.length < end + 4 + Number(match?.[1] ?? 0)) return
        if (!received.subarray(0, head.length).equals(head)) {
          reject(new Error(received.toString("utf8")))
          return socket.destroy()
        }
        received = Buffer.alloc(0)
        begin(socket)
      })
      socket.on("error", reject)
    }
  })

export interface CallbackListener {
  readonly url: string
  /** Completes when `count` callbacks have arrived since the previous call. */
  readonly received: (count: number) => Promise<void>
  readonly close: () => void
}

/** Receives and counts callbacks, and passes the target of each request to `took`. */
export const listen = (took = (_: string): void => {}): Promise<CallbackListener> =>
  new Promise((resolve) => {
    let count = 0
    let wanted = Number.POSITIVE_INFINITY
    let done = () => {}
    const server = createServer((request, response) => {
      response.writeHead(200, { "content-length": 0 })
      response.end()
      took(request.url ?? "")
      count += 1
      if (count === wanted) done()
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        url: `http://127.0.0.1:${port}/callback`,
        received: (more) =>
          new Promise((all) => {
            wanted = more
            done = () => {
              count = 0
              all()
            }
            if (count >= wanted) done()
          }),
        close: () => {
          server.close()
          server.closeAllConnections()
        }
      })
    })
  })
