import { SmallButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { type Right, useAccess } from './access.tsx'

/** `for`: the right that it needs. Default: none. */
type Key = { keys: string[]; does: string; for?: Right }

const KEYS: Record<string, Key[]> = {
  Everywhere: [
    { keys: ['⌘K', 'Ctrl K'], does: 'Search and commands' },
    { keys: ['Esc'], does: 'Close what is open' },
    { keys: ['?'], does: 'Show these keys' },
  ],
  'Needs attention': [
    { keys: ['j'], does: 'Next line' },
    { keys: ['k'], does: 'Previous line' },
    { keys: ['Enter'], does: 'Open the line' },
    { keys: ['e'], does: 'Done', for: 'lead.work' },
    { keys: ['z'], does: 'Snooze', for: 'lead.work' },
    { keys: ['u'], does: 'Undo the last one', for: 'lead.work' },
  ],
  Leads: [
    { keys: ['j', '↓'], does: 'Next lead' },
    { keys: ['k', '↑'], does: 'Previous lead' },
    { keys: ['Enter', 'o'], does: 'Open the lead' },
    { keys: ['Esc'], does: 'Close the lead, or clear the selection' },
    { keys: ['[', ']'], does: 'Previous and next page' },
    { keys: ['/'], does: 'Search' },
    { keys: ['c'], does: 'Enter a new lead', for: 'lead.work' },
    { keys: ['a'], does: 'Assign the open lead to me', for: 'lead.work' },
    { keys: ['n'], does: 'Write a note on the open lead', for: 'lead.work' },
  ],
  'The lead, or the selected leads': [
    { keys: ['m'], does: 'Match with a provider', for: 'lead.manage' },
    { keys: ['s'], does: 'Record an outcome', for: 'lead.work' },
    { keys: ['#'], does: 'Delete', for: 'lead.manage' },
    { keys: ['u'], does: 'Undo', for: 'lead.work' },
  ],
  'Select leads': [
    { keys: ['x'], does: 'Select the lead', for: 'lead.manage' },
    { keys: ['⇧J', '⇧K'], does: 'Extend the selection', for: 'lead.manage' },
    { keys: ['*'], does: 'Select the page', for: 'lead.manage' },
    { keys: ['b'], does: 'Go to the actions for the selection', for: 'lead.manage' },
  ],
}

type Props = { tabs: { label: string; key: string | undefined }[]; onClose: () => void }

/** Lists the keys of the dashboard that the viewer may use. */
export function KeysDialog({ tabs, onClose }: Props) {
  const can = useAccess()
  const goTo = tabs.flatMap(({ key, label }): Key[] => (key ? [{ keys: ['g', key], does: label }] : []))
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      className="w-3xl max-w-full p-5"
      corner={
        <SmallButton variant="ghost" onClick={onClose}>
          Close
        </SmallButton>
      }
    >
      <div className="mt-3 gap-x-8 text-sm sm:columns-2">
        {Object.entries({ ...KEYS, 'Go to': goTo }).map(([heading, keys]) => (
          <Keys key={heading} heading={heading} keys={keys.filter((key) => key.for === undefined || can(key.for))} />
        ))}
      </div>
      <p className="border-t border-line pt-3 text-sm text-quiet">The menu of ⌘K or Ctrl K has every command.</p>
    </Dialog>
  )
}

function Keys({ heading, keys }: { heading: string; keys: Key[] }) {
  if (keys.length === 0) return null
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="font-semibold text-ink">{heading}</h3>
      <dl className="mt-1.5 grid gap-1.5">
        {keys.map(({ keys: names, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex shrink-0 gap-1">
              {names.map((name) => (
                <kbd key={name} className="rounded border border-edge bg-mist px-1.5 font-sans text-xs text-ink">
                  {name}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
