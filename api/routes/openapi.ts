import type Router from '@koa/router'
import { openApiDocument } from '../openapi.ts'
import type { Services } from '../services.ts'

export function openApiRoutes(router: Router, { env }: Services): void {
  const document = openApiDocument(env.PUBLIC_URL)

  router.get('/api/openapi.json', (ctx) => {
    ctx.body = document
  })
}
