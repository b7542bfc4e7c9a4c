/** Every incident, in the order in which the whole drill plays them. */
import type { Description, Incident } from "../Incident.ts"
import type { FileSite, PostgresSite } from "../Site.ts"
import * as Bank from "./Bank.ts"
import * as Clock from "./Clock.ts"
import * as Copies from "./Copies.ts"
import * as Database from "./Database.ts"
import * as Disk from "./Disk.ts"
import * as Log from "./Log.ts"
import * as NameServers from "./NameServers.ts"

export const onPostgres: ReadonlyArray<Incident<PostgresSite>> = [
  Bank.down,
  Bank.slow,
  Bank.failing,
  Bank.nonsense,
  Database.restarted,
  Disk.fullUnderPostgres,
  Log.readerDead,
  NameServers.changed,
  Clock.jump
]

export const onFile: ReadonlyArray<Incident<FileSite>> = [Disk.fullUnderFile, Copies.folder]

export const all: ReadonlyArray<Description> = [...onPostgres, ...onFile]
