import type { Knex } from 'knex'

/** Open alerts go on under the names of conditions. A late clinic is one condition now, where each of its leads was one. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    update alert_states set recovered_at = now() where recovered_at is null and event = 'clinic_late';
    update alert_states set
      event = case event
        when 'crm_failing' then 'sending'
        when 'credentials_refused' then 'credentials'
        when 'worker_silent' then 'worker'
        when 'clinic_mail_refused' then 'not-reached'
        when 'clinic_bouncing' then 'bouncing'
        when 'no_leads' then 'no-leads'
        when 'unmatched_lead' then 'unmatched'
        when 'held_lead' then 'held'
        when 'clinic_late' then 'no-answer'
        when 'clinic_changed' then case when subject like 'pause %' then 'paused' else 'hours' end
        when 'application_waiting' then 'application'
        when 'stop_unconfirmed' then 'stop'
        else event
      end,
      subject = case
        when event = 'clinic_changed' then regexp_replace(subject, '^(pause|hours) ', '')
        when event = 'sync' and subject = 'failed' then
          'failed:' || coalesce((select max(id) from provider_syncs where state = 'failed' and not dry_run), 0)
        when event = 'sync' and subject = 'approval' then
          'approval:' || coalesce((select max(id) from provider_syncs where state = 'needs_approval'), 0)
        else subject
      end;
    update attention_marks set key = substr(key, 6) where key like 'sync:old-leads:%';
  `)
}
