/** The shops of `examples/crashtest`, with what each needs on this machine. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"

export interface ExampleShop {
  /** The name of its folder. */
  readonly name: string
  readonly folder: string
  readonly command: ReadonlyArray<string>
  /** A program that ends with 0 where the shop can run. Absent: everywhere. */
  readonly needs?: readonly [program: string, ...args: ReadonlyArray<string>]
}

const root = join(import.meta.dirname, "../../..")
const examples = join(root, "examples/crashtest")

const php = ["php", "-r", 'exit(extension_loaded("pdo_sqlite") && extension_loaded("curl") ? 0 : 1);'] as const

const shop = (name: string, command: ReadonlyArray<string>, needs?: ExampleShop["needs"]): ExampleShop => ({
  name,
  folder: join(examples, name),
  command,
  ...(needs === undefined ? {} : { needs })
})

const node = [process.execPath, "shop.mjs"]

/** Careful shops, which a crash test finds nothing against. Next.js is not among them: it has to be built. */
export const careful: ReadonlyArray<ExampleShop> = [
  shop("fastify", node),
  shop("express", node),
  shop("hono", node),
  shop("shop", [process.execPath, "../../../apps/shop/src/main.ts"]),
  shop("php", ["php", "shop.php"], php),
  shop("flask", ["python3", "shop.py"], ["python3", "-c", "import flask"]),
  shop("sinatra", ["ruby", "shop.rb"], ["ruby", "-e", 'require "sinatra/base"; require "puma"; require "sqlite3"'])
]

/** The shop of the page "Crash-test your checkout", with the usual mistakes. */
export const careless: ExampleShop = {
  ...shop("php", ["php", "-S", "127.0.0.1:{port}", "shop-careless.php"], php),
  name: "php, careless"
}

/** A shop on the public PHP library, whose code `PHP_LIBRARY` names. */
export const onPhpLibrary: ExampleShop = {
  name: "public PHP library",
  folder: join(import.meta.dirname, "php-library"),
  command: ["php", "shop.php"],
  needs: php
}

/** The example on `@pay/client` with a fault that is planted while it is loaded. */
export const plantedClient: ExampleShop = shop("express", [
  process.execPath,
  "--import",
  join(root, "tests/checkouts/shops/plant.mjs"),
  "shop.mjs"
])

/** A shop with a habit, careful or careless, that the examples do not have. */
export const withHabit = (name: string): ExampleShop => ({
  name,
  folder: join(root, "tests/checkouts/shops"),
  command: [process.execPath, "habits.mjs", name]
})

/** Whether this machine has what the shop needs. */
export const isHere = ({ needs }: ExampleShop): boolean => {
  if (needs === undefined) return true
  const [program, ...args] = needs
  return spawnSync(program, args, { stdio: "ignore" }).status === 0
}
