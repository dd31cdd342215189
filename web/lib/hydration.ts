import { SECOND } from '../../core/contract/time.ts'

/** Which element took the place of one from the server's HTML. */
export const successors = new WeakMap<Element, Element>()

let rebuiltAt: string | undefined

/** Tells whether the page that the browser is at came with the server's HTML and was drawn again by React. */
export function isRebuilt(): boolean {
  return rebuiltAt === window.location.pathname
}

export function noteRebuilt(): void {
  rebuiltAt = window.location.pathname
}

/** The longest wait for the code of a form or part, after which the browser submits a form natively. */
const MAX_WAIT = 5 * SECOND
const LOOK_INTERVAL = 0.05 * SECOND

/** Dispatched on `window` when a part of the page could not be loaded. */
export const PART_MISSING = 'partmissing'

/**
 * Holds clicks on buttons until hydration, then replays them. If the code of a form fails to load, or takes longer than
 * `MAX_WAIT`, the browser submits the form natively.
 * @param alive resolves once the page is hydrated; a form or part with `data-plain` may be hydrated later
 */
export function holdEarlyClicks(alive: Promise<void>): void {
  const held = new WeakSet<HTMLButtonElement>()
  let isAlive = false
  let isPartMissing = false
  alive.then(() => {
    isAlive = true
  })
  window.addEventListener(PART_MISSING, () => {
    isPartMissing = true
  })
  const isPlain = (part: HTMLElement) => part.dataset.plain !== undefined

  /** Resolves when a form or part has its code, or another one in its place, or must do without. */
  async function codeOf(part: HTMLElement, button: HTMLButtonElement): Promise<void> {
    const end = Date.now() + MAX_WAIT
    while (isPlain(part) && !successors.has(button) && !isPartMissing && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL))
  }

  window.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null
      if (!button) return
      const form = button.type === 'submit' ? button.form : null
      const part = form ?? button.closest<HTMLElement>('[data-plain]')
      if (part ? isPartMissing || !isPlain(part) : isAlive) return

      event.preventDefault()
      if (held.has(button)) return
      held.add(button)
      const ready = part ? codeOf(part, button) : alive
      ready.then(() => {
        const present = (successors.get(button) as HTMLButtonElement | undefined) ?? button
        if (form?.isConnected && isPlain(form)) form.requestSubmit(button)
        else if (present.isConnected) present.click()
        held.delete(button)
      })
    },
    { capture: true },
  )
}

// Not navigator.userActivation: programs that steer a browser set that with every script they run. The click is for
// people whose screen reader presses a button without a pointer.
const EVENTS = ['pointerdown', 'touchstart', 'keydown', 'click']

let isTouched = false

/** Tells whether this page has seen a touch, a mouse or a key since `watchTouches`. */
export function hasBeenTouched(): boolean {
  return isTouched
}

/** Starts to watch for touches, mouse and keys. Call it once for each page load. */
export function watchTouches(): void {
  const note = ({ isTrusted }: Event) => {
    isTouched ||= isTrusted
  }
  for (const event of EVENTS) window.addEventListener(event, note, { capture: true, passive: true })
}
