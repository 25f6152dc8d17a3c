// Members of CoinGecko's responses that this service never has, and the blank values that fill them.
import { Predicate, Schema } from "effect"

export const unknown = Schema.Null.annotate({ description: "Not known here" })
export const nothing = Schema.Array(Schema.Never).annotate({ description: "Not known here: always empty" })
export const empty = Schema.Record(Schema.String, Schema.Never).annotate({
  description: "Not known here: always empty"
})
export const text = Schema.String.check(Schema.isMaxLength(0)).annotate({ description: "Not known here: always empty" })
export const no = Schema.Literal(false)

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** Members of one such schema, by their names in some lines. */
export const blank = <S, const Lines extends ReadonlyArray<string>>(schema: S, ...lines: Lines) =>
  Object.fromEntries(lines.flatMap((line) => line.split(" ")).map((name) => [name, schema])) as {
    readonly [Name in Words<Lines[number]>]: S
  }

/** The blank value of each such schema. */
const blanks: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  [unknown, null],
  [nothing, []],
  [empty, {}],
  [text, ""],
  [no, false]
])

const isShape = (schema: unknown): schema is { readonly fields: object } =>
  Predicate.hasProperty(schema, "fields") && Predicate.isObject(schema.fields)

/** The members of a shape in their order: those given, and blanks for what is never known. */
export const shaped = <F extends object>(
  { fields }: { readonly fields: F },
  values: { readonly [Name in keyof F]?: unknown } = {}
): object => {
  const given = new Map(Object.entries(values))
  const members = Object.entries(fields).map(([name, schema]: [string, unknown]) => {
    if (given.has(name)) return [name, given.get(name)]
    return [name, isShape(schema) ? shaped(schema) : blanks.get(schema)]
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
