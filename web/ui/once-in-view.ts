import { type RefObject, useEffect, useRef } from 'react'

/** The lower part of the window, in which an element does not yet count as seen. */
const MARGIN = '0px 0px -30% 0px'

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
        if (entry?.isIntersecting) {
          observer.disconnect()
          if (element.dataset.motion) element.dataset.motion = 'moving'
          // The first report comes at once: what is in the window then stays as it is.
        } else if (entry && entry.boundingClientRect.top > window.innerHeight) {
          element.dataset.motion = 'waiting'
        }
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return ref
}
