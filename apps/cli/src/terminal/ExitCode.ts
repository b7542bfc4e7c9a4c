/** The exit codes of the program. `pay help` and docs/merchants/cli.md list them. */
export const codes = {
  ok: 0,
  refused: 1,
  usage: 2,
  notSent: 3,
  unknown: 4,
  defect: 70,
  stopped: 130
} as const

export type ExitCode = (typeof codes)[keyof typeof codes]

export const meanings: Readonly<Record<ExitCode, string>> = {
  0: "done; a signature that was checked is right; a watched order was approved",
  1: "the gateway refused the request; a signature is wrong; a watched order ended otherwise; a crash test found something",
  2: "the command line or a setting is wrong; nothing was sent",
  3: "the gateway could not be reached; nothing was sent, so call again",
  4: "the request left and its outcome is not known: ask for the status, never assume",
  70: "a defect of this program",
  130: "a crash test was stopped by Ctrl-C, and had found nothing until then"
}
