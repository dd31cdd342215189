import { type RefObject, useEffect, useRef, useState } from 'react'

/** How much of a moving element has to be in the window. */
const SHARE = 0.2

/**
 * Returns a ref of an element whose marked parts move once, when the visitor first scrolls to it (the utilities `grow-x`,
 * `draw-once` and `fade-once` in `app.css`). Nothing moves in an element that is already in view, without a script, or if
 * the visitor prefers reduced motion.
 */
export function useOnceInView<Target extends Element>(): RefObject<Target | null> {
  const ref = useRef<Target>(null)

  useEffect(() => {
    const element = ref.current
    if (!(element instanceof HTMLElement) || matchMedia('(prefers-reduced-motion: reduce)').matches) return

    const observer = new IntersectionObserver(
      // A busy browser reports several crossings at once, and none again for what stays in view.
      (entries) => {
        for (const { isIntersecting, intersectionRatio } of entries) {
          const isFirst = element.dataset.motion === undefined
          if (!isIntersecting) element.dataset.motion = 'waiting'
          // The first report comes at once: what is in the window then stays as it is.
          else if (isFirst) return observer.disconnect()
          else if (intersectionRatio >= SHARE) {
            element.dataset.motion = 'moving'
            return observer.disconnect()
          }
        }
      },
      { threshold: [0, SHARE] },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return ref
}

/** Returns whether an element has been in the window, or as near to it as a CSS margin says. Stays true from then on. */
export function useSeen(element: RefObject<Element | null>, margin = '0px'): boolean {
  const [isSeen, setSeen] = useState(false)

  useEffect(() => {
    if (isSeen || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: margin },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isSeen, element, margin])

  return isSeen
}
