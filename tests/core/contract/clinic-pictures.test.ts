import { expect, it } from 'vitest'
import { clinicPicturePath } from '../../../core/contract/clinic-pictures.ts'

const CLINIC = {
  id: 7,
  name: 'Dr. Rosa Quill',
  practiceName: 'Quill Clinic',
  city: 'Austin',
  state: 'TX',
  latitude: 30.27,
  longitude: -97.74,
  image_url: '/demo/clinic-1.svg',
}

it.each([
  ['share.png', { practiceName: 'Elm Clinic' }, true],
  ['share.png', { city: 'Dallas' }, true],
  ['share.png', { image_url: null }, true],
  ['share.png', { latitude: 31 }, false],
  ['icon.png', { practiceName: 'Elm Clinic' }, true],
  ['icon.png', { city: 'Dallas' }, false],
  ['map.svg', { longitude: -97.7 }, true],
  ['map.svg', { practiceName: 'Elm Clinic' }, false],
] as const)('the address of %s changes with what it shows: %j %s', (picture, change, isOther) => {
  const path = clinicPicturePath(picture, CLINIC)
  expect(path).toMatch(new RegExp(`^/pictures/clinics/7/${picture}\\?v=\\w{4,7}$`))
  expect(clinicPicturePath(picture, { ...CLINIC, ...change }) !== path).toBe(isOther)
})
