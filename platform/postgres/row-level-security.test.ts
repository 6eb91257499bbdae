import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { RULE_VERSIONS } from '@pc/domain/settlement/settlement-input.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM, type Transaction } from './database.ts'
import { withClient } from './roles.ts'

const tested = await testDatabase({ maxConnections: 2 })
const { database } = tested
afterAll(() => tested.drop())

/**
 * Two organisations, A and B, of the same shape. Person 1 administers, person 2 works for one of two agreements.
 * A row's name tells whose it is: `A1` belongs to A's first agreement or person.
 */
const uid = (name: string) => `00000000-0000-7000-8000-0000000000${{ A1: 'a1', A2: 'a2', B1: 'b1', B2: 'b2' }[name]}`
const ORGANIZATIONS = { A: 1n, B: 2n }
const ids = { A1: 11n, A2: 12n, B1: 21n, B2: 22n }

beforeAll(() =>
  withClient(tested.adminUrl, async client => {
    await client.query(`
      insert into roles (name, side) values ('admin', 'staff'), ('insight:admin', 'staff'),
        ('insight:publisher_admin', 'publisher'), ('insight:publisher_editor', 'publisher');
      insert into policies (role_name, actions, resource_name) select name, '{read:list}', 'insight:agreement.' from roles;
      insert into media values (1, 'アプリ'), (2, 'ウェブ');
      insert into month_closings values (1, 202610, now());
      insert into figure_alert_checks values (1, '2026-11-01');
      insert into banks (code, name, kana, hira, roma) values ('0001', '銀行', 'ギンコウ', 'ぎんこう', 'ginkou');
      insert into bank_branches (bank_id, code, name, kana, hira, roma) values (1, '001', '支店', 'シテン', 'してん', 'shiten');
      insert into bank_master_imports (version) values ('v1');
      insert into ingest_batches (dataset, batch_id, content_sha256, state) values ('events', 'b', 'x', 'applied');
      insert into ingest_quarantined_rows values (1, 1, 'c', 'r', 's');
      insert into stats_versions (table_name, month, version_no, writer, state) values ('t', 0, 1, 'w', 'published');
      insert into api_keys (name, secret_sha256, scopes) values ('k', 'x', '{}');
      insert into idp_settings values ('keys', '{}');
      insert into idp_payloads (model, id, payload) values ('Session', 's', '{}');
      insert into idp_attempts (subject, attempted_at) values ('s', now());
      set app.scope = 'all';
      insert into audit_log (source_address, request_id, action, resource_name, row_id) values ('', '', 'create', 'r', 'a');`)
    for (const [name, organizationId] of Object.entries(ORGANIZATIONS)) {
      await client.query('insert into organizations (id, name) overriding system value values ($1, $2)', [
        organizationId,
        name,
      ])
    }
    for (const [name, id] of Object.entries(ids)) {
      const organizationId = ORGANIZATIONS[name[0] as 'A' | 'B']
      const role = name.endsWith('1') ? 'insight:publisher_admin' : 'insight:publisher_editor'
      const rows: [string, unknown[]][] = [
        [
          'insert into users (uid, email, organization_id) values ($1, $2, $3)',
          [uid(name), `${name.toLowerCase()}@example.jp`, organizationId],
        ],
        ['insert into user_roles values ($1, $2)', [uid(name), role]],
        ['insert into idp_accounts (uid, password_hash) values ($1, $2)', [uid(name), 'h']],
        [`insert into idempotency_keys (uid, operation, key, arguments_sha256) values ($1, 'o', 'k', '')`, [uid(name)]],
        ["insert into invitations (uid, expires_at) values ($1, now() + interval '1 day')", [uid(name)]],
        [
          `insert into account_changes (uid, kind, email, requested_by_uid, source_address, expires_at)
             values ($1, 'second-factor', 'a@example.jp', $1, '', now() + interval '1 day')`,
          [uid(name)],
        ],
        [
          `insert into account_undos (change_id, email, authenticators, recovery_codes)
             select id, $2, '[]', '[]' from account_changes where uid = $1`,
          [uid(name), name],
        ],
        ['insert into sent_mails (sender_uid) values ($1)', [uid(name)]],
        ["insert into idp_authenticators (uid, kind, label, totp_secret) values ($1, 'totp', 'l', 's')", [uid(name)]],
        ["insert into idp_recovery_codes values ($1, 'c')", [uid(name)]],
        ["insert into idp_session_uses values ($2, $1, 'd', 'a', now())", [uid(name), name]],
        [
          "insert into view_as_sessions (session_key, staff_uid, target_uid, reason, expires_at) values ($2, $1, $1, 'r', now())",
          [uid(name), name],
        ],
        ['insert into page_views (uid, path) values ($1, $2)', [uid(name), '/']],
        [
          'insert into agreements (id, medium_id, organization_id, name, code) overriding system value values ($1, 1, $2, $3, $3)',
          [id, organizationId, name],
        ],
        [
          "insert into agreement_documents (agreement_id, object_key, file_name, size_bytes, sha256) values ($1, $2, $2, 1, repeat('a', 64))",
          [id, name],
        ],
        [
          "insert into agreement_documents (agreement_id, object_key, file_name, size_bytes, sha256, removed_at) values ($1, $2, $2, 1, repeat('b', 64), now())",
          [id, `${name}-removed`],
        ],
        ['insert into agreement_renewal_notices values ($1, 202703, now())', [id]],
        ["insert into agreement_law_notices values ($1, 'freelance-fee-reduction', now())", [id]],
        ['insert into user_agreements values ($1, $2)', [uid(name), id]],
        [
          'insert into publishers (id, organization_id, name) overriding system value values ($1, $2, $3)',
          [id, organizationId, name],
        ],
        [
          'insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate) values ($1, $1, 1, 5000)',
          [id],
        ],
        [
          `insert into agreement_terms_versions values ($1, 202607, 'product', 'a_month_later', 'none', 0, 0, null)`,
          [id],
        ],
        [
          `insert into agreement_publisher_rule_versions select id, 202607, 0, 0, 5000, 0, 0, 0, false, false, false
             from agreement_publisher_rules where agreement_id = $1`,
          [id],
        ],
        [
          'insert into opening_balances (agreement_id, publisher_id, origin_month, booked_month, amount_yen) values ($1, $1, 202605, 202611, 1)',
          [id],
        ],
        [
          `insert into bank_accounts (id, organization_id, bank_id, bank_branch_id, type_name, number, holder)
             overriding system value values ($1, $2, 1, 1, 'ordinary', '1234567', $3)`,
          [id, organizationId, name],
        ],
        [
          'insert into agreement_bank_accounts (agreement_id, bank_account_id, used_from_month) values ($1, $1, 202607)',
          [id],
        ],
        ['insert into bank_account_switches (bank_account_id, agreement_id) values ($1, $1)', [id]],
        ["insert into feeds (publisher_id, medium_id, name, url, type) values ($1, 1, $2, $2, 'gnf2')", [id, name]],
        [
          "insert into feed_health (feed_id, state, next_check_at) select id, 'ok', now() from feeds where name = $1",
          [name],
        ],
        ["insert into feed_seen_items select id, 'k', '2026-10-01' from feeds where name = $1", [name]],
        [
          "insert into announcements (enabled, level, title, body, start_at) values (true, 'info', $1, '', now())",
          [name],
        ],
        [
          `insert into announcement_targets (announcement_id, kind, organization_id)
             select id, 'organization', $2 from announcements where title = $1`,
          [name, organizationId],
        ],
        ['insert into announcement_reads select id, $2, now() from announcements where title = $1', [name, uid(name)]],
        [
          "insert into medium_articles (article_id, medium_id, medium_article_id, publisher_id, title, url, published_at) values ($1, 1, $2, $1, $2, 'u', now())",
          [id, name],
        ],
        [
          "insert into article_labels (publisher_id, kind, key, name, medium_ids) values ($1, 'author', $2, $2, '{1}')",
          [id, name],
        ],
        [
          `insert into medium_article_removals (article_id, publisher_id, reason, removed_by, removed_at, undo_until)
             values ($1, $1, $2, $3, now(), now())`,
          [id, name, uid(name)],
        ],
        [
          'insert into boards (owner_uid, organization_id, is_by_staff, name) values ($1, $2, false, $3)',
          [uid(name), organizationId, name],
        ],
        [
          `insert into annotations (owner_uid, is_by_staff, starts_on, ends_on, text, visibility, publisher_id)
             values ($1, false, '2026-11-01', '2026-11-01', $2, 'publisher', $3)`,
          [uid(name), name, id],
        ],
        ["insert into preferences (uid, key, value) values ($1, 'columns', '{}')", [uid(name)]],
        ["insert into saved_views (uid, screen, name) values ($1, 'dashboard', $2)", [uid(name), name]],
        [
          `insert into report_mails (id, uid, name, cadence, hour, compare_with, ranking, active_since)
             overriding system value values ($1, $2, $3, 'daily', 9, 'previous_period', 'none', now())`,
          [id, uid(name), name],
        ],
        [
          `insert into report_mail_deliveries (report_mail_id, period_from, period_to, due_at, state, changed_at)
             values ($1, '2026-11-01', '2026-11-01', now(), 'waiting', now())`,
          [id],
        ],
        [
          `insert into figure_alerts (publisher_id, medium_id, figure, direction, began_on, last_on, value, usual)
             values ($1, 1, 'clicks', 'drop', '2026-11-01', '2026-11-01', 1, 200)`,
          [id],
        ],
        [
          `insert into webhooks (id, organization_id, url, events, secret, created_at)
             overriding system value values ($1, $2, 'https://' || $3, '{ping}', repeat('s', 40), now())`,
          [id, organizationId, name],
        ],
        [
          "insert into webhook_events (id, kind, organization_id, data) overriding system value values ($1, 'ping', $2, '{}')",
          [id, organizationId],
        ],
        ['insert into webhook_deliveries (webhook_id, event_id) values ($1, $1)', [id]],
        [
          `insert into publisher_api_keys (organization_id, name, secret_sha256, secret_end, scopes, created_at, expires_at)
             values ($1, $2, sha256($2::text::bytea), 'abcd', '{reports}', now(), now() + interval '30 days')`,
          [organizationId, name],
        ],
        ['insert into publisher_api_key_paces select id, now() from publisher_api_keys where name = $1', [name]],
        ['insert into event_hours values (now(), $1, 1, 1, now(), 0, 0, 0, 0, 0, 0, 0, 0, 0)', [id]],
        [
          "insert into videos (video_id, medium_id, publisher_id, title, url, duration_seconds, published_at) values ($1, 1, $1, $2, 'u', 60, now())",
          [id, name],
        ],
        [
          'insert into monthly_agreement_snapshots (id, medium_id, agreement_id, organization_id, month, has_been_finalized, agreement_name, agreement_code, partner_name, qualified_invoice_issuer) overriding system value values ($1, 1, $1, $2, 202610, true, $3, $3, $3, false)',
          [id, organizationId, name],
        ],
        ["insert into monthly_snapshot_inputs (snapshot_id, medium_id, month, input) values ($1, 1, 202610, '')", [id]],
        [
          `insert into monthly_payments (id, monthly_agreement_snapshot_id, medium_id, agreement_id, organization_id, month, has_been_finalized, payment_status, outcome, reason_code, ads_revenue_yen, ssp_revenue_yen, video_ssp_revenue_yen, live_ssp_revenue_yen, fixed_revenue_applied_yen, minimum_top_up_revenue_yen, revenue_yen, manual_adjustment_revenue_yen, carried_over_revenue_yen, cumulative_revenue_yen, payment_yen, carried_over_to_next_yen, agreement_fixed_yen, agreement_top_up_yen, tax_rate_percent, revenue_tax_yen, payment_tax_yen, payment_including_tax_yen, fee_paid_by, is_active, is_terminated, payout_threshold_yen, due_on_nominal, due_on, has_discarded_rows, has_discarded_pools, finalized_at)
           overriding system value values ($1, $1, 1, $1, $2, 202610, true, 'carried_over', 'carried_over', 'NON_POSITIVE_BALANCE', 0,0,0,0,0,0,0,0,0,0,0,0, 0, 0, 10, 0, 0, 0, 'product', true, false, 1, '2026-11-30', '2026-11-30', false, false, now())`,
          [id, organizationId],
        ],
        [
          // A draft, which no tenant sees.
          "insert into monthly_agreement_snapshots (medium_id, agreement_id, organization_id, month, agreement_name, agreement_code, partner_name, qualified_invoice_issuer) values (1, $1, $2, 202611, 'draft', 'draft', 'draft', false)",
          [id, organizationId],
        ],
        [
          `insert into monthly_publisher_payments (id, monthly_payment_id, medium_id, agreement_id, organization_id, publisher_id, rule_id, month, has_been_finalized, ads_revenue_yen, ssp_revenue_yen, video_ssp_revenue_yen, live_ssp_revenue_yen, fixed_revenue_applied_yen, minimum_top_up_revenue_yen, revenue_yen, manual_adjustment_revenue_yen, carried_over_revenue_yen, cumulative_revenue_yen, payment_yen, carried_over_to_next_yen, fixed_of_rule_yen, fixed_of_agreement_yen, top_up_of_rule_yen, top_up_of_agreement_yen, reference_tax_yen)
           overriding system value values ($1, $1, 1, $1, $2, $1, 1, 202610, true, 0,0,0,0,0,0,0,0,0,0,0,0, 0, 0, 0, 0, 0)`,
          [id, organizationId],
        ],
        [
          'insert into monthly_rule_snapshots values ($1, 1, 202610, $1, $2, true, 1, 1, 1, 1, true, true, true)',
          [id, organizationId],
        ],
        ['insert into monthly_carried_buckets values ($1, 1, 202610, 202609, 1, 1)', [id]],
        ['insert into monthly_estimates values ($1, $1, 1, $1, $2, 202610, 0, 0, 0)', [id, organizationId]],
        ['insert into monthly_tax_lines values ($1, 1, 202610, 10, 10, 1)', [id]],
        ['insert into monthly_paid_buckets values ($1, 1, 202610, 202610, 10, 10, 1, true, 100, 1, 0)', [id]],
        // Without its trigger: the payments above are of nothing, and a statement is of something.
        ['set session_replication_role = replica', []],
        [
          `insert into statements (id, monthly_payment_id, medium_id, agreement_id, organization_id, month, number, template_version, content, hash, issued_on, issued_at, deemed_on, due_on, payee_name, total_without_tax_yen, total_yen, transfer_amount_yen, state_changed_at)
           overriding system value values ($1, $1, 1, $1, $2, 202610, $3, 1, '{}', repeat('a', 64), '2026-11-10', now(), '2026-11-24', '2026-11-30', $3, 10, 11, 11, now())`,
          [id, organizationId, name],
        ],
        [
          `insert into statement_events (statement_id, event, statement_hash, at, actor_uid, source_address, text)
           values ($1, 'object', '', now(), $2, '', $3)`,
          [id, uid(name), name],
        ],
        ['insert into statement_notices values ($1, now())', [id]],
        ['insert into statement_event_notices select max(id) from statement_events', []],
        [
          `insert into questions (id, organization_id, asker_uid, asker_email, asker_scope, kind, monthly_payment_id, agreement_id, subject, unit, state_changed_at, asked_at, last_message_at)
           overriding system value values ($1, $2, $3, '', 'organization', 'payment', $1, $1, $4, 'yen', now(), now(), now())`,
          [id, organizationId, uid(name), name],
        ],
        [
          // About days: an editor sees the own ones only.
          `insert into questions (id, organization_id, asker_uid, asker_email, asker_scope, kind, from_day, to_day, figure, subject, unit, state_changed_at, asked_at, last_message_at)
           overriding system value values ($1 + 100, $2, $3, '', 'agreements', 'report', '2026-11-01', '2026-11-01', 'clicks', $4 || '-days', 'count', now(), now(), now())`,
          [id, organizationId, uid(name), name],
        ],
        [
          `insert into questions (id, organization_id, asker_uid, asker_email, asker_scope, kind, statement_id, agreement_id, subject, unit, state_changed_at, asked_at, last_message_at)
           overriding system value values ($1 + 200, $2, $3, '', 'organization', 'statement', $1, $1, $4 || '-paper', 'yen', now(), now(), now())`,
          [id, organizationId, uid(name), name],
        ],
        [
          "insert into question_messages (question_id, writer_uid, writer_email, is_by_staff, is_internal, text, written_at) values ($1, $2, '', false, false, $3, now()), ($1, $2, '', true, true, $3 || '-note', now())",
          [id, uid(name), name],
        ],
        ['insert into question_reads values ($1, $2, 1)', [id, uid(name)]],
        // For each organisation one transfer that was exported to the bank and one that is only planned.
        [
          `insert into transfers (id, batch_id, organization_id, bank_account_id, due_on, partner_name, fee_paid_by, payee_kind, payment_yen, payment_including_tax_yen, withholding_yen, fee_yen, fee_borne_by_payee_yen, transfer_amount_yen, bank_code, bank_name, bank_kana, branch_code, branch_name, branch_kana, account_type, account_number, holder, state, updated_at)
           overriding system value values ($1, 1, $2, $1, '2026-11-30', $3, 'product', 'company', 10, 11, 0, 0, 0, 11, '0001', '', '', '001', '', '', 'ordinary', '1234567', $3, case when $3 like '%1' then 'exported' else 'planned' end, now())`,
          [id, organizationId, name],
        ],
        ['insert into transfer_payments values ($1, $1, 10, 11, 0, 0, 11)', [id]],
        [
          'insert into transfer_records (transfer_id, number, batch_id, amount_yen, fee_yen, updated_at) values ($1, 1, 1, 11, 0, now())',
          [id],
        ],
        ['set session_replication_role = default', []],
      ]
      for (const [statement, values] of rows) await client.query(statement, values)
    }
    // On a medium for which A2's agreement has no rules: its editor sees none of it.
    await client.query(`
      insert into feeds (publisher_id, medium_id, name, url, type) values (12, 2, 'A2-web', 'web', 'gnf2');
      insert into feed_health (feed_id, state, next_check_at) select id, 'ok', now() from feeds where name = 'A2-web';
      insert into feed_seen_items select id, 'k', '2026-10-01' from feeds where name = 'A2-web';
      insert into medium_articles (article_id, medium_id, medium_article_id, publisher_id, title, url, published_at, section)
        values (13, 2, 'A2-web', 12, 'A2-web', 'u', now(), 'A2-web'), (14, 2, 'A2-kept', 12, 'A2-kept', 'u', now(), '');
      insert into medium_article_removals (article_id, publisher_id, reason, removed_by, removed_at, undo_until)
        values (13, 12, 'A2-web', '${uid('A1')}', now(), now());
      insert into figure_alerts (publisher_id, medium_id, figure, direction, began_on, last_on, value, usual)
        values (12, 2, 'clicks', 'drop', '2026-11-01', '2026-11-01', 1, 200);
      insert into event_hours values (now(), 12, 2, 1, now(), 0, 0, 0, 0, 0, 0, 0, 0, 0);
      insert into videos (video_id, medium_id, publisher_id, title, url, duration_seconds, published_at)
        values (13, 2, 12, 'A2-web', 'u', 60, now());
      -- Notes tell of figures in words: one that is about another medium too is not the editor's either.
      insert into annotations (owner_uid, is_by_staff, starts_on, ends_on, text, visibility, publisher_id, medium_ids)
        values ('${uid('A1')}', false, '2026-11-01', '2026-11-01', 'A2-app', 'publisher', 12, '{1}'),
          ('${uid('A1')}', false, '2026-11-01', '2026-11-01', 'A2-web', 'publisher', 12, '{2}'),
          ('${uid('A1')}', false, '2026-11-01', '2026-11-01', 'A2-both', 'publisher', 12, '{1,2}')`)
    await client.query(`
      insert into answer_templates (name, body) values ('t', 'b');
      insert into legal_holds (organization_id, reason, placed_by_uid, placed_by_email, placed_at) values (1, 'h', gen_random_uuid(), '', now());
      insert into retention_runs (ran_at, kind, kept_since, deleted, held) values (now(), 'page_views', '2026-01-01', 1, 0);
      insert into imports (kind, file_name, file_sha256, preview_sha256, new_count, changed_count, unchanged_count, refused_count, uploaded_by_uid, uploaded_by_email, uploaded_at)
        values ('feeds', 'f', repeat('0', 64), repeat('0', 64), 1, 0, 0, 0, gen_random_uuid(), '', now());
      insert into import_rows values (1, 2, 'new', '{}', '[]', '[]');
      insert into month_states (medium_id, month) values (1, 202610);
      insert into dividend_operations (month) values (202610);
      insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month) values (1, 1, 202610, 'csv', 'payment', 1, 202610);
      insert into dividend_rows values (1, 1, 11, 11, 1, null, 'other', null);
      insert into dividend_weights values (1, 11, 11, 1);
      insert into dividend_ledger_lines (dividend_id, medium_id, month, kind, method, booking, agreement_id, publisher_id, line, allocated_yen, amount_yen) values (1, 1, 202610, 'csv', 'payment', 1, 11, 11, 1, 0, 1);
      insert into monthly_adjustments values (11, 1, 202610, 1, 1, 1);
      insert into monthly_pools values (1, 1, 202610, 0, 0, 0, 0, 0);
      insert into month_close_log (medium_id, month, at, action) values (1, 202610, now(), 'computed');
      insert into close_acknowledgements values (1, 202610, 'amounts', repeat('0', 64), 'k', gen_random_uuid(), now());
      insert into invariant_runs (medium_id, month, ran_at, occasion, violations, violations_hash) values (1, 202610, now(), 'demand', 1, '');
      insert into invariant_violations values (1, 1, 'I1', 'r', 'd');
      insert into transfer_fees values ('0001', 'other_bank', '2026-01-01', 0, 660);
      insert into statement_settings values (202012, '支払元', '', 'T7123456789012', 14);
      insert into transfer_sources (valid_from_month, client_code, client_name, bank_code, bank_name, branch_code, branch_name, account_type, account_number) values (202012, '1', 'A', '0001', '', '001', '', 'ordinary', '1234567');
      insert into holidays values ('2026-01-01', '元日');
      insert into holiday_imports (first_year, last_year, source_name, content_sha256) values (2026, 2026, 's', 'x');
      insert into invoice_register_results values ('T7123456789012', '2023-10-01', null, 's');
      insert into what_if_drafts (medium_id, month, name, change) values (1, 202610, 'd', '{}');
      insert into transfer_result_imports (imported_at, file_name, content_sha256, paid, returned, unchanged, unknown)
        values (now(), 'f', repeat('0', 64), 0, 0, 0, 0);
      insert into webhooks (organization_id, url, events, secret, created_at) values (null, 'https://own', '{ping}', repeat('s', 40), now());
      -- Without their triggers: a transfer is of payments, a correction of a job.
      set session_replication_role = replica;
      insert into late_corrections values (1, 1, 202609, 'v');
      insert into revenue_estimates values (1, 202609, now(), 'complete', 'v');
      insert into publisher_revenue_estimates values (1, 202609, 1, 0, 0, 0, 0, 0);
      insert into transfer_batches (id, kind, transfer_on, due_on, created_at) overriding system value
        values (1, 'by_hand', '2026-11-30', '2026-11-30', now());
      insert into transfer_recalls (transfer_id, reason, requested_at, requested_by_uid) values (1, 'r', now(), gen_random_uuid());
      insert into transfer_return_fees (transfer_id, charged_on, fee_yen, updated_at) values (1, '2026-11-30', 880, now());
      insert into practice_system values (true, 202610, now());
      insert into demonstration values (true, now(), null);
      insert into practice_entries values (1, 1, 'ssp', 'payment', 1, 202610, '', '');
      insert into practice_payments select id, 1, 'p', 1, 1, '2026-11-30', false from unnest(array[11, 12, 21, 22]) ids (id);
      insert into practice_publisher_payments select id, id, 1, 1 from unnest(array[11, 12, 21, 22]) ids (id);
      set session_replication_role = default;`)
  }),
)

