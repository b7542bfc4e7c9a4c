import { defineConfig } from "tsup"

/**
 * Everything that the package needs is inside of it, so that nothing else is installed. `undici` is left out: programs that want its
 * connection pool install it.
 */
export default defineConfig({
  entry: ["src/main.ts", "src/Durable.ts", "src/Pooled.ts"],
  format: "esm",
  platform: "node",
  target: "node22",
  bundle: true,
  splitting: true,
  dts: false,
  clean: false,
  minify: true,
  noExternal: [/^(?!undici$)/],
  external: ["undici"],
  removeNodeProtocol: false,
  metafile: true
})
