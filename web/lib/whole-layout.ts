/** Lays out the sections that are `below-fold` too, so that positions on the page are final. */
export function layOutWhole(): void {
  document.documentElement.dataset.whole = ''
}

/** Tells whether the browser restores the scroll position: after a reload, Back or Forward. */
export function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' || navigation?.type === 'back_forward'
}

/**
 * Lays out the sections below the fold when the loaded page is idle, for printing, screenshots and long scrolls. Each idle
 * callback lays out one section with its images, so that input is never blocked for long.
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
