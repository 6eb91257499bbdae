import type { Permit } from '@pc/domain/access/decide.ts'
import { isOneself } from '@pc/domain/access/viewer-scope.ts'
import type { AgreementInput } from '@pc/domain/agreement/agreement-record.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, refused } from '@pc/domain/result.ts'
import { thisMonth, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext } from '@pc/platform/graphql/graph.ts'
import { demandPermit, findPermit } from '@pc/platform/graphql/guard.ts'
import { readId, readMonth, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { DocumentUploads } from '@pc/platform/objects/document-uploads.ts'
import { AGREEMENT_NEEDS, type AgreementNeed } from '../agreement-condition.ts'
import { addAgreementDocumentFields, agreementDocumentType } from './agreement-document-fields.ts'
import {
  type AgreementEnums,
  type AgreementTypeDependencies,
  agreementEnums,
  agreementType,
} from './agreement-graph.ts'
import { agreementInputTypes, hasInHouseFields, readAgreementInput, readAssignments } from './agreement-input.ts'
import {
  AGREEMENT_ORDERS,
  type AgreementFilter,
  type AgreementRow,
  filterOfNeed,
  findAgreements,
  listAgreements,
  showAgreement,
} from './agreement-store.ts'
import { type PlatformTerms, readPlatformTerms } from './platform-terms.ts'
import { createAgreement, updateAgreement } from './save-agreement.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Agreements that one mutation may create. */
const MAX_AT_ONCE = 100

type AgreementRef = ReturnType<typeof agreementType>

/** Adds the queries and mutations of agreements. Returns the type and its reader for other features that show agreements. */
export function addAgreementFields(
  graph: Graph,
  given: Omit<AgreementTypeDependencies, 'AgreementDocument'> & { readonly documentUploads: DocumentUploads },
) {
  const enums = agreementEnums(graph)
  const AgreementDocument = agreementDocumentType(graph)
  const dependencies: AgreementTypeDependencies = { ...given, AgreementDocument }
  const Agreement = agreementType(graph, enums, dependencies)
  addQueries(graph, Agreement, dependencies)
  addPlatformTerms(graph, dependencies)
  addMutations(graph, Agreement, enums, dependencies)
  addAgreementDocumentFields(graph, AgreementDocument, given)
  const read = async (context: GraphContext, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, AgreementRow>> => {
    const { scope } = demandPermit(context, 'read:list', 'insight:agreement.')
    const rows = await findAgreements(dependencies.database.reader(scope), ids)
    return new Map(rows.map(row => [row.id, row]))
  }
  return { Agreement, findAgreements: read }
}

function terminationFilter(
  param: {
    readonly isTerminated?: boolean | null | undefined
    readonly isTerminationScheduled?: boolean | null | undefined
  },
  on: Day,
): AgreementFilter {
  return {
    ...(param.isTerminated === true ? { terminatedOn: on } : param.isTerminated === false ? { inForceOn: on } : {}),
    ...(param.isTerminationScheduled ? { terminatingAfter: on } : {}),
  }
}

function addQueries(graph: Graph, Agreement: AgreementRef, { database, clock }: AgreementTypeDependencies): void {
  const AgreementList = graph.objectRef<{ total: number; nodes: AgreementRow[] }>('AgreementList').implement({
    on: 'insight:agreement.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Agreement] }) }),
  })
  const AgreementsOrderBy = graph.enumType('AgreementsOrderBy', { values: AGREEMENT_ORDERS })
  const Need = graph.enumType('AgreementNeed', { values: AGREEMENT_NEEDS })
  const AgreementsParam = graph.inputType('AgreementsParam', {
    fields: t => ({
      userUid: t.id({
        description: 'Agreements that this user works for: the caller, or a user that the caller may see.',
      }),
      organizationId: t.id(),
      mediumId: t.id(),
      isTerminated: t.boolean({ description: 'Today. False: also those whose termination is still to come.' }),
      isTerminationScheduled: t.boolean({ description: 'True: those whose day of termination is still to come.' }),
      isPaymentDisabled: t.boolean(),
      need: t.field({
        type: Need,
        description:
          '`renewal`: somebody of staff is to decide whether it goes on; `account`: it is paid to none this month. Who may not see that finds none.',
      }),
    }),
  })
  graph.queryField('agreement', t =>
    field(t, {
      type: Agreement,
      nullable: true,
      args: {
        id: t.arg.id({ required: true }),
        asOfMonth: t.arg.int({ description: 'Terms and account of this month (YYYYMM). Default: this month.' }),
      },
      allow: 'read:show',
      on: 'insight:agreement.',
      async resolve(_parent, args, _context, permit) {
        const asOfMonth: YearMonth | undefined =
          args.asOfMonth === null || args.asOfMonth === undefined ? undefined : readMonth(args.asOfMonth, ['asOfMonth'])
        const row = await showAgreement(database, readId(String(args.id), ['id']), permit)
        return row ? { ...row, asOfMonth } : null
      },
    }),
  )
  graph.queryField('agreements', t =>
    field(t, {
      type: AgreementList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: AgreementsOrderBy }),
        param: t.arg({ type: AgreementsParam }),
        q: t.arg.string(),
      },
      allow: 'read:list',
      on: 'insight:agreement.',
      resolve(_parent, args, context, permit) {
        const { userUid, organizationId, mediumId, isPaymentDisabled, need } = args.param ?? {}
        const page = readPage(args)
        if (need && !mayAskForNeed(need, permit, context)) return { total: 0, nodes: [] }
        const filter = {
          organizationId: organizationId ? readId(organizationId, ['param', 'organizationId']) : undefined,
          mediumId: mediumId ? readId(mediumId, ['param', 'mediumId']) : undefined,
          ...terminationFilter(args.param ?? {}, today(clock)),
          isPaymentDisabled: isPaymentDisabled ?? undefined,
          ...(need ? filterOfNeed(need, clock) : {}),
          words: readSearchWords(args.q),
        }
        const isOwn = userUid === null || userUid === undefined || isOneself(permit.viewer, userUid)
        if (!isOwn && !mayAskAbout(userUid, context)) return { total: 0, nodes: [] }
        // The viewer's own agreements are those of the scope, so no filter by user is needed.
        return listAgreements(
          database,
          { ...filter, userUid: isOwn ? undefined : userUid },
          args.orderBy ?? 'ID_ASC',
          page,
          permit,
        )
      },
    }),
  )
}

