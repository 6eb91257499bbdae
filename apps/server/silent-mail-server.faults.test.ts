import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import {
  ANSWER_MS,
  FAULT_MS,
  pause,
  postToSignIn,
  RECOVERY_MS,
  recoveryMsOf,
  type Seen,
  Traffic,
} from '@pc/testing/system/fault-fixture.ts'
import { addUser } from '@pc/testing/system/identity-server.ts'
import { type MailServerState, mailServer } from '@pc/testing/system/mail-server.ts'
import { startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { expect, test } from 'vitest'

/**
 * Security, figure 10: the mail server takes connections and says nothing, is slow, dies in the middle, refuses for now
 * or for good, half a minute each. No request waits for it, what is asked for afterwards leaves at once, and every mail
 * of that time arrives once.
 */
const FAULTS: readonly MailServerState[] = ['silent', 'slow', 'dying', 'busy', 'refusing']
const MAIL_EVERY_MS = 1_000
/** The later attempts are further apart. */
const ALL_ARRIVED_MS = 6 * 60_000

test(`${FAULTS.length} faults of the mail server × ${FAULT_MS / 1_000} s`, async () => {
  const server = await mailServer()
  const system = await startSystemUnderTest({ SMTP_URL: server.url })
  await system.dependencies.jobs.work(system.dependencies.jobHandlers)
  const wanted: string[] = []
  let requested = 0
  const askForMail = async (): Promise<string> => {
    const to = `mail${++requested}@example.jp`
    wanted.push(to)
    const mail = { to, subject: `件名 ${requested}`, text: '本文' }
    await system.dependencies.database.inScope(SYSTEM, tx => system.dependencies.jobs.enqueue(tx, MAIL_JOB, mail))
    return to
  }
  const hasArrived = (to: string) => server.taken.some(mail => mail.to === to)
  const wrong: Seen[] = []
  let slowestRecovery = 0
  for (const fault of FAULTS) {
    const token = await system.tokenOf(system.rows.users.admin.email)
    const traffic = new Traffic(system, token, fault)
    const before = requested
    traffic.start()
    await pause(1_000)
    server.become(fault)
    const timer = setInterval(() => void askForMail(), MAIL_EVERY_MS)
    // A screen whose email leaves by this server.
    const email = `forgetful-${fault}@example.jp`
    await addUser(system.dependencies.database, { email, password: 'correct horse battery' })
    const asking = performance.now()
    const status = await postToSignIn(system.origins.web, 'forgot-pass', { email })
    if (status !== 200 || performance.now() - asking > ANSWER_MS)
      wrong.push({ what: 'forgot-pass', status, tookMs: performance.now() - asking })
    wanted.push(email)
    await pause(FAULT_MS)
    clearInterval(timer)
    const arrived = server.taken.length
    server.become('whole')
    const probe = await askForMail()
    const recoveryMs = await recoveryMsOf(async () => hasArrived(probe))
    await traffic.stop()
    wrong.push(...traffic.faults)
    slowestRecovery = Math.max(slowestRecovery, recoveryMs)
    const row = `${fault}: ${traffic.summary}, recovery ${Math.round(recoveryMs)} ms; ${requested - before} mails, ${arrived} of all had arrived`
    console.warn(row)
  }
  const started = performance.now()
  while (!wanted.every(hasArrived) && performance.now() - started < ALL_ARRIVED_MS) await pause(500)
  const waitedMs = Math.round(performance.now() - started)
  const lost = wanted.filter(to => !hasArrived(to))
  const doubled = wanted.filter(to => server.taken.filter(mail => mail.to === to).length > 1)
  console.warn(
    `${wanted.length} mails, ${lost.length} lost, ${doubled.length} doubled, the last one ${waitedMs} ms after the faults`,
  )
  await system.close()
  await server.close()
  expect(wrong).toEqual([])
  expect(lost).toEqual([])
  expect(doubled).toEqual([])
  expect(slowestRecovery).toBeLessThan(RECOVERY_MS)
})
