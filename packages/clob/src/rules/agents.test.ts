import { describe, expect, it } from '@jest/globals';
import type { Hash, Height, TimestampMs } from '@prime/primitives';
import { type ActionPayload, actionTypeCode, agentPermission, defaultMarketDecimals } from '@prime/codec';
import { createInspectableEngine } from '../engine.ts';
import {
  addressOf,
  alice,
  bob,
  createHarness,
  defaultParams,
  type Harness,
  marketId,
  order,
  orderId,
  startMs,
  type Step,
} from '../testing/harness.ts';
import { bracket, stop } from '../testing/triggers.ts';

const agent = addressOf(0xa6e27);
const approve = (permissions = 7, expiry = 0, of = agent): ActionPayload => ({
  type: 'approveAgent',
  agent: of,
  expiry,
  permissions,
  name: 'bot',
});
const revoke: ActionPayload = { type: 'revokeAgent', agent };
const own: Partial<Step> = { signatureKind: 'raw' };
const byAgent: Partial<Step> = { signatureKind: 'raw', signer: agent };
const refused = (result: ReturnType<Harness['act']>): string | null => (result.ok ? null : result.error.code);
const { trade, cancel, liquidate } = agentPermission;

const claim = { publicKey: new Uint8Array(33).fill(2), proof: new Uint8Array(65) };
const endpoint = { host: 'node', port: 1, spki: `0x${'11'.repeat(32)}` as Hash };

const noFees = { parameter: 'fees', marketId: null, value: null } as const;

/** One action of each type, with the permission that it needs; null is for the account alone. */
const needs: { readonly [Type in ActionPayload['type']]: readonly [ActionPayload, number | null] } = {
  order: [order('buy', 1n, 1n), trade],
  trigger: [stop(1n), trade],
  bracket: [bracket(), trade],
  modify: [{ type: 'modify', orderId: orderId(9), price: 1n, size: 1n }, trade],
  cancel: [{ type: 'cancel', orderId: orderId(9) }, cancel],
  cancelByClientId: [{ type: 'cancelByClientId', marketId: marketId(1), clientId: `0x${'11'.repeat(16)}` }, cancel],
  cancelAll: [{ type: 'cancelAll', marketId: null }, cancel],
  scheduleCancel: [{ type: 'scheduleCancel', atMs: 0 }, cancel],
  liquidate: [{ type: 'liquidate', address: bob }, liquidate],
  noop: [{ type: 'noop' }, 0],
  batch: [{ type: 'batch', items: [order('buy', 1n, 1n), { type: 'cancelAll', marketId: null }] }, trade | cancel],
  deposit: [{ type: 'deposit', amount: 1n }, null],
  withdraw: [{ type: 'withdraw', amount: 1n, to: agent }, null],
  transfer: [{ type: 'transfer', to: agent, amount: 1n }, null],
  enqueueEvmToOrders: [{ type: 'enqueueEvmToOrders', to: agent, amount: 1n }, null],
  bridgeDequeue: [{ type: 'bridgeDequeue', direction: 'orders_to_evm', max: 1 }, null],
  addMarket: [{ type: 'addMarket', symbol: 'A/B', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }, null],
  setMargin: [{ type: 'setMargin', marketId: null, initialMarginBps: 2, maintenanceMarginBps: 1 }, null],
  approveAgent: [approve(7, 0, bob), null],
  revokeAgent: [revoke, null],
  lockAccount: [{ type: 'lockAccount' }, null],
  createSubAccount: [{ type: 'createSubAccount', index: 1 }, null],
  validatorJoin: [{ type: 'validatorJoin', stake: 1n, moniker: 'm', ...claim, ...endpoint }, null],
  validatorLeave: [{ type: 'validatorLeave' }, null],
  validatorBond: [{ type: 'validatorBond', amount: 1n }, null],
  validatorUnbond: [{ type: 'validatorUnbond', amount: 1n }, null],
  validatorRotateSigner: [{ type: 'validatorRotateSigner', ...claim }, null],
  validatorUnjail: [{ type: 'validatorUnjail' }, null],
  validatorJail: [{ type: 'validatorJail' }, null],
  oracleReport: [{ type: 'oracleReport', observedAtMs: 1 as TimestampMs, prices: [] }, null],
  change: [{ type: 'change', change: noFees, atHeight: 0 }, null],
  propose: [{ type: 'propose', change: noFees, activationHeight: 30 as Height, expiryHeight: 20 as Height }, null],
  vote: [{ type: 'vote', proposal: endpoint.spki, yes: true }, null],
  validatorSetOracleKey: [{ type: 'validatorSetOracleKey', key: null }, null],
  validatorSetEndpoint: [{ type: 'validatorSetEndpoint', ...endpoint }, null],
};

