import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const page = new URL("../../../docs/assumptions.md", import.meta.url)
const lines = readFileSync(page, "utf8").split("\n")
const rows = lines.filter((line) => /^\| (?!Gap |---)/.test(line))

describe("docs/assumptions.md", () => {
  it("has gap, choice, reason and carrier in every row", () =>
    expect(rows.filter((row) => !/^(\| [^|]*\S ){4}\|$/.test(row))).toEqual([]))

  const links = rows.flatMap((row) =>
    [...row.matchAll(/\[`(\w+)`\]\(([^)]+)\)/g)].map(([, name = "", path = ""]) => [name, path])
  )
  it.each(links)("%s stands in %s", (name, path) => {
    const source = readFileSync(new URL(path, page), "utf8")
    expect(path.endsWith(`/${name}.ts`) || new RegExp(`\\b${name}\\b`).test(source)).toBe(true)
  })
  it("names a carrier for all that is not planned", () =>
    expect(rows.filter((row) => !/\]\([^)]+\) \|$|\| Planned \|$/.test(row))).toEqual([]))
})
