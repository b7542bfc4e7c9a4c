import { assert, describe, it } from "@effect/vitest"
import * as Markup from "../src/Markup.ts"

describe("Markup", () => {
  it.each([
    ["plain", "plain"],
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    [`" onfocus="alert(1)`, "&quot; onfocus=&quot;alert(1)"],
    ["' onfocus='alert(1)", "&#39; onfocus=&#39;alert(1)"],
    ["]]><!--", "]]&gt;&lt;!--"],
    ["&lt;", "&amp;lt;"],
    ["a\u0000b\u001bc\u007f", "abc"],
    ["two\nlines", "two\nlines"],
    ["كتاب 📚", "كتاب 📚"]
  ])("escapes %j", (text, written) => assert.strictEqual(Markup.escaped(text), written))

  it("writes hidden fields that a browser reads as they were", () => {
    const fields = { 'a"><b': `"'<&>`, empty: "", two: "lines\nhere" }
    assert.deepStrictEqual(Markup.form(Markup.hidden(fields)).hidden, fields)
  })

  it.each(["plain", `a & b < c > d "e" 'f'`, "&amp;", "&lt;b&gt;", "&#39;", "&unknown;"])(
    "unescapes what it escaped: %s",
    (text) => assert.strictEqual(Markup.unescaped(Markup.escaped(text)), text)
  )

  it.each([
    ["no form", "<p>&amp;</p>", { action: undefined, hidden: {} }],
    ["a form without an address", '<form method="post"></form>', { action: undefined, hidden: {} }],
    [
      "a target and hidden fields, one of them empty",
      '<form method="post" action="/a?b=1&amp;c=2"><input type="hidden" name="x&amp;y" value="&quot;1&#39;"><input type="hidden" name="z"></form>',
      { action: "/a?b=1&c=2", hidden: { "x&y": `"1'`, z: "" } }
    ]
  ])("reads the form of a page: %s", (_, html, form) => assert.deepStrictEqual(Markup.form(html), form))
})
