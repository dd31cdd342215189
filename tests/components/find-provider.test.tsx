import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { answer, noAnswer, refusal } from './api.ts'
import {
  arrives,
  button,
  field,
  fill,
  fillInPerson,
  focused,
  form,
  knowZipCodes,
  problemAt,
  stepIs,
  takeLeads,
  VISITOR,
} from './form-actions.ts'
import { findToast, openPage } from './page.tsx'

beforeEach(() => void knowZipCodes())

describe('the search for a provider', () => {
  it('asks for the ZIP code first, then for the person, and says that it has received them', async () => {
    const leads = takeLeads()
    const user = await openFinder()
    screen.getByRole('heading', { name: 'Want to Increase Size?', level: 1 })
    await toSecondStep(user, '78702')
    field(CONSENT.finder.wording)
    await fillInPerson(user)
    await user.click(button('Find My Provider'))
    await arrives()
    await findToast('Success!', "We've received your information.")
    expect(leads).toMatchObject([{ query: {}, body: { ...VISITOR, acceptance_message: CONSENT.finder.wording } }])
  })

  it('says that it has received them also when nobody is in reach', async () => {
    answer('POST /api/leads', () => Response.json({ id: 5 }, { status: 201 }))
    const user = await openFinder()
    await toSecondStep(user, '99901')
    await fillInPerson(user)
    await user.click(button('Find My Provider'))
    await arrives('/success?noProvider=true')
    await findToast('Success!', "We've received your information.")
  })

  it('sends to the provider that the address names', async () => {
    const leads = takeLeads(7)
    const user = await openFinder('/homev2?providerId=7')
    await toSecondStep(user, '78702')
    await fillInPerson(user)
    await user.click(button('Find My Provider'))
    await arrives('/success?providerId=7')
    expect(leads).toMatchObject([{ query: { providerId: 7 } }])
  })

  it('asks for the ZIP code when there is none', async () => {
    const user = await openFinder()
    for (const zip of ['', '   ']) {
      await fill(user, 'Zip Code', zip)
      await user.click(button('Find Providers'))
      await findToast('ZIP Code Required', 'Please enter your ZIP code to continue.')
      expect(problemAt(field('Zip Code'))).toBe('Please enter your ZIP code to continue.')
      expect(focused()).toBe('zip_code')
      expect(window.location.search).toBe('')
    }
  })

  it.each(['1', '787', 'abcde', '00000'])('takes %s for a ZIP code in the first step', async (zip) => {
    const leads = answer('POST /api/leads', () => Response.json({ id: 5 }, { status: 201 }))
    const user = await openFinder()
    await toSecondStep(user, zip)
    await fillInPerson(user)
    await user.click(button('Find My Provider'))
    await arrives('/success?noProvider=true')
    expect(leads).toMatchObject([{ body: { zip_code: zip } }])
  })
})

const away = () => refusal(503, { error: 'We cannot save anything right now.', code: 'unavailable' })
const proxy = () => new Response('upstream gone', { status: 502 })

it.each([
  { why: 'the server says why', reply: away, said: 'We cannot save anything right now.', log: /^503: We cannot/ },
  { why: 'nobody answers', reply: noAnswer, said: 'Please try again later.', log: /^$/ },
  { why: 'a proxy answers', reply: proxy, said: 'Please try again later.', log: /^502: upstream gone$/ },
])('a search that fails because $why says so, logs it, and can be tried again', async ({ reply, said, log }) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  answer('POST /api/leads', reply)
  const user = await openFinder('/homev2?zip_code=78702')
  await fillInPerson(user)
  await user.click(button('Find My Provider'))
  const toast = await findToast('Something went wrong')
  expect(toast.querySelector('[data-description]')?.textContent).toBe(said)
  expect(logged.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringMatching(log) })]])
  logged.mockRestore()
  expect(field('Email').value).toBe(VISITOR.email)

  takeLeads()
  await user.click(button('Find My Provider'))
  await arrives()
})

async function openFinder(path = '/homev2'): Promise<UserEvent> {
  const user = openPage(path)
  await waitFor(() => form())
  return user
}

async function toSecondStep(user: UserEvent, zip: string): Promise<void> {
  await fill(user, 'Zip Code', zip)
  await user.click(button('Find Providers'))
  await stepIs('Complete Your Information')
  await waitFor(() => expect(focused()).toBe('step-heading'))
}
