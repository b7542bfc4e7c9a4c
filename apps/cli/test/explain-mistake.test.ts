import { describe, expect, it } from "@effect/vitest"
import { pay, secrets } from "./Pay.ts"
import { env, json, sha1 } from "./SigningMerchant.ts"
import { file } from "./TestFiles.ts"

const { controlKey } = secrets

describe("pay explain", () => {
  it.each([["capture"], ["payout"], ["v4/payout"]])("confirms a correct signature of %s", async (command) => {
    const fields = command === "capture" ? ["--client_orderid=1", "--orderid=2"] : ["--client_orderid=1"]
    const signed = await json(["sign", command, ...fields])
    const received = signed.json.control ?? signed.json.authorization
    const explained = await json(["explain", command, ...fields, "--received", received])
    expect([explained.code, explained.json]).toEqual([0, { _tag: "Correct" }])
  })

  const fields = ["--client_orderid=1", "--orderid=2", "--amount=10.42", "--currency=USD"]
  const others = file("keys.txt", "first-key\n\nsecond-key\n")
  it.each([
    ["the amount in major units", sha1(`merchantlogin1210.42USD${controlKey}`), "amount-major", []],
    ["a key of another endpoint", sha1("merchantlogin121042USDsecond-key"), "key-other", ["--other-keys-file", others]]
  ])("recognizes %s", async (_, received, id, more) => {
    const { code, json: output } = await json(["explain", "capture", ...fields, "--control", received, ...more])
    expect(code).toBe(1)
    const ids = output.findings.flatMap((finding: { mistakes: Array<{ id: string }> }) =>
      finding.mistakes.map((one) => one.id)
    )
    expect(ids).toContain(id)
  })

  it.each([["10.50", "JPY", "1050JPY"]])(
    "recognizes a value that the operation refuses: %s %s",
    async (amount, currency, signed) => {
      const wrong = ["--client_orderid=1", "--orderid=2", `--amount=${amount}`, `--currency=${currency}`]
      const args = ["explain", "capture", ...wrong, "--received", sha1(`merchantlogin12${signed}${controlKey}`)]
      const { out } = await pay(args, { env })
      expect(out).toContain("mistake  value-refused")
    }
  )

  it("says how to correct the mistake", async () => {
    const received = sha1(`merchantlogin1210.42USD${controlKey}`)
    const { out } = await pay(["explain", "capture", ...fields, "--received", received], { env })
    expect(out).toContain("The amount was signed in major units")
    expect(out).toContain("mistake  amount-major")
    expect(out).toContain("do       Sign the amount in minor units")
  })

  it.each([
    [
      "a header that cannot be read",
      ["payout", "--client_orderid=1", "--received", "OAuth x"],
      "there is no signature to explain"
    ],
    ["a signature without a known mistake", ["status", "--client_orderid=1", "--received", sha1("?")], "None of "],
    [
      "a callback with exchanged order numbers",
      ["callback", `https://x.example/?status=a&orderid=1&client_orderid=2&control=${sha1(`a21${controlKey}`)}`],
      "another order"
    ]
  ])("explains %s", async (_, args, says) => {
    const { code, out } = await pay(["explain", ...args], { env })
    expect([code, out]).toEqual([1, expect.stringContaining(says)])
  })
})
