import { maskedAccountNumber } from '@pc/domain/bank/masked-account-number.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { actorOf, recordRead } from '@pc/platform/audit/record-read.ts'
import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { loadBatched } from '@pc/platform/graphql/load-batched.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import {
  BANK_ACCOUNT_STATES,
  BANK_ACCOUNT_TYPES,
  type BankAccountRow,
  type BankAccountState,
  type BankAccountType,
  findBankAccounts,
  readAccountNumbers,
} from './bank-account-store.ts'
import { BANK_ACCOUNT_USE_STATES, type BankAccountUseRow, readBankAccountUses } from './bank-account-uses.ts'
import { type BankBranchRow, type BankRow, readBanks, readBranches } from './bank-store.ts'

export interface BankAccountTypeDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly Organization: ObjectTypeRef<{ readonly id: bigint; readonly name: string }>
}

/** Banks, branches and accounts as the graph shows them. */
export function bankAccountTypes(graph: Graph, { database, clock, Organization }: BankAccountTypeDependencies) {
  const Bank = graph.objectRef<BankRow>('Bank').implement({
    on: 'insight:bank_account.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      code: t.exposeString('code'),
      name: t.exposeString('name'),
      kana: t.exposeString('kana'),
      hira: t.exposeString('hira'),
      roma: t.exposeString('roma'),
      isGone: t.exposeBoolean('isGone', {
        description: 'No longer in the master of banks: shown, but not to be chosen.',
      }),
    }),
  })
  const BankBranch = graph.objectRef<BankBranchRow>('BankBranch').implement({
    on: 'insight:bank_account.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      code: t.exposeString('code'),
      name: t.exposeString('name'),
      kana: t.exposeString('kana'),
      hira: t.exposeString('hira'),
      roma: t.exposeString('roma'),
      isGone: t.exposeBoolean('isGone', {
        description: 'No longer in the master of banks: shown, but not to be chosen.',
      }),
    }),
  })
  const BankAccountTypeName = graph.enumType('BankAccountTypeName', { values: BANK_ACCOUNT_TYPES })
  const BankAccountStateEnum = graph.enumType('BankAccountState', { values: BANK_ACCOUNT_STATES })
  const BankAccountUse = graph.objectRef<BankAccountUseRow>('BankAccountUse').implement({
    on: 'insight:agreement_bank_account.',
    fields: t => ({
      agreementId: t.expose('agreementId', { type: 'ID' }),
      agreementName: t.exposeString('agreementName'),
      state: t.field({
        type: graph.enumType('BankAccountUseState', { values: BANK_ACCOUNT_USE_STATES }),
        description: '`in_use`: this month. `later`: from `fromMonth` on. `planned`: once the account can be used.',
        resolve: use => use.state,
      }),
      fromMonth: t.exposeInt('fromMonth', { nullable: true, description: 'YYYYMM; null while it is planned.' }),
      refusal: t.string({
        nullable: true,
        description: 'Why the last attempt to change to it was refused, in Japanese.',
        resolve: use => (use.refusalCode === null ? null : refusalMessageJa(refusal(use.refusalCode))),
      }),
    }),
  })
  const BankAccount = graph.objectRef<BankAccountRow>('BankAccount').implement({
    on: 'insight:bank_account.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      enabled: t.exposeBoolean('enabled', { description: 'Approved: agreements can use it.' }),
      state: t.field({ type: BankAccountStateEnum, resolve: row => row.state as BankAccountState }),
      typeName: t.field({ type: BankAccountTypeName, resolve: row => row.typeName as BankAccountType }),
      number: t.string({
        nullable: true,
        description: 'Seven digits; for people who may not see it in full, with the last three only.',
        resolve: (row, _args, context) => accountNumber(database, row.id, context),
      }),
      holder: t.exposeString('holder', { description: 'In half-width kana, as banks write it.' }),
      bank: t.field({
        type: Bank,
        nullable: true,
        resolve: async (row, _args, context) =>
          (await loadBatched(context, 'banks', row.bankId, ids =>
            readBanks(database.reader(accountPermit(context).scope), ids),
          )) ?? null,
      }),
      bankBranch: t.field({
        type: BankBranch,
        nullable: true,
        resolve: async (row, _args, context) =>
          (await loadBatched(context, 'bank branches', row.bankBranchId, ids =>
            readBranches(database.reader(accountPermit(context).scope), ids),
          )) ?? null,
      }),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      organization: t.field({
        type: Organization,
        nullable: true,
        resolve: row => (row.organizationName === null ? null : { id: row.organizationId, name: row.organizationName }),
      }),
      uses: field(t, {
        type: [BankAccountUse],
        nullable: true,
        description: 'The agreements that are paid to it, will be, or are to be once it can be used.',
        allow: 'read:list',
        on: 'insight:agreement_bank_account.',
        resolve: async (row, _args, context, { scope }) => {
          const month = thisMonth(clock)
          return [
            ...((await loadBatched(context, 'uses of accounts', row.id, ids =>
              readBankAccountUses(database.reader(scope), ids, month),
            )) ?? []),
          ]
        },
      }),
      requestedAt: t.expose('requestedAt', { type: 'DateTime' }),
      decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
      rejectionReason: t.exposeString('rejectionReason', { nullable: true }),
      usableFrom: t.expose('usableFrom', {
        type: 'Date',
        nullable: true,
        description: 'From this day on an agreement can take the account.',
      }),
      isOwnRequest: t.boolean({
        description: 'The caller asked for it, so that another person has to decide.',
        resolve: (row, _args, context) => row.requestedBy !== null && row.requestedBy === context.viewer?.uid,
      }),
      requestedByUid: field(t, {
        type: 'ID',
        nullable: true,
        description: 'Staff only.',
        allow: 'read:show',
        on: 'insight:in_house_note.',
        resolve: row => row.requestedBy,
      }),
      decidedByUid: field(t, {
        type: 'ID',
        nullable: true,
        description: 'Staff only.',
        allow: 'read:show',
        on: 'insight:in_house_note.',
        resolve: row => row.decidedBy,
      }),
      revision: t.exposeInt('revision'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })
  return {
    Bank,
    BankBranch,
    BankAccount,
    BankAccountTypeName,
    BankAccountStateEnum,
    /** For features whose rows lead to accounts. */
    findBankAccounts: (context: GraphContext, ids: readonly bigint[]) =>
      findBankAccounts(database, ids, accountPermit(context)),
  }
}

function accountPermit(context: GraphContext) {
  return demandPermit(context, 'read:list', 'insight:bank_account.')
}

/** Numbers in full leave one row in the audit log per answer. */
async function accountNumber(database: Database, id: bigint, context: GraphContext): Promise<string | null> {
  const permit = accountPermit(context)
  const number = await loadBatched(context, 'account numbers', id, async ids => {
    const numbers = await database.inScope(permit.scope, tx => readAccountNumbers(tx, ids))
    if (permit.isMasked) return new Map([...numbers].map(([key, value]) => [key, maskedAccountNumber(value)]))
    const [only, ...others] = numbers.keys()
    if (only === undefined) return numbers
    await recordRead(database, actorOf(permit.viewer, context), {
      action: 'read-in-full',
      resource: 'insight:bank_account.',
      rowId: others.length === 0 ? only : 'list',
      what: { bankAccountIds: [only, ...others].join(',') },
    })
    return numbers
  })
  return number ?? null
}
