import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer } from './api.ts'
import { chooseForAll, rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, settings } from './samples.ts'

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/settings', settings({ offline_conversions: true }))
  storeLeads(lead(1))
})

const CLINICS = [
  { id: 7, name: 'Bluebonnet Clinic', bookings: 2 },
  { id: 9, name: 'Granite Clinic', bookings: 1 },
]
const offer = () => screen.queryByRole('link', { name: 'Download CSV' })
const wanted = () => Object.fromEntries(new URLSearchParams(offer()?.getAttribute('href')?.split('?')[1]))

async function openDialog() {
  const user = await openDashboard()
  await chooseForAll(user, 'Ad Conversions...')
  return user
}

describe('the bookings for advertising partners', () => {
  it('are downloaded by partner, period and clinic, under the name of the conversion', async () => {
    const calls = answer('GET /api/offline-conversions', { clinics: CLINICS })
    const user = await openDialog()
    await screen.findByText('3 bookings with consent in all. Choose a clinic to download its file.')
    await user.selectOptions(screen.getByLabelText('For'), 'Microsoft Advertising')
    await user.selectOptions(screen.getByLabelText('Clinic'), 'Granite Clinic (1)')
    await screen.findByText('1 booking with consent.')
    const name = screen.getByLabelText('Name of the conversion in the advertiser’s account')
    await user.clear(name)
    expect(offer()).toBeNull()
    await user.type(name, 'Booked')
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ network: 'microsoft' }))
    const { from, to } = calls.at(-1)?.query ?? {}
    expect(wanted()).toEqual({ network: 'microsoft', provider_id: '9', name: 'Booked', from, to })
  })

  it('are downloaded for a chosen clinic alone, as long as it has any', async () => {
    answer('GET /api/offline-conversions', { clinics: CLINICS })
    const user = await openDialog()
    await screen.findByText('3 bookings with consent in all. Choose a clinic to download its file.')
    expect(offer()).toBeNull()
    await user.selectOptions(screen.getByLabelText('Clinic'), 'Granite Clinic (1)')
    expect(wanted()).toMatchObject({ provider_id: '9' })

    answer('GET /api/offline-conversions', { clinics: CLINICS.slice(0, 1) })
    fireEvent.change(screen.getByLabelText('Recorded from'), { target: { value: '2026-01-05' } })
    await screen.findByText('2 bookings with consent in all. Choose a clinic to download its file.')
    expect(offer()).toBeNull()
  })

  it('are none yet', async () => {
    answer('GET /api/offline-conversions', { clinics: [] })
    await openDialog()
    await screen.findByText('No bookings with consent yet.')
    expect(offer()).toBeNull()
  })

  it('have a name that no spreadsheet runs', async () => {
    answer('GET /api/offline-conversions', { clinics: CLINICS })
    const user = await openDialog()
    await screen.findByText('3 bookings with consent in all. Choose a clinic to download its file.')
    await user.selectOptions(screen.getByLabelText('Clinic'), 'Granite Clinic (1)')
    expect(offer()).not.toBeNull()
    const name = screen.getByLabelText('Name of the conversion in the advertiser’s account')
    await user.clear(name)
    await user.type(name, '=1+1')
    await screen.findByText('A name must begin with a letter or a digit')
    expect(offer()).toBeNull()
  })

  it.each([
    { what: 'the setting is off', person: {}, isOn: false },
    { what: 'an agent looks', person: { role: 'agent' as const }, isOn: true },
  ])('are not offered where $what', async ({ person, isOn }) => {
    emptyDashboard(person)
    answer('GET /api/settings', settings({ offline_conversions: isOn }))
    storeLeads(lead(1))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(await screen.findByRole('button', { name: 'More for all leads' }))
    expect(screen.queryByRole('menuitem', { name: 'Ad Conversions...' })).toBeNull()
  })
})