/** `platformTerms`: the settings with which the form checks an agreement as the server does. */
function addPlatformTerms(graph: Graph, { database, clock }: AgreementTypeDependencies): void {
  const Terms = graph.objectRef<PlatformTerms>('PlatformTerms').implement({
    on: 'insight:in_house_field.',
    fields: t => ({
      payoutThreshold: t.expose('payoutThresholdYen', {
        type: 'Long',
        description: 'Of agreements that have none of their own. Yen.',
      }),
      isShiftedToNextDay: t.boolean({
        description: 'A payment due on a bank holiday is made on the next business day; false: on the one before.',
        resolve: terms => terms.businessDayShift === 'next',
      }),
    }),
  })
  graph.queryField('platformTerms', t =>
    field(t, {
      type: Terms,
      description: 'What the settings add to the terms of every agreement this month.',
      allow: 'read:show',
      on: 'insight:in_house_field.',
      resolve: (_parent, _args, _context, { scope }) => readPlatformTerms(database.reader(scope), thisMonth(clock)),
    }),
  )
}

/** Only staff may ask for renewals; everybody who sees accounts may ask for agreements without one. */
function mayAskForNeed(need: AgreementNeed, permit: Permit, context: GraphContext): boolean {
  if (permit.scope.kind === 'all') return true
  return need === 'account' && findPermit(context, 'read:list', 'insight:agreement_bank_account.') !== undefined
}

