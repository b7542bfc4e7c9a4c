/** `pay keys rotation`: begins the re-encryption under the current master key, and prints its progress to the end. */
import { operations } from "@pay/gateway/OperatorApi"
import { codes, type ExitCode } from "../ExitCode.ts"
import { type OperatorWork, pause } from "../OperatorWork.ts"

type Report = (typeof operations.showKeyRotation)["answer"]["Encoded"]

const text = ({ failed, reencrypted, rows }: Report): string =>
  `${rows} rows read, ${reencrypted} re-encrypted, ${failed} failed`

export const run = async ({ client, print, progress }: OperatorWork): Promise<ExitCode> => {
  let report: Report = await client.call(operations.beginKeyRotation, {})
  while (report.state === "running") {
    progress(text(report))
    await pause()
    report = await client.call(operations.showKeyRotation, {})
  }
  const isWhole = report.state === "done" && report.failed === 0
  print(`${text(report)}. The older master keys ${isWhole ? "may be removed" : "must stay"}.`, report)
  return isWhole ? codes.ok : codes.refused
}
