import { CronExpressionParser } from 'cron-parser'
import cron from 'node-cron'

/**
 * Whether the last two times of a schedule have passed without a run that was applied, or none ever was.
 * @param schedule a cron expression, in this time zone
 * @param since when a run was last applied
 */
export function isOverdue(schedule: string, since: Date | null, now: Date, timeZone: string): boolean {
  if (since === null) return true
  const times = CronExpressionParser.parse(schedule, { currentDate: now, tz: timeZone })
  times.prev()
  return since < times.prev().toDate()
}

/** The next time of a schedule. @param schedule a cron expression, in this time zone */
export function nextTime(schedule: string, now: Date, timeZone: string): Date {
  return CronExpressionParser.parse(schedule, { currentDate: now, tz: timeZone }).next().toDate()
}

/**
 * Whether it is a cron expression of minute, hour, day, month and weekday, which node-cron, that runs it, and cron-parser,
 * that says when, understand alike: with both a day and a weekday one waits for both, the other for either.
 */
export function isSchedule(text: string): boolean {
  const parts = text.trim().split(/\s+/)
  const [, , day, , weekday] = parts
  if (parts.length !== 5 || (day !== '*' && weekday !== '*') || !cron.validate(text)) return false
  try {
    CronExpressionParser.parse(text)
    return true
  } catch {
    return false
  }
}
