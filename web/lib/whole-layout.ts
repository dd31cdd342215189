/** Lays out what is `below-fold` too, so that a place on the page is where it will stay. */
export function layOutWhole(): void {
  document.documentElement.dataset.whole = ''
}

/** Whether the browser takes the visitor back to where they were on this page. */
export function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' || navigation?.type === 'back_forward'
}

/**
 * Lays the rest out once the browser has loaded the page and has nothing else to do, for whoever prints it, takes a
 * picture of it or scrolls far: one section with its pictures at a time, so that a touch never waits long.
 */
export function layOutWholeWhenIdle(): void {
  const sections = document.querySelectorAll<HTMLElement>('.below-fold').values()
  const layOutNext = () => {
    const { value: section } = sections.next()
    if (!section) return layOutWhole()
    section.style.contentVisibility = 'visible'
    for (const image of section.querySelectorAll('img')) image.loading = 'eager'
    whenIdle(layOutNext)
  }
  if (document.readyState === 'complete') whenIdle(layOutNext)
  else window.addEventListener('load', () => whenIdle(layOutNext), { once: true })
}

/** Safari has no `requestIdleCallback`. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run)
  else setTimeout(run, 200)
}
