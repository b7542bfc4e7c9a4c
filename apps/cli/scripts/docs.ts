/** Generates the page about the command line. */
import { commands } from "../src/Commands.ts"
import { manual } from "./Manual.ts"

/** Contents by path from the root. */
export default async (): Promise<Record<string, string>> => ({ "docs/merchants/cli.md": manual(commands) })
