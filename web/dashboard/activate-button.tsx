import { activateProvider } from '../../core/providers/contract/providers.ts'
import { act } from '../lib/call.ts'
import { SmallButton } from '../ui/button.tsx'
import { useAction } from '../ui/use-action.ts'

/** Activates a new clinic of a sync. */
export function ActivateButton({ id, name }: { id: number; name: string }) {
  const activation = useAction({
    act: () => act(activateProvider, { params: { providerId: id } }),
    done: `${name} is activated`,
    failed: 'Failed to activate the clinic',
    changes: 'providers',
  })
  return (
    <SmallButton busy={activation.isPending} onClick={() => activation.mutate(undefined)}>
      Activate<span className="sr-only"> {name}</span>
    </SmallButton>
  )
}
