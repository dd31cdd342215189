import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { csv, exportName, inPieces, loggedQuery } from '../../../../core/staff/rules/exports.ts'

type Value = string | number | null

/** The file without the mark at its start. */
async function fileOf(rows: Record<string, Value>[], columns = Object.keys(rows[0] ?? {})): Promise<string> {
  async function* read() {
    yield* rows
  }
  const lines: string[] = []
  for await (const line of csv(columns, read())) lines.push(line)
  expect(lines).toHaveLength(rows.length + 1)
  expect(lines[0]?.[0]).toBe('\ufeff')
  return lines.join('').slice(1)
}
const cell = async (value: Value) => (await fileOf([{ a: value }])).slice('a\r\n'.length, -'\r\n'.length)

describe('csv', () => {
  it('has the names of the columns first, and a line for each row', async () => {
    const rows = [
      { id: 2, name: 'Ines', other: 'x' },
      { id: 1, name: null, other: 'x' },
    ]
    expect(await fileOf(rows, ['id', 'name'])).toBe('id,name\r\n2,Ines\r\n1,\r\n')
    expect(await fileOf([], ['id', 'name'])).toBe('id,name\r\n')
  })

  it.each([
    ['plain words', 'plain words'],
    ['Zoë 李 🙂', 'Zoë 李 🙂'],
    ['one, two', '"one, two"'],
    ['the "best"', '"the ""best"""'],
    ['one\ntwo', '"one\ntwo"'],
    ['one\r\ntwo', '"one\r\ntwo"'],
    ['one;=two()', '"one;=two()"'],
    ['', ''],
    [null, ''],
    [-5, '-5'],
    [0, '0'],
  ])('keeps %j', async (value, expected) => {
    expect(await cell(value)).toBe(expected)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
    ['+1 512 555 0100', "'+1 512 555 0100"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
  ])('defuses what a spreadsheet would run: %j', async (value, expected) => {
    expect(await cell(value)).toBe(expected)
  })

  it('defuses no dash within a text', async () => {
    expect(await cell('512-555=0100')).toBe('512-555=0100')
  })
})

it.each([
  [
    ['ab', 'c', 'de', 'f'],
    ['abc', 'def'],
  ],
  [
    ['abcd', 'e'],
    ['abcd', 'e'],
  ],
  [[], []],
])('the lines %j come in the pieces %j', async (lines, expected) => {
  expect(await Readable.from(inPieces(Readable.from(lines), 3)).toArray()).toEqual(expected)
})

it('the query of an export is logged with the fact of a search, and without its text', () => {
  expect(loggedQuery({ q: 'Avery', held: true, sort: 'name' })).toEqual({
    filter: { search: true, held: true },
    sort: 'name',
  })
  expect(loggedQuery({ sort: '-created_at' })).toEqual({ filter: {}, sort: '-created_at' })
})

it('the file of an export is named after its filter and its day in the network, but not after a search', () => {
  const at = new Date('2026-11-26T03:00:00Z')
  const nameOf = (query: Partial<Parameters<typeof exportName>[0]>) =>
    exportName({ sort: 'name', ...query }, at, 'America/Chicago')
  expect(nameOf({})).toBe('leads')
  expect(nameOf({ unmatched: true, state: 'MD' })).toBe('leads-unmatched-state-md-2026-11-25')
  expect(nameOf({ q: 'Avery', held: false })).toBe('leads-not-held-search-2026-11-25')
  expect(nameOf({ campaign: '"../Спб & spring' })).toBe('leads-campaign-spring-2026-11-25')
  expect(nameOf({ from: '2026-11-25', to: '2026-11-25' })).toBe('leads-2026-11-25')
  expect(nameOf({ from: '2026-11-20', to: '2026-11-22', held: true })).toBe('leads-held-2026-11-20-to-2026-11-22')
  expect(nameOf({ from: '2026-11-20' })).toBe('leads-2026-11-20-to-2026-11-25')
  expect(nameOf({ to: '2026-11-20' })).toBe('leads-to-2026-11-20')
  expect(nameOf({ campaign: 'x'.repeat(300) })).toHaveLength(97)
})
