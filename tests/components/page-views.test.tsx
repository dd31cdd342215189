import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countPageView, FORM_FAULTS, LEAD_PAGES, PageView, TWO_STEP_PAGES } from '../../core/contract/page-views.ts'
import { countInvalid } from '../../web/lib/form-faults.ts'
import {
  countStep,
  deviceOf,
  isCountable,
  LEAD_PAGE_PATHS,
  showForm,
  watchPageViews,
} from '../../web/lib/page-views.ts'
import { pages } from '../../web/pages.ts'
import { answer, refusal } from './api.ts'
import { knowZipCodes } from './form-actions.ts'
import { MAIN_SITE, openPage } from './page.tsx'

const VISIT = { source: 'google', campaign: 'spring' }
const COUNTING = { ...MAIN_SITE, countsViews: true } as const

let stop = () => {}
let told: Promise<PageView>[]

beforeEach(() => {
  told = []
  // The browser of the component tests says that it is steered by a program.
  vi.spyOn(navigator, 'webdriver', 'get').mockReturnValue(false)
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 Safari')
  navigator.sendBeacon = vi.fn((path: string, body: Blob) => {
    expect(path).toBe(countPageView.path)
    expect(body.type).toBe('application/json')
    told.push(body.text().then((text) => PageView.parse(JSON.parse(text))))
    return true
  }) as never
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

/** What the page has told, once it is left. */
async function leave(): Promise<PageView[]> {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  state.mockRestore()
  return Promise.all(told)
}

/** Counts as a page does that the server has rendered with a lead form. */
function watch(data: Parameters<typeof watchPageViews>[1] = COUNTING, path = '/'): void {
  window.history.replaceState(null, '', path)
  render(
    <main>
      <form>
        <input name="email" />
        <input name="search" />
      </form>
    </main>,
  )
  stop = watchPageViews(VISIT, data)
}

const input = (name: string) =>
  document.querySelector(`[name="${name}"]`)?.dispatchEvent(new Event('input', { bubbles: true }))

describe('the pages that count', () => {
  it('are all pages with a lead form, by the names and paths of their rows', () => {
    const rows = Object.entries(pages).filter(([, { form }]) => form === 'lead')
    expect(rows.map(([name]) => name)).toEqual(LEAD_PAGES)
    expect(Object.fromEntries(rows.map(([name, { path }]) => [path, name]))).toEqual(LEAD_PAGE_PATHS)
  })

  it('count for people alone who do not ask otherwise', () => {
    const person = { doNotTrack: null, globalPrivacyControl: false, webdriver: false, userAgent: 'Mozilla/5.0 Safari' }
    expect(isCountable(person)).toBe(true)
    expect(isCountable({ ...person, doNotTrack: '0' })).toBe(true)
    for (const other of [
      { doNotTrack: '1' },
      { globalPrivacyControl: true },
      { webdriver: true },
      { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
      { userAgent: 'Mozilla/5.0 HeadlessChrome/140.0.0.0' },
    ]) {
      expect(isCountable({ ...person, ...other })).toBe(false)
    }
  })

  it('are told apart by the width of the window', () => {
    expect([390, 767, 768, 1023, 1024, 1440].map(deviceOf)).toEqual([
      ...['phone', 'phone', 'tablet', 'tablet', 'desktop', 'desktop'],
    ])
  })
})

describe('a page that the server has rendered', () => {
  it('tells that it was seen and started, each once, when it is left', async () => {
    watch()
    for (const name of ['search', 'email', 'email']) input(name)
    expect(navigator.sendBeacon).not.toHaveBeenCalled()
    const seen = { page: 'home', device: deviceOf(window.innerWidth), ...VISIT, faults: [], vitals: {} }
    expect(await leave()).toEqual([{ ...seen, steps: ['seen', 'started'] }])
    input('email')
    expect(await leave()).toHaveLength(1)
  })

  it('takes a search for no start', async () => {
    watch()
    input('search')
    expect(await leave()).toMatchObject([{ steps: ['seen'] }])
  })

  it('counts the steps before each step, and each fault once', async () => {
    watch()
    countInvalid({ email: {}, acceptance_consent: {}, form: {} })
    countInvalid({ email: {} })
    countStep('submitted')
    countStep('zip_accepted')
    expect(await leave()).toMatchObject([
      { steps: ['seen', 'started', 'submitted', 'zip_accepted'], faults: ['email', 'consent', 'server'] },
    ])
  })

  it('belongs to a clinic where the address or the host names one', async () => {
    watch(COUNTING, '/?providerId=7')
    expect(await leave()).toMatchObject([{ page: 'microsite' }])
  })

  it('tells nothing without a form, on another page, or if the server counts nothing', async () => {
    watch(MAIN_SITE)
    watch(COUNTING, '/clinics')
    window.history.replaceState(null, '', '/')
    cleanup()
    stop = watchPageViews(VISIT, COUNTING)
    expect(await leave()).toEqual([])
  })

  it('waits until it is visible, as a prerendered page does', async () => {
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    watch()
    expect(await leave()).toEqual([])
    state.mockRestore()
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await leave()).toMatchObject([{ steps: ['seen'] }])
  })

  it('is seen again when the browser shows it after Back', async () => {
    watch()
    await leave()
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect((await leave()).map(({ steps }) => steps)).toEqual([['seen'], ['seen']])
  })

  it('is another page for a form that a link leads to', async () => {
    watch()
    window.history.pushState(null, '', '/start')
    const end = showForm()
    countStep('zip_accepted')
    end()
    expect((await leave()).map(({ page, steps }) => [page, steps])).toEqual([
      ['home', ['seen']],
      ['start', ['seen', 'started', 'zip_accepted']],
    ])
  })

  it('tells how far a page load has come with the heading of an experiment, also on the next page', async () => {
    const experiment = { id: '0123456789ab', variant: 'other', heading: 'Another heading' } as const
    watch({ ...COUNTING, experiment })
    window.history.pushState(null, '', '/start')
    const end = showForm()
    countStep('submitted')
    end()
    expect((await leave()).map((each) => each.experiment)).toEqual([
      { id: experiment.id, variant: 'other', steps: ['seen'] },
      { id: experiment.id, variant: 'other', steps: ['submitted'] },
    ])
  })
})

describe('a lead form', () => {
  it('counts what it is refused for, and that it is sent', async () => {
    knowZipCodes()
    const user = openPage('/')
    await screen.findByRole('form', { name: 'Lead form' })
    stop = watchPageViews(VISIT, COUNTING)
    await user.click(screen.getByRole('button', { name: 'Get Started Now!' }))
    await waitFor(() => expect(screen.getAllByText(/required|enter/i).length).toBeGreaterThan(0))
    expect(await leave()).toMatchObject([
      { steps: ['seen'], faults: ['first_name', 'last_name', 'email', 'phone', 'zip_code', 'consent'] },
    ])

    for (const [label, text] of [
      ['First Name', 'Jordan'],
      ['Last Name', 'Avery'],
      ['Email', 'jordan@visitors.example'],
      ['Phone', '(512) 555-0100'],
      ['Zip Code', '78702'],
    ] as const) {
      await user.type(screen.getByLabelText(new RegExp(`^${label}`)), text)
    }
    await user.click(screen.getByRole('checkbox'))
    answer('POST /api/leads', refusal(503, { error: 'We cannot save anything right now.', code: 'unavailable' }))
    await user.click(screen.getByRole('button', { name: 'Get Started Now!' }))
    await waitFor(async () => expect(await leave()).toHaveLength(2))
    expect((await leave())[1]).toMatchObject({ steps: ['started'], faults: ['server'] })

    answer('POST /api/leads', { id: 1, byEmail: true })
    await user.click(screen.getByRole('button', { name: 'Get Started Now!' }))
    await waitFor(async () => expect(await leave()).toHaveLength(3))
    expect((await leave())[2]).toMatchObject({ steps: ['submitted'], faults: [] })
  })

  it('in two steps counts a refused and an accepted zip code', async () => {
    expect(TWO_STEP_PAGES.map((page) => pages[page].path)).toEqual(['/start', '/homev2'])
    knowZipCodes()
    const user = openPage('/homev2')
    const zip = await screen.findByLabelText(/^ZIP Code/)
    stop = watchPageViews(VISIT, COUNTING)
    await user.type(zip, '123')
    await user.click(screen.getByRole('button', { name: 'Find Providers' }))
    await user.type(zip, '{Control>}a{/Control}78702')
    await user.click(screen.getByRole('button', { name: 'Find Providers' }))
    await screen.findByRole('heading', { name: 'Complete Your Information' })
    expect(await leave()).toMatchObject([
      { page: 'findProvider', steps: ['seen', 'started', 'zip_accepted'], faults: ['zip_code'] },
    ])
  })

  it('can be refused for nothing else', () => expect(FORM_FAULTS).toHaveLength(8))
})
