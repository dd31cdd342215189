import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { contactCardUrl } from '../../../core/contract/page.ts'
import { formatPhone, telUrl } from '../../../core/contract/texts.ts'
import type { MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { WriteOrCall } from '../../shared/contact-links.tsx'
import { buttonClass } from '../../ui/button.tsx'

export const CARD = 'overflow-hidden rounded-2xl border border-line bg-white'
export const HEADING = 'font-display text-2xl font-medium text-ink'

type PanelProps = { id: string; title: string; className?: string; children: ReactNode }

export function Panel({ id, title, className = '', children }: PanelProps) {
  return (
    <section aria-labelledby={id} className={`${CARD} p-5 sm:p-7 ${className}`}>
      <h2 id={id} className={HEADING}>
        {title}
      </h2>
      {children}
    </section>
  )
}

export function StarterKit({ className = '' }: { className?: string }) {
  return (
    <section
      aria-labelledby="starter-kit-heading"
      className={`on-dark flex flex-wrap content-between items-center justify-between gap-x-8 gap-y-5 rounded-2xl bg-primary p-5 text-white sm:p-7 ${className}`}
    >
      <div className="max-w-[60ch]">
        <h2 id="starter-kit-heading" className="font-display text-2xl font-medium">
          Start while you wait
        </h2>
        <p className="mt-1 text-lilac">
          Order the {brand.product} starter kit and have it ready for your consultation.
        </p>
      </div>
      <a
        href={brand.starterKitUrl}
        target="_blank"
        rel="noreferrer"
        className={`${buttonClass({ variant: 'light' })} max-sm:w-full`}
      >
        Order Your Starter Kit
      </a>
    </section>
  )
}

type Step = { when: string; what: ReactNode }

/** The steps agree with the emails to the visitor (worker/emails/visitor.tsx). */
export const searchSteps: Step[] = [
  { when: 'Just now', what: 'We received your request. You get an email that confirms it.' },
  {
    when: 'From now on',
    what: 'Our team looks for a provider. Once we find one, they get your contact details, and you get an email that says who they are.',
  },
  {
    when: 'At any time',
    what: (
      <>
        If you have a question, <WriteOrCall />.
      </>
    ),
  },
]

export const reviewSteps: Step[] = [
  { when: 'Just now', what: 'We received your request.' },
  {
    when: 'Within two business days',
    what: 'Someone on our team reviews your request before it goes to a clinic, for example because several requests had the same email address or came from the same network within a short time. After that, you get an email that says who will call you.',
  },
  {
    when: 'After two business days',
    what: (
      <>
        If you do not hear from us, <WriteOrCall />.
      </>
    ),
  },
]

/** Returns the steps of a request that a provider has; `null` if the provider cannot be shown. */
export function matchedSteps(provider: MicrositeProvider | null): Step[] {
  const name = provider ? provider.practiceName || provider.name : 'the provider'
  const phone = provider?.phone
  const callUrl = phone && telUrl(phone)
  return [
    { when: 'Just now', what: `We told ${name} about your request.` },
    {
      when: 'Within one business day',
      what: phone ? (
        <>
          They call you, usually from <span className="whitespace-nowrap">{formatPhone(phone)}</span>.{' '}
          <a href={contactCardUrl(provider.id)} className={`${buttonClass({ variant: 'outline' })} mt-2.5 flex! w-fit`}>
            Save contact
          </a>
        </>
      ) : (
        'They call you.'
      ),
    },
    {
      when: 'After two business days',
      what: (
        <>
          {'Heard nothing? '}
          {callUrl && (
            <>
              <a
                href={callUrl}
                className="font-semibold text-secondary underline underline-offset-4 hover:text-primary"
              >
                Call them
              </a>
              , or{' '}
            </>
          )}
          <WriteOrCall startsSentence={!phone} />.
        </>
      ),
    },
  ]
}

export function NextSteps({ steps }: { steps: Step[] }) {
  return (
    <Panel id="next-heading" title="What Happens Next">
      <ol className="relative mt-5 grid gap-6 pl-11">
        <span aria-hidden="true" className="scale-y absolute inset-y-1 left-0 w-4 text-edge/50" />
        {steps.map(({ when, what }, index) => (
          <li key={when} className="relative wrap-anywhere">
            <span
              aria-hidden="true"
              className="absolute -left-11 grid size-8 place-items-center rounded-full border-2 border-white bg-secondary text-sm font-semibold text-white"
            >
              {index + 1}
            </span>
            <p className="font-semibold text-ink">{when}</p>
            <p className="mt-0.5 leading-relaxed">{what}</p>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
