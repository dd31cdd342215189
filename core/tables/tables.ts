// Written by `npm run tables` from a migrated database; a test compares it with one. Do not edit.
import type { ColumnTypes, JsonRow, Table } from './column-types.ts'

export interface Tables {
  access_log: Table<
    {
      id: string
      at: Date
      actor: string
      account_id: number | null
      session_id: number | null
      ip: string
      call: string
      entity: 'lead' | 'application'
      row_ids: number[]
      filter: ColumnTypes['access_log.filter']
    },
    'id' | 'at' | 'filter',
    'id' | 'filter'
  >
  alert_channels: Table<
    {
      id: number
      kind: 'team' | 'email' | 'slack' | 'webhook'
      name: string
      sealed: Buffer | null
      daily_hour: number
      created_by: string
      created_at: Date
      rhythm: 'at_once' | 'daily'
    },
    'id' | 'daily_hour' | 'created_at' | 'rhythm',
    never
  >
  alert_notes: Table<
    {
      id: number
      channel_id: number
      state_id: number
      change: 'opened' | 'recovered'
      due_at: Date
      is_digest: boolean
      is_sent: boolean
    },
    'id' | 'is_sent',
    never
  >
  alert_states: Table<
    {
      id: number
      event: ColumnTypes['alert_states.event']
      subject: string
      title: string
      path: string
      opened_at: Date
      last_seen_at: Date
      recovered_at: Date | null
    },
    'id',
    never
  >
  all_leads: Table<
    {
      id: number
      first_name: string
      last_name: string
      email: string
      phone: string
      zip_code: string
      provider_id: number | null
      created_at: Date
      crm_sync_status: 'pending' | 'success' | 'failed'
      acceptance_message: string
      acceptance_consent: boolean
      matched_at: Date | null
      match_kind: 'chosen' | 'nearest' | 'staff' | 'again' | null
      match_distance_miles: number | null
      crm_external_id: string | null
      attribution: ColumnTypes['all_leads.attribution']
      idempotency_key: string | null
      request_hash: string
      person_key: string
      repeat_window: string
      held_reason: 'honeypot' | 'too_fast' | 'odd_name' | 'many_to_visitor' | 'other_site' | 'unknown_wording' | 'do_not_contact' | 'many_to_clinic' | 'many_in_all' | 'many_from_address' | null
      email_status: 'pending' | 'success' | 'failed'
      unreached_at: Date | null
      reference: string | null
      outcome: 'opened' | 'reached' | 'no_answer' | 'booked' | 'attended' | 'no_show' | 'treated' | 'declined' | 'opted_out' | 'wrong_number' | null
      outcome_at: Date | null
      match_skipped: ColumnTypes['all_leads.match_skipped'] | null
      repeat_of: number | null
      is_test: boolean
      deleted_at: Date | null
    },
    'id' | 'created_at' | 'crm_sync_status' | 'acceptance_message' | 'acceptance_consent' | 'attribution' | 'email_status' | 'is_test',
    'attribution' | 'reference' | 'match_skipped'
  >
  answer_clocks: Table<
    {
      lead_id: number
      provider_id: number
      started_at: Date
      due_at: Date | null
      answered_at: Date | null
      step: 'start' | 'remind' | 'late' | 'offer'
      step_at: Date | null
      ask_visitor_at: Date | null
      is_stale: boolean
      offer_at: Date | null
      ask_visit_at: Date | null
    },
    'started_at' | 'step' | 'step_at' | 'is_stale',
    never
  >
  application_consents: Table<
    {
      application_id: number
      wording: string
      wording_version: string | null
      wording_hash: string
      given_at: Date
      ip: string | null
      user_agent: string | null
      page_url: string | null
      reference: string | null
      sharing_version: string | null
      sharing_wording: string | null
      mac: string | null
      channel: 'form' | 'api' | 'other_site' | 'phone' | null
      ip_hash: string | null
      browser_hash: string | null
    },
    'given_at',
    'reference'
  >
  application_notes: Table<
    {
      id: number
      application_id: number
      at: Date
      author: string
      text: string
    },
    'id' | 'at',
    never
  >
  attention_marks: Table<
    {
      key: string
      version: string
      snoozed_until: Date | null
      marked_at: Date
      marked_by: string
    },
    'marked_at',
    'version'
  >
  audit_log: Table<
    {
      id: number
      at: Date
      actor: string
      action: ColumnTypes['audit_log.action']
      entity: ColumnTypes['audit_log.entity']
      entity_id: string
      details: ColumnTypes['audit_log.details']
      ip: string | null
      session_id: number | null
    },
    'id' | 'at' | 'details',
    'details'
  >
  bulk_actions: Table<
    {
      job_id: string
      actor: string
      input: ColumnTypes['bulk_actions.input']
      total: number
      created_at: Date
    },
    'created_at',
    'input'
  >
  bulk_items: Table<
    {
      job_id: string
      position: number
      lead_id: number | null
      retried_job: string | null
      acted_at: Date | null
      added_jobs: string[]
      outcome: 'succeeded' | 'failed' | 'waiting' | null
      error: string | null
    },
    'added_jobs',
    never
  >
  clinic_people: Table<
    {
      id: number
      provider_id: number
      email: string
      added_at: Date
      added_by: string
      removed_at: Date | null
      removed_by: string | null
      confirmed_at: Date | null
      gets: 'requests' | 'late' | null
    },
    'id' | 'added_at',
    never
  >
  clinic_sessions: Table<
    {
      id: number
      provider_id: number
      email: string
      token_hash: string
      created_at: Date
      expires_at: Date
      ip: string | null
      user_agent: string | null
    },
    'id' | 'created_at',
    never
  >
  consents: Table<
    {
      lead_id: number
      wording: string
      wording_version: string | null
      wording_hash: string
      given_at: Date
      ip: string | null
      user_agent: string | null
      page_url: string | null
      reference: string | null
      sharing_version: string | null
      sharing_wording: string | null
      mac: string | null
      channel: 'form' | 'api' | 'other_site' | 'phone' | null
      ip_hash: string | null
      browser_hash: string | null
    },
    'given_at',
    'reference'
  >
  crm_cursors: Table<
    {
      source: string
      changed_since: Date
      pass_began_at: Date | null
      after_id: string | null
      due_at: Date
      attempt: number
      failing_since: Date | null
      failures: number
      error: string | null
    },
    'changed_since' | 'due_at' | 'attempt' | 'failures',
    never
  >
  erasure_requests: Table<
    {
      id: string
      at: Date
      actor: string
    },
    'id' | 'at',
    'id'
  >
  erasures: Table<
    {
      kind: 'lead' | 'application'
      row_id: number
      reference: string | null
      sent_at: Date
      reason: 'deleted' | 'retention' | 'request'
      request_id: string | null
      email_hash: string | null
      crm_id: string | null
      erased_at: Date
      is_test: boolean
      phone_hashes: string[]
    },
    'erased_at' | 'is_test' | 'phone_hashes',
    'reference' | 'request_id'
  >
  job_attempts: Table<
    {
      job_id: string
      started_at: Date
      duration_ms: number | null
      outcome: 'done' | 'failed' | 'cancelled' | null
      status: number | null
      error: string | null
      next_attempt_at: Date | null
      cause: 'unknown_mailbox' | 'mailbox_full' | 'blocked' | 'bad_address' | 'credentials' | 'unreachable' | 'busy' | 'server_error' | 'wrong_address' | 'unknown_property' | 'refused' | 'no_provider' | 'our_side' | null
      detail: string | null
    },
    'started_at',
    never
  >
  jobs: Table<
    {
      id: string
      name: ColumnTypes['jobs.name']
      purpose: string
      subject_id: number | null
      generation: number
      state: 'waiting' | 'enqueued' | 'done' | 'failed' | 'cancelled'
      attempts: number
      next_attempt_at: Date
      last_error: string | null
      result: ColumnTypes['jobs.result'] | null
      created_at: Date
      enqueued_at: Date | null
      finished_at: Date | null
      request_id: string | null
      last_cause: 'unknown_mailbox' | 'mailbox_full' | 'blocked' | 'bad_address' | 'credentials' | 'unreachable' | 'busy' | 'server_error' | 'wrong_address' | 'unknown_property' | 'refused' | 'no_provider' | 'our_side' | null
      last_detail: string | null
      subject_kind: ColumnTypes['jobs.subject_kind'] | null
      payload: ColumnTypes['jobs.payload']
    },
    'id' | 'generation' | 'state' | 'attempts' | 'next_attempt_at' | 'created_at' | 'payload',
    'result' | 'payload'
  >
  knex_migrations: Table<
    {
      id: number
      name: string | null
      batch: number | null
      migration_time: Date | null
    },
    'id',
    never
  >
  knex_migrations_lock: Table<
    {
      index: number
      is_locked: number | null
    },
    'index',
    never
  >
  lead_edits: Table<
    {
      id: number
      lead_id: number
      field: 'first_name' | 'last_name' | 'email' | 'phone' | 'zip_code'
      was: string
      became: string
      actor: string
      at: Date
    },
    'id' | 'at',
    never
  >
  lead_notes: Table<
    {
      id: number
      lead_id: number
      body: string
      author: string
      at: Date
    },
    'id' | 'at',
    never
  >
  lead_outcomes: Table<
    {
      id: number
      lead_id: number
      provider_id: number | null
      kind: 'opened' | 'reached' | 'no_answer' | 'booked' | 'attended' | 'no_show' | 'treated' | 'declined' | 'opted_out' | 'wrong_number'
      reason: string | null
      value_cents: number | null
      booked_for: Date | null
      note: string | null
      source: 'clinic' | 'staff' | 'visitor' | 'crm'
      actor: string
      event_id: string | null
      at: Date
      happened_at: Date
    },
    'id' | 'at' | 'happened_at',
    never
  >
  lead_work: Table<
    {
      lead_id: number
      owner_id: number | null
      next_action: string | null
      next_action_on: Date | null
      updated_at: Date
      tags: string[]
    },
    'updated_at' | 'tags',
    never
  >
  match_changes: Table<
    {
      id: string
      lead_id: number
      changed_at: Date
      before: JsonRow<Tables['leads']['base']>
      added_jobs: string[]
      replaced_jobs: string[]
      clock: JsonRow<Tables['answer_clocks']['base']> | null
    },
    'id' | 'changed_at',
    'id' | 'before' | 'clock'
  >
  network: Table<
    {
      is_only: boolean
      time_zone: string
      data_key_check: string | null
      needs_migration: string | null
      needs_why: string | null
      shared_password_off_at: Date | null
      quiet_since: Date | null
      no_lead_hours: number
      alerts_checked_at: Date | null
    },
    'is_only' | 'no_lead_hours',
    never
  >
  network_pauses: Table<
    {
      id: number
      starts_at: Date
      ends_at: Date
      reason: string
      created_by: string
    },
    'id',
    never
  >
  one_time_tokens: Table<
    {
      id: number
      purpose: 'invitation' | 'reset' | 'clinic_link'
      account_id: number | null
      requested_by: string | null
      provider_id: number | null
      email: string | null
      page: ColumnTypes['one_time_tokens.page'] | null
      job_id: string | null
      requested_at: Date
      token_hash: string | null
      expires_at: Date | null
    },
    'id' | 'requested_at',
    never
  >
  opt_outs: Table<
    {
      id: number
      lead_id: number
      provider_id: number
      asked_at: Date
      due_at: Date
      confirmed_at: Date | null
      confirmed_by: string | null
      withdrawn_at: Date | null
    },
    'id' | 'asked_at',
    never
  >
  pictures: Table<
    {
      source_url: string
      file_name: string | null
      body: Buffer | null
      problem: string | null
      failures: number
      next_attempt_at: Date
    },
    'failures' | 'next_attempt_at',
    never
  >
  provider_applications: Table<
    {
      id: number
      created_at: Date
      status: 'new' | 'contacted' | 'approved' | 'training' | 'certified' | 'declined'
      name: string
      practice_name: string
      email: string
      phone: string
      zip_code: string
      website: string | null
      message: string | null
      held_reason: 'honeypot' | 'too_fast' | 'odd_name' | 'many_to_visitor' | 'other_site' | 'unknown_wording' | 'do_not_contact' | 'many_from_address' | 'many_in_all' | null
      idempotency_key: string | null
      request_hash: string
      practice_key: string
      repeat_window: string
      reference: string | null
      owner_id: number | null
      provider_id: number | null
    },
    'id' | 'created_at' | 'status',
    'reference'
  >
  provider_rules: Table<
    {
      provider_id: number
      is_paused: boolean
      paused_until: Date | null
      paused_because: string | null
      daily_cap: number | null
      weekly_cap: number | null
      monthly_cap: number | null
      hours: ColumnTypes['provider_rules.hours'] | null
      time_zone: string | null
      answer_hours: number | null
      radius_miles: number | null
      extra_zips: string[]
      excluded_zips: string[]
      backup_provider_id: number | null
      priority: number
      updated_at: Date
      updated_by: string
    },
    'is_paused' | 'extra_zips' | 'excluded_zips' | 'priority' | 'updated_at',
    'hours'
  >
  provider_syncs: Table<
    {
      id: number
      dry_run: boolean
      trigger: 'staff' | 'schedule' | 'command'
      started_by: string | null
      scheduled_for: Date | null
      approves: number | null
      approves_all: boolean
      state: 'waiting' | 'running' | 'needs_approval' | 'done' | 'failed'
      attempt: number
      created_at: Date
      started_at: Date | null
      alive_at: Date | null
      finished_at: Date | null
      pages_done: number
      pages_total: number | null
      seen: number
      created: number
      updated: number
      deactivated: number
      reactivated: number
      unchanged: number
      skipped: number
      unreadable: number
      missing: number
      is_mass_deactivation: boolean
      deactivations: number[]
      leads_queued: number
      error: string | null
      changes: ColumnTypes['provider_syncs.changes']
      skipped_posts: ColumnTypes['provider_syncs.skipped_posts']
      old_leads: number[]
      old_leads_before: Date | null
      approval_reasons: ColumnTypes['provider_syncs.approval_reasons']
      sensitive_changes: ColumnTypes['provider_syncs.sensitive_changes']
      doubts: ColumnTypes['provider_syncs.doubts']
    },
    'id' | 'dry_run' | 'approves_all' | 'state' | 'attempt' | 'created_at' | 'pages_done' | 'seen' | 'created' | 'updated' | 'deactivated' | 'reactivated' | 'unchanged' | 'skipped' | 'unreadable' | 'missing' | 'is_mass_deactivation' | 'deactivations' | 'leads_queued' | 'changes' | 'skipped_posts' | 'old_leads' | 'approval_reasons' | 'sensitive_changes' | 'doubts',
    'changes' | 'skipped_posts' | 'approval_reasons' | 'sensitive_changes' | 'doubts'
  >
  providers: Table<
    {
      id: number
      wordpress_id: number | null
      name: string
      practice_name: string | null
      address: string | null
      zip_code: string
      status: 't' | 'f'
      latitude: number | null
      longitude: number | null
      phone: string | null
      email: string
      website: string | null
      url: string | null
      mpxapi: string | null
      domain: string | null
      google_ads_id: string | null
      bing_ads_id: string | null
      image_url: string | null
      logo_url: string | null
      accepts_free_consultation: boolean
      accepts_financing: boolean
      created_at: Date
      updated_at: Date
      last_seen_at: Date | null
      missed_syncs: number
      location: string | null
      placed_at: Date
      new_email: string | null
      new_email_at: Date | null
      new_email_sync_id: number | null
      new_email_declined: boolean
      hidden: boolean
      match_priority: number
      activation: 'activated' | 'waiting' | 'never'
    },
    'id' | 'status' | 'accepts_free_consultation' | 'accepts_financing' | 'created_at' | 'updated_at' | 'missed_syncs' | 'placed_at' | 'new_email_declined' | 'hidden' | 'match_priority' | 'activation',
    never
  >
  sending_pauses: Table<
    {
      integration: 'crm' | 'mail'
      kind: 'staff' | 'breaker'
      until: Date
      reason: string
      paused_by: string
      paused_at: Date
      ended_at: Date | null
      trips: number
      probe_job_id: string | null
      probe_since: Date | null
    },
    'paused_at' | 'trips',
    never
  >
  sent_messages: Table<
    {
      job_id: string
      at: Date
      body: Buffer
    },
    'at',
    never
  >
  sign_in_attempts: Table<
    {
      key: string
      points: number
      expire: string | null
    },
    'points',
    'expire'
  >
  staff_accounts: Table<
    {
      id: number
      created_at: Date
      name: string
      email: string
      role: 'viewer' | 'agent' | 'manager'
      password_hash: string | null
      password_expires_at: Date | null
      disabled_at: Date | null
    },
    'id' | 'created_at',
    never
  >
  staff_identities: Table<
    {
      issuer: string
      subject: string
      account_id: number
      linked_at: Date
    },
    'linked_at',
    never
  >
  staff_pending_sign_ins: Table<
    {
      token_hash: string
      account_id: number
      tries: number
      expires_at: Date
    },
    'tries',
    never
  >
  staff_recovery_codes: Table<
    {
      account_id: number
      code_hash: string
      used_at: Date | null
    },
    never,
    never
  >
  staff_sessions: Table<
    {
      id: number
      token_hash: string
      created_at: Date
      expires_at: Date
      account_id: number | null
      shared_fingerprint: string | null
      last_seen_at: Date
      ip: string | null
      user_agent: string | null
      confirmed_at: Date | null
      idle_ends_at: Date
      by_single_sign_on: boolean
    },
    'id' | 'created_at' | 'last_seen_at' | 'confirmed_at' | 'idle_ends_at' | 'by_single_sign_on',
    never
  >
  staff_totp: Table<
    {
      account_id: number
      sealed_secret: Buffer
      confirmed_at: Date
      last_step: string
    },
    never,
    'last_step'
  >
  suppressions: Table<
    {
      id: number
      kind: 'email' | 'phone'
      hash: string
      reason: 'link' | 'staff' | 'stop' | 'clinic'
      lead_id: number | null
      actor: string
      created_at: Date
      lifted_at: Date | null
      lifted_by: string | null
      lifted_because: string | null
    },
    'id' | 'created_at',
    never
  >
  worker_heartbeats: Table<
    {
      id: string
      started_at: Date
      seen_at: Date
      stopped_at: Date | null
      settings: ColumnTypes['worker_heartbeats.settings'] | null
    },
    'started_at' | 'seen_at',
    'settings'
  >
  zip_codes: Table<
    {
      zip: string
      latitude: number
      longitude: number
      city: string | null
      state: string | null
      location: string
    },
    'location',
    never
  >
  /** A view of those that are not deleted, which PostgreSQL writes through: core/leads/stores/lead-changes.ts. */
  leads: Tables['all_leads']
}
