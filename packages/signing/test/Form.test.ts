import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Form from "../src/Form.ts"

const parameter = fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))

describe("Form.canonical", () => {
  const sameText: ReadonlyArray<readonly [canonical: string, spellings: ReadonlyArray<string>]> = [
    ["a=1&b=2", ["a=1&b=2", "b=2&a=1", "&a=1&&b=2&", "%61=1&b=%32"]],
    ["a=x%20y", ["a=x+y", "a=x%20y", "a=x y"]],
    ["a=%2B", ["a=%2B", "a=%2b"]],
    ["a=~-._%27%21%2A%28%29", ["a=~-._'!*()", "a=%7E%2D%2E%5F%27%21%2A%28%29"]],
    ["a=", ["a", "a="]],
    ["=1&a=", ["a&=1"]],
    ["p%5B0%5D=1", ["p[0]=1", "p%5b0%5d=1"]],
    ["%C3%A9=%F0%9F%98%80&z=1", ["z=1&é=😀", "%c3%a9=%f0%9f%98%80&z=1"]],
    ["a=2&a=1&b=", ["a=2&b&a=1"]],
    ["B=1&a=1", ["a=1&B=1"]],
    ["", ["", "&"]]
  ]
  it.each(sameText)("is %s for every spelling of these fields", (canonical, spellings) =>
    expect(spellings.map(Form.canonical)).toEqual(spellings.map(() => canonical))
  )

  it.each(["a=%zz", "a=%FF", "%C3=1", "a=%ED%A0%80", "a=\ud800", "\udc00=1"])("does not exist for %j", (query) =>
    expect(Form.canonical(query)).toBeUndefined()
  )

  it("is one text if and only if each name has the same values in the same order", () => {
    const short = fc.string({ unit: fc.constantFrom("a", "b", "&", "=", "+", " ", "%", "é"), maxLength: 2 })
    const list = fc.array(fc.tuple(short, short), { maxLength: 4 })
    const grouped = (fields: ReadonlyArray<Form.Parameter>) =>
      new Map(
        fields
          .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
          .map(([name]) => [name, fields.filter((field) => field[0] === name)])
      )
    fc.assert(
      fc.property(list, list, (one, other) => {
        const isSame = JSON.stringify([...grouped(one)]) === JSON.stringify([...grouped(other)])
        expect(Form.canonical(Form.write(one)) === Form.canonical(Form.write(other))).toBe(isSame)
        expect(Form.canonical(new URLSearchParams(one.map(([name, value]) => [name, value])).toString())).toBe(
          Form.canonical(Form.write(one))
        )
      })
    )
  })
})

describe("Form.parse", () => {
  it.each<[body: string, parameters: ReadonlyArray<Form.Parameter>]>([
    ["", []],
    [
      "a=1&b=2",
      [
        ["a", "1"],
        ["b", "2"]
      ]
    ],
    [
      "b=2&a=1&b=1",
      [
        ["b", "2"],
        ["a", "1"],
        ["b", "1"]
      ]
    ],
    ["a=x+y%2Bz", [["a", "x y+z"]]],
    [`a=${"é+y%2B".repeat(999)}`, [["a", "é y+".repeat(999)]]],
    [`a=\ud800${"+".repeat(1999)}`, [["a", `\ud800${" ".repeat(1999)}`]]],
    ["a=1=2", [["a", "1=2"]]],
    [
      "a&b=&=c",
      [
        ["a", ""],
        ["b", ""],
        ["", "c"]
      ]
    ],
    ["&&a=1&&", [["a", "1"]]],
    [
      "a&b=c=",
      [
        ["a", ""],
        ["b", "c="]
      ]
    ],
    ["n+%C3%A9=%F0%9F%98%80", [["n é", "😀"]]],
    [
      "__proto__=1&constructor=2",
      [
        ["__proto__", "1"],
        ["constructor", "2"]
      ]
    ]
  ])("reads %j", (body, parameters) => expect(Form.parse(body)).toEqual({ ok: true, parameters }))

  it.each([
    ["a=%", 2],
    ["a=1&b=%zz", 6],
    ["a=1&%C3=2", 4],
    ["a=%C3%28", 2],
    ["a=1&b%2=", 4]
  ])("refuses %j at position %i", (body, at) => expect(Form.parse(body)).toMatchObject({ ok: false, at }))

  it("agrees with URLSearchParams on every encoded form", () => {
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const list = parameters.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()])
        const body = new URLSearchParams(list).toString()
        expect(Form.parse(body)).toEqual({ ok: true, parameters: [...new URLSearchParams(body)] })
      })
    )
  })
})

describe("Form.write", () => {
  it("writes text that Form.parse reads back unchanged", () => {
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        expect(Form.parse(Form.write(parameters))).toEqual({ ok: true, parameters })
      })
    )
  })

  it("encodes a space as %20, as in the OAuth base string", () => {
    expect(
      Form.write([
        ["order_desc", "two chairs & a table"],
        ["b", ""]
      ])
    ).toBe("order_desc=two%20chairs%20%26%20a%20table&b=")
  })
})

describe("Form.pieces", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["a=1&b", 2],
    ["&&a", 3],
    ["a&", 1]
  ])("counts %j as %i", (body, count) => expect(Form.pieces(body)).toBe(count))
})

describe("Form.isWellFormed", () => {
  it("is true for exactly the texts that Form.parse accepts", () => {
    const piece = fc.constantFrom("a", "=", "&", "%", "%2", "%4", "1", "%C3", "%A9", "+", "é")
    fc.assert(fc.property(fc.array(piece), (list) => Form.isWellFormed(list.join("")) === Form.parse(list.join("")).ok))
  })
})

describe("Form.head", () => {
  it.each([
    ["", 1, ""],
    ["a=1&b", 0, ""],
    ["a=1&b", 1, "a=1&"],
    ["a=1&b", 2, "a=1&b"],
    ["a=1&b&", 2, "a=1&b&"],
    ["&&a", 2, "&&"],
    ["a&b", -1, ""]
  ])("of %j with %i pieces is %j", (body, pieces, text) => expect(Form.head(body, pieces)).toBe(text))
})