const SCOPES = {
  system: SYSTEM,
  administratorOfA: { kind: 'organization', uid: uid('A1'), organizationId: ORGANIZATIONS.A },
  editorOfA: { kind: 'agreements', uid: uid('A2'), organizationId: ORGANIZATIONS.A },
  otherInA: { kind: 'self', uid: uid('A2') },
} satisfies Record<string, Scope>

/** The agreement's number is that of its rows. */
const OF_AGREEMENT = (column: string) => sql<string>`chr(64 + ${sql.ref(column)}::int / 10) || ${sql.ref(column)} % 10`

/** For each table an expression that names its rows. */
const NAMED: Record<string, RawBuilder<string>> = {
  organizations: sql`name`,
  users: sql`upper(split_part(email, '@', 1))`,
  userRoles: sql`upper(right(uid::text, 2))`,
  userAgreements: sql`upper(right(uid::text, 2))`,
  agreements: sql`name`,
  publishers: sql`name`,
  agreementPublisherRules: sql`chr(64 + publisher_id::int / 10) || publisher_id % 10`,
  agreementTermsVersions: sql`chr(64 + agreement_id::int / 10) || agreement_id % 10`,
  agreementPublisherRuleVersions: sql`(select chr(64 + r.publisher_id::int / 10) || r.publisher_id % 10
    from agreement_publisher_rules r where r.id = rule_id)`,
  banks: sql`code`,
  bankBranches: sql`code`,
  bankMasterImports: sql`version`,
  bankAccounts: sql`holder`,
  agreementDocuments: sql`file_name`,
  agreementRenewalNotices: OF_AGREEMENT('agreement_id'),
  agreementLawNotices: OF_AGREEMENT('agreement_id'),
  agreementBankAccounts: sql`chr(64 + agreement_id::int / 10) || agreement_id % 10`,
  bankAccountSwitches: OF_AGREEMENT('agreement_id'),
  feeds: sql`name`,
  feedHealth: sql`(select name from feeds where id = feed_id)`,
  feedSeenItems: sql`(select name from feeds where id = feed_id)`,
  announcements: sql`title`,
  announcementTargets: sql`(select title from announcements where id = announcement_id)`,
  announcementReads: sql`upper(right(uid::text, 2))`,
  mediumArticles: sql`title`,
  articleLabels: sql`name`,
  mediumArticleRemovals: sql`reason`,
  videos: sql`title`,
  boards: sql`name`,
  annotations: sql`text`,
  preferences: sql`upper(right(uid::text, 2))`,
  savedViews: sql`name`,
  reportMails: sql`name`,
  reportMailDeliveries: sql`(select name from report_mails where id = report_mail_id)`,
  media: sql`name`,
  monthClosings: sql`month::text`,
  roles: sql`name`,
  policies: sql`role_name`,
  ingestBatches: sql`batch_id`,
  statsLedger: sql`only_row::text`,
  statsVersions: sql`table_name`,
  figureAlerts: sql`chr(64 + publisher_id::int / 10) || publisher_id % 10`,
  figureAlertChecks: sql`medium_id::text`,
  webhooks: sql`substr(url, 9)`,
  webhookEvents: sql`chr(64 + id::int / 10) || id % 10`,
  webhookDeliveries: sql`chr(64 + event_id::int / 10) || event_id % 10`,
  publisherApiKeys: sql`name`,
  publisherApiKeyPaces: sql`(select name from publisher_api_keys where id = key_id)`,
  eventHours: sql`chr(64 + publisher_id::int / 10) || publisher_id % 10`,
  ingestQuarantinedRows: sql`column_name`,
  apiKeys: sql`name`,
  idpSettings: sql`key`,
  idpPayloads: sql`id`,
  idpAttempts: sql`subject`,
  idpAccounts: sql`upper(right(uid::text, 2))`,
  auditLog: sql`row_id`,
  auditHead: sql`seq::text`,
  idempotencyKeys: sql`upper(right(uid::text, 2))`,
  pageViews: sql`upper(right(uid::text, 2))`,
  invitations: sql`upper(right(uid::text, 2))`,
  accountChanges: sql`upper(right(uid::text, 2))`,
  accountUndos: sql`email`,
  sentMails: sql`upper(right(sender_uid::text, 2))`,
  idpAuthenticators: sql`upper(right(uid::text, 2))`,
  idpRecoveryCodes: sql`upper(right(uid::text, 2))`,
  idpSessionUses: sql`upper(right(uid::text, 2))`,
  viewAsSessions: sql`upper(right(target_uid::text, 2))`,
  paymentSettings: sql`valid_from_month::text`,
  consumptionTaxRates: sql`valid_from_month::text`,
  inputTaxDeductions: sql`valid_from_month::text`,
  transferFees: sql`source_bank_code`,
  holidays: sql`name`,
  holidayImports: sql`first_year::text`,
  invoiceRegisterResults: sql`registration_number`,
  dividendOperations: sql`month::text`,
  dividends: sql`month::text`,
  dividendRows: sql`line::text`,
  dividendWeights: sql`weight::text`,
  dividendLedgerLines: sql`line::text`,
  monthStates: sql`month::text`,
  monthlyAgreementSnapshots: sql`agreement_name`,
  monthlySnapshotInputs: OF_AGREEMENT('snapshot_id'),
  monthlyPayments: OF_AGREEMENT('agreement_id'),
  monthlyPublisherPayments: OF_AGREEMENT('agreement_id'),
  monthlyRuleSnapshots: OF_AGREEMENT('agreement_id'),
  monthlyCarriedBuckets: OF_AGREEMENT('monthly_publisher_payment_id'),
  monthlyAdjustments: OF_AGREEMENT('monthly_publisher_payment_id'),
  monthlyTaxLines: OF_AGREEMENT('monthly_payment_id'),
  openingBalances: OF_AGREEMENT('agreement_id'),
  monthlyPaidBuckets: OF_AGREEMENT('monthly_payment_id'),
  monthlyPools: sql`month::text`,
  monthCloseLog: sql`action`,
  closeAcknowledgements: sql`reason`,
  invariantRuns: sql`month::text`,
  invariantViolations: sql`invariant`,
  statementSettings: sql`valid_from_month::text`,
  statements: sql`payee_name`,
  statementEvents: sql`text`,
  statementNotices: OF_AGREEMENT('statement_id'),
  statementEventNotices: sql`(select e.text from statement_events e where e.id = statement_event_id)`,
  questions: sql`subject`,
  questionMessages: sql`text`,
  questionReads: sql`upper(right(uid::text, 2))`,
  answerTemplates: sql`name`,
  legalHolds: sql`reason`,
  imports: sql`file_name`,
  importRows: sql`state`,
  retentionRuns: sql`kind`,
  paymentSettingRevisions: sql`section`,
  journalAccounts: sql`distinct valid_from_month::text`,
  settlementRules: sql`version`,
  withholdingRates: sql`valid_from::text`,
  whatIfDrafts: sql`name`,
  lateCorrections: sql`origin_month::text`,
  revenueEstimates: sql`month::text`,
  publisherRevenueEstimates: sql`month::text`,
  monthlyEstimates: OF_AGREEMENT('agreement_id'),
  transferBatches: sql`kind`,
  transferRecalls: sql`reason`,
  transferReturnFees: sql`fee_yen::text`,
  transfers: sql`holder`,
  transferPayments: OF_AGREEMENT('transfer_id'),
  transferRecords: OF_AGREEMENT('transfer_id'),
  transferSources: sql`valid_from_month::text`,
  practiceSystem: sql`month::text`,
  demonstration: sql`is_only::text`,
  secondFactorRule: sql`is_only::text`,
  practiceEntries: sql`number::text`,
  practicePayments: OF_AGREEMENT('agreement_id'),
  practicePublisherPayments: OF_AGREEMENT('agreement_id'),
  transferResultImports: sql`file_name`,
}

