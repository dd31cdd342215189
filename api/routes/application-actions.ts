import * as applicationActions from '../../core/commands/application-actions.ts'
import {
  deleteApplication,
  releaseApplication,
  retryApplicationEmail,
  updateApplication,
} from '../../core/contract/applications.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Handle } from '../handle.ts'
import { retryAnswer } from '../outcomes.ts'
import type { Services } from '../services.ts'

export function applicationActionRoutes(handle: Handle, services: Services): void {
  const { db, env, relay } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(updateApplication, ({ params: { id }, body: { status }, actor }) =>
    applicationActions.setStatus(db, id, status, actor),
  )

  handle(retryApplicationEmail, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await applicationActions.resendEmail(db, id, actor)
    relay.wake()
    return retryAnswer(services, jobs, wait)
  })

  handle(releaseApplication, async ({ params: { id }, actor }) => {
    await applicationActions.release(db, id, { ...actor, liftKey: personKey })
    relay.wake()
    return { success: true }
  })

  handle(deleteApplication, async ({ params: { id }, actor }) => {
    await applicationActions.remove(db, id, { ...actor, personKey })
    return { success: true }
  })
}
