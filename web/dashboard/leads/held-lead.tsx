import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CONSENT } from '../../../core/contract/consent.ts'
import {
  CONFIRMED_CONSENTS,
  ConfirmedConsent,
  HELD_REASONS,
  type HeldReason,
  lacksConsent,
} from '../../../core/contract/forms.ts'
import { listCandidates, releaseLead, UNDO_SECONDS } from '../../../core/leads/contract/lead-changes.ts'
import type { RelatedLead } from '../../../core/leads/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { SmallButton } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useUndo } from '../undo.tsx'
import { samePersonSentence, useLeadAction } from './use-lead-action.ts'

export function heldWords({ held_reason }: { held_reason: HeldReason }, mayRelease: boolean): string {
  return `${HELD_REASONS[held_reason]} Nothing is sent until ${mayRelease ? 'you release' : 'a manager releases'} the lead.`
}

type Held = {
  id: number
  name: string
  reason: HeldReason
  className?: string
}

const FAILED = 'Failed to release lead'

/** Asks first without a proven consent, after an opt-out, and if a second provider may learn of the same person. */
export function ReleaseHeld({ id, name, reason, className }: Held) {
  const [others, setOthers] = useState<RelatedLead[]>()
  const [consent, setConsent] = useState<ConfirmedConsent>()
  const { offer } = useUndo()
  const lifts = reason === 'do_not_contact'
  const needsConsent = lacksConsent(reason)
  const close = () => setOthers(undefined)
  const release = useLeadAction({
    act: () => act(releaseLead, { params: { id }, body: { consent } }),
    done: () => {
      if (!needsConsent) return 'Lead released'
      return void offer({ undo: 'undo-match', ids: [id], description: 'Lead released' })
    },
    failed: FAILED,
  })
  const start = () => release.mutate(undefined, { onSettled: close })
  const check = useMutation({
    mutationFn: () => call(listCandidates, { params: { id } }),
    onSuccess: ({ samePerson }) => (lifts || needsConsent || samePerson.length > 0 ? setOthers(samePerson) : start()),
    onError: ({ message }) => toast({ variant: 'destructive', title: FAILED, description: message }),
  })
  const { title, confirm } = lifts ? LIFT : needsConsent ? CONFIRM_CONSENT : AGAIN
  return (
    <>
      <SmallButton
        variant={className ? 'ghost' : 'primary'}
        className={className}
        busy={check.isPending || release.isPending}
        onClick={() => check.mutate()}
      >
        {lifts || needsConsent ? 'Release...' : 'Release'}
      </SmallButton>
      {others && (
        <ConfirmDialog
          title={title}
          confirmLabel={confirm}
          variant={needsConsent ? 'primary' : 'danger'}
          disabled={needsConsent && !consent}
          busy={release.isPending}
          onConfirm={start}
          onClose={close}
        >
          <div className="grid gap-3">
            {lifts && (
              <p>
                {name} asked not to be contacted, but later sent this form with a new consent. If you release it, this
                person is taken off the list, and a provider is asked to call.
              </p>
            )}
            {needsConsent && (
              <p>
                The form does not prove what {name} agreed to. Your answer is recorded, and a provider is asked to call.
                You can undo this for {UNDO_SECONDS} seconds.
              </p>
            )}
            {others.map((other) => (
              <p key={other.id}>{samePersonSentence(other)}</p>
            ))}
            {others.length > 0 && (
              <p>
                If you release this one, a provider is notified about {name} again, and it may be a different provider.
              </p>
            )}
            {needsConsent && <ConsentChoice consent={consent} onChoose={setConsent} />}
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}

const LIFT = { title: 'Allow contact and release this lead?', confirm: 'Allow contact and release' }
const CONFIRM_CONSENT = { title: 'How was consent given?', confirm: 'Release' }
const AGAIN = { title: 'Release this lead?', confirm: 'Release anyway' }

type ConsentProps = { consent: ConfirmedConsent | undefined; onChoose: (consent: ConfirmedConsent) => void }

function ConsentChoice({ consent, onChoose }: ConsentProps) {
  return (
    <>
      <blockquote className="rounded-lg bg-mist p-3 text-sm text-ink">
        “{CONSENT.phone.wording} {CONSENT.phone.sharing.wording}”
      </blockquote>
      <fieldset className="grid gap-1">
        <legend className="sr-only">How was consent given?</legend>
        {ConfirmedConsent.options.map((each) => (
          <CheckField
            key={each}
            type="radio"
            name="consent"
            label={CONFIRMED_CONSENTS[each]}
            checked={consent === each}
            onChange={() => onChoose(each)}
          />
        ))}
      </fieldset>
    </>
  )
}
