/** What instructions cost in one EVM, as far as frames look at it. */
export interface Metering {
  /** Gas that an instruction costs at least, by opcode. */
  readonly fees: Float64Array;
  readonly rules: CallRules;
  /** Called every now and then where a program that does not end must come by; throws to stop it. */
  guard: (() => void) | null;
}

/** What calls cost, and which rules they follow. */
interface CallRules {
  readonly warm: number;
  readonly coldAccount: number;
  readonly valueTransfer: number;
  readonly newAccount: number;
  readonly stipend: number;
  /** EIP-7702 */
  readonly delegates: boolean;
}
