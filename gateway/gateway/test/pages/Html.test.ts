import { assert, describe, it } from "@effect/vitest"
import { html, trusted } from "../../src/kernel/Html.ts"

describe("text in HTML", () => {
  it("stays unescaped only if a template made it", () => {
    const inner = html`<b>${"<i>"}</b>`
    assert.strictEqual(
      html`<p>${inner}${[inner, inner]}${1}${undefined}${false}${trusted("<hr>")}</p>`.text,
      "<p><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>1<hr></p>"
    )
  })
})
