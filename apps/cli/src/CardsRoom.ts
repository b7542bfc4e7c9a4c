/** `pay cards erase`: card data forgotten at a person's request. */
import { codes } from "./ExitCode.ts"
import { commands } from "./OperatorCommands.ts"
import * as OperatorRoom from "./OperatorRoom.ts"
import { UsageError } from "./UsageError.ts"

export const run = OperatorRoom.running("cards", commands.cards, { erase: 0 }, async ({ gateway, given, tell }) => {
  const order = given.flags.get("order")
  const card = given.flags.get("card-ref")
  if ((order === undefined) === (card === undefined))
    throw new UsageError("Say whose card: --order ORDER or --card-ref ID", "cards")
  const path = order === undefined ? `cards/${encodeURIComponent(card ?? "")}` : `orders/${encodeURIComponent(order)}`
  const done = await gateway.json({ method: "POST", path: `/operator/${path}/erase` })
  tell(`Erased: ${done.erased}. It cannot be brought back.`, done)
  return codes.ok
})
