import { agreementCount, filterOfNeed } from '@pc/features/agreements/server/agreement-store.ts'
import { bankAccountCount } from '@pc/features/bank-accounts/server/bank-account-store.ts'
import type { CountDuties } from '@pc/features/duties/server/duty-fields.ts'
import { feedCount } from '@pc/features/feeds/server/feed-store.ts'
import { mediaToCloseCount } from '@pc/features/payments/month-close/server/media-to-close.ts'
import { payableCount, returnedCount } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { recallsToDecideCount } from '@pc/features/payments/transfers/server/recall-transfers.ts'
import { questionCount } from '@pc/features/questions/server/question-store.ts'
import { statementCount } from '@pc/features/statements/server/statement-store.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'

/**
 * Counts the duties on the home screen. Each count equals the length of the list that its link opens. `DUTY_RIGHTS`
 * says who has a duty; the permits here decide which rows count. `insight:dividend.` covers months and transfers.
 * @param clock the real day, for agreements
 * @param booksClock the day of the books; differs only in tests, which close future months
 */
export function dutyCounts({ clock, booksClock }: { readonly clock: Clock; readonly booksClock: Clock }): CountDuties {
  return context => {
    const adjustments = findPermit(context, 'read:list', 'insight:dividend.')
    const statements = findPermit(context, 'read:list', 'insight:statement.')
    const questions = findPermit(context, 'read:list', 'insight:question.')
    const accounts = findPermit(context, 'read:list', 'insight:bank_account.')
    const agreements = findPermit(context, 'read:list', 'insight:agreement.')
    const feeds = findPermit(context, 'read:list', 'insight:feed.')
    const ofNeed = (need: Parameters<typeof filterOfNeed>[0]) =>
      agreements &&
      agreementCount(
        {
          inForceOn: today(clock),
          ...(need === 'account' ? { isPaymentDisabled: false } : {}),
          ...filterOfNeed(need, clock),
        },
        agreements,
      )
    return {
      months_to_close: adjustments && mediaToCloseCount(booksClock),
      recalls_requested: adjustments && recallsToDecideCount(today(booksClock)),
      transfers_returned: adjustments && returnedCount(today(booksClock)),
      payments_to_send: adjustments && payableCount(today(booksClock)),
      statements_objected: statements && statementCount({ states: ['objected'] }, statements),
      statements_to_confirm: statements && statementCount({ states: ['issued'] }, statements),
      questions_open: questions && questionCount({ states: ['open'], isObjection: false }, questions),
      questions_answered: questions && questionCount({ states: ['answered'] }, questions),
      accounts_requested: accounts && bankAccountCount({ state: 'requested' }, accounts),
      agreements_without_account: ofNeed('account'),
      agreements_to_renew: ofNeed('renewal'),
      feeds_down: feeds && feedCount({ enabled: true, state: 'outage' }, feeds),
    }
  }
}
