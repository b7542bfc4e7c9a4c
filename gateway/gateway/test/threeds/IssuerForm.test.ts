import { hash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as IssuerForm from "../../src/threeds/IssuerForm.ts"

const form = { action: "https://acs.example/challenge", fields: { creq: "eyJ" }, hidden: false }

describe("the page that sends the browser to the issuer", () => {
  it("allows only its own script", () => {
    const page = IssuerForm.render(form)
    const scripts = [...page.matchAll(/<script>(.*?)<\/script>/g)].map(([, script]) => script)
    assert.deepStrictEqual(scripts, ["document.forms[0].submit()"])
    assert.include(page, `script-src &#39;sha256-${hash("sha256", scripts[0] ?? "", "base64")}&#39;`)
  })

  it("has a button for browsers without scripts", () => {
    assert.match(IssuerForm.render(form), /<noscript><button type="submit">Continue<\/button><\/noscript>\n<\/form>/)
  })

  it("posts into a hidden frame only in the method step", () => {
    assert.notMatch(IssuerForm.render(form), /target=|<iframe/)
    const page = IssuerForm.render({ ...form, hidden: true })
    assert.include(page, ' target="issuer">')
    assert.match(page, /<iframe name="issuer"[^>]* hidden>/)
  })

  it("escapes its address and its fields", () => {
    const page = IssuerForm.render({
      action: 'https://acs.example/"><script>alert(1)</script>',
      fields: { md: '"><img src=x onerror=alert(1)>' },
      hidden: false
    })
    assert.notInclude(page, "<img")
    assert.lengthOf([...page.matchAll(/<script>/g)], 1)
  })
})
