// The program of `npm start`, `npm run dev` and `npm test`. Plain JavaScript on Node's own modules, because on a fresh
// clone no package is installed yet, and because an old Node must still be able to print that it is too old.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installPackages } from './install.mjs'
import { readMark } from './sources.mjs'

const MIN_NODE = [20, 19]
const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** All but those of `npm run test:faults` and `npm run test:nightly`. */
const DEFAULT_PROJECTS = ['unit', 'components', 'integration', 'browser']

const args = process.argv.slice(2)
process.chdir(ROOT)
checkNode()
installPackages({ tools: args[0] === '--test' })
await run(args)

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return
  fail(`Leadwell needs Node ${MIN_NODE.join('.')} or newer; this is ${process.versions.node}. See https://nodejs.org`)
}

/** Runs the launcher or the tests in this process, so that signals and the exit code need not be passed on. */
async function run(args) {
  if (args[0] === '--test') {
    process.argv = [process.execPath, 'vitest', 'run', ...testSelection(args.slice(1))]
    await import(pathToFileURL(`${ROOT}/node_modules/vitest/vitest.mjs`).href)
    return
  }
  const dev = args.includes('--dev')
  const { main } = await loadLauncher(dev)
  await main({ root: ROOT, dev, verbose: args.includes('--verbose') })
}

/** Selects all but the slow tests, unless the arguments name a file or a project. */
function testSelection(args) {
  const isSelection = args.some((arg) => arg.startsWith('tests') || arg.startsWith('--project'))
  // Not by what to leave out: vitest takes a project that any of several patterns matches.
  return isSelection ? args : [...DEFAULT_PROJECTS.map((name) => `--project=${name}`), ...args]
}

/** Loads the bundle of the launcher where it is that of the sources: it takes a fifth of the time. */
async function loadLauncher(dev) {
  try {
    if (!dev && readMark(ROOT, 'programs').isBuilt) return await import('../dist/local/main.js')
    const { register } = await import('tsx/esm/api')
    register()
    return await import('./main.ts')
  } catch (error) {
    if (!/Cannot find package/.test(error.message)) throw error
    fail('Some installed packages are missing. Delete the folder node_modules, and start again.')
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
