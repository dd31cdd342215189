import type { ReactNode } from 'react'
import type { PhoneNumberPage as Asked } from '../../../core/contract/page.ts'
import { usePageData } from '../../lib/page-data.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { WriteOrCall } from '../../shared/write-or-call.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** Asks a visitor for the right phone number, by a plain form that posts to the same address and works without JavaScript. */
export function PhoneNumberPage() {
  const { phoneNumber: page = { state: 'invalid' } } = usePageData()
  const { title, text } = wordsOf(page)
  return (
    <div className="grid grow bg-mist">
      <PageMeta title={title} />
      <div className="mx-auto grid w-full max-w-3xl content-center gap-6 px-4 py-20 sm:px-6 lg:py-36">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">{title}</h1>
        <div className="grid max-w-[56ch] gap-4 text-lg leading-relaxed">{text}</div>
        {page.state === 'ask' && (
          <form method="post" className="grid max-w-md gap-2">
            <TextField
              type="tel"
              name="phone"
              label="Phone number"
              autoComplete="tel"
              maxLength={40}
              required
              defaultValue={page.typed}
              error={page.error}
            />
            <Button type="submit">Send the number</Button>
          </form>
        )}
        {page.state === 'ask' && <Help>If the number in your request is right,</Help>}
      </div>
    </div>
  )
}

function wordsOf(page: Asked): { title: string; text: ReactNode } {
  switch (page.state) {
    case 'ask':
      return {
        title: 'What is your right phone number?',
        text: (
          <p>
            {page.clinic ?? 'Your clinic'} could not reach you at the number in your request. We pass the right one on,
            and nothing else changes.
          </p>
        ),
      }
    case 'done':
      return {
        title: 'Thank you',
        text: (
          <>
            <p>The clinic gets the new number from us, and calls you there.</p>
            <Help>If nobody calls you soon,</Help>
          </>
        ),
      }
    case 'over':
      return {
        title: 'There is nothing to correct',
        text: (
          <>
            <p>We have the right number by now, or your request has ended, or this link is older than 60 days.</p>
            <Help>If you have a question,</Help>
          </>
        ),
      }
    case 'invalid':
      return {
        title: 'This link is not complete',
        text: <Help>Please open the link in our email again. If that does not help,</Help>,
      }
  }
}

/** Shows the contact of the team, at the end of a sentence. */
function Help({ children }: { children: string }) {
  return (
    <p>
      {children} <WriteOrCall linkClass="underline underline-offset-3" />.
    </p>
  )
}
