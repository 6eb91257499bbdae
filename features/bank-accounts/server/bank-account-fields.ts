import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { COMMON_LIST_ORDERS, readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { bankAccountTypes } from './bank-account-graph.ts'
import { BANK_ACCOUNT_ORDERS, type BankAccountRow, listBankAccounts } from './bank-account-store.ts'
import { type BankBranchRow, type BankRow, searchBanks, searchBranches } from './bank-store.ts'
import { decideBankAccount } from './decide-bank-account.ts'
import { requestBankAccount } from './request-bank-account.ts'
import { cancelBankAccountSwitches } from './switch-bank-accounts.ts'

type BankAccountTypes = ReturnType<typeof bankAccountTypes>
interface BankAccountDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly clock: Clock
}

const ACCOUNT = 'insight:bank_account.' as const
const DEFAULT_CHOICES = 50

export function addBankAccountFields(
  graph: Graph,
  types: BankAccountTypes,
  dependencies: BankAccountDependencies,
): void {
  addAccountList(graph, types, dependencies.database)
  addBankChoices(graph, types, dependencies.database)
  addMutations(graph, types, dependencies)
}

function addAccountList(
  graph: Graph,
  { BankAccount, BankAccountStateEnum }: BankAccountTypes,
  database: Database,
): void {
  const BankAccountList = graph.objectRef<{ total: number; nodes: BankAccountRow[] }>('BankAccountList').implement({
    on: ACCOUNT,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [BankAccount] }) }),
  })
  const BankAccountsOrderBy = graph.enumType('BankAccountsOrderBy', { values: BANK_ACCOUNT_ORDERS })
  const BankAccountsParam = graph.inputType('BankAccountsParam', {
    fields: t => ({ organizationId: t.id(), enabled: t.boolean(), state: t.field({ type: BankAccountStateEnum }) }),
  })
  graph.queryField('bankAccounts', t =>
    field(t, {
      type: BankAccountList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: BankAccountsOrderBy }),
        param: t.arg({ type: BankAccountsParam }),
        q: t.arg.string(),
      },
      allow: 'read:list',
      on: ACCOUNT,
      resolve(_parent, args, _context, permit) {
        const { organizationId, enabled, state } = args.param ?? {}
        const filter = {
          organizationId: organizationId ? readId(String(organizationId), ['param', 'organizationId']) : undefined,
          enabled: enabled ?? undefined,
          state: state ?? undefined,
          words: readSearchWords(args.q),
        }
        return listBankAccounts(database, filter, args.orderBy ?? 'ID_DESC', readPage(args), permit)
      },
    }),
  )
}

/** What the type-ahead of the form offers. */
function addBankChoices(graph: Graph, { Bank, BankBranch }: BankAccountTypes, database: Database): void {
  const BankList = graph.objectRef<{ total: number; nodes: BankRow[] }>('BankList').implement({
    on: ACCOUNT,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Bank] }) }),
  })
  const BankBranchList = graph.objectRef<{ total: number; nodes: BankBranchRow[] }>('BankBranchList').implement({
    on: ACCOUNT,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [BankBranch] }) }),
  })
  const orderOf = (name: string) => {
    const description = 'Default: those that begin with the text first, then by code.'
    return graph.enumType(name, { values: COMMON_LIST_ORDERS, description })
  }
  const [BanksOrderBy, BankBranchesOrderBy] = [orderOf('BanksOrderBy'), orderOf('BankBranchesOrderBy')]
  graph.queryField('banks', t =>
    field(t, {
      type: BankList,
      args: {
        ...{ q: t.arg.string(), limit: t.arg.int({ defaultValue: DEFAULT_CHOICES }), offset: t.arg.int() },
        orderBy: t.arg({ type: BanksOrderBy }),
      },
      allow: 'read:list',
      on: ACCOUNT,
      resolve: (_parent, args, _context, permit) =>
        searchBanks(database, readSearchWords(args.q), args.orderBy ?? undefined, choices(args), permit),
    }),
  )
  graph.queryField('bankBranches', t =>
    field(t, {
      type: BankBranchList,
      args: {
        ...{ bankId: t.arg.id({ required: true }), q: t.arg.string() },
        ...{ limit: t.arg.int({ defaultValue: DEFAULT_CHOICES }), offset: t.arg.int() },
        orderBy: t.arg({ type: BankBranchesOrderBy }),
      },
      allow: 'read:list',
      on: ACCOUNT,
      resolve(_parent, args, _context, permit) {
        const bankId = readId(String(args.bankId), ['bankId'])
        const order = args.orderBy ?? undefined
        return searchBranches(database, bankId, readSearchWords(args.q), order, choices(args), permit)
      },
    }),
  )
}

