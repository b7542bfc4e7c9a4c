/** `pay explain` of whole requests that are pasted, and the two texts that it aligns. */
import { hash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { aligned } from "../src/explain/Alignment.ts"
import * as RequestText from "../src/explain/RequestText.ts"
import { now, oauthRequest } from "./mistakes/RawRequest.ts"
import { merchant, pay, secrets } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"

const folder = TestFiles.newFolder("explaining")

const { controlKey } = secrets
const sha1 = (text: string): string => hash("sha1", text)
const env = { PAY_LOGIN: merchant.PAY_LOGIN, PAY_CONTROL_KEY: controlKey }

const wrong = sha1(`merchantlogin1210.42USD${controlKey}`)
const body = `client_orderid=1&orderid=2&amount=10.42&currency=USD&control=${wrong}`
const address = "https://gateway.example/paynet/api/v2/capture/1111"

const har = {
  log: {
    entries: [
      { request: { method: "GET", url: "https://shop.example/" } },
      {
        request: {
          method: "POST",
          url: address,
          headers: [{ name: "Content-Type", value: "application/x-www-form-urlencoded" }],
          postData: { params: [...new URLSearchParams(body)].map(([name, value]) => ({ name, value })) }
        }
      }
    ]
  }
}

/** The fields of the body as an object is written. */
const inObject = (sign: string, quote = ""): string =>
  [...new URLSearchParams(body)].map(([name, value]) => `${quote}${name}${quote}${sign}'${value}'`).join(", ")

const lines = (line: (name: string, value: string) => string): string =>
  [...new URLSearchParams(body)].map(([name, value]) => `${line(name, value)}\n`).join("")

/** Fields alone, as programs print them. */
const printed = {
  "print_r of PHP": `Array\n(\n${lines((name, value) => `    [${name}] => ${value}`)})\n`,
  "var_dump of PHP": `array(5) {\n${lines((name, value) => `  ["${name}"]=>\n  string(${value.length}) "${value}"`)}}\n`,
  "var_export of PHP": `array (\n${lines((name, value) => `  '${name}' => '${value}',`)})`,
  "a dictionary of Python": `{${inObject(": ", "'")}}`,
  "a list of pairs": `[${inObject(", ", "'").replaceAll(/'(\w+)', '([^']*)'/g, "('$1', '$2')")}]`,
  "a hash of Ruby": `{:${inObject("=>").replaceAll(", ", ", :")}}`,
  "a hashtable of PowerShell": `@{ ${inObject(" = ").replaceAll(", ", "\n")} }`,
  "an object of JavaScript": `{\n  ${inObject(": ")}\n}`,
  "new URLSearchParams": `new URLSearchParams({ ${inObject(": ")} })`
}

it.each(Object.entries(printed))("pay explain reads fields alone as %s", async (_, input) => {
  const run = await pay(["explain", "capture", "--form=-"], { env, input })
  expect([run.code, run.err]).toEqual([1, ""])
  expect(run.out).toContain("mistake  amount-major")
})

const pasted = {
  "a curl command": `$ curl -sS -X POST '${address}' \\\n  -H 'Accept: application/vnd.pay+json' --data-raw '${body}' --max-time 5`,
  "a curl command of parts": `curl --url=${address} -d client_orderid=1 -d orderid=2 --data-urlencode amount=10.42 -d "currency=USD" -d $'control=${wrong}'`,
  "a raw request": `POST /paynet/api/v2/capture/1111 HTTP/1.1\r\nHost: gateway.example\r\nAccept: */*\r\n\r\n${body}\r\n`,
  "the text between $' and '": `curl $'${address.replace("https", "\\x68ttps")}' --data-raw $'${body.replace("client", "\\u0063lient")}'`,
  "a call of fetch": `fetch("${address}", {\n  "headers": {\n    "content-type": "application/x-www-form-urlencoded"\n  },\n  "body": "${body}",\n  "method": "POST"\n});`,
  "a call of fetch with fields": `await fetch('${address}', {\n  method: 'POST', // as the page says\n  body: new URLSearchParams({ ${inObject(": ")} }),\n})`,
  "a call of axios": `await axios.post("${address}", new URLSearchParams({ ${inObject(": ")} }))`,
  "a call of axios with its form in headers": `axios.post("${address}", { ${inObject(": ")} }, { headers: { "Content-Type": "application/x-www-form-urlencoded" } })`,
  "a call of axios with a text": `axios({ method: "post", url: "${address}", data: "${body}" })`,
  "a call of requests": `r = requests.post('${address}', data={${inObject(": ", "'")}}, timeout=30)`,
  "a call of PowerShell": `Invoke-RestMethod -Method Post \`\r\n  -Uri "${address}" -Body @{ ${inObject(" = ").replaceAll(", ", "; ")} }`,
  "a call of PowerShell with a body": `$r = Invoke-WebRequest -Uri '${address}' -Method POST -ContentType "application/x-www-form-urlencoded" -Body "${body}"`,
  "what http.client prints": `send: b'POST ${address} HTTP/1.1\\r\\nHost: gateway.example\\r\\n\\r\\n'\nsend: b'${body}'\nreply: 'HTTP/1.1 400 Bad Request\\r\\n'`,
  "a request with its answer": `POST ${address} HTTP/1.1\r\nHost: gateway.example\r\n\r\n${body}\r\n\r\nHTTP/1.1 400 Bad Request\r\n\r\n{}`,
  "a dump of requests_toolbelt": `< POST /paynet/api/v2/capture/1111 HTTP/1.1\n< Host: gateway.example\n< \n< ${body}\n> HTTP/1.1 400 Bad Request`,
  "a HAR file": JSON.stringify(har),
  "a HAR entry": JSON.stringify(har.log.entries[1])
}

describe("pay explain --request", () => {
  it.each(Object.entries(pasted))("reads %s", async (_, input) => {
    const { code, err, out } = await pay(["explain", "--request=-"], { env, input })
    expect([code, err]).toEqual([1, ""])
    expect(out).toContain("mistake  amount-major")
    expect(out).toContain(
      [
        "expected  merchantlogin121042USD<control key>",
        "signed    merchantlogin1210.42USD<control key>",
        "                           ^ character 18"
      ].join("\n")
    )
  })

  it("reads a file, and prefers flags to its content", async () => {
    const file = join(folder, "curl.txt")
    writeFileSync(file, pasted["a curl command"].replace("1111", "7"))
    const args = ["explain", "--request", file, "--received", sha1(`merchantlogin121042USD${controlKey}`), "--json"]
    const { code, out } = await pay(args, { env })
    expect([code, JSON.parse(out)]).toEqual([0, { _tag: "Correct" }])
  })

  it("reads a callback", async () => {
    const url = `https://shop.example/cb?status=a&orderid=1&client_orderid=2&control=${sha1(`a21${controlKey}`)}`
    const { out } = await pay(["explain", "--request=-"], { env, input: `GET ${url} HTTP/1.1\nHost: shop.example` })
    expect(out).toContain("expected  a12<control key>\nsigned    a21<control key>\n           ^ character 2")
  })

  it.each(["", "?", "https://shop.example/cb?"])(
    "reads a callback that is only its query, after %j",
    async (before) => {
      const input = `${before}status=a&orderid=1&client_orderid=2&control=${sha1(`a21${controlKey}`)}`
      const { out } = await pay(["explain", "--request=-"], { env, input })
      expect(out).toContain("expected  a12<control key>\nsigned    a21<control key>")
    }
  )

  const payout = (authorization: string) =>
    `curl ${address.replace("v2/capture", "v2/payout")} -H "Authorization: ${authorization}" -d 'client_orderid=1&credit_card_number=${secrets.cardNumber}&cvv2=${secrets.cvv}'`

  it("shows the expected base string, without card data", async () => {
    const sign = ["sign", "payout", "--client_orderid=1", "--timestamp=1700000000", "--nonce=n", "--json"]
    const signed = await pay(sign, { env: { ...merchant, PAY_CONTROL_KEY: "another-key" } })
    const input = payout(JSON.parse(signed.out).authorization.replaceAll('"', '\\"'))
    for (const more of [[], ["--json"]]) {
      const { code, out } = await pay(["explain", "--request=-", ...more], { env, input })
      expect(code, out).toBe(1)
      expect(out).toContain("POST&https%3A%2F%2Fgateway.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F1111&")
      expect(out).toContain("401288******1881")
    }
  })

  it("masks the recipient's phone in a base string", async () => {
    const oauth = `OAuth oauth_consumer_key="merchantlogin", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1", oauth_version="1.0", oauth_signature="eA%3D%3D"`
    const input = `curl ${address.replace("v2/capture", "v2/payout")} -H 'Authorization: ${oauth}' -d 'client_orderid=1&phone=%2B12025550100'`
    const { out } = await pay(["explain", "--request=-"], { env, input })
    expect(out).toContain("POST&https")
    expect(out).not.toContain("12025550100")
  })

  it.each<readonly [string, string, string]>([
    ["an empty text", "", "it begins neither with curl"],
    ["a curl command without an address", "curl -d a=b", "the curl command names no address"],
    ["an open quote", `curl '${address}`, "it has a quote that is not closed"],
    ["a body without quotes", `curl ${address} -d a=b&control=x`, "it has a & outside of quotes"],
    ["a variable of a shell", `curl ${address} -d "a=$AMOUNT"`, "it has $AMOUNT outside of single quotes"],
    [
      "a body in chunks",
      "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n",
      "its body is in chunks"
    ],
    ["a body in a file", `curl ${address} -d @body.txt`, "reads its body from a file"],
    ["a body of standard input", `curl ${address} -d @-`, "reads its body from a file"],
    ["a field in a file", `curl ${address} --data-urlencode a@body.txt`, "reads its body from a file"],
    ["invalid JSON", "{", "it begins as JSON and is none"],
    ["JSON that is not a HAR file", "{}", "the HAR entry has no request with an address"],
    ...Object.entries(printed).map(([name, text]) => [name, text, "it has fields alone"] as const),
    ["a line of a log", '2026-11-27 10:00:00 INFO {"amount":"1"}', "it is a line of a log"],
    [
      "an access log",
      '203.0.113.7 - - [27/Nov/2026:10:00:00 +0000] "POST /x HTTP/1.1" 400 5',
      "it is a line of an access log"
    ],
    ["a packet of Wireshark", "Hypertext Transfer Protocol\n    POST /x HTTP/1.1\\r\\n", "choose Follow"],
    ["the console of Postman", `POST ${address}\n400\n12 ms`, "choose Show raw log"],
    ["a variable of JavaScript", `fetch("${address}", { method: "POST", body })`, "it has the variable body"],
    ["a variable of PowerShell", `Invoke-RestMethod -Uri "${address}" -Body $body`, "it has the variable $body"],
    ["a variable in a template", `fetch(\`https://\${host}/x\`)`, "it has a variable inside of a text"],
    ["an object as a body", `fetch("${address}", { body: { a: "b" } })`, "[object Object]"],
    ["a number in another form", `requests.post("${address}", data={"amount": 10.50})`, "it has the number 10.50"],
    ["a value of None", `requests.post("${address}", data={"amount": None})`, "it has amount without a value"],
    ["an address of no operation", "curl https://shop.example/x -d a=b", "is none of an operation"]
  ])("refuses %s", async (_, input, says) => {
    const run = await pay(["explain", "--request=-"], { env, input })
    expect([run.code, run.out]).toEqual([2, ""])
    expect(run.err).toContain(says)
  })
})

it.each([
  ["a GET", `curl ${address}`, "--request is a GET: operations take POST"],
  ["a body that is not a form", `curl ${address} -d a=%zz`, "mistake  body-malformed"],
  ["a JSON body of curl", `curl ${address} --json '{"a":1}'`, "mistake  body-json"],
  ["a form of curl with parts", `curl ${address} -F client_orderid=1`, "mistake  body-multipart"],
  [
    "fields that curl moves to the address",
    `curl -G -XPOST ${address} -d client_orderid=1`,
    "mistake  fields-in-query"
  ],
  ["JSON of requests", `requests.post("${address}", json={"a": "1"})`, "mistake  body-json"],
  ["an object of axios", `axios.post("${address}", { a: "1" })`, "mistake  body-json"],
  ["an axios call without a method", `axios({ url: "${address}" })`, "--request is a GET: operations take POST"],
  [
    "JSON of fetch",
    `fetch("${address}", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ a: "1" }) })`,
    "mistake  body-json"
  ],
  ["a request without a signature", `curl ${address} -d client_orderid=1`, "Give the control as --received TEXT"]
])("pay explain --request names %s", async (_, input, says) => {
  const run = await pay(["explain", "--request=-"], { env, input })
  expect([run.code, run.err]).toEqual([1, ""])
  expect(run.out).toContain(says)
})

it("pay explain notes that a right request is addressed to another host than that of the settings", async () => {
  const run = await pay(["explain", "--request=-", `--at=${now}`], {
    input: oauthRequest("payout"),
    env: { ...merchant, PAY_BASE_URL: "https://other.example" }
  })
  expect([run.code, run.err]).toEqual([0, ""])
  expect(run.out).toContain("It is addressed to gateway.example, and the settings (PAY_BASE_URL) name other.example")
})

it("pay explain notes that a right request has another Accept than the specification allows", async () => {
  const input = oauthRequest("payout").replace("application/vnd.pay+json", "*/*")
  const run = await pay(["explain", "--request=-", `--at=${now}`], { input, env: merchant })
  expect([run.code, run.err]).toEqual([0, ""])
  expect(run.out).toContain("Its Accept is */*: the specification allows application/vnd.pay+json alone")
})

it("a pasted curl command is split into words as a shell does", () => {
  const { headers, url } = RequestText.parse(`curl "https://x.example/a\\"b"'c d' -H 'A: b: c' -H "B:\\\\"`)
  expect([url, [...headers]]).toEqual([
    `https://x.example/a"bc d`,
    [
      ["a", "b: c"],
      ["b", "\\"]
    ]
  ])
})

describe("the comparison of two texts", () => {
  it("is cut around the first difference", () => {
    const long = "x".repeat(100)
    const [expected, signed, pointer] = aligned(`${long}1${long}`, `${long}2${long}`).split("\n")
    expect(expected).toBe(`expected  …${"x".repeat(40)}1${"x".repeat(55)}…`)
    expect(signed?.indexOf("2")).toBe(pointer?.indexOf("^"))
    expect(pointer?.trim()).toBe("^ character 101")
  })
  it("reports that the texts are equal", () => expect(aligned("a", "a")).toBe("expected  a\nsigned    the same text"))
  it("shows line breaks", () =>
    expect(aligned("a", "a\n")).toBe("expected  a\nsigned    a\\n\n           ^ character 2"))
})
