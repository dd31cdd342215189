import { deleteApplication } from '../../core/commands/applications/delete-application.ts'
import { releaseApplication } from '../../core/commands/applications/release-application.ts'
import { setApplicationStatus } from '../../core/commands/applications/set-application-status.ts'
import { retryDeliveries } from '../../core/commands/retry-deliveries.ts'
import * as calls from '../../core/contract/applications.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Handle } from '../handle.ts'
import { retryAnswer } from '../retry-answer.ts'
import type { Services } from '../services.ts'

export function applicationActionRoutes(handle: Handle, services: Services): void {
  const { db, env, relay } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.updateApplication, ({ params: { id }, body: { status }, actor }) =>
    setApplicationStatus(db, id, status, actor),
  )

  handle(calls.retryApplicationEmail, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await retryDeliveries(db, { applicationId: id }, actor)
    relay.wake()
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.releaseApplication, async ({ params: { id }, actor }) => {
    await releaseApplication(db, id, { ...actor, liftKey: personKey })
    relay.wake()
    return { success: true }
  })

  handle(calls.deleteApplication, async ({ params: { id }, actor }) => {
    await deleteApplication(db, id, { ...actor, personKey })
    return { success: true }
  })
}
