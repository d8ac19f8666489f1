/** What the engine does not compute (service-behaviour §16): it throws instead of returning an approximate amount. */

export type OutOfScopeCode =
  | 'custom_aggregation'
  | 'custom_charge_model'
  | 'prorated_graduated_charge'
  | 'progressive_billing'
  | 'pricing_units'
  | 'product_catalogue_plan'
  | 'target_wallet_charge'
  | 'tax_provider'
  | 'transaction_limits_on_weighted_sum'
  | 'vies_check'
  | 'unknown_aggregation';

/** `code` is for programs; `message` is a sentence that names the rule. */
export class OutOfScope extends Error {
  readonly code: OutOfScopeCode;

  constructor(code: OutOfScopeCode, sentence: string) {
    super(sentence);
    this.name = 'OutOfScope';
    this.code = code;
  }
}
