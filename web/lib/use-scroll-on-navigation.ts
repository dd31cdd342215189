import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

/**
 * A new page starts at its top, or at the anchor in its address, and the keyboard starts there too. Going back leaves
 * the position to the browser.
 */
export function useScrollOnNavigation(): void {
  const { pathname, hash } = useLocation()
  const navigation = useNavigationType()
  const isFirst = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is what this waits for
  useEffect(() => {
    const isArrival = isFirst.current
    isFirst.current = false
    if (hash) return scrollToAnchor(hash.slice(1))
    if (isArrival || navigation === NavigationType.Pop) return

    window.scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector('main')?.focus({ preventScroll: true })
  }, [pathname, hash, navigation])
}

/** Scrolls to the element with that id and moves the keyboard there. Does nothing if there is none. */
export function scrollToAnchor(id: string): void {
  const target = document.getElementById(id)
  target?.scrollIntoView()
  target?.focus({ preventScroll: true })
}
