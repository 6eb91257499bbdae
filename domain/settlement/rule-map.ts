/** One publisher's rule within an agreement. */
export interface RuleKey {
  readonly agreementId: bigint
  readonly publisherId: bigint
}

/** The rule's key as one text, for maps. */
export function ruleKeyText(key: RuleKey): string {
  return `${key.agreementId}/${key.publisherId}`
}

/** Values by rule. Nested, because writing a text for each of fifty thousand keys takes longer than finding them. */
export class RuleMap<Value> {
  readonly #byAgreement = new Map<bigint, Map<bigint, Value>>()

  get({ agreementId, publisherId }: RuleKey): Value | undefined {
    return this.#byAgreement.get(agreementId)?.get(publisherId)
  }

  has({ agreementId, publisherId }: RuleKey): boolean {
    return this.#byAgreement.get(agreementId)?.has(publisherId) ?? false
  }

  set({ agreementId, publisherId }: RuleKey, value: Value): void {
    const ofAgreement = this.#byAgreement.get(agreementId)
    if (ofAgreement) ofAgreement.set(publisherId, value)
    else this.#byAgreement.set(agreementId, new Map([[publisherId, value]]))
  }
}
