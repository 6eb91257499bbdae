import { handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { tellOfQuestion } from './notify-question.ts'
import { QUESTION_NOTICE_JOB } from './question-notice-kind.ts'

export function questionNoticeHandler(parts: Parameters<typeof tellOfQuestion>[0]): JobHandler {
  return handleJob(QUESTION_NOTICE_JOB, ({ questionId }) => tellOfQuestion(parts, BigInt(questionId)))
}
