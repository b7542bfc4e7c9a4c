/** The exit codes of the program. `pay help` and docs/cli.md list them. */
export const codes = {
  ok: 0,
  refused: 1,
  usage: 2,
  notSent: 3,
  unknown: 4,
  defect: 70
} as const

export type ExitCode = (typeof codes)[keyof typeof codes]

export const meanings: Readonly<Record<keyof typeof codes, string>> = {
  ok: "done; a signature that was checked is right; a watched order was approved",
  refused: "the gateway refused the request; a signature is wrong; a watched order ended otherwise",
  usage: "the command line or a setting is wrong; nothing was sent",
  notSent: "the gateway could not be reached; nothing was sent, so call again",
  unknown: "the request left and its outcome is not known: ask for the status, never assume",
  defect: "a defect of this program"
}
