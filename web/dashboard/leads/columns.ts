import { useWideScreen } from '../../lib/hooks.ts'

export type ColumnName = 'contact' | 'zip_code' | 'provider' | 'created_at' | 'crm' | 'clinic' | 'outcome' | 'source'

/** A width of the window, as `useWideScreen` takes it. */
type From = 'lg' | 'xl' | 'roomy' | '2xl' | 'never'

type LeadColumn = {
  /** The field that the list is sorted by; the names are those of `LeadSort`. */
  name: ColumnName
  label: string
  /** The class of its width, and of that beside an open lead if it is another one. */
  width: string
  compactWidth?: string
  /** Whether the first click sorts from the largest down, as the newest date. */
  isNewestFirst?: true
  /** The narrowest window that has room for it: without an open lead, and beside one. Absent: every window. */
  from?: { alone: From; beside: From }
}

/** The columns of the list of leads, between the check boxes and the actions. Those without `from` are always shown. */
export const LEAD_COLUMNS: readonly LeadColumn[] = [
  { name: 'contact', label: 'Contact', width: 'w-auto' },
  { name: 'zip_code', label: 'Zip Code', width: 'w-26', compactWidth: 'w-22' },
  { name: 'provider', label: 'Provider', width: 'w-42', compactWidth: 'w-36' },
  { name: 'created_at', label: 'Date', width: 'w-24', isNewestFirst: true },
  { name: 'crm', label: 'CRM Sync', width: 'w-32 xl:w-48', compactWidth: 'w-30' },
  { name: 'clinic', label: 'Clinic', width: 'w-28', from: { alone: 'xl', beside: '2xl' } },
  { name: 'outcome', label: 'Outcome', width: 'w-30', from: { alone: 'lg', beside: 'roomy' } },
  { name: 'source', label: 'Source', width: 'w-25', from: { alone: 'roomy', beside: 'never' } },
]

/** Returns the columns that the window has room for. */
export function useColumns({ isCompact }: { isCompact: boolean }) {
  const fits: Record<From, boolean> = {
    lg: useWideScreen('lg'),
    xl: useWideScreen('xl'),
    roomy: useWideScreen('roomy'),
    '2xl': useWideScreen('2xl'),
    never: false,
  }
  // A phone shows cards, which have a place for every column.
  return LEAD_COLUMNS.filter(({ from }) => !from || !fits.lg || fits[isCompact ? from.beside : from.alone])
}
