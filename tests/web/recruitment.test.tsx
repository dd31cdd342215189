import { beforeAll, describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import type { ReturnedForm } from '../../core/contract/page.ts'
import { ClinicsPage } from '../../web/site/pages/clinics-page.tsx'
import { renderLazyParts, tagWith } from './render.tsx'

const SECTIONS = [
  'video-section',
  'key-points',
  'testimonials',
  'research',
  'provider-network',
  'what-is',
  'get-started',
  'special-offer',
  'faq',
  'provider-form',
]

let html: string
beforeAll(async () => {
  html = await renderLazyParts(<ClinicsPage />, '/clinics')
})

describe('the page for clinics', () => {
  it('has its sections in order, each of them a place for links and the keyboard', () => {
    const ids = [...html.matchAll(/<section id="([^"]+)" tabindex="-1"/g)].map(([, id]) => id)
    expect(ids).toEqual(SECTIONS)
  })

  it.each([
    ['Become a Provider', '#special-offer'],
    ['View Provider Map', '#provider-network'],
    ['Join the Network', '#special-offer'],
    ['Start Your Application', '#provider-form'],
    ['Apply Now', '#provider-form'],
  ])('%s leads to %s', (label, target) => {
    const links = [...html.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].filter(([, , text]) => text === label)
    expect(links.length).toBeGreaterThan(0)
    for (const [, href] of links) expect(href).toBe(target)
  })

  it('starts its countdown at 14 days, 23 hours, 59 minutes and 52 seconds, and announces no second', () => {
    expect(tagWith(html, 'role="timer"')).toContain('aria-live="off"')
    const offer = sectionOf('special-offer')
    expect([...offer.matchAll(/tabular-nums[^>]*>(\d+)</g)].map(([, value]) => value)).toEqual(['14', '23', '59', '52'])
  })

  it('asks nobody for the video before it is wanted', () => {
    expect(html).not.toContain('<iframe')
    expect(html.split(brand.providerVideoUrl)).toHaveLength(2)
    expect(tagWith(html, brand.providerVideoUrl)).toMatch(/^<a /)
    expect(tagWith(html, 'Play video')).toMatch(/^<button /)
  })

  it('has no inline style', () => expect(html).not.toMatch(/ style=|<style/))
})

describe('the short form before it is hydrated', () => {
  it('posts what was typed, to be carried to the whole form: an address would name the person', () => {
    const short = html.slice(0, html.indexOf('Practice Zip Code')).split('<form').at(-1) ?? ''
    expect(short).toContain('action="/api/provider-applications" method="post"')
    expect([...html.matchAll(/name="carry"/g)]).toHaveLength(1)
    expect(short).toContain('name="carry"')
    expect([...short.matchAll(/<input [^>]*name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'carry',
      'page',
      'name',
      'email',
    ])
  })

  it('leaves the first field of the whole form that is still empty to the keyboard', async () => {
    const values = { name: 'Dr. Rosa Quill', email: 'quill@clinics.example' }
    const carried = await renderLazyParts(<ClinicsPage />, '/clinics', {
      form: { url: '/clinics', values, errors: {} },
    })
    expect(carried.match(/autofocus/gi)).toHaveLength(1)
    expect(tagWith(carried, 'name="practice_name"')).toMatch(/autofocus/i)
    expect(carried).not.toContain('aria-invalid="true"')
  })
})

describe('the application form before it is hydrated', () => {
  it('is a plain form that posts an application', () => {
    expect(tagWith(applicationForm(), '"/api/provider-applications"')).toMatch(/^<form .*method="post"/)
    expect(tagWith(applicationForm(), '"/api/provider-applications"')).not.toContain('noValidate')
    expect(tagWith(applicationForm(), 'name="acceptance_message"')).toContain(`value="${CONSENT.application.wording}"`)
    expect(tagWith(applicationForm(), 'name="page"')).toContain('value="/clinics"')
    expect(tagWith(applicationForm(), 'name="topic"')).toContain('tabindex="-1"')
  })

  it.each(['name', 'practice_name', 'email', 'phone', 'zip_code', 'acceptance_consent'])('insists on %s', (name) => {
    expect(tagWith(applicationForm(), `name="${name}"`)).toContain('required')
  })

  it.each(['website', 'message'])('does not insist on %s', (name) => {
    expect(tagWith(applicationForm(), `name="${name}"`)).not.toContain('required')
  })
})

it('shows a refused application again, with what was typed and what is wrong', async () => {
  const form: ReturnedForm = {
    url: '/clinics',
    values: { name: 'Dr. Rosa Quill', website: 'no address', message: 'Two <rooms>' },
    errors: { website: 'Please enter a valid website address' },
  }
  const refused = await renderLazyParts(<ClinicsPage />, '/clinics', { form })
  expect(tagWith(applicationForm(refused), 'name="name"')).toContain('value="Dr. Rosa Quill"')
  expect(refused).toContain('Two &lt;rooms&gt;</textarea>')
  expect(tagWith(refused, 'name="website"')).toMatch(/autofocus/i)
  expect(tagWith(refused, 'name="website"')).toContain('aria-invalid="true"')
  expect(refused).toContain('Please enter a valid website address')
})

it('confirms an application that was sent without JavaScript', async () => {
  const applied = await renderLazyParts(<ClinicsPage />, '/clinics?applied=true')
  expect(applied).toContain('Application received')
  expect(applied).toContain('Your application is reviewed within 24-48 hours.')
  expect(applicationForm(applied)).toBe('')
})

/** A section's HTML; none has another in it. */
function sectionOf(id: string): string {
  return new RegExp(`<section id="${id}".*?</section>`, 's').exec(html)?.[0] ?? ''
}

/** The HTML of the whole form; empty if the page does not have it. */
function applicationForm(page = html): string {
  return /<form[^>]* aria-label="Provider application".*?<\/form>/s.exec(page)?.[0] ?? ''
}
