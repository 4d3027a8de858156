import { type ActionPayload, type ContractAction, subAccountAddress } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { ModelAction, RulesHost } from './state.ts';

/** What the rules of authority need of the model's other rules. */
interface AuthorityHost extends RulesHost {
  readonly timeMs: number;
}

type Approval = Extract<ActionPayload, { type: 'approveAgent' }>;

const bits: Partial<Record<ActionPayload['type'], number>> = {
  noop: 0,
  order: 1,
  modify: 1,
  trigger: 1,
  bracket: 1,
  cancel: 2,
  cancelByClientId: 2,
  cancelAll: 2,
  scheduleCancel: 2,
  liquidate: 4,
};

/** Everything that an action does must be allowed. */
const isAllowed = (payload: ActionPayload, permissions: number): boolean => {
  if (payload.type === 'batch') return payload.items.every((item) => isAllowed(item, permissions));
  const bit = bits[payload.type];
  return bit !== undefined && (bit & permissions) === bit;
};

/** What is for the account of an owner only. */
const notForSubAccounts = ['withdraw', 'approveAgent', 'revokeAgent', 'createSubAccount', 'change', 'propose', 'vote'];

/** Used nonces with one more, ascending; so many of the highest are kept. */
const withNonce = (used: readonly number[], nonce: number, kept: number): number[] =>
  (nonce > (used.at(-1) ?? 0) ? [...used, nonce] : [...used, nonce].sort((a, b) => a - b)).slice(-kept);

/** Who may act for whom, taken from docs/protocol/clob.md line by line. */
export class ModelAuthority {
  readonly #host: AuthorityHost;

  constructor(host: AuthorityHost) {
    this.#host = host;
  }

  /** Before a block's actions: who is nobody, and whose nonce is no good. Other nonces are used up. */
  takeNonces(actions: readonly ModelAction[]): (string | null)[] {
    const { state, timeMs, undo } = this.#host;
    const nobody = actions.map((action) => this.#isNobody(action));
    return actions.map((action, index) => {
      if (action.signatureKind !== 'raw') return this.#takeGatewayNonce(action);
      if (nobody[index] === true) return 'CLOB_OWNS_NOTHING';
      const { signer = action.account, nonce = 0 } = action;
      const used = state.nonces[signer] ?? [];
      const [past, future] = [timeMs - 2 * 86_400_000, timeMs + 86_400_000];
      const isLow = used.length === 64 && nonce < Math.min(...used);
      if (nonce <= past || nonce >= future || used.includes(nonce) || isLow) return 'CLOB_NONCE';
      undo.set(state.nonces, signer, withNonce(used, nonce, 64));
      return null;
    });
  }

  /** A gateway counts its actions; in tests of other rules nobody numbers them. */
  #takeGatewayNonce({ signer, nonce }: ModelAction): string | null {
    if (signer === undefined || nonce === undefined) return null;
    const { state, timeMs, undo } = this.#host;
    const used = state.gateways[signer] ?? [];
    const newest = used.at(-1) ?? 0;
    if (nonce > (timeMs + 1_000_000) * 1000 || nonce <= newest - 4096 || used.includes(nonce)) return 'CLOB_NONCE';
    undo.set(state.gateways, signer, withNonce(used, nonce, 4096));
    return null;
  }

