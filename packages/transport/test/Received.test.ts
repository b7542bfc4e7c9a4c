import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../schema/test/TextTable.ts"
import { describe as received } from "../src/Received.ts"

const page = "<!DOCTYPE html><title>Sign in</title>"
const older = "type=async-response\n&serial-number=1\n&merchant-order-id=a\n&paynet-order-id=1\n"
const www = "https://www.gateway.example/api/v2/sale/1?secret"

/** What is received at `https://gateway.example/api/v2/sale/1`, and words of its description. */
const table = `
status | body  | location         | description
404    | page  |                  | a page (HTML): wrong path
404    |       |                  | an empty answer: wrong path
404    | json  |                  | JSON: wrong path
405    | page  |                  | a page (HTML): wrong path, the address takes no POST
410    | text  |                  | text: wrong path
200    | page  |                  | a page (HTML): a website, a login or the sign-in of this network
200    |       |                  | an empty answer: a website
200    | linked |                 | a page (HTML): a website
200    | json  |                  | JSON: its fields are not those of this protocol: check baseUrl and profile
200    | older |                  | text: the answer has the form of the older dialect: name the dialect in profile
200    | text  |                  | text: a website
200    | cut   |                  | JSON: it is incomplete, because the connection or a proxy cut it off
200    | null  |                  | JSON: its fields are not those of this protocol
301    | page  | www              | a redirect to https://www.gateway.example: if this is the gateway's address, write it in baseUrl
302    |       | /login?next=/api | a redirect to another path: a login
302    | page  | mailto:a         | a redirect: check baseUrl
302    | page  |                  | a page (HTML): a website
403    | page  |                  | a page (HTML): a login or a firewall
407    | page  |                  | a page (HTML): a proxy asks for a login
413    | page  |                  | a page (HTML): a proxy before the gateway takes no request of this size
429    | page  |                  | a page (HTML): a proxy before the gateway limits this program
502    | page  |                  | a page (HTML): a proxy answers for the gateway, which is not available
503    |       |                  | an empty answer: a proxy answers for the gateway
511    | page  |                  | a page (HTML): this network asks for a sign-in`

const linked = '<a href="/?a=1\n&type=all">all</a>'

const bodies: Readonly<Record<string, string>> = {
  page,
  older,
  linked,
  json: '{"message":"no"}',
  cut: '{"type":"async-res',
  null: "null",
  text: "It works!",
  "": ""
}

const rows = TextTable.rows(table).slice(1)

describe("an answer that is not of this protocol", () => {
  it.each(rows)("is described: %s %s %s", (status = "", body = "", location = "", description = "") => {
    const headers = location === "" ? {} : { location: location === "www" ? www : location }
    const answer = { status: Number(status), headers, body: TextTable.named(bodies, body) }
    const text = received(answer, "https://gateway.example/api/v2/sale/1")
    assert.isTrue(text.startsWith(description), text)
    assert.notInclude(text, "secret")
  })

  it("is known as the older dialect, which calls itself HTML", () => {
    const headers = { "content-type": "text/html;charset=utf-8" }
    const text = received({ status: 200, headers, body: older }, "https://gateway.example/")
    assert.match(text, /^text: the answer has the form of the older dialect: name the dialect in profile/)
  })

  it("is known as a page by its type, too", () => {
    const headers = { "content-type": "text/html; charset=utf-8" }
    assert.match(received({ status: 200, headers, body: "Sign in" }, "https://gateway.example/"), /^a page \(HTML\)/)
  })
})
