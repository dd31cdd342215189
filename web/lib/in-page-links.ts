import { scrollToAnchor } from './scroll-to-anchor.ts'

/**
 * Lets links with `data-section` scroll to that section where the page has it, also while their part of the page is not
 * hydrated. It is not a navigation: one that comes before the page is hydrated makes React drop the server's HTML of what
 * still waits for its code.
 */
export function followInPageLinks(): void {
  window.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-section]') : null
      const section = link?.dataset.section
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey
      if (!section || opensElsewhere || !document.getElementById(section)) return

      event.preventDefault()
      scrollToAnchor(section)
    },
    { capture: true },
  )
}
