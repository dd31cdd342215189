import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  getSentEmail,
  getSentPayload,
  jobLabel,
  type LedgerJob,
  SECRET_MARK,
  showSentEmail,
} from '../../../core/deliveries/contract/jobs.ts'
import { call, urlOf } from '../../lib/call.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Facts } from '../../ui/action-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { ChoiceButtons } from '../../ui/tabs.tsx'
import { CopyButton } from '../contact.tsx'

type Delivery = { id: number; jobId: string }
type Props = { leadId: number; job: LedgerJob; onClose: () => void }

export function SentMessageDialog({ leadId, job, onClose }: Props) {
  const of = { id: leadId, jobId: job.id }
  return (
    <Dialog
      title={jobLabel(job)}
      className="grid w-4xl max-w-[calc(100vw-2rem)] grid-cols-[minmax(0,1fr)] gap-4 p-4 text-sm sm:p-5"
      hasClose
      onClose={onClose}
    >
      {job.name === 'send-email' ? <SentEmail of={of} /> : <SentPayload of={of} />}
    </Dialog>
  )
}

const FAILED = 'Failed to load what was sent'
const PARTS = [
  ['html', 'HTML'],
  ['text', 'Plain text'],
] as const

function SentEmail({ of }: { of: Delivery }) {
  const [part, setPart] = useState<(typeof PARTS)[number][0]>('html')
  const query = useQuery({
    queryKey: ['leads', 'sent-email', of.id, of.jobId],
    queryFn: () => call(getSentEmail, { params: of }),
  })
  return (
    <Loaded of={query} fallback={FAILED} className="h-[44dvh] w-full sm:h-[60dvh]">
      {({ to, subject, sent_at, text }) => (
        <>
          <Facts of={Object.entries({ To: to, Subject: subject, Sent: formatMoment(sent_at) })} />
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <ChoiceButtons legend="Part" options={PARTS} chosen={part} onChoose={setPart} />
            <p className="text-xs text-quiet">
              {SECRET_MARK} stands for what only the recipient may have. Links lead nowhere here.
            </p>
          </div>
          {part === 'html' ? (
            // The answer has a policy of its own, which allows inline styles and nothing else.
            <iframe
              title="The email"
              sandbox=""
              src={urlOf(showSentEmail, { params: of })}
              className="h-[44dvh] w-full rounded-lg border border-line sm:h-[60dvh]"
            />
          ) : (
            <Scrolled className="h-[44dvh] font-sans sm:h-[60dvh]">{text}</Scrolled>
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
    select: ({ payload, sent_at }) => ({ json: JSON.stringify(payload, null, 2), sent_at }),
  })
  return (
    <Loaded of={query} fallback={FAILED} className="h-60 w-full">
      {({ json, sent_at }) => (
        <>
          <div className="flex items-center justify-between gap-4">
            <p className="text-quiet">Attempt of {formatMoment(sent_at)}</p>
            <CopyButton text={json} what="the payload" />
          </div>
          <Scrolled className="max-h-[44dvh] bg-mist font-mono text-xs leading-5 sm:max-h-[60dvh]">{json}</Scrolled>
        </>
      )}
    </Loaded>
  )
}

function Scrolled({ className, children }: { className: string; children: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
      tabIndex={0}
      className={`overflow-auto rounded-lg border border-line p-3 whitespace-pre-wrap wrap-anywhere text-ink ${className}`}
    >
      {children}
    </pre>
  )
}
