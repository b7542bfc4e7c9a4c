import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const page = new URL("../../../docs/assumptions.md", import.meta.url)
const lines = readFileSync(page, "utf8").split("\n")
const rows = lines.filter((line) => /^\| (?!Gap |---)/.test(line))

describe("docs/assumptions.md", () => {
  it("names the gap, the choice, the reason and the code in every row", () =>
    expect(rows.filter((row) => !/^(\| [^|]*\S ){4}\|$/.test(row))).toEqual([]))

  const links = rows.flatMap((row) =>
    [...row.matchAll(/\[`(\w+)`\]\(([^)]+)\)/g)].map(([, name = "", path = ""]) => [name, path])
  )
  it.each(links)("names code that exists: %s in %s", (name, path) => {
    const source = readFileSync(new URL(path, page), "utf8")
    expect(path.endsWith(`/${name}.ts`) || new RegExp(`\\b${name}\\b`).test(source)).toBe(true)
  })
  it("names the code of every assumption that is not only planned", () =>
    expect(rows.filter((row) => !/\]\([^)]+\) \|$|\| Planned \|$/.test(row))).toEqual([]))
})
