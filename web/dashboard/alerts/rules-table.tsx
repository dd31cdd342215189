import { useState } from 'react'
import {
  ALERT_EVENTS,
  type AlertChannel,
  AlertEvent,
  AlertRhythm,
  changeAlertChannel,
  RHYTHM_WORDS,
} from '../../../core/contract/alerts.ts'
import { act } from '../../lib/call.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The rhythms that were chosen and not saved, by the id of the channel. */
type Draft = Record<number, Partial<Record<AlertEvent, AlertRhythm>>>

/** Shows each event with its rhythm for each channel. What is chosen counts once it is saved. */
export function RulesTable({ channels, labelledBy }: { channels: AlertChannel[]; labelledBy: string }) {
  const [draft, setDraft] = useState<Draft>({})
  const changed = changesOf(channels, draft)
  const count = changed.reduce((sum, { rules }) => sum + Object.keys(rules).length, 0)
  const saving = useAction({
    async act() {
      for (const { id, rules } of changed) await act(changeAlertChannel, { params: { id }, body: { rules } })
    },
    done: 'The rules are saved',
    failed: 'Failed to save the rules',
    changes: 'alerts',
  })
  const choose = (id: number, event: AlertEvent, rhythm: AlertRhythm) =>
    setDraft((before) => ({ ...before, [id]: { ...before[id], [event]: rhythm } }))

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways needs the keyboard */}
      <section tabIndex={0} aria-label="Rules" className="overflow-x-auto">
        <table aria-labelledby={labelledBy} className="block w-full text-left text-sm md:table">
          <thead className="sr-only md:not-sr-only md:table-header-group">
            <tr>
              <th scope="col" className="min-w-52 px-4 py-2 font-semibold text-quiet">
                Event
              </th>
              {channels.map(({ id, name }) => (
                <th key={id} scope="col" className="max-w-44 min-w-32 px-2 py-2 font-semibold text-quiet wrap-anywhere">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="block md:table-row-group">
            {AlertEvent.options.map((event) => (
              <tr key={event} className="block border-t border-line py-2 align-top md:table-row md:py-0">
                <th scope="row" className="block max-w-md px-4 py-1 font-normal md:table-cell md:py-2">
                  <span className="block font-semibold text-ink">{ALERT_EVENTS[event].label}</span>
                  <span className="block text-[0.8125rem] text-quiet">{ALERT_EVENTS[event].words}</span>
                </th>
                {channels.map(({ id, name, rules }) => (
                  <td
                    key={id}
                    className="grid grid-cols-[minmax(0,1fr)_10rem] items-center gap-3 px-4 py-1 md:table-cell md:px-2 md:py-2"
                  >
                    <span aria-hidden="true" className="wrap-anywhere text-quiet md:hidden">
                      {name}
                    </span>
                    <RhythmSelect
                      label={`${ALERT_EVENTS[event].label}: ${name}`}
                      value={draft[id]?.[event] ?? rules[event]}
                      isChanged={(draft[id]?.[event] ?? rules[event]) !== rules[event]}
                      onChoose={(rhythm) => choose(id, event, rhythm)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {count > 0 && (
        <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line bg-mist px-4 py-2.5">
          <p role="status" className="text-quiet">
            {countOf(count, 'change')} not saved
          </p>
          <Button variant="ghost" size="small" className="min-h-11 rounded-lg lg:min-h-8" onClick={() => setDraft({})}>
            Discard
          </Button>
          <Button
            size="small"
            className="min-h-11 rounded-lg lg:min-h-8"
            busy={saving.isPending}
            // What was saved must not hide what a colleague changes later.
            onClick={() => saving.mutate(undefined, { onSuccess: () => setDraft({}) })}
          >
            Save the rules
          </Button>
        </div>
      )}
    </>
  )
}

type SelectProps = { label: string; value: AlertRhythm; isChanged: boolean; onChoose: (rhythm: AlertRhythm) => void }

function RhythmSelect({ label, value, isChanged, onChoose }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(AlertRhythm.parse(target.value))}
      className={`min-h-11 w-full rounded-lg border bg-background px-2 text-sm hover:border-secondary lg:min-h-8 ${isChanged ? 'border-secondary font-semibold' : 'border-edge'} ${value === 'off' ? 'text-quiet' : 'text-ink'}`}
    >
      {AlertRhythm.options.map((rhythm) => (
        <option key={rhythm} value={rhythm}>
          {RHYTHM_WORDS[rhythm]}
        </option>
      ))}
    </select>
  )
}

/** Returns what differs from the stored rules, by channel. */
function changesOf(channels: AlertChannel[], draft: Draft) {
  return channels.flatMap(({ id, rules: stored }) => {
    const entries = Object.entries(draft[id] ?? {}).filter(([event, rhythm]) => stored[event as AlertEvent] !== rhythm)
    return entries.length > 0 ? [{ id, rules: Object.fromEntries(entries) }] : []
  })
}
