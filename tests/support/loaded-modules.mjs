// Loaded into a process by --import: at its end it says which packages of OpenTelemetry it has loaded.
import { createRequire } from 'node:module'

const { cache } = createRequire(import.meta.url)
process.on('exit', () => {
  const packages = Object.keys(cache).flatMap((path) => path.match(/node_modules\/(@opentelemetry\/[^/]+)/)?.[1] ?? [])
  console.log(`loaded: ${[...new Set(packages)].toSorted().join(' ')}`)
})
