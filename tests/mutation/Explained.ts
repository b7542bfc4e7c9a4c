/** The surviving mutants that docs/contributors/mutations.md explains. */
import { read } from "../../scripts/Workspace.ts"
import type { Mutant } from "./Guards.ts"

export interface Explained extends Pick<Mutant, "original" | "mutated"> {
  readonly file: string
}

const document = "docs/contributors/mutations.md"

const row = /^\| `([^`]+\.ts)` \| `([^`]+)` → `([^`]+)` \| .+ \|$/gm

export const explained: ReadonlyArray<Explained> = [...read(document).matchAll(row)].map(
  ([, file = "", original = "", mutated = ""]) => ({
    file,
    original: original.replaceAll("\\|", "|"),
    mutated: mutated.replaceAll("\\|", "|")
  })
)

export const isExplained = (file: string, { mutated, original }: Mutant): boolean =>
  explained.some((existing) => existing.file === file && existing.original === original && existing.mutated === mutated)
