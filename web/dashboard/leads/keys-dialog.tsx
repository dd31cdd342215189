import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type Key = { keys: string[]; does: string; isAct?: boolean }

const KEYS: Key[] = [
  { keys: ['j', '↓'], does: 'Next lead' },
  { keys: ['k', '↑'], does: 'Previous lead' },
  { keys: ['Enter', 'o'], does: 'Open the lead' },
  { keys: ['Esc'], does: 'Close the lead' },
  { keys: ['x'], does: 'Select the lead', isAct: true },
  { keys: ['u'], does: 'Undo the deletion', isAct: true },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'Show these keys' },
]

export function KeysDialog({ canAct, onClose }: { canAct: boolean; onClose: () => void }) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      className="w-sm max-w-full p-6"
      corner={
        <Button variant="ghost" size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      <dl className="mt-4 grid gap-2.5">
        {KEYS.filter(({ isAct }) => canAct || !isAct).map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-edge bg-mist px-2 font-sans text-sm text-ink">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
