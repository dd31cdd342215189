import { type RefObject, useEffect, useRef } from 'react'

/** How much of the element has to be in the window. */
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
      ([entry]) => {
        if (!entry?.isIntersecting) {
          element.dataset.motion = 'waiting'
          return
        }
        // The first report comes at once: what is in the window then stays as it is.
        const isStill = element.dataset.motion === undefined
        if (!isStill && entry.intersectionRatio < SHARE) return
        observer.disconnect()
        if (!isStill) element.dataset.motion = 'moving'
      },
      { threshold: [0, SHARE] },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return ref
}
