// Must run before any schema is created.
import './lib/zod-without-eval.ts'
import { StrictMode, startTransition } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { isChanged, tolerateForeignChanges } from './lib/foreign-dom.ts'
import { isRendered, readPageData } from './lib/page-data.ts'
import { tellSilentInput } from './lib/silent-input.ts'
import { SECOND } from './lib/time.ts'
import { AppRoutes, loadPage } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

/** The longest wait for the parts of a page that was changed. */
const MAX_WAIT = 3 * SECOND

/** Returns whether a page's parts have all come in time. */
async function partsCome(): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, MAX_WAIT, false))
  return Promise.race([loadPage(window.location.pathname).then(() => true), late])
}

tolerateForeignChanges()
tellSilentInput()

/** Resolves once the page is hydrated; parts with a script of their own may be hydrated later. */
export const alive = new Promise<void>((resolve) => {
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
  const redraw = import('./lib/redraw.ts').catch(() => undefined)
  const hydrate = async () => {
    const carryInputOver = (await redraw)?.keepInputOf(root)
    const onRecoverableError = (error: unknown) => {
      if (isChanged()) console.info(error)
      else reportError(error)
      carryInputOver?.()
    }
    // A transition yields to input between small pieces of work.
    startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
  }
  if (!isChanged()) return void hydrate()
  // React can't take over its elements and has to draw it again: in one go, and while nobody types or presses. Until then the
  // forms work as they do without a script.
  partsCome().then(async (areThere) => {
    const code = await redraw
    if (!areThere || !code) return hydrate()
    await code.pauseInInput()
    code.drawAgain(root, () => flushSync(() => createRoot(root).render(app)))
  })
})
