import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { csv, inPieces } from '../../../../core/staff/rules/csv.ts'

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
