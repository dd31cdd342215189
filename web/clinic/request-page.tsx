import type { ReactNode } from 'react'
import { WORDING_OF_CLIENT } from '../../core/contract/consent.ts'
import { CALLING_WORDS, callingAt } from '../../core/contract/hours.ts'
import { clinicPartPath } from '../../core/contract/page.ts'
import { aboutMiles, formatCount } from '../../core/contract/texts.ts'
import type { GivenAnswer, RequestPage as Page, RequestView } from '../../core/leads/contract/outcomes.ts'
import { formatDeadline, formatMinute, formatSince, setTimeZone } from '../lib/dates.ts'
import { useNow } from '../lib/hooks.ts'
import { usePageData } from '../lib/page-data.ts'
import { PageMeta } from '../shared/page-meta.tsx'
import { buttonClass } from '../ui/button.tsx'
import { AnswerForm, answerInWords, byWhom, ENDS, nextSteps, StopForm } from './answer-form.tsx'
import { CallLink, Card, ClinicShell, PageTitle } from './clinic-shell.tsx'

/** Every form posts to the address of the page and works without JavaScript: a click waits for no script. */
export function RequestPage() {
  const { request: page = { state: 'ended', because: 'invalid' }, timeZone } = usePageData()
  setTimeZone(timeZone)

  return (
    <ClinicShell footer={<ForClinic />}>
      <PageMeta title={titleOf(page)} hidden />
      {page.state === 'ended' && <Ended {...page} />}
      {page.state === 'stop' && <StopForm {...page} />}
      {page.state === 'open' && <Request {...page} />}
    </ClinicShell>
  )
}

const FOR_CLINIC = [
  ['requests', 'All my requests'],
  ['pause', 'Pause new requests until…'],
  ['people', 'Send requests to another address'],
] as const

