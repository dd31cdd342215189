import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import type {
  PhoneNumberPage as Asked,
  CalledPage as Called,
  OptOutPage as OptOut,
  VisitorAnswer,
} from '../../../core/contract/page.ts'
import { usePageData } from '../../lib/page-data.ts'
import { WriteOrCall } from '../../shared/contact-links.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

type Words = { title: string; text: ReactNode }

const INVALID: Words = {
  title: 'This link is not complete',
  text: <Help>Please open the link in our email again. If that does not help,</Help>,
}

/** The pages behind the links in emails to visitors and clinics. Their forms are plain and post to the same address. */
function LinkPage({ title, text, between, children }: Words & { between?: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid grow bg-mist">
      <PageMeta title={title} />
      <div className="mx-auto grid w-full max-w-3xl content-center gap-6 px-4 py-10 sm:px-6 lg:py-36">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">{title}</h1>
        {between}
        <div className="grid max-w-[56ch] gap-4 text-lg leading-relaxed">{text}</div>
        {children}
      </div>
    </div>
  )
}

export function CalledPage() {
  const { called = { state: 'invalid' } } = usePageData()
  const answers: VisitorAnswer[] = ['yes', 'not_yet', 'no_longer']
  const chosen = called.state === 'ask' ? called.answer : undefined
  return (
    <LinkPage {...calledWords(called)}>
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
    </LinkPage>
  )
}

const ANSWERS: Record<VisitorAnswer, { label: string; effect: string; done: Words }> = {
  yes: {
    label: 'Yes, they called',
    effect: 'We record that they reached you. Nothing else happens.',
    done: {
      title: 'Good to know',
      text: <p>We have recorded that the clinic reached you. There is nothing else to do.</p>,
    },
  },
  not_yet: {
    label: 'Not yet',
    effect: 'We notify our team, and ask the clinic again to call you.',
    done: {
      title: 'We are on it',
      text: (
        <>
          <p>We are notifying our team, and asking the clinic again to call you.</p>
          <Help>If no one calls you soon,</Help>
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
          <p>We are asking the clinic not to call you about it. You may still get a call in the meantime.</p>
          <Help>If you change your mind,</Help>
        </>
      ),
    },
  },
}

function calledWords({ state, answer, clinic }: Called): Words {
  if (state === 'invalid') return INVALID
  if (state !== 'ask') return state === 'done' && answer ? ANSWERS[answer].done : OVER
  return {
    title: 'Did the clinic call you?',
    text: <p>{clinic ?? 'The clinic'} has your request. Has someone from there reached you by phone?</p>,
  }
}

const OVER: Words = {
  title: 'There is nothing to answer',
  text: (
    <>
      <p>We already have the answer, or your request is no longer with the clinic that we asked about.</p>
      <Help>If you have a question,</Help>
    </>
  ),
}

export function PhoneNumberPage() {
  const { phoneNumber: page = { state: 'invalid' } } = usePageData()
  const asked = page.state === 'ask' ? page : undefined
  return (
    <LinkPage {...numberWords(asked?.clinic)[page.state]}>
      {asked && (
        <form method="post" className="grid max-w-md gap-2">
          <TextField
            type="tel"
            name="phone"
            label="Phone number"
            autoComplete="tel"
            maxLength={40}
            required
            defaultValue={asked.typed}
            error={asked.error}
          />
          <Button type="submit">Send the number</Button>
        </form>
      )}
      {asked && <Help>If the number in your request is right,</Help>}
    </LinkPage>
  )
}

const numberWords = (clinic = 'Your clinic'): Record<Asked['state'], Words> => ({
  ask: {
    title: 'What is your right phone number?',
    text: (
      <p>
        {clinic} could not reach you at the number in your request. We will pass on the right one; nothing else changes.
      </p>
    ),
  },
  done: {
    title: 'Thank you',
    text: (
      <>
        <p>The clinic gets the new number from us, and calls you there.</p>
        <Help>If no one calls you soon,</Help>
      </>
    ),
  },
  over: {
    title: 'There is nothing to correct',
    text: (
      <>
        <p>We already have the right number, your request has ended, or this link is older than 60 days.</p>
        <Help>If you have a question,</Help>
      </>
    ),
  },
  invalid: INVALID,
})

/** Asks for the end of contact with a person, or for the word of a clinic, before anything changes. */
export function OptOutPage({ of }: Pick<OptOut, 'of'>) {
  const { optOut } = usePageData()
  const { button, ...words } = OPT_OUT_WORDS[of][optOut?.state ?? 'invalid']
  return (
    <LinkPage {...words} between={optOut?.leadId && <p className="text-xl text-ink">Request no. {optOut.leadId}</p>}>
      {button && (
        <form method="post">
          <Button type="submit">{button}</Button>
        </form>
      )}
    </LinkPage>
  )
}

const OPT_OUT_WORDS: Record<OptOut['of'], Record<OptOut['state'], Words & { button?: string }>> = {
  person: {
    ask: {
      title: 'Stop all contact?',
      text: (
        <>
          <p>
            {brand.company} will send you no more emails about your request, and will ask the clinics that have it to
            stop as well. They have ten business days at most.
          </p>
          <p>
            To keep this promise after your details are deleted, we keep a code for your email address and your phone
            number. Only we can match it with an address or a number, using a key that we store separately.
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
            You will get no more emails from us about your request, not even one about this. The clinics that have it
            are being notified, and have ten business days at most to stop.
          </p>
          <Help>If anyone still contacts you after that, or if you change your mind,</Help>
        </>
      ),
    },
    already: {
      title: 'This is already done',
      text: (
        <>
          <p>You are on our do-not-contact list. There is nothing else to do.</p>
          <Help>If anyone still contacts you, or if you change your mind,</Help>
        </>
      ),
    },
    invalid: INVALID,
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
    already: { title: 'This is already confirmed', text: <p>Thank you. There is nothing else to do.</p> },
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
