import { useState } from 'react'
import {
  type ApplicationDetails,
  type Certification,
  certifyApplication,
} from '../../../core/contract/application-details.ts'
import { act } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { ProviderLink } from '../provider-link.tsx'
import { useApplicationAction } from './applications.ts'

type Props = { details: ApplicationDetails; canAct: boolean }

/** Shows the clinic that an approved application became, or makes it. */
export function Certify({ details, canAct }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { provider, held_reason } = details
  if (provider) {
    return (
      <p>
        It is <ProviderLink id={provider.id}>a clinic</ProviderLink> now, which is {provider.status}.
      </p>
    )
  }
  if (!canAct || held_reason !== null) return <p className="text-quiet">It is not a clinic yet.</p>
  return (
    <>
      <Button size="small" className="justify-self-start rounded-lg! max-lg:min-h-11" onClick={() => setAsking(true)}>
        Certify...
      </Button>
      {isAsking && <CertifyDialog details={details} onClose={() => setAsking(false)} />}
    </>
  )
}

function CertifyDialog({ details, onClose }: { details: ApplicationDetails; onClose: () => void }) {
  const { id, practice_name } = details
  const [isActive, setActive] = useState(true)
  const [matches, setMatches] = useState(true)
  const certification = useApplicationAction({
    act: (body: Certification) => act(certifyApplication, { params: { id }, body }),
    done: () => {
      toast({ title: 'Success', description: `${practice_name} is certified` })
      onClose()
    },
    failed: 'Failed to certify the application',
  })

  return (
    <ConfirmDialog
      title={`Certify ${practice_name}?`}
      confirmLabel="Certify"
      variant="primary"
      busy={certification.isPending}
      onConfirm={() => certification.mutate({ active: isActive, match_waiting: isActive && matches })}
      onClose={onClose}
    >
      <div className="grid gap-3 text-sm">
        <p>
          The clinic is made in Leadwell with the data of the application. No sync with WordPress changes or deactivates
          it. If it gets a post in WordPress later, that becomes another clinic.
        </p>
        <Choice label="Active: it gets leads at once" isChecked={isActive} onChange={setActive} />
        {isActive && <Choice label="Match waiting leads again" isChecked={matches} onChange={setMatches} />}
      </div>
    </ConfirmDialog>
  )
}

type ChoiceProps = { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void }

function Choice({ label, isChecked, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-ink max-lg:min-h-11">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0 accent-secondary"
      />
      {label}
    </label>
  )
}
