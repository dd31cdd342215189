import './app.css'
import { tickRendered } from './lib/countdown.ts'
import { holdEarlyClicks, PART_MISSING } from './lib/early-clicks.ts'
import { followInPageLinks } from './lib/in-page-links.ts'
import { loadOrRetry } from './lib/load-or-retry.ts'
import { endOfRest, readPageData } from './lib/rendered-page.ts'
import { watchTouches } from './lib/touches.ts'
import { isReturn, layOutWhole, layOutWholeWhenIdle } from './lib/whole-layout.ts'
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
  const stopTicking = tickRendered(readPageData().offerDeadline)
  await endOfRest()
  try {
    const { alive } = await loadOrRetry(() => import('./client.tsx'))
    await alive
    stopTicking()
  } catch (error) {
    console.error(error)
    window.dispatchEvent(new Event(PART_MISSING))
    await new Promise(() => {})
  }
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
