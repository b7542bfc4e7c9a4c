import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import * as OperatorAccount from "../../src/signin/decide/OperatorAccount.ts"

const account = (name: string, roles: string, tokenMadeBy: OperatorAccount.OperatorAccount["tokenMadeBy"]) => ({
  name,
  version: 3,
  tokenHash: `hash of ${name}`,
  roles,
  tokenMadeBy,
  createdAtMs: 1,
  changedAtMs: 1
})
const own = (name: string, roles: string) => account(name, roles, OperatorAccount.actorOf(name))
const context = (accounts: ReadonlyArray<OperatorAccount.OperatorAccount>, ...configured: ReadonlyArray<string>) => ({
  accounts,
  configured,
  actor: OperatorAccount.actorOf("ada"),
  auditId: "1",
  nowMs: 7
})
type Context = ReturnType<typeof context>

const { add, changeRoles, remove, replaceToken } = OperatorAccount
const ada = own("ada", "admin")
const bob = own("bob", "support")

describe("a change of the operators", () => {
  it.each<readonly [string, Context, (on: Context) => ReturnType<typeof add>, string]>([
    ["the first is no admin", context([]), (on) => add(on, "bob", "support", "h"), "FirstIsAdmin"],
    ["the first is an admin", context([]), (on) => add(on, "ada", "admin", "h"), "operator.add"],
    ["the first beside one of the file", context([], "operator"), (on) => add(on, "bob", "", "h"), "operator.add"],
    ["a name that is taken", context([ada]), (on) => add(on, "ada", "admin", "h"), "NameTaken"],
    ["a name of the file", context([ada], "operator"), (on) => add(on, "operator", "", "h"), "NameTaken"],
    [
      "the name of the file's, when the file has none",
      context([ada]),
      (on) => add(on, "operator", "", "h"),
      "NameTaken"
    ],
    ["other roles", context([ada, bob]), (on) => changeRoles(on, "bob", "support,finance"), "operator.change"],
    ["roles of an unknown name", context([ada]), (on) => changeRoles(on, "bob", ""), "Unknown"],
    ["roles of one of the file", context([ada], "operator"), (on) => changeRoles(on, "operator", ""), "Unknown"],
    ["the last admin gives it up", context([ada, bob]), (on) => changeRoles(on, "ada", "support"), "LastAdmin"],
    [
      "the last admin takes another",
      context([ada]),
      (on) => changeRoles(on, "ada", "support,admin"),
      "operator.change"
    ],
    ["one of two admins", context([ada, own("eve", "admin")]), (on) => changeRoles(on, "ada", ""), "operator.change"],
    ["the last admin beside the file's", context([ada], "operator"), (on) => remove(on, "ada"), "operator.remove"],
    ["the last admin is removed", context([ada, bob]), (on) => remove(on, "ada"), "LastAdmin"],
    ["another is removed", context([ada, bob]), (on) => remove(on, "bob"), "operator.remove"],
    ["an unknown name is removed", context([ada]), (on) => remove(on, "bob"), "Unknown"],
    ["a new token", context([ada, bob]), (on) => replaceToken(on, "bob", "h"), "operator.token"]
  ])("%s: %s", (_, on, decide, expected) => {
    const decided = decide(on)
    const action = Result.isSuccess(decided)
      ? decided.success.change.writes.flatMap((write) => ("row" in write && write.row.action) || [])
      : [decided.failure.reason]
    expect(action).toEqual([expected])
  })

  it("ends the token of a removed operator, whose name stays taken", () => {
    const { account } = Result.getOrThrow(remove(context([ada, bob]), "bob"))
    const after = context([ada, account])
    expect([account.tokenHash, account.roles]).toEqual(["removed:bob", ""])
    expect([add(after, "bob", "support", "h"), replaceToken(after, "bob", "h")].map(Result.isFailure)).toEqual([
      true,
      true
    ])
  })

  it("keeps, until its commit, the other admin on whom it relies", () => {
    const eve = own("eve", "admin")
    const decided = Result.getOrThrow(remove(context([ada, eve]), "ada"))
    expect(decided.change.guards.map((guard) => "key" in guard && guard.key)).toEqual([["eve"], ["ada"]])
  })
})

describe("two people", () => {
  const hers = account("bob", "finance", "operator:ada")
  it.each([
    ["one", [], "operator:ada", "operator:ada", false],
    ["two with tokens of their own", [ada, bob], "operator:ada", "operator:bob", true],
    ["one who made the other's token", [ada, hers], "operator:ada", "operator:bob", false],
    ["the same, the other way round", [ada, hers], "operator:bob", "operator:ada", false],
    [
      "two whose tokens a third made",
      [hers, account("eve", "", "operator:ada")],
      "operator:bob",
      "operator:eve",
      false
    ],
    [
      "two of whom one has a token of a third",
      [ada, hers, own("eve", "finance")],
      "operator:eve",
      "operator:bob",
      true
    ],
    [
      "one who made the other's token, and has removed the other since",
      [ada, { ...hers, tokenHash: "removed:bob" }],
      "operator:ada",
      "operator:bob",
      false
    ],
    [
      "one of the file who made a token",
      [account("bob", "", "operator:operator")],
      "operator:operator",
      "operator:bob",
      false
    ]
  ] as const)("are not %s", (_, accounts, first, second, areTwo) =>
    expect(OperatorAccount.onePerson(accounts, first, second) === undefined).toBe(areTwo)
  )
})
