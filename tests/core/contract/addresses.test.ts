import { expect, it } from 'vitest'
import { directionsUrl, fullAddress } from '../../../core/providers/contract/providers.ts'

it.each([
  ['120 Linden Street, Austin, TX', '78701', '120 Linden Street, Austin, TX 78701'],
  ['120 Linden Street, Austin, TX 78701', '78701', '120 Linden Street, Austin, TX 78701'],
  ['120 Linden Street, Austin, TX, 78701-1234 ', '78701', '120 Linden Street, Austin, TX 78701-1234'],
  ['1 Main Street', '78701', '1 Main Street, 78701'],
  [null, '78701', '78701'],
  [' ', '78701', '78701'],
])('the address on one line has its zip code once, and no comma after the state: %s', (address, zipCode, line) => {
  expect(fullAddress({ address, zipCode })).toBe(line)
})

it('names the practice and its address as the destination of the directions', () => {
  const url = new URL(
    directionsUrl({
      name: 'Dr. Ana Flores',
      practiceName: 'Bluebonnet & Sons',
      address: '1 Oak St, Austin, TX',
      zipCode: '78701',
    }),
  )
  expect(url.searchParams.get('destination')).toBe('Bluebonnet & Sons, 1 Oak St, Austin, TX 78701')
})
