import { type RefObject, useEffect, useState } from 'react'

/** Whether an element has come near enough to the window that what belongs there should be loaded. Stays true. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)

  useEffect(() => {
    if (!element.current || isNear) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '50%',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])

  return isNear
}
