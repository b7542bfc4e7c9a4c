/** Writes answers to a connection: those of operations, pages, and short texts for operators. */
import * as Http from "node:http"
import type { PageAnswer } from "./Pages.ts"
import type { WrittenAnswer } from "./WrittenAnswer.ts"

/** Writes the answer of an operation. `close`: the connection ends with this answer. */
export const write = (response: Http.ServerResponse, answer: WrittenAnswer, close: boolean): void => {
  if (response.destroyed) return
  const headers: Array<string> = ["cache-control", "no-store"]
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? "")
  if (close) headers.push("connection", "close")
  headers.push("content-length", String(Buffer.byteLength(answer.body)))
  response.writeHead(answer.status, headers)
  response.end(answer.body)
}

/** Returns the bytes of an answer that ends a connection, for a request without a response object of `node:http`. */
export const bytes = ({ body, headers, status }: WrittenAnswer): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${Http.STATUS_CODES[status] ?? ""}\r\n${lines.join("")}connection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

export const writePage = (
  response: Http.ServerResponse,
  { body, headers, status }: PageAnswer,
  close: boolean
): void => {
  if (response.destroyed) return
  response.writeHead(status, {
    ...headers,
    ...(close ? { connection: "close" } : {}),
    "content-length": Buffer.byteLength(body)
  })
  response.end(body)
}

export const plain = (
  response: Http.ServerResponse,
  status: number,
  text: string,
  close = false,
  headers: Http.OutgoingHttpHeaders = {}
): void => {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
    ...(close ? { connection: "close" } : {})
  })
  response.end(text)
}
