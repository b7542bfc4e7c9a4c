/** Builds the published packages once for all files of the project `release`, with `npm run build`, which keeps a cache. */
import { libraries, programs } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"

const filters = [...libraries, ...programs].map(({ manifest }) => `--filter=${manifest.name}`)

export default async () => {
  await passes(tool(process.execPath, ["scripts/bootstrap.mjs", "build", ...filters]))
}
