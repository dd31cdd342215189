import { describe, expect, it } from 'vitest'
import { DEFAULT_MAPPING, MappingChanges, SYNCED_FIELDS } from '../../../../core/sync/rules/wordpress-mapping.ts'

describe('the default mapping', () => {
  it('covers each field, and whether the provider is active', () => {
    expect(Object.keys(DEFAULT_MAPPING).toSorted()).toEqual([...SYNCED_FIELDS, 'active'].toSorted())
  })

  it('looks for a field in Advanced Custom Fields first, then in registered meta', () => {
    expect(DEFAULT_MAPPING.zipCode).toEqual([
      ...['acf.zip_code', 'acf.zipCode', 'acf.zip', 'acf.postal_code', 'acf.wpsl_zip'],
      ...['meta.zip_code', 'meta.zipCode', 'meta.zip', 'meta.postal_code', 'meta.wpsl_zip'],
    ])
  })

  it('takes the title for the name, the link for the address of the page, and the featured image last', () => {
    expect(DEFAULT_MAPPING.name).toEqual(['title.rendered'])
    expect(DEFAULT_MAPPING.url).toEqual(['link'])
    expect(DEFAULT_MAPPING.image_url.at(-1)).toBe('_embedded.wp:featuredmedia.0.source_url')
  })
})

describe('changes of the mapping', () => {
  it.each([
    ['{}', {}],
    ['{"zipCode": "acf.plz"}', { zipCode: ['acf.plz'] }],
    [
      '{"zipCode": ["acf.plz", "meta.plz"], "active": "acf.open"}',
      { zipCode: ['acf.plz', 'meta.plz'], active: ['acf.open'] },
    ],
    ['{"domain": null, "phone": []}', { domain: [], phone: [] }],
    ['{"url": "link"}', { url: ['link'] }],
    ['{"image_url": "_embedded.wp:featuredmedia.0.source_url"}', { image_url: [DEFAULT_MAPPING.image_url.at(-1)] }],
  ])('are read from JSON: %s', (text, changes) => {
    expect(MappingChanges.parse(text)).toEqual(changes)
  })

  it.each([
    '',
    'zipCode',
    '[]',
    '5',
    'null',
    '{"zip": "acf.zip"}',
    '{"zipCode": 5}',
    '{"zipCode": ""}',
    '{"zipCode": ".zip"}',
    '{"zipCode": "acf."}',
    '{"zipCode": "acf..zip"}',
    '{"zipCode": "acf zip"}',
    '{"zipCode": " acf.zip"}',
    '{"zipCode": "acf.zip code"}',
    '{"zipCode": "acf.zip "}',
    '{"zipCode": ["acf.zip", "acf..zip"]}',
  ])('are refused when they are not as they should be, with an example and every name: %j', (text) => {
    const { success, error } = MappingChanges.safeParse(text)
    expect(success).toBe(false)
    const names = [...SYNCED_FIELDS, 'active'].join(', ')
    expect(error?.issues.map(({ message }) => message)).toEqual([
      `must be JSON like {"zipCode": "acf.zip", "logo_url": null}, with only these names: ${names}`,
    ])
  })
})
