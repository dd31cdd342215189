import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { Tab } from '../ui/tabs.tsx'
import { TAB_KEYS } from './keys.ts'

/** `for`: the viewers that may use it, those who may act or those who may record outcomes. Default: all. */
type Key = { keys: string[]; does: string; for?: 'canAct' | 'canStop' }

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
    { keys: ['e'], does: 'Done', for: 'canStop' },
    { keys: ['z'], does: 'Snooze', for: 'canStop' },
    { keys: ['u'], does: 'Undo the last one', for: 'canStop' },
  ],
  Leads: [
    { keys: ['j', '↓'], does: 'Next lead' },
    { keys: ['k', '↑'], does: 'Previous lead' },
    { keys: ['Enter', 'o'], does: 'Open the lead' },
    { keys: ['Esc'], does: 'Close the lead, or clear the selection' },
    { keys: ['[', ']'], does: 'Previous and next page' },
    { keys: ['/'], does: 'Search' },
    { keys: ['c'], does: 'Enter a new lead', for: 'canStop' },
    { keys: ['a'], does: 'Assign the open lead to me', for: 'canStop' },
    { keys: ['n'], does: 'Write a note on the open lead', for: 'canStop' },
  ],
  'The lead, or the selected leads': [
    { keys: ['m'], does: 'Match with a provider', for: 'canAct' },
    { keys: ['s'], does: 'Record an outcome', for: 'canStop' },
    { keys: ['#'], does: 'Delete', for: 'canAct' },
    { keys: ['u'], does: 'Undo', for: 'canStop' },
  ],
  'Select leads': [
    { keys: ['x'], does: 'Select the lead', for: 'canAct' },
    { keys: ['⇧J', '⇧K'], does: 'Extend the selection', for: 'canAct' },
    { keys: ['*'], does: 'Select the page', for: 'canAct' },
    { keys: ['b'], does: 'Go to the actions for the selection', for: 'canAct' },
  ],
}

type Props = { tabs: Tab[]; canAct: boolean; canStop: boolean; onClose: () => void }

/** Lists the keys of the dashboard that the viewer may use. */
export function KeysDialog({ tabs, onClose, ...may }: Props) {
  const goTo = tabs.map(
    ({ id, label }): Key => ({
      keys: ['g', TAB_KEYS[id] ?? ''],
      // Without the number of its rows.
      does: label.replace(/ \(.*\)$/, ''),
    }),
  )
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      className="w-3xl max-w-full p-5"
      corner={
        <Button variant="ghost" size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="mt-3 gap-x-8 text-sm sm:columns-2">
        {Object.entries({ ...KEYS, 'Go to': goTo }).map(([heading, keys]) => (
          <Keys key={heading} heading={heading} keys={keys.filter((key) => key.for === undefined || may[key.for])} />
        ))}
      </div>
      <p className="border-t border-line pt-3 text-sm text-quiet">
        The menu of {'⌘K'} or Ctrl K has every command. What the dashboard does is written down in docs/dashboard.md, in
        the folder of Leadwell.
      </p>
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
