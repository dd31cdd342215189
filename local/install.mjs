// Installs the packages. Plain JavaScript on Node's own modules, because on a fresh clone no package is installed yet. As a
// program it installs all of them: each command that needs the workspace `tools/` runs it first.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const INSTALLED_MARK = 'node_modules/.leadwell-lock'
/** What npm has installed. It writes this file last. */
const INSTALLED = 'node_modules/.package-lock.json'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(ROOT)
  installPackages({ tools: true })
}

/**
 * Installs the packages of package-lock.json, with or without those of the workspace `tools/`, unless they are installed. The
 * current folder is the project's. Prints why and exits with code 1 when it cannot.
 */
export function installPackages({ tools }) {
  const mark = existsSync(INSTALLED_MARK) ? readFileSync(INSTALLED_MARK, 'utf8') : ''
  if (mark === lockMark('all') || (!tools && mark === lockMark('start'))) return
  const installed = existsSync(INSTALLED) ? readPackages(INSTALLED) : {}
  const wanted = readPackages('package-lock.json')
  if (isInstalled(tools ? Object.keys(wanted) : startPaths(wanted), wanted, installed)) return

  // A running `npm start` keeps its packages while the tools are added.
  const isAddition = isInstalled(startPaths(wanted), wanted, installed)
  if (isAddition) runNpm('the tools', ['install', '--no-save'])
  else if (tools) runNpm('all packages', ['ci'])
  else runNpm('the packages', ['ci', '--workspaces=false'])
  writeFileSync(INSTALLED_MARK, lockMark(tools ? 'all' : 'start'))
}

function readPackages(lock) {
  return JSON.parse(readFileSync(lock, 'utf8')).packages
}

/** Returns whether npm has installed the packages at these paths, for this machine, in the versions of the lock file. */
function isInstalled(paths, wanted, installed) {
  return paths.every((path) => {
    const { version, optional, os, cpu, libc } = wanted[path]
    const isForHere = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc
    return path === '' || (optional && !isForHere) || installed[path]?.version === version
  })
}

/** Returns the paths of the packages that do not belong to `tools/` alone. */
function startPaths(wanted) {
  const paths = new Set([''])
  for (const path of paths) {
    const { dependencies, devDependencies, optionalDependencies } = wanted[path]
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const found = pathOf(name, path, wanted)
      if (found) paths.add(found)
    }
  }
  return [...paths]
}

/** Returns the path of the package that Node finds for an import in the package at `from`. */
function pathOf(name, from, wanted) {
  const folders = from.split('/node_modules/')
  // From the innermost folder outward: `node_modules/a/node_modules/b`, `node_modules/a`, the project itself.
  const inner = folders.map((_, index) => folders.slice(0, folders.length - index).join('/node_modules/'))
  return [...inner.filter(Boolean).map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].find(
    (path) => path in wanted,
  )
}

function lockMark(scope) {
  const hash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  return `${process.platform}-${process.arch}-${hash}-${scope}`
}

function runNpm(what, command) {
  console.log(`  … Installing ${what} (npm ${command[0]}); the first time this takes a minute`)
  const startedAt = Date.now()
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  // NODE_ENV=production would leave out packages that the local run needs.
  const args = [...npm.slice(1), ...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error, stdout, stderr } = spawnSync(npm[0], args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (status !== 0) {
    console.error(installProblem(error?.message ?? `${stdout}${stderr}`))
    process.exit(1)
  }
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
