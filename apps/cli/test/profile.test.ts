/** `pay profile`, and settings that other commands take from a profile. */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { merchant, pay, secrets } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"

const folder = TestFiles.newFolder("profiles")
const keyFile = join(folder, "key.txt")
writeFileSync(keyFile, `${secrets.controlKey}\n`)

const state = (name: string) => ({ PAY_STATE: join(folder, name) })
const shop = ["--base-url=https://shop.example", "--login=shop", "--endpoint-id=7", `--control-key-file=${keyFile}`]
const signed = ["sign", "status", "--client_orderid=1"]

describe("pay profile", () => {
  it("stores settings readable by their owner only, without the key; the first profile is current", async () => {
    const env = state("kept")
    expect(await pay(["profile", "list"], { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining("no profiles yet")
    })
    expect((await pay(["profile", "set", "shop", ...shop], { env })).code).toBe(0)
    await pay(["profile", "set", "other", "--login=other"], { env })
    const path = join(folder, "kept", "profiles.json")
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, "utf8")).not.toContain(secrets.controlKey)
    expect((await pay(["profile", "list"], { env })).out).toBe(
      "  * shop   shop at https://shop.example\n    other  other\n"
    )
    expect((await pay(["profile"], { env })).out).toContain("shop (current)\n  base-url")
  })

  it("keeps the file of a gateway's profile by its absolute path, and other commands read it", async () => {
    const env = { ...state("file"), PAY_PRIVATE_KEY_FILE: "" }
    const path = join(folder, "gateway-profile.json")
    writeFileSync(path, '{"profile":{"pathPrefix":"/checkout"}}')
    const set = ["profile", "set", "shop", ...shop, `--gateway-profile=${relative(process.cwd(), path)}`, "--json"]
    expect(JSON.parse((await pay(set, { env })).out).settings["gateway-profile"]).toBe(path)
    const signing = ["sign", "payout", "--profile=shop", "--amount=1.00"]
    expect((await pay(signing, { env })).out).toContain("https%3A%2F%2Fshop.example%2Fcheckout%2Fapi%2Fv2%2Fpayout%2F7")
    writeFileSync(path, "{}")
    const { code, err } = await pay(signing, { env })
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--gateway-profile names a file that has no object "profile"')
    ])
  })

  it("says where the file of a gateway's profile goes", async () => {
    const { code, err } = await pay(signed, { env: { ...state("none"), PAY_PROFILE: "gateway-profile.json" } })
    expect([code, err]).toEqual([2, expect.stringContaining("goes into PAY_GATEWAY_PROFILE or --gateway-profile")])
  })

  it("changes, selects and deletes profiles", async () => {
    const env = state("changed")
    await pay(["profile", "set", "shop", ...shop], { env })
    await pay(["profile", "set", "shop", "--login=", "--endpoint-id=group/8"], { env })
    const show = await pay(["profile", "show", "shop", "--json"], { env })
    expect(JSON.parse(show.out)).toEqual({
      profile: "shop",
      current: true,
      settings: { "base-url": "https://shop.example", "endpoint-id": "group/8", "control-key-file": keyFile }
    })
    await pay(["profile", "set", "other", "--login=other"], { env })
    expect((await pay(["profile", "use", "other"], { env })).out).toContain("other (current)")
    await pay(["profile", "delete", "other"], { env })
    expect(JSON.parse((await pay(["profile", "list", "--json"], { env })).out)).toEqual({
      current: null,
      profiles: ["shop"]
    })
  })

  it.each([
    ["an unknown verb", ["keep"], "Say list, show, set, use or delete"],
    ["a missing name", ["use"], "Name the profile"],
    ["an unknown name", ["use", "nobody"], "No profile has this name. There are none yet"],
    ["a name with a slash", ["set", "a/b"], "The name of a profile has letters"],
    ["an invalid address", ["set", "x", "--base-url=gateway"], "--base-url is an address"],
    ["an invalid endpoint", ["set", "x", "--endpoint-id=abc"], "--endpoint-id is a number"],
    ["standard input as a key", ["set", "x", "--control-key-file=-"], "cannot keep standard input"],
    ["the key itself", ["set", "x", "--control-key=abc"], "a key is no flag"],
    ["a setting of another verb", ["list", "--login=x"], "--login is for set"]
  ])("refuses %s", async (_, args, says) => {
    const run = await pay(["profile", ...args], { env: state("refused") })
    expect([run.code, run.out]).toEqual([2, ""])
    expect(run.err).toContain(says)
  })

  it("reports a broken profile file", async () => {
    const env = state("broken")
    await pay(["profile", "set", "x", "--login=x"], { env })
    writeFileSync(join(folder, "broken", "profiles.json"), "{")
    expect((await pay(signed, { env })).err).toContain("profiles.json of the state folder is not JSON")
  })
})

describe("settings of a profile", () => {
  const env = state("used")
  const preimage = async (args: ReadonlyArray<string>, more = {}) => {
    const { code, err, out } = await pay([...signed, "--json", ...args], { env: { ...env, ...more } })
    return code === 0 ? JSON.parse(out).preimage : err + out
  }

  it("rank below flags, above the environment if named, and below it if only current", async () => {
    await pay(["profile", "set", "shop", ...shop], { env })
    await pay(["profile", "set", "other", "--login=other", `--control-key-file=${keyFile}`], { env })
    expect(await preimage([])).toBe("shop1<control key>")
    expect(await preimage([], merchant)).toBe("merchantlogin1<control key>")
    expect(await preimage(["--profile", "other"], merchant)).toBe("other1<control key>")
    expect(await preimage(["--profile=other"])).toBe("other1<control key>")
    expect(await preimage([], { PAY_PROFILE: "other" })).toBe("other1<control key>")
    expect(await preimage(["--profile=other", "--login=flag"])).toBe("flag1<control key>")
  })

  it("do not mix with settings of the environment", async () => {
    await pay(["profile", "set", "bare", "--control-key-file", keyFile], { env })
    const payout = ["sign", "payout", "--client_orderid=1", "--profile=bare"]
    expect((await pay(payout, { env: { ...env, ...merchant } })).err).toContain("Give --base-url")
  })

  it("require an existing profile", async () => {
    expect(await preimage(["--profile"])).toContain("--profile needs the name of a profile")
    expect(await preimage(["--profile=nobody"])).toContain("No profile has this name. There are ")
  })
})
