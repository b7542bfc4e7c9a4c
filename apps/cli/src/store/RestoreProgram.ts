/**
 * `pay restore`: restores a copy into a new folder. The copy is marked, so that the gateway asks the bank before it sends
 * anything.
 */
import * as Backup from "@pay/storage/Backup"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { account } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as BackupCommand from "./BackupProgram.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.restore, "restore")
  const [file, dataDirectory, ...others] = given.operands
  if (file === undefined || dataDirectory === undefined || others.length > 0)
    throw new UsageError("Name the copy and the data folder: pay restore FILE FOLDER", "restore")
  const asJson = given.flags.has("json")
  const ended = await Program.run(Backup.restore({ file, dataDirectory, by: account() }))
  if (ended._tag !== "Done") {
    const message = ended._tag === "Failed" ? ended.error.message : "Stopped."
    Output.printFailure({ text: `Nothing was restored. ${message}`, json: { outcome: "refused", message } }, asJson)
    return codes.refused
  }
  const text = `${dataDirectory} holds ${BackupCommand.describe(ended.value)}.
Put the key ring back: for a sandbox as keys.json in this folder, for production in the file that keyRing names. Then start
the gateway. It inquires at the bank before it sends anything for an older order. The copy lacks what was accepted after it.
So the gateway takes no orders until it knows what bank and rail have booked since (pay bookings status). Then merchants repeat their requests, and nothing is sent twice.`
  Output.print({ text, json: { outcome: "answered", dataDirectory, ...ended.value } }, asJson)
  return codes.ok
}
