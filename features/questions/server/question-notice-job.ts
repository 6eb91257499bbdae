import { handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { notifyOfQuestion } from './notify-question.ts'
import { QUESTION_NOTICE_JOB } from './question-notice-kind.ts'

export function questionNoticeHandler(parts: Parameters<typeof notifyOfQuestion>[0]): JobHandler {
  return handleJob(QUESTION_NOTICE_JOB, ({ questionId }) => notifyOfQuestion(parts, BigInt(questionId)))
}
