import { describe, expect, it } from "@effect/vitest"
import * as Finding from "../src/judgement/Finding.ts"
import * as Faults from "../src/plan/Faults.ts"

describe("the table of faults", () => {
  it.each(Faults.names)("%s says in a sentence what happens in reality", (name) => {
    expect(Faults.faults[name].sentence).toMatch(/^[A-Z].*\.$/)
    expect(name).toMatch(/^[a-z]+[A-Z]?[a-z]*$|^[a-z]+([A-Z][a-z]+)*$/)
  })
})

describe("the kinds of findings", () => {
  it.each(Object.entries(Finding.kinds))("%s has words for one and for many", (_, [one, many]) => {
    expect(one).not.toBe(many)
  })
})
