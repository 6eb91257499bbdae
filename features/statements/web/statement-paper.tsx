import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import type { ReactNode } from 'react'
import styles from './statement-paper.module.css'
import { EVENT_WORDS, givenDayText, type StatementDetail, type StatementEvent } from './statement-words.ts'
import { TransferNotice } from './transfer-notice.tsx'

/** The document on the screen, word for word as it is printed. */
export function StatementPaper({ statement }: { statement: StatementDetail }) {
  const { account, isTransferPlanned: isPlanned } = statement
  const mark = isPlanned ? '（予定）' : ''
  return (
    <article className={styles.paper} aria-label={`${statement.heading} ${statement.numberText}`}>
      {statement.revisionReason && (
        <p className={styles.revised}>{`改訂${statement.revision}：${statement.revisionReason}`}</p>
      )}
      <div className={styles.parties}>
        <dl>
          <Fact name="支払先" value={statement.payeeName} />
          {statement.payeeAddress !== '' && <Fact name="住所" value={statement.payeeAddress} />}
          <Fact name="登録番号" value={statement.payeeRegistration} />
          <Fact name="契約" value={`${statement.agreementName}（${statement.agreementCode}）`} />
        </dl>
        <dl>
          <Fact name="支払元" value={statement.payerName} />
          <Fact name="登録番号" value={statement.payerRegistrationNumber} />
          <Fact name="発行日" value={givenDayText(statement.issuedOn)} />
        </dl>
      </div>
      <p className={styles.sum}>
        <span>{isPlanned ? 'お支払金額（税込）' : 'お支払金額'}</span>
        <b className="num">{formatInteger(isPlanned ? statement.total : statement.transferAmount)}</b>
        <span>円</span>
        <small>{`支払期日 ${givenDayText(statement.dueOn)}`}</small>
      </p>
      <div className={styles.tables}>
        <Amounts
          caption="明細（税抜・円）"
          rows={statement.lines}
          total={['合計（税抜）', statement.totalWithoutTax]}
        />
        <div>
          <Amounts
            caption="支払の対象となる発生月（税抜・円）"
            rows={statement.generatedMonths.map(({ month, amount, ratePercent, tax }) => ({
              label: `${isoMonthText(month, NO_VALUE)}分${amount < 0 ? 'の返還' : ''}${taxText(ratePercent, tax)}`,
              amount,
            }))}
          />
          <Amounts
            caption="消費税（円）"
            rows={statement.taxLines.map(({ ratePercent, amount, tax }) => ({
              label: `${ratePercent}%対象${amount < 0 ? '（返還）' : ''} ${paperAmount(amount)}円`,
              amount: tax,
            }))}
            total={['税込金額', statement.total]}
          />
          <Amounts
            caption={isPlanned ? 'お振込予定額の計算（円）' : 'お振込金額の計算（円）'}
            rows={[
              { label: `源泉徴収税額${mark}`, amount: -statement.withholding },
              { label: `振込手数料（ご負担分）${mark}`, amount: -statement.fee },
            ]}
            total={[`差引お振込金額${mark}`, statement.transferAmount]}
          />
        </div>
      </div>
      <dl className={styles.account}>
        <Fact
          name="お振込先"
          value={`${account.bankName} ${account.branchName} ${account.typeName} ${account.number} ${account.holder}`}
        />
      </dl>
      <TransferNotice statement={statement} />
      <p className={styles.clause}>{statement.confirmationClause}</p>
      <p className={styles.hash}>{`本書のハッシュ値 ${statement.hash}`}</p>
    </article>
  )
}

/** `（10%、消費税△2,500円）`; empty in documents of template versions that lack rate and tax. */
function taxText(ratePercent: number | null, tax: number | null): string {
  return ratePercent === null || tax === null ? '' : `（${ratePercent}%、消費税${paperAmount(tax)}円）`
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Amounts(props: {
  caption: string
  rows: readonly { readonly label: string; readonly amount: number }[]
  total?: readonly [label: string, amount: number]
}) {
  return (
    <table className={styles.amounts}>
      <caption>{props.caption}</caption>
      <tbody>
        {props.rows.map(({ label, amount }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="num">{paperAmount(amount)}</td>
          </tr>
        ))}
      </tbody>
      {props.total && (
        <tfoot>
          <tr>
            <th scope="row">{props.total[0]}</th>
            <td className="num">{paperAmount(props.total[1])}</td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}

/** Negative amounts as Japanese books, and the printed document, write them. */
function paperAmount(amount: number): string {
  return amount < 0 ? `△${formatInteger(-amount)}` : formatInteger(Math.abs(amount))
}

/** The events of the document, oldest first. */
export function StatementLog({ events }: { events: readonly StatementEvent[] }) {
  if (events.length === 0) return null
  return (
    <section className={styles.log} aria-label="確認の記録">
      <h3>確認の記録</h3>
      <ol>
        {events.map(event => (
          <li key={event.id}>
            <p>
              <b>{EVENT_WORDS[event.event]}</b>
              <small>
                {[formatInstant(event.at), event.actorEmail, event.sourceAddress].filter(Boolean).join(' / ')}
              </small>
            </p>
            {event.lines.map(line => (
              <p key={line.label}>{`${line.label}：${line.reason}`}</p>
            ))}
            {event.text && <p>{event.text}</p>}
            {event.resolution === 'upheld' && <p>支払通知書の記載のとおりとします。</p>}
            {event.adjustmentMonth && <p>{`${isoMonthText(event.adjustmentMonth, NO_VALUE)}分の支払で調整します。`}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
