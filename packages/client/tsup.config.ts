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
  // Chunks have the names of their contents: none of an earlier build may be packed.
  clean: ["!**/*.d.ts"],
  minify: true,
  // Node prints the line that threw: no line is longer than a screen.
  esbuildOptions: (options) => {
    options.lineLimit = 200
  },
  noExternal: [/^(?!undici$)/],
  external: ["undici"],
  removeNodeProtocol: false
})
