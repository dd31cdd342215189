import { writeFile } from 'node:fs/promises'
import { buildDashboard } from './dashboard.ts'

/** `npm run dashboards`: writes the dashboard that Grafana reads. */
await writeFile(new URL('dashboards/leadwell.json', import.meta.url), `${JSON.stringify(buildDashboard(), null, 2)}\n`)
