/** `pay cards erase`: card data and recipients forgotten at a person's request. */
import { codes } from "../ExitCode.ts"
import { commands } from "../OperatorCommands.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import { UsageError } from "../UsageError.ts"

/** Where what a flag names is found. */
const folders = { order: "orders", "card-ref": "cards", subscription: "subscriptions" }

export const run = OperatorRoom.running("cards", commands.cards, { erase: 0 }, async ({ gateway, given, tell }) => {
  const named = Object.entries(folders).flatMap(([flag, folder]) => {
    const id = given.flags.get(flag)
    return id === undefined ? [] : [`${folder}/${encodeURIComponent(id)}`]
  })
  const [path, ...others] = named
  if (path === undefined || others.length > 0)
    throw new UsageError("Say whose card: --order ORDER, --card-ref ID or --subscription ID", "cards")
  const done = await gateway.json({ method: "POST", path: `/operator/${path}/erase` })
  tell(`Erased: ${done.erased}. It cannot be brought back.`, done)
  return codes.ok
})
