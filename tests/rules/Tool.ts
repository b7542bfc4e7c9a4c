import { type ExecFileOptions, execFile } from "node:child_process"
import { delimiter, join } from "node:path"
import { root } from "../../scripts/Workspace.ts"

/** What a tool said and how it ended. */
export interface ToolResult {
  readonly ok: boolean
  /** What it printed as its result. */
  readonly answer: string
  /** All it printed, complaints last. */
  readonly output: string
}

/** Runs a tool of the workspace, or any program by its path, with the pinned Node first on its path. */
export const tool = (
  program: string,
  args: ReadonlyArray<string>,
  options: ExecFileOptions = {}
): Promise<ToolResult> => {
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, NO_COLOR: "1", FORCE_COLOR: undefined, ...options.env }
  return new Promise((resolve) => {
    const all = { cwd: root, maxBuffer: 64 * 1024 * 1024, ...options, env, encoding: "utf8" as const }
    const child = execFile(program, args, all, (error, stdout, stderr) => {
      const ended = error === null || typeof error.code === "number"
      const answer = stdout.trim()
      resolve({ ok: error === null, answer, output: `${stdout}${stderr}${ended ? "" : error.message}`.trim() })
    })
    child.stdin?.end()
  })
}

/**
 * The compiler, or another program with its arguments. It checks with one thread and collects garbage less often, which takes half of the
 * processor time: several threads check the types that files share several times, and other tests use the other processors.
 */
export const compile = (
  args: ReadonlyArray<string>,
  { program = "tsc", ...options }: ExecFileOptions & { readonly program?: string } = {}
): Promise<ToolResult> =>
  tool(program, [...args, "--checkers", "1"], { ...options, env: { GOGC: "400", ...options.env } })

/** Fails with the tool's own output: nothing between the reader and what the tool found. */
export const passes = async (run: Promise<ToolResult>): Promise<ToolResult> => {
  const output = await run
  if (output.ok) return output
  const failure = new Error(output.output)
  failure.stack = output.output
  throw failure
}
