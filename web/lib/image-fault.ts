/** Resolves when an image of the page fails to load. */
export function imageFault(): Promise<void> {
  return new Promise((resolve) => {
    if ([...document.images].some(isFaulty)) return resolve()
    // It does not bubble.
    window.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && resolve(), { capture: true })
  })
}

/** Tells whether an image has failed to load. */
export function isFaulty(image: HTMLImageElement): boolean {
  return image.complete && image.naturalWidth === 0
}
