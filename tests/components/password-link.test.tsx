import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { answer, noAnswer, refusal } from './api.ts'
import { emptyDashboard, openPage, session } from './page.tsx'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' } as const
const OWN = 'four words in a row'
const LINK = { kind: 'invitation', name: ADA.name, email: ADA.email, expires_at: '2026-11-23T15:00:00.000Z' }
const PAGE = '/admin/password#token-from-the-mail'

async function choose(user: UserEvent, chosen: string, repeated = chosen): Promise<void> {
  await user.type(await screen.findByLabelText('New password'), chosen)
  await user.type(screen.getByLabelText('Confirm new password'), repeated)
  await user.click(screen.getByRole('button', { name: 'Save password and sign in' }))
}

describe('the link of an invitation', () => {
  it('lets its owner choose a password, and opens the dashboard', async () => {
    emptyDashboard(ADA)
    const asked = answer('POST /api/session/link', LINK)
    const chosen = answer('POST /api/session/link/password', session(ADA))
    const user = openPage(PAGE)
    await screen.findByText('Welcome, Ada Park. You sign in with ada@leadwell.example and this password.')
    await choose(user, OWN)
    await screen.findByRole('tab', { name: 'Leads (0)' })
    expect(asked.map(({ body }) => body)).toEqual([{ token: 'token-from-the-mail' }])
    expect(chosen.map(({ body }) => body)).toEqual([{ token: 'token-from-the-mail', new_password: OWN }])
    expect(window.location.pathname).toBe('/admin')
  })

  it('takes the token out of the address', async () => {
    answer('POST /api/session/link', LINK)
    openPage(PAGE)
    await screen.findByLabelText('New password')
    expect(window.location.href).not.toContain('token-from-the-mail')
  })

  it.each([
    ['was not typed twice the same', 'another one entirely', {}, 'The passwords do not match'],
    [
      'the server refuses',
      OWN,
      { new_password: 'This is a commonly used password.' },
      'This is a commonly used password.',
    ],
  ])('says at its field when the password %s', async (_what, repeated, fields, words) => {
    answer('POST /api/session/link', LINK)
    answer('POST /api/session/link/password', () => refusal(422, { error: 'No.', code: 'invalid', fields }))
    const user = openPage(PAGE)
    await choose(user, OWN, repeated)
    await screen.findByText(words)
  })

  it('that does not work any more says so', async () => {
    answer('POST /api/session/link', () =>
      refusal(404, { error: 'This link does not work any more. Ask a manager.', code: 'not_found' }),
    )
    openPage(PAGE)
    await screen.findByText('This link does not work any more. Ask a manager.')
    expect(screen.queryByLabelText('New password')).toBeNull()
    expect(screen.getByRole('link', { name: 'Go to the sign-in' }).getAttribute('href')).toBe('/admin')
  })

  it('without a token says that it is incomplete', async () => {
    openPage('/admin/password')
    await screen.findByText('This link is incomplete. Open it from the e-mail again.')
  })

  it('is tried again when the server does not answer', async () => {
    answer('POST /api/session/link', noAnswer)
    const user = openPage(PAGE)
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    answer('POST /api/session/link', LINK)
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByLabelText('New password')
  })
})
