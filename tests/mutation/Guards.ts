/**
 * The mutants of a source file. Each changes one guard, which is code that decides: a condition is always true or always false, an
 * operand of `&&`, `||` or `??` is left out, a bound moves by one, a case or a guard of a commit is left out. Texts are not guards.
 */
import { parseAst } from "vitest/node"

export interface Mutant {
  readonly line: number
  readonly column: number
  readonly original: string
  readonly mutated: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Each text of `instead` makes a mutant of the node. `before` and `after` make the node an expression if it is none. */
interface Site {
  readonly start: number
  readonly end: number
  readonly instead: ReadonlyArray<string>
  readonly before: string
  readonly after: string
}

/** How the value of an expression is used. */
type Role = "value" | "condition" | "negated" | "loop" | "&&" | "||" | "??"

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value

const nodeOf = (node: Node, key: string): Node | undefined => {
  const child = node[key]
  return isNode(child) ? child : undefined
}

const nodesOf = (node: Node, key: string): ReadonlyArray<Node> => {
  const child = node[key]
  return Array.isArray(child) ? child.filter(isNode) : []
}

const nameOf = (node: Node | undefined): string => {
  if (node?.type === "Identifier" && typeof node.name === "string") return node.name
  return node?.type === "MemberExpression" ? nameOf(nodeOf(node, "property")) : ""
}

const comparisons = new Set(["===", "!==", "==", "!=", "<", "<=", ">", ">=", "in", "instanceof"])
const nextBound: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }
const asksWhether = /^(?:is|has|may|can)[A-Z]\w*$|^(?:is|has|includes|hasOwn|test|startsWith|endsWith|some|every)$/
const takesPredicate = /^(?:filter|some|every|find|findIndex|findLast|findFirst|takeWhile|dropWhile)$/
const neutral: Readonly<Record<Exclude<Role, "condition">, ReadonlyArray<string>>> = {
  value: [],
  negated: [],
  loop: ["false"],
  "&&": ["true"],
  "||": ["false"],
  "??": ["undefined"]
}

const isLogical = (node: Node): boolean => node.type === "LogicalExpression"

const isBoolean = (node: Node): boolean => {
  if (node.type === "BinaryExpression") return comparisons.has(`${node.operator}`)
  if (node.type === "UnaryExpression") return node.operator === "!"
  if (node.type === "CallExpression") return asksWhether.test(nameOf(nodeOf(node, "callee")))
  if (!isLogical(node) || node.operator === "??") return false
  return ["left", "right"].some((key) => {
    const side = nodeOf(node, key)
    return side !== undefined && isBoolean(side)
  })
}

/** A text that people read, as against a name of the program. */
const isText = (node: Node | undefined): boolean =>
  node?.type === "TemplateLiteral" ||
  (node?.type === "Literal" && typeof node.value === "string" && /\s|^$/.test(node.value)) ||
  (node?.type === "ConditionalExpression" && isText(nodeOf(node, "consequent")) && isText(nodeOf(node, "alternate")))

/** What only fills a place where nothing is, as against another thing that is tried. */
const isDefault = ({ type }: Node): boolean => /^(?:Identifier|MemberExpression|Literal|TemplateLiteral)$/.test(type)

/**
 * Returns the constants that replace a condition. A conjunction is only replaced by `false` and a disjunction only by `true`.
 * Leaving out their operands, one by one, shows the rest.
 */
const alwaysOrNever = ({ operator, type }: Node): ReadonlyArray<string> =>
  type !== "LogicalExpression" || operator === "??" ? ["true", "false"] : operator === "&&" ? ["false"] : ["true"]

const insteadOf = (node: Node, role: Role): ReadonlyArray<string> =>
  role === "condition" || (role === "value" && isBoolean(node)) ? alwaysOrNever(node) : neutral[role]

