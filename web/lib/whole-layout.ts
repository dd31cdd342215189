/** Lays out what is `below-fold` too, so that a place on the page is where it will stay. */
export function layOutWhole(): void {
  document.documentElement.dataset.whole = ''
}

/** Whether the browser takes the visitor back to where they were on this page. */
export function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' || navigation?.type === 'back_forward'
}
