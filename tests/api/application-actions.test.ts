import { describe, expect, it } from 'vitest'
import { ApplicationList } from '../../core/contract/applications.ts'
import { Ledger } from '../../core/contract/jobs.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createApplication } from '../support/factories.ts'

const CALL = '/api/provider-applications'

const { api, database } = useApi()
const staff = useStaff(database)

const asStaff = (method: string, path: string, body?: unknown) => api.call(method, CALL + path, body, staff)
const jobs = async () =>
  (await database.db('jobs').orderBy('purpose')).map(({ purpose, state }) => `${purpose} ${state}`)

it('the list has pages and a filter, in the shape of the contract', async () => {
  const ids: number[] = []
  for (let n = 0; n < 3; n++) ids.push(await createApplication(database.db))
  await asStaff('PATCH', `/${ids[0]}`, { status: 'declined' })

  const { status, body } = await asStaff('GET', '?page=1&limit=2')
  expect(status).toBe(200)
  expect(ApplicationList.strict().parse(body)).toEqual(body)
  expect(body.applications.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[1]])
  expect(body.total).toBe(3)

  const declined = (await asStaff('GET', '?status=declined')).body
  expect(declined).toMatchObject({ total: 1, applications: [{ id: ids[0], status: 'declined' }] })
})

describe('what staff do', () => {
  it('shows the ledger, and sends the e-mails again', async () => {
    const id = await createApplication(database.db)
    const wakes = api.wakes()
    expect((await asStaff('POST', `/${id}/retry-email`)).body).toEqual({ success: true })

    const { body } = await asStaff('GET', `/${id}/jobs`)
    expect(Ledger.strict().parse(body)).toEqual(body)
    expect(body.jobs).toHaveLength(4)
    expect(api.wakes()).toBe(wakes + 1)
  })

  it('releases a held one, and refuses to release or resend otherwise', async () => {
    const id = await createApplication(database.db, { heldReason: 'too_fast' })
    expect((await asStaff('POST', `/${id}/retry-email`)).status).toBe(409)
    expect((await asStaff('POST', `/${id}/release`)).body).toEqual({ success: true })
    expect(await jobs()).toEqual(['applicant waiting', 'team waiting'])
    expect((await asStaff('POST', `/${id}/release`)).status).toBe(409)
  })
})

it('GET /api/provider-applications.csv is every application as a file for spreadsheets, with nothing in it that runs', async () => {
  const id = await createApplication(database.db, {
    form: {
      name: '=HYPERLINK("https://evil.example")',
      practice_name: 'Calloway, Hart & "Sons"',
      phone: '+1 512 555 0100',
      message: '@SUM(A1)\nsecond line',
      website: undefined,
    },
  })
  await createApplication(database.db)
  const response = await fetch(`${api.url}${CALL}.csv`, { headers: staff })

  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="provider-applications.csv"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  expect(text.split('\r\n')).toHaveLength(4)
  expect(text.split('\r\n')[0]).toBe(
    'id,created_at,status,name,practice_name,email,phone,zip_code,website,message,email_status,held_reason,' +
      'owner_id,owner_name,promised_at,reviewed_at',
  )
  const row = text.split('\r\n')[2]
  expect(row?.startsWith(`${id},2`)).toBe(true)
  expect(row).toContain(`,new,"'=HYPERLINK(""https://evil.example"")","Calloway, Hart & ""Sons""",applicant`)
  expect(row).toContain(`,'+1 512 555 0100,78701,,"'@SUM(A1)\nsecond line",pending,`)
})
