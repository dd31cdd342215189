import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { SECOND } from '../../core/contract/time.ts'
import { hasFollowedLink, scrollToAnchor } from './in-page-links.ts'

/** The time during which an anchor follows late parts of the page. */
const MAX_LOAD_TIME = 15 * SECOND
/** The events that tell that the visitor moves on. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** A new page starts at its top or its anchor, the keyboard as well. Going back leaves the position to the browser. */
export function useScrollOnNavigation(): void {
  const { pathname, hash, key } = useLocation()
  const navigation = useNavigationType()
  const isFirst = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path or anchor is a reason, not a new query
  useEffect(() => {
    const isArrival = isFirst.current
    isFirst.current = false
    // The page may come alive only after the visitor has gone on to another section.
    if (isArrival && hasFollowedLink()) return
    if (hash) return scrollAndHold(hash.slice(1))
    if (isArrival || navigation === NavigationType.Pop) return

    window.scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector('main')?.focus({ preventScroll: true })
  }, [pathname, hash, hash && key])
}

/** Scrolls to the element, and again as late parts move it, until the visitor does something. Returns an end. */
function scrollAndHold(id: string): () => void {
  let target: HTMLElement | null = null
  const layout = new ResizeObserver(() => {
    const found = document.getElementById(id)
    if (found === target) return found?.scrollIntoView({ behavior: 'instant' })
    target = found
    scrollToAnchor(id)
    // It may grow where the body does not: the form's card beside a text that is as high.
    if (found) layout.observe(found)
  })
  layout.observe(document.body)
  const timer = setTimeout(end, MAX_LOAD_TIME)
  for (const move of MOVES) window.addEventListener(move, end, { passive: true })

  function end() {
    layout.disconnect()
    clearTimeout(timer)
    for (const move of MOVES) window.removeEventListener(move, end)
  }
  return end
}
