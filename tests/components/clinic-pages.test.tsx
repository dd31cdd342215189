import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answer, refusal } from './api.ts'
import { openPage } from './page.tsx'

const TOKEN = 'a'.repeat(43)
const QUILL = { id: 7, name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic', email: 'front@quill.example' }
const ELM = { id: 8, name: 'Dr. Elm', practiceName: null, email: 'desk@elm.example' }
const session = (clinic: typeof QUILL | typeof ELM | null) => ({ clinic, time_zone: 'UTC' })

/** Opens a link to the pages of Quill Clinic in a browser that may be signed in already. */
function openLink(signedIn: typeof ELM | null) {
  answer('GET /api/clinic/session', session(signedIn))
  answer('GET /api/clinic/requests', { requests: [], total: 0, open: 0 })
  const { email, ...clinic } = QUILL
  answer('POST /api/clinic/link/look-up', { clinic, email })
  const signIns = answer('POST /api/clinic/session', session(QUILL))
  return { signIns, user: openPage(`/clinic#${TOKEN}`) }
}

it('a link to the pages of a clinic signs in by a press of a button only', async () => {
  const { signIns, user } = openLink(null)
  await screen.findByText('This link signs in front@quill.example to the pages of Quill Clinic.')
  expect(signIns).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Open the pages of Quill Clinic' }))
  await screen.findByRole('heading', { level: 1, name: 'Quill Clinic' })
  expect(signIns.map(({ body }) => body)).toEqual([{ token: TOKEN }])
})

it('a link of another clinic asks before it replaces the session, which may stay', async () => {
  const { signIns, user } = openLink(ELM)
  await screen.findByText(/This browser is signed in to Dr\. Elm, which it will leave\.$/)
  await user.click(screen.getByRole('button', { name: 'Stay with Dr. Elm' }))
  await screen.findByRole('heading', { level: 1, name: 'Dr. Elm' })
  expect(signIns).toEqual([])
})

it('a link that no longer works says so, and a new one can be asked for', async () => {
  answer('GET /api/clinic/session', session(null))
  const error = 'This link is no longer valid. It was used already, or it is older than four hours.'
  answer('POST /api/clinic/link/look-up', () => refusal(404, { code: 'not_found', error }))
  openPage(`/clinic#${TOKEN}`)
  await screen.findByText(new RegExp(error))
  screen.getByRole('button', { name: 'Send the link' })
})
