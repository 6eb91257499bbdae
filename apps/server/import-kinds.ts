import { type AccountMailPort, withOneNotice } from '@pc/features/access/server/account-mail-port.ts'
import { createOrganizations, updateOrganization } from '@pc/features/access/server/change-organization.ts'
import { changeUsers } from '@pc/features/access/server/change-user.ts'
import { inviteUsers } from '@pc/features/access/server/invite-user.ts'
import { createAgreements, updateAgreements } from '@pc/features/agreements/server/save-agreement.ts'
import { saveOpeningBalances } from '@pc/features/agreements/server/save-opening-balances.ts'
import { decideBankAccounts } from '@pc/features/bank-accounts/server/decide-bank-account.ts'
import { requestBankAccounts } from '@pc/features/bank-accounts/server/request-bank-account.ts'
import { addFeeds, changeFeed } from '@pc/features/feeds/server/save-feed.ts'
import { agreementAccountsKind } from '@pc/features/imports/server/agreement-accounts-kind.ts'
import { agreementsKind } from '@pc/features/imports/server/agreements-kind.ts'
import { bankAccountsKind } from '@pc/features/imports/server/bank-accounts-kind.ts'
import { feedsKind } from '@pc/features/imports/server/feeds-kind.ts'
import type { ImportKind } from '@pc/features/imports/server/import-kind.ts'
import { openingBalancesKind } from '@pc/features/imports/server/opening-balances-kind.ts'
import { organizationsKind } from '@pc/features/imports/server/organizations-kind.ts'
import { publishersKind } from '@pc/features/imports/server/publishers-kind.ts'
import { rulesKind } from '@pc/features/imports/server/rules-kind.ts'
import { termsKind } from '@pc/features/imports/server/terms-kind.ts'
import { usersKind } from '@pc/features/imports/server/users-kind.ts'
import { createPublishers, savePublisher } from '@pc/features/publishers/server/save-publisher.ts'
import { saveRules } from '@pc/features/publishers/server/save-publisher-rules.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'

interface KindDependencies {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly mail: AccountMailPort
}

/** Kinds of records that can be imported from files, in the order in which an empty system needs them. */
export function importKinds({ clock, jobs, mail }: KindDependencies): readonly ImportKind[] {
  // Confirming the file approves the account at once, so no approval request is announced.
  const silent: Jobs = { ...jobs, enqueue: async () => null, enqueueAll: async () => {} }
  const agreements = { clock, createAgreements, updateAgreements }
  return [
    organizationsKind({ createOrganizations, updateOrganization }),
    publishersKind({ createPublishers, savePublisher }),
    agreementsKind(agreements),
    termsKind(agreements),
    rulesKind({ clock, saveRules }),
    openingBalancesKind({ saveOpeningBalances }),
    bankAccountsKind({
      requestBankAccounts: (write, requests, requestedBy) => requestBankAccounts(write, silent, requests, requestedBy),
      approveBankAccounts: (write, ids) => {
        const decisions = ids.map(id => ({ id, decision: { state: 'approved' as const }, expectedRevision: undefined }))
        return decideBankAccounts(write, jobs, clock, decisions)
      },
    }),
    agreementAccountsKind(agreements),
    feedsKind({ addFeeds, changeFeed }),
    usersKind(() => {
      const notice = withOneNotice(mail)
      return {
        inviteUsers: (people, write, sendsEmails) => inviteUsers(people, write, notice.mail, { sendsEmails }),
        changeUsers: (changes, write) => changeUsers(changes, write, notice.mail, 'update'),
        notifyAdministrators: ({ tx, permit }) => notice.send(tx, permit.viewer.uid),
      }
    }),
  ]
}
