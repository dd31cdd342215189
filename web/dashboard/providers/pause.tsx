import { useState } from 'react'
import { changeProviderRules, type RulesChange } from '../../../core/providers/contract/provider-rules.ts'
import type { StaffProvider } from '../../../core/providers/contract/providers.ts'
import { call } from '../../lib/call.ts'
import { startOfIsoDay } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { FormButtons } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { practiceOf } from '../provider-picker.tsx'

type Props = { provider: StaffProvider }

const isPaused = ({ obstacle }: StaffProvider) => obstacle?.reason === 'paused'

function useChange({ provider: { id } }: Props, done: string) {
  return useAction({
    act: (body: RulesChange) => call(changeProviderRules, { params: { id }, body }),
    done,
    failed: 'Failed to change the pause',
    changes: 'providers',
  })
}

/** Pauses a provider after a dialog of two optional fields, or ends its pause. */
export function PauseButton({ provider }: Props) {
  const [isAsking, setAsking] = useState(false)
  const end = useChange({ provider }, `${practiceOf(provider)} gets leads again`)
  const act = () =>
    isPaused(provider) ? end.mutate({ is_paused: false, paused_until: null, paused_because: null }) : setAsking(true)
  return (
    <>
      <Button variant="outline" size="small" busy={end.isPending} onClick={act}>
        {isPaused(provider) ? 'End pause' : 'Pause...'}
      </Button>
      {isAsking && <PauseDialog provider={provider} onClose={() => setAsking(false)} />}
    </>
  )
}

function PauseDialog({ provider, onClose }: Props & { onClose: () => void }) {
  const pause = useChange({ provider }, `${practiceOf(provider)} is paused`)
  const [until, setUntil] = useState('')
  const [reason, setReason] = useState('')
  const paused_until = until ? startOfIsoDay(until) : null
  const isPast = paused_until !== null && Date.parse(paused_until) <= Date.now()
  return (
    <Dialog title={`Pause ${practiceOf(provider)}`} onClose={onClose} className="w-md max-w-full p-6">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isPast) return
          pause.mutate({ is_paused: true, paused_until, paused_because: reason.trim() || null }, { onSuccess: onClose })
        }}
      >
        <p className="mt-2 mb-3 text-quiet">
          New leads go to other providers. What it has already stays with it. A sync never ends the pause.
        </p>
        <TextField
          label="Takes leads again on (optional)"
          type="date"
          value={until}
          error={isPast ? 'Choose a day after today' : undefined}
          onChange={({ target }) => setUntil(target.value)}
        />
        <TextField
          label="Reason (optional)"
          maxLength={200}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <FormButtons submit="Pause" busy={pause.isPending} className="mt-6" onClose={onClose} />
      </form>
    </Dialog>
  )
}
