import { join, posix } from "node:path"
import { assert, describe, expect, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as CallbacksPage from "../src/pages/CallbacksPage.ts"
import * as OperationErrors from "../src/pages/OperationErrors.ts"
import * as OperationPage from "../src/pages/OperationPage.ts"
import * as Diagram from "../src/site/Diagram.ts"
import * as Links from "../src/site/Links.ts"
import * as SearchTerms from "../src/site/SearchTerms.ts"
import * as Site from "../src/site/Site.ts"
import { defaults } from "../src/snippets/ExampleRequest.ts"
import { languages } from "../src/snippets/Language.ts"

const { copies, texts } = Site.collect(join(import.meta.dirname, "../../.."))
const pages = [...texts].filter(([path]) => path.endsWith(".md"))

const anchor = (heading: string): string =>
  heading
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "")
const anchors = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading))

describe("the pages of the documentation site", () => {
  it.each(PayApi.all)("has a page for $name with its fields and a request in four languages", (operation) => {
    const page = texts.get(`merchants/operations/${OperationPage.fileName(operation)}.md`) ?? ""
    for (const language of languages) expect(page).toContain(`\n== ${language}\n`)
    for (const name of operation.infos.keys()) expect(page).toContain(`| \`${name}\``)
    expect(page).toContain(`POST ${operation.path}/{endpointId}`)
    expect(page).toContain("| `serial-number`")
  })
  // VitePress checks that pages exist; this test also checks their headings.
  it("have no dead link", () => {
    const dead = pages.flatMap(([path, text]) =>
      [...withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = ""]) => {
        if (/^[a-z]+:/.test(link)) return []
        const [file = "", heading] = link.split("#")
        const target = file === "" ? path : posix.join(posix.dirname(path), file)
        const linked = texts.get(target) ?? (copies.has(target) ? "" : undefined)
        const isDead = linked === undefined || (heading !== undefined && !anchors(linked).includes(heading))
        return isDead ? [`${path}: ${link}`] : []
      })
    )
    expect(dead).toEqual([])
  })
  it("name files of the repository that they do not contain", () => {
    const page = (markdown: string) => ({ source: "packages/a/README.md", path: "merchants/a.md", markdown })
    const there = { ...page(""), source: "packages/b/README.md", path: "merchants/b.md" }
    const resolve = Links.resolver([there], new Map(), new Map())
    const written = (markdown: string) => Links.markdownOf(page(markdown), resolve)
    expect(written("[B](../b/README.md#c), [text](../../x/y.ts), [y.ts](../../x/y.ts)\n\n```\n[B](../b.md)\n```")).toBe(
      "[B](./b.md#c), text (`x/y.ts`), y.ts\n\n```\n[B](../b.md)\n```"
    )
  })
  it("are all in llms.txt, described by their subjects, not by their generators", () => {
    const index = texts.get("public/llms.txt") ?? ""
    for (const [path] of pages) if (path !== "index.md") expect(index).toContain(`](${path})`)
    const origins = /generated from|generates this page|Written from|```/
    const lines = index.split("\n").filter((line) => line.startsWith("- ["))
    expect(lines.filter((line) => origins.test(line) || !line.includes("): "))).toEqual([])
  })
})

describe("the terms of the search", () => {
  it.each([
    ["client_orderid", ["client_orderid", "client", "orderid"]],
    ["`PAY_BASE_URL`=", ["PAY_BASE_URL", "PAY", "BASE", "URL"]],
    ["--accept-loss FILE", ["--accept-loss", "accept-loss", "accept", "loss", "FILE"]],
    ["application/vnd.pay+json", ["application", "vnd.pay+json", "vnd", "pay", "json"]],
    ["one--two ---", ["one", "two"]],
    ["clientOrderId", ["clientOrderId", "client", "Order", "Id"]],
    ["code 40.", ["code", "40"]]
  ])("of %s", (text, terms) => expect(SearchTerms.indexed(text)).toEqual(terms))
  it("are in a query whole names, sought as they are if they have digits or _", () => {
    expect(SearchTerms.queried("client_orderid --harmless")).toEqual(["client_orderid", "--harmless"])
    const sought = ["1101", "client_orderid", "vnd.pay+json", "--control-key", "callback"]
    expect(sought.map(SearchTerms.tolerance)).toEqual([false, false, false, false, 0.2])
  })
})

describe("a diagram", () => {
  const drawn = Diagram.draw(
    "stateDiagram-v2\n  [*] --> a\n  a --> a: again\n  a --> b: one\n  a --> b: two\n  note right of b: <done>"
  )
  it("shows states, notes and the labels of transitions", () => {
    for (const text of [">a</text>", ">&lt;done&gt;</text>", ">again</text>", ">one, two</text>"])
      expect(drawn).toContain(text)
  })
  it.each(["flowchart TD\n a --> b", "stateDiagram-v2\n state a {"])("of another kind is not drawn: %s", (text) =>
    expect(Diagram.draw(text)).toBeUndefined()
  )
})

describe("the example of a callback", () => {
  const { worked } = CallbacksPage
  it("has a valid control", () => {
    const form = Form.parse(worked.query)
    assert(form.ok)
    expect(CallbackSignature.verify(form.parameters, [defaults.controlKey]).ok).toBe(true)
  })
  it("has a valid webhook signature", () => {
    const nowSeconds = Number(worked.headers["webhook-timestamp"])
    const secrets = [StandardWebhooks.secret(defaults.controlKey)]
    const received = { headers: worked.headers, content: [worked.query], secrets, nowSeconds, toleranceSeconds: 0 }
    expect(StandardWebhooks.verify(received)).toEqual({ ok: true, id: "6768788-1" })
  })
  it.each([
    [10_000, "10 seconds"],
    [3_600_000, "1 hour"],
    [1_058_400_000, "12.25 days"]
  ])("shows a retry delay of %i ms as %s", (ms, text) => expect(CallbacksPage.duration(ms)).toBe(text))
})

describe("the errors of an operation", () => {
  const codes = (operation: Parameters<typeof OperationErrors.of>[0]) =>
    OperationErrors.of(operation).own.map(({ code }) => code)
  it("follow from its signature and its fields", () => {
    const { CAPTURE, PAYOUT_V4, STATUS, VOID } = PayApi.operations
    expect(codes(STATUS)).toEqual([5, 40, 54])
    expect(codes(VOID)).toContain(62)
    expect(codes(VOID)).not.toContain(53)
    expect(codes(STATUS)).not.toContain(25)
    expect(codes(CAPTURE)).toEqual(expect.arrayContaining([40, 53, 55, 60]))
    expect(codes(PAYOUT_V4)).toEqual(expect.arrayContaining([43, 45, 51, 63]))
    expect(codes(PAYOUT_V4)).not.toContain(40)
  })
})
