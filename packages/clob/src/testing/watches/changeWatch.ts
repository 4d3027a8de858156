import type { DomainEvent } from '@prime/codec';
import { textOf } from '@prime/model';
import type { ClobState } from '../../state/state.ts';

/** What holds of changes of parameters and of settlements from block to block, by what events tell. */
export class ChangeWatch {
  readonly #passed = new Set<string>();
  readonly #settled = new Map<number, bigint>();
  #before: string;

  constructor(state: ClobState) {
    this.#before = parametersOf(state);
  }

  /** Takes the events of the next block. @returns what is broken, in words: G1 and S1 of docs/protocol/clob.md */
  block(state: ClobState, events: readonly DomainEvent[]): string[] {
    const broken: string[] = [];
    const admins = new Set([state.params.admin]);
    let hasChanged = false;
    for (const { kind, data } of events) {
      const proposal = String(data['proposal']);
      if (kind === 'voted' && (data['yes_power'] as bigint) * 3n > (data['total_power'] as bigint) * 2n)
        this.#passed.add(proposal);
      if (kind === 'proposed' && data['activation_height'] === data['expiry_height']) admins.add(null);
      if (kind === 'proposal_passed' && admins.has(null)) this.#passed.add(proposal);
      if (kind === 'margin_params_set') hasChanged = true;
      if (kind === 'parameter_changed') {
        hasChanged = true;
        if (data['proposal'] !== null && !this.#passed.has(proposal)) broken.push(`G1 ${proposal} did not pass`);
      }
      if (kind === 'position_settled') {
        const id = data['market_id'] as number;
        this.#settled.set(id, (this.#settled.get(id) ?? 0n) + (data['size'] as bigint));
      }
      if (kind === 'market_status_set' && data['status'] === 'delisted') {
        const left = this.#settled.get(data['market_id'] as number) ?? 0n;
        if (left !== 0n) broken.push(`S1 positions of ${left} were not settled`);
      }
    }
    const now = parametersOf(state);
    if (now !== this.#before && !hasChanged) broken.push('G1 parameters changed by themselves');
    this.#before = now;
    return broken;
  }
}

/** What changes are about. A market that is settled is delisted by itself. */
const parametersOf = ({ params, globals, markets }: ClobState): string =>
  textOf([
    params,
    globals.defaultMargin,
    markets.map(({ margin, riskTiers, limits, status }) => [
      margin,
      riskTiers,
      limits,
      status === 'delisted' ? 'settling' : status,
    ]),
  ]);
