/** `pay keys new`: pairs of keys on this machine, and what to do with each file. */
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { pay } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"

const folder = TestFiles.newFolder("new-keys")

describe("pay keys new", () => {
  it("creates a pair for tests and one for live payments, and names the file for the operator", async () => {
    const out = join(folder, "keys")
    const made = await pay(["keys", "new", "--rsa", `--out=${out}`])
    expect(made.code).toBe(0)
    expect(made.out).toContain(`pay keys add LOGIN --kind rsa --public-key-file ${join(out, "pay-live-public.pem")}`)
    for (const use of ["test", "live"]) {
      const path = join(out, `pay-${use}-private.pem`)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const key = createPrivateKey(readFileSync(path))
      const publicKey = createPublicKey(readFileSync(join(out, `pay-${use}-public.pem`)))
      expect(verify("sha256", Buffer.from("text"), publicKey, sign("sha256", Buffer.from("text"), key))).toBe(true)
      expect(key.asymmetricKeyDetails?.modulusLength).toBe(3072)
      expect(made.out).not.toContain(readFileSync(path, "utf8").split("\n")[1])
    }
  })

  it("does not overwrite existing keys", async () => {
    const out = join(folder, "twice")
    await pay(["keys", "new", "--rsa", `--out=${out}`])
    const before = readFileSync(join(out, "pay-test-private.pem"), "utf8")
    const again = await pay(["keys", "new", "--rsa", `--out=${out}`])
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining("pay-test-private.pem exists: move it") })
    expect(readFileSync(join(out, "pay-test-private.pem"), "utf8")).toBe(before)
  })

  it.each([
    ["a missing kind of key", ["keys", "new"], "Say --rsa"],
    ["a name", ["keys", "new", "--rsa", "shop"], "takes no names"],
    ["a flag of another verb", ["keys", "new", "--rsa", "--overlap=1d"], "--overlap is not for new"]
  ])("refuses %s", async (_, args, message) =>
    expect(await pay(args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  )
})
