import { assert, describe, it } from "@effect/vitest"
import { escaped } from "@pay/schema/Markup"
import { html, trusted } from "../../src/kernel/Html.ts"

describe("text in HTML", () => {
  const rows: ReadonlyArray<readonly [text: string, written: string]> = [
    ["plain", "plain"],
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    [`" onfocus="alert(1)`, "&quot; onfocus=&quot;alert(1)"],
    ["' onfocus='alert(1)", "&#39; onfocus=&#39;alert(1)"],
    ["&lt;", "&amp;lt;"],
    ["a\u0000b\u001bc\u007f", "abc"],
    ["two\nlines", "two\nlines"],
    ["كتاب 📚", "كتاب 📚"]
  ]
  for (const [text, written] of rows) {
    it(`is escaped: ${JSON.stringify(text)}`, () => assert.strictEqual(escaped(text), written))
  }

  it("stays unescaped only if a template made it", () => {
    const inner = html`<b>${"<i>"}</b>`
    assert.strictEqual(
      html`<p>${inner}${[inner, inner]}${1}${undefined}${false}${trusted("<hr>")}</p>`.text,
      "<p><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>1<hr></p>"
    )
  })
})
