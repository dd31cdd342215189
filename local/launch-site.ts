import { join } from 'node:path'
import { keepRunning } from './keep-running.ts'
import type { Launch } from './launch-parts.ts'
import { startNodeProcess } from './node-process.ts'
import { PlainError } from './plain-error.ts'
import { freePort } from './ports.ts'
import { watchSources } from './watch-sources.ts'

type Settings = Record<string, string | undefined>

/** The API and the worker, each a process of its own; in development Vite's server stands before the API. */
export async function startSite(launch: Launch, settings: Settings): Promise<void> {
  const { dev, port, root, shutdown, running } = launch
  const host = settings.HOST as string
  const apiPort = dev ? await freePort() : port
  const api = { name: 'API', script: 'api/main.ts', env: { ...settings, PORT: String(apiPort) } }
  // One process, one port for its measurements.
  const metricsPort = settings.METRICS_PORT && String(Number(settings.METRICS_PORT) + 1)
  const worker = { name: 'Worker', script: 'worker/main.ts', env: { ...settings, METRICS_PORT: metricsPort } }

  // Together, so that a slow worker does not keep the API from stopping; and before what they need.
  const stops: (() => Promise<void>)[] = []
  await shutdown.add(
    async () => {
      await Promise.all(stops.map((stop) => stop()))
      // One that was just being started is not in the list yet.
      await running.end()
    },
    () => running.kill(),
  )
  for (const child of [api, worker]) {
    const kept = await startChild(launch, child)
    stops.push(kept.stop)
    if (!dev) continue
    const folder = child.script.slice(0, child.script.indexOf('/'))
    await shutdown.add(watchSources(root, ['core', folder], () => restart(launch, child.name, kept)))
  }
  if (!dev) return

  const vite = {
    name: 'Vite',
    script: 'local/vite-dev.ts',
    args: [String(port), host, `http://${host}:${apiPort}`],
    env: settings,
  }
  const kept = await startChild(launch, vite)
  stops.push(kept.stop)
}

interface Child {
  name: string
  script: string
  args?: string[]
  env: Settings
}

function startChild({ root, dataDir, terminal, step, shutdown, running, verbose }: Launch, child: Child) {
  const { name } = child
  const start = async () => {
    if (shutdown.isStopping) throw new PlainError('The start was interrupted.')
    return startNodeProcess({
      ...child,
      cwd: root,
      logFile: join(dataDir, 'logs', `${name.toLowerCase()}.log`),
      show: (line) => terminal.print(`  ${line}`),
      onSpawn: (pid) => running.add(name, pid),
      verbose,
    })
  }
  return step(`Starting ${name}`, async (say) => {
    const kept = await keepRunning(start, { name, warn: terminal.warn })
    say(`${name} running`)
    return kept
  })
}

async function restart({ terminal }: Launch, name: string, kept: { restart(): Promise<void> }): Promise<void> {
  terminal.print(`  ${name}: sources changed, starting again`)
  await kept.restart()
}
