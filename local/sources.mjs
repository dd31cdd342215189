// Tells whether a build is that of the sources. Plain JavaScript, because `local/start.mjs` asks before anything can read TypeScript.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ALWAYS = ['NOTICE', 'package-lock.json', 'tsconfig.json']
/** What each part is built from: files, and folders with a pattern of the files in them. Two contracts import a registry beside them. */
const SOURCES = {
  web: {
    paths: ['core', 'web', 'vite.config.ts', ...ALWAYS],
    pattern: /^web\/|\/contract\/|\/brand\/|^core\/deliveries\/(emails|jobs)\.ts$|^[^/]+$/,
  },
  programs: { paths: ['api', 'core', 'local', 'migrations', 'ops/bundle.ts', 'worker', ...ALWAYS], pattern: /./ },
}
/** The file that says what the part was built from. It is in the output, so that it goes with it. */
const MARKS = { web: 'dist/web/.sources', programs: 'dist/api/.sources' }

/** Returns the file with the mark of a part, the mark that it should have, and whether it has it. */
export function readMark(root, part) {
  const { paths, pattern } = SOURCES[part]
  const files = paths.flatMap((path) =>
    statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path), { recursive: true }).map((file) => `${path}/${file}`)
      : path,
  )
  const hash = createHash('sha256')
  for (const file of files.filter((file) => pattern.test(file)).sort()) {
    if (statSync(join(root, file)).isDirectory()) continue
    // Names and contents: times would change with every checkout.
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  const mark = hash.digest('hex')
  const file = join(root, MARKS[part])
  return { file, mark, isBuilt: readIfThere(file) === mark }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
