import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { NO_RULES, type ProviderRules } from '../../core/contract/provider-rules.ts'
import { answer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { provider } from './samples.ts'

const QUILL = provider(1, {
  ...{ name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic' },
  obstacle: { reason: 'full', period: 'day', used: 10, cap: 10 },
})
const GRANITE = provider(2, { name: 'Dr. Granite', practiceName: 'Granite Clinic' })

const rules = (own: Partial<ProviderRules> = {}) => ({
  rules: { ...NO_RULES, ...own },
  used: { day: 10, week: 12, month: 40 },
  ...{ updated_at: null, updated_by: null },
})

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/providers', ({ query }) => (query.status === 'active' ? [QUILL, GRANITE] : []))
})

async function openRules() {
  const user = await openDashboard('/admin?tab=providers')
  await user.click(await screen.findByRole('button', { name: 'Rules... of Dr. Rosa Quill' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rules of Quill Clinic' }))
  await dialog.findByLabelText('A day (10 today)')
  return { user, dialog }
}

describe('the rules of a provider', () => {
  it('are marked in the list while it gets no leads', async () => {
    await openDashboard('/admin?tab=providers')
    await screen.findByText('10 of 10 today')
  })

  it('send what was changed, and nothing else', async () => {
    answer('GET /api/providers/{id}/rules', rules({ daily_cap: 10, weekly_cap: 50 }))
    const changes = answer('PATCH /api/providers/{id}/rules', rules())
    const { user, dialog } = await openRules()
    await user.clear(dialog.getByLabelText('A day (10 today)'))
    await user.type(dialog.getByLabelText('A month (40 this month)'), '200')
    await user.type(dialog.getByLabelText('Monday'), '09:00-12:00, 13:00-17:00')
    await user.type(dialog.getByLabelText(/^Excluded zip codes/), '78702, 78701')
    dialog.getByLabelText('Excluded zip codes (2 zip codes of 2,000)')
    await user.click(dialog.getByRole('button', { name: 'Choose backup...' }))
    await user.click(await dialog.findByRole('option', { name: /Dr\. Granite/ }))
    await user.click(dialog.getByRole('button', { name: 'Save rules' }))

    await findToast('Rules changed')
    expect(changes.map(({ body }) => body)).toEqual([
      {
        ...{ daily_cap: null, monthly_cap: 200, backup_provider_id: 2, excluded_zips: ['78701', '78702'] },
        hours: {
          1: [
            ['09:00', '12:00'],
            ['13:00', '17:00'],
          ],
        },
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('show an error at its field, of the page and of the server', async () => {
    answer('GET /api/providers/{id}/rules', rules())
    answer('PATCH /api/providers/{id}/rules', refusal(422, { fields: { extra_zips: 'There is no zip code 00000' } }))
    const { user, dialog } = await openRules()
    await user.type(dialog.getByLabelText('A day (10 today)'), 'ten')
    await user.type(dialog.getByLabelText('Monday'), '9 to 5')
    await user.click(dialog.getByRole('button', { name: 'Save rules' }))
    await dialog.findByText('Write a whole number, or leave it empty')
    dialog.getByText('Write hours like 09:00-17:00')

    await user.clear(dialog.getByLabelText('A day (10 today)'))
    await user.clear(dialog.getByLabelText('Monday'))
    await user.type(dialog.getByLabelText(/^Extra zip codes/), '00000')
    await user.click(dialog.getByRole('button', { name: 'Save rules' }))
    await dialog.findByText('There is no zip code 00000')
  })

  it('are only read by viewers', async () => {
    emptyDashboard({ id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' })
    answer('GET /api/providers', ({ query }) => (query.status === 'active' ? [QUILL] : []))
    answer('GET /api/providers/{id}/rules', rules({ daily_cap: 10 }))
    const { dialog } = await openRules()
    expect(dialog.getByLabelText('A day (10 today)')).toHaveProperty('value', '10')
    expect(dialog.getByLabelText('A day (10 today)').closest('fieldset')).toHaveProperty('disabled', true)
    expect(dialog.queryByRole('button', { name: 'Save rules' })).toBeNull()
  })
})
