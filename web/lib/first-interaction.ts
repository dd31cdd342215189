const SIGNS = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin', 'wheel', 'scroll'] as const

/** Resolves at the first pointer, key, focus or scroll event on the page. */
export const firstInteraction = new Promise<void>((resolve) => {
  if (import.meta.env.SSR) return
  const seen = () => {
    resolve()
    for (const sign of SIGNS) window.removeEventListener(sign, seen, true)
  }
  for (const sign of SIGNS) window.addEventListener(sign, seen, { capture: true, passive: true })
})
