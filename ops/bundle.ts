import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type BuildOptions, build, type RolldownOutput } from 'rolldown'

/*
 * `tsx ops/bundle.ts [folder]`: bundles the API, the worker and the commands, each under the path of its source, with the packages
 * that they use. With `--complete`, adds what a bundle cannot hold, so that the folder runs without node_modules. With `--local`, adds
 * the launcher of `npm start`.
 */
const [folder = 'dist', option] = process.argv.slice(2)
const PROGRAMS = [
  'api/main',
  'worker/main',
  'worker/sync/preview',
  'core/migrate',
  'core/cli/staff',
  'core/cli/privacy',
]
/** Packages with programs for one platform. */
const NATIVE = ['sharp', '@node-rs/argon2']
/** What packages use if it is there, such as the databases of knex. */
const ABSENT = [
  /^(better-sqlite3|mysql2?|mariadb\/callback|oracledb|pg-native|pg-query-stream|sqlite3|tedious)$/,
  /^msgpackr-extract$/,
]

const migrations = (await readdir('migrations')).filter((file) => file.endsWith('.ts'))
const sources = [...PROGRAMS.map((program) => `${program}.ts`), ...migrations.map((file) => `migrations/${file}`)]
// A migration that was renamed would run again.
for (const part of ['api', 'core', 'local', 'migrations', 'worker'])
  await rm(join(folder, part), { recursive: true, force: true })
const bundle = await build({
  ...bundleOf(sources),
  output: {
    dir: folder,
    entryFileNames: '[name].js',
    // As deep as core/platform, whose modules find the migrations by a relative path.
    chunkFileNames: 'core/shared/[name].js',
  },
})
await cp('migrations/zips.tsv.br', join(folder, 'migrations/zips.tsv.br'))
await writeFile(join(folder, 'NOTICES'), await listNotices(bundle))
if (option === '--complete') await copyPackages(NATIVE)
if (option === '--local') await bundleLauncher()

function bundleOf(sources: string[]): BuildOptions {
  return {
    input: Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ''), source])),
    platform: 'node',
    external: [...NATIVE, ...ABSENT],
    // Packages use direct `eval`.
    checks: { eval: false },
  }
}

/** In a bundle of its own: a program must not share the module that starts it. */
async function bundleLauncher(): Promise<void> {
  await build({
    ...bundleOf(['local/main.ts']),
    output: {
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: 'local/shared/[name].js',
      // As above, a folder deeper than the modules of `local`, which find their own files.
      codeSplitting: { groups: [{ name: 'core', test: /\/core\// }] },
    },
  })
  for (const file of ['pages', 'watcher.mjs'])
    await cp(`local/${file}`, join(folder, 'local', file), { recursive: true })
}

/** Returns our own notices, then the licenses of the packages in the bundle. */
async function listNotices({ output }: RolldownOutput): Promise<string> {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  const notices = [...new Set(folders)].toSorted().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    return [`## ${name} ${version} (${license})`, ...texts].join('\n\n')
  })
  return [await readFile('NOTICE', 'utf8'), ...(await Promise.all(notices))].join('\n\n')
}

/** Copies packages, with those that they need on this platform. */
async function copyPackages(names: string[]): Promise<void> {
  for (const name of names) {
    const source = resolve('node_modules', name)
    const manifest = await readFile(join(source, 'package.json'), 'utf8').catch(() => null)
    // An optional package of another platform.
    if (!manifest) continue
    await cp(source, join(folder, 'node_modules', name), { recursive: true })
    const { dependencies, optionalDependencies } = JSON.parse(manifest)
    await copyPackages(Object.keys({ ...dependencies, ...optionalDependencies }))
  }
}
