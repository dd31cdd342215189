import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { PART_MISSING } from './early-clicks.ts'
import { loadOrRetry } from './load-or-retry.ts'
import { isRendered } from './rendered-page.ts'

const arrivedAt = import.meta.env.SSR ? '' : window.location.pathname

/**
 * Loads a component from a file of its own, with one retry. Until it has loaded, the server's HTML stays on the page. If
 * the retry fails, a rendered page keeps that HTML, which works without a script; a page reached by client-side
 * navigation is reloaded from the server.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadOrRetry(load).catch(doWithout) }))
}

function doWithout(error: unknown): Promise<never> {
  if (import.meta.env.SSR || !isRendered()) throw error
  console.error(error)
  window.dispatchEvent(new Event(PART_MISSING))
  if (window.location.pathname !== arrivedAt) window.location.reload()
  return new Promise(() => {})
}
