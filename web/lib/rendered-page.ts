import { PAGE_DATA_ID, type PageData } from '../../core/contract/page.ts'

/** What is known where no server has rendered the page: while developing, and in the staff's pages. */
export const UNRENDERED: PageData = {
  mainDomain: 'localhost',
  timeZone: 'America/New_York',
  mapTiles: { url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', attribution: '© OpenStreetMap contributors' },
}

/** Reads what the server has left in the page. */
export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  return text ? JSON.parse(text) : UNRENDERED
}

/** Whether the server has rendered this page: then there is something to see and to send without any script. */
export function isRendered(): boolean {
  return document.getElementById(PAGE_DATA_ID) !== null
}

/**
 * Whether nothing on this page happens by itself: no part of it says with `data-live` that it does, and no address with an
 * anchor asks to be followed.
 */
export function isAtRest(): boolean {
  return isRendered() && !window.location.hash && document.querySelector('[data-live]') === null
}