async function visible(tx: Transaction, table: string): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select ${NAMED[table]!} as name from ${sql.table(snake(table))} order by 1`.execute(tx)
  return rows.map(row => row.name).join(' ')
}

const snake = (name: string) => name.replace(/[A-Z]/g, character => `_${character.toLowerCase()}`)

/** What is visible: to the system · A's administrator · A's editor (agreement A2) · somebody of A without rights. */
const EXPECTED: Record<string, readonly [string, string, string, string]> = {
  organizations: ['A B', 'A', 'A', ''],
  users: ['A1 A2 B1 B2', 'A1 A2', 'A2', 'A2'],
  userRoles: ['A1 A2 B1 B2', 'A1 A2', 'A2', 'A2'],
  userAgreements: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  agreements: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  publishers: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  agreementPublisherRules: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  agreementTermsVersions: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  agreementPublisherRuleVersions: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  banks: ['0001', '0001', '0001', ''],
  bankBranches: ['001', '001', '001', ''],
  bankMasterImports: ['v1', '', '', ''],
  bankAccounts: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  agreementBankAccounts: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  bankAccountSwitches: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  // What was taken away is for staff alone.
  agreementDocuments: ['A1 A1-removed A2 A2-removed B1 B1-removed B2 B2-removed', 'A1 A2', 'A2', ''],
  agreementRenewalNotices: ['A1 A2 B1 B2', '', '', ''],
  agreementLawNotices: ['A1 A2 B1 B2', '', '', ''],
  feeds: ['A1 A2 A2-web B1 B2', 'A1 A2 A2-web', 'A2', ''],
  feedHealth: ['A1 A2 A2-web B1 B2', 'A1 A2 A2-web', 'A2', ''],
  feedSeenItems: ['A1 A2 A2-web B1 B2', 'A1 A2 A2-web', 'A2', ''],
  // Addressed to the organisation, so the editor sees both.
  announcements: ['A1 A2 B1 B2', 'A1 A2', 'A1 A2', ''],
  announcementTargets: ['A1 A2 B1 B2', 'A1 A2', 'A1 A2', ''],
  announcementReads: ['A1 A2 B1 B2', 'A1', 'A2', ''],
  mediumArticles: ['A1 A2 A2-kept A2-web B1 B2', 'A1 A2 A2-kept A2-web', 'A2', ''],
  articleLabels: ['A1 A2 A2-web B1 B2', 'A1 A2 A2-web', 'A2', ''],
  mediumArticleRemovals: ['A1 A2 A2-web B1 B2', 'A1 A2 A2-web', 'A2', ''],
  videos: ['A1 A2 A2-web B1 B2', 'A1 A2 A2-web', 'A2', ''],
  media: ['アプリ ウェブ', 'アプリ', 'アプリ', ''],
  monthClosings: ['202610', '202610', '202610', ''],
  roles: Array(4).fill('admin insight:admin insight:publisher_admin insight:publisher_editor') as [
    string,
    string,
    string,
    string,
  ],
  policies: [
    'admin insight:admin insight:publisher_admin insight:publisher_editor',
    'insight:publisher_admin',
    'insight:publisher_editor',
    'insight:publisher_editor',
  ],
  // Nobody shared one: A's editor sees the own one, and the notes on the own publisher.
  boards: ['A1 A2 B1 B2', 'A1', 'A2', ''],
  annotations: ['A1 A2 A2-app A2-both A2-web B1 B2', 'A1 A2 A2-app A2-both A2-web', 'A2 A2-app', ''],
  preferences: ['A1 A2 B1 B2', 'A1', 'A2', 'A2'],
  savedViews: ['A1 A2 B1 B2', 'A1', 'A2', 'A2'],
  reportMails: ['A1 A2 B1 B2', 'A1', 'A2', 'A2'],
  reportMailDeliveries: ['A1 A2 B1 B2', 'A1', 'A2', 'A2'],
  ingestBatches: ['b', '', '', ''],
  statsLedger: ['true', '', '', ''],
  statsVersions: ['t', '', '', ''],
  figureAlerts: ['A1 A2 A2 B1 B2', 'A1 A2 A2', 'A2', ''],
  figureAlertChecks: ['1', '', '', ''],
  // The platform's own one is nobody else's.
  webhooks: ['A1 A2 B1 B2 own', 'A1 A2', '', ''],
  webhookEvents: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  webhookDeliveries: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  publisherApiKeys: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  publisherApiKeyPaces: ['A1 A2 B1 B2', '', '', ''],
  eventHours: ['A1 A2 A2 B1 B2', 'A1 A2 A2', 'A2', ''],
  ingestQuarantinedRows: ['c', '', '', ''],
  apiKeys: ['k', '', '', ''],
  idpSettings: ['keys', '', '', ''],
  idpPayloads: ['s', '', '', ''],
  idpAttempts: ['s', '', '', ''],
  idpAccounts: ['A1 A2 B1 B2', '', '', ''],
  pageViews: ['A1 A2 B1 B2', '', '', ''],
  invitations: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  accountChanges: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  // How accounts were, with secrets: nobody but the system, by its scope.
  accountUndos: ['A1 A2 B1 B2', '', '', ''],
  sentMails: ['A1 A2 B1 B2', 'A1', '', ''],
  idpAuthenticators: ['A1 A2 B1 B2', '', '', ''],
  idpRecoveryCodes: ['A1 A2 B1 B2', '', '', ''],
  idpSessionUses: ['A1 A2 B1 B2', '', '', ''],
  viewAsSessions: ['A1 A2 B1 B2', 'A1', 'A2', 'A2'],
  auditLog: ['a', '', '', ''],
  auditHead: ['1', '', '', ''],
  idempotencyKeys: ['A1 A2 B1 B2', 'A1', 'A2', 'A2'],
  paymentSettings: ['202012', '', '', ''],
  consumptionTaxRates: ['198904 199704 201404 201910', '', '', ''],
  inputTaxDeductions: ['198904 202310 202610 202810 203010 203110', '', '', ''],
  transferFees: ['0001', '', '', ''],
  holidays: ['元日', '', '', ''],
  holidayImports: ['2026', '', '', ''],
  invoiceRegisterResults: ['T7123456789012', '', '', ''],
  dividendOperations: ['202610', '', '', ''],
  dividends: ['202610', '', '', ''],
  dividendRows: ['1', '', '', ''],
  dividendWeights: ['1', '', '', ''],
  dividendLedgerLines: ['1', '', '', ''],
  monthStates: ['202610', '', '', ''],
  // Finalised rows of the own organisation, or of the own agreements; never a draft.
  monthlyAgreementSnapshots: ['A1 A2 B1 B2 draft draft draft draft', 'A1 A2', 'A2', ''],
  monthlySnapshotInputs: ['A1 A2 B1 B2', '', '', ''],
  monthlyPayments: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  monthlyPublisherPayments: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  monthlyRuleSnapshots: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  monthlyCarriedBuckets: ['A1 A2 B1 B2', '', '', ''],
  monthlyAdjustments: ['A1', '', '', ''],
  monthlyTaxLines: ['A1 A2 B1 B2', '', '', ''],
  openingBalances: ['A1 A2 B1 B2', '', '', ''],
  monthlyPaidBuckets: ['A1 A2 B1 B2', '', '', ''],
  monthlyPools: ['202610', '', '', ''],
  monthCloseLog: ['computed', '', '', ''],
  closeAcknowledgements: ['k', '', '', ''],
  invariantRuns: ['202610', '', '', ''],
  invariantViolations: ['I1', '', '', ''],
  statementSettings: ['202012', '', '', ''],
  // An editor sees no bank accounts, and a statement names one.
  statements: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  statementEvents: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  statementNotices: ['A1 A2 B1 B2', 'A1 A2', '', ''],
  statementEventNotices: ['A1 A2 B1 B2', '', '', ''],
  // The organisation's, and of an editor those about the own agreements and the own days; no statements.
  questions: [
    'A1 A1-days A1-paper A2 A2-days A2-paper B1 B1-days B1-paper B2 B2-days B2-paper',
    'A1 A1-days A1-paper A2 A2-days A2-paper',
    'A2 A2-days',
    '',
  ],
  // Never what staff says among itself.
  questionMessages: ['A1 A1-note A2 A2-note B1 B1-note B2 B2-note', 'A1 A2', 'A2', ''],
  questionReads: ['A1 A2 B1 B2', 'A1', 'A2', ''],
  answerTemplates: ['t', '', '', ''],
  legalHolds: ['h', '', '', ''],
  imports: ['f', '', '', ''],
  importRows: ['new', '', '', ''],
  retentionRuns: ['page_views', '', '', ''],
  paymentSettingRevisions: [
    'consumption_tax input_tax_deduction journal_account payout settlement_rule transfer_fee transfer_source withholding',
    '',
    '',
    '',
  ],
  journalAccounts: ['202012', '', '', ''],
  // The first version holds without a line.
  settlementRules: [RULE_VERSIONS.slice(1).toSorted().join(' '), '', '', ''],
  withholdingRates: ['2013-01-01', '', '', ''],
  whatIfDrafts: ['d', '', '', ''],
  lateCorrections: ['202609', '', '', ''],
  revenueEstimates: ['202609', '', '', ''],
  publisherRevenueEstimates: ['202609', '', '', ''],
  monthlyEstimates: ['A1 A2 B1 B2', 'A1 A2', 'A2', ''],
  transferBatches: ['by_hand', '', '', ''],
  transferRecalls: ['r', '', '', ''],
  transferReturnFees: ['880', '', '', ''],
  // Transfers exported to the bank, for those who read the statements.
  transfers: ['A1 A2 B1 B2', 'A1', '', ''],
  transferPayments: ['A1 A2 B1 B2', 'A1', '', ''],
  transferRecords: ['A1 A2 B1 B2', 'A1', '', ''],
  transferSources: ['202012', '', '', ''],
  demonstration: ['true', '', '', ''],
  secondFactorRule: ['true', '', '', ''],
  // Of practice systems only; nobody but the system reads them, and staff by its scope.
  practiceSystem: ['202610', '', '', ''],
  practiceEntries: ['1', '', '', ''],
  practicePayments: ['A1 A2 B1 B2', '', '', ''],
  practicePublisherPayments: ['A1 A2 B1 B2', '', '', ''],
  transferResultImports: ['f', '', '', ''],
}

describe('reading', () => {
  test.each(Object.entries(EXPECTED))('%s', async (table, expected) => {
    const seen = await Promise.all(
      Object.values(SCOPES).map(scope => database.inScope(scope, tx => visible(tx, table))),
    )
    expect(seen).toEqual(expected)
  })

  test('the matrix names every table', async () => {
    const { rows } = await withClient(tested.adminUrl, client =>
      client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public' order by 1"),
    )
    expect(Object.keys(EXPECTED).map(snake).sort()).toEqual(rows.map(row => row.name))
  })

  test.each(Object.keys(EXPECTED))('%s without a scope: no row, for the application and for the owner', async table => {
    const count = `select count(*)::int as count from ${snake(table)}`
    const asApplication = await withClient(tested.url, async client => {
      await client.query('set role pc_app')
      return (await client.query(count)).rows
    })
    const asOwner = await withClient(tested.ownerUrl, async client => (await client.query(count)).rows)
    expect([asApplication, asOwner]).toEqual([[{ count: 0 }], [{ count: 0 }]])
  })

  test.each(Object.keys(EXPECTED))('%s is closed to the login user itself', async table => {
    const read = withClient(tested.url, client => client.query(`select from ${snake(table)}`))
    await expect(read).rejects.toMatchObject({ code: '42501' })
  })

  test('an editor without an organisation sees the agreements and nothing of an organisation', async () => {
    const scope: Scope = { kind: 'agreements', uid: uid('B2'), organizationId: null }
    const seen = await database.inScope(scope, async tx => [
      await visible(tx, 'organizations'),
      await visible(tx, 'agreements'),
      await visible(tx, 'publishers'),
    ])
    expect(seen).toEqual(['', 'B2', 'B2'])
  })
})

describe('writing', () => {
  /** What came of a statement: the number of rows, or `denied`; nothing is kept. */
  async function attempt(scope: Scope, statement: RawBuilder<unknown>): Promise<number | 'denied'> {
    const undo = new Error('undo')
    let outcome: number | 'denied' = 'denied'
    await database
      .inScope(scope, async tx => {
        const { numAffectedRows } = await statement.execute(tx)
        outcome = Number(numAffectedRows)
        throw undo
      })
      .catch((error: { code?: string }) => {
        if (error !== undo && error.code !== '42501') throw error
      })
    return outcome
  }
  const { administratorOfA, editorOfA, otherInA } = SCOPES

  test('no tenant changes or removes anything but what it may', async () => {
    const denied: Record<string, unknown[]> = {}
    for (const table of Object.keys(EXPECTED)) {
      const column = { userRoles: 'role_name', roles: 'name', idpSettings: 'key' }[table] ?? undefined
      const name = sql.table(snake(table))
      for (const [who, scope] of Object.entries({ administratorOfA, editorOfA, otherInA })) {
        const set = column ? sql`${sql.ref(column)} = ${sql.ref(column)}` : await anyColumn(table)
        const outcomes = [
          await attempt(scope, sql`update ${name} set ${set}`),
          await attempt(scope, sql`delete from ${name}`).catch(error => error.code),
        ]
        if (outcomes.some(outcome => outcome !== 0 && outcome !== 'denied')) denied[`${who} ${table}`] = outcomes
      }
    }
    expect(denied).toEqual({
      'administratorOfA users': [2, 1], // not oneself
      'administratorOfA invitations': [2, 0],
      'administratorOfA accountChanges': [2, 'denied'],
      'administratorOfA viewAsSessions': [1, 0],
      'editorOfA viewAsSessions': [1, 0],
      'otherInA viewAsSessions': [1, 0],
      'administratorOfA userRoles': [0, 2],
      'administratorOfA userAgreements': [0, 2],
      'administratorOfA boards': [1, 1],
      'editorOfA boards': [1, 1],
      'administratorOfA annotations': [4, 4],
      'editorOfA annotations': [1, 1],
      'administratorOfA preferences': [1, 1],
      'editorOfA preferences': [1, 1],
      'otherInA preferences': [1, 1],
      // Deleted ones are marked, so that it can be undone.
      'administratorOfA savedViews': [1, 0],
      'editorOfA savedViews': [1, 0],
      'otherInA savedViews': [1, 0],
      // What was asked stays as it was; its state goes on. Nothing is deleted.
      'administratorOfA questions': [6, 0],
      'editorOfA questions': [2, 0],
      'administratorOfA questionReads': [1, 1],
      'editorOfA questionReads': [1, 1],
      'administratorOfA reportMails': [1, 0],
      'editorOfA reportMails': [1, 0],
      'otherInA reportMails': [1, 0],
      'administratorOfA webhooks': [2, 0],
      'administratorOfA webhookDeliveries': [2, 0],
      'administratorOfA publisherApiKeys': [2, 0],
      // An objection is taken back; app.keep_statement refuses every other change.
      'administratorOfA statements': [2, 0],
      // The answer to the own submission is kept.
      'administratorOfA idempotencyKeys': [1, 0],
      'editorOfA idempotencyKeys': [1, 0],
      'otherInA idempotencyKeys': [1, 0],
    })
    // Six statements for every table, each in a transaction of its own.
  })

  async function anyColumn(table: string): Promise<RawBuilder<unknown>> {
    const { rows } = await withClient(tested.adminUrl, client =>
      client.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0
           and attidentity = '' and attgenerated = '' order by attnum limit 1`,
        [snake(table)],
      ),
    )
    const column = sql.ref(rows[0]!.name)
    return sql`${column} = ${column}`
  }

  const user = (organizationId: bigint | null) =>
    sql`insert into users (email, organization_id) values ('new@example.jp', ${organizationId})`
  const role = (person: string, name: string) => sql`insert into user_roles values (${uid(person)}, ${name})`
  const note = (person: string, publisherId: bigint, mediumIds: readonly bigint[] = []) => sql`
    insert into annotations (owner_uid, is_by_staff, starts_on, ends_on, text, visibility, publisher_id, medium_ids)
    values (${uid(person)}, false, '2026-11-01', '2026-11-01', 't', 'publisher', ${publisherId}, ${mediumIds}::bigint[])`
  const answer = (state: string, id: bigint) => sql`
    update statements set state = ${state}, confirmation_method = ${state === 'confirmed' ? 'explicit' : null}
    where id = ${id}`
  const word = (person: string, event: string, id: bigint) => sql`
    insert into statement_events (statement_id, event, statement_hash, at, actor_uid, source_address, text, resolution)
    values (${id}, ${event}, '', now(), ${uid(person)}, '', 't', ${event === 'resolve' ? 'upheld' : null})`
  const question = (person: string, organizationId: bigint, id: bigint) => sql`
    insert into questions (organization_id, asker_uid, asker_email, asker_scope, kind, from_day, to_day, figure, agreement_id,
      subject, unit, state_changed_at, asked_at, last_message_at)
    values (${organizationId}, ${uid(person)}, '', app.scope(), 'report', '2026-11-01', '2026-11-01', 'clicks', ${id},
      's', 'count', now(), now(), now())`
  const message = (person: string, id: bigint, isByStaff: boolean) => sql`
    insert into question_messages (question_id, writer_uid, writer_email, is_by_staff, text, written_at)
    values (${id}, ${uid(person)}, '', ${isByStaff}, 't', now())`
  const apiKey = (person: string, organizationId: bigint) => sql`
    insert into publisher_api_keys
      (organization_id, name, secret_sha256, secret_end, scopes, created_by_uid, created_at, expires_at)
    values (${organizationId}, 'n', sha256('new'), 'abcd', '{reports}', ${uid(person)}, now(), now() + interval '1 day')`
  const removal = (person: string, articleId: bigint) => sql`
    insert into medium_article_removals (article_id, publisher_id, reason, removed_by, removed_at, undo_until)
    values (${articleId}, 12, 'r', ${uid(person)}, now(), now())`
  const restoration = (person: string) => sql`
    update medium_article_removals set restored_at = undo_until, restored_by = ${uid(person)}`
  const work = (person: string, id: bigint) => sql`insert into user_agreements values (${uid(person)}, ${id})`
  test.each<[string, Scope, RawBuilder<unknown>, number | 'denied']>([
    ['a person into the own organisation', administratorOfA, user(1n), 1],
    ['a person into another organisation', administratorOfA, user(2n), 'denied'],
    ['a key of the own organisation', administratorOfA, apiKey('A1', 1n), 1],
    ['a key of another organisation', administratorOfA, apiKey('A1', 2n), 'denied'],
    ["a key in somebody else's name", administratorOfA, apiKey('A2', 1n), 'denied'],
    ['a key without keeping keys', editorOfA, apiKey('A2', 1n), 'denied'],
    ['a person without an organisation', administratorOfA, user(null), 'denied'],
    ['a person, by an editor', editorOfA, user(1n), 'denied'],
    ['a person, by somebody without rights', otherInA, user(1n), 'denied'],
    [
      'an own person moved away',
      administratorOfA,
      sql`update users set organization_id = 2 where uid = ${uid('A2')}`,
      'denied',
    ],
    ['a foreign person changed', administratorOfA, sql`update users set enabled = false where uid = ${uid('B2')}`, 0],
    ['the own row moved, by an editor', editorOfA, sql`update users set organization_id = 2`, 0],
    ['a role of publishers', administratorOfA, role('A2', 'insight:publisher_admin'), 1],
    ['a higher role', administratorOfA, role('A2', 'insight:admin'), 'denied'],
    ['a higher role for oneself', administratorOfA, role('A1', 'admin'), 'denied'],
    ['a role for a foreign person', administratorOfA, role('B2', 'insight:publisher_admin'), 'denied'],
    ['a role, by an editor for oneself', editorOfA, role('A2', 'insight:publisher_admin'), 'denied'],
    ['an own agreement for an own person', administratorOfA, work('A2', 11n), 1],
    ['a foreign agreement for an own person', administratorOfA, work('A2', 21n), 'denied'],
    ['an own agreement for a foreign person', administratorOfA, work('B2', 11n), 'denied'],
    ['an agreement, by an editor for oneself', editorOfA, work('A2', 11n), 'denied'],
    [
      'a policy',
      administratorOfA,
      sql`insert into policies (role_name, actions, resource_name) values ('admin', '{*}', 'x')`,
      'denied',
    ],
    [
      'an agreement',
      administratorOfA,
      sql`insert into agreements (medium_id, organization_id, name, code) values (1, 1, 'n', 'n')`,
      'denied',
    ],
    ['an answer to the own statement', administratorOfA, answer('confirmed', 11n), 1],
    ['an answer to a foreign statement', administratorOfA, answer('confirmed', 21n), 0],
    ['an answer, by an editor', editorOfA, answer('confirmed', 12n), 0],
    ['what only the payer says of the own statement', administratorOfA, answer('replaced', 11n), 'denied'],
    ['a word of somebody else about the own statement', administratorOfA, word('A2', 'confirm', 11n), 'denied'],
    ['a word about a foreign statement', administratorOfA, word('A1', 'confirm', 21n), 'denied'],
    ['an answer of the payer', administratorOfA, word('A1', 'resolve', 11n), 'denied'],
    [
      'a board of somebody else',
      administratorOfA,
      sql`insert into boards (owner_uid, organization_id, is_by_staff, name) values (${uid('A2')}, 1, false, 'n')`,
      'denied',
    ],
    [
      'an own board for another organisation',
      administratorOfA,
      sql`insert into boards (owner_uid, organization_id, is_by_staff, name) values (${uid('A1')}, 2, false, 'n')`,
      'denied',
    ],
    [
      'an own board as staff',
      administratorOfA,
      sql`insert into boards (owner_uid, is_by_staff, name) values (${uid('A1')}, true, 'n')`,
      'denied',
    ],
    ["an article taken out of another medium than the agreement's", editorOfA, removal('A2', 14n), 'denied'],
    ['the same, by an administrator', administratorOfA, removal('A1', 14n), 1],
    ["what is put back: on the agreement's medium", editorOfA, restoration('A2'), 1],
    ['what is put back: of the organisation', administratorOfA, restoration('A1'), 3],
    ['a note on a foreign publisher', administratorOfA, note('A1', 21n), 'denied'],
    ["a note on a publisher that is not the editor's", editorOfA, note('A2', 11n), 'denied'],
    ['a note on the own publisher', editorOfA, note('A2', 12n), 1],
    ['a note on the own publisher on the own medium', editorOfA, note('A2', 12n, [1n]), 1],
    ["a note on a medium that is not the editor's", editorOfA, note('A2', 12n, [1n, 2n]), 'denied'],
    ['a note on any medium of the organisation', administratorOfA, note('A1', 12n, [1n, 2n]), 1],
    [
      'an own note on a publisher that is the own one no more, taken away',
      editorOfA,
      sql`update annotations set publisher_id = 11, deleted_at = now() where text = 'A2' and owner_uid = ${uid('A2')}`,
      1,
    ],
    ['a question of the own organisation', administratorOfA, question('A1', 1n, 11n), 1],
    ['a question of a foreign organisation', administratorOfA, question('A1', 2n, 21n), 'denied'],
    ['a question about a foreign agreement', administratorOfA, question('A1', 1n, 21n), 'denied'],
    ['a question in the name of somebody else', administratorOfA, question('A2', 1n, 11n), 'denied'],
    ["a question about an agreement that is not the editor's", editorOfA, question('A2', 1n, 11n), 'denied'],
    ['a message of the own thread', editorOfA, message('A2', 12n, false), 1],
    ['a message of a thread that is not to be seen', editorOfA, message('A2', 11n, false), 'denied'],
    ['a message of a foreign thread', administratorOfA, message('A1', 21n, false), 'denied'],
    ['a message as staff', administratorOfA, message('A1', 11n, true), 'denied'],
    ['an answer to the own question', administratorOfA, sql`update questions set state = 'answered'`, 'denied'],
    ['an own page view', otherInA, sql`insert into page_views (uid, path) values (${uid('A2')}, '/')`, 1],
    [
      'a page view of somebody else',
      otherInA,
      sql`insert into page_views (uid, path) values (${uid('A1')}, '/')`,
      'denied',
    ],
    [
      'a key',
      administratorOfA,
      sql`insert into api_keys (name, secret_sha256, scopes) values ('k', 'y', '{}')`,
      'denied',
    ],
  ])('%s', async (_, scope, statement, expected) => {
    expect(await attempt(scope, statement)).toBe(expected)
  })
})

