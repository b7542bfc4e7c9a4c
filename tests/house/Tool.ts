import { execFile } from "node:child_process"
import { delimiter, join } from "node:path"
import { root } from "../../scripts/Workspace.ts"

/** What a tool said and how it ended. */
export interface Said {
  readonly ok: boolean
  readonly output: string
}

/** Runs a tool of the workspace, or any program by its path, with the pinned Node first on its path. */
export const tool = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Promise<Said> => {
  const bin = join(root, "node_modules/.bin")
  const path = `${bin}${delimiter}${process.env.PATH ?? ""}`
  const env = { ...process.env, PATH: path, NO_COLOR: "1", FORCE_COLOR: undefined, ...options.env }
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd: options.cwd ?? root, env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const started = error === null || typeof error.code === "number"
        resolve({ ok: error === null, output: `${stdout}${stderr}${started ? "" : error.message}`.trim() })
      }
    )
    child.stdin?.end()
  })
}

/** Fails with the tool's own output: nothing between the reader and what the tool found. */
export const passes = async (run: Promise<Said>): Promise<string> => {
  const { ok, output } = await run
  if (ok) return output
  const failure = new Error(output)
  failure.stack = output
  throw failure
}
