import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { PART_MISSING } from './early-clicks.ts'
import { firstInteraction } from './first-interaction.ts'
import { loadOrRetry } from './load-or-retry.ts'
import { isRendered } from './rendered-page.ts'

const arrivedAt = import.meta.env.SSR ? '' : window.location.pathname

/**
 * A part of the app in a file of its own. Until the file is there the browser shows what the server has rendered, and if
 * it cannot be loaded at the second try either, that is how it stays: the HTML works by itself. A page that was reached
 * without the server is then asked of the server instead.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadOrRetry(load).catch(doWithout) }))
}

/**
 * As `lazyPart`, but in the browser not before the first interaction: what nobody has touched needs no script.
 * @param standIn selects what the server has rendered in its place. Where that is not there, because the browser has
 *   drawn the page after all, there would be nothing to touch, and the part is loaded at once.
 */
export function lazyOnInteraction<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  standIn = 'body',
): LazyExoticComponent<ComponentType<Props>> {
  return lazyPart(async () => {
    if (!import.meta.env.SSR && isRendered() && document.querySelector(standIn)) await firstInteraction
    return load()
  })
}

function doWithout(error: unknown): Promise<never> {
  if (import.meta.env.SSR || !isRendered()) throw error
  console.error(error)
  window.dispatchEvent(new Event(PART_MISSING))
  if (window.location.pathname !== arrivedAt) window.location.reload()
  return new Promise(() => {})
}