/** Whether the caller may ask for another user's agreements. If not, the list is empty, as for a user that does not exist. */
function mayAskAbout(userUid: string, context: GraphContext): boolean {
  const permit = findPermit(context, 'read:show', 'iam:user.')
  return UUID.test(userUid) && permit !== undefined && permit.scope.kind !== 'self'
}

function addMutations(
  graph: Graph,
  Agreement: AgreementRef,
  enums: AgreementEnums,
  dependencies: AgreementTypeDependencies,
): void {
  const { database, clock } = dependencies
  const { AgreementInput, AgreementBankAccountInput } = agreementInputTypes(graph, enums)
  graph.mutationField('createAgreements', t =>
    mutation(t, {
      type: [Agreement],
      args: {
        input: t.arg({ type: [AgreementInput], required: true }),
        agreementBankAccounts: t.arg({
          type: [AgreementBankAccountInput],
          description: 'The accounts of every agreement that is created.',
        }),
      },
      allow: 'write:create',
      on: 'insight:agreement.',
      database,
      needsStepUp: true,
      async run(args, write, context) {
        if (args.input.length === 0 || args.input.length > MAX_AT_ONCE)
          return refused(refusal('agreement/too-many-at-once', ['input'], { max: MAX_AT_ONCE }))
        const inputs = args.input.map((given, index) => readAgreementInput(given, ['input', index]))
        const accounts = readAssignments(args.agreementBankAccounts)
        const accountsPath = ['agreementBankAccounts']
        if (accounts) demandPermit(context, 'write:create', 'insight:agreement_bank_account.')
        const created: AgreementRow[] = []
        const refusals = []
        for (const [index, input] of inputs.entries()) {
          demandRights(context, 'write:create', input)
          const one = await createAgreement(write, clock, { input, accounts, path: ['input', index], accountsPath })
          if (one.ok) created.push(one.value)
          else refusals.push(...one.refusals)
          // PostgreSQL refuses further statements after a violated constraint, so the remaining inputs are not checked.
          if (!one.ok && one.refusals.some(isOfDatabase)) break
        }
        return refusals.length > 0 ? { ok: false, refusals } : ok(created)
      },
    }),
  )
  graph.mutationField('upsertAgreement', t =>
    mutation(t, {
      type: Agreement,
      args: {
        input: t.arg({ type: AgreementInput, required: true }),
        agreementBankAccounts: t.arg({
          type: [AgreementBankAccountInput],
          description: 'Replaces the list of accounts; absent: it stays.',
        }),
      },
      allow: 'write:update',
      on: 'insight:agreement.',
      database,
      needsStepUp: true,
      async run(args, write, context) {
        const input = readAgreementInput(args.input, ['input'])
        const accounts = readAssignments(args.agreementBankAccounts)
        const submission = { input, accounts, path: ['input'], accountsPath: ['agreementBankAccounts'] }
        const action = input.id === undefined ? 'write:create' : 'write:update'
        if (input.id === undefined) demandPermit(context, 'write:create', 'insight:agreement.')
        if (accounts) demandPermit(context, action, 'insight:agreement_bank_account.')
        demandRights(context, action, input)
        return input.id === undefined
          ? createAgreement(write, clock, submission)
          : updateAgreement(write, clock, submission)
      },
    }),
  )
}

/** Demands the rights to the staff-only fields in the input, in addition to the right to the agreement. */
function demandRights(
  context: GraphContext,
  action: 'write:create' | 'write:update',
  input: AgreementInput<Date>,
): void {
  if (input.notes !== undefined) demandPermit(context, action, 'insight:in_house_note.')
  // Also for a new agreement the right to change terms is demanded, as editors have no right to create them.
  if (hasInHouseFields(input)) demandPermit(context, 'write:update', 'insight:in_house_field.')
}

function isOfDatabase({ code }: { readonly code: string }): boolean {
  return ['agreement/code-taken', 'agreement/medium-unknown', 'agreement/organization-unknown'].includes(code)
}
