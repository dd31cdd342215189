import { z } from 'zod'

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'Write the time like 09:00')

/** Opening and closing time, local. */
const Span = z.tuple([TimeOfDay, TimeOfDay]).refine(([from, to]) => from < to, 'The closing time must be the later one')

/** Opening hours by ISO weekday (1 is Monday). A day that is missing is closed. */
export const WeekHours = z.partialRecord(z.enum(['1', '2', '3', '4', '5', '6', '7']), z.array(Span).max(4))
export type WeekHours = z.infer<typeof WeekHours>

/** The hours of a clinic that has stated none: Monday to Friday, nine to five. */
export const USUAL_HOURS: WeekHours = Object.fromEntries(
  ['1', '2', '3', '4', '5'].map((day) => [day, [['09:00', '17:00']]]),
)
