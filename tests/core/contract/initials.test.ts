import { expect, it } from 'vitest'
import { initialOf } from '../../../core/contract/texts.ts'

it.each([
  ['Dr. Grace Moreau', 'G'],
  ['dr grace Moreau', 'G'],
  ['DR.Grace Moreau', 'G'],
  ['Prof. Dr. Ana Flores', 'A'],
  ['Mrs. Chen', 'C'],
  ['Ms Élise Roy', 'É'],
  ['Mr. O’Brien', 'O'],
  ['Drake Moreau', 'D'],
  ['Professor Quill', 'P'],
  ['Dr.', 'D'],
  ['', ''],
])('the picture of %s without an image is the letter %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial)
})
