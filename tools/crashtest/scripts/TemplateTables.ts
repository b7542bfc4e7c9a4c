/** The entries of `crashtest.json` as tables, from the schema. */
import { type Schema, SchemaAST } from "effect"
import * as TemplateSchema from "../src/template/TemplateSchema.ts"

type Fields = Readonly<Record<string, Schema.Top>>

const ofLastCheck = SchemaAST.resolveAt<string>("description")

/** Returns the description of a field. One that was given before its checks is not that of its last check. */
const description = (ast: SchemaAST.AST): string | undefined => {
  const own = ofLastCheck(ast) ?? ast.annotations?.description
  return typeof own === "string" ? own : undefined
}

/** Returns a row for each field. */
const table = (name: string, fields: Fields): string => {
  const rows = Object.entries(fields).map(([field, { ast }]) => {
    const about = description(ast)
    if (about === undefined) throw new Error(`TemplateSchema.ts describes no ${name}.${field}`)
    const required = SchemaAST.isOptional(ast) ? "" : ", required"
    return `| \`${field}\`${required} | ${about.replaceAll("|", "\\|")} |`
  })
  return ["| entry | content |", "|---|---|", ...rows].join("\n")
}

const { Ask, Matcher, Payout, Purchase, Refund, Step, Template } = TemplateSchema

/** The entries of a request, which are the same wherever one stands. */
const sending = ["request", "headers", "body", "run"]
const isOwn = ([field]: readonly [string, unknown]): boolean => !sending.includes(field)
const own = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(isOwn))
const shared = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter((each) => !isOwn(each)))

export const write = (): string =>
  [
    table("template", Template.fields),
    "`gateway` has:",
    table("gateway", Template.fields.gateway.schema.fields),
    "Each of `buy`, `ask`, `refund`, `subscribe` and `payout` names a request or a program:",
    table("buy", shared(Purchase.fields)),
    "`buy` and `subscribe` also have:",
    table("buy", own(Purchase.fields)),
    "`ask` also has:",
    table("ask", own(Ask.fields)),
    "`refund` also has:",
    table("refund", own(Refund.fields)),
    "`payout` also has:",
    table("payout", own(Payout.fields)),
    "`paid`, `shipped` and the others say what an answer must have:",
    table("paid", Matcher.fields),
    "A step of a customer in Chromium has one of these:",
    table("customer", Step.fields)
  ].join("\n\n")
