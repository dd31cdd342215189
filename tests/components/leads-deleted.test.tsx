import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DeletedLead } from '../../core/contract/deleted-leads.ts'
import { answer } from './api.ts'
import { chooseForAll, rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

const VIEW = '/admin?tab=leads&deleted=true'
let deleted: DeletedLead[]

beforeEach(() => {
  emptyDashboard()
  deleted = [deletedLead(7), deletedLead(8)]
  answer('GET /api/deleted-leads', () => ({ leads: deleted, total: deleted.length }))
})

function deletedLead(id: number): DeletedLead {
  const { first_name, last_name, email, phone, zip_code, created_at } = lead(id)
  return {
    ...{ id, first_name, last_name, email, phone, zip_code, created_at },
    deleted_at: '2026-11-21T15:00:00.000Z',
    purged_at: '2026-12-21T15:00:00.000Z',
  }
}
const deletedRow = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)

describe('the deleted leads', () => {
  it('are a list of their own, from the list of leads and back', async () => {
    storeLeads(lead(1))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await chooseForAll(user, 'Deleted')
    const row = await deletedRow('Jordan Avery7')
    row.getByText('Dec 21, 2026')
    await waitFor(() => expect(location.search).toBe('?deleted=true'))
    await user.click(screen.getByRole('button', { name: 'Back to leads' }))
    await rowOf('Jordan Avery1')
  })

  it('are restored', async () => {
    const restored = answer('POST /api/leads/{id}/restore', ({ params }) => {
      deleted = deleted.filter(({ id }) => id !== params.id)
      return { success: true }
    })
    const user = await openDashboard(VIEW)
    await user.click((await deletedRow('Jordan Avery7')).getByRole('button', { name: 'Restore Jordan Avery7' }))
    await findToast('Success', '1 lead restored successfully')
    await waitFor(() => expect(screen.queryByText('Jordan Avery7')).toBeNull())
    expect(restored.map(({ params }) => params)).toEqual([{ id: 7 }])
  })

  it('are deleted for good after a question', async () => {
    const purged = answer('DELETE /api/deleted-leads/{id}', ({ params }) => {
      deleted = deleted.filter(({ id }) => id !== params.id)
      return { success: true }
    })
    const user = await openDashboard(VIEW)
    await user.click(
      (await deletedRow('Jordan Avery7')).getByRole('button', { name: 'Delete for good: Jordan Avery7' }),
    )
    expect(purged).toEqual([])
    await user.click(
      within(screen.getByRole('dialog', { name: 'Delete Jordan Avery7 for good?' })).getByRole('button', {
        name: 'Delete for good',
      }),
    )
    await findToast('Success', 'Lead deleted for good')
    await waitFor(() => expect(screen.queryByText('Jordan Avery7')).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('go to the last page when the only one of the page after it is restored', async () => {
    const pages = answer('GET /api/deleted-leads', ({ query: { page } }) => ({
      leads: page === 1 ? deleted : [],
      total: deleted.length,
    }))
    await openDashboard(`${VIEW}&deleted-page=2`)
    await deletedRow('Jordan Avery7')
    expect(pages.map(({ query }) => query.page)).toEqual([2, 1])
    expect(new URLSearchParams(location.search).get('deleted-page')).toBeNull()
  })

  it('cannot be changed by viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    await openDashboard(VIEW)
    const row = await deletedRow('Jordan Avery7')
    expect(row.queryAllByRole('button')).toEqual([])
  })
})
