/** Generates the pages of the manual. */
import { commands } from "../src/Commands.ts"
import { all } from "../src/Contract.ts"
import { manual } from "./Manual.ts"

/** Contents by path from the root. */
export default async (): Promise<Record<string, string>> => manual(commands, all)