  #isNobody({ account, payload, signer = account, signatureKind, outsider, funded = true }: ModelAction): boolean {
    const { state } = this.#host;
    if (signatureKind !== 'raw' || outsider !== true) return false;
    const brings = payload.type === 'deposit' || payload.type === 'enqueueEvmToOrders';
    const own = state.accounts[signer];
    const has =
      own !== undefined && (own.collateral !== 0n || Object.keys({ ...own.positions, ...own.claims }).length > 0);
    return (
      !has &&
      !state.locked.includes(signer) &&
      state.agents[`${this.#authority(account)} ${signer}`] === undefined &&
      !(brings && funded)
    );
  }

  /** Why an action may not run for who signed it; null when it may. */
  refused(action: ModelAction): string | null {
    if (!this.#mayAct(action)) return 'CLOB_UNAUTHORIZED';
    if (this.#refusesSubAccount(action)) return 'CLOB_SUB_ACCOUNT';
    return action.payload.type.startsWith('validator') && action.signatureKind !== 'raw' ? 'CLOB_UNAUTHORIZED' : null;
  }

  #mayAct({ account, payload, signer = account, signatureKind }: ModelAction): boolean {
    const { state, timeMs } = this.#host;
    if (signatureKind !== 'raw') return payload.type !== 'createSubAccount' && !state.locked.includes(account);
    const authority = this.#authority(account);
    if (signer === authority) return true;
    const agent = state.agents[`${authority} ${signer}`];
    if (agent === undefined || agent.revoked) return false;
    if (authority !== account && agent.permissions < 8) return false;
    return (agent.expiry === 0 || timeMs <= agent.expiry) && isAllowed(payload, agent.permissions);
  }

  /** Who signs for an account. */
  #authority(account: Address): Address {
    return this.#host.state.subAccounts[account]?.owner ?? account;
  }

  /** What the owner of a sub-account may not sign for it. */
  #refusesSubAccount({ account, payload }: ModelAction): boolean {
    if (this.#host.state.subAccounts[account] === undefined) return false;
    return notForSubAccounts.includes(payload.type) || payload.type.startsWith('validator');
  }

  /** What an action of the account itself leaves behind. */
  acted({ account, signatureKind, payload }: ModelAction): void {
    if (signatureKind === 'raw' && payload.type !== 'oracleReport') this.lock(account);
  }

  /** What a contract's write leaves behind: a gift to somebody else is no sign of who owns the account. */
  wrote({ account, payload }: ContractAction): void {
    if (payload.type !== 'deposit' || payload.to === account) this.lock(account);
  }

  lock(account: string): void {
    const { state, undo } = this.#host;
    if (!state.locked.includes(account)) undo.set(state, 'locked', [...state.locked, account].sort());
  }

  /** Actions that are about who may act, and changes of the validators, which go on elsewhere; nothing else is left. */
  run(account: Address, payload: ActionPayload): unknown {
    if (payload.type.startsWith('validator')) return { type: 'done' };
    switch (payload.type) {
      case 'noop':
        return { type: 'done' };
      case 'lockAccount':
        this.lock(account);
        return { type: 'done' };
      case 'approveAgent':
        return this.#approve(account, payload);
      case 'revokeAgent':
        return this.#revoke(account, payload.agent);
      case 'createSubAccount':
        return this.#createSubAccount(account, payload.index);
      default:
        return 'CLOB_NOT_AVAILABLE';
    }
  }

  #approve(account: string, { agent, expiry, permissions }: Approval): unknown {
    const { state, events, timeMs, undo } = this.#host;
    if (agent === account || permissions < 1 || permissions > 15) return 'CLOB_BAD_AGENT';
    if (expiry !== 0 && expiry <= timeMs) return 'CLOB_BAD_AGENT';
    const place = `${account} ${agent}`;
    if (state.agents[place]?.revoked === true) return 'CLOB_AGENT_REVOKED';
    if (state.agents[place] === undefined) {
      const records = Object.keys(state.agents).filter((key) => key.startsWith(`${account} `));
      const live = records.filter((key) => !state.agents[key]!.revoked);
      if (live.length >= 64 || records.length >= 1024) return 'CLOB_TOO_MANY_AGENTS';
    }
    undo.set(state.agents, place, { expiry, permissions, revoked: false });
    events.push(`approved ${place} ${expiry} ${permissions}`);
    return { type: 'done' };
  }

  #revoke(account: string, agent: string): unknown {
    const { state, events, undo } = this.#host;
    const place = `${account} ${agent}`;
    const known = state.agents[place];
    if (known === undefined) return 'CLOB_UNKNOWN_AGENT';
    if (known.revoked) return 'CLOB_AGENT_REVOKED';
    undo.set(state.agents, place, { ...known, revoked: true });
    events.push(`revoked ${place}`);
    return { type: 'done' };
  }

  #createSubAccount(owner: Address, index: number): unknown {
    const { state, events, params, undo } = this.#host;
    const address = subAccountAddress(owner, index);
    if (state.subAccounts[address] !== undefined) return 'CLOB_SUB_ACCOUNT_EXISTS';
    const own = Object.values(state.subAccounts).filter((other) => other.owner === owner);
    if (own.length >= (params.subAccountsMax ?? 0)) return 'CLOB_TOO_MANY_SUB_ACCOUNTS';
    undo.set(state.subAccounts, address, { owner, index });
    this.lock(address);
    events.push(`sub-account ${address} ${owner} ${index}`);
    return { type: 'createSubAccount' };
  }
}
