import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { AD_NETWORKS, type AdNetwork } from '../../../core/contract/ad-measurement.ts'
import {
  ConversionExportQuery,
  countConversions,
  exportConversions,
  USUAL_CONVERSION_NAME,
} from '../../../core/contract/offline-conversions.ts'
import { call, urlOf } from '../../lib/call.ts'
import { type Days, lastDays, timeZoneName } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { parseId } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DownloadLink } from '../download-link.tsx'

const NETWORKS: Record<AdNetwork, string> = { google: 'Google Ads', microsoft: 'Microsoft Advertising' }

/** The partners accept clicks of the last 90 days and ignore what they were told before, so that files may overlap. */
const usualDays = () => lastDays(90)

/** Exports bookings for advertising partners. */
export function ConversionsDialog({ onClose }: { onClose: () => void }) {
  const [network, setNetwork] = useState<AdNetwork>('google')
  const [days, setDays] = useState<Days>(usualDays)
  const [chosen, setChosen] = useState<number>()
  const [name, setName] = useState(USUAL_CONVERSION_NAME)
  const wanted = { network, ...days }
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['leads', 'conversions', wanted],
    queryFn: () => call(countConversions, { query: wanted }),
    placeholderData: keepPreviousData,
  })
  // A clinic without bookings in another period is no choice there.
  const clinic = data?.clinics.find(({ id }) => id === chosen)?.id
  const checked = ConversionExportQuery.safeParse({ ...wanted, name, provider_id: clinic })
  const nameError = checked.error?.issues.find(({ path }) => path[0] === 'name')?.message

  return (
    <Dialog title="Ad conversions" className="w-xl max-w-full p-6" onClose={onClose}>
      <p className="mt-2">
        Tells an advertising partner which clicks on its ads led to an appointment. The file has the bookings of
        visitors who allowed it, and nothing about them but the id of their click. It is of one clinic: upload it to the
        ad account of that clinic alone. Upload it soon, then delete it: a visitor may take the consent back.
      </p>
      <div className="mt-4 grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <Choice
          label="For"
          value={network}
          onChoose={(value) => {
            setNetwork(value as AdNetwork)
            setChosen(undefined)
          }}
        >
          {AD_NETWORKS.map((each) => (
            <option key={each} value={each}>
              {NETWORKS[each]}
            </option>
          ))}
        </Choice>
        <Choice
          label="Clinic"
          value={clinic === undefined ? '' : String(clinic)}
          onChoose={(value) => setChosen(parseId(value))}
        >
          <option value="">Choose a clinic</option>
          {data?.clinics.map(({ id, name: clinicName, bookings }) => (
            <option key={id} value={id}>
              {clinicName} ({bookings})
            </option>
          ))}
        </Choice>
        <Day label="Recorded from" day={days.from} onDay={(from) => setDays({ ...days, from })} />
        <Day label="To" day={days.to} onDay={(to) => setDays({ ...days, to })} />
      </div>
      <p className="mt-1 text-sm text-quiet">Days are in {timeZoneName()}.</p>
      <TextField
        label="Name of the conversion in the advertiser’s account"
        value={name}
        error={nameError}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
        className="mt-3"
      />
      <LoadError fallback="Failed to count the bookings" {...{ error, isFetching }} onRetry={() => void refetch()} />
      <div aria-busy={isPlaceholderData} className="flex flex-wrap items-center justify-between gap-3">
        {data ? <p role="status">{countWords(data.clinics, clinic)}</p> : !error && <Skeleton className="h-6 w-48" />}
        <div className="ml-auto flex gap-2">
          <Button variant="outline" onClick={onClose}>
            Close
          </Button>
          {checked.success && (
            <DownloadLink href={urlOf(exportConversions, { query: checked.data })} className={buttonClass()}>
              Download CSV
            </DownloadLink>
          )}
        </div>
      </div>
    </Dialog>
  )
}

type Counted = { id: number; bookings: number }[]

const bookingsOf = (clinics: Counted = [], clinic?: number) =>
  clinics.reduce((sum, { id, bookings }) => (clinic === undefined || clinic === id ? sum + bookings : sum), 0)

function countWords(clinics: Counted, clinic?: number): string {
  const bookings = bookingsOf(clinics, clinic)
  if (bookings === 0) return 'No bookings with consent yet.'
  const counted = `${countOf(bookings, 'booking')} with consent`
  return clinic === undefined ? `${counted} in all. Choose a clinic to download its file.` : `${counted}.`
}

const CONTROL = 'min-h-11 w-full rounded-lg border border-edge bg-background px-3 text-ink hover:border-secondary'

type ChoiceProps = { label: string; value: string; onChoose: (value: string) => void; children: ReactNode }

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-sm font-semibold text-ink">
        {label}
      </label>
      <select id={id} value={value} onChange={({ target }) => onChoose(target.value)} className={CONTROL}>
        {children}
      </select>
    </div>
  )
}

/** A day. An input that is being edited is empty, which changes nothing. */
function Day({ label, day, onDay }: { label: string; day: string; onDay: (day: string) => void }) {
  const id = useId()
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-sm font-semibold text-ink">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={day}
        onChange={({ target }) => target.value && onDay(target.value)}
        className={CONTROL}
      />
    </div>
  )
}
