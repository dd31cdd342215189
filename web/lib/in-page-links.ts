import { scrollToAnchor } from './scroll-to-anchor.ts'

/**
 * Makes links with `data-section` scroll to that section if the page has it, even before hydration. The click must not
 * become a navigation, because React would then drop the server's HTML of parts that are not hydrated yet.
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
