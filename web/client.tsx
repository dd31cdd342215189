// Must run before any schema is created.
import './lib/zod-without-eval.ts'
import { StrictMode, startTransition } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { isChanged, tolerateForeignChanges } from './lib/foreign-dom.ts'
import { isRendered, readPageData } from './lib/rendered-page.ts'
import { AppRoutes, loadPage } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

tolerateForeignChanges()
window.addEventListener('submit', reportSilentInput, { capture: true })

/**
 * Reports to React before a form is sent what a password manager or the browser has filled in without an event. React ignores
 * the event for fields whose value it knows.
 */
function reportSilentInput({ target }: SubmitEvent): void {
  if (!(target instanceof HTMLFormElement)) return
  for (const field of target.querySelectorAll(
    'input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=range]), textarea',
  ))
    field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Resolves once the page is hydrated; parts with a script of their own may be hydrated later. Rejects where the page stays as the
 * server has rendered it.
 */
export const alive = new Promise<void>((resolve, reject) => {
  const app = (
    <StrictMode>
      <App data={readPageData()} onAlive={resolve}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </App>
    </StrictMode>
  )
  if (!isRendered()) return createRoot(root).render(app)
  // Most pages are never drawn again, and the first load does without the code for it.
  const redraw = import('./lib/redraw.ts')
  const hydrate = async () => {
    const code = await redraw.catch(() => undefined)
    const carryInputOver = code?.keepInputOf(root)
    const onRecoverableError = (error: unknown) => {
      if (isChanged()) console.info(error)
      else reportError(error)
      carryInputOver?.()
    }
    // A transition yields to input between small pieces of work.
    startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
  }
  if (!isChanged()) return void hydrate()
  // React can't take over its elements and has to draw it again: in one go, with all its parts, and while nobody types or
  // presses. Until then, and if a part is lost, the forms work as they do without a script.
  const drawAgain = async () => {
    const [code] = await Promise.all([redraw, loadPage(window.location.pathname)])
    await code.pauseInInput()
    code.drawAgain(root, () => flushSync(() => createRoot(root).render(app)))
  }
  drawAgain().catch(reject)
})
