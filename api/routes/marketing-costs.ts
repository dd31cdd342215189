import { deleteCosts, uploadCosts } from '../../core/commands/marketing-costs.ts'
import * as calls from '../../core/contract/marketing-costs.ts'
import * as marketingCosts from '../../core/stores/marketing-costs.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function marketingCostRoutes(handle: Handle, { db }: Services): void {
  handle(calls.getCosts, () => marketingCosts.summarize(db))
  handle(calls.uploadCosts, ({ body, actor }) => uploadCosts(db, body.csv, actor))
  handle(calls.deleteCosts, ({ actor }) => deleteCosts(db, actor))
}
