import type { ProviderLists, Status } from '../../shared/providers/list-providers.ts'
import { Button } from '../../ui/button.tsx'

const LABELS = { active: 'Active', inactive: 'Inactive' }

type Props = { status: Status; providers: ProviderLists; onStatus: (status: Status) => void }

/** Which of the two lists is shown, with how many there are in each. */
export function StatusToggle({ status, providers, onStatus }: Props) {
  return (
    <div className="flex gap-2">
      {(['active', 'inactive'] as const).map((each) => (
        <Button
          key={each}
          variant={each === status ? 'primary' : 'outline'}
          size="small"
          aria-pressed={each === status}
          onClick={() => onStatus(each)}
        >
          {LABELS[each]} ({providers[each]?.length ?? '…'})
        </Button>
      ))}
    </div>
  )
}
