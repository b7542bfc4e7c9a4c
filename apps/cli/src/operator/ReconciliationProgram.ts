/** `pay reconciliation`: starts a reconciliation, prints its progress until it ends, and lists the discrepancies. */
import { operations } from "@pay/gateway/OperatorApi"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Operands from "./Operands.ts"
import { OperatorFailure } from "./OperatorClient.ts"
import * as OperatorWork from "./OperatorWork.ts"

type Report = (typeof operations.showReconciliation)["answer"]["Encoded"]

/** Lines about what was not compared. */
const notCompared = ({ notCompared }: Report): string =>
  notCompared.map(({ what, why }) => `\nNot compared: ${what} (${why}).`).join("")

const counts = ({ entries, orders }: Report): string => `${orders} orders, ${entries} entries`

export const run = async ({
  client,
  given,
  operands,
  print,
  progress
}: OperatorWork.OperatorWork): Promise<ExitCode> => {
  const period = await Operands.read(operations.beginReconciliation, given, operands, "reconciliation")
  const report = await OperatorWork.followed<Report>(
    await client.call(operations.beginReconciliation, period),
    () => client.call(operations.showReconciliation, {}),
    (latest) => progress(counts(latest))
  )
  if (report.state !== "done")
    throw new OperatorFailure(codes.unknown, "The reconciliation broke off: the gateway's log says why.", {
      ...report,
      outcome: "unknown"
    })
  const isBalanced = report.discrepancyCount === 0
  print(
    (isBalanced
      ? `Everything adds up: ${counts(report)}.`
      : `${report.discrepancyCount} discrepancies in ${counts(report)}:\n${OperatorWork.textOf(operations.showReconciliation, report)}`) +
      notCompared(report),
    report
  )
  return isBalanced ? codes.ok : codes.refused
}
