import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getSentEmail, getSentPayload, SECRET_MARK, showSentEmail } from '../../../core/deliveries/contract/jobs.ts'
import { call, urlOf } from '../../lib/call.ts'
import { formatMoment } from '../../lib/dates.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { CopyButton } from '../contact.tsx'

/** A delivery of which a copy is kept. */
export type SentCopy = { kind: 'email' | 'payload'; jobId: string }

type Props = {
  leadId: number
  copy: SentCopy
  /** What the delivery is called. */
  title: string
  onClose: () => void
}

/** Shows what a delivery has sent: the email, or the payload for the CRM. */
export function SentMessageDialog({ leadId, copy: { kind, jobId }, title, onClose }: Props) {
  const of = { id: leadId, jobId }
  return (
    <Dialog
      title={title}
      className="grid w-4xl max-w-[calc(100vw-2rem)] grid-cols-[minmax(0,1fr)] gap-4 p-4 text-sm sm:p-5"
      corner={
        <SmallButton variant="ghost" onClick={onClose} className="-mt-1 -mr-2">
          Close
        </SmallButton>
      }
      onClose={onClose}
    >
      {kind === 'email' ? <SentEmail of={of} /> : <SentPayload of={of} />}
    </Dialog>
  )
}

type Delivery = { id: number; jobId: string }

function SentEmail({ of }: { of: Delivery }) {
  const [isText, setText] = useState(false)
  const query = useQuery({
    queryKey: ['leads', 'sent-email', of.id, of.jobId],
    queryFn: () => call(getSentEmail, { params: of }),
  })
  return (
    <Loaded of={query} fallback="Failed to load what was sent" className="h-[44dvh] w-full sm:h-[60dvh]">
      {({ to, subject, sent_at, text }) => (
        <>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            <Fact name="To">{to}</Fact>
            <Fact name="Subject">{subject}</Fact>
            <Fact name="Sent">
              <time dateTime={sent_at}>{formatMoment(sent_at)}</time>
            </Fact>
          </dl>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <fieldset className="flex gap-1">
              <legend className="sr-only">Part</legend>
              <PartButton isShown={!isText} onShow={() => setText(false)}>
                HTML
              </PartButton>
              <PartButton isShown={isText} onShow={() => setText(true)}>
                Plain text
              </PartButton>
            </fieldset>
            <p className="text-xs text-quiet">
              {SECRET_MARK} stands for what only the recipient may have. Links lead nowhere here.
            </p>
          </div>
          {isText ? (
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
              tabIndex={0}
              className="h-[44dvh] overflow-auto sm:h-[60dvh] rounded-lg border border-line p-3 font-sans whitespace-pre-wrap wrap-anywhere text-ink"
            >
              {text}
            </pre>
          ) : (
            // The answer has a policy of its own, which allows inline styles and nothing else.
            <iframe
              title="The email"
              sandbox=""
              src={urlOf(showSentEmail, { params: of })}
              className="h-[44dvh] w-full rounded-lg sm:h-[60dvh] border border-line"
            />
          )}
        </>
      )}
    </Loaded>
  )
}

function SentPayload({ of }: { of: Delivery }) {
  const query = useQuery({
    queryKey: ['leads', 'sent-payload', of.id, of.jobId],
    queryFn: () => call(getSentPayload, { params: of }),
  })
  return (
    <Loaded of={query} fallback="Failed to load what was sent" className="h-60 w-full">
      {({ payload, sent_at }) => <Payload json={JSON.stringify(payload, null, 2)} sentAt={sent_at} />}
    </Loaded>
  )
}

function Payload({ json, sentAt }: { json: string; sentAt: string }) {
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <p className="text-quiet">
          Attempt of <time dateTime={sentAt}>{formatMoment(sentAt)}</time>
        </p>
        <CopyButton text={json} what="the payload" />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        tabIndex={0}
        className="max-h-[44dvh] sm:max-h-[60dvh] overflow-auto rounded-lg border border-line bg-mist p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere text-ink"
      >
        {json}
      </pre>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="wrap-anywhere text-ink">{children}</dd>
    </>
  )
}

function PartButton({ isShown, onShow, children }: { isShown: boolean; onShow: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className="min-h-8 rounded-lg px-3 font-semibold text-quiet hover:text-ink aria-pressed:bg-mist aria-pressed:text-ink max-lg:min-h-11"
    >
      {children}
    </button>
  )
}
