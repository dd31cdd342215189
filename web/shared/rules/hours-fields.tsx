import { type ComponentProps, useState } from 'react'
import { closedDaysInWords, closesDays } from '../../../core/contract/hours.ts'
import { USUAL_HOURS, type WeekHours } from '../../../core/providers/contract/provider-rules.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/text-field.tsx'

type Day = keyof WeekHours
type Span = NonNullable<WeekHours[Day]>[number]

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const DAYS = NAMES.map((name, index) => [String(index + 1) as Day, name] as const)

const ZONES: Record<string, string> = {
  'America/New_York': 'Eastern',
  'America/Chicago': 'Central',
  'America/Denver': 'Mountain',
  'America/Phoenix': 'Arizona',
  'America/Los_Angeles': 'Pacific',
  'America/Anchorage': 'Alaska',
  'Pacific/Honolulu': 'Hawaii',
  'America/Puerto_Rico': 'Puerto Rico',
}

type Props = {
  /** Null are the usual hours. */
  hours: WeekHours | null
  onHours: (hours: WeekHours) => void
  error?: string
  /** The attributes of the list of time zones. An empty value is the zone of the place. */
  zone: ComponentProps<'select'> & { error?: string }
  storedZone: string | null
}

/** Renders weekly hours, a row for each day, and their time zone. Warns when a day would be closed that is open now. */
export function HoursFields({ hours, onHours, error, zone: { error: zoneError, ...zone }, storedZone }: Props) {
  const shown = hours ?? USUAL_HOURS
  const [before] = useState(shown)
  const copyMonday = () =>
    onHours({ ...shown, ...Object.fromEntries(DAYS.slice(1, 5).map(([day]) => [day, shown['1'] ?? []])) })
  const zones = storedZone && !ZONES[storedZone] ? { ...ZONES, [storedZone]: storedZone } : ZONES
  return (
    <div className="grid gap-1 sm:col-span-3">
      {DAYS.map(([day, name]) => (
        <DayRow key={day} name={name} spans={shown[day] ?? []} onSpans={(spans) => onHours({ ...shown, [day]: spans })}>
          {day === '1' && (
            <Button variant="outline" size="small" onClick={copyMonday}>
              Copy to Monday–Friday
            </Button>
          )}
        </DayRow>
      ))}
      <p role="status" className="font-semibold text-ink empty:hidden">
        {closesDays(before, shown) && `You would be closed ${closedDaysInWords(shown)}.`}
      </p>
      <FieldError id="hours-error" error={error} />
      <label className="grid gap-1 text-sm font-semibold text-ink">
        Time zone
        <select {...zone} className={`${INPUT} font-normal`}>
          <option value="">That of the clinic’s place</option>
          {Object.entries(zones).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <FieldError id="zone-error" error={zoneError} />
    </div>
  )
}

const INPUT =
  'min-h-11 rounded-lg border border-edge bg-background px-2 text-base text-ink hover:border-secondary aria-invalid:border-bad aria-invalid:bg-bad-soft'

type RowProps = { name: string; spans: Span[]; onSpans: (spans: Span[]) => void; children: React.ReactNode }

function DayRow({ name, spans, onSpans, children }: RowProps) {
  const [first, last] = [spans[0], spans.at(-1)]
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1">
      <legend className="sr-only">{name}</legend>
      <label className="flex min-h-11 w-32 cursor-pointer items-center gap-2 font-semibold text-ink">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-secondary"
          checked={spans.length > 0}
          onChange={() => onSpans(spans.length > 0 ? [] : [['09:00', '17:00']])}
        />
        {name}
      </label>
      {spans.length === 0 && <span className="text-quiet">Closed</span>}
      {spans.map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place among those of the day
        <span key={index} className="flex items-center gap-1.5 max-sm:order-last max-sm:basis-full">
          {span.map((time, end) => (
            <input
              // biome-ignore lint/suspicious/noArrayIndexKey: the opening and the closing time
              key={end}
              type="time"
              aria-label={`${name} ${end === 0 ? 'from' : 'until'}`}
              aria-invalid={span[0] < span[1] && span[0] ? undefined : true}
              // The field has no 24:00, which closes at midnight.
              value={time === '24:00' ? '00:00' : time}
              onChange={({ target: { value } }) =>
                onSpans(spans.with(index, span.with(end, end === 1 && value === '00:00' ? '24:00' : value) as Span))
              }
              className={INPUT}
            />
          ))}
        </span>
      ))}
      {first && last && (
        <Button
          variant="ghost"
          size="small"
          onClick={() => onSpans(first === last ? withBreak(first) : [[first[0], last[1]]])}
        >
          {first === last ? 'Add a break' : 'No break'}
        </Button>
      )}
      {children}
    </fieldset>
  )
}

const withBreak = ([from, until]: Span): Span[] => [
  [from, '12:00'],
  ['13:00', until],
]
