import { type CopyClient, demandPractice } from './work-on-copy.ts'

/** Where the people of a practice system live: nobody can be reached there (RFC 2606). */
export const PRACTICE_DOMAIN = 'practice.example'

/**
 * Takes out of the copy what could do harm outside of it: who may sign in and with what, who would be written to, which
 * systems would be called, which accounts would be paid. Names of payees stay: the month is the one that staff knows.
 * @throws NotPracticeError where the system is not marked
 */
export async function hideSecrets(client: CopyClient): Promise<void> {
  await demandPractice(client)
  for (const statement of [...PEOPLE, ...OTHER_SYSTEMS, ...ACCOUNTS, ...PAPERS, ...FREE_TEXT, ...AUDIT_LOG])
    await client.query(statement)
  await rewriteAddresses(client)
}

const FORGOTTEN = [
  ...['idp_payloads', 'idp_attempts', 'idp_accounts', 'idp_authenticators', 'idp_recovery_codes', 'idp_session_uses'],
  // How accounts were, with what they signed in with.
  ...['account_undos', 'account_changes'],
  // The keys that sign tokens: those of the copied system are worth nothing here, and the other way round.
  ...['idp_settings', 'invitations', 'view_as_sessions', 'idempotency_keys', 'sent_mails', 'page_views'],
]
const PEOPLE: readonly string[] = [
  ...FORGOTTEN.map(table => `delete from ${table}`),
  // The factors stay behind, and nobody is to set one up for an hour of practice.
  'update second_factor_rule set is_required = false',
  `update users u set email = 'user-' || n.number || '@${PRACTICE_DOMAIN}', enabled = false, photo_url = null,
       oidc_issuer = null, oidc_subject = null, sessions_valid_from = now()
     from (select uid, row_number() over (order by created_at, uid) as number from users) n where n.uid = u.uid`,
]

const OTHER_SYSTEMS: readonly string[] = [
  ...['publisher_api_keys', 'webhook_deliveries', 'webhook_events', 'webhooks', 'report_mail_deliveries'].map(
    table => `delete from ${table}`,
  ),
  // What waits would be written to somebody.
  'delete from pgboss.job',
  'update report_mails set is_paused = true',
  `update api_keys set secret_sha256 = encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'),
     revoked_at = coalesce(revoked_at, now())`,
]

/** The same account has the same invented number everywhere; both are what a bank file may hold. */
const NUMBER = (id: string) => `'9' || lpad((${id} % 1000000)::text, 6, '0')`
const HOLDER = (id: string) => `'ﾚﾝｼﾕｳ' || lpad(${id}::text, 6, '0')`
/** No bank knows a requester or an account of these numbers. */
const OWN = `client_code = '0000000000', client_name = 'ﾚﾝｼﾕｳ', account_number = '0000000'`

const ACCOUNTS: readonly string[] = [
  `update bank_accounts set number = ${NUMBER('id')}, holder = ${HOLDER('id')}`,
  `update transfers set account_number = ${NUMBER('bank_account_id')}, holder = ${HOLDER('bank_account_id')}`,
  `update transfer_sources set ${OWN}`,
  `update transfer_batches set ${OWN} where kind = 'bank_file'`,
]

/** Statements name the account: they are written again, with the hash that belongs to the new words. */
const PAPERS: readonly string[] = [
  `update statements s set content = regexp_replace(s.content, '("holder":)"[^"]*"(,"number":)"[^"]*"',
     '\\1"' || coalesce(${HOLDER('p.bank_account_id')}, 'ﾚﾝｼﾕｳ') || '"\\2"****'
     || coalesce(right(${NUMBER('p.bank_account_id')}, 3), '000') || '"')
   from monthly_payments p where p.id = s.monthly_payment_id`,
  `update statements set hash = encode(sha256(convert_to(template_version || E'\\n' || content, 'UTF8')), 'hex')`,
  // With it, from which address somebody confirmed; one for documents takes its place (RFC 5737).
  `update statement_events e set statement_hash = s.hash,
     source_address = case when e.source_address is not null then '192.0.2.1' end
   from statements s where s.id = e.statement_id`,
  // The files themselves stay behind.
  'update agreement_documents set removed_at = coalesce(removed_at, now())',
]

const WITHHELD = '（練習環境には写していません）'

/**
 * What people wrote to each other and about each other, where names, telephone numbers and stories stand that nobody needs to
 * close a month. Notes of entries and transfers stay: they say why an amount is what it is.
 */
const FREE_TEXT: readonly string[] = [
  ...['agreements', 'publishers', 'feeds'].map(table => `update ${table} set notes = null where notes is not null`),
  `update question_messages set text = '${WITHHELD}'`,
  `update statement_events set text = '${WITHHELD}' where text is not null`,
  `update bank_accounts set rejection_reason = '${WITHHELD}' where rejection_reason is not null`,
  `update legal_holds set reason = '${WITHHELD}',
     release_reason = case when release_reason is not null then '${WITHHELD}' end`,
  // Of one person, or lines of a file that nobody could read.
  'delete from annotations',
  'delete from ingest_quarantined_rows',
  'delete from import_rows',
]

/** It holds everything as it was. The copy's own begins when it is made. */
const AUDIT_LOG: readonly string[] = [
  'delete from audit_log',
  `update audit_head set seq = 0, hash = sha256('publisher-center audit log')`,
]

/** Public contents, and frozen texts whose hash would break; neither names people. */
const NOT_SEARCHED = [
  'medium_articles',
  'article_labels',
  'videos',
  'monthly_snapshot_inputs',
  'month_states',
  'statements',
]
const ADDRESS = `[A-Za-z0-9._%+-]+@(?!${PRACTICE_DOMAIN.replace('.', '\\.')})[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+`

/** Wherever else an address of a person stands: in columns of its own, in notes, in what people wrote. */
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
