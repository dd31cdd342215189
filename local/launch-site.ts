import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { keepRunning } from './keep-running.ts'
import { startNodeProcess } from './node-process.ts'
import { freePort } from './ports.ts'
import { endLeftover, notedPid, PlainError, signalProcess } from './process.ts'
import type { Settings } from './settings.ts'
import type { Shutdown } from './shutdown.ts'
import type { Terminal } from './terminal.ts'

const NAMES = ['API', 'Worker', 'Vite']
/** Editors save in several steps; changes within this many milliseconds count as one. */
const SAVE_INTERVAL = 150

/** What every part of the start needs. */
export interface Launch {
  /** The project's folder. */
  root: string
  /** Where everything is kept between runs. */
  dataDir: string
  /** The settings that were given, none of them empty. */
  given: Settings
  /** The site's port. */
  port: number
  dev: boolean
  verbose: boolean
  terminal: Terminal
  shutdown: Shutdown
  /** As the terminal's, but nothing new begins once the shutdown has. */
  step: Terminal['step']
}

interface Child {
  name: string
  script: string
  args?: string[]
  env: Settings
  /** The folders that it is started again for. */
  sources?: string[]
}

/** Starts the API and the worker, each as a process of its own; in development Vite's server stands before the API. */
export async function startSite(launch: Launch, settings: Settings): Promise<void> {
  const { dev, port, dataDir, shutdown } = launch
  const host = settings.HOST as string
  const apiPort = dev ? await freePort() : port
  // Two processes cannot serve their metrics on one port.
  const metricsPort = settings.METRICS_PORT?.replace(/\d+$/, (given) => String(Number(given) + 1))
  const children: Child[] = [
    {
      name: 'API',
      script: dev ? 'api/main.ts' : 'dist/api/main.js',
      env: { ...settings, PORT: String(apiPort) },
      sources: ['core', 'api'],
    },
    {
      name: 'Worker',
      script: dev ? 'worker/main.ts' : 'dist/worker/main.js',
      env: { ...settings, METRICS_PORT: metricsPort },
      sources: ['core', 'worker'],
    },
  ]
  const vite = { name: 'Vite', script: 'local/vite-dev.ts', args: [String(port), host, `http://${host}:${apiPort}`] }
  if (dev) children.push({ ...vite, env: settings })

  // Together, so that a slow worker does not keep the API from stopping.
  const stops: (() => Promise<void>)[] = []
  const stopAll = async () => {
    await Promise.all(stops.map((stop) => stop()))
    // One that was just starting is not in the list yet.
    await endLeftoverSite(dataDir)
  }
  await shutdown.add(stopAll, () => {
    for (const pid of notedPids(dataDir).values()) if (pid) signalProcess(pid, 'SIGKILL')
  })
  const start = async (child: Child) => {
    const kept = await startChild(launch, child)
    stops.push(kept.stop)
    if (dev && child.sources) await restartOnChange(launch, child.name, child.sources, kept.restart)
  }
  const names = children.map(({ name }) => name).join(', ')
  await launch.step(`Starting ${names}`, async (say) => {
    await Promise.all(children.map(start))
    say(`${names} running`)
  })
}

/** Ends what a killed run, or this one, has left running. */
export async function endLeftoverSite(dataDir: string): Promise<void> {
  await Promise.all([...notedPids(dataDir)].map(([name, pid]) => endLeftover(name, pid)))
}

function notedPids(dataDir: string): Map<string, number | null> {
  return new Map(NAMES.map((name) => [name, notedPid(pidFileOf(dataDir, name))]))
}

function pidFileOf(dataDir: string, name: string): string {
  return join(dataDir, `${name.toLowerCase()}.pid.json`)
}

function startChild({ root, dataDir, terminal, shutdown, verbose }: Launch, child: Child) {
  const { name } = child
  const start = async () => {
    if (shutdown.isStopping) throw new PlainError('The start was interrupted.')
    return startNodeProcess({
      ...child,
      cwd: root,
      logFile: join(dataDir, 'logs', `${name.toLowerCase()}.log`),
      pidFile: pidFileOf(dataDir, name),
      show: (line) => terminal.print(`  ${line}`),
      verbose,
    })
  }
  return keepRunning(start, { name, warn: terminal.warn })
}

async function restartOnChange(
  { root, shutdown, terminal }: Launch,
  name: string,
  folders: string[],
  restart: () => Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const changed = () => {
    terminal.print(`  ${name}: sources changed, starting again`)
    void restart()
  }
  const watchers = folders.map(
    (folder): FSWatcher =>
      watch(join(root, folder), { recursive: true }, () => {
        clearTimeout(timer)
        timer = setTimeout(changed, SAVE_INTERVAL)
      }),
  )
  await shutdown.add(() => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  })
}
