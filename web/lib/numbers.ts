import { DAY, HOUR, MINUTE, SECOND } from '../../core/contract/time.ts'

export { countOf, formatCount } from '../../core/contract/texts.ts'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** Formats cents of a US dollar: `$1,250.00` */
export function formatDollars(cents: number): string {
  return dollars.format(cents / 100)
}

/** Formats a share from 0 to 1 as `98.4%`. Only 1 reads `100%`, and only 0 reads `0%`. */
export function formatShare(share: number): string {
  return percent.format(share === 0 || share === 1 ? share : Math.min(0.999, Math.max(0.001, share)))
}

/** Milliseconds in the unit that suits them: `840 ms`, `4.2 s`, `3.5 min`, `5 h`, `2.1 days`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`
  const [size, unit] =
    ms < MINUTE ? [SECOND, 's'] : ms < HOUR ? [MINUTE, 'min'] : ms < DAY ? [HOUR, 'h'] : [DAY, 'days']
  const value = Math.round((ms / size) * 10) / 10
  return value === 1 && unit === 'days' ? '1 day' : `${value} ${unit}`
}

const UNITS = ['KB', 'MB', 'GB', 'TB']

/** Bytes in the unit that suits them: `812 KB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  let size = bytes / 1024
  let unit = 0
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024
  return `${size >= 100 ? Math.round(size) : Math.round(size * 10) / 10} ${UNITS[unit]}`
}
