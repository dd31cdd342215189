import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { scrollToAnchor } from './in-page-links.ts'
import { SECOND } from './time.ts'

/** The time during which an anchor follows late parts of the page. */
const MAX_LOAD_TIME = 15 * SECOND
/** The events that tell that the visitor moves on. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * A new page starts at its top, or at the anchor in its address, and the keyboard starts there too. Going back leaves
 * the position to the browser.
 */
export function useScrollOnNavigation(): void {
  const { pathname, hash, key } = useLocation()
  const navigation = useNavigationType()
  const isFirst = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path or anchor is a reason, not a new query
  useEffect(() => {
    const isArrival = isFirst.current
    isFirst.current = false
    if (hash) return whenPresent(hash.slice(1), scrollAndHold)
    if (isArrival || navigation === NavigationType.Pop) return

    window.scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector('main')?.focus({ preventScroll: true })
  }, [pathname, hash, hash && key])
}

/**
 * Scrolls to the element with that id, and again whenever the page's layout changes, because fonts and parts of the page
 * load later: until the visitor does something. Returns an end.
 */
function scrollAndHold(id: string): () => void {
  scrollToAnchor(id)
  const layout = new ResizeObserver(() => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' }))
  layout.observe(document.body)
  // It may grow where the body does not: the form's card beside a text that is as high.
  const target = document.getElementById(id)
  if (target) layout.observe(target)
  const timer = setTimeout(end, MAX_LOAD_TIME)
  for (const move of MOVES) window.addEventListener(move, end, { passive: true })

  function end() {
    layout.disconnect()
    clearTimeout(timer)
    for (const move of MOVES) window.removeEventListener(move, end)
  }
  return end
}

/** Calls back once there is an element with that id, which may be in a part that is still being loaded. Returns an end. */
function whenPresent(id: string, then: (id: string) => () => void): () => void {
  let end = () => watcher.disconnect()
  const look = () => {
    if (!document.getElementById(id)) return
    watcher.disconnect()
    end = then(id)
  }
  const watcher = new MutationObserver(look)
  watcher.observe(document.body, { childList: true, subtree: true })
  look()
  return () => end()
}
