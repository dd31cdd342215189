import { describe, expect, it } from 'vitest'
import { AD_NETWORKS, type AdNetwork } from '../../../core/contract/ad-measurement.ts'
import { ConversionExportQuery, USUAL_CONVERSION_NAME } from '../../../core/contract/offline-conversions.ts'
import { type Conversion, conversionFile, FORMATS } from '../../../core/rules/offline-conversions.ts'

const GCLID = 'Cj0KCQiA-example_click-id'
const BOOKING = { clickId: GCLID, bookedAt: new Date('2026-11-24T23:05:09.999-05:00'), valueCents: 125_050 }

async function fileOf(network: AdNetwork, conversions: Conversion[], name = USUAL_CONVERSION_NAME): Promise<string> {
  async function* read() {
    yield* conversions
  }
  let file = ''
  for await (const line of conversionFile(network, name, read())) file += line
  return file
}

describe('the file of bookings', () => {
  it('is as Google Ads imports it, with the consent', async () => {
    expect(await fileOf('google', [BOOKING, { ...BOOKING, valueCents: null }])).toBe(
      [
        'Parameters:TimeZone=+0000,,,,,,',
        'Google Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency,Ad User Data,Ad Personalization',
        `${GCLID},Appointment booked,2026-11-25 04:05:09,1250.50,USD,Granted,Denied`,
        `${GCLID},Appointment booked,2026-11-25 04:05:09,,,Granted,Denied`,
        '',
      ].join('\r\n'),
    )
  })

  it('is as Microsoft Advertising imports it', async () => {
    const clickId = 'f894f652ea334e739002f7167ab8f8e3'
    expect(await fileOf('microsoft', [{ ...BOOKING, clickId }], 'Booked, by phone')).toBe(
      [
        'Parameters:TimeZone=+0000,,,,',
        'Microsoft Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency',
        `${clickId},"Booked, by phone",2026-11-25 04:05:09,1250.50,USD`,
        '',
      ].join('\r\n'),
    )
  })

  it.each(AD_NETWORKS)('has its two first lines without any booking (%s)', async (network) => {
    expect((await fileOf(network, [])).split('\r\n')).toHaveLength(3)
  })
})

describe('a click id', () => {
  it.each([
    ['google', GCLID, true],
    ['google', '-Cj0KCQiA-example', false],
    ['google', '=HYPERLINK("https://evil.example")', false],
    ['google', 'jordan@visitors.example', false],
    ['google', 'short', false],
    ['microsoft', 'f894f652ea334e739002f7167ab8f8e3', true],
    ['microsoft', 'F894F652EA334E739002F7167AB8F8E3', true],
    ['microsoft', GCLID, false],
    ['microsoft', 'f894f652ea334e739002f7167ab8f8e3\n=1+1', false],
  ] as const)('of %s is one by its form: %s: %s', (network, clickId, isOne) => {
    expect(FORMATS[network].clickId.form.test(clickId)).toBe(isOne)
  })
})

describe('the name of a conversion', () => {
  it.each(['Appointment booked', '2nd visit', 'Réservation (web)'])('may be %s', (name) => {
    expect(ConversionExportQuery.parse({ network: 'google', provider_id: 7, name }).name).toBe(name)
  })

  it.each(['', '=1+1', '+1', '@x', '-x', 'a\nb', 'a\tb', 'x'.repeat(101)])('may not be %j', (name) => {
    expect(ConversionExportQuery.safeParse({ network: 'google', provider_id: 7, name }).success).toBe(false)
  })
})
