import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { read, root } from "../../scripts/Workspace.ts"
import { explained } from "../mutation/Explained.ts"
import { mutantsOf, withMutants } from "../mutation/Guards.ts"
import { places } from "../mutation/Places.ts"

const display = (source: string) => mutantsOf(source).map(({ mutated, original }) => `${original} → ${mutated}`)

it.each([
  ["a condition, and a bound", "if (a < 1) b()", ["a < 1 → true", "a < 1 → false", "a < 1 → a <= 1"]],
  [
    "a bound beside parentheses",
    "if (a < (b ?? 0)) c()",
    ["a < (b ?? 0) → true", "a < (b ?? 0) → false", "a < (b ?? 0) → a <= (b ?? 0)", "b → undefined"]
  ],
  ["a condition of operands", "if (a && b()) c()", ["a && b() → false", "a → true", "b() → true"]],
  ["a value of operands", "const x = a === 1 || b", ["a === 1 || b → true", "a === 1 → false", "b → false"]],
  ["a chain of refusals", "const x = no(a) ?? no(b)", ["no(a) → undefined", "no(b) → undefined"]],
  ["a default, which is no guard", 'const x = a.b ?? ""', ["a.b → undefined"]],
  ["a case", 'switch (a) { case "b": c() }', ['"b" → {}']],
  ["a loop, which may only end", "while (a()) b()", ["a() → false"]],
  ["guards of a commit", "const x = { guards: [a(), ...b] }", ["a() → []", "b → []"]],
  ["guards of another commit", "const x = { guards: a(b) }", ["a(b) → []"]],
  ["a predicate", "a.filter((b) => b.c)", ["b.c → true", "b.c → false"]],
  [
    "a predicate by its name",
    "a.some(isB)",
    ["a.some(isB) → true", "a.some(isB) → false", "isB → () => true", "isB → () => false"]
  ],
  ["the greater of two", "const x = Math.max(a, 1)", ["Math.max(a, 1) → a", "Math.max(a, 1) → 1"]],
  ["a text, which has none", "const x = a ? 'not yet' : ``", []],
  ["a type, which has none", "const x = (a: typeof b extends c ? d : e): a is f => a", []]
])("a mutation run makes the mutants of %s", (_, source, mutants) => expect(display(source)).toEqual(mutants))

it("a mutation run activates one mutant at a time in a source that contains all of them", () => {
  const source = "const both = (a, b) => a > 1 && b > 1"
  const resultsWith = (mutant: number): ReadonlyArray<boolean> => {
    const make = new Function("__mutant", `${withMutants(source, 7)}\nreturn both`)
    const holds = make((number: number) => number === mutant)
    return [holds(1, 2), holds(2, 1), holds(2, 2)]
  }
  const none = [false, false, true]
  expect([6, 7, 8, 9, 10, 11, 12].map(resultsWith)).toEqual([
    none,
    [false, false, false],
    [true, false, true],
    [true, false, true],
    [false, true, true],
    [false, true, true],
    none
  ])
})

it("the places of mutation runs name existing files", () => {
  const named = Object.values(places).flatMap(({ sources, tests }) => [...sources, ...tests])
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it("each explained mutant can still be made", () => {
  const gone = explained.filter(
    ({ file, mutated, original }) =>
      !existsSync(join(root, file)) || !display(read(file)).includes(`${original} → ${mutated}`)
  )
  expect(explained.length).toBeGreaterThan(0)
  expect(gone).toEqual([])
})
