/** Lays out the sections that are `below-fold` too, so that positions on the page are final. */
export function layOutWhole(): void {
  document.documentElement.dataset.whole = ''
}

/** Tells whether the browser restores the scroll position: after a reload, Back or Forward. */
export function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' || navigation?.type === 'back_forward'
}

/** Lays out one section per idle callback, so that input is not blocked: for printing, screenshots and scrolls. */
export function layOutWholeWhenIdle(): void {
  const sections = document.querySelectorAll<HTMLElement>('.below-fold').values()
  const layOutNext = () => {
    const { value: section } = sections.next()
    if (!section) return layOutWhole()
    section.style.contentVisibility = 'visible'
    for (const image of section.querySelectorAll('img')) image.loading = 'eager'
    whenIdle(layOutNext)
  }
  if (document.readyState === 'complete') whenIdle(layOutNext)
  else window.addEventListener('load', () => whenIdle(layOutNext), { once: true })
}

/** Safari has no `requestIdleCallback`. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run)
  else setTimeout(run, 200)
}

let followed = false
export const hasFollowedLink = () => followed

/**
 * Makes links with `data-section` scroll to that section if the page has it, even before hydration. The click must not
 * become a navigation, because React would then drop the server's HTML of parts that are not hydrated yet.
 */
export function followInPageLinks(): void {
  window.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-section]') : null
      const section = link?.dataset.section
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey
      if (!section || opensElsewhere || !document.getElementById(section)) return

      event.preventDefault()
      followed = true
      scrollToAnchor(section)
      enterForm(document.getElementById(section))
    },
    { capture: true },
  )
}

const DESKTOP = '(min-width: 64rem)'
const RING = { duration: 900, easing: 'ease-out' }

/**
 * Moves the keyboard into the form of a section that asks for it, with `data-first-field`, and rings the section once, as
 * it may have been in sight before. On a phone `desktop` does not: a keyboard on the screen would cover the form.
 */
function enterForm(section: HTMLElement | null): void {
  const when = section?.dataset.firstField
  if (!section || !when) return
  if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const frames = [
      { outline: '4px solid var(--color-accent)', outlineOffset: '0px' },
      { outline: '4px solid transparent', outlineOffset: '16px' },
    ]
    section.animate(frames, RING)
  }
  if (when === 'desktop' && !window.matchMedia(DESKTOP).matches) return
  // Not the trap for programs.
  const field = section.querySelector<HTMLElement>('input:not([type="hidden"], [tabindex="-1"])')
  field?.focus({ preventScroll: true })
}

/** Scrolls to the element with that id and moves the keyboard there. Does nothing if there is none. */
export function scrollToAnchor(id: string): void {
  const target = document.getElementById(id)
  if (!target) return

  layOutWhole()
  target.scrollIntoView()
  // Else a section could not take the focus.
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
