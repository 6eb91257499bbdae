import '../theme/styles.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { goTo, guardAddress, useHashPath } from '../routing/hash-location.ts'
import { askForStepUp, StepUpRequests } from '../session/step-up-prompt.tsx'
import { Confirmations, confirm } from './confirm.tsx'

function Page() {
  return (
    <>
      <p role="status">{useHashPath()}</p>
      <Confirmations />
      <StepUpRequests />
    </>
  )
}

const QUESTION = { title: '口座を承認しますか？', action: '承認する' }
const question = page.getByRole('alertdialog', { name: QUESTION.title })
let release: (() => void) | undefined

beforeEach(async () => {
  history.replaceState(null, '', '#/')
  await render(<Page />)
  goTo('#/list')
  goTo('#/accounts')
  await expect.element(page.getByRole('status')).toHaveTextContent('/accounts')
})
afterEach(() => {
  release?.()
  release = undefined
})

test('who goes back has not agreed: the question does not follow to the other screen', async () => {
  const answer = confirm(QUESTION)
  await expect.element(question).toBeVisible()
  history.back()
  await expect.element(page.getByRole('status')).toHaveTextContent('/list')
  expect(await answer).toBe(false)
  await expect.element(question).not.toBeInTheDocument()
})

test('nor does the question for the password', async () => {
  const answer = askForStepUp()
  await expect.element(page.getByRole('dialog', { name: '本人確認' })).toBeVisible()
  history.back()
  expect(await answer).toBe(false)
  await expect.element(page.getByRole('dialog', { name: '本人確認' })).not.toBeInTheDocument()
})

test('a question about leaving stays while the address is taken back, and its yes counts', async () => {
  const guard = vi.fn((proceed: () => void) => void confirm(QUESTION).then(isAgreed => isAgreed && proceed()))
  release = guardAddress(guard)
  history.back()
  await expect.poll(() => location.hash).toBe('#/accounts')
  await expect.element(question).toBeVisible()
  await page.getByRole('button', { name: QUESTION.action }).click()
  await expect.element(page.getByRole('status')).toHaveTextContent('/list')
  expect(guard).toHaveBeenCalledOnce()
})
