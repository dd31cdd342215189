// Written by `npm run tables` from a migrated database; a test compares it with one. Do not edit.
import type { Column, ColumnTypes, JsonRow, Table } from './column-types.ts'

export interface Tables {
  access_log: Table<{
    id: Column<string, 'default' | 'converted'>
    at: Column<Date, 'default'>
    actor: string
    account_id: number | null
    session_id: number | null
    ip: string
    call: string
    entity: 'lead' | 'application'
    row_ids: number[]
    filter: Column<ColumnTypes['access_log.filter'], 'default' | 'converted'>
  }>
  alert_channels: Table<{
    id: Column<number, 'default'>
    kind: 'team' | 'email' | 'slack' | 'webhook'
    name: string
    sealed: Buffer | null
    daily_hour: Column<number, 'default'>
    created_by: string
    created_at: Column<Date, 'default'>
    rhythm: Column<'at_once' | 'daily', 'default'>
  }>
  alert_notes: Table<{
    id: Column<number, 'default'>
    channel_id: number
    state_id: number
    change: 'opened' | 'recovered'
    due_at: Date
    is_digest: boolean
    is_sent: Column<boolean, 'default'>
  }>
  alert_states: Table<{
    id: Column<number, 'default'>
    event: ColumnTypes['alert_states.event']
    subject: string
    title: string
    path: string
    opened_at: Date
    last_seen_at: Date
    recovered_at: Date | null
  }>
  all_leads: Table<{
    id: Column<number, 'default'>
    first_name: string
    last_name: string
    email: string
    phone: string
    zip_code: string
    provider_id: number | null
    created_at: Column<Date, 'default'>
    crm_sync_status: Column<'pending' | 'success' | 'failed', 'default'>
    acceptance_message: Column<string, 'default'>
    acceptance_consent: Column<boolean, 'default'>
    matched_at: Date | null
    match_kind: 'chosen' | 'nearest' | 'staff' | 'again' | null
    match_distance_miles: number | null
    crm_external_id: string | null
    attribution: Column<ColumnTypes['all_leads.attribution'], 'default' | 'converted'>
    idempotency_key: string | null
    request_hash: string
    person_key: string
    repeat_window: string
    held_reason: 'honeypot' | 'too_fast' | 'odd_name' | 'many_to_visitor' | 'other_site' | 'unknown_wording' | 'do_not_contact' | 'many_to_clinic' | 'many_in_all' | 'many_from_address' | null
    email_status: Column<'pending' | 'success' | 'failed', 'default'>
    unreached_at: Date | null
    reference: Column<string | null, 'converted'>
    outcome: 'opened' | 'reached' | 'no_answer' | 'booked' | 'attended' | 'no_show' | 'treated' | 'declined' | 'opted_out' | 'wrong_number' | null
    outcome_at: Date | null
    match_skipped: Column<ColumnTypes['all_leads.match_skipped'] | null, 'converted'>
    repeat_of: number | null
    is_test: Column<boolean, 'default'>
    deleted_at: Date | null
  }>
  answer_clocks: Table<{
    lead_id: number
    provider_id: number
    started_at: Column<Date, 'default'>
    due_at: Date | null
    answered_at: Date | null
    step: Column<'start' | 'remind' | 'late' | 'offer', 'default'>
    step_at: Column<Date | null, 'default'>
    ask_visitor_at: Date | null
    is_stale: Column<boolean, 'default'>
    offer_at: Date | null
    ask_visit_at: Date | null
  }>
  application_consents: Table<{
    application_id: number
    wording: string
    wording_version: string | null
    wording_hash: string
    given_at: Column<Date, 'default'>
    ip: string | null
    user_agent: string | null
    page_url: string | null
    reference: Column<string | null, 'converted'>
    sharing_version: string | null
    sharing_wording: string | null
    mac: string | null
    channel: 'form' | 'api' | 'other_site' | 'phone' | null
    ip_hash: string | null
    browser_hash: string | null
  }>
  application_notes: Table<{
    id: Column<number, 'default'>
    application_id: number
    at: Column<Date, 'default'>
    author: string
    text: string
  }>
  attention_marks: Table<{
    key: string
    version: Column<string, 'converted'>
    snoozed_until: Date | null
    marked_at: Column<Date, 'default'>
    marked_by: string
  }>
  audit_log: Table<{
    id: Column<number, 'default'>
    at: Column<Date, 'default'>
    actor: string
    action: ColumnTypes['audit_log.action']
    entity: ColumnTypes['audit_log.entity']
    entity_id: string
    details: Column<ColumnTypes['audit_log.details'], 'default' | 'converted'>
    ip: string | null
    session_id: number | null
  }>
  bulk_actions: Table<{
    job_id: string
    actor: string
    input: Column<ColumnTypes['bulk_actions.input'], 'converted'>
    total: number
    created_at: Column<Date, 'default'>
  }>
  bulk_items: Table<{
    job_id: string
    position: number
    lead_id: number | null
    retried_job: string | null
    acted_at: Date | null
    added_jobs: Column<string[], 'default'>
    outcome: 'succeeded' | 'failed' | 'waiting' | null
    error: string | null
  }>
  clinic_people: Table<{
    id: Column<number, 'default'>
    provider_id: number
    email: string
    added_at: Column<Date, 'default'>
    added_by: string
    removed_at: Date | null
    removed_by: string | null
    confirmed_at: Date | null
    gets: 'requests' | 'late' | null
  }>
  clinic_sessions: Table<{
    id: Column<number, 'default'>
    provider_id: number
    email: string
    token_hash: string
    created_at: Column<Date, 'default'>
    expires_at: Date
    ip: string | null
    user_agent: string | null
  }>
  consents: Table<{
    lead_id: number
    wording: string
    wording_version: string | null
    wording_hash: string
    given_at: Column<Date, 'default'>
    ip: string | null
    user_agent: string | null
    page_url: string | null
    reference: Column<string | null, 'converted'>
    sharing_version: string | null
    sharing_wording: string | null
    mac: string | null
    channel: 'form' | 'api' | 'other_site' | 'phone' | null
    ip_hash: string | null
    browser_hash: string | null
  }>
  crm_cursors: Table<{
    source: string
    changed_since: Column<Date, 'default'>
    pass_began_at: Date | null
    after_id: string | null
    due_at: Column<Date, 'default'>
    attempt: Column<number, 'default'>
    failing_since: Date | null
    failures: Column<number, 'default'>
    error: string | null
  }>
  erasure_requests: Table<{
    id: Column<string, 'default' | 'converted'>
    at: Column<Date, 'default'>
    actor: string
  }>
  erasures: Table<{
    kind: 'lead' | 'application'
    row_id: number
    reference: Column<string | null, 'converted'>
    sent_at: Date
    reason: 'deleted' | 'retention' | 'request'
    request_id: Column<string | null, 'converted'>
    email_hash: string | null
    crm_id: string | null
    erased_at: Column<Date, 'default'>
    is_test: Column<boolean, 'default'>
    phone_hashes: Column<string[], 'default'>
  }>
  job_attempts: Table<{
    job_id: string
    started_at: Column<Date, 'default'>
    duration_ms: number | null
    outcome: 'done' | 'failed' | 'cancelled' | null
    status: number | null
    error: string | null
    next_attempt_at: Date | null
    cause: 'unknown_mailbox' | 'mailbox_full' | 'blocked' | 'bad_address' | 'credentials' | 'unreachable' | 'busy' | 'server_error' | 'wrong_address' | 'unknown_property' | 'refused' | 'no_provider' | 'our_side' | null
    detail: string | null
  }>
  jobs: Table<{
    id: Column<string, 'default'>
    name: ColumnTypes['jobs.name']
    purpose: string
    subject_id: number | null
    generation: Column<number, 'default'>
    state: Column<'waiting' | 'enqueued' | 'done' | 'failed' | 'cancelled', 'default'>
    attempts: Column<number, 'default'>
    next_attempt_at: Column<Date, 'default'>
    last_error: string | null
    result: Column<ColumnTypes['jobs.result'] | null, 'converted'>
    created_at: Column<Date, 'default'>
    enqueued_at: Date | null
    finished_at: Date | null
    request_id: string | null
    last_cause: 'unknown_mailbox' | 'mailbox_full' | 'blocked' | 'bad_address' | 'credentials' | 'unreachable' | 'busy' | 'server_error' | 'wrong_address' | 'unknown_property' | 'refused' | 'no_provider' | 'our_side' | null
    last_detail: string | null
    subject_kind: ColumnTypes['jobs.subject_kind'] | null
    payload: Column<ColumnTypes['jobs.payload'], 'default' | 'converted'>
  }>
  knex_migrations: Table<{
    id: Column<number, 'default'>
    name: string | null
    batch: number | null
    migration_time: Date | null
  }>
  knex_migrations_lock: Table<{
    index: Column<number, 'default'>
    is_locked: number | null
  }>
  lead_edits: Table<{
    id: Column<number, 'default'>
    lead_id: number
    field: 'first_name' | 'last_name' | 'email' | 'phone' | 'zip_code'
    was: string
    became: string
    actor: string
    at: Column<Date, 'default'>
  }>
  lead_notes: Table<{
    id: Column<number, 'default'>
    lead_id: number
    body: string
    author: string
    at: Column<Date, 'default'>
  }>
  lead_outcomes: Table<{
    id: Column<number, 'default'>
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
    at: Column<Date, 'default'>
    happened_at: Column<Date, 'default'>
  }>
  lead_work: Table<{
    lead_id: number
    owner_id: number | null
    next_action: string | null
    next_action_on: Date | null
    updated_at: Column<Date, 'default'>
    tags: Column<string[], 'default'>
  }>
  match_changes: Table<{
    id: Column<string, 'default' | 'converted'>
    lead_id: number
    changed_at: Column<Date, 'default'>
    before: Column<JsonRow<Tables['leads']['base']>, 'converted'>
    added_jobs: string[]
    replaced_jobs: string[]
    clock: Column<JsonRow<Tables['answer_clocks']['base']> | null, 'converted'>
  }>
  network: Table<{
    is_only: Column<boolean, 'default'>
    time_zone: string
    data_key_check: string | null
    needs_migration: string | null
    needs_why: string | null
    shared_password_off_at: Date | null
    quiet_since: Date | null
    no_lead_hours: Column<number, 'default'>
    alerts_checked_at: Date | null
  }>
  network_pauses: Table<{
    id: Column<number, 'default'>
    starts_at: Date
    ends_at: Date
    reason: string
    created_by: string
  }>
  one_time_tokens: Table<{
    id: Column<number, 'default'>
    purpose: 'invitation' | 'reset' | 'clinic_link'
    account_id: number | null
    requested_by: string | null
    provider_id: number | null
    email: string | null
    page: ColumnTypes['one_time_tokens.page'] | null
    job_id: string | null
    requested_at: Column<Date, 'default'>
    token_hash: string | null
    expires_at: Date | null
  }>
  opt_outs: Table<{
    id: Column<number, 'default'>
    lead_id: number
    provider_id: number
    asked_at: Column<Date, 'default'>
    due_at: Date
    confirmed_at: Date | null
    confirmed_by: string | null
    withdrawn_at: Date | null
  }>
  pictures: Table<{
    source_url: string
    file_name: string | null
    body: Buffer | null
    problem: string | null
    failures: Column<number, 'default'>
    next_attempt_at: Column<Date, 'default'>
  }>
  provider_applications: Table<{
    id: Column<number, 'default'>
    created_at: Column<Date, 'default'>
    status: Column<'new' | 'contacted' | 'approved' | 'training' | 'certified' | 'declined', 'default'>
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
    reference: Column<string | null, 'converted'>
    owner_id: number | null
    provider_id: number | null
  }>
  provider_rules: Table<{
    provider_id: number
    is_paused: Column<boolean, 'default'>
    paused_until: Date | null
    paused_because: string | null
    daily_cap: number | null
    weekly_cap: number | null
    monthly_cap: number | null
    hours: Column<ColumnTypes['provider_rules.hours'] | null, 'converted'>
    time_zone: string | null
    answer_hours: number | null
    radius_miles: number | null
    extra_zips: Column<string[], 'default'>
    excluded_zips: Column<string[], 'default'>
    backup_provider_id: number | null
    priority: Column<number, 'default'>
    updated_at: Column<Date, 'default'>
    updated_by: string
  }>
  provider_syncs: Table<{
    id: Column<number, 'default'>
    dry_run: Column<boolean, 'default'>
    trigger: 'staff' | 'schedule' | 'command'
    started_by: string | null
    scheduled_for: Date | null
    approves: number | null
    approves_all: Column<boolean, 'default'>
    state: Column<'waiting' | 'running' | 'needs_approval' | 'done' | 'failed', 'default'>
    attempt: Column<number, 'default'>
    created_at: Column<Date, 'default'>
    started_at: Date | null
    alive_at: Date | null
    finished_at: Date | null
    pages_done: Column<number, 'default'>
    pages_total: number | null
    seen: Column<number, 'default'>
    created: Column<number, 'default'>
    updated: Column<number, 'default'>
    deactivated: Column<number, 'default'>
    reactivated: Column<number, 'default'>
    unchanged: Column<number, 'default'>
    skipped: Column<number, 'default'>
    unreadable: Column<number, 'default'>
    missing: Column<number, 'default'>
    is_mass_deactivation: Column<boolean, 'default'>
    deactivations: Column<number[], 'default'>
    leads_queued: Column<number, 'default'>
    error: string | null
    changes: Column<ColumnTypes['provider_syncs.changes'], 'default' | 'converted'>
    skipped_posts: Column<ColumnTypes['provider_syncs.skipped_posts'], 'default' | 'converted'>
    old_leads: Column<number[], 'default'>
    old_leads_before: Date | null
    approval_reasons: Column<ColumnTypes['provider_syncs.approval_reasons'], 'default' | 'converted'>
    sensitive_changes: Column<ColumnTypes['provider_syncs.sensitive_changes'], 'default' | 'converted'>
    doubts: Column<ColumnTypes['provider_syncs.doubts'], 'default' | 'converted'>
  }>
  providers: Table<{
    id: Column<number, 'default'>
    wordpress_id: number | null
    name: string
    practice_name: string | null
    address: string | null
    zip_code: string
    status: Column<'t' | 'f', 'default'>
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
    accepts_free_consultation: Column<boolean, 'default'>
    accepts_financing: Column<boolean, 'default'>
    created_at: Column<Date, 'default'>
    updated_at: Column<Date, 'default'>
    last_seen_at: Date | null
    missed_syncs: Column<number, 'default'>
    location: string | null
    placed_at: Column<Date, 'default'>
    new_email: string | null
    new_email_at: Date | null
    new_email_sync_id: number | null
    new_email_declined: Column<boolean, 'default'>
    hidden: Column<boolean, 'default'>
    match_priority: Column<number, 'default'>
    activation: Column<'activated' | 'waiting' | 'never', 'default'>
  }>
  sending_pauses: Table<{
    integration: 'crm' | 'mail'
    kind: 'staff' | 'breaker'
    until: Date
    reason: string
    paused_by: string
    paused_at: Column<Date, 'default'>
    ended_at: Date | null
    trips: Column<number, 'default'>
    probe_job_id: string | null
    probe_since: Date | null
  }>
  sent_messages: Table<{
    job_id: string
    at: Column<Date, 'default'>
    body: Buffer
  }>
  sign_in_attempts: Table<{
    key: string
    points: Column<number, 'default'>
    expire: Column<string | null, 'converted'>
  }>
  staff_accounts: Table<{
    id: Column<number, 'default'>
    created_at: Column<Date, 'default'>
    name: string
    email: string
    role: 'viewer' | 'agent' | 'manager'
    password_hash: string | null
    password_expires_at: Date | null
    disabled_at: Date | null
  }>
  staff_identities: Table<{
    issuer: string
    subject: string
    account_id: number
    linked_at: Column<Date, 'default'>
  }>
  staff_pending_sign_ins: Table<{
    token_hash: string
    account_id: number
    tries: Column<number, 'default'>
    expires_at: Date
  }>
  staff_recovery_codes: Table<{
    account_id: number
    code_hash: string
    used_at: Date | null
  }>
  staff_sessions: Table<{
    id: Column<number, 'default'>
    token_hash: string
    created_at: Column<Date, 'default'>
    expires_at: Date
    account_id: number | null
    shared_fingerprint: string | null
    last_seen_at: Column<Date, 'default'>
    ip: string | null
    user_agent: string | null
    confirmed_at: Column<Date | null, 'default'>
    idle_ends_at: Column<Date, 'default'>
    by_single_sign_on: Column<boolean, 'default'>
  }>
  staff_totp: Table<{
    account_id: number
    sealed_secret: Buffer
    confirmed_at: Date
    last_step: Column<string, 'converted'>
  }>
  suppressions: Table<{
    id: Column<number, 'default'>
    kind: 'email' | 'phone'
    hash: string
    reason: 'link' | 'staff' | 'stop' | 'clinic'
    lead_id: number | null
    actor: string
    created_at: Column<Date, 'default'>
    lifted_at: Date | null
    lifted_by: string | null
    lifted_because: string | null
  }>
  worker_heartbeats: Table<{
    id: string
    started_at: Column<Date, 'default'>
    seen_at: Column<Date, 'default'>
    stopped_at: Date | null
    settings: Column<ColumnTypes['worker_heartbeats.settings'] | null, 'converted'>
  }>
  zip_codes: Table<{
    zip: string
    latitude: number
    longitude: number
    city: string | null
    state: string | null
    location: Column<string, 'default'>
  }>
  /** A view of those that are not deleted, which PostgreSQL writes through: core/leads/stores/lead-changes.ts. */
  leads: Tables['all_leads']
}
