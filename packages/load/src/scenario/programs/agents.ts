import { agentPermission } from '@prime/codec';
import type { MarketId } from '@prime/primitives';
import type { Draft } from '../draft.ts';
import { ownAction } from '../draft.ts';
import type { Account } from '../keyring.ts';
import type { ProgramMaker } from '../world.ts';
import { episodes, type Step } from './episodes.ts';
import { orderOf } from './trading.ts';

/** Keys that trade for an account. */

/** Agents that one account may ever have: a revoked one is remembered. */
const recordsMax = 1_024;

/**
 * The kind `agent`: owners approve `size` agents, which trade, and revoke them. An owner has at most 1024 agents
 * ever, then the next account goes on.
 */
export const agents: ProgramMaker = (world, size) =>
  episodes(world, { laneAccounts: 1 }, function* (indices, place): Generator<Step, never> {
    const { keyring, facts, markets } = world;
    const market = markets[place % markets.length]!;
    const permissions = agentPermission.trade | agentPermission.cancel;
    const rounds = Math.max(1, Math.floor(recordsMax / size));
    const forOwner = (
      owner: Account,
      signer: Account,
      what: string,
      payload: Parameters<typeof ownAction>[2],
    ): Draft => ({
      ...ownAction(`agent/${what}`, signer, payload),
      account: owner.address,
    });
    let owner = keyring.account(indices[0]!);
    let team: Account[] = [];
    function* trade(): Generator<Step, void> {
      const labels = team.map(() => world.label());
      for (const [index, agent] of team.entries()) {
        const quote = { isBuy: true, price: 500 + index, size: 1, tif: 'gtc', label: labels[index]! } as const;
        yield forOwner(owner, agent, 'order', orderOf(market, quote));
      }
      yield 'rest';
      for (const [index, agent] of team.entries())
        yield forOwner(owner, agent, 'cancel', {
          type: 'cancelByClientId',
          marketId: market.id as MarketId,
          clientId: labels[index]!,
        });
      yield 'rest';
    }
    for (const [turn, index] of indices.entries()) {
      owner = keyring.account(index);
      for (let round = 0; round < rounds; round++) {
        team = Array.from({ length: size }, (_, agent) =>
          keyring.once(`agent/${facts.timeMs}/${index}/${round}/${agent}`),
        );
        for (const { address } of team)
          yield ownAction('agent/approve', owner, {
            type: 'approveAgent',
            agent: address,
            expiry: 0,
            permissions,
            name: 'load',
          });
        yield 'rest';
        yield* trade();
        // The last ones stay: nobody may have any more.
        if (turn === indices.length - 1 && round === rounds - 1) break;
        for (const { address } of team) yield ownAction('agent/revoke', owner, { type: 'revokeAgent', agent: address });
        yield 'done';
      }
    }
    for (;;) yield* trade();
  });
