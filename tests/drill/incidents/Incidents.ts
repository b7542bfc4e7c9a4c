/** Every incident, in the order in which the whole drill plays them. */
import type { Incident } from "../Incident.ts"
import * as Bank from "./Bank.ts"
import * as Database from "./Database.ts"

export const all: ReadonlyArray<Incident> = [Bank.down, Bank.slow, Bank.failing, Bank.nonsense, Database.restarted]
