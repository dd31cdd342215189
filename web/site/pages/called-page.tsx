import type { ReactNode } from 'react'
import type { CalledPage as Called, VisitorAnswer } from '../../../core/contract/page.ts'
import { usePageData } from '../../lib/page-data.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { WriteOrCall } from '../../shared/write-or-call.tsx'
import { Button } from '../../ui/button.tsx'

/**
 * Asks a visitor whether the clinic called. Each answer is a plain form that posts to the same address, so that the page
 * works without JavaScript. The answer that the link chose comes first.
 */
export function CalledPage() {
  const { called = { state: 'invalid' } } = usePageData()
  const { title, text } = wordsOf(called)
  const answers: VisitorAnswer[] = ['yes', 'not_yet', 'no_longer']
  const chosen = called.state === 'ask' ? called.answer : undefined

  return (
    <div className="grid grow bg-mist">
      <PageMeta title={title} />
      <div className="mx-auto grid w-full max-w-3xl content-center gap-6 px-4 py-20 sm:px-6 lg:py-36">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">{title}</h1>
        <div className="grid max-w-[56ch] gap-4 text-lg leading-relaxed">{text}</div>
        {called.state === 'ask' && (
          <ul className="grid max-w-xl gap-5">
            {answers
              .toSorted((a, b) => Number(b === chosen) - Number(a === chosen))
              .map((answer) => (
                <li key={answer}>
                  <form method="post" action={`?answer=${answer}`} className="grid justify-items-start gap-1.5">
                    <Button type="submit" variant={chosen === undefined || answer === chosen ? 'primary' : 'outline'}>
                      {ANSWERS[answer].label}
                    </Button>
                    <p className="text-quiet">{ANSWERS[answer].effect}</p>
                  </form>
                </li>
              ))}
          </ul>
        )}
      </div>
    </div>
  )
}

type Words = { title: string; text: ReactNode }

/** The answers, with what happens after each. */
const ANSWERS: Record<VisitorAnswer, { label: string; effect: string; done: Words }> = {
  yes: {
    label: 'Yes, they called',
    effect: 'We note that they reached you. Nothing else happens.',
    done: {
      title: 'Good to know',
      text: <p>We have noted that the clinic reached you. There is nothing else to do.</p>,
    },
  },
  not_yet: {
    label: 'Not yet',
    effect: 'We tell our team, and ask the clinic again to call you.',
    done: {
      title: 'We are on it',
      text: (
        <>
          <p>Our team is being told, and the clinic is asked again to call you.</p>
          <Help>If nobody calls you soon,</Help>
        </>
      ),
    },
  },
  no_longer: {
    label: 'I no longer want this',
    effect: 'We end your request, and ask the clinic not to call you.',
    done: {
      title: 'Your request has ended',
      text: (
        <>
          <p>We are asking the clinic not to call you about it. A call that is on its way may still reach you.</p>
          <Help>If you change your mind,</Help>
        </>
      ),
    },
  },
}

function wordsOf({ state, answer, clinic }: Called): Words {
  switch (state) {
    case 'ask':
      return {
        title: 'Did the clinic call you?',
        text: <p>{clinic ?? 'The clinic'} has your request. Has anybody from there reached you by phone?</p>,
      }
    case 'done':
      return answer ? ANSWERS[answer].done : OVER
    case 'over':
      return OVER
    case 'invalid':
      return {
        title: 'This link is not complete',
        text: <Help>Please open the link in our e-mail again. If that does not help,</Help>,
      }
  }
}

const OVER: Words = {
  title: 'There is nothing to answer',
  text: (
    <>
      <p>We know by now what became of your request, or it is no longer with the clinic that we asked about.</p>
      <Help>If you have a question,</Help>
    </>
  ),
}

/** Shows the contact of the team, at the end of a sentence. */
function Help({ children }: { children: string }) {
  return (
    <p>
      {children} <WriteOrCall linkClass="underline underline-offset-3" />.
    </p>
  )
}
