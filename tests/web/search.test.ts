import { describe, expect, it } from 'vitest'
import { createSearch } from '../../web/dashboard/search.ts'
import { provider } from '../components/samples.ts'

const QUILL = provider(1, { name: 'Dr. Rosa Quill', zipCode: '78701', email: 'desk@quill.example' })
const NUNEZ = provider(2, { name: 'Dr. José Núñez', practiceName: 'Harbor', zipCode: '60601', email: 'n@x.example' })
const search = createSearch([QUILL, NUNEZ], ({ name, practiceName, zipCode, email }) => [
  name,
  practiceName,
  zipCode,
  email,
])

describe('a search', () => {
  it.each([
    ['a name, whatever case, accents and order', 'nunez JOSE', [NUNEZ]],
    ['a practice', 'harbor', [NUNEZ]],
    ['a zip', '60601', [NUNEZ]],
    ['an e-mail', 'desk@quill', [QUILL]],
    ['words of several fields', 'rosa 787', [QUILL]],
    ['what all have', 'dr.', [QUILL, NUNEZ]],
    ['nothing but spaces', '  ', [QUILL, NUNEZ]],
  ])('finds by %s', (_what, typed, found) => {
    expect(search(typed)).toEqual(found)
  })

  it('finds nobody who lacks one of the words', () => {
    expect(search('rosa harbor')).toEqual([])
  })
})
