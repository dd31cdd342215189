import { layOutWhole } from './whole-layout.ts'

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

/** Scrolls to the element with that id and moves the keyboard there. Does nothing if there is none. */
export function scrollToAnchor(id: string): void {
  const target = document.getElementById(id)
  if (!target) return

  layOutWhole()
  target.scrollIntoView()
  // Else a section could not take the focus.
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
