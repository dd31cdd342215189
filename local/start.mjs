// The program of `npm start`, `npm run dev` and `npm test`. Plain JavaScript on Node's own modules, because on a fresh
// clone no package is installed yet, and because an old Node must still be able to print that it is too old.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MIN_NODE = [20, 19]
const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** All but those of `npm run test:faults` and `npm run test:nightly`. */
const DEFAULT_PROJECTS = ['unit', 'components', 'integration', 'browser']
const INSTALLED_MARK = 'node_modules/.leadwell-lock'

process.chdir(ROOT)
checkNode()
if (!packagesAreFresh()) installPackages()
await run(process.argv.slice(2))

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
  const { main } = await loadLauncher()
  await main({ dev: args.includes('--dev'), verbose: args.includes('--verbose') })
}

/** Selects all but the slow tests, unless the arguments name a file or a project. */
function testSelection(args) {
  const isSelection = args.some((arg) => arg.startsWith('tests') || arg.startsWith('--project'))
  // Not by what to leave out: vitest takes a project that any of several patterns matches.
  return isSelection ? args : [...DEFAULT_PROJECTS.map((name) => `--project=${name}`), ...args]
}

async function loadLauncher() {
  try {
    const { register } = await import('tsx/esm/api')
    register()
    return await import('./main.ts')
  } catch (error) {
    if (!/Cannot find package/.test(error.message)) throw error
    fail('Some installed packages are missing. Delete the folder node_modules, and start again.')
  }
}

function packagesAreFresh() {
  if (existsSync(INSTALLED_MARK) && readFileSync(INSTALLED_MARK, 'utf8') === lockMark()) return true
  return existsSync('node_modules/.package-lock.json') && matchesInstalled()
}

/** Returns whether the packages that npm has installed are those of the lock file for this machine. */
function matchesInstalled() {
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const installed = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages
  return Object.entries(wanted).every(([path, { version, optional, os, cpu, libc }]) => {
    const isForHere = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc
    if (path === '' || (optional && !isForHere)) return true
    return installed[path]?.version === version
  })
}

function lockMark() {
  const hash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  return `${process.platform}-${process.arch}-${hash}`
}

function installPackages() {
  console.log('  … Installing the packages (npm ci); the first time this takes a minute')
  const startedAt = Date.now()
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  // NODE_ENV=production would leave out packages that the local run needs.
  const args = [...npm.slice(1), 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error, stdout, stderr } = spawnSync(npm[0], args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (status !== 0) fail(installProblem(error?.message ?? `${stdout}${stderr}`))
  writeFileSync(INSTALLED_MARK, lockMark())
  console.log(`  ✓ Packages installed  ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

function installProblem(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(output)) {
    return 'The packages could not be downloaded: npm cannot reach its registry. Connect to the internet, and start again.'
  }
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `The packages could not be installed: this user may not write to ${ROOT}node_modules.`
  }
  if (/ENOSPC/.test(output)) return 'The packages could not be installed: the disk is full.'
  return `The packages could not be installed. The end of npm's output:\n${output.trim().split('\n').slice(-15).join('\n')}`
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
