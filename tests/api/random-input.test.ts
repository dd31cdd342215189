import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { leadForm } from '../support/factories.ts'
import { seededRandom } from '../support/random.ts'
import { rawRequest } from '../support/raw-http.ts'
import { expectProblem, JSON_TYPE, storedRows } from '../support/refusals.ts'

const { api, database } = useApi()

describe('a few hundred random bodies', () => {
  it('never make the server fail, and never leave half a lead', async () => {
    const random = seededRandom(5)
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
    const text = () =>
      String.fromCodePoint(
        ...Array.from({ length: Math.floor(random() * 40) }, () =>
          Math.floor(random() * pick([0x80, 0x800, 0xffff, 0x10ffff])),
        ),
      )
    const value = (depth = 0): unknown =>
      pick([
        () => text(),
        () => text().repeat(50),
        () => (random() - 0.5) * 10 ** Math.floor(random() * 20),
        () => null,
        () => random() < 0.5,
        () => (depth > 3 ? [] : Array.from({ length: 3 }, () => value(depth + 1))),
        () => (depth > 3 ? {} : { [text()]: value(depth + 1), toString: value(depth + 1), length: value(depth + 1) }),
      ])()
    const fields = [...Object.keys(leadForm()), 'attribution']

    const statuses = new Map<number, number>()
    for (let n = 0; n < 400; n++) {
      const body: Record<string, unknown> = leadForm()
      for (let change = 0; change < 1 + random() * 3; change++) body[pick(fields)] = value()
      let sent = JSON.stringify(body)
      if (random() < 0.2) sent = sent.slice(0, Math.floor(random() * sent.length))
      const headers = { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(sent)) }
      const answer = await rawRequest(api.url, {
        method: 'POST',
        path: '/api/leads',
        body: sent,
        headers,
      })

      expect({ n, sent, status: answer.status < 500 }).toEqual({ n, sent, status: true })
      if (answer.status !== 201) expectProblem(answer)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }

    const { leads, consents, jobs } = await storedRows(database.db)
    expect(leads).toBe(statuses.get(201) ?? 0)
    expect({ consents, jobs }).toEqual({ consents: leads, jobs: Number(leads) * 2 })
    expect(statuses.get(422)).toBeGreaterThan(100)
  })
})
