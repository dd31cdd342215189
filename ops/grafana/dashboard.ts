import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  type Panel,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { createApplication } from '../../core/contract/applications.ts'
import { createLead } from '../../core/contract/lead-form.ts'

/** A query, and what its lines are called. */
type Query = [expr: string, legend: string]
type Options = {
  description?: string
  /** A unit of Grafana: `s`, `bytes`, `reqps`, … */
  unit?: string
  /** Of the 24 columns. */
  width?: number
}

const SOURCE = { type: 'prometheus', uid: '$datasource' }

/** Builds the dashboard of `leadwell.json`, which `npm run generate` writes. */
export function buildDashboard(): Dashboard {
  const dashboard = new DashboardBuilder('Leadwell')
    .uid('leadwell')
    .description('Leads, deliveries, queues and processes. docs/operations.md says what to do.')
    .tags(['leadwell'])
    .timezone('browser')
    .time({ from: 'now-6h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))

  for (const [title, panels] of Object.entries(ROWS)) {
    dashboard.withRow(new RowBuilder(title))
    for (const panel of panels) dashboard.withPanel(panel)
  }
  const built = dashboard.build()
  built.panels?.forEach((panel, position) => {
    panel.id = position + 1
  })
  return built
}

const FORMS = `method="POST", route=~"${createLead.path}|${createApplication.path}"`
const requests = (labels = '') => `http_request_duration_seconds_count${labels && `{${labels}}`}[$__rate_interval]`
const quantile = (q: number, by: string, metric: string) =>
  `histogram_quantile(${q}, sum by (${by}) (rate(${metric}[$__rate_interval])))`

const ROWS: Record<string, Builder<Panel>[]> = {
  Now: [
    stat('API processes', ['sum(up{job="leadwell-api"}) or vector(0)', ''], { bad: 'below', at: 1, width: 3 }),
    stat('Workers', ['sum(up{job="leadwell-worker"}) or vector(0)', ''], { bad: 'below', at: 1, width: 3 }),
    stat('Reached by every API process', ['min by (dependency) (leadwell_dependency_up)', '{{dependency}}'], {
      description: '1: it answers. 0: it does not.',
      ...{ bad: 'below', at: 1, width: 4 },
    }),
    stat('Oldest due job', ['max(leadwell_job_oldest_due_seconds)', ''], {
      description: 'How long the oldest job that is not done has been due.',
      ...{ unit: 's', bad: 'above', at: 300, width: 3 },
    }),
    stat('Outbox age', ['max(leadwell_outbox_age_seconds)', ''], {
      description: 'For how long the oldest due job has waited for the relay.',
      ...{ unit: 's', bad: 'above', at: 60, width: 3 },
    }),
    stat('Failed for good', ['sum(max by (queue, cause) (leadwell_jobs_failed))', ''], {
      description: 'Jobs of the last week that nobody has made again.',
      ...{ bad: 'above', at: 1, width: 3 },
    }),
    stat('Paused', ['sum(max by (integration) (leadwell_sending_paused))', ''], {
      description: 'Integrations to which sending is paused, by staff or by the breaker. Deliveries wait.',
      ...{ bad: 'above', at: 1, width: 2 },
    }),
    stat('Last provider sync', ['max(leadwell_provider_sync_age_seconds)', ''], {
      description: 'Since a sync was last applied.',
      ...{ unit: 's', bad: 'above', at: 172_800, width: 3 },
    }),
  ],
  Leads: [
    graph('Leads of the last 24 hours, by match', [['max by (match) (leadwell_leads_last_day)', '{{match}}']], {
      description: 'held: they look automated and wait for staff. none: no provider is near enough.',
    }),
    graph('Forms, by answer', [[`sum by (route, status) (rate(${requests(FORMS)}))`, '{{route}} {{status}}']], {
      description: 'Repeats of a form are among the 201.',
      unit: 'reqps',
    }),
    graph(
      'Time until a form is answered',
      [0.5, 0.95, 0.99].map((q) => [
        quantile(q, 'le', `http_request_duration_seconds_bucket{method="POST", route="${createLead.path}"}`),
        `p${100 * q}`,
      ]),
      { unit: 's' },
    ),
    graph('Late jobs', [['max by (queue) (leadwell_job_oldest_due_seconds)', '{{queue}}']], {
      description: 'For how long the oldest job of each kind that is not done has been due.',
      unit: 's',
    }),
  ],
  Deliveries: [
    graph(
      'Attempts, by outcome',
      [
        [
          'sum by (queue, outcome) (rate(leadwell_job_duration_seconds_count[$__rate_interval]))',
          '{{queue}} {{outcome}}',
        ],
      ],
      { description: 'retried: failed, and made again later. superseded: settled meanwhile.', unit: 'ops' },
    ),
    graph(
      'Time of an attempt, p95',
      [[quantile(0.95, 'le, queue', 'leadwell_job_duration_seconds_bucket'), '{{queue}}']],
      { unit: 's' },
    ),
    graph('Failed attempts, by cause', [
      [
        'sum by (queue, cause, outcome) (increase(leadwell_job_failures_total[$__rate_interval])) > 0',
        '{{queue}} {{cause}} {{outcome}}',
      ],
    ]),
    graph('Failed for good within a week and not made again', [
      ['max by (queue, cause) (leadwell_jobs_failed) > 0', '{{queue}} {{cause}}'],
    ]),
    graph('Pauses of sending', [['max by (integration, kind) (leadwell_sending_paused)', '{{integration}} {{kind}}']], {
      description:
        '1: paused. breaker: everything was refused. staff: by hand, until an end. The jobs count as retrying.',
      width: 24,
    }),
  ],
  Queues: [
    graph('Open jobs of the ledger', [['max by (queue, state) (leadwell_jobs)', '{{queue}} {{state}}']], {
      description: 'waiting: due, for the relay. retrying: not due yet. enqueued: handed to the queue.',
    }),
    graph('Jobs in the queue', [['max by (queue, state) (bullmq_job_count) > 0', '{{queue}} {{state}}']]),
    graph('Outbox age', [['max by (queue) (leadwell_outbox_age_seconds)', '{{queue}}']], { unit: 's' }),
    graph('Database and queue, by API process', [['leadwell_dependency_up', '{{instance}} {{dependency}}']]),
    graph('What keeps them from working', [
      ['max by (dependency, trouble) (leadwell_dependency_trouble) > 0', '{{dependency}} {{trouble}}'],
    ]),
  ],
  Site: [
    graph('Answers, by route', [[`sum by (method, route) (rate(${requests()}))`, '{{method}} {{route}}']], {
      unit: 'reqps',
    }),
    graph(
      'Time until an answer begins, p95',
      [[quantile(0.95, 'le, method, route', 'http_request_duration_seconds_bucket'), '{{method}} {{route}}']],
      { unit: 's' },
    ),
    graph(
      'Errors of ours',
      [[`sum by (method, route, status) (rate(${requests('status=~"5.."')}))`, '{{method}} {{route}} {{status}}']],
      { unit: 'reqps', width: 24 },
    ),
  ],
  Processes: [
    graph('Processor', [['rate(process_cpu_seconds_total[$__rate_interval])', '{{job}} {{instance}}']], { width: 8 }),
    graph('Memory', [['process_resident_memory_bytes', '{{job}} {{instance}}']], { unit: 'bytes', width: 8 }),
    graph('Event loop lag, p99', [['nodejs_eventloop_lag_p99_seconds', '{{job}} {{instance}}']], {
      unit: 's',
      width: 8,
    }),
  ],
}

/** One number, red on the bad side of a value. */
function stat(
  title: string,
  [expr, legend]: Query,
  { description = '', unit = 'short', width = 4, bad, at }: Options & { bad: 'above' | 'below'; at: number },
): StatBuilder {
  const [low, high] = bad === 'above' ? ['green', 'red'] : ['red', 'green']
  const steps = [
    { value: null, color: low as string },
    { value: at, color: high as string },
  ]
  return new StatBuilder()
    .title(title)
    .description(description)
    .datasource(SOURCE)
    .unit(unit)
    .span(width)
    .height(4)
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .withTarget(new DataqueryBuilder().expr(expr).legendFormat(legend).instant().refId('A').datasource(SOURCE))
}

/** Lines over time. */
function graph(title: string, queries: Query[], { description = '', unit = 'short', width = 12 }: Options = {}) {
  const panel = new TimeseriesBuilder()
    .title(title)
    .description(description)
    .datasource(SOURCE)
    .unit(unit)
    .min(0)
    .span(width)
    .height(8)
    .lineWidth(1)
    .fillOpacity(10)
    .showPoints(VisibilityMode.Never)
    .stacking(new StackingConfigBuilder().mode(StackingMode.None))
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Right)
        .calcs(['lastNotNull']),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
  queries.forEach(([expr, legend], position) => {
    const refId = String.fromCharCode('A'.charCodeAt(0) + position)
    panel.withTarget(new DataqueryBuilder().expr(expr).legendFormat(legend).range().refId(refId).datasource(SOURCE))
  })
  return panel
}