function choices(args: { readonly limit?: number | null | undefined; readonly offset?: number | null | undefined }) {
  return readPage({ limit: args.limit ?? DEFAULT_CHOICES, offset: args.offset ?? 0 })
}

function addMutations(
  graph: Graph,
  { BankAccount, BankAccountTypeName }: BankAccountTypes,
  { database, jobs, clock }: BankAccountDependencies,
): void {
  const BankAccountInput = graph.inputType('BankAccountInput', {
    fields: t => ({
      organizationId: t.id({ description: 'A publisher’s own organisation needs no id.' }),
      bankId: t.id({ required: true }),
      bankBranchId: t.id({ required: true }),
      typeName: t.field({ type: BankAccountTypeName, required: true }),
      number: t.string({ required: true }),
      holder: t.string({ required: true, description: 'Kana of any kind; kept in half-width kana.' }),
      agreementIds: t.idList({
        description:
          'Agreements of the organisation that are paid to the account as soon as it can be used. Default: none.',
      }),
    }),
  })
  graph.mutationField('createBankAccount', t =>
    mutation(t, {
      type: BankAccount,
      description: 'Asks for an account; another person has to approve it.',
      args: { input: t.arg({ type: BankAccountInput, required: true }) },
      allow: 'write:create',
      on: ACCOUNT,
      database,
      needsStepUp: true,
      run: ({ input }, write) =>
        requestBankAccount(write, jobs, {
          organizationId: input.organizationId
            ? readId(String(input.organizationId), ['input', 'organizationId'])
            : undefined,
          bankId: readId(String(input.bankId), ['input', 'bankId']),
          bankBranchId: readId(String(input.bankBranchId), ['input', 'bankBranchId']),
          typeName: input.typeName,
          number: input.number,
          holder: input.holder,
          agreementIds: input.agreementIds?.map((id, index) => readId(String(id), ['input', 'agreementIds', index])),
        }),
    }),
  )
  graph.mutationField('approveBankAccount', t =>
    mutation(t, {
      type: BankAccount,
      args: { id: t.arg.id({ required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: ACCOUNT,
      database,
      needsStepUp: true,
      run: (args, write) =>
        decideBankAccount(
          write,
          jobs,
          clock,
          readId(String(args.id), ['id']),
          { state: 'approved' },
          args.expectedRevision,
        ),
    }),
  )
  graph.mutationField('rejectBankAccount', t =>
    mutation(t, {
      type: BankAccount,
      args: {
        id: t.arg.id({ required: true }),
        reason: t.arg.string({ required: true }),
        expectedRevision: t.arg.int(),
      },
      allow: 'write:update',
      on: ACCOUNT,
      database,
      run(args, write) {
        const decision = { state: 'rejected', reason: args.reason } as const
        return decideBankAccount(write, jobs, clock, readId(String(args.id), ['id']), decision, args.expectedRevision)
      },
    }),
  )
  graph.mutationField('cancelBankAccountSwitches', t =>
    mutation(t, {
      type: BankAccount,
      description: 'Stops the planned use of an account: its agreements keep the account that they have.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: ACCOUNT,
      database,
      run: (args, write) => cancelBankAccountSwitches(write, jobs, readId(String(args.id), ['id'])),
    }),
  )
}
