import { Button } from '@pc/ui/elements/button.tsx'
import { LazyDayBox } from '@pc/ui/filter/lazy-day-box.tsx'
import styles from './what-if.module.css'
import {
  type AgreementChange,
  type BasisAgreement,
  type BasisRule,
  type Change,
  type RuleChange,
  ruleKey,
  withValue,
} from './what-if-change.ts'
import { WhatIfNumber } from './what-if-number.tsx'

interface AgreementProps {
  agreement: BasisAgreement
  change: Change
  onChange: (change: Change) => void
  onRemove: () => void
}

const MINIMUM_TYPES = [
  { value: 'none', label: 'なし' },
  { value: 'by_agreement', label: '契約ごと' },
  { value: 'by_publisher', label: 'パブリッシャーごと' },
] as const

/** The terms of one agreement and the rates of its publishers, each with its current value beside it. */
export function WhatIfAgreement({ agreement, change, onChange, onRemove }: AgreementProps) {
  const { agreementId: id } = agreement
  const changes = change.agreements[id]
  const set = <N extends keyof AgreementChange>(name: N, value: AgreementChange[N] | undefined) =>
    onChange({
      ...change,
      agreements: {
        ...change.agreements,
        [id]: withValue(changes, name, value, agreement[name] as AgreementChange[N]),
      },
    })
  return (
    <fieldset className={styles.agreement}>
      <legend>
        {agreement.name}
        <small>{`${agreement.partnerName} / ${agreement.code}`}</small>
      </legend>
      <div className={styles.terms}>
        <Guarantee changes={changes} present={agreement} onChange={set} />
        <label className={styles.number} data-changed={changes?.minimumRevenueType !== undefined || undefined}>
          <span>最低保証の種類</span>
          <select
            className="control"
            value={changes?.minimumRevenueType ?? agreement.minimumRevenueType}
            onChange={event => set('minimumRevenueType', event.target.value as BasisAgreement['minimumRevenueType'])}
          >
            {MINIMUM_TYPES.map(each => (
              <option key={each.value} value={each.value}>
                {each.label}
              </option>
            ))}
          </select>
        </label>
        <WhatIfNumber
          label="支払下限額"
          kind="integer"
          unit="円"
          value={changes?.payoutThreshold}
          present={agreement.payoutThreshold}
          onChange={value => set('payoutThreshold', value)}
        />
        <span className={styles.number} data-changed={changes?.terminatedOn !== undefined || undefined}>
          <span aria-hidden>解約日</span>
          <LazyDayBox
            label="解約日"
            min="2020-12-01"
            value={changes?.terminatedOn ?? agreement.terminatedOn ?? ''}
            onChange={text => set('terminatedOn', text === '' ? undefined : text)}
          />
        </span>
        <label className={styles.flag} data-changed={changes?.isPaymentDisabled !== undefined || undefined}>
          <input
            type="checkbox"
            checked={changes?.isPaymentDisabled ?? agreement.isPaymentDisabled}
            onChange={event => set('isPaymentDisabled', event.target.checked)}
          />
          支払を停止する
        </label>
        <Button tone="quiet" onClick={onRemove} aria-label={`${agreement.name}を条件から外す`}>
          外す
        </Button>
      </div>
      <div>
        {agreement.rules.map(rule => (
          <Rule key={rule.publisherId} agreementId={id} rule={rule} change={change} onChange={onChange} />
        ))}
      </div>
    </fieldset>
  )
}

const GUARANTEE = [
  { name: 'fixedRevenue', label: '固定額' },
  { name: 'minimumRevenue', label: '最低保証額' },
] as const
type GuaranteeName = (typeof GUARANTEE)[number]['name']

/** Fixed fee and guaranteed minimum: an agreement has both, and each of its publishers. */
function Guarantee(props: {
  changes: Partial<Record<GuaranteeName, number>> | undefined
  present: Readonly<Record<GuaranteeName, number>>
  onChange: (name: GuaranteeName, value: number | undefined) => void
}) {
  const { changes, present, onChange } = props
  return GUARANTEE.map(({ name, label }) => (
    <WhatIfNumber
      key={name}
      label={label}
      kind="integer"
      unit="円"
      value={changes?.[name]}
      present={present[name]}
      onChange={value => onChange(name, value)}
    />
  ))
}

const RATES = [
  { name: 'paymentRate', label: '自社広告', flag: undefined },
  { name: 'sspPaymentRate', label: 'SSP', flag: 'isTargetForSspAllocation' },
  { name: 'videoSspPaymentRate', label: '動画SSP', flag: 'isTargetForVideoSspAllocation' },
  { name: 'liveSspPaymentRate', label: 'ライブSSP', flag: 'isTargetForLiveSspAllocation' },
] as const

function Rule(props: { agreementId: string; rule: BasisRule; change: Change; onChange: (change: Change) => void }) {
  const { agreementId, rule, change, onChange } = props
  const key = ruleKey(agreementId, rule.publisherId)
  const changes = change.rates[key]
  const set = <N extends keyof RuleChange>(name: N, value: RuleChange[N] | undefined) =>
    onChange({
      ...change,
      rates: { ...change.rates, [key]: withValue(changes, name, value, rule[name] as RuleChange[N]) },
    })
  return (
    <fieldset className={styles.rule}>
      <legend>{rule.publisherName || `パブリッシャー ${rule.publisherId}`}</legend>
      {RATES.map(({ name, label, flag }) => (
        <div key={name}>
          <WhatIfNumber
            label={`${label}の支払率`}
            kind="rate"
            unit="%"
            value={changes?.[name]}
            present={rule[name]}
            onChange={value => set(name, value)}
          />
          {flag && (
            <label className={styles.flag} data-changed={changes?.[flag] !== undefined || undefined}>
              <input
                type="checkbox"
                checked={changes?.[flag] ?? rule[flag]}
                onChange={event => set(flag, event.target.checked)}
              />
              {`${label}の分配対象`}
            </label>
          )}
        </div>
      ))}
      <Guarantee changes={changes} present={rule} onChange={set} />
    </fieldset>
  )
}
