import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { PART_MISSING } from './hydration.ts'
import { isRendered, loadOrRetry } from './rendered-page.ts'

const arrivedAt = import.meta.env.SSR ? '' : window.location.pathname

/**
 * Loads a component from a file of its own, with one retry. Until it has loaded, the server's HTML stays on the page. If
 * the retry fails, a rendered page keeps that HTML, which works without a script; a page reached by client-side
 * navigation is reloaded from the server. A part that was loaded before (`load`, `loadParts`) is rendered at once.
 */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  { isPage = false } = {},
): LazyExoticComponent<ComponentType<Props>> & { load(): Promise<unknown> } {
  let loaded: ComponentType<Props> | undefined
  const load = async () => {
    loaded = await loadOrRetry(importPart)
    return loaded
  }
  if (!isPage) waiting.add(load)
  const Part = lazy(() => (loaded ? atOnce({ default: loaded }) : load().catch(doWithout).then(asModule)))
  return Object.assign(Part, { load })
}

/** Parts of pages that nothing has loaded ahead yet. */
const waiting = new Set<() => Promise<unknown>>()

/** Loads the parts of the pages that have been loaded, and theirs. @throws what the second try of one throws */
export async function loadParts(): Promise<void> {
  while (waiting.size > 0) {
    const loads = [...waiting]
    waiting.clear()
    await Promise.all(loads.map((load) => load()))
  }
}

function asModule<Part>(part: Part) {
  return { default: part }
}

/** Returns what React takes for a promise, but does not wait for. */
function atOnce<Value>(value: Value): Promise<Value> {
  // biome-ignore lint/suspicious/noThenProperty: React calls it, and nobody awaits it
  return { then: (take: (value: Value) => void) => take(value) } as Promise<Value>
}

function doWithout(error: unknown): Promise<never> {
  if (import.meta.env.SSR || !isRendered()) throw error
  console.error(error)
  window.dispatchEvent(new Event(PART_MISSING))
  if (window.location.pathname !== arrivedAt) window.location.reload()
  return new Promise(() => {})
}
