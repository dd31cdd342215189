import { SECOND } from '../../core/contract/time.ts'
import { isChanged } from './foreign-dom.ts'
import { noteRebuilt, successors } from './hydration.ts'

/** The longest wait for a part of the rebuilt page. */
const MAX_WAIT = 10 * SECOND

/** How long nobody has typed or pressed anything in a pause. */
const PAUSE = 1 * SECOND

const WATCHED = 'form, input, textarea, select, button'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Resolves when nobody is about to type or press something, which would go to an element that is being replaced: after a
 * pause, or at once when a button was pressed, because `holdEarlyClicks` keeps that click.
 */
export function pauseInInput(): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController()
    const options = { capture: true, passive: true, signal: listening.signal }
    let timer = 0
    // A button that is held down: its click is still to come.
    const isPressed = () => document.querySelector(':active') !== null
    const wait = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => (isPressed() ? wait() : end()), PAUSE)
    }
    const end = () => {
      clearTimeout(timer)
      listening.abort()
      resolve()
    }
    for (const event of ['keydown', 'input', 'focusin', 'pointerdown']) window.addEventListener(event, wait, options)
    window.addEventListener(
      'click',
      ({ target }) => {
        // Once the browser has done all that a click does.
        if (target instanceof Element && target.closest('button')) setTimeout(end)
      },
      options,
    )
    wait()
  })
}

/** Draws a changed page again; keeps input, focus and scroll. `draw` replaces what is in `root` before it returns. */
export function drawAgain(root: HTMLElement, draw: () => void): void {
  const carryInputOver = keepInputOf(root)
  noteRebuilt()
  draw()
  carryInputOver()
}

/**
 * Keeps input, focus and scroll position where React can't hydrate the server's HTML, because a translation or an extension
 * has changed it, and draws the page again. Must be called before `hydrateRoot`.
 * @returns a function to call after each recoverable error
 */
export function keepInputOf(root: HTMLElement): () => void {
  const { pathname } = window.location
  let waiting = watched(root)
  let focused: Element | null = document.activeElement
  let watcher: MutationObserver | undefined
  // For good: another part of the page may be drawn again later.
  for (const event of ['focusin', 'focusout'] as const) document.addEventListener(event, rememberFocus)
  if (isChanged()) keepHeight()

  /** Parts of the rebuilt page may come later than its shell. Without its height the page would lose its scroll position. */
  function keepHeight() {
    root.style.minHeight = `${root.offsetHeight}px`
    setTimeout(end, MAX_WAIT)
  }

  /** A field that somebody leaves gets no focus back; one that is removed with the focus does. */
  function rememberFocus({ type, target }: FocusEvent) {
    if (!(target instanceof Element)) return
    if (type === 'focusin') focused = target
    else
      queueMicrotask(() => {
        if (focused === target && target.isConnected && document.hasFocus()) focused = null
      })
  }

  function carryOver() {
    if (window.location.pathname !== pathname) return end()
    const now = watched(root)
    const gone = [...waiting].filter(([, element]) => !element.isConnected)
    const found = gone.filter(([key]) => now.has(key))
    for (const [key, old] of found) {
      const element = now.get(key)
      if (element) replace(old, element)
    }
    waiting = new Map([...gone.filter(([key]) => !now.has(key)), ...now])
    if (gone.length > 0 && gone.length === found.length) end()
  }

  function replace(old: Element, element: Element) {
    successors.set(old, element)
    if (isControl(old) && isControl(element)) copyInput(old, element)
    if (old === focused && document.activeElement === document.body) focusLike(old, element)
  }

  function end() {
    watcher?.disconnect()
    watcher = undefined
    root.style.minHeight = ''
  }

  return () => {
    if (watcher || window.location.pathname !== pathname) return
    noteRebuilt()
    watcher = new MutationObserver(carryOver)
    watcher.observe(root, { childList: true, subtree: true })
    setTimeout(end, MAX_WAIT)
    carryOver()
  }
}

/** Returns the elements that visitors fill in or press, each with a key that it has again after the page is rebuilt. */
function watched(root: HTMLElement): Map<string, Element> {
  const elements = new Map<string, Element>()
  for (const element of root.querySelectorAll(WATCHED)) {
    const name = nameOf(element)
    let key = name
    for (let n = 2; elements.has(key); n += 1) key = `${name} ${n}`
    elements.set(key, element)
  }
  return elements
}

/** Ids and texts differ after the page is rebuilt: React counts ids anew, and texts may be translated. */
function nameOf(element: Element): string {
  const form = element instanceof HTMLFormElement ? element : element.closest('form')
  const parts = [
    form?.getAttribute('action'),
    element.tagName,
    element.getAttribute('type'),
    element.getAttribute('name'),
  ]
  // Other buttons may have come with the script.
  if (element instanceof HTMLButtonElement && !form) parts.push(element.className)
  const isChoice = element instanceof HTMLInputElement && ['radio', 'checkbox'].includes(element.type)
  return [...parts, isChoice && element.value].join(' ')
}

function isControl(element: Element): element is Control {
  return ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName)
}

/** Copies what a visitor or the browser has filled in, with the event that tells React of it. */
function copyInput(old: Control, element: Control): void {
  if (old instanceof HTMLInputElement && ['radio', 'checkbox'].includes(old.type)) {
    if (old.checked !== old.defaultChecked && old.checked !== (element as HTMLInputElement).checked) element.click()
    return
  }
  const isFilledIn =
    old instanceof HTMLSelectElement
      ? [...old.options].some((option) => option.selected !== option.defaultSelected)
      : old.value !== old.defaultValue
  if (!isFilledIn || element.value === old.value) return
  // Past React's own property, which would make it ignore the events. It listens to one of them, by the kind of the field.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, old.value)
  for (const event of ['input', 'change']) element.dispatchEvent(new Event(event, { bubbles: true }))
}

function focusLike(old: Element, element: Element): void {
  if (!(element instanceof HTMLElement)) return
  element.focus({ preventScroll: true })
  if (!(old instanceof HTMLInputElement && element instanceof HTMLInputElement)) return
  // Null for fields that have no selection, such as those for an email address.
  if (old.selectionStart !== null) element.setSelectionRange(old.selectionStart, old.selectionEnd)
}
