import { describe, expect, it } from "@effect/vitest"
import { merchant, pay, secrets } from "./Pay.ts"

const { controlKey, cardNumber } = secrets

describe("a wrong command line", () => {
  it.each([
    ["an unknown command", ["stauts"], "Unknown command. Did you mean pay status?"],
    ["a key as a command", [controlKey], "Unknown command. pay help lists the commands"],
    ["an operation as a command", ["capture"], "capture is an operation, not a command: pay call capture"],
    ["no operation", ["call"], "Name the operation first: pay call OPERATION --field value …"],
    ["a flag before the operation", ["sign", "--form", "sale"], "Name the operation first"],
    ["an unknown operation", ["call", "slae"], "Unknown operation. Did you mean sale?"],
    ["an ambiguous operation", ["call", "sal"], "More than one operation starts like this: sale-form, sale"],
    ["a card number as an operation", ["call", cardNumber], "Unknown operation"],
    ["a value without its field", ["call", "sale", cardNumber], "A value stands without its --field in front of it"],
    ["no order", ["status"], "Name one order: pay status CLIENT_ORDERID, or pay status --orderid ID"],
    ["two orders", ["status", "1", "2"], "Name one order"],
    ["a gateway command without a verb", ["gateway"], "Say what the gateway shall do: pay gateway start"],
    ["a wrong gateway command", ["gateway", "stop"], "pay gateway start"],
    ["an unknown flag", ["status", "1", "--wach"], "Unknown flag. Did you mean --watch?"],
    ["a missing file", ["sign", "status", "--form", "/nowhere"], "--form names a file that cannot be read"],
    ["an invalid timestamp", ["sign", "payout", "--timestamp", "now"], "--timestamp is a Unix time"],
    [
      "an unknown form of amount",
      ["sign", "capture", "--client_orderid=1", "--orderid=1", "--control-amount=cents"],
      "minor or x100"
    ],
    [
      "an invalid endpoint",
      [
        "sign",
        "sale-form",
        "--endpoint-id=1e3",
        ...["client_orderid=1", "amount=1", "email=a@b.cc"].map((flag) => `--${flag}`)
      ],
      "--endpoint-id must be a number"
    ],
    [
      "standard input for two flags",
      ["sign", "status", "--client_orderid=1", "--form=-", "--control-key-file=-"],
      "standard input can be read only once"
    ],
    [
      "a missing signature to verify",
      ["verify", "status", "--client_orderid", "1"],
      "Give the control as --received TEXT"
    ],
    ["a missing signature to explain", ["explain", "payout"], "Give the Authorization header as --received TEXT"],
    ["a missing callback address", ["verify", "callback"], "Give the address of one callback, in quotes"],
    ["a signed field that is missing", ["sign", "sale", "--email", "a@b.cc"], "--client_orderid is signed: give it"],
    [
      "a card for another machine",
      ["call", "sale", "--credit_card_number", cardNumber],
      "--credit_card_number is for a sandbox on this machine"
    ],
    [
      "a card in digits of another script for another machine",
      [
        "call",
        "sale",
        "--credit_card_number",
        cardNumber.replaceAll(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩".charAt(Number(digit)))
      ],
      "--credit_card_number is for a sandbox on this machine"
    ],
    ["a code for another machine", ["flow", "sale", "--cvv2", secrets.cvv], "--cvv2 is for a sandbox on this machine"],
    [
      "a card to sign for another machine",
      ["sign", "transfer", "--credit_card_number", cardNumber],
      "--credit_card_number is for a sandbox on this machine"
    ],
    [
      "a card under a signature of another machine",
      ["verify", "sale", "--credit_card_number", cardNumber, "--received=x"],
      "Give card data in a form: --form FILE"
    ],
    [
      "a code under a signature to explain",
      ["explain", "sale", "--cvv2", secrets.cvv, "--received=x"],
      "--cvv2 is for a sandbox on this machine"
    ],
    ["an unknown word after help", ["help", "nonsense"], "No command and no operation has this name\npay help tells"],
    ["a flag that help does not have", ["help", "--all"], "Unknown flag --all"],
    [
      "an amount to sign without its currency",
      ["sign", "sale", "--client_orderid=1", "--amount=1", "--email=a@b.cc"],
      "The amount is signed in minor units of its currency: give --currency"
    ],
    [
      "a signed amount without its currency",
      ["verify", "capture", "--client_orderid=1", "--orderid=2", "--amount=1", "--received=x"],
      "give --currency"
    ],
    ["an invalid time-out", ["status", "1", "--timeout", "soon"], "--timeout is a number of seconds"]
  ])("ends with exit code 2 and a hint, without repeating a value: %s", async (_, args, message) => {
    const run = await pay(args, { env: merchant })
    expect(run.code).toBe(2)
    expect(run.out).toBe("")
    expect(run.err).toContain(message)
    expect(run.err).toMatch(/pay help[\w /-]* tells more/)
  })

  it.each([
    ["the control key", "PAY_CONTROL_KEY", ["sign", "status", "--client_orderid", "1"], "--control-key-file FILE"],
    ["the endpoint", "PAY_ENDPOINT_ID", ["sign", "payout"], "Give --endpoint-id, or set PAY_ENDPOINT_ID"],
    ["the address", "PAY_BASE_URL", ["sign", "payout"], "Give --base-url, or set PAY_BASE_URL"],
    ["the login", "PAY_LOGIN", ["status", "1"], "Give --login, or set PAY_LOGIN"],
    ["the address of a call", "PAY_BASE_URL", ["status", "1"], "PAY_BASE_URL is not set"],
    ["the private key", "PAY_PRIVATE_KEY_FILE", ["sign", "v4/payout"], "Give --private-key-file"],
    ["the private key of a call", "PAY_PRIVATE_KEY_FILE", ["call", "v4/payout"], "Give --private-key-file"],
    ["the private key of a flow", "PAY_PRIVATE_KEY_FILE", ["flow", "payout"], "Give --private-key-file"]
  ])("ends with exit code 2 without a required setting: %s", async (_, variable, args, message) => {
    const run = await pay(args, { env: { ...merchant, [variable]: "" } })
    expect([run.code, run.out]).toEqual([2, ""])
    expect(run.err).toContain(message)
  })

  it("may have an expiry date for any gateway, a card number only for a sandbox on this machine", async () => {
    const { err } = await pay(["call", "sale", "--expire_month", "12"], { env: merchant })
    expect(err).toContain("Parameter credit_card_number is required")
    const local = { ...merchant, PAY_BASE_URL: "http://127.0.0.1:8080" }
    const run = await pay(["call", "sale", "--credit_card_number", cardNumber, "--cvv2", secrets.cvv], { env: local })
    expect(run.err).toContain("Parameter order_desc is required")
  })

  it("may have a card number to sign only for a gateway on this machine", async () => {
    const signed = ["sign", "sale", "--client_orderid=1", "--amount=1", "--currency=USD", "--email=a@b.cc"]
    const args = [...signed, "--credit_card_number", cardNumber]
    const local = await pay(args, { env: { ...merchant, PAY_BASE_URL: "http://127.0.0.1:8080" } })
    expect([local.code, local.err]).toEqual([0, ""])
    const nowhere = await pay(args, { env: { ...merchant, PAY_BASE_URL: "" } })
    expect([nowhere.code, nowhere.out]).toEqual([2, ""])
  })

  it("is reported in JSON with --json", async () => {
    const run = await pay(["call", "slae", "--json"])
    expect([run.code, run.err]).toEqual([2, ""])
    expect(JSON.parse(run.out)).toEqual({
      outcome: "usage",
      message: "Unknown operation. Did you mean sale?",
      read: "pay help call"
    })
  })
})