const sitesOf = (source: string): ReadonlyArray<Site> => {
  const sites: Array<Site> = []
  const text = ({ end, start }: Pick<Node, "start" | "end">): string => source.slice(start, end)
  const add = ({ end, start }: Node, instead: ReadonlyArray<string>, before = "", after = "") => {
    if (instead.length > 0) sites.push({ start, end, instead, before, after })
  }

  const bounds = (node: Node): ReadonlyArray<string> => {
    const [left, right] = [nodeOf(node, "left"), nodeOf(node, "right")]
    const operator = `${node.operator}`
    const other = nextBound[operator]
    if (node.type !== "BinaryExpression" || left === undefined || right === undefined || other === undefined) return []
    const between = text({ start: left.end, end: right.start }).replace(operator, other)
    // Parentheses around a side are no part of it.
    return [`${source.slice(node.start, left.end)}${between}${source.slice(right.start, node.end)}`]
  }

  const eachChild = (node: Node, visited: (child: Node) => void) => {
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visited(child)
  }

  const operands = (node: Node) => {
    const operator = node.operator === "&&" ? "&&" : node.operator === "||" ? "||" : "??"
    const [left, right] = [nodeOf(node, "left"), nodeOf(node, "right")]
    if (left === undefined || right === undefined) return
    if (isLogical(left) && left.operator === operator) operands(left)
    else visit(left, operator)
    visit(right, operator === "??" && isDefault(right) ? "value" : operator)
  }

  const elements = (array: Node) => {
    for (const element of nodesOf(array, "elements")) {
      const spread = element.type === "SpreadElement" ? nodeOf(element, "argument") : undefined
      const inner = spread ?? element
      add(inner, ["[]"], spread === undefined ? "..." : "", spread === undefined ? "wrap" : "")
      visit(inner, "value")
    }
  }

  /** What a list of guards is made of. */
  const guards = (value: Node) => {
    const body = value.type === "ArrowFunctionExpression" ? nodeOf(value, "body") : value
    if (body?.type === "CallExpression") add(body, ["[]"])
    if (body?.type === "ArrayExpression") elements(body)
    else visit(value, "value")
  }

  const called = (node: Node) => {
    const callee = nodeOf(node, "callee")
    const name = nameOf(callee)
    const given = nodesOf(node, "arguments")
    if (/^log[A-Z]?/.test(name) || name === "Error") return
    const owner = callee === undefined ? "" : nameOf(nodeOf(callee, "object"))
    if (owner === "Math" && (name === "min" || name === "max") && given.length === 2) {
      add(
        node,
        given.map((side) => (side.type === "SpreadElement" ? `${owner}.${name}(${text(side)})` : text(side)))
      )
    }
    if (callee !== undefined) visit(callee, "value")
    for (const argument of given) {
      const body = argument.type === "ArrowFunctionExpression" ? nodeOf(argument, "body") : undefined
      if (!takesPredicate.test(name) || body?.type === "BlockStatement") visit(argument, "value")
      else if (body !== undefined) visit(body, "condition")
      else if (argument.type !== "Identifier" && argument.type !== "MemberExpression") visit(argument, "value")
      else if (given.length < 3 && given.at(-1) === argument) add(argument, ["() => true", "() => false"])
    }
  }

  const visit = (node: Node, role: Role): void => {
    if (node.type.startsWith("TS")) {
      const inner = nodeOf(node, "expression")
      if (inner !== undefined) visit(inner, role)
      return
    }
    if (node.type === "TemplateLiteral" || node.type === "ImportDeclaration") return
    if (node.type === "ParenthesizedExpression") {
      const inner = nodeOf(node, "expression")
      if (inner !== undefined) visit(inner, role)
      return
    }
    add(node, [...insteadOf(node, role), ...bounds(node)])
    const test = nodeOf(node, "test")
    const children = (roleOfTest: Role, roleOfArgument: Role = "value") => {
      const roles = new Map([
        [test, roleOfTest],
        [nodeOf(node, "argument"), roleOfArgument]
      ])
      eachChild(node, (child) => visit(child, roles.get(child) ?? "value"))
    }
    switch (node.type) {
      case "LogicalExpression":
        operands(node)
        break
      case "ConditionalExpression":
        if (!isText(node)) children("condition")
        break
      case "IfStatement":
        children("condition")
        break
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
        children(test?.type === "Literal" ? "value" : "loop")
        break
      case "SwitchCase":
        if (test !== undefined) add(test, ["{}"])
        statements(nodesOf(node, "consequent"))
        break
      case "CallExpression":
        called(node)
        break
      case "UnaryExpression":
        children("value", node.operator === "!" ? "negated" : "value")
        break
      case "BlockStatement":
        statements(nodesOf(node, "body"))
        break
      case "Property":
        named(nodeOf(node, "key"), nodeOf(node, "value"))
        break
      case "VariableDeclarator":
        named(nodeOf(node, "id"), nodeOf(node, "init"))
        break
      default:
        children("value")
    }
  }

  /** Without semicolons, one that begins with a parenthesis would go on the line before. */
  const statements = (all: ReadonlyArray<Node>) => {
    for (const statement of all) {
      if (statement.type === "ExpressionStatement") {
        sites.push({ start: statement.start, end: statement.start, instead: [], before: ";", after: "" })
      }
      visit(statement, "value")
    }
  }

  const named = (name: Node | undefined, value: Node | undefined) => {
    if (value === undefined) return
    if (nameOf(name) === "guards") guards(value)
    else visit(value, "value")
  }

  statements(parseAst(source, { lang: "ts", astType: "ts" }).body.map((statement) => ({ ...statement })))
  return sites
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ")

const mutantsAt = (source: string, { end, instead, start }: Site): ReadonlyArray<Mutant> => {
  const before = source.slice(0, start)
  const place = { line: before.split("\n").length, column: start - before.lastIndexOf("\n") }
  return instead.map((mutated) => ({
    ...place,
    original: oneLine(source.slice(start, end)),
    mutated: oneLine(mutated)
  }))
}

export const mutantsOf = (source: string): ReadonlyArray<Mutant> =>
  sitesOf(source).flatMap((site) => mutantsAt(source, site))

/** The source with all its mutants in it; `__mutant(n)` says at run time whether the nth is the one that lives. */
export const withMutants = (source: string, first: number): string => {
  let next = first
  const edits = sitesOf(source).flatMap(({ after, before, end, instead, start }, order) => {
    const tests = instead.map((mutated) => `__mutant(${next++})?(${mutated}):`).join("")
    const [open, close] = after === "wrap" ? ["([", "])"] : ["(", ")"]
    if (instead.length === 0) return [{ at: start, text: before, order: -1 }]
    return [
      { at: start, text: `${before}(${tests}${open}`, order: order + 1 },
      { at: end, text: `${close})`, order: -order - 1 }
    ]
  })
  const sorted = edits.toSorted((a, b) => a.at - b.at || a.order - b.order)
  let at = 0
  const parts = sorted.flatMap((edit) => {
    const part = [source.slice(at, edit.at), edit.text]
    at = edit.at
    return part
  })
  return [...parts, source.slice(at)].join("")
}
