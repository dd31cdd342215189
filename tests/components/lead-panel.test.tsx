import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { LeadWork, RelatedLead } from '../../core/leads/contract/leads.ts'
import { answer, bodiesOf, refusal } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { openLead, rowOf } from './leads-page.ts'
import { emptyDashboard, findToast, NO_VALUES } from './page.tsx'
import { job, leadDetails } from './samples.ts'

const ADA = { id: 1, name: 'Ada Park', email: 'ada@leadwell.example', role: 'agent' } as const
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
beforeEach(() => emptyDashboard())

describe('a lead beside the list', () => {
  it('takes the actions of the rows while it is open, and is in the address', async () => {
    const { user, panel } = await openLead()
    const row = within(await rowOf('Jordan Avery7'))
    await waitFor(() => expect(row.queryByRole('button', { name: 'Resend Email' })).toBeNull())
    for (const name of ['Resend Email', 'Retry CRM Sync']) panel.getByRole('button', { name })
    await user.click(panel.getByRole('button', { name: 'Next' }))
    const next = within(await screen.findByRole('complementary', { name: 'Jordan Avery8' }))
    expect(next.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true)
    await waitFor(() => expect(location.search).toBe('?lead=8'))
    await user.click(next.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    row.getByRole('button', { name: 'Resend Email' })
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('has the record of the consent, how the provider was found, and where the visitor is', async () => {
    const { user, panel } = await openLead({ phone: '5125550142' })
    await panel.findByText('Given from 203.0.113.7')
    for (const text of ['I agree to be called.', 'a'.repeat(64), 'Nearest provider that can take it'])
      panel.getByText(text)
    panel.getByText(/^Austin, TX/)
    panel.getByText(/\d{1,2}:\d\d [AP]M local time$/)
    expect(panel.getByRole('link', { name: 'Call (512) 555-0142' }).getAttribute('href')).toBe('tel:+15125550142')
    await user.click(panel.getByRole('button', { name: 'Copy the provider’s phone number' }))
    expect(await navigator.clipboard.readText()).toBe('(512) 555-0100')
  })

  it('folds what was delivered into one line, and never what failed, with what to do about it', async () => {
    const error = 'The mail server refused the email: 550 no such box'
    const created_at = '2026-11-20T14:59:58.000Z'
    const refused = { state: 'failed', last_error: error, advice: 'Correct the provider’s email address.' } as const
    const { panel } = await openLead(
      {},
      {
        jobs: [
          job({ name: 'send-email', purpose: 'visitor', created_at, result: { response: '250 OK' } }),
          job({ name: 'sync-crm', purpose: 'created', created_at }),
          job({ name: 'send-email', purpose: 'provider', ...refused }),
        ],
      },
    )
    const line = (await panel.findByText('Delivered to visitor and CRM in 3 s')).closest('li') as HTMLElement
    const titles = ['Received', 'Matched with Dr. Test 1', 'Delivered to visitor', 'Email to the provider']
    const events = [...(line.parentElement?.children ?? [])].map(({ textContent }) => textContent)
    expect(events).toEqual(titles.map((title) => expect.stringContaining(title)))
    expect(events[3]).toMatch(/^Email to the providerFailed.*550 no such box.*Correct the provider’s/)
    expect(line.querySelector('details')?.open).toBe(false)
    within(line).getByText('Email to the visitor')
    within(line).getByText(/The mail server answered: 250 OK/)
  })

  it('has the work before what happened, and the day of the appointment at its outcome', async () => {
    const booked = { outcome: 'booked', outcome_at: '2026-11-26T15:00:00.000Z', booked_for: '2026-12-07' } as const
    const { panel } = await openLead(booked)
    await panel.findByText('for Dec 7, 2026 (recorded on Nov 26, 2026)')
    const titles = panel.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
    expect(titles).toEqual(['Provider', 'Outcome', 'Work', 'What happened'])
  })

  it('can be loaded again after a failure', async () => {
    const { user, panel } = await openLead()
    answer('GET /api/leads/{id}', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    await user.click(panel.getByRole('button', { name: 'Next' }))
    const next = within(await screen.findByRole('complementary', { name: 'Jordan Avery8' }))
    await next.findByText(/Not now\./)
    answer('GET /api/leads/{id}', ({ params }) => leadDetails(params.id))
    await user.click(next.getByRole('button', { name: 'Try again' }))
    await next.findByText('Consent record')
  })

  it('has the other requests of its person with date, clinic and outcome', async () => {
    const other: RelatedLead = {
      ...{ id: 5, created_at: '2026-11-03T15:00:00.000Z', provider_id: 1, provider_name: 'Dr. Rosa Quill' },
      ...{ held_reason: null, outcome: 'booked' },
    }
    const held = {
      ...other,
      id: 4,
      provider_id: null,
      provider_name: null,
      outcome: null,
      held_reason: 'too_fast',
    } as const
    const { user, panel } = await openLead({ samePerson: [other, held], requests: { number: 3, total: 4 } })
    await panel.findByText('3rd request of 4')
    within(await rowOf('Jordan Avery7')).getByText('Asked 4 times')
    const links = panel.getAllByRole('link', { name: /^Request #/ })
    expect(links.map((link) => link.closest('li')?.textContent)).toEqual([
      'Request #5, Nov 3, 2026, Dr. Rosa QuillBooked',
      'Request #4, Nov 3, 2026, No providerHeld',
    ])
    panel.getByText('And 1 older.')
    await user.click(links[0] as HTMLElement)
    await waitFor(() => expect(location.search).toBe('?lead=5'))
  })
})

describe('the work on a lead', () => {
  const NOTE = {
    ...{ id: 5, body: 'Prefers mornings', author: 'ben@leadwell.example', author_name: 'Ben Ito' },
    at: '2026-11-20T15:00:00.000Z',
  }
  async function openWork(work: Partial<LeadWork> = {}, me: object = ADA) {
    emptyDashboard(me)
    const staff = [ADA, { id: 2, name: 'Ben Ito' }].map(({ id, name }) => ({ id, name }))
    answer('GET /api/leads/filter-values', { ...NO_VALUES, staff, tags: ['vip', 'call back'] })
    const changes = answer('PATCH /api/leads/{id}/work', { success: true })
    return { ...(await openLead(work)), changes }
  }

  it('gives it to oneself by a button or by a key, and to others', async () => {
    const { user, panel, changes } = await openWork()
    await user.click(await panel.findByRole('button', { name: 'Assign to me' }))
    await waitFor(() => expect(bodiesOf(changes)).toEqual([{ owner_id: 1 }]))
    await user.selectOptions(panel.getByRole('combobox', { name: 'Owner' }), 'Ben Ito')
    expect(changes).toHaveLength(1)
    await user.click(panel.getByRole('button', { name: 'Save: Owner' }))
    await waitFor(() => expect(bodiesOf(changes)).toEqual([{ owner_id: 1 }, { owner_id: 2 }]))
    ;(document.activeElement as HTMLElement | null)?.blur()
    await user.keyboard('a')
    await waitFor(() => expect(changes).toHaveLength(3))
  })

  it('has a next action with a day, which can be done', async () => {
    const { user, panel, changes } = await openWork({ next_action: 'Call again', next_action_on: '2026-01-02' })
    await panel.findByText('Overdue')
    await user.click(panel.getByRole('button', { name: 'Done: Next action' }))
    await waitFor(() => expect(bodiesOf(changes)).toEqual([{ next_action: null, next_action_on: null }]))
    await user.type(panel.getByRole('textbox', { name: 'Next action' }), ' on Monday{Enter}')
    await waitFor(() => expect(bodiesOf(changes)[1]).toMatchObject({ next_action: 'Call again on Monday' }))
  })

  it('saves what was typed when the field or the lead is left, and keeps what was refused', async () => {
    const { user, panel, changes } = await openWork()
    const field = () => panel.getByRole('textbox', { name: 'Next action' })
    await user.type(await panel.findByRole('textbox', { name: 'Next action' }), 'Ask Ben')
    answer('PATCH /api/leads/{id}/work', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    await user.click(panel.getByRole('heading', { name: 'Work' }))
    await findToast('Failed to save', 'Not now.')
    panel.getByRole('button', { name: 'Save: Next action' })
    expect(field()).toHaveProperty('value', 'Ask Ben')
    const saved = answer('PATCH /api/leads/{id}/work', { success: true })
    await user.click(panel.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(bodiesOf(saved)).toContainEqual({ next_action: 'Ask Ben', next_action_on: null }))
    expect(saved[0]?.params).toEqual({ id: 7 })
    expect(changes).toEqual([])
  })

  it('has tags to add and to remove', async () => {
    const { user, panel, changes } = await openWork({ tags: ['vip'] })
    const field = await panel.findByRole('combobox', { name: 'Add a tag' })
    await user.type(field, '  Call  Back {Enter}')
    await user.click(panel.getByRole('button', { name: 'Remove the tag vip' }))
    await waitFor(() => expect(bodiesOf(changes)).toEqual([{ tags: ['vip', 'call back'] }, { tags: [] }]))
    await user.type(field, '#1{Enter}')
    await panel.findByText('A tag consists of letters, digits and spaces')
  })

  it('has notes, which are added with Ctrl+Enter, and deleted by their author after a question', async () => {
    const mine = { ...NOTE, id: 6, body: 'Mine', author: ADA.email, author_name: ADA.name }
    const { user, panel } = await openWork({ notes: [NOTE, mine] })
    const added = answer('POST /api/leads/{id}/notes', { success: true })
    const field = await panel.findByRole('textbox', { name: 'New note' })
    await user.type(field, 'Please call{Control>}{Enter}{/Control}')
    await waitFor(() => expect(bodiesOf(added)).toEqual([{ body: 'Please call' }]))
    await waitFor(() => expect(field).toHaveProperty('value', ''))
    await user.type(field, 'Unsent')
    await user.click(panel.getByRole('button', { name: 'Next' }))
    const next = within(await screen.findByRole('complementary', { name: 'Jordan Avery8' }))
    expect(await next.findByRole('textbox', { name: 'New note' })).toHaveProperty('value', '')
    await user.click(next.getByRole('button', { name: 'Previous' }))
    expect(await panel.findByDisplayValue('Unsent')).toBeTruthy()
    const removed = answer('DELETE /api/leads/{id}/notes/{noteId}', { success: true })
    const [theirs, own] = within(panel.getByRole('list', { name: 'Notes' })).getAllByRole('listitem')
    expect(within(theirs as HTMLElement).queryByRole('button')).toBeNull()
    await user.click(within(own as HTMLElement).getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(removed.map(({ params }) => params.noteId)).toEqual([6]))
  })

  it('says which colleagues have the lead open, until they leave it, and tells theirs', async () => {
    const { panel } = await openWork()
    const said = answer('POST /api/leads/{id}/viewing', { success: true })
    await panel.findByRole('combobox', { name: 'Owner' })
    const viewing = (account: number, left = false, lead = 7) =>
      FakeEventSource.announce({ viewing: [{ lead, account, left }] })
    viewing(2, false, 8)
    viewing(ADA.id)
    expect(panel.queryByText(/this open$/)).toBeNull()
    viewing(2)
    await panel.findByText('Ben Ito has this open')
    await waitFor(() =>
      expect(said.map(({ params, body }) => ({ ...params, ...body }))).toEqual([{ id: 7, left: false }]),
    )
    viewing(2, true)
    await waitFor(() => expect(panel.queryByText(/this open$/)).toBeNull())
  })

  it('is only read by viewers, who see no contact and correct nothing', async () => {
    const masked = { email: 'j•••@v•••.example', phone: '••• 42', clinic: null }
    const work = { owner: { id: 2, name: 'Ben Ito' }, next_action: 'Call again', tags: ['vip'], notes: [NOTE] }
    emptyDashboard({ ...ADA, role: 'viewer' })
    const { panel } = await openLead({ ...masked, ...work })
    for (const text of ['••• 42', 'Prefers mornings', 'Call again', 'vip']) await panel.findByText(text)
    for (const name of [
      /tag/,
      /^Assign/,
      /Next action/,
      /^Delete/,
      /note/i,
      /^Copy/,
      'Edit...',
      'Record an outcome...',
    ]) {
      expect(panel.queryByRole('button', { name }), String(name)).toBeNull()
    }
    expect([panel.queryByRole('textbox'), panel.queryByRole('link', { name: /^Call/ })]).toEqual([null, null])
  })
})

describe('the correction of a lead', () => {
  beforeEach(() => emptyDashboard(ADA))

  it('sends what has changed, and the emails again unless it is told not to', async () => {
    const edits = answer('PATCH /api/leads/{id}', { success: true })
    const { user, panel } = await openLead()
    await user.click(panel.getByRole('button', { name: 'Edit...' }))
    const form = await dialog('Edit the lead')
    expect(form.queryByRole('checkbox')).toBeNull()
    const email = form.getByRole('textbox', { name: 'Email' })
    await user.clear(email)
    await user.type(email, 'nobody{Enter}')
    await waitFor(() => expect(email.getAttribute('aria-invalid')).toBe('true'))
    form.getByRole('checkbox', { name: 'Send the emails again, to the visitor and the provider', checked: true })
    await user.type(email, '@new.example{Enter}')
    await findToast('The emails are on their way')
    expect(bodiesOf(edits)).toEqual([{ email: 'nobody@new.example', again: true }])
    await waitFor(() => expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Edit...' })))
  })

  it('of an unmatched lead with a new zip code looks for a provider, unless it is told not to', async () => {
    const edits = answer('PATCH /api/leads/{id}', { success: true })
    const { user, panel } = await openLead({ provider_id: null, clinic: null })
    await user.click(panel.getByRole('button', { name: 'Edit...' }))
    const form = await dialog('Edit the lead')
    await user.clear(form.getByRole('textbox', { name: 'Zip code' }))
    await user.type(form.getByRole('textbox', { name: 'Zip code' }), '21201')
    await user.click(form.getByRole('checkbox', { name: 'Look for a provider near the new zip code' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodiesOf(edits)).toEqual([{ zip_code: '21201' }]))
  })

  it('keeps the form when it is refused', async () => {
    const { user, panel } = await openLead()
    answer('PATCH /api/leads/{id}', refusal(409, { code: 'conflict', error: 'Asked not to be contacted.' }))
    await user.click(panel.getByRole('button', { name: 'Edit...' }))
    const form = await dialog('Edit the lead')
    await user.type(form.getByRole('textbox', { name: 'First name' }), 'a{Enter}')
    await findToast('Failed to save', 'Asked not to be contacted.')
    answer('PATCH /api/leads/{id}', { success: true })
    await user.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

it('a new lead by phone is entered with the consent that was read aloud, and opens', async () => {
  const { user, panel } = await openLead()
  const entered = answer('POST /api/phone-leads', { id: 7, held: false })
  await user.click(panel.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  await user.keyboard('c')
  const form = await dialog('New lead')
  form.getByText(new RegExp(CONSENT.phone.wording.slice(0, 40)))
  const name = { 'First name': 'Ada', 'Last name': 'Quill', 'Phone number': '5125550142' }
  for (const [label, text] of Object.entries({ ...name, Email: 'ada@visitors.example', 'Zip code': '78702' }))
    await user.type(form.getByRole('textbox', { name: label }), text)
  await user.click(form.getByRole('button', { name: 'Enter lead' }))
  await form.findByText('Read the wording aloud, and check the box once the person has agreed')
  await user.click(form.getByRole('checkbox', { name: 'I read this aloud and the person agreed' }))
  await user.click(form.getByRole('button', { name: 'Enter lead' }))
  await findToast('Lead entered')
  const consent_version = CONSENT.phone.version
  expect(entered[0]?.body).toMatchObject({ last_name: 'Quill', agreed: true, consent_version })
  await screen.findByRole('complementary', { name: 'Jordan Avery7' })
})

describe('"View" of a delivery', () => {
  const EMAIL = job({ name: 'send-email', purpose: 'provider', has_copy: true })
  const CRM = job({ name: 'sync-crm', purpose: 'created', has_copy: true })

  it('shows the payload for the CRM, and copies it', async () => {
    const { user, panel } = await openLead({}, { jobs: [CRM] })
    const payload = { type: 'lead.created', data: { lead: { id: 7 } } }
    answer('GET /api/leads/{id}/crm-payloads/{jobId}', { sent_at: '2026-11-20T15:00:01.000Z', payload })
    await user.click(await panel.findByRole('button', { name: 'View: CRM: lead created' }))
    await user.click(await screen.findByRole('button', { name: 'Copy the payload' }))
    expect(await navigator.clipboard.readText()).toBe(JSON.stringify(payload, null, 2))
  })

  it.each([
    ['viewer', []],
    ['agent', ['View: Email to the provider']],
    ['manager', ['View: Email to the provider', 'View: CRM: lead created']],
  ] as const)('is offered to a %s where they may see what was sent', async (role, expected) => {
    emptyDashboard({ ...ADA, role })
    const { panel } = await openLead({}, { jobs: [EMAIL, CRM] })
    await panel.findByText('CRM: lead created')
    const names = panel.queryAllByRole('button', { name: /^View: / }).map((button) => button.getAttribute('aria-label'))
    expect(names).toEqual(expected)
  })
})
