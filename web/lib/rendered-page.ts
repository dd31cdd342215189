import { PAGE_DATA_ID, type PageData } from '../../core/contract/page.ts'

/** Stands in for the server's data on pages that it has not rendered: in development and in the dashboard. */
export const UNRENDERED: PageData = {
  mainDomain: 'localhost',
  timeZone: 'America/New_York',
  mapTiles: { url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', attribution: '© OpenStreetMap contributors' },
}

/** Reads the data that the server has put into the page. */
export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  return text ? JSON.parse(text) : UNRENDERED
}

/** Tells whether the server has rendered this page. Such a page is readable, and its forms work, without a script. */
export function isRendered(): boolean {
  return document.getElementById(PAGE_DATA_ID) !== null
}