/** Links to the pages of the clinic, which ask for its address first and lead to the right part then. */
function ForClinic() {
  return (
    <nav aria-label="For your clinic" className="grid gap-1">
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {FOR_CLINIC.map(([part, label]) => (
          <li key={part}>
            <a href={clinicPartPath(part)} className="inline-flex min-h-6 items-center underline underline-offset-3">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <p>
        This link opens this request alone, so that you can forward it. For the others you sign in: we email a link to
        your clinic’s address.
      </p>
    </nav>
  )
}

/** Returns a title without the person's name, because browsers keep titles in their history. */
function titleOf(page: Page): string {
  if (page.state === 'ended') return ENDS[page.because].title
  return `Request no. ${page.state === 'open' ? page.request.leadId : page.leadId}`
}

function Ended({ because, leadId }: Extract<Page, { state: 'ended' }>) {
  const { title, text } = ENDS[because]
  return (
    <>
      <PageTitle>{title}</PageTitle>
      {leadId !== undefined && <p className="text-ink">Request no. {leadId}</p>}
      <p className="max-w-[56ch] text-lg">{text}</p>
    </>
  )
}

function Request({ request, now, typed, errors, waiting }: Extract<Page, { state: 'open' }>) {
  const { leadId, clinic, name, createdAt, dueAt, current } = request
  const at = useNow(now)
  return (
    <>
      <div className="grid gap-1">
        <p className="text-sm text-quiet wrap-anywhere">
          Request no. {leadId} for {clinic}
        </p>
        <PageTitle>
          <span dir="auto">{name}</span>
        </PageTitle>
        <p>
          Asked for a consultation <time dateTime={createdAt}>{formatSince(createdAt, at)}</time>.
        </p>
        {dueAt !== null && (
          <p className={`font-semibold ${dueAt < now ? 'text-bad' : 'text-ink'}`}>
            {dueAt < now ? 'Late since' : 'Please answer by'} {formatDeadline(dueAt)}.
          </p>
        )}
      </div>
      <Contact {...request} at={at} />
      {current && <Current answer={current} waiting={waiting} />}
      <AnswerForm {...{ typed, errors, current }} />
      <Facts {...request} />
      <History answers={request.history} />
    </>
  )
}

function Contact({ phone, dial, calledAt, email, at }: RequestView & { at: number }) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-2">
      {dial !== null && (
        <CallLink dial={dial} place={calledAt} className={buttonClass({ size: 'large' })}>
          Call {phone}
        </CallLink>
      )}
      <a href={mailto(email)} className={buttonClass({ variant: 'outline', size: 'large' })}>
        {dial === null ? 'Write an email' : 'Email'}
      </a>
      {dial !== null && (
        // Live, because the first press of “Call” must find its script.
        <p data-live className="col-span-2 text-sm">
          {calledAt ? callingAt(calledAt, at).words : CALLING_WORDS}
        </p>
      )}
    </div>
  )
}

type CurrentProps = { answer: GivenAnswer; waiting: Extract<Page, { state: 'open' }>['waiting'] }

function Current({ answer, waiting }: CurrentProps) {
  return (
    <div role="status" className="grid gap-1 rounded-2xl border border-good bg-good-soft px-4 py-3 sm:px-6">
      <p className="font-semibold text-good">{answerInWords(answer)}</p>
      <p className="text-ink">{nextSteps(answer)}</p>
      <p className="text-sm text-quiet">
        From {byWhom(answer)}, {formatMinute(answer.at)}
      </p>
      {answer.kind === 'booked' && answer.booked_for && (
        <a href="?calendar=1" download className={LINK}>
          Add the day to your calendar
        </a>
      )}
      {waiting && (
        <a href={waiting.url} className={`mt-2 justify-self-start ${buttonClass()}`}>
          {formatCount(waiting.count)} more {waiting.count === 1 ? 'waits' : 'wait'}: next
        </a>
      )}
    </div>
  )
}

function Facts({ phone, dial, calledAt, email, zipCode, place, miles, wishes, consent, createdAt }: RequestView) {
  const where = [place ? `${place} ${zipCode}` : zipCode, miles === null ? '' : `${aboutMiles(miles)} from your clinic`]
  return (
    <Card title="The request">
      <dl className="grid gap-3">
        <Fact label="Phone">
          {dial === null ? (
            <span dir="auto">{phone}</span>
          ) : (
            <CallLink dial={dial} place={calledAt} className={LINK}>
              {phone}
            </CallLink>
          )}
        </Fact>
        <Fact label="Email">
          <a href={mailto(email)} className={LINK}>
            {email}
          </a>
        </Fact>
        <Fact label="Place">{where.filter(Boolean).join(', ')}</Fact>
        {wishes.map(({ label, value }) => (
          <Fact key={label} label={label}>
            <span dir="auto">{value}</span>
          </Fact>
        ))}
        <Fact label="Received">{formatMinute(createdAt)}</Fact>
        <Fact label="Consent">
          <span dir="auto">{consentWords(consent)}</span>
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="text-ink wrap-anywhere">{children}</dd>
    </div>
  )
}

const LINK = 'inline-block min-h-6 text-secondary underline underline-offset-3'

function History({ answers }: { answers: GivenAnswer[] }) {
  if (answers.length < 2 && !answers.some(({ note }) => note)) return null
  return (
    <Card title="Your answers">
      <ol className="grid gap-3">
        {answers.map((answer) => (
          <li key={answer.at}>
            <p className="text-ink">{answerInWords(answer)}</p>
            {answer.note && (
              <p dir="auto" className="whitespace-pre-line wrap-anywhere">
                {answer.note}
              </p>
            )}
            <p className="text-sm text-quiet">{formatMinute(answer.at)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const mailto = (email: string) => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

function consentWords(consent: RequestView['consent']): string {
  if (consent === null) return 'The evidence is no longer kept.'
  const { wording, isOurs, givenAt } = consent
  const given = `Given on ${formatMinute(givenAt)}`
  if (wording === '') return `${given}. The client that sent the request stated no wording.`
  return isOurs
    ? `${given}, in these words: “${wording}”`
    : `${given}, not on a form of ours. ${sentence(WORDING_OF_CLIENT)}: “${wording}”`
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
