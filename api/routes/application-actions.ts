import * as applicationActions from '../../core/commands/application-actions.ts'
import * as calls from '../../core/contract/applications.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Handle } from '../handle.ts'
import { retryAnswer } from '../outcomes.ts'
import type { Services } from '../services.ts'

export function applicationActionRoutes(handle: Handle, services: Services): void {
  const { db, env, relay } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.updateApplication, ({ params: { id }, body: { status }, actor }) =>
    applicationActions.setStatus(db, id, status, actor),
  )

  handle(calls.retryApplicationEmail, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await applicationActions.resendEmail(db, id, actor)
    relay.wake()
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.releaseApplication, async ({ params: { id }, actor }) => {
    await applicationActions.release(db, id, { ...actor, liftKey: personKey })
    relay.wake()
    return { success: true }
  })

  handle(calls.deleteApplication, async ({ params: { id }, actor }) => {
    await applicationActions.remove(db, id, { ...actor, personKey })
    return { success: true }
  })
}
