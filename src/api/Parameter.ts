// A parameter of a URL: a schema that reads its text, annotated with its words, JSON Schema and default. Validation,
// the OpenAPI documents, the keys of cached responses and the handlers all read this one value.
import { Effect, Equal, Option, Predicate, Schema, SchemaAST, SchemaGetter } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { LONGEST_ID } from "../domain/CoinId.ts"
import { rememberEach } from "../domain/rememberEach.ts"
import type { Json } from "./OpenApiSchemas.ts"

/** The JSON Schema of a parameter, for documents, which would otherwise call each a string as in the URL. */
type Shape = Json & { readonly default?: string | number }

/** The words for a parameter: its rule, or what it does (a sentence) and its rule. */
type Words = string | readonly [does: string, rule: string]

/** A parameter as an endpoint declares it. */
export interface Parameter {
  /** What it does and what it must be, for documents. */
  readonly description: string
  /** What it must be, in words that follow "must be". */
  readonly rule: string
  readonly shape: Json
  /** Its default, if it may be left out and has one. */
  readonly fallback: Reading | undefined
  readonly isRequired: boolean
  /** Reads a text of a URL; `undefined` for one that it does not allow. */
  readonly read: (text: string) => Reading | undefined
}

/** A parameter's value, and the one text of it: texts that mean the same have the same reading. */
export interface Reading {
  readonly value: unknown
  readonly text: string
}

const ANNOTATION = "crypto-data-api/api/Parameter"

const isDeclared = Schema.is(
  Schema.Struct({
    description: Schema.String,
    rule: Schema.String,
    shape: Schema.Record(Schema.String, Schema.Unknown),
    read: Schema.declare((value): value is Parameter["read"] => Predicate.isFunction(value))
  })
)

type Read = Schema.Codec<unknown, string>

const SHAPE = "crypto-data-api/api/Parameter/Shape"

export const shapedAs = <S extends Read>(schema: S, shape: Shape) =>
  Schema.make<S>(schema.annotate({ [SHAPE]: shape }).ast)

/** Texts of at most so many characters are remembered with their readings, so many of each parameter. */
const REMEMBERED = { characters: 40, texts: 128 }

const readerOf = (schema: Read): Parameter["read"] => {
  const decode = Schema.decodeUnknownOption(schema)
  const encode = Schema.encodeOption(schema)
  const read = (text: string): Reading | null => {
    const decoded = decode(text)
    if (Option.isNone(decoded)) return null
    const { value } = decoded
    const written = Option.getOrElse(encode(value), () => text)
    // A text that means another value would share that value's cached answers.
    const isSame = written === text || Option.exists(decode(written), (again) => Equal.equals(again, value))
    return { value, text: isSame ? written : text }
  }
  const remembered = rememberEach(REMEMBERED.texts, read)
  return (text) => (text.length <= REMEMBERED.characters ? remembered(text) : read(text)) ?? undefined
}

/** The schema of a parameter with its words. `more` is added to its JSON Schema, by default that of any text. */
export const parameter = <S extends Read>(schema: S, words: Words, more: Shape = {}) => {
  const [does, rule] = typeof words === "string" ? ["", words] : words
  const description = `${does} Must be ${rule}.`.trimStart()
  const own = SchemaAST.resolve(schema.ast)?.[SHAPE]
  const shape = { ...(Predicate.isObject(own) ? own : { type: "string" }), ...more }
  return Schema.make<S>(
    schema.annotate({ description, [ANNOTATION]: { description, rule, shape, read: readerOf(schema) } }).ast
  )
}

/**
 * The same for one that may be left out: its default, which the JSON Schema names, is filled in when it is decoded. Clients may leave
 * it out, too.
 */
export const defaulted = <S extends Read & Schema.WithoutConstructorDefault>(
  schema: S,
  words: Words,
  more: Shape & { readonly default: string | number }
) => {
  const read: Schema.Codec<S["Type"], string> = parameter(schema, words, more)
  const filled = Schema.optionalKey(Schema.String).pipe(
    Schema.decodeTo(Schema.optionalKey(read), {
      decode: SchemaGetter.withDefault(Effect.succeed(String(more.default))),
      encode: SchemaGetter.passthrough()
    })
  )
  // The type is asserted, because decoding fills in the default: the value is always there, and a query may leave the parameter out.
  return Schema.make<Schema.withConstructorDefault<Schema.withDecodingDefaultKey<S>>>(filled.ast)
}

