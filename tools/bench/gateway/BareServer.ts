/**
 * The baseline of a sale: `node:http` without a gateway, which inserts the same rows with SQLite group commit. Runs as a process:
 * the data folder is the argument, the port is printed on stdout.
 */
import * as Bare from "../storage/Bare.ts"
import * as BareSale from "./BareSale.ts"

BareSale.serve(Bare.open(`${process.argv[2]}/bare.db`).accept)
