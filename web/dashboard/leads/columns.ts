import { useWideScreen } from '../../lib/use-wide-screen.ts'
import { usePreferences } from '../preferences.ts'

export type ColumnName = 'contact' | 'zip_code' | 'provider' | 'created_at' | 'crm' | 'clinic' | 'outcome' | 'source'

type LeadColumn = {
  /** The field that the list is sorted by; the names are those of `LeadSort`. */
  name: ColumnName
  label: string
  /** The class of its width. */
  width: string
  /** Whether the first click sorts from the largest down, as the newest date. */
  isNewestFirst?: true
  /** Hidden beside an open lead and in a window of less than 1280 px. */
  isWide?: true
  /** Cannot be hidden. */
  isFixed?: true
}

/** The columns of the list of leads, between the check boxes and the actions. */
export const LEAD_COLUMNS: readonly LeadColumn[] = [
  { name: 'contact', label: 'Contact', width: 'w-auto', isFixed: true },
  { name: 'zip_code', label: 'Zip Code', width: 'w-29', isWide: true },
  { name: 'provider', label: 'Provider', width: 'w-50' },
  { name: 'created_at', label: 'Date', width: 'w-26', isNewestFirst: true },
  { name: 'crm', label: 'CRM Sync', width: 'w-24' },
  { name: 'clinic', label: 'Clinic', width: 'w-30' },
  { name: 'outcome', label: 'Outcome', width: 'w-30' },
  { name: 'source', label: 'Source', width: 'w-26', isWide: true },
]

/** Returns the columns that are shown, and what the column chooser needs. */
export function useColumns({ isCompact }: { isCompact: boolean }) {
  const { preferences, change } = usePreferences()
  const hidden = new Set(preferences.hiddenColumns)
  const [isTable, isRoomy] = [useWideScreen('lg'), useWideScreen('xl')]
  const hasRoom = !isTable || (isRoomy && !isCompact)
  const isShown = ({ name, isWide }: LeadColumn) => !hidden.has(name) && (!isWide || hasRoom)

  function toggle(name: ColumnName) {
    const next = hidden.has(name) ? [...hidden].filter((each) => each !== name) : [...hidden, name]
    change({ hiddenColumns: next })
  }

  return { columns: LEAD_COLUMNS.filter(isShown), isHidden: (name: ColumnName) => hidden.has(name), toggle }
}
