/** Parses the address of a received callback, the operand of `pay verify callback URL`. */
import * as Form from "@pay/signing/Form"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { UsageError } from "../terminal/UsageError.ts"

export interface CallbackAddress {
  readonly given: Flags.Given
  /** The query of the address, unchanged, without its `?`. */
  readonly query: string
  readonly parameters: ReadonlyArray<Form.Parameter>
}

export const read = (topic: "verify" | "explain", args: ReadonlyArray<string>): CallbackAddress => {
  const given = Flags.ofCommand(args, commands[topic], topic)
  const [address, ...others] = given.operands
  if (address === undefined || others.length > 0) {
    throw new UsageError(`Give the address of one callback, in quotes: pay ${topic} callback 'URL'`, topic)
  }
  const query = address.slice(address.indexOf("?") + 1)
  const form = Form.parse(query)
  if (!form.ok) throw new UsageError(`The address cannot be read: ${form.reason}`, topic)
  return { given, query, parameters: form.parameters }
}
