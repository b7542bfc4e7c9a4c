import { describe, expect, it } from "vitest"
import { type Mistake, search } from "../src/explain/Mistake.ts"

/** A toy: drafts are texts, a mistake appends a letter. */
const appends = (id: string, aspect: string, ...letters: ReadonlyArray<string>): Mistake<string> => ({
  id,
  aspect,
  description: `${id} was appended`,
  remedy: "do not",
  variants: (draft) => letters.map((letter) => [letter, draft + letter])
})
const mistakes = [
  appends("a", "one", "a", "A"),
  appends("b", "one", "b"),
  appends("c", "two", "c"),
  appends("d", "three", "d")
]

const find = (received: string, list = mistakes) => {
  const explanation = search("", list, (draft) => draft === received)
  return explanation._tag === "Explained"
    ? explanation.findings.map(({ mistakes }) => mistakes.map(({ detail }) => detail).join(""))
    : explanation._tag
}

describe("the search for mistakes", () => {
  it.each([
    ["", "Correct"],
    ["A", ["A"]],
    ["ac", ["ac"]],
    ["cd", ["cd"]],
    ["ab", "Unexplained"],
    ["ca", "Unexplained"],
    ["acd", "Unexplained"]
  ])("explains %j as %j", (received, explanation) => expect(find(received)).toEqual(explanation))

  it("names every single mistake that explains the signature, and then no pairs", () => {
    const list = [
      appends("a", "one", "x"),
      appends("b", "two", "x"),
      appends("c", "three", ""),
      appends("d", "four", "x")
    ]
    expect(find("x", list)).toEqual(["x", "x", "x"])
  })

  it("names at most three pairs", () => {
    const list = Array.from({ length: 6 }, (_, index) => appends(String(index), String(index), "x"))
    expect(find("xx", list)).toEqual(["xx", "xx", "xx"])
  })

  it("counts the variants that it tried", () => {
    // The draft's variants by themselves: 5. In pairs of different aspects: a with c and d, b with c and d, c with d.
    expect(search("", mistakes, (draft) => draft === "?")).toEqual({
      _tag: "Unexplained",
      tried: 5 + 4 + 2 + 1,
      facts: []
    })
  })
})
