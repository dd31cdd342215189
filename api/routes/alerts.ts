import * as commands from '../../core/conditions/alerts.ts'
import type { AlertChannel } from '../../core/conditions/contract/alerts.ts'
import * as calls from '../../core/conditions/contract/alerts.ts'
import { maskAddress } from '../../core/conditions/rules/alerts.ts'
import * as alerts from '../../core/conditions/stores/alerts.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Handle } from '../handle.ts'
import { retryAnswer } from '../retry-answer.ts'
import type { Services } from '../services.ts'

export function alertRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const key = deriveKey(env.DATA_KEY, 'alert-channel')

  handle(calls.listAlerts, async () => {
    await alerts.ensureTeam(db)
    const [channels, last, settings] = await Promise.all([
      alerts.listChannels(db, key),
      alerts.listLast(db),
      alerts.readSettings(db),
    ])
    return {
      channels: channels.map((channel) => present(channel, last.get(channel.id) ?? null)),
      checked_at: settings.checkedAt?.toISOString() ?? null,
      no_lead_hours: settings.noLeadHours,
    }
  })

  handle(calls.addAlertChannel, ({ body, actor }) =>
    commands.addChannel(db, body, { ...actor, key, privateHosts: env.ALERT_PRIVATE_HOSTS }),
  )

  handle(calls.changeAlertChannel, async ({ params: { id }, body, actor }) => {
    await commands.changeChannel(db, id, body, { ...actor, key })
    return { success: true }
  })

  handle(calls.removeAlertChannel, async ({ params: { id }, actor }) => {
    await commands.removeChannel(db, id, { ...actor, key })
    return { success: true }
  })

  handle(calls.testAlertChannel, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await commands.testChannel(db, id, { ...actor, key })
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.changeAlertSettings, async ({ body, actor }) => {
    await commands.changeSettings(db, body.no_lead_hours, actor)
    return { success: true }
  })
}

const LOST = 'Cannot be read with this DATA_KEY. Remove the channel, and add it again.'
const shownOf = (target: alerts.Target) =>
  'addresses' in target ? target.addresses.join(', ') : maskAddress(target.url)

/** Shows a channel without its secrets. */
function present(
  { id, kind, name, dailyHour, rhythm, target }: alerts.Channel,
  last: AlertChannel['last'],
): AlertChannel {
  const shown = target === 'lost' ? LOST : target && shownOf(target)
  return { id, kind, name, target: shown, daily_hour: dailyHour, rhythm, last }
}
