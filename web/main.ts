import './app.css'
import { holdEarlyClicks, PART_MISSING, watchTouches } from './lib/hydration.ts'
import { followInPageLinks, isReturn, layOutWhole, layOutWholeWhenIdle } from './lib/in-page-links.ts'
import { endOfRest, loadOrRetry, readPageData } from './lib/rendered-page.ts'
import { recordVisit } from './site/attribution.ts'

recordVisit()
tidyAddress()
watchTouches()
followInPageLinks()
holdEarlyClicks(bringToLife())
if (isReturn()) layOutWhole()
else layOutWholeWhenIdle()

/**
 * Loads React and hydrates the page when its rest ends. Never resolves if the script cannot be loaded; the page then
 * works as it does without JavaScript.
 */
async function bringToLife(): Promise<void> {
  const ticking = tickRendered()
  await endOfRest()
  try {
    const { alive } = await loadOrRetry(() => import('./client.tsx'))
    await alive
    void ticking.then((stop) => stop())
  } catch (error) {
    console.error(error)
    window.dispatchEvent(new Event(PART_MISSING))
    await new Promise(() => {})
  }
}

/**
 * Lets a countdown in the server's HTML tick until React has the page, which may be at the first touch only.
 * @returns what stops it
 */
async function tickRendered(): Promise<() => void> {
  const values = document.querySelectorAll('[data-countdown]')
  if (values.length === 0) return () => {}
  const { countDown, countdownParts, endOfCountdown } = await import('./lib/countdown.ts')
  return countDown(endOfCountdown(readPageData().offerDeadline), (seconds) => {
    countdownParts(seconds).forEach(({ value }, index) => {
      const element = values[index]
      if (element && element.textContent !== value) element.textContent = value
    })
  })
}

/** Removes the parameters that an earlier form submission left in the address. */
function tidyAddress(): void {
  const { form } = readPageData()
  // A returned form was posted to the API; the address must be that of its page.
  const url = new URL(form?.url ?? window.location.href, window.location.href)
  url.searchParams.delete('success')
  url.searchParams.delete('error')
  if (url.href !== window.location.href) window.history.replaceState(null, '', url)
}
