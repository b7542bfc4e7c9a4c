/** Pages of shops as a browser reads them, however they are written. */
import { describe, expect, it } from "@effect/vitest"
import * as HtmlPage from "../src/shop/HtmlPage.ts"

/** How a form is written, and the fields that a browser sends. */
const fields: ReadonlyArray<readonly [how: string, form: string, sent: ReadonlyArray<readonly [string, string]>]> = [
  ["in quotes", `<input name="a" value='1'>`, [["a", "1"]]],
  ["without quotes", "<input name=a value=1>", [["a", "1"]]],
  ["in capital letters", `<INPUT NAME="a" VALUE="1">`, [["a", "1"]]],
  ["over lines, with a closing slash", `<input\n  name="a"\n  value="1"\n/>`, [["a", "1"]]],
  ["with characters of tags in a value", `<input name="a" value="1 > 0 < 2">`, [["a", "1 > 0 < 2"]]],
  ["with references", `<input name="a" value="&lt;caf&eacute; &amp; &#x42;&#67;&gt;">`, [["a", "<café & BC>"]]],
  ["without a value", `<input name="a">`, [["a", ""]]],
  ["without a name", `<input value="1">`, []],
  ["hidden", `<input type="hidden" name="a" value="1">`, [["a", "1"]]],
  ["a box that is checked", `<input type="checkbox" name="a" checked>`, [["a", "on"]]],
  ["a box that is not checked", `<input type="checkbox" name="a" value="1">`, []],
  ["buttons and files", `<input type="submit" name="a"><input type="file" name="b"><button name="c">Go</button>`, []],
  ["that is disabled", `<input name="a" value="1" disabled>`, []],
  ["a choice", `<select name="a"><option value="1">One<option value="2" selected>Two</select>`, [["a", "2"]]],
  [
    "a choice of which nothing is chosen",
    `<select name="a"><option>One</option><option>Two</option></select>`,
    [["a", "One"]]
  ],
  ["a choice without options", `<select name="a"></select>`, []],
  [
    "a text of lines",
    "<textarea name=a>one &amp; <input name=b>\ntwo</textarea>",
    [["a", "one & <input name=b>\ntwo"]]
  ],
  ["in a comment", `<!-- <input name="a" value="1"> -->`, []],
  ["in a script", `<script>document.write('<input name="a" value="1">')</script>`, []]
]

describe("the fields of a form", () => {
  it.each(fields)("%s", (_, form, sent) => {
    const [first] = HtmlPage.read(`<form action="/pay" method="POST">${form}</form>`).forms
    expect(first).toMatchObject({ action: "/pay", isPost: true, fields: sent })
  })
})

describe("a page", () => {
  it("has the forms that are in its markup, and not those in its scripts and comments", () => {
    const html = `<script>x = '<form action="/script">'</script><!-- <form action="/comment"> --><form action="/a?b=1&amp;c=2">`
    expect(HtmlPage.read(html).forms.map(({ action }) => action)).toEqual(["/a?b=1&c=2"])
  })
  it("asks the customer where something can be typed or chosen", () => {
    const asks = (form: string) => HtmlPage.read(`<form>${form}</form>`).forms.map((each) => each.asks)
    expect([asks("<input name=a>"), asks("<textarea>"), asks("<select><option>1")]).toEqual([[true], [true], [true]])
    expect([asks("<input type=hidden name=a>"), asks("<button>Pay</button>")]).toEqual([[false], [false]])
  })
  it.each([
    [`<meta http-equiv="refresh" content="0; url=/next?a=1&amp;b=2">`, "/next?a=1&b=2"],
    [`<META HTTP-EQUIV=Refresh CONTENT='1;URL="/next"'>`, "/next"],
    [`<meta http-equiv="refresh" content="5">`, ""],
    [`<meta name="description" content="0; url=/next">`, undefined]
  ])("that says %s leads to %s", (html, target) => {
    expect(HtmlPage.read(html).refresh).toBe(target)
  })
  it("has the addresses of its links", () => {
    expect(HtmlPage.read(`<a href="/a?b&amp;c">x</a><A HREF=/d>y</A><a name=z>`).links).toEqual(["/a?b&c", "/d"])
  })
  it("sends a form itself where a script submits it", () => {
    const submits = (html: string) => HtmlPage.read(html).submitsItself
    expect(submits("<form></form><script>document.forms[0].submit()</script>")).toBe(true)
    expect(submits(`<body onload="document.forms[0].submit()"><form></form>`)).toBe(true)
    expect(submits("<form></form><p>Press submit (the button).</p>")).toBe(false)
  })
})
