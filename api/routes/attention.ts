import { readAttention, setAside, takeBack } from '../../core/conditions/conditions.ts'
import * as calls from '../../core/conditions/contract/conditions.ts'
import { maskText } from '../../core/contract/format.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function attentionRoutes(handle: Handle, { db, env, readings }: Services): void {
  handle(calls.listAttention, async ({ ctx, staff, query: { aside } }) => {
    const found = await readAttention(db, env, { aside })
    const filter = aside ? { aside } : {}
    const leadIds = found.lines.flatMap((line) => line.leadId ?? [])
    const applicationIds = found.lines.flatMap((line) => line.applicationId ?? [])
    if (leadIds.length > 0) await readings.note(ctx, { entity: 'lead', ids: leadIds, filter })
    if (applicationIds.length > 0) await readings.note(ctx, { entity: 'application', ids: applicationIds, filter })
    if (seesContacts(staff)) return found
    // The words of other systems may quote a person.
    const mask = (line: calls.ConditionLine) =>
      calls.conditionOf(line.kind).act === 'resend' ? { ...line, words: maskText(line.words) } : line
    return { ...found, lines: found.lines.map(mask) }
  })

  handle(calls.setAside, async ({ body, actor }) => {
    const { version } = body
    if (version === undefined) await takeBack(db, body.key, actor)
    else await setAside(db, { ...body, version }, actor)
    return { success: true }
  })
}
