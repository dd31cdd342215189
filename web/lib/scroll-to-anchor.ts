import { layOutWhole } from './whole-layout.ts'

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
