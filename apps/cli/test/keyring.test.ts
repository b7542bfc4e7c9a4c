/** `pay keyring`: the file of a gateway's keys is made once, rotated in one step, and never shown. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { pay } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"

type Ring = Readonly<Record<"master" | "hashing", { current: number; keys: Readonly<Record<string, string>> }>>

const ringOf = (path: string): Ring => JSON.parse(readFileSync(path, "utf8"))

const newPath = (): string => join(TestFiles.newFolder("keyring"), "keys.json")

const newRing = async (): Promise<string> => {
  const path = newPath()
  expect(await pay(["keyring", "new", path])).toMatchObject({ code: 0, err: "" })
  return path
}

const keysOf = ({ hashing, master }: Ring): ReadonlyArray<string> => [
  ...Object.values(master.keys),
  ...Object.values(hashing.keys)
]

describe("pay keyring", () => {
  it("makes a file with one key of each kind that only its owner may read", async () => {
    const path = await newRing()
    const { hashing, master } = ringOf(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    for (const { current, keys } of [master, hashing]) {
      expect([current, Object.keys(keys)]).toEqual([1, ["1"]])
      expect(Buffer.from(keys[1] ?? "", "base64")).toHaveLength(32)
    }
    expect(readdirSync(join(path, ".."))).toEqual(["keys.json"])
  })

  const rotations: ReadonlyArray<
    readonly [what: string, flags: ReadonlyArray<string>, master: [number, string], hashing: [number, string]]
  > = [
    ["the master key", [], [2, "1,2"], [1, "1"]],
    ["the hashing key", ["--hashing"], [1, "1"], [2, "1,2"]],
    ["a key that is not used yet", ["--add"], [1, "1,2"], [1, "1"]],
    ["no key, where the newest is used already", ["--use"], [1, "1"], [1, "1"]]
  ]
  it.each(rotations)("rotates %s, and keeps every older key", async (_, flags, master, hashing) => {
    const path = await newRing()
    const before = ringOf(path)
    expect(await pay(["keyring", "rotate", path, ...flags])).toMatchObject({ code: 0, err: "" })
    const after = ringOf(path)
    const shape = ({ current, keys }: Ring["master"]) => [current, Object.keys(keys).join(",")]
    expect([shape(after.master), shape(after.hashing)]).toEqual([master, hashing])
    expect(after).toMatchObject({ master: { keys: before.master.keys }, hashing: { keys: before.hashing.keys } })
    expect(new Set(keysOf(after)).size).toBe(keysOf(after).length)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(path, ".."))).toEqual(["keys.json"])
  })

  it("uses a key that was added before, in a step of its own", async () => {
    const path = await newRing()
    await pay(["keyring", "rotate", path, "--add"])
    const added = ringOf(path)
    await pay(["keyring", "rotate", path, "--use"])
    expect(ringOf(path)).toEqual({ ...added, master: { ...added.master, current: 2 } })
  })

  it("shows versions and fingerprints, and no key", async () => {
    const path = await newRing()
    const rotated = await pay(["keyring", "rotate", path])
    const shown = await pay(["keyring", "show", path])
    expect(shown.out).toMatch(
      /^.*\n {2}master 1 {3}[0-9a-f]{8}\n {2}master 2 {3}[0-9a-f]{8} {2}current\n {2}hashing 1 .*current\n$/
    )
    const json = JSON.parse((await pay(["keyring", "show", path, "--json"])).out)
    expect(json.master).toEqual([
      { version: 1, isCurrent: false, fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) },
      { version: 2, isCurrent: true, fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) }
    ])
    expect(new Set(json.master.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(2)
    for (const key of keysOf(ringOf(path))) {
      for (const text of [rotated.out, shown.out, JSON.stringify(json)]) {
        expect(text).not.toContain(key)
        expect(text).not.toContain(Buffer.from(key, "base64").toString("hex").slice(0, 8))
      }
    }
  })

  it("lets one of many rotations at once change the file, and says so to the others", async () => {
    const path = await newRing()
    const ended = await Promise.all(Array.from({ length: 8 }, () => pay(["keyring", "rotate", path])))
    const done = ended.filter(({ code }) => code === 0).length
    expect(done).toBeGreaterThan(0)
    expect(Object.keys(ringOf(path).master.keys)).toHaveLength(1 + done)
    for (const { code, err } of ended) if (code !== 0) expect(err).toContain("another change is under way")
  })

  const sound = JSON.stringify({
    master: { current: 1, keys: { "1": Buffer.alloc(32, 7).toString("base64") } },
    hashing: { current: 1, keys: { "1": Buffer.alloc(32, 8).toString("base64") } }
  })
  const write =
    (text: string, mode = 0o600) =>
    (path: string) =>
      writeFileSync(path, text, { mode })
  const bad: ReadonlyArray<
    readonly [what: string, verbs: ReadonlyArray<string>, make: (path: string) => void, says: string]
  > = [
    ["an existing file", ["new"], write("mine"), "EEXIST"],
    ["a symbolic link to nothing", ["new"], (path) => symlinkSync("nowhere", path), "EEXIST"],
    ["an existing folder", ["new"], (path) => mkdirSync(path), "EEXIST"],
    ["a missing file", ["rotate", "show"], () => undefined, "ENOENT"],
    ["a folder", ["rotate", "show"], (path) => mkdirSync(path), "is a folder"],
    ["a file that is no JSON", ["rotate", "show"], write("{"), "is no key ring"],
    ["an empty file", ["rotate", "show"], write(""), "is no key ring"],
    ["JSON of another kind", ["rotate", "show"], write('{"merchants":[]}'), "is no key ring"],
    ["a file that others may read", ["rotate", "show"], write(sound, 0o640), "is open to others (mode 640): chmod 600"],
    [
      "a symbolic link",
      ["rotate"],
      (path) => {
        write(sound)(`${path}.real`)
        symlinkSync(`${path}.real`, path)
      },
      "is a symbolic link: name the file to which it leads"
    ],
    [
      "a file beside which a rotation was interrupted",
      ["rotate"],
      (path) => {
        write(sound)(path)
        write("")(`${path}.next`)
      },
      "keys.json.next exists: another change is under way"
    ]
  ]
  const rows = bad.flatMap(([what, verbs, make, says]) => verbs.map((verb) => [verb, what, make, says] as const))
  it.each(rows)("refuses in %s, and does not change, %s", async (verb, _, make, says) => {
    const path = newPath()
    make(path)
    const folder = join(path, "..")
    const before = readdirSync(folder).map((name) => ({
      name,
      stats: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs
    }))
    const ended = await pay(["keyring", verb, path])
    expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining(says) })
    expect(ended.err).not.toMatch(/[A-Za-z0-9+/]{43}=/)
    expect(
      readdirSync(folder).map((name) => ({
        name,
        stats: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs
      }))
    ).toEqual(before)
  })

  it("does not rotate a file of another user, who could not read the new one", async () => {
    const isRoot = process.getuid?.() === 0
    const path = isRoot ? await newRing() : "/etc/passwd"
    if (isRoot) chownSync(path, 65_534, 65_534)
    expect(await pay(["keyring", "rotate", path])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/belongs to another user \(\d+\): run this command as that user/)
    })
  })

  it("leaves everything as it was when the disk is full", async () => {
    const folder = TestFiles.newFolder("full")
    const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]
    const mounted = 'mount -t tmpfs -o size=64k,mode=0700 tmpfs "$0" && echo up && exec cat'
    const holder = spawn("unshare", [...user, "--mount", "sh", "-c", mounted, folder])
    await once(holder.stdout, "data")
    const disk = `/proc/${holder.pid}/root${folder}`
    const path = join(disk, "keys.json")
    await pay(["keyring", "new", path])
    const before = readFileSync(path, "utf8")
    spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "ballast")}`, "bs=4k"])
    for (const args of [
      ["rotate", path],
      ["new", join(disk, "other.json")]
    ])
      expect(await pay(["keyring", ...args])).toMatchObject({ code: 1, err: expect.stringContaining("ENOSPC") })
    expect(readFileSync(path, "utf8")).toBe(before)
    expect(readdirSync(disk)).toEqual(["ballast", "keys.json"])
    holder.kill("SIGKILL")
    await once(holder, "exit")
  })

  const usage: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, says: string]> = [
    ["no verb", [], "Say new, rotate or show"],
    ["an unknown verb", ["replace", "x"], "Say new, rotate or show"],
    ["no file", ["new"], "Name one file: pay keyring new FILE"],
    ["two files", ["show", "a", "b"], "Name one file: pay keyring show FILE"],
    ["a flag of rotate", ["new", "x", "--hashing"], "--hashing is not for new"],
    ["both parts of a rotation", ["rotate", "x", "--add", "--use"], "Give --add or --use"]
  ]
  it.each(usage)("asks for another command line: %s", async (_, args, says) => {
    expect(await pay(["keyring", ...args])).toMatchObject({ code: 2, err: expect.stringContaining(says) })
    expect(existsSync("x")).toBe(false)
  })
})
