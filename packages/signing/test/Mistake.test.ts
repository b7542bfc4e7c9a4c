import { describe, expect, it } from "vitest"
import { ALONE, LAST, type Mistake, RARE, type Steps, VAGUE } from "../src/explain/Mistake.ts"
import { type Ending, search } from "../src/explain/Search.ts"

/** A toy: a draft writes three letters and a value, and each mistake replaces one of them. */
interface Draft extends Steps {
  readonly values: Readonly<Record<string, string>>
  readonly first: string
  readonly second: string
  readonly end: (text: string) => string
}

const right: Draft = { values: { x: ".", y: "." }, first: ".", second: ".", end: (text) => text }
const text = ({ first, second, values: { x = "", y = "" } }: Omit<Draft, "end">): string => first + second + x + y

const mistake = (id: string, variants: ReadonlyArray<Partial<Draft>>, weight?: number): Mistake<Draft> => ({
  id,
  description: id,
  remedy: "do not",
  ...(weight !== undefined && { weight }),
  variants: () => variants.map((steps) => [JSON.stringify(steps), steps])
})

const mistakes = [
  mistake("first", [{ first: "a" }, { first: "b" }]),
  mistake("second", [{ second: "a" }]),
  mistake("both", [{ first: "c", second: "c" }]),
  mistake("value", [{ values: { x: "a" } }, { values: { y: "a" } }, { values: { x: "b", y: "b" } }]),
  mistake("rare", [{ values: { x: "r" } }, { second: "a" }], RARE),
  mistake("alone", [{ values: { y: "z" } }], ALONE),
  mistake("last", [{ values: { x: "z", y: "a" } }], LAST),
  mistake("end", [{ end: (text) => `${text}!` }]),
  {
    ...mistake("end again", []),
    variants: ({ end }) => [["", { end: (text) => `"${end(text)}"` }]]
  } satisfies Mistake<Draft>
]

/** The last step puts an end to a text, which shows in its length. */
const endingOf = (received: string): Ending<Draft> => ({
  steps: ["end"],
  isPossible: ({ end }) => end("....").length === received.length
})

const question = (received: string, mostPairs = 1000) => ({
  reproduces: (draft: Draft) => draft.end(text(draft)) === received,
  ending: endingOf(received),
  mostPairs
})

const find = (received: string, list = mistakes) => {
  const explanation = search(right, list, question(received))
  return explanation._tag === "Explained"
    ? explanation.findings.map(({ mistakes }) => mistakes.map(({ id }) => id).join("+"))
    : explanation._tag
}

describe("the search for mistakes", () => {
  it.each([
    ["....", "Correct"],
    ["b...", ["first"]],
    ["ba..", ["first+second"]],
    ["b.a.", ["first+value"]],
    ["cca.", ["both+value"]],
    ["..aa", ["value"]],
    ["b.r.", ["first+rare"]],
    [".ar.", ["second+rare"]],
    ["...z", ["alone"]],
    ["ca..", "Unexplained"],
    ["b..z", ["first+alone"]],
    ["b...!", ["first+end"]],
    ["...z!", ["alone+end"]],
    ['"....!"', ["end+end again"]],
    ["ba..!", ["first+second+end"]],
    ["..za!", ["last+end"]],
    ["..za", ["last"]],
    ["b.za", "Unexplained"],
    ["baa.", "Unexplained"]
  ])("explains %s as %j", (received, explanation) => expect(find(received)).toEqual(explanation))

  it("names every mistake with the least weight that explains the signature, and no rarer one", () => {
    const steps: ReadonlyArray<Partial<Draft>> = [{ first: "a" }]
    const weights = [undefined, RARE, undefined, ALONE, 1 + VAGUE]
    const list = weights.map((weight, index) => mistake(String(index), steps, weight))
    expect(find("a...", list)).toEqual(["0", "2", "4"])
    expect(find("a...", list.slice(1, 2))).toEqual(["1"])
  })

  it("names at most three pairs, and the less vague ones", () => {
    const firsts = Array.from({ length: 6 }, (_, index) =>
      mistake(`f${index}`, [{ first: "a" }], 1 + (index < 2 ? VAGUE : 0))
    )
    expect(find("ab..", [...firsts, mistake("s", [{ second: "b" }])])).toEqual(["f2+s", "f3+s", "f4+s"])
  })

  it("joins the details of one mistake that is made twice", () => {
    const explanation = search(right, mistakes, question("..aa"))
    expect(explanation).toMatchObject({
      findings: [{ mistakes: [{ id: "value", detail: '{"values":{"x":"a"}}; {"values":{"y":"a"}}' }] }]
    })
  })

  it("tries a limited number of pairs, and counts what it tried", () => {
    const tried = (mostPairs: number) => {
      const explanation = search(right, mistakes, question("????", mostPairs))
      return explanation._tag === "Unexplained" ? explanation.tried : undefined
    }
    const singles = 2 + 1 + 1 + 3 + 2 + 1 + 1
    expect([tried(0), tried(5)]).toEqual([singles, singles + 5])
  })
})