/** One of these words. */
export const word = <const W extends ReadonlyArray<string>>(words: W) =>
  shapedAs(Schema.Literals(words), { type: "string", enum: words })

/** One of these words, by default the first. */
export const choice = <const W extends readonly [string, ...ReadonlyArray<string>]>(choices: W, words: Words) =>
  defaulted(word(choices), words, { default: choices[0] })

/** A parameter with values `A`. A client may also send `In`. */
export type Sendable<A, In = A> = Schema.Codec<A, string> &
  Schema.WithoutConstructorDefault & { readonly "~type.make": In }

/** A text that is read as another value, such as in upper case, and then by the schema. `write` makes it a text again. */
export const readAs = <A, E>(
  text: Schema.Codec<string>,
  read: (text: string) => E,
  schema: Schema.Codec<A, E>,
  write: (value: E) => string = String
) => {
  const transformation = { decode: SchemaGetter.transform(read), encode: SchemaGetter.transform(write) }
  return Schema.make<Sendable<A>>(text.pipe(Schema.decodeTo(schema, transformation)).ast)
}

/** A parameter of another service's API that this one does not support. An empty value is accepted and ignored. */
export const unsupported = (why: string) => parameter(Schema.Literal(""), `left out: ${why}`, { maxLength: 0 })

export const wholeNumber = (most = Number.MAX_SAFE_INTEGER) =>
  shapedAs(
    readAs(
      Schema.String.check(Schema.isPattern(/^\d{1,16}$/)),
      Number,
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most }))
    ),
    { type: "integer", minimum: 1, maximum: most }
  )

/** How many rows are wanted, at most `most`. */
export const rowCount = (most: number, fallback: number, does: string) =>
  defaulted(wholeNumber(most), [does, `a whole number from 1 to ${most}`], { default: fallback })

/** A text of 1 to {@link LONGEST_ID} characters, such as the example. */
export const named = <S extends Read>(schema: S, words: Words, example: string) =>
  parameter(schema, words, { minLength: 1, maxLength: LONGEST_ID, examples: [example] })

/** A list of such texts. */
export const listed = <S extends Read>(schema: S, words: Words, example: string) =>
  parameter(schema, words, { minLength: 1, examples: [example] })

/** A text of this form. */
export const matching = (pattern: RegExp, words: Words, example: string) =>
  parameter(Schema.String.check(Schema.isPattern(pattern)), words, { pattern: pattern.source, examples: [example] })

/** The parameters of a path or a query by name, as declared. */
export const parametersOf = (declared: { readonly ast: SchemaAST.AST } | undefined): ReadonlyMap<string, Parameter> =>
  new Map(
    declared === undefined || !SchemaAST.isObjects(declared.ast)
      ? []
      : declared.ast.propertySignatures.map(({ name, type }): [string, Parameter] => {
          const annotation = SchemaAST.resolve(type)?.[ANNOTATION]
          if (!isDeclared(annotation)) throw new Error(`The parameter ${String(name)} has no rule`)
          const { description, read, rule, shape } = annotation
          const fallback = shape["default"] === undefined ? undefined : read(String(shape["default"]))
          return [String(name), { description, rule, shape, fallback, isRequired: !SchemaAST.isOptional(type), read }]
        })
  )

/** The endpoints of a contract. */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<HttpApiEndpoint.Top> => {
  const endpoints: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => void endpoints.push(endpoint) })
  return endpoints
}

/** A path of a contract as OpenAPI writes it: `/v1/coins/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}")

/** The parameters of every endpoint of a contract, by the path in its document. */
export const parametersIn = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, ReadonlyMap<string, Parameter>> =>
  new Map(
    endpointsOf(api).map(({ params, path, query }) => [
      templateOf(path),
      new Map([...parametersOf(params), ...parametersOf(query)])
    ])
  )
