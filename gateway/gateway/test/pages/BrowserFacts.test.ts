/** The browser's data from the card page's script, as 3-D Secure gets it. */
import { assert, describe, it } from "@effect/vitest"
import * as Form from "@pay/signing/Form"
import * as BrowserInput from "../../src/http/pages/BrowserInput.ts"

const browser = (fields: Readonly<Record<string, string>>) =>
  BrowserInput.browser({
    method: "POST",
    path: "/pay/token",
    query: "",
    headers: {},
    body: Form.write(Object.entries(fields)),
    remoteAddress: "203.0.113.9",
    publicBaseUrl: "https://pay.example"
  })

/** Fields of the form, javascriptEnabled, javaEnabled. */
const cases = [
  ["Java is on", { browserJavascriptEnabled: "true", browserJavaEnabled: "true" }, true, true],
  ["Java is off", { browserJavascriptEnabled: "true", browserJavaEnabled: "false" }, true, false],
  ["no script ran", { browserJavascriptEnabled: "false", browserJavaEnabled: "" }, false, undefined],
  ["the form is not that of a page", {}, undefined, undefined]
] as const

describe("a posted form", () => {
  const read = (body: string) =>
    BrowserInput.fields({
      method: "POST",
      path: "/",
      query: "",
      headers: {},
      body,
      remoteAddress: "",
      publicBaseUrl: ""
    })
  it.each([
    ["16384 characters", `a=${"x".repeat(16_384)}`, 16_384],
    ["16385 characters", `a=${"x".repeat(16_385)}`, 0],
    ["64 fields", `a=x${"&b=1".repeat(63)}`, 1],
    ["65 fields", `a=x${"&b=1".repeat(64)}`, 0]
  ])("of %s is read only within the limits of a page's form", (_, body, length) =>
    assert.lengthOf(read(body)("a"), length)
  )
})

describe("the browser's data from the card page", () => {
  it.each(cases)("says whether scripts and Java are enabled: %s", (_, fields, javascriptEnabled, javaEnabled) => {
    const observed = browser(fields)
    assert.deepStrictEqual([observed.javascriptEnabled, observed.javaEnabled], [javascriptEnabled, javaEnabled])
  })
})
