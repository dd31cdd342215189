import { describe, expect, it } from 'vitest'
import { deleteLead } from '../../core/commands/leads/delete-lead.ts'
import { addNote, deleteNote } from '../../core/commands/leads/work-on-lead.ts'
import { createLog } from '../../core/platform/log.ts'
import { createLead, createStaff } from '../support/factories.ts'
import { attempt } from '../support/lead-jobs.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const worker = useWorkerServices()
const LOG = createLog('test', 'silent')

async function runMentions(): Promise<void> {
  const waiting = await worker.db('jobs').where({ state: 'waiting', purpose: 'mention' }).pluck('id')
  for (const id of waiting) await attempt([id], worker, LOG)
}
const states = () => worker.db('jobs').where({ purpose: 'mention' }).orderBy('generation').pluck('state')

async function mentioned(...bodies: string[]) {
  const author = await createStaff(worker.db, { name: 'Ada Park' })
  const ben = await createStaff(worker.db, { name: 'Ben Ito' })
  const by = { actor: author.email, actorId: author.id }
  const notes: { leadId: number; id: number }[] = []
  for (const body of bodies) {
    const leadId = await createLead(worker.db)
    notes.push({ leadId, id: (await addNote(worker.db, leadId, { body, mentions: [ben.id] }, by)).id })
  }
  return { ben, by, notes }
}

describe('the e-mail about a mention', () => {
  it('links to the lead, and has neither the note nor the visitor’s name', async () => {
    const { ben, notes } = await mentioned('She has a question about testosterone')
    await runMentions()
    const mail = worker.smtp.mails.at(-1)
    expect(mail).toMatchObject({ recipients: [ben.email] })
    const text = String(mail?.text).replace(/\s+/g, ' ')
    expect(text).toContain(`Ada Park mentioned you in a note on lead no. ${notes[0]?.leadId}`)
    expect(text).toContain(`/admin?lead=${notes[0]?.leadId}`)
    expect(text).not.toMatch(/testosterone|Jordan|visitors\.example/)
    expect(await states()).toEqual(['done'])
  })

  it('tells of all mentions that wait, once', async () => {
    const { notes } = await mentioned('One', 'Two')
    const before = worker.smtp.mails.length
    await runMentions()
    expect(worker.smtp.mails).toHaveLength(before + 1)
    const text = String(worker.smtp.mails.at(-1)?.text)
    for (const { leadId } of notes) expect(text).toContain(`lead no. ${leadId}`)
    expect(await states()).toEqual(['cancelled', 'done'])
  })

  it('is not sent about a note that was deleted, or on a deleted lead', async () => {
    const { by, notes } = await mentioned('One', 'Two')
    const [one, two] = notes
    if (!one || !two) throw new Error('two notes')
    await deleteNote(worker.db, one.leadId, one.id, { ...by, mayDeleteAll: false })
    await deleteLead(worker.db, two.leadId, by)
    const before = worker.smtp.mails.length
    await runMentions()
    expect(worker.smtp.mails).toHaveLength(before)
    expect(await states()).toEqual(['cancelled', 'cancelled'])
  })
})
