/**
 * Declares what the gateway stores. An entity is a name, typed columns, a key, unique keys and indexes. Every store (memory,
 * SQLite, PostgreSQL) interprets these values; no store refers to a table by name.
 */

/** A value that a column can contain. */
export type Value = string | number | bigint | Uint8Array | null

/** A column: its storage class, and its TypeScript type as the type parameter. */
export interface Column<out T extends Value> {
  readonly kind: "text" | "integer" | "sum" | "blob"
  readonly nullable: boolean
  /** Only carries the type; no code reads this property. */
  readonly "~type"?: T
}

export type Columns = Readonly<Record<string, Column<Value>>>

/** A whole number below 2^53: amounts in minor units, milliseconds, counts. */
export const integer: Column<number> = { kind: "integer", nullable: false }
export const integerOrNull: Column<number | null> = { kind: "integer", nullable: true }
/** A sum of amounts in minor units: a whole number of 64 bits, exact beyond 2^53. It is in no key and in no index. */
export const sum: Column<bigint> = { kind: "sum", nullable: false }
export const blob: Column<Uint8Array> = { kind: "blob", nullable: false }
/** Text, narrowed to the literals of `T` where a column holds one of a closed set. */
export const text = <T extends string = string>(): Column<T> => ({ kind: "text", nullable: false })
export const textOrNull = <T extends string = string>(): Column<T | null> => ({ kind: "text", nullable: true })

export interface Entity<out C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  /** The columns that identify a row. */
  readonly key: ReadonlyArray<string>
  /** Further column sets of which no two rows share the same values; a row with a null among them is exempt. */
  readonly unique: Readonly<Record<string, ReadonlyArray<string>>>
  /** Column sets by which `Store.find` selects and orders rows. */
  readonly index: Readonly<Record<string, ReadonlyArray<string>>>
  /**
   * The columns in an index that usually change when a stored row is put. A store may expect that the row exists and that the other
   * columns in an index are equal. `undefined`: it expects nothing.
   */
  readonly changing: ReadonlyArray<string> | undefined
  /** The columns that are sums. */
  readonly sums: ReadonlyArray<string>
  /** Whether rows are only ever added. If so, the store itself refuses to change or remove them. */
  readonly appendOnly: boolean
}

type TypeOf<X> = X extends Column<infer T extends Value> ? T : never

export type RowOf<C extends Columns> = { readonly [K in keyof C]: TypeOf<C[K]> }

export type Row<E> = E extends Entity<infer C> ? RowOf<C> : never

/** The columns that a key or an index may have. */
type Ordered<C extends Columns> = { [K in keyof C]: C[K] extends Column<bigint> ? never : K }[keyof C] & string

export const make = <const C extends Columns>(
  name: string,
  options: {
    readonly columns: C
    readonly key: ReadonlyArray<Ordered<C>>
    readonly unique?: Readonly<Record<string, ReadonlyArray<Ordered<C>>>>
    readonly index?: Readonly<Record<string, ReadonlyArray<Ordered<C>>>>
    readonly changing?: ReadonlyArray<Ordered<C>>
    readonly appendOnly?: boolean
  }
): Entity<C> => ({
  ...{ unique: {}, index: {}, changing: undefined, appendOnly: false, ...options, name },
  sums: Object.keys(options.columns).filter((column) => options.columns[column]?.kind === "sum")
})
