import { basename } from "node:path"
import { allSources } from "../../scripts/Workspace.ts"

const VAGUE = /^(utils?|helpers?|common|types?|shared|misc|lib|base|stuff|manager|interfaces?|constants?|functions?)$/i
const LONGEST = 300
const LONGEST_EXAMPLE = 60
const LONGEST_SHOP = 120
const LONGEST_README = 120

/** What is wrong with the name of a file or a folder on its way, or with a file's length. */
export const wrongFile = (path: string, lines: number): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const parts = path.split("/")
  const vague = parts.filter((part) => VAGUE.test(part.replace(/\..*$/, "")))
  for (const part of vague) wrong.push(`"${part}" says nothing: name the one concept it holds`)
  const ofExample = path.startsWith("examples/crashtest/") ? LONGEST_SHOP : LONGEST_EXAMPLE
  const longest = path.startsWith("examples/") ? ofExample : LONGEST
  if (/\.(ts|mjs|js|css|html|php|py|rb)$/.test(path) && lines > longest)
    wrong.push(`${lines} lines, ${longest} at most: split it by concept`)
  if (path === "README.md" && lines > LONGEST_README)
    wrong.push(`${lines} lines, ${LONGEST_README} at most: move what few readers need to a page in docs`)
  if (
    allSources.test(path) &&
    !/^apps\/cli\/src\/commands\/[a-z]+(-[a-z]+)*\.ts$/.test(path) &&
    !/^([A-Z][A-Za-z0-9]*|index|main)\.ts$/.test(basename(path))
  ) {
    wrong.push(
      "source files are named in PascalCase after their concept (besides index.ts, main.ts and the commands of the command line)"
    )
  }
  return wrong
}
