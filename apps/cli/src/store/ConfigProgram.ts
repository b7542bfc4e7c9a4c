/** `pay config check`: whether a gateway for real money would start with a configuration, on this machine. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as ProductionCheck from "@pay/server/ProductionCheck"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { variables } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.config, "config")
  const [verb, file, ...others] = given.operands
  if (verb !== "check" || file === undefined || others.length > 0)
    throw new UsageError("Name the configuration: pay config check FILE", "config")
  const asJson = given.flags.has("json")
  const environment = ConfigProvider.fromEnvRecord({ ...variables(), PAY_CONFIG: file })
  const ended = await Program.run(
    Effect.provide(
      ProductionCheck.problems({ isNew: given.flags.has("new") }),
      Layer.mergeAll(NodeFileSystem.layer, ConfigProvider.layer(environment), Logger.layer([]))
    )
  )
  if (ended._tag !== "Done") {
    Output.printFailure({ text: "Stopped.", json: { outcome: "interrupted" } }, asJson)
    return codes.refused
  }
  const problems = ended.value
  if (problems.length === 0) {
    Output.print({ text: `${file}: nothing prevents a start.`, json: { outcome: "answered", file, problems } }, asJson)
    return codes.ok
  }
  const text = `${file}: a gateway for real money would not start:\n${problems.map((line) => `  ${line}`).join("\n")}`
  Output.printFailure({ text, json: { outcome: "refused", file, problems } }, asJson)
  return codes.refused
}
