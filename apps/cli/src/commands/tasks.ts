/** `pay tasks`: answers of bank and rail that no order could follow, and what becomes of them. */
import { codes } from "../ExitCode.ts"
import { commands } from "../OperatorCommands.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Rows from "../Rows.ts"
import { UsageError } from "../UsageError.ts"

const columns = ["created", "id", "order", "orderState", "source", "answer", "amount", "currency", "state", "can"]
const path = "/operator/tasks"

export const run = OperatorRoom.running(
  "tasks",
  commands.tasks,
  { list: 0, reverse: 1, close: 1 },
  async ({ gateway, given, operands, tell, verb }) => {
    if (verb === "list") {
      const found = await gateway.json({ path, query: OperatorRoom.queryOf(given, ["state", "limit", "after"]) })
      tell(OperatorRoom.listed(Rows.table(Rows.rowsOf(found.tasks), columns), found.next), found)
      return codes.ok
    }
    const note = given.flags.get("note")
    if (note === undefined) throw new UsageError("Give --note", "tasks")
    const [task = ""] = operands
    const changed = await gateway.json({ method: "POST", path: `${path}/${task}/${verb}`, body: { note } })
    tell(`${verb === "close" ? "Closed" : "The bank is asked to give it back"}\n${Rows.card(changed)}`, changed)
    return codes.ok
  }
)
