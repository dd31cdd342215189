/** Dispatched on `window` when elements of the server's HTML were replaced by new ones. */
export const REBUILT = 'rebuilt'

const successors = new WeakMap<Element, Element>()
let rebuiltAt: string | undefined

/** Returns the element that took the place of one from the server's HTML, or that one itself. */
export function successorOf<Element_ extends Element>(element: Element_): Element_ {
  return (successors.get(element) as Element_ | undefined) ?? element
}

/** Notes which element took the place of one from the server's HTML. */
export function setSuccessor(element: Element, successor: Element): void {
  successors.set(element, successor)
}

/** Tells whether the page that the browser is at came with the server's HTML and was drawn again by React. */
export function isRebuilt(): boolean {
  return rebuiltAt === window.location.pathname
}

/** Notes that the page that the browser is at was drawn again. */
export function noteRebuilt(): void {
  rebuiltAt = window.location.pathname
}
