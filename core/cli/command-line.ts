import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { SECOND } from '../contract/time.ts'
import { readDatabaseUrl, readGivenDataKey } from '../env.ts'
import { AppError } from '../errors.ts'
import { type Db, openDb } from '../platform/db.ts'
import { guardDatabase } from '../platform/migrations.ts'
import { SettingsError } from '../settings/read-settings.ts'

export class UsageError extends Error {
  override name = 'UsageError'
}

/** The text to print, and whether everything was done. */
export type Result = { text: string; isDone: boolean }
export const done = (text: string): Result => ({ text, isDone: true })

type CommandLine<Options> = {
  /** The name in `npm run <name>`. */
  name: string
  usage: string
  /** The options, besides `--help`. */
  options: Record<string, { type: 'string' | 'boolean' }>
  /** The commands by name. `ids`: the remaining arguments, where a command takes any. */
  commands: Record<string, (db: Db, options: Options, ids: string[]) => Promise<Result>>
  takesIds?: boolean
}

/** A command is not tried again, and one lost packet of a name server takes five seconds (resolv.conf(5), `timeout`). */
const CONNECT_TIMEOUT = 15 * SECOND

/**
 * Runs a command against the database of `DATABASE_URL` and prints its result.
 * @returns the exit code: 0 done, 1 refused or failed, 2 not understood
 */
export async function runCommand<Options>(given: string[], line: CommandLine<Options>): Promise<number> {
  let db: Db | undefined
  try {
    const { positionals, values } = readArguments(given, line.options)
    if (values.help || given.length === 0) {
      console.log(asTyped(line.usage))
      return given.length === 0 ? 2 : 0
    }
    const [verb = '', ...ids] = positionals
    const command = line.commands[verb]
    if (!command || (ids.length > 0 && !line.takesIds)) {
      throw new UsageError(`There is no command "${positionals.join(' ')}".`)
    }
    const onConnect = guardDatabase(readGivenDataKey())
    const name = `leadwell-${line.name}`
    db = openDb(readDatabaseUrl(), { poolSize: 1, name, onConnect, connectTimeout: CONNECT_TIMEOUT })
    const { text, isDone } = await command(db, values as Options, ids)
    console.log(text)
    return isDone ? 0 : 1
  } catch (error) {
    const { message } = error as Error
    if (error instanceof UsageError)
      console.error(asTyped(`${message}\n"npm run ${line.name} -- --help" shows the usage.`))
    else if (error instanceof AppError || error instanceof SettingsError) console.error(message)
    else console.error(`Failed: ${message || String(error)}`)
    return error instanceof UsageError ? 2 : 1
  } finally {
    await db?.destroy()
  }
}

/**
 * Rewrites a text with `npm run <name> --` for this installation: the built version has no npm scripts. `main` is the
 * file that runs.
 */
export function asTyped(text: string, main = process.argv[1] ?? ''): string {
  if (!main.endsWith('.js')) return text
  return text.replaceAll(/npm run \w+(?: --| {3})/g, `node ${relative(process.cwd(), main)}`)
}

/** Returns whether the module with that `import.meta.url` is the file that Node was started with. */
export function isMain(url: string): boolean {
  const [, main] = process.argv
  return main !== undefined && url === pathToFileURL(realpathSync(main)).href
}

/** @throws UsageError for an unknown option */
function readArguments(given: string[], options: CommandLine<unknown>['options']) {
  try {
    return parseArgs({
      args: given,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean' } } as const,
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
