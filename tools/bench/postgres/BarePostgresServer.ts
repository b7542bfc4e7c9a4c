/**
 * The baseline on PostgreSQL: `node:http` without a gateway, which commits the same rows by the same batched procedure. Runs as a
 * process: the database's URL is the argument, the port is printed on stdout.
 */
import { Effect } from "effect"
import * as BareSale from "../gateway/BareSale.ts"
import * as Sale from "../storage/Sale.ts"
import * as Stores from "./Stores.ts"

const { store } = await Stores.open(process.argv[2] ?? "")

BareSale.serve((turn) => Effect.runPromise(store.commit(Sale.accept(turn))))
