import { type ProviderRules, RulesChange } from '../../../core/contract/provider-rules.ts'
import { isoDayOf, startOfIsoDay } from '../../lib/dates.ts'
import { type DayName, hoursForm, readHours, WEEKDAYS } from '../../shared/rules/hours-fields.tsx'

const TEXTS = ['paused_because', 'time_zone'] as const
const NUMBERS = ['daily_cap', 'weekly_cap', 'monthly_cap', 'answer_hours', 'radius_miles'] as const
const LISTS = ['extra_zips', 'excluded_zips'] as const

/** The rules as they are typed. */
export type RulesForm = { is_paused: boolean; backup_provider_id: number | null } & Record<
  DayName | 'paused_until' | 'priority' | (typeof TEXTS | typeof NUMBERS | typeof LISTS)[number],
  string
>

/** Returns the texts of the fields. */
export function formOf(rules: ProviderRules): RulesForm {
  const texts = <Name extends keyof ProviderRules>(names: readonly Name[], join = ' ') =>
    Object.fromEntries(names.map((name) => [name, [rules[name] ?? ''].flat().join(join)])) as Record<Name, string>
  return {
    is_paused: rules.is_paused,
    backup_provider_id: rules.backup_provider_id,
    paused_until: rules.paused_until ? isoDayOf(rules.paused_until) : '',
    priority: String(rules.priority),
    ...texts(TEXTS),
    ...texts(NUMBERS),
    ...texts(LISTS),
    ...hoursForm(rules.hours),
  }
}

/** Returns the changed rules, and a sentence for each field that is wrong. */
export function readForm(
  typed: RulesForm,
  before: ProviderRules,
): { change: RulesChange; errors: Record<string, string> } {
  const initial = formOf(before)
  const isChanged = (name: keyof RulesForm) => typed[name] !== initial[name]
  const { hours, errors } = readHours(typed)
  const given = {
    ...(isChanged('is_paused') && { is_paused: typed.is_paused }),
    ...(isChanged('paused_until') && { paused_until: typed.paused_until ? startOfIsoDay(typed.paused_until) : null }),
    ...(isChanged('priority') && { priority: Number(typed.priority) }),
    ...(isChanged('backup_provider_id') && { backup_provider_id: typed.backup_provider_id }),
    ...(WEEKDAYS.some(({ name }) => isChanged(name)) && { hours }),
    ...Object.fromEntries(TEXTS.filter(isChanged).map((name) => [name, typed[name].trim() || null])),
    ...Object.fromEntries(
      NUMBERS.filter(isChanged).map((name) => [name, typed[name].trim() ? Number(typed[name]) : null]),
    ),
    ...Object.fromEntries(LISTS.filter(isChanged).map((name) => [name, zipsIn(typed[name])])),
  }
  const parsed = RulesChange.safeParse(given)
  for (const { path, message } of parsed.error?.issues ?? []) errors[String(path[0])] ??= message
  return { change: parsed.data ?? {}, errors }
}

/** Returns the zip codes in a text. */
export function zipsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}
