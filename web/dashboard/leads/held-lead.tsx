import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CONSENT } from '../../../core/contract/consent.ts'
import {
  CONFIRMED_CONSENTS,
  ConfirmedConsent,
  HELD_REASONS,
  type HeldReason,
  lacksConsent,
} from '../../../core/contract/forms.ts'
import { listCandidates, type MatchCandidates } from '../../../core/contract/lead-match.ts'
import { type Lead, releaseLead } from '../../../core/contract/leads.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { act, call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { useUndo } from '../undo.tsx'
import { samePersonSentence } from './sentences.ts'
import { useLeadAction } from './use-lead-action.ts'

type Props = {
  lead: Lead & { held_reason: HeldReason }
  /** The id of the reason's element, for `aria-describedby` of disabled buttons. */
  reasonId: string
}

/** Shows why a lead is held, with a button to release it. */
export function HeldLead({ lead, reasonId }: Props) {
  const can = useAccess()
  return (
    <div className="grid w-full max-w-72 justify-items-start gap-2">
      <p id={reasonId} className="text-sm text-quiet">
        {heldWords(lead, can('lead.manage'))}
      </p>
      {can('lead.manage') && (
        <ReleaseHeld id={lead.id} name={`${lead.first_name} ${lead.last_name}`} reason={lead.held_reason} />
      )}
    </div>
  )
}

/** Says why a lead is held, and who can release it. */
export function heldWords({ held_reason }: Props['lead'], mayRelease: boolean): string {
  return `${HELD_REASONS[held_reason]} Nothing is sent until ${mayRelease ? 'you release' : 'a manager releases'} the lead.`
}

type Held = {
  id: number
  name: string
  /** The classes of the button in a row of the list. */
  className?: string
}

/** The button that releases a lead. It asks first where that has consequences. */
export function ReleaseHeld({ reason, ...lead }: Held & { reason: HeldReason }) {
  if (reason === 'do_not_contact') return <LiftAndRelease {...lead} />
  return lacksConsent(reason) ? <ConfirmAndRelease {...lead} /> : <ReleaseButton {...lead} />
}

type RelatedLeads = MatchCandidates['samePerson']

/**
 * Releases a lead. Asks first if the same person has sent other requests, because a second clinic may then be told of
 * them.
 */
function ReleaseButton({ id, name, className }: Held) {
  const [others, setOthers] = useState<RelatedLeads>([])
  const release = useReleaseLead()
  const start = () => release.mutate(id, { onSettled: () => setOthers([]) })
  const check = useMutation({
    mutationFn: () => listSamePerson(id),
    onSuccess: (found) => (found.length > 0 ? setOthers(found) : start()),
    onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to release lead', description: message }),
  })

  return (
    <>
      <Button
        size="small"
        variant={className ? 'ghost' : 'primary'}
        className={className}
        busy={check.isPending || release.isPending}
        onClick={() => check.mutate()}
      >
        Release
      </Button>
      {others.length > 0 && (
        <ConfirmDialog
          title="Release this lead?"
          confirmLabel="Release anyway"
          busy={release.isPending}
          onConfirm={start}
          onClose={() => setOthers([])}
        >
          <div className="grid gap-2">
            {others.map((other) => (
              <p key={other.id}>{samePersonSentence(other)}</p>
            ))}
            <p>If you release this one, a clinic is told about {name} again, and it may be a different clinic.</p>
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Releases a lead whose person had asked not to be contacted. Asks first, because the release ends that opt-out. */
function LiftAndRelease({ id, name, className }: Held) {
  const [isOpen, setOpen] = useState(false)
  const release = useReleaseLead()
  return (
    <>
      <AskToRelease className={className} onAsk={() => setOpen(true)} />
      {isOpen && (
        <ConfirmDialog
          title="Allow contact and release this lead?"
          confirmLabel="Allow contact and release"
          busy={release.isPending}
          onConfirm={() => release.mutate(id, { onSettled: () => setOpen(false) })}
          onClose={() => setOpen(false)}
        >
          <p>
            {name} asked not to be contacted, and has sent this form since, with a new consent. If you release it, this
            person is taken off the list, and a clinic is told to call.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Releases a lead whose form does not prove a consent. Asks how it was given, which is recorded. */
function ConfirmAndRelease({ id, name, className }: Held) {
  const [isOpen, setOpen] = useState(false)
  const [consent, setConsent] = useState<ConfirmedConsent>()
  const { offer: offerUndo } = useUndo()
  const others = useQuery({
    queryKey: ['leads', 'same-person', id],
    queryFn: () => listSamePerson(id),
    enabled: isOpen,
  })
  const release = useLeadAction({
    act: () => act(releaseLead, { params: { id }, body: { consent } }),
    done: () => offerUndo({ undo: 'undo-match', ids: [id], description: 'Lead released' }),
    failed: 'Failed to release lead',
  })
  const { wording, sharing } = CONSENT.phone
  return (
    <>
      <AskToRelease className={className} onAsk={() => setOpen(true)} />
      {isOpen && (
        <ConfirmDialog
          title="How was consent given?"
          confirmLabel="Release"
          variant="primary"
          disabled={!consent}
          busy={release.isPending}
          onConfirm={() => release.mutate(undefined, { onSettled: () => setOpen(false) })}
          onClose={() => setOpen(false)}
        >
          <div className="grid gap-3">
            <p>
              The form does not prove what {name} agreed to. Your answer is recorded. Then a clinic is told to call; you
              can undo this for {UNDO_SECONDS} seconds.
            </p>
            {others.data?.map((other) => (
              <p key={other.id}>{samePersonSentence(other)}</p>
            ))}
            <blockquote className="rounded-lg bg-mist p-3 text-sm text-ink">
              “{wording} {sharing.wording}”
            </blockquote>
            <fieldset className="grid gap-1">
              <legend className="sr-only">How was consent given?</legend>
              {ConfirmedConsent.options.map((each) => (
                <label key={each} className="flex min-h-11 items-center gap-2.5 text-sm font-semibold text-ink">
                  <input
                    type="radio"
                    name="consent"
                    checked={consent === each}
                    onChange={() => setConsent(each)}
                    className="size-5 shrink-0 accent-secondary"
                  />
                  {CONFIRMED_CONSENTS[each]}
                </label>
              ))}
            </fieldset>
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}

function AskToRelease({ className, onAsk }: Pick<Held, 'className'> & { onAsk: () => void }) {
  return (
    <Button size="small" variant={className ? 'ghost' : 'primary'} className={className} onClick={onAsk}>
      Release...
    </Button>
  )
}

function useReleaseLead() {
  return useLeadAction({
    act: (id: number) => act(releaseLead, { params: { id }, body: {} }),
    done: 'Lead released',
    failed: 'Failed to release lead',
  })
}

async function listSamePerson(id: number): Promise<RelatedLeads> {
  return (await call(listCandidates, { params: { id } })).samePerson
}
