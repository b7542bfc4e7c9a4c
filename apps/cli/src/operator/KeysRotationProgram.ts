/** `pay keys rotation`: begins the re-encryption under the current master key, and prints its progress to the end. */
import { operations } from "@pay/gateway/OperatorApi"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import { followed, type OperatorWork } from "./OperatorWork.ts"

type Report = (typeof operations.showKeyRotation)["answer"]["Encoded"]

const text = ({ failed, reencrypted, rows }: Report): string =>
  `${rows} rows read, ${reencrypted} re-encrypted, ${failed} failed`

export const run = async ({ client, print, progress }: OperatorWork): Promise<ExitCode> => {
  const report = await followed<Report>(
    await client.call(operations.beginKeyRotation, {}),
    () => client.call(operations.showKeyRotation, {}),
    (latest) => progress(text(latest))
  )
  const isWhole = report.state === "done" && report.failed === 0
  print(`${text(report)}. The older master keys ${isWhole ? "may be removed" : "must stay"}.`, report)
  return isWhole ? codes.ok : codes.refused
}
