import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import type { OptOutPage as OptOut } from '../../../core/contract/page.ts'
import { usePageData } from '../../lib/page-data.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { WriteOrCall } from '../../shared/write-or-call.tsx'
import { Button } from '../../ui/button.tsx'

/**
 * Shows the page behind the opt-out link of an e-mail. It asks before it changes anything, with a plain form that posts
 * to the same address.
 */
export function OptOutPage({ of }: Pick<OptOut, 'of'>) {
  const { optOut } = usePageData()
  const { title, text, button } = WORDS[of][optOut?.state ?? 'invalid']

  return (
    <div className="grid grow bg-mist">
      <PageMeta title={title} />
      <div className="mx-auto grid w-full max-w-3xl content-center gap-6 px-4 py-20 sm:px-6 lg:py-36">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">{title}</h1>
        {optOut?.leadId && <p className="text-xl text-ink">Request no. {optOut.leadId}</p>}
        <div className="grid max-w-[56ch] gap-4 text-lg leading-relaxed">{text}</div>
        {button && (
          <form method="post">
            <Button type="submit">{button}</Button>
          </form>
        )}
      </div>
    </div>
  )
}

type Words = { title: string; text: ReactNode; button?: string }

/** The texts of the page, by recipient and state. */
const WORDS: Record<OptOut['of'], Record<OptOut['state'], Words>> = {
  person: {
    ask: {
      title: 'Stop all contact?',
      text: (
        <>
          <p>
            {brand.company} will send you no more e-mails about your request, and will ask the clinics that have it to
            stop as well. They have ten business days at most.
          </p>
          <p>
            To keep this promise after your details are deleted, we keep a code for your email address and for your
            phone number. Only we can compare it with an address or a number, with a key that we keep apart from it.
          </p>
          <Help>If you have a question,</Help>
        </>
      ),
      button: 'Stop all contact',
    },
    done: {
      title: 'We have stopped',
      text: (
        <>
          <p>
            You get no more e-mails from us about your request, not even one about this. The clinics that have it are
            being told, and have ten business days at most to stop.
          </p>
          <Help>If somebody still contacts you after that, or if you change your mind,</Help>
        </>
      ),
    },
    already: {
      title: 'This was done already',
      text: (
        <>
          <p>You are on our list of people whom we do not contact. There is nothing else to do.</p>
          <Help>If somebody still contacts you, or if you change your mind,</Help>
        </>
      ),
    },
    invalid: {
      title: 'This link is not complete',
      text: <Help>Please open the link in our e-mail again. If that does not help,</Help>,
    },
  },
  clinic: {
    ask: {
      title: 'Has contact stopped?',
      text: (
        <p>
          You confirm that your clinic, and every system that it uses, no longer calls, texts or writes to the person of
          this request.
        </p>
      ),
      button: 'Confirm that contact has stopped',
    },
    done: { title: 'Thank you', text: <p>Your confirmation is recorded. There is nothing else to do.</p> },
    already: { title: 'This was confirmed already', text: <p>Thank you. There is nothing else to do.</p> },
    invalid: {
      title: 'There is nothing to confirm',
      text: <Help>The link is not complete, or the person may be contacted again. If you have a question,</Help>,
    },
  },
}

/** Shows the contact of the team, at the end of a sentence. */
function Help({ children }: { children: string }) {
  return (
    <p>
      {children} <WriteOrCall linkClass="underline underline-offset-3" />.
    </p>
  )
}
