import { tz } from '@date-fns/tz'
import { addBusinessDays } from 'date-fns'

/** The legal limit. Source: 47 CFR 64.1200(a)(10), "within a reasonable time not to exceed ten business days". */
const MAX_BUSINESS_DAYS = 10

/**
 * Returns the deadline by which a clinic must confirm an opt-out: ten business days later, at the same time of day in
 * the network's time zone. Holidays count as business days, so the deadline is never too late.
 */
export function optOutDeadline(askedAt: Date, timeZone: string): Date {
  return new Date(addBusinessDays(askedAt, MAX_BUSINESS_DAYS, { in: tz(timeZone) }).getTime())
}
