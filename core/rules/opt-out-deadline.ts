import { tz } from '@date-fns/tz'
import { addBusinessDays } from 'date-fns'

/**
 * The longest that stopping may take. Source: 47 CFR 64.1200(a)(10), "within a reasonable time not to exceed ten business
 * days".
 */
const MAX_BUSINESS_DAYS = 10

/**
 * Returns by when a clinic has to confirm that it stopped contacting a person: ten business days later, at the same time
 * of day in the time zone of the network. Holidays count as business days, so that the deadline is never too late.
 */
export function optOutDeadline(askedAt: Date, timeZone: string): Date {
  return new Date(addBusinessDays(askedAt, MAX_BUSINESS_DAYS, { in: tz(timeZone) }).getTime())
}
