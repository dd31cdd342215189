import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { OutputOf } from '../../../core/contract/call.ts'
import {
  changeProviderRules,
  getProviderRules,
  MAX_RULE_ZIPS,
  type ProviderRules,
  RulesChange,
} from '../../../core/providers/contract/provider-rules.ts'
import type { StaffProvider } from '../../../core/providers/contract/providers.ts'
import { call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { HttpError, sentenceOf } from '../../lib/http.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { HoursFields } from '../../shared/rules/hours-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { fieldsOf, ListField, showErrors, TextAreaField, TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess, useSettings } from '../access.tsx'
import { practiceOf } from '../provider-picker.tsx'
import { providersQuery } from './list-providers.tsx'

type Props = {
  provider: StaffProvider
  onClose: () => void
}

export function RulesDialog({ provider, onClose }: Props) {
  const query = useQuery({
    queryKey: ['provider-rules', provider.id],
    queryFn: () => call(getProviderRules, { params: { id: provider.id } }),
    // What is edited must be what is stored.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog title={`Rules of ${practiceOf(provider)}`} onClose={onClose} className="w-2xl max-w-full p-6">
      <Loaded of={query} fallback="Failed to load the rules" className="mt-4 h-96 w-full">
        {(answer) => <Rules {...{ provider, onClose, answer }} />}
      </Loaded>
    </Dialog>
  )
}

type Answer = OutputOf<typeof getProviderRules>

function Rules({ answer, provider, onClose }: Props & { answer: Answer }) {
  const mayChange = useAccess()('provider.manage')
  const form = useForm<RulesForm>({ defaultValues: formOf(answer.rules) })
  const { register, watch } = form
  const field = fieldsOf(form)
  const client = useQueryClient()
  const save = useAction({
    act: (body: RulesChange) => call(changeProviderRules, { params: { id: provider.id }, body }),
    done: 'Rules changed',
    failed: 'Failed to change the rules',
    changes: 'providers',
  })
  const fieldsIn = (error: Error | null) => (error instanceof HttpError ? error.fields : undefined)
  const submit = form.handleSubmit((typed) => {
    const { change, errors } = readForm(typed, answer.rules)
    save.reset()
    if (showErrors(form, errors)) return
    save.mutate(change, {
      onSuccess() {
        void client.invalidateQueries({ queryKey: ['provider-rules', provider.id] })
        onClose()
      },
      onError: (error) => showErrors(form, fieldsIn(error)),
    })
  })
  const zips = (name: (typeof LISTS)[number], label: string) => (
    <TextAreaField
      label={`${label} (${countOf(zipsIn(watch(name)).length, 'zip code')} of ${formatCount(MAX_RULE_ZIPS)})`}
      rows={3}
      className="sm:col-span-3"
      {...field(name)}
    />
  )
  const { data: settings } = useSettings()
  const { day, week, month } = answer.used
  const { is_paused, paused_until, paused_because } = answer.rules

  return (
    <form onSubmit={submit} noValidate className="mt-2">
      <p className="text-quiet">
        A sync never changes these rules. Staff can still send leads to a paused or full provider.
      </p>
      {is_paused && (
        <p className="mt-2 font-semibold text-wait">
          Paused{paused_until && ` until ${formatDay(paused_until)}`}
          {paused_because && `: ${paused_because}`}
        </p>
      )}
      <fieldset disabled={!mayChange || save.isPending}>
        <Group title="Lead limits">
          <TextField label={`A day (${day} today)`} inputMode="numeric" {...field('daily_cap')} />
          <TextField label={`A week (${week} this week)`} inputMode="numeric" {...field('weekly_cap')} />
          <TextField label={`A month (${month} this month)`} inputMode="numeric" {...field('monthly_cap')} />
        </Group>
        <Group title="Area">
          <TextField
            label={`Radius in miles (at most ${settings?.match_radius_miles ?? 'the network’s'})`}
            inputMode="decimal"
            className="sm:col-span-3"
            {...field('radius_miles')}
          />
          {zips('extra_zips', 'Extra zip codes, at any distance')}
          {zips('excluded_zips', 'Excluded zip codes')}
        </Group>
        <Group title="Order">
          <ListField label="Priority" className="sm:col-span-3" {...register('priority')}>
            <option value="0">By distance</option>
            <option value="1">Preferred: before nearer providers</option>
            <option value="-1">Last: only if no other provider takes the lead</option>
          </ListField>
          <BackupField provider={provider} form={form} />
        </Group>
        <Group title="Hours">
          <HoursFields
            hours={watch('hours')}
            onHours={(hours) => form.setValue('hours', hours)}
            error={field('hours').error}
            zone={field('time_zone')}
            storedZone={answer.rules.time_zone}
          />
          <TextField label="Hours for a first answer" inputMode="numeric" {...field('answer_hours')} />
        </Group>
      </fieldset>
      {save.error && !fieldsIn(save.error) && (
        <Alert title="Failed to change the rules">{sentenceOf(save.error)}</Alert>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={onClose}>
          {mayChange ? 'Cancel' : 'Close'}
        </Button>
        {mayChange && (
          <Button type="submit" busy={save.isPending}>
            Save rules
          </Button>
        )}
      </div>
    </form>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="mb-2 font-semibold text-ink">{title}</h3>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-3">{children}</div>
    </section>
  )
}

type BackupProps = Pick<Props, 'provider'> & { form: UseFormReturn<RulesForm> }

/** Chooses the provider that is asked before others while this one is paused or full. */
function BackupField({ provider, form }: BackupProps) {
  const { data: active = [] } = useQuery(providersQuery('active'))
  const id = form.watch('backup_provider_id')
  const others = active.filter((each) => each.id !== provider.id)
  const error = form.formState.errors.backup_provider_id?.message
  return (
    // Its options come later than the rules, so the form keeps the value.
    <ListField
      className="sm:col-span-3"
      label="Backup while it is paused or full"
      {...{ error, value: id }}
      onChange={({ target }) => {
        form.setValue('backup_provider_id', target.value)
        form.clearErrors('backup_provider_id')
      }}
    >
      <option value="">The next nearest</option>
      {id && !others.some((each) => String(each.id) === id) && <option value={id}>Provider #{id}</option>}
      {others.map((each) => (
        <option key={each.id} value={each.id}>
          {practiceOf(each)} - {each.zipCode}
        </option>
      ))}
    </ListField>
  )
}

const NUMBERS = [
  'daily_cap',
  'weekly_cap',
  'monthly_cap',
  'answer_hours',
  'radius_miles',
  'priority',
  'backup_provider_id',
] as const
const LISTS = ['extra_zips', 'excluded_zips'] as const

type RulesForm = Pick<ProviderRules, 'hours'> & Record<'time_zone' | (typeof NUMBERS | typeof LISTS)[number], string>

function formOf(rules: ProviderRules): RulesForm {
  const texts = <Name extends keyof ProviderRules>(names: readonly Name[], join = ' ') =>
    Object.fromEntries(names.map((name) => [name, [rules[name] ?? ''].flat().join(join)])) as Record<Name, string>
  return {
    ...texts(['time_zone']),
    ...texts(NUMBERS),
    ...texts(LISTS),
    hours: rules.hours,
  }
}

function readForm(typed: RulesForm, before: ProviderRules): { change: RulesChange; errors: Record<string, string> } {
  const initial = formOf(before)
  const isChanged = (name: keyof RulesForm) => JSON.stringify(typed[name]) !== JSON.stringify(initial[name])
  const errors: Record<string, string> = {}
  const given = {
    ...(isChanged('hours') && { hours: typed.hours }),
    ...(isChanged('time_zone') && { time_zone: typed.time_zone.trim() || null }),
    ...Object.fromEntries(
      NUMBERS.filter(isChanged).map((name) => [name, typed[name].trim() ? Number(typed[name]) : null]),
    ),
    ...Object.fromEntries(LISTS.filter(isChanged).map((name) => [name, zipsIn(typed[name])])),
  }
  const parsed = RulesChange.safeParse(given)
  for (const { path, message } of parsed.error?.issues ?? []) errors[String(path[0])] ??= message
  return { change: parsed.data ?? {}, errors }
}

function zipsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}
