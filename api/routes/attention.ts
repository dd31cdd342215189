import { readAttention, setAside, takeBack } from '../../core/commands/attention.ts'
import * as calls from '../../core/contract/attention.ts'
import { maskText } from '../../core/contract/masking.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function attentionRoutes(handle: Handle, { db, env, readings }: Services): void {
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.listAttention, async ({ ctx, staff, query: { aside } }) => {
    const found = await readAttention(db, env, { aside, personKey })
    const filter = aside ? { aside } : {}
    const leadIds = found.lines.flatMap((line) => ('leadId' in line ? line.leadId : []))
    const applicationIds = found.lines.flatMap((line) => ('applicationId' in line ? line.applicationId : []))
    if (leadIds.length > 0) await readings.note(ctx, { entity: 'lead', ids: leadIds, filter })
    if (applicationIds.length > 0) await readings.note(ctx, { entity: 'application', ids: applicationIds, filter })
    return seesContacts(staff) ? found : { ...found, lines: found.lines.map(maskLine) }
  })

  handle(calls.setAside, async ({ body, actor }) => {
    const { version } = body
    if (version === undefined) await takeBack(db, body.key, actor)
    else await setAside(db, { ...body, version }, actor)
    return { success: true }
  })
}

/** Masks the words of other systems for viewers, because they may quote a person. */
function maskLine(line: calls.AttentionLine): calls.AttentionLine {
  if (!('detail' in line)) return line
  return { ...line, error: line.error && maskText(line.error), detail: line.detail && maskText(line.detail) }
}
