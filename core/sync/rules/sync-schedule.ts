import { CronExpressionParser } from 'cron-parser'
import cron from 'node-cron'

/**
 * Returns whether the last two scheduled times passed without an applied run. Before the first one, which is started by a person,
 * none is overdue.
 * @param schedule a cron expression, in this time zone
 * @param since the time of the last applied run
 */
export function isOverdue(schedule: string, since: Date | null, now: Date, timeZone: string): boolean {
  if (since === null) return false
  const times = CronExpressionParser.parse(schedule, { currentDate: now, tz: timeZone })
  times.prev()
  return since < times.prev().toDate()
}

/**
 * Returns the next time of a schedule.
 * @param schedule a cron expression, in this time zone
 */
export function nextTime(schedule: string, now: Date, timeZone: string): Date {
  return CronExpressionParser.parse(schedule, { currentDate: now, tz: timeZone }).next().toDate()
}

/**
 * Returns whether a text is a cron expression (minute, hour, day, month, weekday) that node-cron, which runs it, and
 * cron-parser, which predicts it, read alike. With both a day and a weekday one waits for both, the other for either.
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
