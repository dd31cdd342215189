import { describe, expect, it } from 'vitest'
import { MAX_COST_LINES } from '../../../core/contract/marketing-costs.ts'
import { readCostFile } from '../../../core/rules/cost-file.ts'

const HEAD = 'date,source,campaign,cost\n'
const problemsOf = (csv: string) => {
  const file = readCostFile(csv)
  return 'problems' in file ? file.problems.map(({ line, message }) => `${line}: ${message}`) : []
}

describe('a file of costs', () => {
  it('is read whatever the separator, the order of its columns and the way an amount is written', () => {
    expect(
      readCostFile('\ufeffCost;Date;Source;Campaign\r\n"$1,234.50";2026-11-01; Google ;"Fall; early"\r\n\r\n'),
    ).toEqual({
      lines: [{ day: '2026-11-01', source: 'google', campaign: 'fall; early', cost_cents: 123_450 }],
    })
    expect(readCostFile(`${HEAD}2026-11-01,radio,,7`)).toEqual({
      lines: [{ day: '2026-11-01', source: 'radio', campaign: '', cost_cents: 700 }],
    })
  })

  it('names every wrong line with its number', () => {
    const csv = `${HEAD}2026-11-31,google,a,1\n2026-11-01,,a,1\n2026-11-01,google,a,-1\n2026-11-01,google,a,1.234\n2026-11-01,google,a,1000001\n`
    expect(problemsOf(csv)).toEqual([
      '2: Write the date like 2026-11-23',
      '3: The source is missing',
      '4: Write the cost in US dollars, like 123.45',
      '5: Write the cost in US dollars, like 123.45',
      '6: The cost of a line must be $1,000,000 or less',
    ])
  })

  it.each([
    [
      'twice the same',
      `${HEAD}2026-11-01,google,a,1\n2026-11-01,Google,A,2\n`,
      '3: Line 2 has the same date, source and campaign',
    ],
    ['a missing cell', `${HEAD}2026-11-01,google,1\n`, '2: The line must have 4 cells'],
    ['an open quote', `${HEAD}2026-11-01,"google,a,1\n`, '2: The line is not valid CSV'],
    [
      'other columns',
      'day,spend\n2026-11-01,1\n',
      '1: The first line must name the columns date, source, campaign, cost',
    ],
    ['nothing', '', '1: The file has no costs'],
    ['only the names of the columns', HEAD, '1: The file has no costs'],
  ])('with %s is refused', (_what, csv, problem) => expect(problemsOf(csv)).toEqual([problem]))

  it('has a limit', () => {
    const line = (index: number) => `2026-11-01,google,campaign ${index},1\n`
    const lines = Array.from({ length: MAX_COST_LINES }, (_, index) => line(index)).join('')
    expect(readCostFile(HEAD + lines)).toMatchObject({ lines: { length: MAX_COST_LINES } })
    expect(problemsOf(HEAD + lines + line(-1))).toEqual([
      `${MAX_COST_LINES + 2}: A file must have 5,000 lines or fewer`,
    ])
  })
})
