import type { Browser, Page } from 'playwright-core'

const WINDOW = { width: 1440, height: 900 }
const TIMEOUT = 60_000
const STEPS = ['cold', 'next', 'filter', 'open'] as const

/** Milliseconds until the effect of each step was painted, and what the page costs. */
export type Visit = Record<(typeof STEPS)[number], number> & {
  /** DOM nodes of the list, and of the list with a lead beside it. */
  nodes: number
  openNodes: number
  /** Requests of the cold load, and the bytes of their answers as they came over the wire. */
  requests: number
  bytes: number
}

/** Conditions that hold once a step can be seen, as JavaScript. They hold in older builds as well. */
const FIRST_ROW = `document.querySelector('tbody [title="What happened"]')?.closest('tr').dataset.lead`
const IS_SETTLED = `!document.querySelector('table[aria-busy=true]')`
const OTHER_ROWS = `${IS_SETTLED} && (${FIRST_ROW} ?? before) !== before`
const IS_OPEN = `document.querySelector('aside ol > li')`
const buttonOf = (name: string) =>
  `[...document.querySelectorAll('main button')].find((button) => button.textContent.startsWith('${name}'))`

/** Opens the list of leads in a browser that has never been here, shows the next page, filters, and opens a lead. */
export async function visitDashboard(browser: Browser, site: string, password: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: WINDOW, baseURL: site })
  const signIn = await context.request.post('/api/session', { data: { password } })
  if (!signIn.ok()) throw new Error(`${site} does not let us in: ${signIn.status()}`)

  const page = await context.newPage()
  const traffic = await countTraffic(page)
  const cold = await load(page, '/admin?tab=leads', FIRST_ROW)
  const { requests, bytes } = traffic()
  const nodes = await countNodes(page)
  const next = await press(page, buttonOf('Next'), OTHER_ROWS)
  const filter = await press(page, buttonOf('Unmatched'), OTHER_ROWS)
  const open = await press(page, `document.querySelector('tbody [title="What happened"]')`, IS_OPEN)
  const openNodes = await countNodes(page)
  await context.close()
  return { cold, next, filter, open, nodes, openNodes, requests, bytes }
}

/** The baseline: a page of the same server that is complete in its HTML. */
export async function visitStaticPage(browser: Browser, site: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: WINDOW, baseURL: site })
  const page = await context.newPage()
  const traffic = await countTraffic(page)
  const cold = await load(page, '/privacy', `document.querySelector('h1')`)
  await page.waitForLoadState('load')
  const nodes = await countNodes(page)
  const { requests, bytes } = traffic()
  await context.close()
  return { cold, next: cold, filter: cold, open: cold, nodes, openNodes: nodes, requests, bytes }
}

/** Returns the milliseconds from the start of the navigation until the condition was painted. */
async function load(page: Page, path: string, condition: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit', timeout: TIMEOUT })
  return page.evaluate<number>(`(${painted(condition)}).then(() => performance.now())`)
}

/** Presses an element, and returns the milliseconds until the condition was painted. */
async function press(page: Page, element: string, condition: string): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const before = ${FIRST_ROW};
    const started = performance.now();
    ${element}.click();
    await ${painted(condition)};
    return performance.now() - started
  })()`)
}

/** Resolves in the frame after the one in which the condition is painted. Rejects when it takes too long. */
const painted = (condition: string) => `new Promise((resolve, reject) => {
  const deadline = performance.now() + ${TIMEOUT}
  const look = () => {
    if (${condition}) requestAnimationFrame(() => requestAnimationFrame(resolve))
    else if (performance.now() > deadline) reject(new Error(${JSON.stringify(`In vain: ${condition}`)}))
    else requestAnimationFrame(look)
  }
  look()
})`

const countNodes = (page: Page) => page.evaluate(() => document.getElementsByTagName('*').length)

async function countTraffic(page: Page): Promise<() => { requests: number; bytes: number }> {
  const devtools = await page.context().newCDPSession(page)
  let [requests, bytes] = [0, 0]
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests += 1
    bytes += encodedDataLength
  })
  await devtools.send('Network.enable')
  return () => ({ requests, bytes })
}
