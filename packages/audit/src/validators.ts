import { type DomainEvent, type Genesis, isValidatorAction, type ValidatorActionPayload } from '@prime/codec';
import { publicKeyToAddress } from '@prime/crypto';
import type { ModelReporters } from '@prime/model';
import type { Address } from '@prime/primitives';
import type { DecidedBlock } from './decidedBlock.ts';

/** What an audit knows of somebody who is or was a validator. */
interface AuditedValidator {
  readonly signer: Address;
  readonly oracleKey: Address | null;
  /** Wei. */
  readonly stake: bigint;
  readonly status: 'active' | 'jailed' | 'left';
}

const weiPerPower = 10n ** 18n;
const powerOf = (stake: bigint): bigint => (stake < weiPerPower ? 1n : stake / weiPerPower);

/** An event of a validator in one line. @param signer of `signer_rotated` alone */
const eventText = (kind: string, validator: unknown, stake: bigint, signer: unknown = ''): string =>
  `${kind} ${String(validator)} ${stake} ${stake === 0n ? 0n : powerOf(stake)} ${String(signer)}`.trimEnd();

const toldText = ({ kind, data }: DomainEvent): string =>
  `${kind} ${String(data['validator'])} ${String(data['stake'])} ${String(data['power'])} ${String(data['signer'] ?? '')}`.trimEnd();

/**
 * The validators as blocks make them: of genesis, by the actions that went through, and by what a block did to them itself. Whose price reports and votes
 * count in a block is asked before the block is added.
 *
 * Whether an action had to go through is for the validators to say: that takes times, funds and evidence.
 *
 * @see docs/protocol/validators.md
 */
export class AuditedValidators {
  readonly #genesis: Pick<Genesis, 'consensus' | 'staking'>;
  readonly #validators = new Map<Address, AuditedValidator>();
  #reporters: ModelReporters | null = null;

  constructor(genesis: Pick<Genesis, 'validators' | 'consensus' | 'staking'>) {
    this.#genesis = genesis;
    for (const { address, publicKey, stake } of genesis.validators)
      this.#put(address, { signer: publicKeyToAddress(publicKey), oracleKey: null, stake, status: 'active' });
  }

  /** Of the next block: who is active after the blocks so far. */
  get reporters(): ModelReporters {
    this.#reporters ??= {
      reporters: [...this.#validators].flatMap(([validator, { signer, oracleKey, stake, status }]) =>
        status === 'active'
          ? [{ validator, keys: oracleKey === null ? [signer] : [signer, oracleKey], power: powerOf(stake) }]
          : [],
      ),
      precisionMs: this.#genesis.consensus.precisionMs,
    };
    return this.#reporters;
  }

  /** Follows a block. @returns a line for each event of a validator that its actions, or the rules, do not lead to */
  add({ height, actions, results, events }: DecidedBlock): string[] {
    const faults: string[] = [];
    const told = events.filter(({ domain }) => domain === 'validators');
    // A block punishes before owners change what is theirs.
    for (const event of told.filter(({ actionIndex }) => actionIndex === null))
      if (!this.#punish(event))
        faults.push(`block ${height}: "${toldText(event)}" of a validator is against the rules`);
    const made: string[] = [];
    actions.forEach(({ transaction: { account, payload } }, index) => {
      if (!isValidatorAction(payload) || results[index]?.ok !== true) return;
      const event = this.#act(account, payload);
      if (event === null)
        faults.push(`block ${height}, action ${index}: ${payload.type} of ${account} was done, for no such validator`);
      else if (event !== '') made.push(event);
    });
    const answered = told.filter(({ actionIndex }) => actionIndex !== null).map(toldText);
    for (let place = 0; place < Math.max(made.length, answered.length); place++)
      if (made[place] !== answered[place])
        faults.push(
          `block ${height}, event ${place} of validators: validator ${String(answered[place])}, audit ${String(made[place])}`,
        );
    return faults;
  }

  /** What a block does by itself. @returns whether it may */
  #punish(event: DomainEvent): boolean {
    const address = event.data['validator'] as Address;
    const known = this.#validators.get(address);
    if (known === undefined) return false;
    if (event.kind === 'jailed' && known.status === 'active') {
      this.#put(address, { ...known, status: 'jailed' });
      return toldText(event) === eventText('jailed', address, known.stake);
    }
    const { staking } = this.#genesis;
    if (event.kind !== 'slashed' || staking === undefined) return false;
    const stake = event.data['stake'] as bigint;
    this.#put(address, { ...known, stake });
    const rates = [staking.downtimeSlashBps, staking.doubleSignSlashBps];
    const isRight = rates.some((bps) => stake === known.stake - (known.stake * BigInt(bps)) / 10_000n);
    return isRight && toldText(event) === eventText('slashed', address, stake);
  }

  /** What a successful action does. @returns its event, empty where there is none; null when there is no such validator */
  #act(address: Address, payload: ValidatorActionPayload): string | null {
    const known = this.#validators.get(address);
    const isThere = known !== undefined && known.status !== 'left';
    if (payload.type === 'validatorJoin') {
      const { publicKey, stake } = payload;
      this.#put(address, { signer: publicKeyToAddress(publicKey), oracleKey: null, stake, status: 'jailed' });
      return isThere ? null : eventText('joined', address, stake);
    }
    if (!isThere) return null;
    const put = (kind: string, next: AuditedValidator, signer?: Address): string => {
      this.#put(address, next);
      return kind === '' ? '' : eventText(kind, address, next.stake, signer);
    };
    switch (payload.type) {
      case 'validatorBond':
        return put('stake_changed', { ...known, stake: known.stake + payload.amount });
      case 'validatorUnbond':
        return put('stake_changed', { ...known, stake: known.stake - payload.amount });
      case 'validatorLeave':
        return put('left', { ...known, stake: 0n, status: 'left' });
      case 'validatorUnjail':
        return put('unjailed', { ...known, status: 'active' });
      case 'validatorJail':
        return put('jailed', { ...known, status: 'jailed' });
      case 'validatorRotateSigner': {
        const signer = publicKeyToAddress(payload.publicKey);
        return put('signer_rotated', { ...known, signer }, signer);
      }
      case 'validatorSetOracleKey':
        return put('', { ...known, oracleKey: payload.key });
      case 'validatorSetEndpoint':
        return '';
    }
  }

  #put(address: Address, validator: AuditedValidator): void {
    this.#validators.set(address, validator);
    this.#reporters = null;
  }
}
