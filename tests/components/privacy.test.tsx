import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ErasureRequest, PersonRecord } from '../../core/privacy/contract/privacy.ts'
import { answer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { job } from './samples.ts'

const CONTACT = 'ada@visitors.example'
const AT = '2026-11-20T15:00:00.000Z'

const ACTOR = { actor: 'ben@leadwell.example', actor_name: 'Ben Ito' }
const FORM = {
  ...{ created_at: AT, deleted_at: null, clinics: [], outcomes: [], opt_outs: [], other: {} },
  ...{ consent: null, deliveries: [], messages: [], acts: [], reads: [], edits: [], work: null },
}
const QUILL = { id: 1, name: 'Quill Clinic', email: 'desk@quill.example' }
const RECORD: PersonRecord = {
  ...{ contact: CONTACT, at: AT, erased: [], do_not_contact: [] },
  forms: [
    {
      ...{ ...FORM, kind: 'lead', id: 7, reference: '4211', clinics: [QUILL] },
      fields: {
        ...{ first_name: 'Ada', email: CONTACT, held_reason: 'do_not_contact' },
        attribution: { last: { utm_source: 'mail', landing_page: '/start' } },
      },
      outcomes: [
        {
          ...{ id: 1, kind: 'no_show', reason: null, value_cents: 12500, booked_for: '2026-11-24', source: 'clinic' },
          ...{ actor: 'clinic', actor_name: null, clinic: 'Quill Clinic', at: AT, happened_at: AT },
          note: 'takes nitrates',
        },
      ],
      other: { answer_clocks: [{ lead_id: 7, due_at: AT, is_stale: true }] },
      consent: { wording: 'I agree.', ip: '203.0.113.7' },
      deliveries: [job({ name: 'send-email', purpose: 'visitor', has_copy: true })],
      acts: [
        {
          ...{ ...ACTOR, id: 1, at: AT, action: 'release', entity: 'lead', entity_id: '7', entity_name: null },
          ...{ details: {}, session_id: null },
        },
      ],
      edits: [{ at: AT, actor: 'staff', actor_name: null, field: 'zip_code', was: '78701', became: '78702' }],
      work: {
        ...{ owner: { id: 2, name: 'Ben Ito' }, next_action: 'Call again', next_action_on: null, tags: ['vip'] },
        notes: [{ id: 1, body: 'Prefers mornings', author: ACTOR.actor, author_name: 'Ben Ito', at: AT }],
      },
    },
    { ...FORM, kind: 'application', id: 3, reference: '4212', fields: { name: 'Dr. Ada' } },
  ],
}
const RECEIPT: ErasureRequest = {
  ...{ id: 12, at: AT, actor: 'staff', actor_name: null },
  forms: [
    {
      ...{ kind: 'lead', id: 7, reference: '4211', sent_at: AT, erased_at: AT },
      notices: [
        { to: 'CRM', state: 'done', error: null, at: AT },
        { to: 'Quill Clinic', state: 'failed', error: 'The mailbox does not exist.', at: AT },
      ],
    },
  ],
}

/** Opens the tab, with these erasures, and looks for the person. */
async function openPrivacy(erasures: ErasureRequest[] = []) {
  emptyDashboard()
  answer('GET /api/privacy/erasures', { erasures, total: erasures.length })
  const finds = answer('POST /api/privacy/find', RECORD)
  const user = await openDashboard('/admin?tab=privacy')
  return { user, finds }
}
async function find(user: Awaited<ReturnType<typeof openPrivacy>>['user'], contact = CONTACT) {
  await user.click(await screen.findByLabelText('Email address or phone number'))
  await user.paste(contact)
  await user.click(screen.getByRole('button', { name: 'Find data' }))
}

it('everything about a person is found by an email address, and never by half of one', async () => {
  const { user, finds } = await openPrivacy()
  await find(user, 'ada')
  await screen.findByText('Type a whole email address or phone number')
  expect(finds).toEqual([])
  await user.click(screen.getByLabelText('Email address or phone number'))
  await user.paste('@visitors.example')
  await user.click(screen.getByRole('button', { name: 'Find data' }))
  const request = await screen.findByRole('article', { name: 'Request no. 7' })
  expect(finds.map(({ body }) => body)).toEqual([{ contact: CONTACT }])
  for (const text of [
    ...['Given to Quill Clinic.', '203.0.113.7', 'Ben Ito · Released: lead #7', 'Ben Ito wrote “Prefers mornings”'],
    ...['(a copy is in the JSON)', 'Last: utm source: mail; landing page: /start', 'Note: “takes nitrates”'],
    ...['This person asked not to be contacted.', 'changed the zip code from “78701” to “78702”'],
  ])
    expect(request.textContent).toContain(text)
  expect(request.textContent).toMatch(
    /Did not come, reported by .*Appointment: 2026-11-24\. Value: \$125\.00\. Provider: Quill Clinic\./,
  )
  expect(request.textContent).toMatch(/Answer clocks: lead id: 7; due at: Nov 20, 2026.*; is stale: yes/)
  expect(request.textContent).not.toMatch(/\[object Object\]|do_not_contact|no_show/)
  expect(window.location.search).not.toContain('ada')
})

it('only what is chosen is erased, after a question that says who is asked to delete it as well', async () => {
  const { user } = await openPrivacy()
  const changed = 'These requests have changed meanwhile. Search again.'
  answer('POST /api/privacy/erase', refusal(409, { error: changed }))
  await find(user)
  await user.click(await screen.findByRole('button', { name: 'Erase 2 forms' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Erase permanently' }))
  await screen.findByText(new RegExp(changed))
  await user.keyboard('{Escape}')

  const erasures = answer('POST /api/privacy/erase', RECEIPT)
  await user.click(await screen.findByLabelText('Erase application no. 3'))
  await user.click(screen.getByRole('button', { name: 'Erase 1 form' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('By email we ask Quill Clinic to delete it as well.')
  expect(erasures).toEqual([])
  await user.click(within(dialog).getByRole('button', { name: 'Erase permanently' }))
  await findToast('Erasure no. 12: 1 form permanently deleted')
  expect(erasures.map(({ body }) => body)).toEqual([{ contact: CONTACT, forms: [{ kind: 'lead', id: 7 }] }])
  expect(screen.queryByText(/Data stored about/)).toBeNull()
})

it('the record is saved as a file whose name says nothing of the person', async () => {
  const { user } = await openPrivacy()
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:saved'
  })
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  await find(user)
  await user.click(await screen.findByRole('button', { name: 'Download as JSON' }))
  expect(names).toEqual(['personal-data-2026-11-20.json'])
  expect(JSON.parse(await (saved[0] as Blob).text())).toEqual(RECORD)
})

it('an erasure that has not reached a clinic can be told again', async () => {
  const { user } = await openPrivacy([RECEIPT])
  const retries = answer('POST /api/privacy/erasures/{id}/retry', { success: true })
  await screen.findByText('The mailbox does not exist.')
  await user.click(screen.getByRole('button', { name: /^Ask again/ }))
  await screen.findByText('Asked again')
  expect(retries).toHaveLength(1)
})
