/** The task of the hold that a follow-up is about; undefined: the bank has not refused to release it, or nothing follows. */
import { Effect } from "effect"
import type { Store } from "../../kernel/Store.ts"
import type { OrderRequest } from "../OrderRequest.ts"
import { BankTask } from "./BankTask.ts"
import { isCreation } from "./Ending.ts"
import * as HoldTask from "./HoldTask.ts"

export const holdOf = (store: Store["Service"], request: OrderRequest) =>
  isCreation(request) ? Effect.undefined : store.load(BankTask, [HoldTask.idOf(request.orderId)])
