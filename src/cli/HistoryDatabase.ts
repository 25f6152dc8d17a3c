// The database of the history, for commands.
import { Effect, FileSystem, Layer, Option } from "effect"
import type { CliError } from "effect/cli"
import { SqlClient } from "effect/sql/SqlClient"
import { connectionFailure } from "../domain/connectionFailure.ts"
import { optionsOf } from "../history/store/PostgresOptions.ts"
import * as SqliteClient from "../history/store/SqliteClient.ts"
import * as Settings from "../node/Settings.ts"
import { userError } from "../node/StartError.ts"

export const sqliteFile = Effect.map(Settings.access.dataDir, (folder) => `${folder}/history.sqlite`)

export const exists = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => Effect.orElseSucceed(files.exists(file), () => false))

/** The database by the settings. For reading only it must be there. */
export const layerDatabase = (readonly = true) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* Settings.history.databaseUrl
      const filename = yield* sqliteFile
      if (readonly && Option.isNone(url) && !(yield* exists(filename)))
        return yield* userError(
          `No history at ${filename}. \`serve\` creates it at its first start; \`sandbox\` saves none.`
        )
      const layer: Layer.Layer<SqlClient, CliError.UserError> = Option.isSome(url)
        ? (yield* Effect.promise(() => import("@effect/sql-pg/PgClient")))
            .layer(optionsOf(url.value, 1))
            .pipe(
              Layer.catch((failure) =>
                Layer.effect(
                  SqlClient,
                  Effect.fail(
                    userError(
                      `The database of DATABASE_URL cannot be used: ${connectionFailure(failure)}. Check DATABASE_URL and the server there.`
                    )
                  )
                )
              )
            )
        : SqliteClient.layer({ filename, readonly })
      return layer
    })
  )
