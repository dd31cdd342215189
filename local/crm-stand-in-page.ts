import { type Html, html, page, time } from './pages.ts'

/** One verified event. `id` is its webhook-id; `externalId` what the CRM calls the lead; `receivedAt` is ISO 8601. */
export interface CrmEvent {
  id: string
  externalId: string
  type: string
  receivedAt: string
  /** How often it was delivered; a repeat changes nothing else. */
  deliveries: number
  payload: unknown
}

/** Every verified event, newest first. The payload is shown as it came: whatever fields it has. */
export function crmPage(events: CrmEvent[]): string {
  return page({
    title: 'CRM stand-in',
    lead: 'Plays the part of your CRM: what arrives here was signed, verified and counted once.',
    main: html`<main id="main" data-live>${events.length ? html`<div class="events">${events.map(card)}</div>` : EMPTY}</main>`,
  })
}

const EMPTY = html`<p class="empty"><strong>No leads yet</strong>Send a lead from the site: once its signature is verified it
appears here by itself.</p>`

function card(event: CrmEvent): Html {
  const data = fieldsOf(fieldsOf(event.payload).data)
  const lead = fieldsOf(data.lead)
  const name = [lead.first_name, lead.last_name].filter((part) => typeof part === 'string').join(' ')
  return html`<section class="event">
<h2>${name || event.externalId} <span class="badge">${event.type}</span> <span class="badge good">Verified</span>
${event.deliveries > 1 && html`<span class="badge">Delivered ${event.deliveries} times</span>`} ${time(event.receivedAt)}</h2>
<div class="columns">${part('Lead', lead)}${event.type !== 'lead.deleted' && part('Provider', fieldsOf(data.provider), 'None in reach yet.')}</div>
<p class="ids">In this CRM ${event.externalId} · webhook-id ${event.id}</p>
<details id="payload-${event.id}"><summary>Payload</summary><pre>${JSON.stringify(event.payload, null, 2)}</pre></details>
</section>`
}

function part(title: string, fields: Record<string, unknown>, whenEmpty = 'No fields.'): Html {
  const rows = Object.entries(fields).map(([name, value]) => html`<dt>${name}</dt><dd>${shown(value)}</dd>`)
  return html`<div><h3>${title}</h3>${rows.length ? html`<dl>${rows}</dl>` : html`<p>${whenEmpty}</p>`}</div>`
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