describe('the roles', () => {
  test('own nothing that protects, and may not get around it', async () => {
    const { rows } = await withClient(tested.adminUrl, client =>
      client.query(`select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
        (select count(*)::int from pg_class where relowner = r.oid) as owned,
        has_database_privilege(rolname, current_database(), 'create') or has_schema_privilege(rolname, 'public', 'create')
          or has_schema_privilege(rolname, 'app', 'create') or has_database_privilege(rolname, current_database(), 'temporary') as may_create
        from pg_roles r where rolname in ('pc_app', 'pc_login') order by 1`),
    )
    const nothing = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      owned: 0,
      may_create: false,
    }
    expect(rows).toEqual([
      { rolname: 'pc_app', ...nothing },
      { rolname: 'pc_login', ...nothing },
    ])
  })

  test.each([
    'truncate users',
    'create table x ()',
    'create table app.x ()',
    'create temporary table x ()',
    'create schema x',
    'alter table users disable row level security',
    'alter table users no force row level security',
    'drop policy all_rows on users',
    'drop table users',
    'alter table users owner to pc_app',
    'set local role pc_owner',
    'set local role postgres',
    'set local session authorization postgres',
    "select setval('users_id', 1)",
    'create function x() returns int language sql return 1',
    'grant pc_owner to pc_login',
    "copy users to program 'cat'",
    "select pg_read_file('PG_VERSION')",
    'delete from migrations.applied_files',
  ])('may not: %s', async statement => {
    const attempted = database.inScope(SYSTEM, tx => sql.raw(statement).execute(tx))
    await expect(attempted).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|42P01)$/) })
  })

  test('switching row-level security off is refused instead of obeyed', async () => {
    const attempted = database.inScope(SCOPES.administratorOfA, async tx => {
      await sql`set local row_security = off`.execute(tx)
      return visible(tx, 'users')
    })
    await expect(attempted).rejects.toMatchObject({ code: '42501' })
  })
})