describe('agents', () => {
  it('each permission covers its actions and no other; what moves money or changes keys is never covered', () => {
    expect(Object.keys(needs).sort()).toEqual(Object.keys(actionTypeCode).sort());
    for (let permissions = 1; permissions <= 15; permissions++) {
      for (const [payload, needed] of Object.values(needs)) {
        const harness = createHarness();
        harness.deposit(alice, 1_000_000n);
        expect(refused(harness.act(alice, approve(permissions), own))).toBeNull();
        const may = needed !== null && (permissions & needed) === needed;
        const outcome = ['CLOB_UNAUTHORIZED', 'CLOB_NOT_A_REPORTER'].includes(
          refused(harness.act(alice, payload, byAgent)) ?? '',
        );
        expect([payload.type, permissions, outcome]).toEqual([payload.type, permissions, !may]);
      }
    }
  });

  it('an order of an agent is the account’s own: its collateral, its open order', () => {
    const harness = createHarness();
    harness.deposit(alice, 1_000_000n);
    harness.act(alice, approve(trade), own);
    expect(refused(harness.act(alice, order('buy', 10n, 10n), byAgent))).toBeNull();
    expect(harness.events()).toContainEqual(
      expect.objectContaining({ kind: 'order_accepted', data: expect.objectContaining({ owner: alice }) }),
    );
    expect(refused(harness.act(bob, order('buy', 10n, 10n), byAgent))).toBe('CLOB_UNAUTHORIZED');
  });

  it('approval and end are told by events, and an approved agent may get other terms', () => {
    const harness = createHarness();
    harness.act(alice, approve(trade, startMs + 5_000), own);
    expect(harness.events()).toEqual([
      expect.objectContaining({
        kind: 'agent_approved',
        data: { account: alice, agent, expiry: startMs + 5_000, permissions: trade, name: 'bot' },
      }),
    ]);
    expect(refused(harness.act(alice, approve(cancel), own))).toBeNull();
    expect(refused(harness.act(alice, order('buy', 10n, 10n), byAgent))).toBe('CLOB_UNAUTHORIZED');
    harness.act(alice, revoke, own);
    expect(harness.events()).toEqual([
      expect.objectContaining({ kind: 'agent_revoked', data: { account: alice, agent } }),
    ]);
  });

  it('an approval lives through the millisecond of its expiry', () => {
    const harness = createHarness();
    const at = startMs + 60_000;
    harness.act(alice, approve(7, at), own);
    const act = (timeMs: number, nonce: number): boolean =>
      harness.block([{ account: alice, payload: { type: 'noop' }, ...byAgent, nonce }], timeMs).results[0]!.ok;
    expect([act(at, startMs + 1), act(at + 1, startMs + 2)]).toEqual([true, false]);
  });

  it('a revoked agent stays revoked for ever, after a restart from the records too', () => {
    const harness = createHarness();
    harness.act(alice, approve(), own);
    harness.act(alice, revoke, own);
    expect(refused(harness.act(alice, { type: 'noop' }, byAgent))).toBe('CLOB_UNAUTHORIZED');
    expect(refused(harness.act(alice, approve(), own))).toBe('CLOB_AGENT_REVOKED');
    expect(refused(harness.act(alice, revoke, own))).toBe('CLOB_AGENT_REVOKED');
    const restored = createInspectableEngine({ params: defaultParams, actionsMode: 'open' });
    restored.engine.restore(harness.records.values());
    expect(restored.engine.ordersRoot()).toBe(harness.engine.ordersRoot());
    expect(restored.state.agent(alice, agent)).toEqual(harness.state.agent(alice, agent));
    expect(restored.state.agent(alice, agent)?.revoked).toBe(true);
  });

  it('with cancels first, a revocation stops the orders of its own block', () => {
    const harness = createHarness();
    harness.deposit(alice, 1_000_000n);
    harness.act(alice, approve(), own);
    const { results } = harness.block([
      { account: alice, payload: order('buy', 10n, 10n), ...byAgent },
      { account: alice, payload: revoke, ...own },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it('a dropped block leaves no trace of an approval or a revocation', () => {
    const harness = createHarness();
    harness.drop([{ account: alice, payload: approve(), ...own }]);
    expect(harness.state.agent(alice, agent)).toBeNull();
    harness.act(alice, approve(trade), own);
    const before = harness.engine.ordersRoot();
    harness.drop([
      { account: alice, payload: approve(cancel), ...own },
      { account: alice, payload: revoke, ...own },
    ]);
    expect(harness.state.agent(alice, agent)).toMatchObject({ permissions: trade, revoked: false });
    expect(harness.engine.ordersRoot()).toBe(before);
  });

  it('an action of an agent locks the account like one of its own', () => {
    const harness = createHarness();
    harness.act(alice, approve());
    expect(refused(harness.act(alice, { type: 'noop' }))).toBeNull();
    expect(refused(harness.act(alice, { type: 'noop' }, byAgent))).toBeNull();
    expect(refused(harness.act(alice, { type: 'noop' }))).toBe('CLOB_UNAUTHORIZED');
  });

  it('64 live agents and 1024 records are the most of one account', () => {
    const harness = createHarness();
    const at = (index: number): ActionPayload => approve(7, 0, addressOf(0x10_000 + index));
    const gone = (index: number): ActionPayload => ({ type: 'revokeAgent', agent: addressOf(0x10_000 + index) });
    const run = (payloads: readonly ActionPayload[]): boolean[] =>
      harness.block(payloads.map((payload) => ({ account: alice, payload }))).results.map(({ ok }) => ok);
    expect(run(Array.from({ length: 64 }, (_, index) => at(index)))).toEqual(Array.from({ length: 64 }, () => true));
    expect(refused(harness.act(alice, at(64)))).toBe('CLOB_TOO_MANY_AGENTS');
    for (let index = 0; index < 1024; index++) {
      expect(refused(harness.act(alice, gone(index)))).toBeNull();
      if (index + 64 < 1024) expect(refused(harness.act(alice, at(index + 64)))).toBeNull();
    }
    expect(refused(harness.act(alice, at(1024)))).toBe('CLOB_TOO_MANY_AGENTS');
  });
});
