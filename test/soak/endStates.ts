import { differing } from '@prime/audit';
import { accountsOf, authorityOf, brokenInvariants, createInspectableEngine, moneyOf } from '@prime/clob/testing';
import { decodeOrderRecord, decodeTransferRecord, type Genesis, recordKind } from '@prime/codec';
import { type Model, modelAccounts, modelAuthority, modelMoney, openOrders } from '@prime/model';
import type { StoredChain } from './decidedBlocks.ts';

/** What is on a validator's disk, against the model. */

/** Everything that the records of the order book hold, in an engine that is made of them. @returns a line for each difference */
export function wrongRecords(
  { records }: Pick<StoredChain, 'records'>,
  model: Model,
  { clob, actions }: Genesis,
): string[] {
  const empty = records.filter(([, value]) => value.length === 0).length;
  if (empty > 0) return [`${empty} records are empty`];
  const { engine, state } = createInspectableEngine({ params: clob, actionsMode: actions });
  engine.restore(records);
  engine.ordersRoot();
  const { transfers, escrow, paid } = model.state;
  return [
    ...differing('accounts', accountsOf({ state }), modelAccounts(model)),
    ...differing('money', moneyOf({ state }, escrow, paid), modelMoney(model)),
    ...differing('authority', authorityOf({ state }), modelAuthority(model)),
    ...differing('open orders', storedOrders(records), modelOrders(model)),
    ...differing('queued transfers', storedTransfers(records), transfers),
    ...brokenInvariants(state).map((broken) => `invariant: ${broken}`),
  ];
}

type Records = StoredChain['records'];

const ofKind = <T>(records: Records, kind: ReturnType<typeof recordKind>, decode: (value: Uint8Array) => T): T[] =>
  records.filter(([key]) => recordKind(key) === kind).map(([, value]) => decode(value));

const storedOrders = (records: Records): unknown =>
  ofKind(records, 'order', decodeOrderRecord)
    .sort((a, b) => a.orderId - b.orderId)
    .map(({ orderId, marketId, owner, side, price, size, remaining, clientId, expiresAt }) => [
      [orderId, marketId, owner, side],
      [price, size, remaining, clientId, expiresAt],
    ]);

const modelOrders = (model: Model): unknown =>
  openOrders(model).map(({ id, market, owner, buy, price, size, remaining, fields }) => [
    [id, market, owner, buy ? 'buy' : 'sell'],
    [price, size, remaining, fields.clientId, fields.expiresAt],
  ]);

const storedTransfers = (records: Records): unknown =>
  ofKind(records, 'transfer', decodeTransferRecord)
    .sort((a, b) => a.transferId - b.transferId)
    .map(({ transferId: id, direction, from, to, amount }) => ({ id, direction, from, to, amount }));
