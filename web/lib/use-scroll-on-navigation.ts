import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { scrollToAnchor } from './scroll-to-anchor.ts'

/**
 * A new page starts at its top, or at the anchor in its address, and the keyboard starts there too. Going back leaves
 * the position to the browser.
 */
export function useScrollOnNavigation(): void {
  const { pathname, hash } = useLocation()
  const navigation = useNavigationType()
  const isFirst = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path or anchor is a reason, not a new query
  useEffect(() => {
    const isArrival = isFirst.current
    isFirst.current = false
    if (hash) {
      const anchor = hash.slice(1)
      // Fonts that load late may move it. A visitor who has moved on by then stays where they are.
      if (isArrival) document.fonts.ready.then(() => document.activeElement?.id === anchor && scrollToAnchor(anchor))
      return whenPresent(anchor, scrollToAnchor)
    }
    if (isArrival || navigation === NavigationType.Pop) return

    window.scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector('main')?.focus({ preventScroll: true })
  }, [pathname, hash])
}

/** Calls back once there is an element with that id, which may be in a part that is still being loaded. Returns an end. */
function whenPresent(id: string, then: (id: string) => void): () => void {
  const look = () => {
    if (!document.getElementById(id)) return
    watcher.disconnect()
    then(id)
  }
  const watcher = new MutationObserver(look)
  watcher.observe(document.body, { childList: true, subtree: true })
  look()
  return () => watcher.disconnect()
}
