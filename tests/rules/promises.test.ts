import { describe, expect, it } from "@effect/vitest"
import { page, promises } from "./Promises.ts"

describe("the index of promises", () => {
  it.each([
    [
      "a test in its groups",
      [
        'describe("an order", () => {',
        '  describe("after a decline", () => {',
        '    it("may be paid again", () => {})'
      ],
      ["an order: after a decline: may be paid again"]
    ],
    [
      "a group whose tests share services",
      ['layer(services)("an order", (it) => {', '  it.effect("ends", () => x)'],
      ["an order: ends"]
    ],
    [
      "each row of a table",
      [
        "const rows = [",
        '  ["is paid", 1],',
        "  [",
        '    "is void",',
        'describe("an order", () => {',
        "  for (const [name] of rows) it.effect(name, () => x)",
        "    it(name, x)"
      ],
      ["an order: is paid", "an order: is void"]
    ],
    [
      "each row of an inline table",
      ['it.each([["is paid", 1], ["is void", 2]])("%s", () => x)'],
      ["is paid", "is void"]
    ],
    [
      "each row of a table that is text",
      ["const table = `", "case    | end", "is paid | 1", "is void | 2", "`", "  it(name, () => x)"],
      ["is paid", "is void"]
    ],
    ["a table of other values", ['it.each([[1, 2]])("%i: %i", () => x)'], ["each row of its table"]],
    ["a title with a value", ['it.each(statuses)("ends as %s", () => x)'], ["ends as %s"]],
    [
      "tests that a function of the file declares",
      [
        "const test = (title: string) =>",
        "  it.effect(title, () => x)",
        'describe("a flow", () => {',
        '  test("ends", y)'
      ],
      ["a flow: ends"]
    ],
    [
      "tests that a function of another module declares",
      ['describe("a look", () => {', '  check([["finds the order", {}]])'],
      ["a look: finds the order"]
    ]
  ])("lists %s", (_, source, expected) => expect(promises(source.join("\n"))).toEqual(expected))
  it("has no words that a reader has to think about", () => {
    const words = /\b(?:nobody|whoever|somebody|everybody|told|tells|hears|that which|nobody's)\b/
    expect(
      page()
        .split("\n")
        .filter((line) => words.test(line))
    ).toEqual([])
  })
})
