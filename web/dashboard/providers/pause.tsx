import { useState } from 'react'
import { changeProviderRules, type RulesChange } from '../../../core/providers/contract/provider-rules.ts'
import type { StaffProvider } from '../../../core/providers/contract/providers.ts'
import { call } from '../../lib/call.ts'
import { startOfIsoDay } from '../../lib/dates.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { DialogButton, FormDialog } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { practiceOf } from '../provider-picker.tsx'

type Props = { provider: StaffProvider }

const change = ({ id }: StaffProvider, body: RulesChange) => call(changeProviderRules, { params: { id }, body })
const FAILED = { failed: 'Failed to change the pause', changes: 'providers' }

export function PauseButton({ provider }: Props) {
  if (provider.obstacle?.reason !== 'paused') {
    return <DialogButton dialog={(close) => <PauseDialog provider={provider} onClose={close} />}>Pause...</DialogButton>
  }
  return (
    <ActionButton
      act={() => change(provider, { is_paused: false, paused_until: null, paused_because: null })}
      done={`${practiceOf(provider)} gets leads again`}
      {...FAILED}
    >
      End pause
    </ActionButton>
  )
}

function PauseDialog({ provider, onClose }: Props & { onClose: () => void }) {
  const pause = useAction({
    act: (body: RulesChange) => change(provider, body),
    done: `${practiceOf(provider)} is paused`,
    ...FAILED,
  })
  const [until, setUntil] = useState('')
  const [reason, setReason] = useState('')
  const paused_until = until ? startOfIsoDay(until) : null
  const isPast = paused_until !== null && Date.parse(paused_until) <= Date.now()
  return (
    <FormDialog
      title={`Pause ${practiceOf(provider)}`}
      className="w-md"
      submit="Pause"
      busy={pause.isPending}
      onSubmit={(event) => {
        event.preventDefault()
        if (isPast) return
        pause.mutate({ is_paused: true, paused_until, paused_because: reason.trim() || null }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <p className="text-quiet">
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
    </FormDialog>
  )
}
