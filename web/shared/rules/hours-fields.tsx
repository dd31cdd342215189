import type { ComponentProps } from 'react'
import { WeekHours } from '../../../core/providers/contract/provider-rules.ts'
import { TextField } from '../../ui/text-field.tsx'

export const WEEKDAYS = [
  { name: 'day1', label: 'Monday' },
  { name: 'day2', label: 'Tuesday' },
  { name: 'day3', label: 'Wednesday' },
  { name: 'day4', label: 'Thursday' },
  { name: 'day5', label: 'Friday' },
  { name: 'day6', label: 'Saturday' },
  { name: 'day7', label: 'Sunday' },
] as const
export type DayName = (typeof WEEKDAYS)[number]['name']

/** The hours as they are typed, a text for each day. */
export type HoursForm = Record<DayName, string>

type Props = { field: (name: DayName | 'time_zone') => Partial<ComponentProps<typeof TextField>> }

/** Renders the fields of weekly hours and their time zone. `field` returns what a form library registers for each. */
export function HoursFields({ field }: Props) {
  return (
    <>
      <p className="text-sm text-quiet sm:col-span-3">
        Like 09:00-12:00, 13:00-17:00. An empty day is closed; without any, the hours are Monday to Friday, 09:00 to
        17:00.
      </p>
      {WEEKDAYS.map(({ name, label }) => (
        <TextField key={name} label={label} {...field(name)} />
      ))}
      <TextField
        label="Time zone (empty: that of the clinic’s place)"
        placeholder="America/Chicago"
        {...field('time_zone')}
      />
    </>
  )
}

/** Returns the texts of the fields. */
export function hoursForm(hours: WeekHours | null): HoursForm {
  const spansOf = (name: DayName) => hours?.[name.slice(3) as keyof WeekHours] ?? []
  return Object.fromEntries(
    WEEKDAYS.map(({ name }) => [
      name,
      spansOf(name)
        .map((span) => span.join('-'))
        .join(', '),
    ]),
  ) as HoursForm
}

/** Returns the hours, null for none, and a sentence for each field that is wrong. */
export function readHours(typed: HoursForm): { hours: WeekHours | null; errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const days = WEEKDAYS.flatMap(({ name }) => {
    const spans = typed[name].split(',').flatMap((span) => (span.trim() ? [span.trim().split(/\s*[-–]\s*/)] : []))
    const day = WeekHours.safeParse({ [name.slice(3)]: spans })
    const [issue] = day.error?.issues ?? []
    if (issue) errors[name] = issue.code === 'custom' ? issue.message : 'Write hours like 09:00-17:00'
    return spans.length > 0 && day.success ? [day.data] : []
  })
  return { hours: days.length > 0 ? Object.assign({}, ...days) : null, errors }
}
