/**
 * Tells React before a form is sent what a password manager or the browser has filled in without an event. React ignores
 * the event for fields whose value it knows.
 */
export function tellSilentInput(): void {
  window.addEventListener(
    'submit',
    ({ target }) => {
      if (!(target instanceof HTMLFormElement)) return
      for (const field of target.elements) {
        if (isText(field)) field.dispatchEvent(new Event('input', { bubbles: true }))
      }
    },
    { capture: true },
  )
}

const NOT_TEXT = ['hidden', 'checkbox', 'radio', 'button', 'submit', 'file', 'range', 'color']

function isText(field: Element): boolean {
  if (field instanceof HTMLInputElement) return !NOT_TEXT.includes(field.type)
  return field instanceof HTMLTextAreaElement
}
