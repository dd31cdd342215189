import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { HELD_REASONS, type HeldReason } from '../../../core/contract/forms.ts'
import { listCandidates, type MatchCandidates } from '../../../core/contract/lead-match.ts'
import { type Lead, releaseLead } from '../../../core/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { offer } from '../commands.ts'
import { samePersonSentence } from './sentences.ts'
import { useLeadAction } from './use-lead-action.ts'

type Props = {
  lead: Lead & { held_reason: HeldReason }
  /** The id of the reason's element, for `aria-describedby` of disabled buttons. */
  reasonId: string
  canAct: boolean
}

/** Shows why a lead is held, with a button to release it. */
export function HeldLead({ lead, reasonId, canAct }: Props) {
  return (
    <div className="grid w-full max-w-72 justify-items-start gap-2">
      <p id={reasonId} className="text-sm text-quiet">
        {heldWords(lead, canAct)}
      </p>
      {canAct && <ReleaseHeld id={lead.id} name={`${lead.first_name} ${lead.last_name}`} reason={lead.held_reason} />}
    </div>
  )
}

/** Says why a lead is held, and who can release it. */
export function heldWords({ held_reason }: Props['lead'], canAct: boolean): string {
  return `${HELD_REASONS[held_reason]} Nothing is sent until ${canAct ? 'you release' : 'a manager releases'} the lead.`
}

type Held = { id: number; name: string }

/** The button that releases a lead. It asks first where that has consequences. */
export function ReleaseHeld({ reason, ...lead }: Held & { reason: HeldReason }) {
  return reason === 'do_not_contact' ? <LiftAndRelease {...lead} /> : <ReleaseButton {...lead} />
}

type RelatedLeads = MatchCandidates['samePerson']

/**
 * Releases a lead. Asks first if the same person has sent other requests, because a second clinic may then be told of
 * them.
 */
function ReleaseButton({ id, name }: Held) {
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
        ref={offer({ label: 'Release' })}
        size="small"
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
function LiftAndRelease({ id, name }: Held) {
  const [isOpen, setOpen] = useState(false)
  const release = useReleaseLead()
  return (
    <>
      <Button ref={offer({ label: 'Release...' })} size="small" onClick={() => setOpen(true)}>
        Release...
      </Button>
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

function useReleaseLead() {
  return useLeadAction({
    act: (id: number) => act(releaseLead, { params: { id } }),
    done: 'Lead released',
    failed: 'Failed to release lead',
  })
}

async function listSamePerson(id: number): Promise<RelatedLeads> {
  return (await call(listCandidates, { params: { id } })).samePerson
}
