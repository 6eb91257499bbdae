import { type CopyClient, demandPractice } from './work-on-copy.ts'

/** Domain of the email addresses in a practice system; nobody can be reached there (RFC 2606). */
export const PRACTICE_DOMAIN = 'practice.example'

/**
 * Removes from the copy what could do harm outside: credentials, email addresses, addresses of other systems, and bank
 * accounts. Names of payees stay, so that staff recognise the month.
 * Tested by `apps/server/practice.test.ts`.
 * @throws NotPracticeError when the system is not marked as a practice system
 */
export async function hideSecrets(client: CopyClient): Promise<void> {
  await demandPractice(client)
  for (const statement of [...PEOPLE, ...OTHER_SYSTEMS, ...ACCOUNTS, ...PAPERS, ...FREE_TEXT, ...AUDIT_LOG])
    await client.query(statement)
  await rewriteAddresses(client)
}

const FORGOTTEN = [
  ...['idp_payloads', 'idp_attempts', 'idp_accounts', 'idp_authenticators', 'idp_recovery_codes', 'idp_session_uses'],
  // Earlier states of accounts, including their credentials.
  ...['account_undos', 'account_changes'],
  // Signing keys: tokens of the copy must not be valid in the real system, nor the other way round.
  ...['idp_settings', 'invitations', 'view_as_sessions', 'idempotency_keys', 'sent_mails', 'page_views'],
]
const PEOPLE: readonly string[] = [
  ...FORGOTTEN.map(table => `delete from ${table}`),
  // The second factors are not copied, and nobody should set one up for an hour of practice.
  'update second_factor_rule set is_required = false',
  `update users u set email = 'user-' || n.number || '@${PRACTICE_DOMAIN}', enabled = false, photo_url = null,
       oidc_issuer = null, oidc_subject = null, sessions_valid_from = now()
     from (select uid, row_number() over (order by created_at, uid) as number from users) n where n.uid = u.uid`,
]

const OTHER_SYSTEMS: readonly string[] = [
  ...['publisher_api_keys', 'webhook_deliveries', 'webhook_events', 'webhooks', 'report_mail_deliveries'].map(
    table => `delete from ${table}`,
  ),
  // Queued jobs would send emails.
  'delete from pgboss.job',
  'update report_mails set is_paused = true',
  `update api_keys set secret_sha256 = encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'),
     revoked_at = coalesce(revoked_at, now())`,
]

/** An invented number, the same for an account everywhere; a bank file can contain it. */
const NUMBER = (id: string) => `'9' || lpad((${id} % 1000000)::text, 6, '0')`
const HOLDER = (id: string) => `'ﾚﾝｼﾕｳ' || lpad(${id}::text, 6, '0')`
/** Numbers that no bank has given to a customer or an account. */
const OWN = `client_code = '0000000000', client_name = 'ﾚﾝｼﾕｳ', account_number = '0000000'`

const ACCOUNTS: readonly string[] = [
  `update bank_accounts set number = ${NUMBER('id')}, holder = ${HOLDER('id')}`,
  `update transfers set account_number = ${NUMBER('bank_account_id')}, holder = ${HOLDER('bank_account_id')}`,
  `update transfer_sources set ${OWN}`,
  `update transfer_batches set ${OWN} where kind = 'bank_file'`,
]

/** Statements contain the account, so their text is rewritten, together with its hash. */
const PAPERS: readonly string[] = [
  `update statements s set content = regexp_replace(s.content, '("holder":)"[^"]*"(,"number":)"[^"]*"',
     '\\1"' || coalesce(${HOLDER('p.bank_account_id')}, 'ﾚﾝｼﾕｳ') || '"\\2"****'
     || coalesce(right(${NUMBER('p.bank_account_id')}, 3), '000') || '"')
   from monthly_payments p where p.id = s.monthly_payment_id`,
  `update statements set hash = encode(sha256(convert_to(template_version || E'\\n' || content, 'UTF8')), 'hex')`,
  // Also replaces the network address of a confirmation by one reserved for documents (RFC 5737).
  `update statement_events e set statement_hash = s.hash,
     source_address = case when e.source_address is not null then '192.0.2.1' end
   from statements s where s.id = e.statement_id`,
  // Files are not copied.
  'update agreement_documents set removed_at = coalesce(removed_at, now())',
]

const WITHHELD = '（練習環境には写していません）'

/**
 * Removes free texts of people, in which names, telephone numbers and stories may occur that no close needs. Notes of
 * entries and transfers stay, because they explain amounts.
 */
const FREE_TEXT: readonly string[] = [
  ...['agreements', 'publishers', 'feeds'].map(table => `update ${table} set notes = null where notes is not null`),
  `update question_messages set text = '${WITHHELD}'`,
  `update statement_events set text = '${WITHHELD}' where text is not null`,
  `update bank_accounts set rejection_reason = '${WITHHELD}' where rejection_reason is not null`,
  `update legal_holds set reason = '${WITHHELD}',
     release_reason = case when release_reason is not null then '${WITHHELD}' end`,
  // Personal notes, and lines of files that could not be read.
  'delete from annotations',
  'delete from ingest_quarantined_rows',
  'delete from import_rows',
]

/** The audit log holds everything as it was, so it is removed. The copy begins one of its own. */
const AUDIT_LOG: readonly string[] = [
  'delete from audit_log',
  `update audit_head set seq = 0, hash = sha256('publisher-center audit log')`,
]

/** Public contents, and frozen texts with a hash; neither names people. */
const NOT_SEARCHED = [
  'medium_articles',
  'article_labels',
  'videos',
  'monthly_snapshot_inputs',
  'month_states',
  'statements',
]
const ADDRESS = `[A-Za-z0-9._%+-]+@(?!${PRACTICE_DOMAIN.replace('.', '\\.')})[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+`

/** Rewrites email addresses wherever else they occur: in columns of their own, in notes, in free text. */
async function rewriteAddresses(client: CopyClient): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string; type: string }>(
    `select quote_ident(c.table_name) as name, quote_ident(c.column_name) as column, c.data_type as type
     from information_schema.columns c join pg_tables t on t.schemaname = 'public' and t.tablename = c.table_name
     where c.table_schema = 'public' and c.is_generated = 'NEVER' and c.data_type in ('text', 'jsonb', 'ARRAY')
       and c.udt_name in ('text', 'jsonb', '_text') and not c.table_name = any ($1) order by 1, 2`,
    [[...NOT_SEARCHED, 'users']],
  )
  for (const { name, column, type } of rows) {
    const cast = type === 'ARRAY' ? 'text[]' : type
    await client.query(
      `update ${name} set ${column} = regexp_replace(${column}::text, $1, 'someone@${PRACTICE_DOMAIN}', 'g')::${cast}
       where ${column}::text ~ $1`,
      [ADDRESS],
    )
  }
}
