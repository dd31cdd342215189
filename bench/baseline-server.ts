import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import pg from 'pg'
import { z } from 'zod'

/** The baseline of the API: the least that stores a lead in one row, with Koa, zod and pg. */
const Body = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.email(),
  phone: z.string(),
  zip_code: z.string(),
})

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
await pool.query(`create table if not exists baseline_leads (
  id integer generated always as identity primary key,
  first_name text, last_name text, email text, phone text, zip_code text, created_at timestamptz default now()
)`)

const app = new Koa()
app.use(bodyParser())
app.use(async (ctx) => {
  const { first_name, last_name, email, phone, zip_code } = Body.parse(ctx.request.body)
  const { rows } = await pool.query(
    'insert into baseline_leads (first_name, last_name, email, phone, zip_code) values ($1, $2, $3, $4, $5) returning id',
    [first_name, last_name, email, phone, zip_code],
  )
  ctx.status = 201
  ctx.body = rows[0]
})
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'))
