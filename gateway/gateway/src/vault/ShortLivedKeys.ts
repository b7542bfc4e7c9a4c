/**
 * Keys for CVVs that exist for less than an hour (docs/assumptions.md#card-data). A key encrypts for half an hour, and decrypts
 * for almost half an hour more. Then it is overwritten and removed, so everything that it encrypted is unreadable. A folder
 * outside the database keeps the keys over a restart; several processes may share it. Without a folder, the keys are in memory
 * only.
 */
import { createSecretKey, randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { join } from "node:path"
import type * as Envelope from "./Envelope.ts"
import * as SecretFile from "./SecretFile.ts"

const minuteMs = 60_000
/** Age of a key, in milliseconds, at which a new key replaces it for encryption. */
const encryptsForMs = 30 * minuteMs
/**
 * Age of a key, in milliseconds, from which it decrypts nothing and `tend` destroys it. `tend` runs every minute, so a key is
 * destroyed within the hour.
 */
export const decryptsForMs = 58 * minuteMs
/** Milliseconds by which the clock of a restarted process may be behind the clock of the previous process. */
const toleratedMs = 5 * minuteMs

/** Whether a key of this age can still decrypt. */
export const canDecrypt = (createdAtMs: number, nowMs: number): boolean =>
  nowMs - createdAtMs < decryptsForMs && nowMs - createdAtMs > -toleratedMs

/** Whether a key of this age can still encrypt. */
export const canEncrypt = (createdAtMs: number, nowMs: number): boolean =>
  canDecrypt(createdAtMs, nowMs) && nowMs - createdAtMs < encryptsForMs

export interface ShortLivedKeys {
  /** The key that encrypts now. */
  readonly current: () => Envelope.WrappingKey
  readonly find: Envelope.Find
  /** Makes the next key when it is due, and destroys every expired key. */
  readonly tend: () => void
}

interface Aged extends Envelope.WrappingKey {
  readonly createdAtMs: number
}

export interface Options {
  readonly folder: string | undefined
  /** Wall time. */
  readonly nowMs: () => number
  /** Reports a problem with the folder. Keys continue in memory, and destruction is tried again. */
  readonly report: (problem: string) => void
}

/** Makes or loads the keys. Throws if the folder cannot be made or read, or if other users can access it. */
export const make = ({ folder, nowMs, report }: Options): ShortLivedKeys => {
  const keys = new Map<number, Aged>()
  let active: Aged | undefined

  const isUsable = ({ createdAtMs }: Aged): boolean => canDecrypt(createdAtMs, nowMs())
  const canBeActive = ({ createdAtMs }: Aged): boolean => canEncrypt(createdAtMs, nowMs())

  const attempt = (what: string, work: () => void): void => {
    try {
      work()
    } catch (error) {
      report(`${what}: ${error instanceof Error ? error.message : "unknown"}`)
    }
  }

  /** Loads a key of another or of the previous process. `undefined`: the key does not exist or cannot be used. */
  const adopt = (id: number): Aged | undefined => {
    const key = folder === undefined ? undefined : load(join(folder, nameOf(id)), id)
    if (key === undefined || !isUsable(key)) return undefined
    keys.set(id, key)
    return key
  }

  const next = (): Aged => {
    const bytes = Buffer.alloc(8 + 32, randomBytes(40))
    bytes.writeBigUInt64BE(BigInt(Math.floor(nowMs())))
    const id = randomBytes(4).readUInt32BE()
    const key = { id, createdAtMs: Math.floor(nowMs()), key: createSecretKey(bytes.subarray(8)) }
    if (folder !== undefined)
      attempt("A short-lived key is kept in memory only", () => SecretFile.create(join(folder, nameOf(id)), bytes))
    bytes.fill(0)
    keys.set(id, key)
    active = key
    return key
  }

  const current = (): Aged => (active !== undefined && canBeActive(active) ? active : next())

  const tend = (): void => {
    for (const key of keys.values()) if (!isUsable(key)) keys.delete(key.id)
    if (folder !== undefined) sweep(folder)
    current()
  }

  /**
   * Destroys each file that is not the file of a usable key: too old, truncated, accessible to others, or left by a process that
   * ended while it wrote.
   */
  const sweep = (folder: string): void =>
    attempt("Short-lived keys cannot be listed", () => {
      for (const name of fs.readdirSync(folder)) {
        const id = idOf(name)
        const stays = id === undefined ? !name.endsWith(".draft") : keys.has(id) || adopt(id) !== undefined
        if (!stays) attempt("A short-lived key cannot be destroyed", () => SecretFile.destroy(join(folder, name)))
      }
    })

  if (folder !== undefined) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const mode = fs.statSync(folder).mode & 0o777
    if ((mode & 0o077) !== 0) throw new Error(`${folder} is open to others (mode ${mode.toString(8)}): chmod 700`)
    sweep(folder)
    active = [...keys.values()].filter(canBeActive).sort((a, b) => b.createdAtMs - a.createdAtMs)[0]
  }
  current()

  return {
    current,
    find: (id) => {
      const key = keys.get(id) ?? adopt(id)
      return key !== undefined && isUsable(key) ? key.key : undefined
    },
    tend
  }
}

const nameOf = (id: number): string => `${id.toString(16).padStart(8, "0")}.key`

const idOf = (name: string): number | undefined =>
  /^[0-9a-f]{8}\.key$/.test(name) ? Number.parseInt(name.slice(0, 8), 16) : undefined

/** Reads a key file: eight bytes of milliseconds, then the key. */
const load = (path: string, id: number): Aged | undefined => {
  try {
    const bytes = SecretFile.read(path)
    if (bytes.length !== 40) return undefined
    const key = createSecretKey(bytes.subarray(8))
    bytes.fill(0, 8)
    return { id, createdAtMs: Number(bytes.readBigUInt64BE()), key }
  } catch {
    return undefined
  }
}
