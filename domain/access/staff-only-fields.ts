import type { GranularAction } from './action.ts'
import type { ResourceName } from './resource-name.ts'

/**
 * Fields that need a right of their own beside the right to the row. For anybody else they are null, with a FORBIDDEN
 * error at their path. The graph cannot be built when a field named here is declared without exactly this right.
 * Tested by `domain/access/access.test.ts`.
 */
export const STAFF_ONLY_FIELDS: Readonly<
  Record<string, { readonly allow: GranularAction; readonly on: ResourceName }>
> = {
  'Agreement.notes': { allow: 'read:show', on: 'insight:in_house_note.' },
  'Agreement.feePaidBy': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.paymentTiming': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.minimumRevenueType': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.fixedRevenue': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.minimumRevenue': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.payoutThreshold': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.termsHistory': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.payeeKind': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.payeeResidence': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.treatyFormFrom': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.treatyFormTo': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.treatyFormRate': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.taxTreatmentConfirmedAt': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.smallSupplierCoverage': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.freelanceCoverage': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.isShiftAgreedInWriting': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.lawFindings': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Agreement.openingBalances': { allow: 'read:list', on: 'insight:opening_balance.' },
  'AgreementPublisherRule.fixedRevenue': { allow: 'read:show', on: 'insight:in_house_field.' },
  'AgreementPublisherRule.minimumRevenue': { allow: 'read:show', on: 'insight:in_house_field.' },
  'AgreementPublisherRule.history': { allow: 'read:show', on: 'insight:in_house_field.' },
  'BankAccount.requestedByUid': { allow: 'read:show', on: 'insight:in_house_note.' },
  'BankAccount.decidedByUid': { allow: 'read:show', on: 'insight:in_house_note.' },
  'Publisher.notes': { allow: 'read:show', on: 'insight:in_house_note.' },
  'Feed.notes': { allow: 'read:show', on: 'insight:in_house_note.' },
  'Feed.manuallyFeedScore': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Feed.isSafeForFirstview': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Feed.availabilityForPromo': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Feed.legacyFeedId': { allow: 'read:show', on: 'insight:in_house_field.' },
  'Feed.isDeleteFeed': { allow: 'read:show', on: 'insight:in_house_field.' },
  'SummaryStats.revenueDetail': { allow: 'read:show', on: 'insight:revenue_detail.' },
}
