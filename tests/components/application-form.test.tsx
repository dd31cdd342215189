import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { button, checkbox, field, fill, focused, form, problemAt } from './form-actions.ts'
import { findToast, openPage } from './page.tsx'

const CALL = 'POST /api/provider-applications'
const SEND = 'Submit Your Application'
const TYPED = {
  Name: 'Dr. Ines Calloway',
  'Practice Name': 'Calloway Clinic',
  Email: 'ines@clinics.example',
  Phone: '(512) 555-0100',
  'Zip Code': '78701',
  'Website (optional)': 'calloway.example',
  'Message (optional)': 'Call us in the morning.',
}
const SENT = {
  name: 'Dr. Ines Calloway',
  practice_name: 'Calloway Clinic',
  email: 'ines@clinics.example',
  phone: '(512) 555-0100',
  zip_code: '78701',
  website: 'https://calloway.example',
  message: 'Call us in the morning.',
  acceptance_consent: true,
  acceptance_message: CONSENT.application.wording,
}

describe('the application of a clinic', () => {
  it('is sent once, however often the button is pressed, and is confirmed where the form was', async () => {
    const held = heldAnswer(Response.json({ id: 3 }, { status: 201 }))
    const sent = answer(CALL, held.answer)
    const user = await openFilledIn()
    await user.dblClick(button(SEND))
    await waitFor(() => expect(button('Wait! Submitting...').disabled).toBe(true))
    screen.getByText(/^Tell us who you are/)
    held.release()
    await isReceived()
    expect(screen.queryByText(/Tell us who you are/)).toBeNull()
    expect(sent).toMatchObject([{ body: SENT }])
  })

  it('says at the button who sees it, and opens the policies there', async () => {
    const user = await openFilledIn()
    const form = screen.getByRole('form', { name: 'Provider application' })
    within(form).getByText(
      /^Private: only our network team and the services that run this site for us see this\. Never sold\./,
    )
    await user.click(within(form).getByRole('link', { name: 'Privacy Policy' }))
    await screen.findByRole('dialog', { name: 'Privacy Policy' })
  })

  it('needs no website and no message', async () => {
    const sent = takeApplications()
    const user = await openFilledIn({ ...TYPED, 'Website (optional)': '', 'Message (optional)': '' })
    await user.click(button(SEND))
    await isReceived()
    const { website, message, ...rest } = SENT
    expect(sent).toMatchObject([{ body: rest }])
    expect(sent[0]?.body).not.toHaveProperty('website')
    expect(sent[0]?.body).not.toHaveProperty('message')
  })

  it('says at each field what is wrong: when it is left, and when it is sent', async () => {
    const user = await openForm()
    for (const [label, typed, problem] of [
      ['Name', '', 'Name is required'],
      ['Practice Name', ' ', 'Practice name is required'],
      ['Email', 'ines', 'Invalid email format'],
      ['Phone', '', 'Phone number is required'],
      ['Website (optional)', 'no address', 'Please enter a valid website address'],
    ] as const) {
      await fill(user, label, typed)
      await user.tab()
      await waitFor(() => expect(problemAt(field(label)), label).toBe(problem))
    }
    await user.click(button(SEND))
    await waitFor(() => expect(problemAt(field('Zip Code'))).toBe('Zip code is required'))
    expect(problemAt(checkbox())).toBe('You must agree to receive communications to continue.')
    expect(focused()).toBe('name')
    expect(document.querySelectorAll('main form [aria-invalid="true"]')).toHaveLength(7)
  })

  it('goes to the first field that the server finds wrong, and keeps what was typed', async () => {
    const fields = { website: 'Please enter a valid website address', email: 'Invalid email format' }
    answer(CALL, () => refusal(422, { error: 'Two fields are wrong.', fields }))
    const user = await openFilledIn()
    await user.click(button(SEND))
    await findToast('Error', '422: Two fields are wrong.')
    expect(problemAt(field('Email'))).toBe('Invalid email format')
    expect(problemAt(field('Website (optional)'))).toBe('Please enter a valid website address')
    expect(focused()).toBe('email')
    hasKept()
  })

  it('stays in the form each time that it cannot be sent, and is the same when it is sent again', async () => {
    const user = await openFilledIn()
    const keys: (string | null | undefined)[] = []
    for (const { reply, said } of [
      { reply: noAnswer, said: 'Failed to submit form. Please try again later.' },
      { reply: () => refusal(503, { error: 'We cannot save anything.' }), said: '503: We cannot save anything.' },
      { reply: () => refusal(429, { error: 'Too many forms came.' }), said: '429: Too many forms came.' },
    ]) {
      const failed = answer(CALL, reply)
      await user.click(button(SEND))
      await findToast('Error', said)
      hasKept()
      keys.push(failed[0]?.headers.get('idempotency-key'))
    }
    const sent = takeApplications()
    await user.click(button(SEND))
    await isReceived()
    expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[\da-f-]{36}$/)
    expect(keys).toEqual(Array(3).fill(sent[0]?.headers.get('idempotency-key')))
  })
})

describe('the short form at the top of the page for clinics', () => {
  it('carries its fields to the whole form, and goes to the first one that is empty', async () => {
    const sent = takeApplications()
    const user = await openForm()
    const short = within(screen.getByRole('form', { name: 'Begin your application' }))
    await user.type(short.getByLabelText('Your Name'), TYPED.Name)
    await user.type(short.getByLabelText('Your Email'), TYPED.Email)
    await user.type(short.getByLabelText('Practice Zip Code'), TYPED['Zip Code'])
    await user.click(short.getByRole('button', { name: 'Continue' }))
    for (const label of ['Name', 'Email', 'Zip Code'] as const) expect(field(label).value).toBe(TYPED[label])
    expect(focused()).toBe('practice_name')

    for (const label of ['Practice Name', 'Phone'] as const) await fill(user, label, TYPED[label])
    await user.click(checkbox())
    await user.click(button(SEND))
    await isReceived()
    const { website, message, ...rest } = SENT
    expect(sent).toMatchObject([{ body: rest }])
  })

  it('keeps what the whole form has, where it has nothing, and says what is wrong there', async () => {
    const user = await openForm()
    await fill(user, 'Name', 'Dr. Rosa Quill')
    const short = within(screen.getByRole('form', { name: 'Begin your application' }))
    await user.type(short.getByLabelText('Your Email'), 'no address{Enter}')
    await waitFor(() => expect(problemAt(field('Email'))).toBe('Invalid email format'))
    expect(field('Name').value).toBe('Dr. Rosa Quill')
    expect(focused()).toBe('practice_name')
  })
})

function takeApplications() {
  return answer(CALL, () => Response.json({ id: 3 }, { status: 201 }))
}

async function openForm(): Promise<UserEvent> {
  const user = openPage('/clinics')
  await waitFor(() => form())
  return user
}

async function openFilledIn(typed = TYPED): Promise<UserEvent> {
  const user = await openForm()
  for (const [label, text] of Object.entries(typed)) await fill(user, label, text)
  await user.click(checkbox())
  return user
}

function hasKept(): void {
  for (const [label, text] of Object.entries(TYPED)) expect(field(label).value).toBe(text)
  expect(checkbox().checked).toBe(true)
}

/** Waits for what is in place of the form, which the keyboard has moved to. */
async function isReceived(): Promise<void> {
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Provider application' })).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Application received'))
}
