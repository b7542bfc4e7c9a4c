import { describe, expect, it } from "@effect/vitest"
import * as Flags from "../src/command/Flags.ts"

const accepted: Flags.Accepted = {
  flags: new Map([
    ["client_orderid", { value: "TEXT", about: "" }],
    ["comment", { value: "TEXT", about: "" }],
    ["control-key-file", { value: "FILE", about: "" }],
    ["cRes", { value: "TEXT", about: "" }],
    ["purpose", { value: "TEXT", about: "" }],
    ["setting", { value: "NAME=TEXT", many: true, about: "" }],
    ["json", { about: "" }]
  ]),
  spellings: new Map([
    ["client-order-id", "client_orderid"],
    ["destination", "purpose"]
  ])
}

const parse = (...args: ReadonlyArray<string>) => {
  const { flags, operands } = Flags.parse(args, accepted, "call")
  return { ...Object.fromEntries(flags), ...(operands.length > 0 && { operands }) }
}

describe("a flag", () => {
  it.each([
    ["with its value in the next argument", ["--comment", "hello"], { comment: "hello" }],
    ["with its value attached", ["--comment=hello"], { comment: "hello" }],
    ["with a value that looks like a flag", ["--comment=--json"], { comment: "--json" }],
    ["with an empty value", ["--comment="], { comment: "" }],
    ["under another spelling", ["--destination=x"], { purpose: "x" }],
    ["with - in place of _", ["--client-orderid", "1"], { client_orderid: "1" }],
    ["with _ in place of -, in another spelling", ["--client_order_id", "1"], { client_orderid: "1" }],
    ["in another case", ["--cres", "x"], { cRes: "x" }],
    ["shortened", ["--cli", "1", "--com", "x"], { client_orderid: "1", comment: "x" }],
    ["as a switch, which takes no value", ["--json", "7"], { json: "", operands: ["7"] }],
    ["several times", ["--setting", "a=1", "--setting=b=2"], { setting: "a=1\nb=2" }],
    ["only before --", ["--json", "--", "--comment"], { json: "", operands: ["--comment"] }]
  ])("is accepted %s", (_, args, expected) => expect(parse(...args)).toEqual(expected))
})

describe("a wrong flag", () => {
  it.each([
    ["ambiguous", ["--c", "x"], "--c could be --client_orderid, --comment, --control-key-file, --cRes: write it out"],
    ["misspelt", ["--commnet", "x"], "Unknown flag. Did you mean --comment?"],
    ["unknown", ["--zzz", "x"], "Unknown flag --zzz"],
    ["unknown, perhaps a secret", ["--4444333322221111"], "Unknown flag --…"],
    ["without its value", ["--comment"], '--comment needs a value (one that starts with "-" is written --comment=…)'],
    ["followed by another", ["--comment", "--json"], "--comment needs a value"],
    ["followed by a negative number", ["--comment", "-5"], "--comment needs a value"],
    ["twice", ["--comment=a", "--comment=b"], "--comment is given twice"],
    ["twice, spelt differently", ["--purpose=a", "--destination=b"], "--purpose is given twice"],
    ["a switch with a value", ["--json=yes"], "--json takes no value"],
    ["with one dash", ["-c4444333322221111"], '-c is not a flag: flags start with "--"'],
    ["a key in the open", ["--control-key", "x"], "Others can read command lines: a key is no flag."],
    ["a key in the open, with _", ["--control_key=x"], "--control-key-file FILE"]
  ])("is refused with a hint: %s", (_, args, message) => expect(() => parse(...args)).toThrow(message))
})
