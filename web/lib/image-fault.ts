/** Resolves once an image of the page cannot be shown. */
export function imageFault(): Promise<void> {
  return new Promise((resolve) => {
    if ([...document.images].some(isFaulty)) return resolve()
    // It does not bubble.
    window.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && resolve(), { capture: true })
  })
}

/** Whether it is known that the image cannot be shown. */
export function isFaulty(image: HTMLImageElement): boolean {
  return image.complete && image.naturalWidth === 0
}
