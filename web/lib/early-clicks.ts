import { SECOND } from './time.ts'

/** How long a form's own code may take to arrive before the browser sends the form by itself. */
const MAX_WAIT = 5 * SECOND

/** Dispatched on `window` when a part of the page could not be loaded. */
export const PART_MISSING = 'partmissing'

/**
 * Until React has the page, its buttons do nothing, and the browser would check and send a form in its own way. Who
 * presses one in that moment gets our way, a moment later; and the browser's, if the code of a form does not come, at
 * once if a part of the page is known to be missing.
 * @param alive resolves once React has the page; the code of a form may come later still
 */
export function holdEarlyClicks(alive: Promise<void>): void {
  const held = new WeakSet<HTMLButtonElement>()
  let isAlive = false
  alive.then(() => {
    isAlive = true
  })

  let isPartMissing = false
  window.addEventListener(PART_MISSING, () => {
    isPartMissing = true
  })

  window.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null
      if (!button) return
      const form = button.type === 'submit' ? button.form : null
      if (form ? isPartMissing || !isPlain(form) : isAlive) return

      event.preventDefault()
      if (held.has(button)) return
      held.add(button)
      const ready = form ? codeOf(form) : alive
      ready.then(() => {
        if (form && isPlain(form)) form.requestSubmit(button)
        else button.click()
        held.delete(button)
      })
    },
    { capture: true },
  )
}

function isPlain(form: HTMLFormElement): boolean {
  return form.dataset.plain !== undefined
}

/** Resolves when the form's code is there, or when it is not to be expected any more. */
function codeOf(form: HTMLFormElement): Promise<void> {
  return new Promise((resolve) => {
    const watcher = new MutationObserver(end)
    watcher.observe(form, { attributeFilter: ['data-plain'] })
    const timer = setTimeout(end, MAX_WAIT)
    window.addEventListener(PART_MISSING, end)

    function end() {
      watcher.disconnect()
      clearTimeout(timer)
      window.removeEventListener(PART_MISSING, end)
      resolve()
    }
  })
}
