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
import * as Site from "../src/site/Site.ts"
import { defaults } from "../src/snippets/ExampleRequest.ts"
import { languages } from "../src/snippets/Language.ts"

const { deadLinks, files } = Site.build(join(import.meta.dirname, "../../.."))
const html = [...files].filter(([path]) => path.endsWith(".html"))

describe("the documentation site", () => {
  it.each(PayApi.all)("has a page for $name with its fields and a request in four languages", (operation) => {
    const page = files.get(`merchants/operations/${OperationPage.fileName(operation)}.html`) ?? ""
    for (const language of languages) expect(page).toContain(`<pre data-tab="${language}"`)
    for (const name of operation.infos.keys()) expect(page).toContain(`<code>${name}</code>`)
    expect(page).toContain(`POST ${operation.path}/{endpointId}`)
    expect(page).toContain("<code>serial-number</code>")
  })
  it("has no dead link", () => expect(deadLinks).toEqual([]))
  it("contains every diagram as a drawing", () => {
    expect(files.get("merchants/lifecycle.html")).toContain('<svg class="diagram"')
    expect(html.filter(([, text]) => text.includes('data-language="mermaid"')).map(([path]) => path)).toEqual([])
  })
  it("loads nothing from other sites", () => {
    const loads = /<(?:script|link|img|iframe)[^>]+(?:src|href)="https?:/
    expect(html.filter(([, text]) => loads.test(text)).map(([path]) => path)).toEqual([])
  })
  it("has every page in its search index and in llms.txt", () => {
    for (const [path] of html) {
      expect(files.get("search.js")).toContain(`"u":"${path}`)
      expect(files.get("llms.txt")).toContain(`(${path.replace(/html$/, "md")})`)
      expect(files.has(path.replace(/html$/, "md"))).toBe(true)
    }
  })
  it("describes each page in llms.txt by its subject, not by its generator", () => {
    const origins = /generated from|generates this page|Written from|```/
    const lines = (files.get("llms.txt") ?? "").split("\n").filter((line) => line.startsWith("- ["))
    assert.deepStrictEqual(
      lines.filter((line) => origins.test(line) || !line.includes("): ")),
      []
    )
  })
})

describe("the pages as Markdown", () => {
  it("link to each other", () => {
    const markdown = [...files].filter(([path]) => path.endsWith(".md") || path === "llms.txt")
    const dead = markdown.flatMap(([path, text]) =>
      [...text.matchAll(/\]\(([^()\s<]+\.md)[#)]/g)]
        .map(([, href = ""]) => posix.join(posix.dirname(path), href))
        .filter((target) => !files.has(target))
        .map((target) => `${path}: ${target}`)
    )
    expect(dead).toEqual([])
    expect(files.get("index.md")).toContain("](merchants/flows.md)")
  })
})

describe("the check for dead links", () => {
  const read = (path: string) => (path === "a/there.html" ? '<h2 id="here">' : undefined)
  it.each([
    ["reports a missing file", "gone.html", 1],
    ["reports a missing heading", "there.html#gone", 1],
    ["accepts an existing heading", "there.html#here", 0],
    ["ignores an address of another site", "https://example.com", 0]
  ])("%s", (_, href, count) =>
    expect(Links.deadLinks("a/page.html", `<a href="${href}">x</a>`, read)).toHaveLength(count)
  )
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
