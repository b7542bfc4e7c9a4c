/** The task of the hold that a follow-up is about; undefined: the bank has not refused to release it, or nothing follows. */
import { Effect } from "effect"
import { isCreation } from "../domain/Ending.ts"
import { BankTask } from "../domain/entities/BankTask.ts"
import type { OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as HoldTask from "../domain/HoldTask.ts"
import type { Store } from "../ports/Store.ts"

export const holdOf = (store: Store["Service"], request: OrderRequest) =>
  isCreation(request) ? Effect.undefined : store.load(BankTask, [HoldTask.idOf(request.orderId)])
