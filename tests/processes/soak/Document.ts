/** The parts of docs/operators/soak.md that runs write: each between its own two marks. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/Workspace.ts"

const path = join(root, "docs/operators/soak.md")

/** Replaces what stands between the marks of this part. */
export const write = (part: "failures" | "recurring", markdown: string): void => {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`]
  const text = readFileSync(path, "utf8")
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`docs/operators/soak.md has no marks of its part "${part}"`)
  writeFileSync(path, `${text.slice(0, before)}${begin}\n\n${markdown}\n\n${text.slice(after)}`)
}
