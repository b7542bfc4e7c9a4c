import { assert, describe, it } from "@effect/vitest"
import { failureOf, meaning } from "../src/Unsent.ts"

const system = (code: string, syscall?: string) => Object.assign(new Error("failed"), { code, syscall })
const wrapped = (cause: unknown) => new TypeError("fetch failed", { cause })
const together = (...errors: ReadonlyArray<unknown>) => Object.assign(new AggregateError(errors), { code: "ETIMEDOUT" })

const late = system("ETIMEDOUT", "connect")
const noRoute = system("ENETUNREACH", "connect")

/** The errors of clients, and what each proves. */
const errors = [
  ["each address failed", wrapped(together(late, noRoute)), "NotSent", "ETIMEDOUT"],
  ["an address was reached", wrapped(together(late, system("ECONNRESET", "read"))), "Lost", "ECONNRESET"],
  ["an address without a reason", wrapped(together(late, "?")), "Lost", "FETCH"],
  [
    "several addresses inside several",
    together(together(late), together(noRoute, system("EPIPE", "write"))),
    "Lost",
    "EPIPE"
  ],
  ["the connection timed out", wrapped(system("ETIMEDOUT", "read")), "Lost", "ETIMEDOUT"],
  ["no route after the connection", system("EHOSTUNREACH", "read"), "Lost", "EHOSTUNREACH"],
  ["the socket is closed when it is written", wrapped(system("EPIPE", "write")), "Lost", "EPIPE"],
  ["undici's own time-out", wrapped(system("UND_ERR_CONNECT_TIMEOUT")), "NotSent", "UND_ERR_CONNECT_TIMEOUT"],
  ["undici's closed socket", wrapped(system("UND_ERR_SOCKET")), "Lost", "UND_ERR_SOCKET"],
  ["Bun before 1.4", system("ConnectionRefused"), "NotSent", "ConnectionRefused"],
  ["Bun before 1.4", system("FailedToOpenSocket"), "NotSent", "FailedToOpenSocket"],
  ["Bun before 1.4", system("ConnectionClosed"), "Lost", "ConnectionClosed"],
  [
    "Bun without a route",
    Object.assign(new TypeError("EHOSTUNREACH: Unable to connect. Is the computer able to access the url?"), {
      code: "EHOSTUNREACH"
    }),
    "NotSent",
    "EHOSTUNREACH"
  ],
  [
    "Deno without a route",
    wrapped(
      new Error("error sending request for url (http://a/): client error (Connect): tcp connect error: (os error 101)")
    ),
    "NotSent",
    "ENETUNREACH"
  ],
  [
    "an alert of the server",
    system("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
    "Lost",
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"
  ],
  ["a text", "ECONNREFUSED", "Lost", "FETCH"],
  ["nothing", undefined, "Lost", "FETCH"]
] as const

describe("an error of an HTTP client", () => {
  it.each(errors)("proves whether the request may have been sent: %s", (_name, error, reason, code) => {
    assert.deepStrictEqual(failureOf(error), { reason, code })
  })

  it("that contains itself proves nothing", () => {
    const error = new Error("again")
    error.cause = error
    assert.deepStrictEqual(failureOf(error), { reason: "Lost", code: "FETCH" })
  })

  it("is explained by its code, and an unknown code by the address", () => {
    assert.match(meaning("CERT_HAS_EXPIRED"), /certificate has expired/)
    assert.match(meaning("toString"), /cannot be reached: check the host/)
  })

  it.each([
    ["ERR_SSL_WRONG_VERSION_NUMBER", /does not speak TLS: check the port and the scheme/],
    ["UND_ERR_SOCKET", /closed the connection without a whole answer: check the port and the scheme/],
    ["ECONNRESET", /closed the connection without a whole answer: check the port and the scheme/],
    ["ANSWER_TOO_LARGE", /longer than any answer of a gateway: check baseUrl/],
    ["Z_DATA_ERROR", /damaged/],
    ["Z_BUF_ERROR", /damaged/]
  ])("is explained if an answer began or a connection broke: %s", (code, text) => {
    assert.match(meaning(code), text)
  })
})
